package metadata

import (
	"fmt"
	"math"
)

// LogicalKind names what the values of a column mean.
type LogicalKind uint8

// Logical kinds, from LogicalType or, in older files, ConvertedType.
const (
	NoLogical LogicalKind = iota
	String
	Enum
	JSON
	BSON
	Decimal
	Date
	Time
	Timestamp
	Integer
	Null // LogicalType UNKNOWN: every value is null
	UUID
	Float16
	Interval
	List
	Map
	Variant
	Geometry
	Geography
)

var logicalNames = [...]string{"", "STRING", "ENUM", "JSON", "BSON", "DECIMAL", "DATE", "TIME", "TIMESTAMP", "INTEGER",
	"UNKNOWN", "UUID", "FLOAT16", "INTERVAL", "LIST", "MAP", "VARIANT", "GEOMETRY", "GEOGRAPHY"}

// TimeUnit is the unit of a Time or Timestamp.
type TimeUnit uint8

const (
	Millis TimeUnit = iota + 1
	Micros
	Nanos
)

// PerSecond returns how many units make a second, 0 for no unit.
func (u TimeUnit) PerSecond() int64 {
	switch u {
	case Millis:
		return 1_000
	case Micros:
		return 1_000_000
	case Nanos:
		return 1_000_000_000
	}
	return 0
}

func (u TimeUnit) String() string {
	return [...]string{"", "MILLIS", "MICROS", "NANOS"}[u&3]
}

// Logical is the logical type of a schema element. The fields beyond Kind
// have a meaning only for the kinds named.
type Logical struct {
	Kind      LogicalKind
	Precision int32    // Decimal: digits in all
	Scale     int32    // Decimal: digits after the point
	Unit      TimeUnit // Time, Timestamp
	UTC       bool     // Time, Timestamp: isAdjustedToUTC
	Bits      int8     // Integer: 8, 16, 32, 64
	Signed    bool     // Integer
}

func (l Logical) String() string {
	switch l.Kind {
	case Decimal:
		return fmt.Sprintf("DECIMAL(%d,%d)", l.Precision, l.Scale)
	case Time, Timestamp:
		zone := "local"
		if l.UTC {
			zone = "UTC"
		}
		return fmt.Sprintf("%s(%v,%s)", logicalNames[l.Kind], l.Unit, zone)
	case Integer:
		if l.Signed {
			return fmt.Sprintf("INT(%d)", l.Bits)
		}
		return fmt.Sprintf("UINT(%d)", l.Bits)
	}
	return logicalNames[l.Kind]
}

// parseLogical reads the LogicalType union. An unknown member leaves Kind at
// NoLogical: the column is then read as its physical type, as the format asks.
func parseLogical(r *thriftReader) Logical {
	var l Logical
	kinds := map[int16]LogicalKind{1: String, 2: Map, 3: List, 4: Enum, 5: Decimal, 6: Date, 7: Time, 8: Timestamp,
		10: Integer, 11: Null, 12: JSON, 13: BSON, 14: UUID, 15: Float16, 16: Variant, 17: Geometry, 18: Geography}
	r.eachField(func(id int16, typ byte) bool {
		k, ok := kinds[id]
		if !ok || typ != tStruct {
			return false
		}
		l.Kind = k
		r.eachField(func(id int16, typ byte) bool { return l.parseParameter(r, id, typ) })
		return true
	})
	return l
}

func (l *Logical) parseParameter(r *thriftReader, id int16, typ byte) bool {
	switch l.Kind {
	case Decimal:
		if id == 1 {
			return r.i32(typ, &l.Scale)
		}
		return id == 2 && r.i32(typ, &l.Precision)
	case Time, Timestamp:
		if id == 1 {
			return r.bool(typ, &l.UTC)
		}
		if id != 2 || typ != tStruct {
			return false
		}
		r.eachField(func(id int16, typ byte) bool {
			if id >= 1 && id <= 3 {
				l.Unit = TimeUnit(id)
			}
			return false
		})
		return true
	case Integer:
		if id == 1 && typ == tByte {
			l.Bits = int8(r.byte())
			return true
		}
		return id == 2 && r.bool(typ, &l.Signed)
	}
	return false
}

const convertedInterval = 21

// convertedLogical maps a ConvertedType to the logical type that replaced it.
func convertedLogical(c, precision, scale int32) Logical {
	switch c {
	case 0:
		return Logical{Kind: String}
	case 1, 2:
		return Logical{Kind: Map}
	case 3:
		return Logical{Kind: List}
	case 4:
		return Logical{Kind: Enum}
	case 5:
		return Logical{Kind: Decimal, Precision: precision, Scale: scale}
	case 6:
		return Logical{Kind: Date}
	case 7, 8:
		return Logical{Kind: Time, Unit: Millis + TimeUnit(c-7), UTC: true}
	case 9, 10:
		return Logical{Kind: Timestamp, Unit: Millis + TimeUnit(c-9), UTC: true}
	case 11, 12, 13, 14:
		return Logical{Kind: Integer, Bits: 8 << (c - 11)}
	case 15, 16, 17, 18:
		return Logical{Kind: Integer, Bits: 8 << (c - 15), Signed: true}
	case 19:
		return Logical{Kind: JSON}
	case 20:
		return Logical{Kind: BSON}
	case convertedInterval:
		return Logical{Kind: Interval}
	}
	return Logical{}
}

// fits says why a logical type cannot annotate a physical type, or "".
func (l Logical) fits(t Type, length int32) string {
	ok := true
	switch l.Kind {
	case String, Enum, JSON, BSON, Geometry, Geography:
		ok = t == ByteArray || (t == FixedLenByteArray && (l.Kind == String || l.Kind == Enum || l.Kind == JSON || l.Kind == BSON))
	case Decimal:
		return l.decimalFits(t, length)
	case Date:
		ok = t == Int32
	case Time:
		ok = l.Unit == Millis && t == Int32 || l.Unit > Millis && t == Int64
	case Timestamp:
		ok = t == Int64 && l.Unit != 0
	case Integer:
		switch l.Bits {
		case 8, 16, 32:
			ok = t == Int32
		case 64:
			ok = t == Int64
		default:
			return fmt.Sprintf("an integer of %d bits", l.Bits)
		}
	case UUID:
		ok = t == FixedLenByteArray && length == 16
	case Float16:
		ok = t == FixedLenByteArray && length == 2
	case Interval:
		ok = t == FixedLenByteArray && length == 12
	}
	if ok {
		return ""
	}
	if t == FixedLenByteArray {
		return fmt.Sprintf("%v cannot annotate %v(%d)", l, t, length)
	}
	return fmt.Sprintf("%v cannot annotate %v", l, t)
}

func (l Logical) decimalFits(t Type, length int32) string {
	if l.Precision < 1 || l.Scale < 0 || l.Scale > l.Precision {
		return fmt.Sprintf("%v has no such decimals", l)
	}
	switch {
	case t == Int32 && l.Precision > 9, t == Int64 && l.Precision > 18,
		t == FixedLenByteArray && (length < 1 || l.Precision > decimalDigits(length)):
		return fmt.Sprintf("%v does not fit into %v", l, t)
	case t != Int32 && t != Int64 && t != FixedLenByteArray && t != ByteArray:
		return fmt.Sprintf("%v cannot annotate %v", l, t)
	}
	return ""
}

// decimalDigits is how many decimal digits always fit into a two's complement
// integer of so many bytes: ⌊log10(2^(8n−1))⌋, as the format has it.
func decimalDigits(bytes int32) int32 {
	return int32(math.Floor(float64(8*int64(bytes)-1) * math.Log10(2)))
}
