package predicate

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// literalKind says which field of a Literal holds its value.
type literalKind uint8

const (
	litNull literalKind = iota
	litBool
	litNumber    // rat, exact
	litFloat     // float: NaN, infinities and whatever was cast to FLOAT or DOUBLE
	litString    // text
	litBlob      // text holds the bytes
	litDate      // rat, days since 1970
	litTime      // rat, nanoseconds of the day
	litTimestamp // rat, nanoseconds since 1970 in UTC
	litUUID      // text holds 16 bytes
)

var literalNames = [...]string{"NULL", "a boolean", "a number", "a number", "a string", "a BLOB", "a date", "a time", "a timestamp", "a UUID"}

// Literal is a constant of the dialect. The zero Literal is NULL.
type Literal struct {
	kind   literalKind
	rat    *big.Rat
	float  float64
	double bool // litNumber: written with an exponent, so a DOUBLE rather than a DECIMAL
	single bool // litFloat: a FLOAT rather than a DOUBLE
	scale  int  // litNumber: digits after the point, as written or cast to
	zoned  bool // litTimestamp: with a time zone
	text   string
	source string // as written, for messages
	pos    int
}

func (l Literal) String() string {
	if l.source != "" {
		return l.source
	}
	switch l.kind {
	case litNull:
		return "NULL"
	case litBool:
		return map[bool]string{true: "TRUE", false: "FALSE"}[l.rat.Sign() != 0]
	case litFloat:
		if math.IsNaN(l.float) || math.IsInf(l.float, 0) {
			return "'" + l.plain() + "'::DOUBLE"
		}
		if l.single {
			return l.plain() + "::FLOAT"
		}
		return l.plain() + "::DOUBLE"
	case litString:
		return quoteString(l.text)
	case litBlob:
		return formatBlob([]byte(l.text)) + "::BLOB"
	case litUUID:
		return "'" + formatUUID([]byte(l.text)) + "'"
	case litDate:
		return "DATE '" + l.plain() + "'"
	case litTime:
		return "TIME '" + l.plain() + "'"
	case litTimestamp:
		if l.zoned {
			return "TIMESTAMPTZ '" + l.plain() + "'"
		}
		return "TIMESTAMP '" + l.plain() + "'"
	}
	return l.plain()
}

// plain is the value as text, as a cast to VARCHAR has it.
func (l Literal) plain() string {
	switch l.kind {
	case litBool:
		return map[bool]string{true: "true", false: "false"}[l.rat.Sign() != 0]
	case litFloat:
		switch {
		case math.IsNaN(l.float):
			return "nan"
		case math.IsInf(l.float, 1):
			return "inf"
		case math.IsInf(l.float, -1):
			return "-inf"
		}
		bits := 64
		if l.single {
			bits = 32
		}
		return floatText(l.float, bits)
	case litBlob:
		b := formatBlob([]byte(l.text))
		return b[1 : len(b)-1]
	case litUUID:
		return formatUUID([]byte(l.text))
	case litDate:
		return formatDate(l.rat.Num().Int64())
	case litTime:
		return formatClock(l.rat.Num().Int64(), nanosPerSecond)
	case litTimestamp:
		s, nanos := new(big.Int).DivMod(l.rat.Num(), big.NewInt(nanosPerSecond), new(big.Int))
		text := formatTimestamp(s.Int64(), 1)
		if nanos.Sign() != 0 {
			text += strings.TrimRight(fmt.Sprintf(".%09d", nanos.Int64()), "0")
		}
		if l.zoned {
			text += "+00"
		}
		return text
	case litNull, litString:
		return l.text
	}
	if l.double {
		f, _ := l.rat.Float64()
		return floatText(f, 64)
	}
	if l.scale > 0 {
		return l.rat.FloatString(l.scale)
	}
	return ratString(l.rat)
}

// floatText is how SQL engines print a FLOAT or DOUBLE: the shortest digits
// that read back, with a point or an exponent.
func floatText(f float64, bits int) string {
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.FormatFloat(f, 'e', -1, bits)
	}
	s := strconv.FormatFloat(f, 'f', -1, bits)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

func ratString(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	return strings.TrimRight(r.FloatString(40), "0")
}

// Instant is a point in time; a Go time.Time is one.
type Instant interface {
	Unix() int64
	Nanosecond() int
}

// newLiteral makes a literal of a Go value; see [Column] for the types taken.
func newLiteral(v any) (Literal, error) {
	switch v := v.(type) {
	case nil:
		return Literal{}, nil
	case Literal:
		return v, nil
	case bool:
		return boolLiteral(v), nil
	case string:
		return Literal{kind: litString, text: v}, nil
	case []byte:
		return Literal{kind: litBlob, text: string(v)}, nil
	case float64:
		return floatLiteral(v), nil
	case float32:
		return floatLiteral(float64(v)), nil
	case *big.Int:
		return Literal{kind: litNumber, rat: new(big.Rat).SetInt(v)}, nil
	case *big.Rat:
		return Literal{kind: litNumber, rat: new(big.Rat).Set(v)}, nil
	case Instant:
		n := new(big.Int).Mul(big.NewInt(v.Unix()), big.NewInt(nanosPerSecond))
		n.Add(n, big.NewInt(int64(v.Nanosecond())))
		return Literal{kind: litTimestamp, rat: new(big.Rat).SetInt(n)}, nil
	}
	if i, ok := goInteger(v); ok {
		return Literal{kind: litNumber, rat: new(big.Rat).SetInt(i)}, nil
	}
	return Literal{}, fmt.Errorf("a %T cannot stand in a predicate", v)
}

func goInteger(v any) (*big.Int, bool) {
	switch v := v.(type) {
	case int:
		return big.NewInt(int64(v)), true
	case int8:
		return big.NewInt(int64(v)), true
	case int16:
		return big.NewInt(int64(v)), true
	case int32:
		return big.NewInt(int64(v)), true
	case int64:
		return big.NewInt(v), true
	case uint:
		return new(big.Int).SetUint64(uint64(v)), true
	case uint8:
		return big.NewInt(int64(v)), true
	case uint16:
		return big.NewInt(int64(v)), true
	case uint32:
		return big.NewInt(int64(v)), true
	case uint64:
		return new(big.Int).SetUint64(v), true
	}
	return nil, false
}

// Date makes a literal of a day of the proleptic Gregorian calendar.
func Date(year, month, day int) Literal {
	d := daysFromCivil(int64(year), int64(month), int64(day))
	return Literal{kind: litDate, rat: new(big.Rat).SetInt64(d)}
}

func boolLiteral(b bool) Literal {
	return Literal{kind: litBool, rat: big.NewRat(int64(b2i(b)), 1)}
}

// floatLiteral keeps NaN and infinities as they are; other numbers are exact.
func floatLiteral(f float64) Literal { return Literal{kind: litFloat, float: f} }

func quoteString(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

func formatBlob(b []byte) string {
	var out strings.Builder
	out.WriteByte('\'')
	for _, c := range b {
		if c < 0x20 || c >= 0x7f || c == '\\' || c == '\'' {
			fmt.Fprintf(&out, `\x%02X`, c)
		} else {
			out.WriteByte(c)
		}
	}
	return out.String() + "'"
}

func formatUUID(b []byte) string {
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

func bigOf(i int64) *big.Int { return big.NewInt(i) }
