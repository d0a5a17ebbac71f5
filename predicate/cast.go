package predicate

import (
	"math"
	"math/big"
)

// sqlType is a type name of the dialect, as it stands in CAST and after "::".
type sqlType struct {
	name             string
	precision, scale int  // DECIMAL
	zoned            bool // TIMESTAMPTZ
}

// typeNames maps every accepted spelling to the name used here.
var typeNames = map[string]string{
	"BOOLEAN": "BOOLEAN", "BOOL": "BOOLEAN", "LOGICAL": "BOOLEAN",
	"TINYINT": "TINYINT", "INT1": "TINYINT",
	"SMALLINT": "SMALLINT", "INT2": "SMALLINT", "SHORT": "SMALLINT",
	"INTEGER": "INTEGER", "INT": "INTEGER", "INT4": "INTEGER", "SIGNED": "INTEGER",
	"BIGINT": "BIGINT", "INT8": "BIGINT", "LONG": "BIGINT",
	"HUGEINT": "HUGEINT", "INT128": "HUGEINT",
	"UTINYINT": "UTINYINT", "USMALLINT": "USMALLINT", "UINTEGER": "UINTEGER", "UBIGINT": "UBIGINT", "UHUGEINT": "UHUGEINT",
	"FLOAT": "FLOAT", "REAL": "FLOAT", "FLOAT4": "FLOAT",
	"DOUBLE": "DOUBLE", "FLOAT8": "DOUBLE",
	"DECIMAL": "DECIMAL", "NUMERIC": "DECIMAL", "DEC": "DECIMAL",
	"VARCHAR": "VARCHAR", "TEXT": "VARCHAR", "STRING": "VARCHAR", "CHAR": "VARCHAR", "BPCHAR": "VARCHAR",
	"BLOB": "BLOB", "BYTEA": "BLOB", "BINARY": "BLOB", "VARBINARY": "BLOB",
	"DATE": "DATE", "TIME": "TIME",
	"TIMESTAMP": "TIMESTAMP", "DATETIME": "TIMESTAMP", "TIMESTAMP_US": "TIMESTAMP", "TIMESTAMP_NS": "TIMESTAMP",
	"TIMESTAMP_MS": "TIMESTAMP", "TIMESTAMP_S": "TIMESTAMP", "TIMESTAMPTZ": "TIMESTAMP",
	"UUID": "UUID",
}

// integerBits gives the width of the integer types, negative if unsigned.
var integerBits = map[string]int{
	"TINYINT": 8, "SMALLINT": 16, "INTEGER": 32, "BIGINT": 64, "HUGEINT": 128,
	"UTINYINT": -8, "USMALLINT": -16, "UINTEGER": -32, "UBIGINT": -64, "UHUGEINT": -128,
}

// cast converts a literal to a type as SQL does. ok is false if it cannot be.
func (l Literal) cast(t sqlType) (_ Literal, ok bool) {
	out := Literal{pos: l.pos}
	if l.kind == litNull {
		return out, true
	}
	if bits, isInt := integerBits[t.name]; isInt {
		return l.castInteger(bits)
	}
	switch t.name {
	case "BOOLEAN":
		switch l.kind {
		case litBool:
			return l, true
		case litNumber:
			out = boolLiteral(l.rat.Sign() != 0)
			return out, true
		case litFloat:
			return boolLiteral(l.float != 0), true
		case litString:
			b, ok := parseBool(l.text)
			return boolLiteral(b), ok
		}
	case "FLOAT", "DOUBLE":
		n, ok := l.number()
		if !ok {
			return out, false
		}
		f := n.asFloat(t.name == "FLOAT")
		out = floatLiteral(f)
		out.single = t.name == "FLOAT"
		// A number that has no place in FLOAT is no infinity of it.
		return out, l.kind == litString || !math.IsInf(f, 0) || !n.finite()
	case "DECIMAL":
		n, ok := l.number()
		if !ok || !n.finite() {
			return out, false
		}
		n = n.rounded()
		limit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(t.precision)), nil)
		unscaled := roundRat(scaled(n.rat, t.scale))
		out.kind, out.scale, out.rat = litNumber, t.scale, new(big.Rat).SetFrac(unscaled, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(t.scale)), nil))
		return out, unscaled.CmpAbs(limit) < 0
	case "VARCHAR":
		out.kind, out.text = litString, l.plain()
		return out, true
	case "BLOB":
		out.kind, out.text, ok = litBlob, l.text, true
		if l.kind == litString {
			out.text, ok = parseBlob(l.text)
		}
		return out, ok && (l.kind == litString || l.kind == litBlob)
	case "UUID":
		out.kind, out.text = litUUID, l.text
		if l.kind == litString {
			out.text, ok = parseUUID(l.text)
			return out, ok
		}
		return out, l.kind == litUUID
	}
	out, ok = l.castTemporal(t.name)
	out.zoned = t.zoned
	return out, ok
}

func (l Literal) castInteger(bits int) (Literal, bool) {
	out := Literal{kind: litNumber, pos: l.pos}
	n, ok := l.number()
	if !ok {
		return out, false
	}
	if !n.finite() {
		return out, false
	}
	if n.kind == litFloat || n.double { // floating-point numbers round to even
		n.rat = new(big.Rat).SetFloat64(math.RoundToEven(n.asFloat(false)))
	}
	i := roundRat(n.rat)
	lo, hi := integerRange(bits)
	out.rat = new(big.Rat).SetInt(i)
	return out, i.Cmp(lo) >= 0 && i.Cmp(hi) <= 0
}

// integerRange returns the least and the greatest integer of |bits| bits,
// unsigned where bits is negative.
func integerRange(bits int) (lo, hi *big.Int) {
	one := big.NewInt(1)
	if bits < 0 {
		hi = new(big.Int).Lsh(one, uint(-bits))
		return new(big.Int), hi.Sub(hi, one)
	}
	hi = new(big.Int).Lsh(one, uint(bits-1))
	lo = new(big.Int).Neg(hi)
	return lo, hi.Sub(hi, one)
}

func (l Literal) castTemporal(name string) (out Literal, ok bool) {
	out.pos = l.pos
	nanosPerDay := big.NewRat(secondsPerDay*nanosPerSecond, 1)
	switch name {
	case "DATE":
		out.kind = litDate
		switch l.kind {
		case litDate:
			return l, true
		case litTimestamp:
			out.rat = new(big.Rat).SetInt(floorRat(new(big.Rat).Quo(l.rat, nanosPerDay)))
			return out, true
		case litString:
			if d, ok := parseDate(l.text); ok {
				out.rat = big.NewRat(d, 1)
				return out, true
			}
			ts, ok := parseTimestamp(l.text)
			if !ok {
				return out, false
			}
			out.rat = new(big.Rat).SetInt(floorRat(new(big.Rat).Quo(new(big.Rat).SetInt(ts), nanosPerDay)))
			return out, true
		}
	case "TIME":
		out.kind = litTime
		switch l.kind {
		case litTime:
			return l, true
		case litString:
			n, ok := parseClock(l.text)
			out.rat = big.NewRat(n, 1)
			return out, ok
		}
	case "TIMESTAMP":
		out.kind = litTimestamp
		switch l.kind {
		case litTimestamp:
			return l, true
		case litDate:
			out.rat = new(big.Rat).Mul(l.rat, nanosPerDay)
			return out, true
		case litString:
			n, ok := parseTimestamp(l.text)
			if ok {
				out.rat = new(big.Rat).SetInt(n)
			}
			return out, ok
		}
	}
	return out, false
}

// asFloat is a number as a DOUBLE or, if single, as a FLOAT.
func (l Literal) asFloat(single bool) float64 {
	f := l.float
	if l.kind == litNumber {
		f, _ = l.rat.Float64()
		if single {
			f32, _ := l.rat.Float32()
			return float64(f32)
		}
	}
	if single {
		return float64(float32(f))
	}
	return f
}

// finite reports whether a number is neither NaN nor infinite.
func (l Literal) finite() bool {
	f := l.asFloat(false)
	return !math.IsNaN(f) && !math.IsInf(f, 0)
}

// rounded is a number as exactly what its type holds: a DOUBLE is the nearest
// one to what was written.
func (l Literal) rounded() Literal {
	if l.kind == litFloat || l.double {
		l.rat = new(big.Rat).SetFloat64(l.asFloat(false))
	}
	return l
}

// number reads a literal as a number: litNumber or litFloat.
func (l Literal) number() (Literal, bool) {
	switch l.kind {
	case litNumber, litFloat:
		return l, true
	case litBool:
		l.kind = litNumber
		return l, true
	case litString:
		return parseNumber(l.text)
	}
	return l, false
}

// scaled returns r·10^scale.
func scaled(r *big.Rat, scale int) *big.Rat {
	p := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)
	return new(big.Rat).Mul(r, new(big.Rat).SetInt(p))
}

// floorRat returns the greatest integer that is at most r.
func floorRat(r *big.Rat) *big.Int {
	// Euclidean division rounds down, since a Rat's denominator is positive.
	return new(big.Int).Div(r.Num(), r.Denom())
}

// roundRat rounds half away from zero, as SQL casts do.
func roundRat(r *big.Rat) *big.Int {
	half := big.NewRat(1, 2)
	if r.Sign() < 0 {
		i := floorRat(new(big.Rat).Add(new(big.Rat).Neg(r), half))
		return i.Neg(i)
	}
	return floorRat(new(big.Rat).Add(r, half))
}
