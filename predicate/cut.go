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
		if out, ok := l.cast(sqlType{name: "TIMESTAMP"}); ok {
			return out, true
		}
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
			return parseNumber(l.text)
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
		return cut{value: bytesValue(l.text), exact: true}, nil
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
	}
	return cut{value: metadata.FloatValue(f), exact: true, isNaN: math.IsNaN(f)}
}

// integerCut places a literal on the number line of an integer-like column:
// its own unit for dates and times, the unscaled integer for decimals.
func integerCut(col *metadata.Column, l Literal, mismatch func() (cut, error)) (cut, error) {
	if l.kind == litFloat && numeric(col) {
		switch f := l.float; {
		case math.IsNaN(f), math.IsInf(f, 1):
			return overCut(col), nil
		case math.IsInf(f, -1):
			return cut{under: true}, nil
		default:
			l = Literal{kind: litNumber, rat: new(big.Rat).SetFloat64(f), pos: l.pos}
		}
	}
	r, ok := inUnits(col, l)
	if !ok {
		return mismatch()
	}
	floor := floorRat(r)
	lo, hi := integerRange(columnBits(col))
	switch {
	case col.Order == metadata.OrderDecimal:
		return cut{value: metadata.DecimalValue(floor), exact: r.IsInt()}, nil
	case floor.Cmp(lo) < 0:
		return cut{under: true}, nil
	case floor.Cmp(hi) > 0:
		return overCut(col), nil
	case col.Order == metadata.OrderUint:
		return cut{value: metadata.UintValue(floor.Uint64()), exact: r.IsInt()}, nil
	}
	return cut{value: metadata.IntValue(floor.Int64()), exact: r.IsInt()}, nil
}

// overCut is above every value of a column.
func overCut(col *metadata.Column) cut {
	switch col.Order {
	case metadata.OrderUint:
		return cut{value: metadata.UintValue(math.MaxUint64)}
	case metadata.OrderDecimal:
		// Above any decimal that a page can hold.
		return cut{value: metadata.DecimalValue(new(big.Int).Lsh(big.NewInt(1), 4096))}
	}
	return cut{value: metadata.IntValue(math.MaxInt64)}
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
