package predicate

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"time"

	"pgregory.net/rapid"

	"github.com/parequet/pare/metadata"
)

// Generators of the law tests: literals and values that lie close together,
// so that boundaries are met often.

// cell is one value of a row: as the column holds it, nil for NULL, and what
// it means.
type cell struct {
	value   *metadata.Value
	meaning datum
}

// unitOf is what one step of an integer-like column means.
func unitOf(c *metadata.Column) *big.Rat {
	switch l := c.Logical; {
	case l.Kind == metadata.Date:
		return big.NewRat(secondsPerDay*nanosPerSecond, 1)
	case l.Kind == metadata.Time || l.Kind == metadata.Timestamp:
		return big.NewRat(nanosPerSecond/l.Unit.PerSecond(), 1)
	case c.Type == metadata.Int96:
		return big.NewRat(1000, 1)
	case l.Kind == metadata.Decimal:
		return new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(l.Scale)), nil))
	}
	return big.NewRat(1, 1)
}

// bitsOf is the width of an integer-like column, negative if unsigned.
func bitsOf(c *metadata.Column) int {
	switch l := c.Logical; {
	case c.Type == metadata.Boolean:
		return -1
	case l.Kind == metadata.Integer && l.Signed:
		return int(l.Bits)
	case l.Kind == metadata.Integer:
		return -int(l.Bits)
	case c.Order == metadata.OrderDecimal:
		return 128
	case c.Type == metadata.Int32:
		return 32
	}
	return 64
}

// anchor is the unit around which the values of a column are drawn.
func anchor(c *metadata.Column) *big.Int {
	day := daysFromCivil(2024, 3, 1)
	switch l := c.Logical; {
	case l.Kind == metadata.Date:
		return big.NewInt(day)
	case l.Kind == metadata.Time:
		return big.NewInt(3600 * l.Unit.PerSecond())
	case l.Kind == metadata.Timestamp:
		return big.NewInt(day * secondsPerDay * l.Unit.PerSecond())
	case c.Type == metadata.Int96:
		return big.NewInt(day * secondsPerDay * 1_000_000)
	}
	return new(big.Int)
}

// drawInteger draws a unit count: near the anchor, or at an end of the range.
func drawInteger(t *rapid.T, c *metadata.Column) *big.Int {
	lo, hi := integerRange(bitsOf(c))
	n := big.NewInt(int64(rapid.IntRange(-3, 3).Draw(t, "step")))
	switch end := rapid.IntRange(0, 9).Draw(t, "end"); {
	case end == 0 && c.Logical.Kind != metadata.Time:
		n.Add(lo, n)
	case end == 1 && c.Logical.Kind != metadata.Time:
		n.Add(hi, n)
	default:
		n.Add(anchor(c), n)
	}
	if n.Cmp(lo) < 0 {
		return lo
	}
	if n.Cmp(hi) > 0 {
		return hi
	}
	return n
}

var floatPool = []float64{0, math.Copysign(0, -1), 1, -1, 1.5, 0.1, 16777216, 16777217, 16777218, 65504, math.MaxFloat32, math.MaxFloat64,
	math.SmallestNonzeroFloat32, math.SmallestNonzeroFloat64, math.Inf(1), math.Inf(-1), math.NaN()}

func drawFloat(t *rapid.T, c *metadata.Column) float64 {
	f := rapid.SampledFrom(floatPool).Draw(t, "float")
	step := rapid.IntRange(-1, 1).Draw(t, "ulp")
	switch {
	case c.Type == metadata.Double:
		if step != 0 {
			f = math.Nextafter(f, math.Inf(step))
		}
	case c.Type == metadata.Float:
		f32 := float32(f)
		if step != 0 {
			f32 = math.Nextafter32(f32, float32(math.Inf(step)))
		}
		f = float64(f32)
	default:
		f = metadata.HalfFloat(rapid.SampledFrom([]uint16{0, 0x8000, 0x3c00, 0xbc00, 0x3e00, 0x3e01, 0x2e66, 0x7bff, 1, 0x7c00, 0xfc00, 0x7e00}).Draw(t, "half"))
	}
	return f
}

var textPool = []string{"", "a", "aa", "ab", "aba", "b", "ba", "é", "éa", "aé", "%", "_", "'", "A", "🙂", "a\U0010ffff"}

func drawText(t *rapid.T, c *metadata.Column) string {
	switch {
	case c.Logical.Kind == metadata.UUID:
		b := make([]byte, 16)
		b[0], b[15] = rapid.SampledFrom([]byte{0, 0x7f, 0x80, 0xff}).Draw(t, "first"), byte(rapid.IntRange(0, 2).Draw(t, "last"))
		return string(b)
	case !isText(c) && rapid.Bool().Draw(t, "binary"):
		return rapid.SampledFrom([]string{"\x00", "\xff", "\xff\xff", "a\x00", "a\xff", `\x41`}).Draw(t, "bytes")
	}
	return rapid.SampledFrom(textPool).Draw(t, "text")
}

// drawCell draws a value of a column, NULL now and then.
func drawCell(t *rapid.T, c *metadata.Column) cell {
	if c.MaxDef > 0 && rapid.IntRange(0, 4).Draw(t, "null") == 0 {
		return cell{}
	}
	var v metadata.Value
	var d datum
	switch c.Order {
	case metadata.OrderFloat:
		f := drawFloat(t, c)
		v, d = metadata.FloatValue(f), f
	case metadata.OrderBytes:
		s := drawText(t, c)
		v, d = metadata.BytesValue([]byte(s)), s
	default:
		n := drawInteger(t, c)
		d = new(big.Rat).Mul(new(big.Rat).SetInt(n), unitOf(c))
		switch c.Order {
		case metadata.OrderUint:
			v = metadata.UintValue(n.Uint64())
		case metadata.OrderDecimal:
			v = metadata.DecimalValue(n)
			if rapid.Bool().Draw(t, "wide") { // as a FIXED_LEN_BYTE_ARRAY pads it
				pad := byte(0)
				if n.Sign() < 0 {
					pad = 0xff
				}
				v.Bytes = append([]byte{pad, pad}, v.Bytes...)
			}
		default:
			v = metadata.IntValue(n.Int64())
		}
	}
	return cell{&v, d}
}

// drawLiteral draws a literal that can be compared with a column.
func drawLiteral(t *rapid.T, c *metadata.Column) modelLiteral {
	if rapid.IntRange(0, 11).Draw(t, "nullLiteral") == 0 {
		return modelLiteral{text: "NULL"}
	}
	switch c.Order {
	case metadata.OrderFloat:
		return drawFloatLiteral(t, c)
	case metadata.OrderBytes:
		s := drawText(t, c)
		switch {
		case isText(c):
			return modelLiteral{quoteString(s), s}
		case c.Logical.Kind == metadata.UUID:
			return modelLiteral{"UUID '" + formatUUID([]byte(s)) + "'", s}
		}
		text := "'"
		for _, b := range []byte(s) {
			text += fmt.Sprintf(`\x%02x`, b)
		}
		return modelLiteral{text + "'::BLOB", s}
	}
	// An integer-like column: a number of units and perhaps a part of one.
	r := new(big.Rat).SetInt(drawInteger(t, c))
	part := rapid.SampledFrom([]int64{0, 0, -1, 1}).Draw(t, "part")
	r.Add(r, big.NewRat(part, 2))
	r.Mul(r, unitOf(c))
	switch l := c.Logical; {
	case c.Type == metadata.Boolean:
		b := rapid.Bool().Draw(t, "bool")
		return modelLiteral{fmt.Sprint(b), big.NewRat(int64(b2i(b)), 1)}
	case l.Kind == metadata.Date, l.Kind == metadata.Timestamp, c.Type == metadata.Int96:
		return instantLiteral(t, c, r)
	case l.Kind == metadata.Time:
		ns := new(big.Int).Div(r.Num(), r.Denom()).Int64()
		at := time.Unix(0, 0).UTC().Add(time.Duration(ns))
		return modelLiteral{"TIME '" + at.Format("15:04:05.000000000") + "'", new(big.Rat).SetInt64(ns)}
	}
	return modelLiteral{r.FloatString(12), r}
}

func instantLiteral(t *rapid.T, c *metadata.Column, r *big.Rat) modelLiteral {
	// Whole nanoseconds, in the years that package time formats.
	ns := new(big.Int).Div(r.Num(), r.Denom())
	sec, rest := new(big.Int).DivMod(ns, big.NewInt(nanosPerSecond), new(big.Int))
	const latest = 250_000_000_000
	s := max(-60_000_000_000, min(latest, sec.Int64()))
	if !sec.IsInt64() {
		s = latest
	}
	at := time.Unix(s, rest.Int64()).UTC()
	value := func() datum {
		n := new(big.Int).Mul(big.NewInt(at.Unix()), big.NewInt(nanosPerSecond))
		return new(big.Rat).SetInt(n.Add(n, big.NewInt(int64(at.Nanosecond()))))
	}
	switch rapid.IntRange(0, 3).Draw(t, "form") {
	case 0:
		at = at.Truncate(24 * time.Hour)
		return modelLiteral{"DATE '" + at.Format("2006-01-02") + "'", value()}
	case 1:
		if c.Logical.Kind != metadata.Date {
			return modelLiteral{"'" + at.Format("2006-01-02 15:04:05.999999999") + "'", value()}
		}
	case 2:
		return modelLiteral{"TIMESTAMPTZ '" + at.In(time.FixedZone("", -5400)).Format("2006-01-02T15:04:05.999999999-07:00") + "'", value()}
	}
	return modelLiteral{"TIMESTAMP '" + at.Format("2006-01-02 15:04:05.999999999") + "'", value()}
}

func drawFloatLiteral(t *rapid.T, c *metadata.Column) modelLiteral {
	f := rapid.SampledFrom(floatPool).Draw(t, "literal")
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return modelLiteral{"'" + strconv.FormatFloat(f, 'g', -1, 64) + "'", f}
	}
	double := strconv.FormatFloat(f, 'e', -1, 64)
	switch rapid.IntRange(0, 2).Draw(t, "form") {
	case 0:
		return modelLiteral{double, f}
	case 1:
		return modelLiteral{double + "::DOUBLE", f}
	}
	if math.Abs(f) > math.MaxFloat32 && c.Type != metadata.Double {
		f = 1.5
	}
	// A decimal takes the column's type.
	text := strconv.FormatFloat(f, 'f', -1, 64)
	if c.Type != metadata.Double {
		f = float64(float32(f))
	}
	return modelLiteral{text, f}
}
