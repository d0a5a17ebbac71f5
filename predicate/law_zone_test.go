package predicate

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/parequet/pare/metadata"
)

// drawZone draws a sound zone of some cells of a column: bounds may be wider
// than the values or absent, and counts unknown.
func drawZone(t *rapid.T, c *metadata.Column, cells []cell) metadata.Zone {
	z := metadata.Zone{Rows: int64(len(cells)), Nulls: -1, NoNaN: true}
	var nulls int64
	var lo, hi *metadata.Value
	for _, x := range cells {
		switch v := x.value; {
		case v == nil:
			nulls++
		case v.IsNaN():
			z.NoNaN = false
		default:
			if lo == nil || v.Compare(*lo) < 0 {
				lo = v
			}
			if hi == nil || v.Compare(*hi) > 0 {
				hi = v
			}
		}
	}
	if c.MaxDef == 0 || rapid.Bool().Draw(t, "countNulls") {
		z.Nulls = nulls
	}
	if c.Order == metadata.OrderFloat && rapid.Bool().Draw(t, "doubtNaN") {
		z.NoNaN = false
	}
	if c.Order == metadata.OrderNone {
		return z
	}
	bound := func(side string, v *metadata.Value, sign int) (metadata.Value, bool, bool) {
		switch rapid.IntRange(0, 3).Draw(t, side) {
		case 0:
			return metadata.Value{}, false, false
		case 1, 2: // wider, or any bound if there is no value
			w := drawCell(t, c).value
			if w != nil && !w.IsNaN() && (v == nil || w.Compare(*v)*sign >= 0) {
				return *w, true, false
			}
		}
		if v == nil {
			return metadata.Value{}, false, false
		}
		w := *v
		if w.Order == metadata.OrderFloat && w.Float == 0 {
			w.Float = math.Copysign(0, float64(sign)) // widened as zones are
		}
		return w, true, rapid.Bool().Draw(t, "exact")
	}
	z.Lower, z.HasLower, z.LowerExact = bound("lower", lo, -1)
	z.Upper, z.HasUpper, z.UpperExact = bound("upper", hi, +1)
	if z.HasLower && z.HasUpper && z.Lower.Compare(z.Upper) > 0 {
		z.HasUpper = false // no value at all: bounds need not meet
	}
	return z
}

func cellsOf(rows []row, c *metadata.Column) []cell {
	out := make([]cell, len(rows))
	for i, r := range rows {
		out[i] = r[c.Index]
	}
	return out
}

func checkDecision(t *rapid.T, what string, d Decision, passed, total int) {
	if d == Never && passed > 0 || d == Always && passed < total {
		t.Fatalf("%s is decided %v, yet %d of %d rows pass", what, d, passed, total)
	}
}

// TestDecideNeverContradictsTheRows is the promise of pruning: Never only if
// no row passes, Always only if each does; of every leaf and of the tree.
func TestDecideNeverContradictsTheRows(t *testing.T) {
	rapid.Check(t, decideAgreesWithRows(schemaOf(typedColumns()...)))
}

func FuzzDecide(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(decideAgreesWithRows(schemaOf(typedColumns()...))))
}

func decideAgreesWithRows(schema *metadata.Schema) func(t *rapid.T) {
	return func(t *rapid.T) {
		cols := drawColumns(t, schema)
		m := drawTree(t, cols, 3)
		b := mustBind(t, m.text(), schema)
		for range 6 {
			rows := make([]row, rapid.IntRange(0, 4).Draw(t, "rows"))
			for i := range rows {
				rows[i] = drawRow(t, schema, cols)
			}
			zones := map[*metadata.Column]metadata.Zone{}
			for _, c := range b.Columns {
				zones[c] = drawZone(t, c, cellsOf(rows, c))
			}
			for _, l := range leavesOf(b.Root) {
				n := 0
				for _, r := range rows {
					n += b2i(passes(l, r.value))
				}
				checkDecision(t, l.String(), l.Decide(zones[l.Column()]), n, len(rows))
			}
			n := 0
			for _, r := range rows {
				n += b2i(m.eval(r.meanings()) == yes)
			}
			checkDecision(t, m.text(), Decide(b.Root, func(c *metadata.Column) metadata.Zone { return zones[c] }), n, len(rows))
		}
	}
}

// exactZone is the zone of which everything is known.
func exactZone(lo, hi metadata.Value) metadata.Zone {
	return metadata.Zone{Rows: 3, Lower: lo, Upper: hi, HasLower: true, HasUpper: true, LowerExact: true, UpperExact: true, NoNaN: true}
}

// TestSingleValueIsDecided: where every row holds the same value, a set is
// never in doubt.
func TestSingleValueIsDecided(t *testing.T) {
	schema := schemaOf(typedColumns()...)
	rapid.Check(t, func(t *rapid.T) {
		cols := drawColumns(t, schema)
		for _, l := range leavesOf(mustBind(t, drawTree(t, cols, 3).text(), schema).Root) {
			set, isSet := l.(*SetLeaf)
			c := drawCell(t, l.Column())
			if !isSet || c.value != nil && c.value.IsNaN() || l.Column().Order == metadata.OrderNone {
				continue
			}
			z, want := metadata.Zone{Rows: 3, Nulls: 3, NoNaN: true}, Never
			if c.value != nil {
				z = exactZone(*c.value, *c.value)
			}
			if passes(l, func(*metadata.Column) *metadata.Value { return c.value }) {
				want = Always
			}
			if got := set.Decide(z); got != want {
				t.Fatalf("%s of one value only, %v: %v, want %v", l, c.value, got, want)
			}
		}
	})
}

// TestDecideIsTightOnDiscreteTypes: with trusted bounds the answer is exactly
// what trying every value between them gives.
func TestDecideIsTightOnDiscreteTypes(t *testing.T) {
	schema := schemaOf(column("i64", metadata.Int64, 0, metadata.Logical{}), column("d", metadata.Int32, 0, kind(metadata.Date)),
		column("u64", metadata.Int64, 0, integer(64, false)), column("dec38", metadata.FixedLenByteArray, 16, decimal(38, 10)))
	rapid.Check(t, func(t *rapid.T) {
		cols := []*metadata.Column{rapid.SampledFrom(schema.Columns).Draw(t, "column")}
		leaves := leavesOf(mustBind(t, drawTree(t, cols, 3).text(), schema).Root)
		if len(leaves) == 0 {
			return
		}
		if len(leaves) > 1 {
			t.Fatalf("the leaves of one column were not merged: %v", leaves)
		}
		l, lo := leaves[0], drawCell(t, cols[0]).value
		if lo == nil {
			return
		}
		hi, passed, total := *lo, b2i(l.Test(*lo)), 1
		for range rapid.IntRange(0, 6).Draw(t, "width") {
			next, found, _ := step(hi, +1)
			if !found {
				break
			}
			hi = next
			passed += b2i(l.Test(hi))
			total++
		}
		want := Maybe
		switch passed {
		case 0:
			want = Never
		case total:
			want = Always
		}
		if got := l.Decide(exactZone(*lo, hi)); got != want {
			t.Fatalf("%s between %s and %s: %v, want %v", l, FormatValue(cols[0], *lo), FormatValue(cols[0], hi), got, want)
		}
	})
}

// TestDecideWithoutBounds: what every value of a type satisfies, or none, is
// decided without any bound.
func TestDecideWithoutBounds(t *testing.T) {
	schema := schemaOf(typedColumns()...)
	for text, want := range map[string]Decision{
		"u8 < 300": Always, "u8 > 255": Never, "u8 >= 0": Always, "i32 <= 2147483647": Always, "i64 < 1e30": Always, "i64 > 1e30": Never,
		"u64 > -1": Always, "u64 < 18446744073709551616": Always, "s LIKE '%'": Always, "s NOT LIKE '%'": Never, "b IN (TRUE, FALSE)": Always,
		"ts_ns < DATE '2300-01-01'": Always, "i64 = 1.5": Never, "i64 <> 1.5": Always, "i64 = 5": Maybe, "s LIKE '%a%'": Maybe, "f64 <= 'nan'": Always,
	} {
		got := Decide(mustBind(t, text, schema).Root, func(c *metadata.Column) metadata.Zone {
			return metadata.Zone{Rows: 3, NoNaN: c.Order != metadata.OrderFloat}
		})
		if got != want {
			t.Errorf("%s of 3 rows without NULL: %v, want %v", text, got, want)
		}
	}
}
