package column

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/decimal256"

	"github.com/parequet/pare/metadata"
)

func le32(v int32) []byte     { return binary.LittleEndian.AppendUint32(nil, uint32(v)) }
func le64(v int64) []byte     { return binary.LittleEndian.AppendUint64(nil, uint64(v)) }
func f32(v float32) []byte    { return binary.LittleEndian.AppendUint32(nil, math.Float32bits(v)) }
func f64(v float64) []byte    { return binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)) }
func le16(v uint16) []byte    { return binary.LittleEndian.AppendUint16(nil, v) }
func words(v ...int32) []byte { return slices.Concat(le32(v[0]), le32(v[1]), le32(v[2])) }

// arrowCase is a column, the bytes of some values and their text in Arrow.
type arrowCase struct {
	s     spec
	typ   string
	texts map[string][]byte
}

var arrowCases = []arrowCase{
	{spec{typ: metadata.Boolean}, "bool", map[string][]byte{"true": {1}, "false": {0}}},
	{spec{typ: metadata.Int32}, "int32", map[string][]byte{"-1": le32(-1), "2147483647": le32(math.MaxInt32)}},
	{spec{typ: metadata.Int64}, "int64", map[string][]byte{"-9223372036854775808": le64(math.MinInt64)}},
	{spec{typ: metadata.Float}, "float32", map[string][]byte{"-0.5": f32(-0.5), "NaN": f32(float32(math.NaN())), "-0": f32(float32(math.Copysign(0, -1)))}},
	{spec{typ: metadata.Double}, "float64", map[string][]byte{"0.1": f64(0.1), "+Inf": f64(math.Inf(1))}},
	{spec{typ: metadata.Int32, converted: 15}, "int8", map[string][]byte{"-128": le32(-128), "127": le32(0x1234ff7f)}},
	{spec{typ: metadata.Int32, converted: 16}, "int16", map[string][]byte{"-2": le32(-2), "32767": le32(32767)}},
	{spec{typ: metadata.Int32, converted: 17}, "int32", map[string][]byte{"-2": le32(-2)}},
	{spec{typ: metadata.Int64, converted: 18}, "int64", map[string][]byte{"-2": le64(-2)}},
	{spec{typ: metadata.Int32, converted: 11}, "uint8", map[string][]byte{"255": le32(255), "254": le32(-2)}},
	{spec{typ: metadata.Int32, converted: 12}, "uint16", map[string][]byte{"65535": le32(65535), "1": le32(0x10001)}},
	{spec{typ: metadata.Int32, converted: 13}, "uint32", map[string][]byte{"4294967295": le32(-1)}},
	{spec{typ: metadata.Int64, converted: 14}, "uint64", map[string][]byte{"18446744073709551615": le64(-1)}},
	{spec{typ: metadata.Int32, converted: 6}, "date32", map[string][]byte{"1970-01-01": le32(0), "1969-12-31": le32(-1), "2024-02-29": le32(19782)}},
	{spec{typ: metadata.Int32, converted: 7}, "time32[ms]", map[string][]byte{"23:59:59.999": le32(86399999)}},
	{spec{typ: metadata.Int64, converted: 8}, "time64[us]", map[string][]byte{"23:59:59.999999": le64(86399999999)}},
	{spec{typ: metadata.Int64, logical: 7, params: timeOf(3)}, "time64[ns]", map[string][]byte{"00:00:00.000000001": le64(1)}},
	{spec{typ: metadata.Int64, converted: 9}, "timestamp[ms, tz=UTC]", map[string][]byte{"1969-12-31T23:59:59.999Z": le64(-1)}},
	{spec{typ: metadata.Int64, converted: 10}, "timestamp[us, tz=UTC]", map[string][]byte{"1970-01-01T00:00:00.000001Z": le64(1)}},
	{spec{typ: metadata.Int64, logical: 8, params: timeOf(3)}, "timestamp[ns]", map[string][]byte{"1970-01-01T00:00:00.000000001": le64(1)}},
	{spec{typ: metadata.Int96}, "timestamp[us]", map[string][]byte{
		"1970-01-01T00:00:00.000001": append(le64(1999), le32(2440588)...), "1969-12-31T00:00:00": append(le64(0), le32(2440587)...)}},
	{spec{typ: metadata.ByteArray}, "binary", map[string][]byte{"": {}, "AP8=": {0, 255}}},
	{spec{typ: metadata.ByteArray, logical: 1}, "utf8", map[string][]byte{"": {}, "zwölf": []byte("zwölf")}},
	{spec{typ: metadata.ByteArray, converted: 19}, "utf8", map[string][]byte{"{}": []byte("{}")}},
	{spec{typ: metadata.FixedLenByteArray, length: 3, logical: 1}, "utf8", map[string][]byte{"abc": []byte("abc")}},
	{spec{typ: metadata.FixedLenByteArray, length: 3}, "fixed_size_binary[3]", map[string][]byte{"AAEC": {0, 1, 2}}},
	{spec{typ: metadata.FixedLenByteArray, length: 16, logical: 14}, "fixed_size_binary[16]", map[string][]byte{"AAECAwQFBgcICQoLDA0ODw==": {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}}},
	{spec{typ: metadata.FixedLenByteArray, length: 2, logical: 15}, "float16", map[string][]byte{"1": le16(0x3c00), "-Inf": le16(0xfc00)}},
	{spec{typ: metadata.FixedLenByteArray, length: 12, converted: 21}, "month_day_nano_interval", map[string][]byte{
		`{"months":1,"days":-2,"nanoseconds":4294967295000000}`: words(1, -2, -1), `{"months":-1,"days":0,"nanoseconds":0}`: words(-1, 0, 0)}},
	{spec{typ: metadata.Int32, logical: 11}, "null", map[string][]byte{}},
}

func timeOf(unit int16) func(w *thrift) {
	return func(w *thrift) { w.bool(1, false); w.sub(2, func() { w.sub(unit, func() {}) }) }
}

// TestToArrow: every type, values beside nulls and without.
func TestToArrow(t *testing.T) {
	for _, c := range arrowCases {
		for _, optional := range []bool{false, true} {
			if c.typ == "null" && !optional {
				continue
			}
			c.s.optional = optional
			col := columnOf(t, c.s)
			var texts []string
			var values [][]byte
			for text, b := range c.texts {
				texts, values = append(texts, text), append(values, b)
				if optional {
					texts, values = append(texts, array.NullValueStr), append(values, nil)
				}
			}
			field := Field(col, ArrowOptions{})
			if field.Type.String() != c.typ || field.Nullable != optional {
				t.Errorf("%s became %v", col.TypeName(), field)
			}
			a, err := ToArrow(vectorOf(col, values), field.Type)
			if err != nil {
				t.Errorf("%s: %v", col.TypeName(), err)
				continue
			}
			checkArray(t, col, a, texts)
			a.Release()
		}
	}
}

func checkArray(t *testing.T, col *metadata.Column, a arrow.Array, texts []string) {
	t.Helper()
	if a.Len() != len(texts) {
		t.Errorf("%s: %d rows, want %d", col.TypeName(), a.Len(), len(texts))
		return
	}
	for i, want := range texts {
		got := fmt.Sprint(a.ValueStr(i))
		if got != want || a.IsNull(i) != (want == array.NullValueStr) {
			t.Errorf("%s row %d: %q, want %q", col.TypeName(), i, got, want)
		}
	}
}

func TestInt96InNanoseconds(t *testing.T) {
	col := columnOf(t, spec{typ: metadata.Int96, optional: true})
	field := Field(col, ArrowOptions{Int96Nanos: true})
	a, err := ToArrow(vectorOf(col, [][]byte{append(le64(1999), le32(2440588)...), nil, append(le64(86399999999999), le32(2440587)...)}), field.Type)
	if err != nil {
		t.Fatal(err)
	}
	checkArray(t, col, a, []string{"1970-01-01T00:00:00.000001999", array.NullValueStr, "1969-12-31T23:59:59.999999999"})
}

func TestStringsAsDictionaries(t *testing.T) {
	for _, s := range []spec{{typ: metadata.ByteArray, logical: 1, optional: true}, {typ: metadata.FixedLenByteArray, length: 3, logical: 1, optional: true}} {
		col := columnOf(t, s)
		field := Field(col, ArrowOptions{DictionaryStrings: true})
		a, err := ToArrow(vectorOf(col, [][]byte{[]byte("abc"), nil, []byte("xyz"), []byte("abc"), nil}), field.Type)
		if err != nil {
			t.Fatal(err)
		}
		d, ok := a.(*array.Dictionary)
		if !ok || d.Dictionary().Len() != 2 || d.NullN() != 2 {
			t.Fatalf("%v", a)
		}
		for i, want := range []string{"abc", "", "xyz", "abc", ""} {
			if d.IsNull(i) != (want == "") || want != "" && d.Dictionary().(*array.String).Value(d.GetValueIndex(i)) != want {
				t.Errorf("%s row %d: %s", col.TypeName(), i, d.ValueStr(i))
			}
		}
	}
}

// bigTwos writes an integer as big-endian two's complement of n bytes.
func bigTwos(i *big.Int, n int) []byte {
	if i.Sign() < 0 {
		i = new(big.Int).Add(i, new(big.Int).Lsh(big.NewInt(1), uint(8*n)))
	}
	return i.FillBytes(make([]byte, n))
}

// TestDecimalsEqualBigIntegers: decimals of every physical type, width and
// sign hold the integer that math/big makes of them.
func TestDecimalsEqualBigIntegers(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	random := func(bits int) *big.Int {
		i := new(big.Int)
		for range (bits + 31) / 32 {
			i.Add(i.Lsh(i, 32), big.NewInt(int64(r.Uint32())))
		}
		i.Rsh(i, uint(max(0, i.BitLen()-r.IntN(bits+1))))
		if r.IntN(2) == 0 {
			i.Neg(i)
		}
		return i
	}
	for _, precision := range []int32{1, 9, 18, 38, 39, 76} {
		width := 16
		if precision > 38 {
			width = 32
		}
		for _, s := range []spec{{typ: metadata.Int32}, {typ: metadata.Int64}, {typ: metadata.ByteArray}, {typ: metadata.FixedLenByteArray, length: 1},
			{typ: metadata.FixedLenByteArray, length: 5}, {typ: metadata.FixedLenByteArray, length: 16}, {typ: metadata.FixedLenByteArray, length: 17},
			{typ: metadata.FixedLenByteArray, length: 32}, {typ: metadata.FixedLenByteArray, length: 40}} {
			if s.typ == metadata.Int32 && precision > 9 || s.typ == metadata.Int64 && precision > 18 {
				continue
			}
			if digits := float64(8*s.length-1) * math.Log10(2); s.typ == metadata.FixedLenByteArray && float64(precision) > digits {
				continue
			}
			s.converted, s.precision, s.scale, s.optional = 5, precision, precision/2, true
			col := columnOf(t, s)
			values, want := [][]byte{nil}, []*big.Int{nil}
			for range 60 {
				n := int(s.length)
				switch s.typ {
				case metadata.Int32:
					n = 4
				case metadata.Int64:
					n = 8
				case metadata.ByteArray:
					n = 1 + r.IntN(40)
				}
				i := random(8*min(n, width) - 1)
				b := bigTwos(i, n)
				if s.typ == metadata.Int32 || s.typ == metadata.Int64 {
					slices.Reverse(b)
				}
				values, want = append(values, b, nil), append(want, i, nil)
			}
			checkDecimals(t, col, values, want)
		}
	}
}

func checkDecimals(t *testing.T, col *metadata.Column, values [][]byte, want []*big.Int) {
	t.Helper()
	a, err := ToArrow(vectorOf(col, values), Field(col, ArrowOptions{}).Type)
	if err != nil {
		t.Errorf("%s: %v", col.TypeName(), err)
		return
	}
	for i, w := range want {
		if a.IsNull(i) != (w == nil) {
			t.Errorf("%s row %d: null is %v", col.TypeName(), i, a.IsNull(i))
		} else if w != nil && decimalAt(a, i).Cmp(w) != 0 {
			t.Errorf("%s row %d: %v, want %v from %x", col.TypeName(), i, decimalAt(a, i), w, values[i])
		}
	}
}

func decimalAt(a arrow.Array, i int) *big.Int {
	switch a := a.(type) {
	case *array.Decimal128:
		return decimal128.Num(a.Value(i)).BigInt()
	case *array.Decimal256:
		return decimal256.Num(a.Value(i)).BigInt()
	}
	return nil
}

// TestDecimalsThatDoNotFit are errors, also at the very edge of two's
// complement.
func TestDecimalsThatDoNotFit(t *testing.T) {
	one := big.NewInt(1)
	edge := new(big.Int).Lsh(one, 127)
	col := columnOf(t, spec{typ: metadata.ByteArray, converted: 5, precision: 38, optional: true})
	checkDecimals(t, col, [][]byte{bigTwos(new(big.Int).Neg(edge), 20), bigTwos(new(big.Int).Sub(edge, one), 17)},
		[]*big.Int{new(big.Int).Neg(edge), new(big.Int).Sub(edge, one)})
	for _, i := range []*big.Int{edge, new(big.Int).Sub(new(big.Int).Neg(edge), one)} {
		if a, err := ToArrow(vectorOf(col, [][]byte{nil, bigTwos(i, 17)}), Field(col, ArrowOptions{}).Type); err == nil {
			t.Errorf("%v became %v", i, a)
		}
	}
}

// TestEmptyVectorsBecomeEmptyArrays of the right type.
func TestEmptyVectorsBecomeEmptyArrays(t *testing.T) {
	for _, c := range arrowCases {
		col := columnOf(t, c.s)
		a, err := ToArrow(NewVector(col), Field(col, ArrowOptions{}).Type)
		if err != nil || a.Len() != 0 || a.DataType().String() != c.typ {
			t.Errorf("%s: %v, %v", col.TypeName(), a, err)
		}
	}
}
