package column

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/predicate"
)

// filterSpecs are columns of every width and order.
var filterSpecs = []spec{
	{name: "bool", typ: metadata.Boolean}, {name: "i8", typ: metadata.Int32, converted: 15}, {name: "u8", typ: metadata.Int32, converted: 11},
	{name: "i16", typ: metadata.Int32, converted: 16}, {name: "u16", typ: metadata.Int32, converted: 12}, {name: "i32", typ: metadata.Int32},
	{name: "u32", typ: metadata.Int32, converted: 13}, {name: "date", typ: metadata.Int32, converted: 6}, {name: "i64", typ: metadata.Int64},
	{name: "u64", typ: metadata.Int64, converted: 14}, {name: "f32", typ: metadata.Float}, {name: "f64", typ: metadata.Double},
	{name: "f16", typ: metadata.FixedLenByteArray, length: 2, logical: 15}, {name: "ts96", typ: metadata.Int96},
	{name: "text", typ: metadata.ByteArray, logical: 1}, {name: "fixed", typ: metadata.FixedLenByteArray, length: 2},
	{name: "dec32", typ: metadata.Int32, converted: 5, precision: 9, scale: 2}, {name: "decimal", typ: metadata.ByteArray, converted: 5, precision: 20, scale: 2},
	{name: "decfix", typ: metadata.FixedLenByteArray, length: 3, converted: 5, precision: 6, scale: 1},
}

// corner draws a stored value: small, at an end of its type, special or any.
func corner(t *rapid.T, col *metadata.Column) []byte {
	small := rapid.Int64Range(-3, 3).Draw(t, "small")
	pick := rapid.IntRange(0, 4).Draw(t, "corner")
	float := [...]float64{float64(small), float64(small) / 2, math.NaN(), math.Copysign(0, -1), math.Inf(1 - 2*int(small&1))}[pick]
	integer := [...]int64{small, small, math.MinInt64, math.MaxInt64, small << 30}[pick]
	switch {
	case col.Type == metadata.Boolean:
		return []byte{byte(integer & 1)}
	case col.Type == metadata.Float:
		return f32(float32(float))
	case col.Type == metadata.Double:
		return f64(float)
	case col.Logical.Kind == metadata.Float16:
		return le16([]uint16{0, 0x8000, 0x3c00, 0xbc00, 0x7e00, 0xfe01, 0x7c00, 0xfc00, 1}[rapid.IntRange(0, 8).Draw(t, "half")])
	case col.Type == metadata.Int32:
		if pick > 1 {
			integer >>= 32
		}
		return le32(int32(integer))
	case col.Type == metadata.Int64:
		return le64(integer)
	case col.Type == metadata.Int96:
		return append(le64(small*1000), le32(2440588+int32(pick))...)
	case col.Order == metadata.OrderDecimal:
		n := int(col.TypeLength)
		if col.Type == metadata.ByteArray {
			n = 1 + pick
		}
		return bigTwos(big.NewInt(small*int64(1+pick%2*20)), n)
	case col.Type == metadata.ByteArray:
		return []byte("abcabc")[pick : pick+int(small&1)]
	}
	return []byte{byte(small), byte(pick)}
}

// literal turns a stored value into what the builders take, sometimes into
// one that the column cannot hold.
func literal(t *rapid.T, col *metadata.Column, b []byte) any {
	v, _ := col.Value(b)
	switch {
	case col.Type == metadata.Boolean:
		return v.Bool()
	case col.Logical.Kind == metadata.Date:
		return predicate.Date(1970, 1, 1+int(min(max(v.Int, -1e5), 1e5)))
	case col.Type == metadata.Int96:
		return fmt.Sprintf("1970-01-0%d 00:00:00.00000%d", 1+rapid.IntRange(0, 4).Draw(t, "day"), rapid.IntRange(0, 3).Draw(t, "micros"))
	case col.Logical.Kind == metadata.Decimal:
		return new(big.Rat).SetFrac(v.BigInt(), big.NewInt([]int64{1, 10, 100, 1000}[rapid.IntRange(0, 3).Draw(t, "scale")]))
	case v.Order == metadata.OrderFloat:
		return v.Float
	case v.Order == metadata.OrderBytes:
		return slices.Clone(v.Bytes)
	}
	if rapid.IntRange(0, 5).Draw(t, "half") == 0 && v.BigInt().IsInt64() {
		return float64(v.BigInt().Int64()) + 0.5
	}
	return v.BigInt()
}

func drawPredicate(t *rapid.T, schema *metadata.Schema, depth int) predicate.Expr {
	if depth > 0 {
		a, b := drawPredicate(t, schema, depth-1), drawPredicate(t, schema, depth-1)
		switch rapid.IntRange(0, 3).Draw(t, "node") {
		case 0:
			return predicate.And(a, b)
		case 1:
			return predicate.Or(a, b)
		case 2:
			return predicate.Not(a)
		}
		return b
	}
	col := rapid.SampledFrom(schema.Columns).Draw(t, "column")
	c := predicate.Col(col.Name)
	v := func() any { return literal(t, col, corner(t, col)) }
	switch rapid.IntRange(0, 10).Draw(t, "test") {
	case 0:
		return c.Eq(v())
	case 1:
		return c.Ne(v())
	case 2:
		return c.Lt(v())
	case 3:
		return c.Le(v())
	case 4:
		return c.Gt(v())
	case 5:
		return c.Ge(v())
	case 6:
		return c.Between(v(), v())
	case 7:
		return c.In(v(), v(), v(), v())
	case 8:
		return predicate.Not(c.In(v(), v()))
	case 9:
		return c.IsNull()
	}
	return c.IsNotNull()
}

// testRow evaluates a bound predicate on one row by the leaves' own tests.
func testRow(n predicate.Node, row int, vectors map[*metadata.Column]*Vector) bool {
	switch n := n.(type) {
	case predicate.Const:
		return bool(n)
	case *predicate.AndNode:
		for _, k := range n.Kids {
			if !testRow(k, row, vectors) {
				return false
			}
		}
		return true
	case *predicate.OrNode:
		return slices.ContainsFunc(n.Kids, func(k predicate.Node) bool { return testRow(k, row, vectors) })
	}
	leaf := n.(predicate.Leaf)
	v := vectors[leaf.Column()]
	if !v.IsValid(row) {
		return leaf.TestNull()
	}
	return leaf.Test(v.Value(row))
}

// TestFilterEqualsLeafTests: the kernels agree with Test, row by row.
func TestFilterEqualsLeafTests(t *testing.T) {
	for _, optional := range []bool{false, true} {
		specs := slices.Clone(filterSpecs)
		for i := range specs {
			specs[i].optional = optional
		}
		schema := schemaOf(t, specs...)
		rapid.Check(t, func(rt *rapid.T) {
			x := drawPredicate(rt, schema, rapid.IntRange(0, 3).Draw(rt, "depth"))
			bound, err := predicate.Bind(x, schema)
			if err != nil {
				rt.Skipf("%v: %v", x, err)
			}
			rows := rapid.IntRange(0, 12).Draw(rt, "rows")
			vectors := map[*metadata.Column]*Vector{}
			for _, col := range bound.Columns {
				values := make([][]byte, rows)
				for i := range values {
					if !optional || rapid.IntRange(0, 3).Draw(rt, "null") > 0 {
						values[i] = corner(rt, col)
					}
				}
				vectors[col] = vectorOf(col, values)
			}
			mask := slices.Repeat([]byte{7}, rows) // stale
			filterTree(bound.Root, mask, func(c *metadata.Column) *Vector { return vectors[c] })
			for i, m := range mask {
				want := b2b(testRow(bound.Root, i, vectors))
				if m != want {
					rt.Fatalf("%v, bound %v, row %d: %d, want %d", x, bound, i, m, want)
				}
			}
		})
	}
}

// TestFilterOfManyIntervals: sets of many points and holes.
func TestFilterOfManyIntervals(t *testing.T) {
	schema := schemaOf(t, spec{name: "i64", typ: metadata.Int64}, spec{name: "u8", typ: metadata.Int32, converted: 11}, spec{name: "f64", typ: metadata.Double})
	var evens []any
	for i := range 100 {
		evens = append(evens, 2*i)
	}
	for _, col := range schema.Columns {
		values := make([][]byte, 256)
		for i := range values {
			values[i] = map[metadata.Type][]byte{metadata.Int64: le64(int64(i)), metadata.Int32: le32(int32(i)), metadata.Double: f64(float64(i))}[col.Type]
		}
		v := vectorOf(col, values)
		for _, not := range []bool{false, true} {
			x := predicate.Col(col.Name).In(evens...)
			if not {
				x = predicate.Not(x)
			}
			bound, err := predicate.Bind(x, schema)
			if err != nil {
				t.Fatal(err)
			}
			mask := make([]byte, len(values))
			filterTree(bound.Root, mask, func(*metadata.Column) *Vector { return v })
			for i, m := range mask {
				if in := i%2 == 0 && i < 200; (m == 1) != (in != not) {
					t.Fatalf("%s, not %v: %d is %d", col.Name, not, i, m)
				}
			}
		}
	}
}

// filterTree evaluates a predicate by the leaves' masks.
func filterTree(n predicate.Node, mask []byte, vector func(*metadata.Column) *Vector) {
	kids := func(kids []predicate.Node, join func(a, b byte) byte) {
		filterTree(kids[0], mask, vector)
		other := make([]byte, len(mask))
		for _, k := range kids[1:] {
			filterTree(k, other, vector)
			for i, b := range other {
				mask[i] = join(mask[i], b)
			}
		}
	}
	switch n := n.(type) {
	case predicate.Const:
		for i := range mask {
			mask[i] = b2b(bool(n))
		}
	case *predicate.AndNode:
		kids(n.Kids, func(a, b byte) byte { return a & b })
	case *predicate.OrNode:
		kids(n.Kids, func(a, b byte) byte { return a | b })
	case predicate.Leaf:
		Filter(n, mask, vector(n.Column()))
	}
}
