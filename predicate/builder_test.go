package predicate

import (
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/parequet/pare/metadata"
)

// TestBuildersBind: each Go type that a builder takes means what it says.
func TestBuildersBind(t *testing.T) {
	schema := schemaOf(typedColumns()...)
	at := time.Date(2024, 3, 1, 12, 0, 0, 1_000, time.FixedZone("", 7200))
	for _, c := range []struct {
		x    Expr
		want string
	}{
		{Col("i64").Eq(5), "i64 = 5"},
		{Col("i64").Ne(int8(5)), "i64 <= 4 OR i64 >= 6"},
		{Col("u64").Le(uint64(math.MaxUint64 - 1)), "u64 <= 18446744073709551614"},
		{Col("i64").In(), "FALSE"},
		{Not(Col("i64").In()), "i64 IS NOT NULL"},
		{Col("i64").In(1, nil, 3), "i64 IN (1, 3)"},
		{Not(Col("i64").In(1, nil)), "FALSE"},
		{Col("i64").Between(1, 3), "i64 >= 1 AND i64 <= 3"},
		{Col("i64").Eq(nil), "FALSE"},
		{Col("f32").Eq(float32(0.1)), "f32 = 0.1"},
		{Col("f64").Ge(math.NaN()), "f64 = 'nan'"},
		{Col("f64").Lt(math.Inf(-1)), "f64 < '-inf'"},
		{Col("i64").Lt(math.Inf(-1)), "FALSE"},
		{Col("b").Eq(true), "b = TRUE"},
		{Col("s").Gt("m"), "s > 'm'"},
		{Col("bin").Eq([]byte{0xaa, 0}), `bin = '\xAA\x00'`},
		{Col("dec38").Eq(big.NewRat(1, 3)), "FALSE"},
		{Col("dec38").Lt(big.NewRat(1, 3)), "dec38 <= 0.3333333333"},
		{Col("decb").Eq(new(big.Int).Lsh(big.NewInt(1), 60)), "decb = 1152921504606846976"},
		{Col("d").Eq(Date(2024, 2, 29)), "d = DATE '2024-02-29'"},
		{Col("ts_us").Eq(at), "ts_us = TIMESTAMP '2024-03-01 10:00:00.000001'"},
		{Col("ts_ms").Lt(at), "ts_ms <= TIMESTAMP '2024-03-01 10:00:00'"},
		{Col("d").Ge(at), "d >= DATE '2024-03-02'"},
		{Col("s").Like("a%"), "s >= 'a' AND s < 'b'"},
		{Col("s").IsNotNull(), "s IS NOT NULL"},
		{True(), "TRUE"},
		{And(), "TRUE"},
		{Or(), "FALSE"},
		{Not(And()), "FALSE"},
		{nil, "TRUE"},
		{And(Col("i64").Gt(1), Or()), "FALSE"},
		{Col("s").Func("short", func(v metadata.Value) bool { return len(v.Bytes) < 3 }), "short(s)"},
		{Not(Col("s").Func("short", func(metadata.Value) bool { return true })), "NOT short(s)"},
	} {
		b, err := Bind(c.x, schema)
		if err != nil {
			t.Errorf("%v: %v", c.x, err)
		} else if b.String() != c.want {
			t.Errorf("%v:\n  got %v\n want %v", c.x, b, c.want)
		}
	}
}

// TestBuildersRefuse: what no literal can be made of fails to bind, in words.
func TestBuildersRefuse(t *testing.T) {
	schema := schemaOf(typedColumns()...)
	for _, x := range []Expr{Col("i64").Eq(struct{}{}), Col("i64").In(1, []int{2}), Not(Col("i64").Gt(3 + 4i)), And(Or(Col("i64").Eq(t))),
		Col("nope").Eq(1), Col("i64").Like("a"), Col("s").Eq(5), Col("iv").Eq([]byte("x"))} {
		b, err := Bind(x, schema)
		if err == nil {
			t.Errorf("%v was bound to %v", x, b)
		} else if strings.Contains(err.Error(), "line ") {
			t.Errorf("%v: %v names a place, but there is no text", x, err)
		}
	}
}

// TestFunctionsNeverSeeNull: neither a function nor its negation keeps NULL.
func TestFunctionsNeverSeeNull(t *testing.T) {
	f := Col("s").Func("f", func(metadata.Value) bool { return false })
	for _, x := range []Expr{f, Not(f)} {
		b, err := Bind(x, schemaOf(typedColumns()...))
		if err != nil {
			t.Fatal(err)
		}
		if passes(b.Root, func(*metadata.Column) *metadata.Value { return nil }) {
			t.Errorf("NULL passes %v", b)
		}
		if d := b.Root.(Leaf).Decide(metadata.Zone{Rows: 3, Nulls: 3}); d != Never {
			t.Errorf("%v of NULLs only is decided %v", b, d)
		}
	}
}

// TestBuiltTextMeansTheSame: the String of what builders made, functions
// apart, is text that binds to the same sets.
func TestBuiltTextMeansTheSame(t *testing.T) {
	schema := schemaOf(typedColumns()...)
	at := time.Date(2024, 3, 1, 12, 0, 0, 1_000, time.UTC)
	for _, x := range []Expr{
		Col("i64").Eq(-5), Col("s").Eq("it's"), Col("bin").Eq([]byte{0xaa, '\'', '\\'}), Col("b").Eq(true), Col("b").Ne(false), Col("i64").Eq(nil),
		Col("d").Eq(Date(2024, 2, 29)), Col("ts_us").Ge(at), Col("ts_ns").Lt(at.Add(1)), Col("f64").Eq(1.5), Col("f64").Eq(math.NaN()),
		Col("f64").Lt(math.Inf(1)), Col("f64").Gt(math.Inf(-1)), Col("f32").Gt(0.1), Col("f32").Gt(float32(0.1)), Col("f64").Eq(5e-324),
		Col("dec38").Lt(big.NewRat(-1, 8)), Col("dec38").Ge(big.NewRat(1, 3)), Col("f64").Gt(new(big.Rat).SetFrac64(1, 1<<62)),
		And(Or(Col("i8").Eq(1), Col("i32").Eq(2)), Not(Col("s").Like("a_"))), Not(And(Col("i8").Eq(1), Or())), Col("i64").Between(1, 2), True(),
	} {
		want, err := Bind(x, schema)
		if err != nil {
			t.Fatal(err)
		}
		text := x.String()
		y, err := Parse(text)
		if err != nil {
			t.Errorf("%s is not text of the dialect: %v", text, err)
			continue
		}
		got, err := BindText(y, schema, text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if !sameTree(got.Root, want.Root) {
			t.Errorf("%s: its text is bound to %v, itself to %v", text, got, want)
		}
	}
}

// sameTree compares two trees by shape and sets.
func sameTree(a, b Node) bool {
	x, y := leavesOf(a), leavesOf(b)
	if len(x) != len(y) || a.String() != b.String() {
		return false
	}
	for i := range x {
		s, isSet := x[i].(*SetLeaf)
		u, alsoSet := y[i].(*SetLeaf)
		if isSet != alsoSet {
			return false
		}
		if !isSet {
			continue
		}
		if len(s.Set.Intervals) != len(u.Set.Intervals) || s.Set.Null != u.Set.Null || s.Set.NaN != u.Set.NaN {
			return false
		}
		for k, i := range s.Set.Intervals {
			if j := u.Set.Intervals[k]; compareLo(i, j) != 0 || compareHi(i, j) != 0 {
				return false
			}
		}
	}
	return true
}

// TestExpressionsAreImmutable: what a caller does to its arguments afterwards
// changes nothing.
func TestExpressionsAreImmutable(t *testing.T) {
	xs := []Expr{Col("i64").Eq(1), Col("i64").Eq(2)}
	r, i, b := big.NewRat(1, 2), big.NewInt(7), []byte("a")
	made := []Expr{And(xs...), Or(xs...), Col("dec18").Eq(r), Col("i64").Eq(i), Col("bin").Eq(b)}
	var before []string
	for _, x := range made {
		before = append(before, x.String())
	}
	xs[0] = Col("i64").Eq(3)
	r.SetInt64(9)
	i.SetInt64(9)
	b[0] = 'z'
	for k, x := range made {
		if x.String() != before[k] {
			t.Errorf("%s became %v", before[k], x)
		}
	}
}
