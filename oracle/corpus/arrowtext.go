package corpus

import (
	"fmt"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// appendArray appends the values of an Arrow array, which pare and arrow-go
// both produce, to a column.
func (c *Column) appendArray(a arrow.Array) error {
	if x, ok := a.(array.ExtensionArray); ok {
		a = x.Storage() // UUID, JSON: their bytes
	}
	text, kind, err := arrowText(a)
	if err != nil {
		return err
	}
	if c.Kind == "" {
		c.Kind = kind
	}
	if c.Kind != kind {
		return fmt.Errorf("%s after %s", kind, c.Kind)
	}
	for i := range a.Len() {
		if a.IsNull(i) {
			c.Values = append(c.Values, "")
		} else {
			c.Values = append(c.Values, text(i))
		}
	}
	return nil
}

// arrowText returns the function that renders value i of an array.
func arrowText(a arrow.Array) (text func(i int) string, kind Kind, err error) {
	switch a := a.(type) {
	case *array.Null:
		return func(int) string { return "" }, Null, nil
	case *array.Boolean:
		return func(i int) string { return boolText(a.Value(i)) }, Bool, nil
	case *array.Int8:
		return intText(a.Value), Int, nil
	case *array.Int16:
		return intText(a.Value), Int, nil
	case *array.Int32:
		return intText(a.Value), Int, nil
	case *array.Int64:
		return intText(a.Value), Int, nil
	case *array.Uint8:
		return intText(a.Value), Int, nil
	case *array.Uint16:
		return intText(a.Value), Int, nil
	case *array.Uint32:
		return intText(a.Value), Int, nil
	case *array.Uint64:
		return func(i int) string { return strconv.FormatUint(a.Value(i), 10) }, Int, nil
	case *array.Duration: // restored by arrow-go from the Arrow schema that a file carries
		return intText(a.Value), Int, nil
	case *array.Float16:
		return func(i int) string { return floatText(float64(a.Value(i).Float32())) }, Float, nil
	case *array.Float32:
		return func(i int) string { return floatText(float64(a.Value(i))) }, Float, nil
	case *array.Float64:
		return func(i int) string { return floatText(a.Value(i)) }, Float, nil
	case *array.String:
		return func(i int) string { return bytesText([]byte(a.Value(i))) }, Bytes, nil
	case *array.LargeString:
		return func(i int) string { return bytesText([]byte(a.Value(i))) }, Bytes, nil
	case *array.Binary:
		return func(i int) string { return bytesText(a.Value(i)) }, Bytes, nil
	case *array.LargeBinary:
		return func(i int) string { return bytesText(a.Value(i)) }, Bytes, nil
	case *array.FixedSizeBinary:
		return func(i int) string { return bytesText(a.Value(i)) }, Bytes, nil
	case *array.Decimal128:
		scale := int(a.DataType().(arrow.DecimalType).GetScale())
		return func(i int) string { return decimalText(a.Value(i).BigInt(), scale) }, Decimal, nil
	case *array.Decimal256:
		scale := int(a.DataType().(arrow.DecimalType).GetScale())
		return func(i int) string { return decimalText(a.Value(i).BigInt(), scale) }, Decimal, nil
	case *array.Dictionary:
		return dictionaryText(a)
	}
	return arrowTimeText(a)
}

// arrowTimeText is arrowText for dates, times and intervals.
func arrowTimeText(a arrow.Array) (text func(i int) string, kind Kind, err error) {
	switch a := a.(type) {
	case *array.Date32:
		return intText(a.Value), Date, nil
	case *array.Date64:
		return func(i int) string { return unitText(int64(a.Value(i)), 86_400_000) }, Date, nil
	case *array.Time32:
		per := perSecond(a.DataType().(*arrow.Time32Type).Unit)
		return func(i int) string { return unitText(int64(a.Value(i)), per) }, Time, nil
	case *array.Time64:
		per := perSecond(a.DataType().(*arrow.Time64Type).Unit)
		return func(i int) string { return unitText(int64(a.Value(i)), per) }, Time, nil
	case *array.Timestamp:
		t := a.DataType().(*arrow.TimestampType)
		per := perSecond(t.Unit)
		kind = Timestamp
		if t.TimeZone != "" {
			kind = TimestampTZ
		}
		return func(i int) string { return unitText(int64(a.Value(i)), per) }, kind, nil
	case *array.MonthDayNanoInterval:
		return func(i int) string {
			v := a.Value(i)
			// pare hands out the stored bits; months and days are unsigned.
			return intervalText(int64(uint32(v.Months)), int64(uint32(v.Days)), v.Nanoseconds)
		}, Interval, nil
	}
	return arrowNestedText(a)
}

func dictionaryText(a *array.Dictionary) (func(i int) string, Kind, error) {
	values := a.Dictionary()
	text, kind, err := arrowText(values)
	return func(i int) string {
		k := a.GetValueIndex(i)
		if values.IsNull(k) {
			return ""
		}
		return text(k)
	}, kind, err
}

// integer is what an int64 holds.
type integer interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32
}

func intText[T integer](value func(i int) T) func(i int) string {
	return func(i int) string { return strconv.FormatInt(int64(value(i)), 10) }
}

func perSecond(u arrow.TimeUnit) int64 {
	return map[arrow.TimeUnit]int64{arrow.Second: 1, arrow.Millisecond: 1e3, arrow.Microsecond: 1e6, arrow.Nanosecond: 1e9}[u]
}
