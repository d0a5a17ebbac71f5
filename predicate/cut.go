package predicate

import (
	"math"
	"math/big"

	"github.com/parequet/pare/metadata"
)

// cut finds where a literal lies among a column's values. This is the one
// place where literals meet column types.
func (b *binder) cut(col *metadata.Column, l Literal) (cut, error) {
	mismatch := func() (cut, error) {
		if l.kind == litString {
			return cut{}, b.errorAt(l.pos, "", "%v is not a %s, as column %s holds", l, valueName(col), col.Name)
		}
		return cut{}, b.errorAt(l.pos, "", "column %s holds a %s, it cannot be compared with %s", col.Name, valueName(col), literalNames[l.kind])
	}
	if l.kind == litString && !isText(col) {
		cast, ok := l.castTo(col)
		if !ok {
			return mismatch()
		}
		cast.pos = l.pos
		l = cast
	}
	switch col.Order {
	case metadata.OrderBytes:
		return bytesCut(col, l, mismatch)
	case metadata.OrderFloat:
		if l.kind == litNumber || l.kind == litFloat {
			return floatCut(col, l), nil
		}
	case metadata.OrderNone:
		return cut{}, b.errorAt(l.pos, "", "values of column %s (%s) cannot be compared", col.Name, col.TypeName())
	default:
		return integerCut(col, l, mismatch)
	}
	return mismatch()
}

// castTo reads a string literal as a column's type.
func (l Literal) castTo(col *metadata.Column) (Literal, bool) {
	t := "BLOB"
	switch col.Logical.Kind {
	case metadata.Date:
		t = "DATE"
	case metadata.Time:
		t = "TIME"
	case metadata.Timestamp:
		t = "TIMESTAMP"
	case metadata.UUID:
		t = "UUID"
	default:
		switch {
		case col.Type == metadata.Int96:
			t = "TIMESTAMP"
		case col.Type == metadata.Boolean:
			t = "BOOLEAN"
		case col.Order != metadata.OrderBytes:
			out, ok := parseNumber(l.text)
			out.double = false // it takes the column's type, whichever way it is written
			return out, ok
		}
	}
	return l.cast(sqlType{name: t})
}

// valueName names what a column holds, for messages.
func valueName(col *metadata.Column) string {
	switch col.Logical.Kind {
	case metadata.Date:
		return "date"
	case metadata.Time:
		return "time"
	case metadata.Timestamp:
		return "timestamp"
	case metadata.UUID:
		return "UUID"
	}
	switch {
	case isText(col):
		return "string"
	case col.Type == metadata.Int96:
		return "timestamp"
	case col.Type == metadata.Boolean:
		return "boolean"
	case col.Order == metadata.OrderBytes, col.Order == metadata.OrderNone:
		return "binary value"
	}
	return "number"
}

func bytesCut(col *metadata.Column, l Literal, mismatch func() (cut, error)) (cut, error) {
	uuid := col.Logical.Kind == metadata.UUID
	switch {
	case l.kind == litString && isText(col), l.kind == litBlob, l.kind == litUUID && uuid:
		at := End{Value: bytesValue(l.text)}
		return cut{lo: at, hi: at}, nil
	}
	return mismatch()
}

// floatCut compares as SQL engines do: an integer or decimal literal takes
// the column's type, so 0.1 equals the FLOAT nearest to it; a DOUBLE literal
// (1e-1, 0.1::DOUBLE) is compared with the widened values.
func floatCut(col *metadata.Column, l Literal) cut {
	f := l.float
	if l.kind == litNumber {
		f, _ = l.rat.Float64()
		if col.Type != metadata.Double && !l.double {
			f32, _ := l.rat.Float32()
			f = float64(f32)
		}
		if math.IsInf(f, 0) { // beyond every number, yet not infinite
			largest := math.MaxFloat64
			if col.Type != metadata.Double {
				largest = math.MaxFloat32
			}
			if f < 0 {
				largest = math.Inf(-1)
			}
			return cut{lo: End{metadata.FloatValue(largest), true}, hi: End{Value: metadata.FloatValue(largest)}}
		}
	}
	if math.IsNaN(f) {
		return cut{isNaN: true}
	}
	at := End{Value: metadata.FloatValue(f)}
	return cut{lo: at, hi: at}
}

// integerCut places a literal on the number line of an integer-like column:
// its own unit for dates and times, the unscaled integer for decimals.
func integerCut(col *metadata.Column, l Literal, mismatch func() (cut, error)) (cut, error) {
	if numeric(col) && (l.kind == litFloat || l.double) {
		return roundedCut(col, l), nil
	}
	r, ok := inUnits(col, l)
	if !ok {
		return mismatch()
	}
	return discreteCut(col, r, r, false), nil
}

// roundedCut compares as SQL does with a FLOAT or DOUBLE: the column's values
// are converted to it, so all that round to the literal equal it.
func roundedCut(col *metadata.Column, l Literal) cut {
	f := l.float
	if l.kind == litNumber {
		f, _ = l.rat.Float64()
	}
	switch {
	case math.IsNaN(f), math.IsInf(f, 1):
		return cut{over: true}
	case math.IsInf(f, -1):
		return cut{under: true}
	}
	lo, hi, even := roundsTo(f, l.single)
	scale := 0
	if col.Logical.Kind == metadata.Decimal {
		scale = int(col.Logical.Scale)
	}
	return discreteCut(col, scaled(lo, scale), scaled(hi, scale), !even)
}

// roundsTo returns the ends of the numbers that round to f, and whether the
// ends themselves do (they are ties, which go to the even neighbour).
func roundsTo(f float64, single bool) (lo, hi *big.Rat, even bool) {
	below, above := math.Nextafter(f, math.Inf(-1)), math.Nextafter(f, math.Inf(1))
	even = math.Float64bits(f)&1 == 0
	if single {
		f32 := float32(f)
		below, above = float64(math.Nextafter32(f32, float32(math.Inf(-1)))), float64(math.Nextafter32(f32, float32(math.Inf(1))))
		even = math.Float32bits(f32)&1 == 0
	}
	middle := func(a float64) *big.Rat {
		at := new(big.Rat).SetFloat64(f)
		if math.IsInf(a, 0) {
			return at
		}
		sum := new(big.Rat).Add(at, new(big.Rat).SetFloat64(a))
		return sum.Quo(sum, big.NewRat(2, 1))
	}
	return middle(below), middle(above), even
}

// discreteCut is the cut whose values equal to the literal lie in [lo, hi], or
// strictly between if open.
func discreteCut(col *metadata.Column, lo, hi *big.Rat, open bool) cut {
	one := big.NewInt(1)
	first := floorRat(lo) // the least integer that is not below lo
	if !lo.IsInt() || open {
		first.Add(first, one)
	}
	last := floorRat(hi)
	if hi.IsInt() && open {
		last.Sub(last, one)
	}
	least, greatest, bounded := domain(col)
	switch {
	case bounded && last.Cmp(least) < 0:
		return cut{under: true}
	case bounded && first.Cmp(greatest) > 0:
		return cut{over: true}
	}
	if bounded && first.Cmp(least) < 0 {
		first = least
	}
	if bounded && last.Cmp(greatest) > 0 {
		last = greatest
	}
	return cut{lo: End{Value: integerValue(col, first)}, hi: End{Value: integerValue(col, last)}}
}

// integerValue makes the value of an integer that is in the column's domain,
// or one off.
func integerValue(col *metadata.Column, i *big.Int) metadata.Value {
	switch col.Order {
	case metadata.OrderDecimal:
		return metadata.DecimalValue(i)
	case metadata.OrderUint:
		return metadata.UintValue(i.Uint64())
	}
	return metadata.IntValue(i.Int64())
}

// domain returns the least and the greatest integer that a column's type can
// hold; ok is false if it has no such ends.
func domain(col *metadata.Column) (least, greatest *big.Int, ok bool) {
	switch col.Order {
	case metadata.OrderInt, metadata.OrderUint:
		least, greatest = integerRange(columnBits(col))
		return least, greatest, true
	case metadata.OrderDecimal:
		if col.Type == metadata.FixedLenByteArray && col.TypeLength > 0 {
			least, greatest = integerRange(8 * int(col.TypeLength))
			return least, greatest, true
		}
	}
	return nil, nil, false
}

// numeric reports whether a column holds numbers, rather than dates or times.
func numeric(col *metadata.Column) bool {
	switch col.Logical.Kind {
	case metadata.Date, metadata.Time, metadata.Timestamp:
		return false
	}
	return col.Type != metadata.Int96
}

// inUnits expresses a literal, exactly, in the column's own unit.
func inUnits(col *metadata.Column, l Literal) (*big.Rat, bool) {
	switch c := col.Logical; {
	case c.Kind == metadata.Date:
		switch l.kind {
		case litDate:
			return l.rat, true
		case litTimestamp:
			return new(big.Rat).Quo(l.rat, big.NewRat(secondsPerDay*nanosPerSecond, 1)), true
		}
	case c.Kind == metadata.Timestamp || col.Type == metadata.Int96:
		perSecond := c.Unit.PerSecond()
		if col.Type == metadata.Int96 {
			perSecond = metadata.Micros.PerSecond()
		}
		switch l.kind {
		case litTimestamp:
			return new(big.Rat).Mul(l.rat, big.NewRat(perSecond, nanosPerSecond)), true
		case litDate:
			return new(big.Rat).Mul(l.rat, big.NewRat(perSecond*secondsPerDay, 1)), true
		}
	case c.Kind == metadata.Time:
		if l.kind == litTime {
			return new(big.Rat).Mul(l.rat, big.NewRat(c.Unit.PerSecond(), nanosPerSecond)), true
		}
	case c.Kind == metadata.Decimal:
		if l.kind == litNumber {
			return scaled(l.rat, int(c.Scale)), true
		}
	default:
		return l.rat, l.kind == litNumber || l.kind == litBool && col.Type == metadata.Boolean
	}
	return nil, false
}

// columnBits is the width of a column's integers, negative if unsigned.
func columnBits(col *metadata.Column) int {
	if l := col.Logical; l.Kind == metadata.Integer {
		if l.Signed {
			return int(l.Bits)
		}
		return -int(l.Bits)
	}
	switch col.Type {
	case metadata.Boolean:
		return -1
	case metadata.Int32:
		return 32
	}
	return 64
}
