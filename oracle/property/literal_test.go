package property

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"github.com/parequet/pare/oracle/property/engines"
)

// class says which type a number is written as. DuckDB gives all operands of
// BETWEEN and IN one type, pare compares with each literal on its own, so they
// are drawn of one class.
type class int

const (
	classExact  class = iota // an integer or a decimal
	classDouble              // 1e0 or a cast to DOUBLE
	classSingle              // a cast to FLOAT
)

// oneOf draws one of some texts.
func oneOf(t *rapid.T, name string, texts ...string) string {
	return rapid.SampledFrom(texts).Draw(t, name)
}

// maxExactDigits is how many digits DuckDB's conversion from DECIMAL to DOUBLE
// rounds rightly; beyond, it may be a unit off.
const maxExactDigits = 15

// drawClass draws how the numbers of a test are written.
func (c *column) drawClass(t *rapid.T) class {
	switch {
	case c.kind == kindInt, c.kind == kindDecimal && c.precision <= maxExactDigits:
		return rapid.SampledFrom([]class{classExact, classExact, classExact, classDouble}).Draw(t, "class")
	case c.kind == kindFloat:
		return rapid.SampledFrom([]class{classExact, classSingle, classDouble}).Draw(t, "class")
	case c.kind == kindDouble:
		return rapid.SampledFrom([]class{classExact, classDouble}).Draw(t, "class")
	}
	return classExact
}

// literal draws a literal for the column, at or beside a value that occurs in
// it, and now and then NULL.
func (c *column) literal(t *rapid.T, cl class) string {
	if rapid.IntRange(0, 19).Draw(t, "null") == 0 || len(c.samples) == 0 {
		if c.duck == "TIME_NS" {
			return "NULL" // pare knows no TIME_NS to cast to
		}
		return oneOf(t, "NULL", "NULL", "CAST(NULL AS "+c.typeName()+")", "NULL::"+c.typeName())
	}
	v := rapid.SampledFrom(c.samples).Draw(t, "value")
	switch c.kind {
	case kindBool:
		return oneOf(t, "boolean", "TRUE", "false", "'"+v+"'::BOOLEAN", "CAST('"+v+"' AS BOOLEAN)", "(1)::BOOLEAN", "0::BOOLEAN")
	case kindInt:
		return intLiteral(t, v, cl)
	case kindDecimal:
		return c.decimalLiteral(t, v, cl)
	case kindFloat, kindDouble:
		return c.floatLiteral(t, v, cl)
	case kindText:
		return textLiteral(t, v)
	case kindBlob:
		return typed(t, "BLOB", besideBlob(t, v))
	case kindUUID:
		return typed(t, "UUID", v)
	}
	return c.timeLiteral(t, v)
}

// typeName is a type that a NULL of the column can be cast to, in both
// engines.
func (c *column) typeName() string {
	switch c.kind {
	case kindText:
		return "VARCHAR"
	case kindTime:
		return "TIME"
	case kindTimestamp:
		return "TIMESTAMP"
	case kindOpaque:
		return "DOUBLE"
	}
	return c.duck
}

// typed writes a text as a literal of a type in one of the four ways.
func typed(t *rapid.T, name, text string) string {
	q := engines.QuoteText(text)
	return oneOf(t, "spelling", name+" "+q, q+"::"+name, "CAST("+q+" AS "+name+")", "("+q+")::"+name)
}

// castNumber writes a number, its sign inside parentheses before a cast: DuckDB's
// casts bind more tightly than a sign.
func castNumber(t *rapid.T, n, name string) string {
	return oneOf(t, "spelling", "("+n+")::"+name, "CAST("+n+" AS "+name+")", "CAST('"+n+"' AS "+name+")", "'"+n+"'::"+name)
}

// edges are integers at the ends of types.
var edges = []string{"0", "-1", "127", "128", "-128", "-129", "255", "256", "32768", "65535", "2147483647", "2147483648", "-2147483648",
	"4294967295", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "18446744073709551615", "18446744073709551616"}

func intLiteral(t *rapid.T, v string, cl class) string {
	if rapid.IntRange(0, 7).Draw(t, "edge") == 0 {
		v = rapid.SampledFrom(edges).Draw(t, "edge value")
	}
	i, _ := new(big.Int).SetString(v, 10)
	i.Add(i, big.NewInt(int64(rapid.IntRange(-1, 1).Draw(t, "beside"))))
	n := i.String()
	if cl == classDouble {
		return oneOf(t, "double", n+"e0", n+".5e0", castNumber(t, n, "DOUBLE"))
	}
	spellings := []string{n, n, n, n + ".0", n + ".5", castNumber(t, n, "HUGEINT"), castNumber(t, n, "DECIMAL(30,2)")}
	if i.Sign() >= 0 {
		spellings = append(spellings, "+"+n)
	}
	if i.IsInt64() {
		spellings = append(spellings, castNumber(t, n, "BIGINT"))
	}
	if i.IsUint64() {
		spellings = append(spellings, castNumber(t, n, "UBIGINT"))
	}
	if i.IsInt64() && int64(int8(i.Int64())) == i.Int64() {
		spellings = append(spellings, castNumber(t, n, "TINYINT"), castNumber(t, n+".4", "TINYINT"))
	}
	return oneOf(t, "integer", spellings...)
}

// decimalLiteral draws a decimal at, a unit beside or half a unit beside a
// value.
func (c *column) decimalLiteral(t *rapid.T, v string, cl class) string {
	precision, scale := c.precision, c.scale
	r, _ := new(big.Rat).SetString(v)
	unit := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil))
	r.Add(r, new(big.Rat).Mul(unit, big.NewRat(int64(rapid.IntRange(-1, 1).Draw(t, "beside")), 1)))
	n := r.FloatString(scale)
	if cl == classDouble {
		return oneOf(t, "double", n+"e0", castNumber(t, n, "DOUBLE"))
	}
	spellings := []string{n, n, castNumber(t, n, fmt.Sprintf("DECIMAL(%d,%d)", min(38, precision+1), scale))}
	if precision < 30 { // DuckDB has no decimal of more than 38 digits
		spellings = append(spellings, n+"5", r.FloatString(0), castNumber(t, n, fmt.Sprintf("DECIMAL(%d,%d)", precision+1, max(0, scale-1))))
	}
	return oneOf(t, "decimal", spellings...)
}

func (c *column) floatLiteral(t *rapid.T, v string, cl class) string {
	f, err := strconv.ParseFloat(v, 64)
	if err != nil {
		t.Fatalf("%s is no number", v)
	}
	bits := 64
	if c.kind == kindFloat {
		bits = 32
		f = float64(float32(f))
	}
	switch rapid.IntRange(0, 5).Draw(t, "beside") {
	case 0:
		f = math.Nextafter(f, math.Inf(1))
		if bits == 32 {
			f = float64(math.Nextafter32(float32(f), float32(math.Inf(1))))
		}
	case 1:
		f -= 0.25
	case 2:
		f = rapid.SampledFrom([]float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), 0.5}).Draw(t, "special")
	}
	name := "DOUBLE"
	if cl == classSingle {
		name, bits = "FLOAT", 32
	}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		s := strings.ToLower(strings.TrimPrefix(strconv.FormatFloat(f, 'g', -1, 64), "+"))
		if cl == classExact {
			return "0.0" // no integer or decimal says that
		}
		return oneOf(t, "spelling", "'"+s+"'::"+name, "CAST('"+s+"' AS "+name+")")
	}
	switch cl {
	case classExact:
		if math.Abs(f) > 1e12 {
			return "1000000000000" // DuckDB converts long decimals inexactly
		}
		return strconv.FormatFloat(math.Round(f*100)/100, 'f', -1, 64)
	case classDouble:
		if s := strconv.FormatFloat(f, 'e', -1, bits); rapid.Bool().Draw(t, "exponent") {
			return s
		}
	}
	return castNumber(t, strconv.FormatFloat(f, 'g', -1, bits), name)
}

// textLiteral draws a text that occurs, or one that is a little longer,
// shorter or other.
func textLiteral(t *rapid.T, v string) string {
	v = besideText(t, v)
	return oneOf(t, "spelling", engines.QuoteText(v), engines.QuoteText(v), typed(t, "VARCHAR", v))
}

func besideText(t *rapid.T, v string) string {
	r := []rune(v)
	switch rapid.IntRange(0, 6).Draw(t, "beside") {
	case 0:
		return v + oneOf(t, "longer", " ", "a", "~", "é")
	case 1:
		return string(r[:rapid.IntRange(0, len(r)).Draw(t, "shorter")])
	case 2:
		return strings.ToUpper(v)
	case 3:
		if len(r) > 0 && r[len(r)-1] > 'a' && r[len(r)-1] < 'z' {
			r[len(r)-1]++
		}
		return string(r)
	}
	return v
}

// besideBlob changes a binary value, in DuckDB's text form.
func besideBlob(t *rapid.T, v string) string {
	switch rapid.IntRange(0, 4).Draw(t, "beside") {
	case 0:
		return v + `\x00`
	case 1:
		return v + `\xFF`
	case 2:
		return ""
	}
	return v
}
