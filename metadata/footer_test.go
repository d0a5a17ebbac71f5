package metadata

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fixtures returns the footers of the fixture files, by name.
func fixtures(t testing.TB) map[string][]byte {
	names, err := filepath.Glob("../testdata/fixtures/*.parquet")
	if err != nil || len(names) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	out := map[string][]byte{}
	for _, name := range names {
		if out[filepath.Base(name)], err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func footerOf(t testing.TB, raw []byte) (footer []byte, size int64) {
	n, err := FooterLength(raw, int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	return raw[int64(len(raw))-TailLength-n : len(raw)-TailLength], int64(len(raw))
}

func TestFooterLength(t *testing.T) {
	tail := func(length uint32, magic string) []byte {
		return append([]byte{byte(length), byte(length >> 8), byte(length >> 16), byte(length >> 24)}, magic...)
	}
	if n, err := FooterLength(tail(100, "PAR1"), 112); n != 100 || err != nil {
		t.Errorf("the largest footer that fits: %d, %v", n, err)
	}
	if n, err := FooterLength(append([]byte("more bytes"), tail(100, "PAR1")...), 5000); n != 100 || err != nil {
		t.Errorf("a tail with more before it: %d, %v", n, err)
	}
	for name, c := range map[string]struct {
		tail []byte
		size int64
		want string
	}{
		"an empty file":               {nil, 0, "too few"},
		"the magic twice":             {[]byte("PAR1PAR1"), 8, "too few"},
		"a negative size":             {tail(1, "PAR1"), -1, "too few"},
		"a short tail":                {tail(1, "PAR1")[1:], 100, "too few"},
		"a text file":                 {[]byte("hello, world\n"), 13, "not a Parquet file"},
		"a footer of nothing":         {tail(0, "PAR1"), 100, "does not fit"},
		"a footer longer by one byte": {tail(101, "PAR1"), 112, "does not fit"},
		"a footer of 4 GB":            {tail(1<<32-1, "PAR1"), 112, "does not fit"},
		"magic in lower case":         {tail(10, "par1"), 112, "not a Parquet file"},
	} {
		_, err := FooterLength(c.tail, c.size)
		var format *FormatError
		if !errors.As(err, &format) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	var unsupported *UnsupportedError
	if _, err := FooterLength(tail(10, "PARE"), 112); !errors.As(err, &unsupported) || !strings.Contains(err.Error(), "encrypted") {
		t.Errorf("an encrypted footer: %v", err)
	}
}

func parseCrafted(t testing.TB, s fileSpec) *File {
	t.Helper()
	f, err := ParseFooter(s.footer(), craftedSize)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestFooterSkipsUnknownFields(t *testing.T) {
	spec := fileSpec{columns: []columnSpec{{name: "a", typ: Int32}, {name: "b", typ: ByteArray, rep: Optional}}, rows: 7, createdBy: "x version 1.2.3", orders: 1}
	plain := parseCrafted(t, spec)
	spec.junk = true
	for i := range spec.columns {
		spec.columns[i].element = func(w *crafter) { w.junk() }
	}
	f := parseCrafted(t, spec)
	if f.NumRows != 7 || f.CreatedBy != plain.CreatedBy || len(f.Schema.Columns) != 2 || len(f.orders) != 2 || len(f.RowGroups) != 1 {
		t.Fatalf("%+v", f)
	}
	for _, col := range f.Schema.Columns {
		c, err := f.RowGroups[0].Chunk(col)
		if err != nil || c.NumValues != 7 || c.Codec != Snappy || c.Pages.Length != craftedBytes || len(c.Encodings) != 2 {
			t.Errorf("%s: %+v, %v", col.Name, c, err)
		}
	}
}

func TestFooterPlace(t *testing.T) {
	raw := fileSpec{columns: []columnSpec{{name: "a"}}, rows: 1}.footer()
	f, err := ParseFooter(raw, craftedSize)
	if err != nil {
		t.Fatal(err)
	}
	want := Extent{Offset: craftedSize - 8 - int64(len(raw)), Length: int64(len(raw)) + 8, Piece: Piece{Kind: PieceFooter}}
	if f.Footer != want || f.Footer.End() != craftedSize {
		t.Errorf("%v, want %v", f.Footer, want)
	}
}

func TestFooterIgnoresTrailingBytes(t *testing.T) {
	raw := append(fileSpec{columns: []columnSpec{{name: "a"}}, rows: 1}.footer(), "signature of an encrypted file"...)
	if _, err := ParseFooter(raw, craftedSize); err != nil {
		t.Error(err)
	}
}

// Row groups count, not the footer's number of rows.
func TestFooterRowsAreThoseOfItsGroups(t *testing.T) {
	groups := func(total int64, rows ...int64) ([]byte, int) {
		return fields(func(w *crafter) {
			w.list(2, tStruct, 1)
			w.elem(func(w *crafter) { w.str(4, "root") })
			w.i64(3, total)
			w.list(4, tStruct, len(rows))
			for _, n := range rows {
				w.elem(func(w *crafter) { w.i64(3, n) })
			}
		}), len(rows)
	}
	raw, _ := groups(99, 10, 0, 5)
	f, err := ParseFooter(raw, craftedSize)
	if err != nil || f.NumRows != 15 || f.RowGroups[2].FirstRow != 10 || f.RowGroups[1].FirstRow != 10 || f.RowGroups[2].Index != 2 {
		t.Errorf("%+v, %v", f, err)
	}
	for name, rows := range map[string][]int64{"negative": {-1}, "more than can be counted": {1 << 62, 1 << 62}} {
		raw, _ := groups(1, rows...)
		if _, err := ParseFooter(raw, craftedSize); err == nil {
			t.Errorf("rows %s are no error", name)
		}
	}
	raw = fields(func(w *crafter) {
		w.list(2, tStruct, 1)
		w.elem(func(w *crafter) { w.str(4, "root") })
		w.list(4, tStruct, 1)
		w.elem(nil)
	})
	if _, err := ParseFooter(raw, craftedSize); err == nil {
		t.Error("a row group without a row count is no error")
	}
}

func TestFooterColumnOrdersOfAnotherLengthSayNothing(t *testing.T) {
	raw := fields(func(w *crafter) {
		w.list(2, tStruct, 2)
		w.elem(func(w *crafter) { w.str(4, "root"); w.i32(5, 1) })
		w.elem(columnSpec{name: "a", typ: ByteArray}.schema)
		w.list(7, tStruct, 2)
		w.elem(func(w *crafter) { w.sub(1, nil) })
		w.elem(func(w *crafter) { w.sub(1, nil) })
	})
	f, err := ParseFooter(raw, craftedSize)
	if err != nil || f.orderDefined(f.Schema.Columns[0]) {
		t.Errorf("an order is taken from a list of another length; %v", err)
	}
}

func TestFooterColumnOrders(t *testing.T) {
	for member, want := range map[int]bool{1: true, 2: true, 3: false, 15: false} {
		f := parseCrafted(t, fileSpec{columns: []columnSpec{{name: "a", typ: Double}}, rows: 1, orders: member})
		if f.orderDefined(f.Schema.Columns[0]) != want {
			t.Errorf("member %d of ColumnOrder: defined is %v", member, !want)
		}
	}
}

// useAll decodes everything a footer gives access to.
func useAll(f *File) {
	for _, g := range f.RowGroups {
		for _, col := range f.Schema.Columns {
			c, err := g.Chunk(col)
			if err != nil {
				_ = err.Error()
				continue
			}
			if c.Pages.Offset < 0 || c.Pages.Length < 0 || c.Pages.End() > f.Footer.Offset {
				panic("the pages of a chunk lie outside the file: " + c.Pages.String())
			}
			z, _ := f.ChunkZone(c)
			checkZone(col, z, func(s string) {
				// TestPageEmptyBoundsOfFixedLength is about these.
				if !strings.Contains(s, "empty upper bound") {
					panic(s)
				}
			})
			f.HasColumnIndex(c)
			f.HasOffsetIndex(c)
			_ = c.ColumnIndex.String()
			_ = col.TypeName()
		}
	}
}

func TestEveryPrefixOfAFooterIsAnError(t *testing.T) {
	for name, raw := range fixtures(t) {
		footer, size := footerOf(t, raw)
		step := 1 + len(footer)/1200 // every one of the smaller footers
		for n := 0; n < len(footer); n += step {
			if f, err := ParseFooter(footer[:n], size); err == nil {
				t.Errorf("%s: %d of %d bytes of the footer are enough", name, n, len(footer))
				useAll(f)
			}
		}
	}
}

// Every byte of a footer, changed in a few ways: no panic, no large
// allocation, and no chunk outside the file.
func TestEveryByteOfAFooterChanged(t *testing.T) {
	changes := []func(byte) byte{
		func(byte) byte { return 0 }, func(byte) byte { return 0xff }, func(b byte) byte { return b ^ 1 },
		func(b byte) byte { return b ^ 0x80 }, func(b byte) byte { return b ^ 0x10 }, func(b byte) byte { return b + 1 },
	}
	r := rand.New(rand.NewPCG(1, 2))
	for name, raw := range fixtures(t) {
		footer, size := footerOf(t, raw)
		b := append([]byte(nil), footer...)
		for i, was := range footer {
			if len(footer) > 1000 && r.IntN(40) > 0 {
				continue // a sample of the larger ones; FuzzFooter goes on from here
			}
			held := allocated(func() {
				for _, change := range changes {
					b[i] = change(was)
					if f, err := ParseFooter(b, size); err == nil {
						useAll(f)
					} else {
						_ = err.Error()
					}
				}
			})
			if limit := int64(len(changes)) * allocLimit(len(b)); held > limit {
				t.Errorf("%s, byte %d: %d bytes allocated", name, i, held)
			}
			b[i] = was
		}
	}
}

// A list that claims as many elements as there are bytes left must not cost
// more than a few words for each of them.
func TestHugeCountsAreCheap(t *testing.T) {
	const size = 1 << 16
	for name, open := range map[string][]byte{
		"schema elements": {0x29, 0xfc}, "row groups": {0x49, 0xfc}, "key values": {0x59, 0xfc},
		"column orders": {0x79, 0xfc}, "chunks of a row group": {0x49, 0x1c, 0x19, 0xfc},
	} {
		b := append([]byte(nil), open...)
		b = append(b, 0xff, 0xff, 0x03) // 65535
		b = append(b, make([]byte, size)...)
		if held := allocated(func() { _, _ = ParseFooter(b, 1<<30) }); held > allocLimit(len(b)) {
			t.Errorf("%d %s: %d bytes allocated for %d", size, name, held, len(b))
		}
	}
}
