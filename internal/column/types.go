package column

import (
	"github.com/apache/arrow-go/v18/arrow"

	"github.com/parequet/pare/metadata"
)

// ArrowOptions choose between Arrow types that could hold a column.
type ArrowOptions struct {
	DictionaryStrings bool // strings as dictionary<int32, utf8>
	Int96Nanos        bool // INT96 as nanoseconds rather than microseconds
}

// Field returns the Arrow field of a flat column. What Arrow has no type for
// keeps its meaning as a canonical extension name in the field's metadata.
func Field(col *metadata.Column, opt ArrowOptions) arrow.Field {
	f := arrow.Field{Name: col.Path[len(col.Path)-1], Type: arrowType(col, opt), Nullable: col.MaxDef > 0}
	switch col.Logical.Kind {
	case metadata.UUID:
		f.Metadata = extension("arrow.uuid")
	case metadata.JSON:
		f.Metadata = extension("arrow.json")
	case metadata.Geometry, metadata.Geography:
		f.Metadata = extension("geoarrow.wkb")
	}
	return f
}

func extension(name string) arrow.Metadata {
	return arrow.NewMetadata([]string{"ARROW:extension:name", "ARROW:extension:metadata"}, []string{name, ""})
}

func arrowType(col *metadata.Column, opt ArrowOptions) arrow.DataType {
	switch l := col.Logical; l.Kind {
	case metadata.String, metadata.Enum, metadata.JSON:
		if opt.DictionaryStrings {
			return &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.BinaryTypes.String}
		}
		return arrow.BinaryTypes.String
	case metadata.Decimal:
		if l.Precision > 38 {
			return &arrow.Decimal256Type{Precision: l.Precision, Scale: l.Scale}
		}
		return &arrow.Decimal128Type{Precision: l.Precision, Scale: l.Scale}
	case metadata.Date:
		return arrow.FixedWidthTypes.Date32
	case metadata.Time:
		switch l.Unit {
		case metadata.Millis:
			return arrow.FixedWidthTypes.Time32ms
		case metadata.Micros:
			return arrow.FixedWidthTypes.Time64us
		}
		return arrow.FixedWidthTypes.Time64ns
	case metadata.Timestamp:
		t := &arrow.TimestampType{Unit: map[metadata.TimeUnit]arrow.TimeUnit{
			metadata.Millis: arrow.Millisecond, metadata.Micros: arrow.Microsecond, metadata.Nanos: arrow.Nanosecond}[l.Unit]}
		if l.UTC {
			t.TimeZone = "UTC"
		}
		return t
	case metadata.Integer:
		return integerType(l)
	case metadata.Float16:
		return arrow.FixedWidthTypes.Float16
	case metadata.Interval:
		return arrow.FixedWidthTypes.MonthDayNanoInterval
	case metadata.Null:
		return arrow.Null
	}
	switch col.Type {
	case metadata.Boolean:
		return arrow.FixedWidthTypes.Boolean
	case metadata.Int32:
		return arrow.PrimitiveTypes.Int32
	case metadata.Int64:
		return arrow.PrimitiveTypes.Int64
	case metadata.Int96:
		if opt.Int96Nanos {
			return &arrow.TimestampType{Unit: arrow.Nanosecond}
		}
		return &arrow.TimestampType{Unit: arrow.Microsecond}
	case metadata.Float:
		return arrow.PrimitiveTypes.Float32
	case metadata.Double:
		return arrow.PrimitiveTypes.Float64
	case metadata.FixedLenByteArray:
		return &arrow.FixedSizeBinaryType{ByteWidth: int(col.TypeLength)}
	}
	return arrow.BinaryTypes.Binary
}

func integerType(l metadata.Logical) arrow.DataType {
	switch {
	case l.Bits == 8 && l.Signed:
		return arrow.PrimitiveTypes.Int8
	case l.Bits == 8:
		return arrow.PrimitiveTypes.Uint8
	case l.Bits == 16 && l.Signed:
		return arrow.PrimitiveTypes.Int16
	case l.Bits == 16:
		return arrow.PrimitiveTypes.Uint16
	case l.Bits == 32 && l.Signed:
		return arrow.PrimitiveTypes.Int32
	case l.Bits == 32:
		return arrow.PrimitiveTypes.Uint32
	case l.Signed:
		return arrow.PrimitiveTypes.Int64
	}
	return arrow.PrimitiveTypes.Uint64
}
