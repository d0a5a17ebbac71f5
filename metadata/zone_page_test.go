package metadata

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

// pagesIn returns the zones of crafted pages of ten rows each.
func pagesIn(t testing.TB, col columnSpec, x ColumnIndex, orders int, createdBy string) ([]Zone, Belief) {
	t.Helper()
	col.name = "c"
	pages := len(x.NullPages)
	f := parseCrafted(t, fileSpec{columns: []columnSpec{col}, rows: int64(10 * pages), createdBy: createdBy, orders: orders})
	c, err := f.RowGroups[0].Chunk(f.Schema.Columns[0])
	if err != nil {
		t.Fatal(err)
	}
	// By way of the wire, so that empty and absent are what they are there.
	y, err := ParseColumnIndex(fields(func(w *crafter) {
		w.bools(1, 2, x.NullPages...)
		w.binaries(2, x.Min...)
		w.binaries(3, x.Max...)
		w.i32(4, int32(x.Order))
		if x.NullCounts != nil {
			w.i64s(5, x.NullCounts...)
		}
		if x.NaNCounts != nil {
			w.i64s(8, x.NaNCounts...)
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
	rows := make([]int64, pages)
	for i := range rows {
		rows[i] = 10
	}
	return f.PageZones(c, y, rows)
}

func pagesOf(t testing.TB, col columnSpec, x ColumnIndex) ([]Zone, Belief) {
	return pagesIn(t, col, x, 1, "")
}

func onePage(lo, hi []byte) ColumnIndex {
	return ColumnIndex{NullPages: []bool{false}, Min: [][]byte{lo}, Max: [][]byte{hi}}
}

// twoPages are integers 1 to 2 and 3 to 4.
func twoPages() ColumnIndex {
	return ColumnIndex{NullPages: []bool{false, false}, Min: [][]byte{le32(1), le32(3)}, Max: [][]byte{le32(2), le32(4)}, NullCounts: []int64{0, 9}}
}

func TestPageZones(t *testing.T) {
	z, b := pagesOf(t, colInt32, twoPages())
	if b.Why != "" || len(z) != 2 || z[0].Lower.Int != 1 || z[1].Upper.Int != 4 || z[0].Nulls != 0 || z[1].Nulls != 9 || z[0].Rows != 10 {
		t.Errorf("%+v, %+v", z, b)
	}
	for name, s := range samples {
		z, b := pagesOf(t, s.col, onePage(s.lo, s.hi))
		if len(z) != 1 || !bounded(z[0]) || z[0].Nulls != -1 || b.Why != "" {
			t.Errorf("%s: %+v, %+v", name, z, b)
		}
	}
}

func TestPageZonesWithoutColumnOrders(t *testing.T) {
	for name, s := range samples {
		z, b := pagesIn(t, s.col, onePage(s.lo, s.hi), 0, "")
		if len(z) != 1 || bounded(z[0]) != s.signed || unbounded(z[0]) == s.signed || b.Doubt == s.signed {
			t.Errorf("%s: %+v, %+v", name, z, b)
		}
		if z, _ = pagesIn(t, s.col, onePage(s.hi, s.hi), 0, ""); len(z) != 1 || !bounded(z[0]) {
			t.Errorf("%s, minimum equal to maximum: %+v", name, z)
		}
	}
}

func TestPageUnequalLists(t *testing.T) {
	for name, change := range map[string]func(x *ColumnIndex){
		"minima":                func(x *ColumnIndex) { x.Min = x.Min[:1] },
		"maxima":                func(x *ColumnIndex) { x.Max = append(x.Max, le32(9)) },
		"no minima":             func(x *ColumnIndex) { x.Min = nil },
		"null counts":           func(x *ColumnIndex) { x.NullCounts = x.NullCounts[:1] },
		"null counts of nobody": func(x *ColumnIndex) { x.NullCounts = []int64{} },
		"NaN counts":            func(x *ColumnIndex) { x.NaNCounts = []int64{0} },
	} {
		x := twoPages()
		change(&x)
		if z, b := pagesOf(t, colInt32, x); z != nil || !b.Doubt {
			t.Errorf("%s: %+v, %+v", name, z, b)
		}
	}
	// As many as each other, but not as the offset index has.
	f, c, err := craftChunk(t, colInt32, 30, "")
	if err != nil {
		t.Fatal(err)
	}
	x := twoPages()
	if z, b := f.PageZones(c, &x, []int64{10, 10, 10}); z != nil || !b.Doubt {
		t.Errorf("three pages: %+v, %+v", z, b)
	}
}

func TestPageNullCounts(t *testing.T) {
	for _, n := range []int64{-1, 11, -1 << 63} {
		x := twoPages()
		x.NullCounts[1] = n
		if z, b := pagesOf(t, colInt32, x); z != nil || !b.Doubt || !strings.Contains(b.Why, "page 1") {
			t.Errorf("%d nulls of 10: %+v, %+v", n, z, b)
		}
	}
	x := twoPages()
	x.NullCounts = nil
	if z, _ := pagesOf(t, colInt32, x); len(z) != 2 || z[0].Nulls != -1 || z[0].NoNulls() || z[0].AllNull() {
		t.Errorf("absent: %+v", z)
	}
}

func TestPageNullPages(t *testing.T) {
	nullPage := func(counts []int64, bounds []byte) ColumnIndex {
		return ColumnIndex{NullPages: []bool{true}, Min: [][]byte{bounds}, Max: [][]byte{bounds}, NullCounts: counts}
	}
	for name, x := range map[string]ColumnIndex{
		"counted":                       nullPage([]int64{10}, nil),
		"not counted":                   nullPage(nil, nil),
		"counted, with bounds nonsense": nullPage([]int64{10}, []byte{0}), // Arrow2 writes these
	} {
		if z, b := pagesOf(t, colInt32, x); len(z) != 1 || !z[0].AllNull() || !unbounded(z[0]) || b.Why != "" {
			t.Errorf("%s: %+v, %+v", name, z, b)
		}
	}
	required := colInt32
	required.rep = Required
	for name, c := range map[string]struct {
		col columnSpec
		x   ColumnIndex
	}{
		"a count of no null":   {colInt32, nullPage([]int64{0}, nil)},
		"a count of nine":      {colInt32, nullPage([]int64{9}, nil)},
		"a count of eleven":    {colInt32, nullPage([]int64{11}, nil)},
		"a column without any": {required, nullPage(nil, nil)},
		"not a null page, bounds, all ten rows null": {colInt32,
			ColumnIndex{NullPages: []bool{false}, Min: [][]byte{le32(1)}, Max: [][]byte{le32(2)}, NullCounts: []int64{10}}},
	} {
		if z, b := pagesOf(t, c.col, c.x); z != nil || !b.Doubt {
			t.Errorf("%s: %+v, %+v", name, z, b)
		}
	}
}

// Bounds that cannot be used spoil their own page only.
func TestPageBadBoundsStayInTheirPage(t *testing.T) {
	for name, bad := range map[string][2][]byte{
		"empty": {nil, nil}, "too short": {le32(1), {1}}, "too long": {le64(1), le32(2)}, "crossed": {le32(5), le32(4)},
	} {
		x := twoPages()
		x.Min[0], x.Max[0] = bad[0], bad[1]
		z, b := pagesOf(t, colInt32, x)
		if len(z) != 2 || !unbounded(z[0]) || !bounded(z[1]) || !b.Doubt || z[0].Nulls != 0 {
			t.Errorf("%s: %+v, %+v", name, z, b)
		}
	}
}

func TestPageEmptyStringBounds(t *testing.T) {
	if z, _ := pagesOf(t, colString, onePage(nil, nil)); len(z) != 1 || z[0].HasUpper {
		t.Errorf("%+v", z)
	}
}

// The same for fixed-length values, which are all above an empty maximum.
func TestPageEmptyBoundsOfFixedLength(t *testing.T) {
	for name, col := range map[string]columnSpec{"FIXED": colFixed, "UUID": colUUID} {
		for orders := range 2 {
			if z, _ := pagesIn(t, col, onePage(nil, nil), orders, ""); len(z) > 0 && z[0].HasUpper {
				t.Errorf("%s, orders %d: an empty maximum excludes every value", name, orders)
			}
		}
	}
}

func TestPageMaximumOfOnlyFF(t *testing.T) {
	ff := bytes.Repeat([]byte{0xff}, 16)
	for _, w := range []string{"", "github.com/parquet-go/parquet-go version 0.32.0(build )"} {
		if z, _ := pagesIn(t, colBinary, onePage([]byte("a"), ff), 1, w); len(z) != 1 || !z[0].HasLower || z[0].HasUpper {
			t.Errorf("16 bytes of 0xFF: %+v", z)
		}
		if z, _ := pagesIn(t, colBinary, onePage([]byte("a"), append(ff[:15:15], 0xfe)), 1, w); len(z) != 1 || !bounded(z[0]) {
			t.Errorf("a maximum that could be increased: %+v", z)
		}
	}
}

// parquet-go cuts fixed-length values short in the same way.
func TestPageMaximumOfOnlyFFOfFixedLength(t *testing.T) {
	ff := bytes.Repeat([]byte{0xff}, 16)
	z, _ := pagesIn(t, colFixed, onePage(make([]byte, 16), ff), 1, "github.com/parquet-go/parquet-go version 0.30.1(build )")
	value := Value{Order: OrderBytes, Bytes: append(ff[:16:16], "tail"...)}
	if len(z) != 1 || z[0].HasUpper && z[0].Upper.Compare(value) < 0 {
		t.Errorf("the value %x lies above the maximum %x, which was cut from it", value.Bytes, z[0].Upper.Bytes)
	}
}

func TestPageMaximaOfSegmentio(t *testing.T) {
	const w = "github.com/segmentio/parquet-go version 0.0.0(build 05ed5ed000b1)"
	if z, _ := pagesIn(t, colString, onePage([]byte("a"), []byte("0123456789abcdef")), 1, w); len(z) != 1 || z[0].HasUpper {
		t.Errorf("a maximum that may be cut short: %+v", z)
	}
	if z, _ := pagesIn(t, colInt32, onePage(le32(1), le32(2)), 1, w); len(z) != 1 || !bounded(z[0]) {
		t.Errorf("integers: %+v", z)
	}
}

func TestPageMaximaOfSegmentioOfFixedLength(t *testing.T) {
	z, _ := pagesIn(t, colFixed, onePage([]byte("0123456789abcdef"), []byte("0123456789abcdef")), 1, "github.com/segmentio/parquet-go version 0.0.0(build 05ed5ed000b1)")
	value := Value{Order: OrderBytes, Bytes: []byte("0123456789abcdefghij")}
	if len(z) != 1 || z[0].HasUpper && z[0].Upper.Compare(value) < 0 {
		t.Errorf("the value %q lies above the maximum %q, which was cut from it", value.Bytes, z[0].Upper.Bytes)
	}
}

func TestPageTruncatedBoundsAreNotExact(t *testing.T) {
	z, b := pagesOf(t, colFixed, onePage([]byte("abc"), []byte("abd")))
	if len(z) != 1 || !bounded(z[0]) || z[0].LowerExact || z[0].UpperExact || b.Why != "" {
		t.Errorf("%+v, %+v", z, b)
	}
	if z, _ = pagesOf(t, colString, onePage([]byte("abc"), []byte("abd"))); z[0].LowerExact || z[0].UpperExact {
		t.Errorf("%+v", z)
	}
	// Decimals cannot be cut short.
	if z, b = pagesOf(t, colDecimalF, onePage([]byte{1, 2, 3}, []byte{2, 3, 4})); len(z) != 1 || !unbounded(z[0]) || !b.Doubt {
		t.Errorf("%+v, %+v", z, b)
	}
}

func TestPageFloats(t *testing.T) {
	x := ColumnIndex{NullPages: make([]bool, 4), NaNCounts: []int64{0, 3, 0, -1},
		Min: [][]byte{leDouble(1), leDouble(1), leDouble(math.NaN()), leDouble(1)}, Max: [][]byte{leDouble(2), leDouble(2), leDouble(2), leDouble(2)}}
	for _, orders := range []int{0, 1, 2} {
		z, b := pagesIn(t, colDouble, x, orders, "")
		if len(z) != 4 || !z[0].NoNaN || z[1].NoNaN || !z[2].NoNaN || z[3].NoNaN || !bounded(z[1]) || !unbounded(z[2]) || !b.Doubt {
			t.Errorf("orders %d: %+v, %+v", orders, z, b)
		}
	}
	x.NaNCounts = nil
	if z, _ := pagesOf(t, colDouble, x); len(z) != 4 || z[0].NoNaN {
		t.Errorf("absent NaN counts: %+v", z)
	}
}

func TestPageUnorderedTypes(t *testing.T) {
	for name, col := range map[string]columnSpec{"INT96": colInt96, "INTERVAL": colInterval} {
		x := onePage(make([]byte, 12), make([]byte, 12))
		x.NullCounts = []int64{4}
		if z, b := pagesOf(t, col, x); len(z) != 1 || !unbounded(z[0]) || z[0].Nulls != 4 || b.Why == "" || b.Doubt {
			t.Errorf("%s: %+v, %+v", name, z, b)
		}
	}
}

func TestPageWriterQuirks(t *testing.T) {
	for _, c := range []struct {
		col    columnSpec
		writer string
	}{{colString, "parquet-mr version 1.8.1"}, {colDecimalF, "github.com/parquet-go/parquet-go version 0.32.0(build )"}, {colDecimalB, "github.com/segmentio/parquet-go"}} {
		for _, hi := range [][]byte{{0, 0, 0, 2}, {0, 0, 0, 1}} { // also where minimum equals maximum
			if z, b := pagesIn(t, c.col, onePage([]byte{0, 0, 0, 1}, hi), 1, c.writer); len(z) != 1 || !unbounded(z[0]) || !b.Doubt {
				t.Errorf("%s: %+v, %+v", c.writer, z, b)
			}
		}
	}
}
