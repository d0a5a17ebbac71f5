package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// cells renders the values of one column of a batch. Text is what CSV and
// tables show: dates and times in ISO form, timestamps of a zone with +00,
// bytes with \xHH for what is not printable ASCII, structs, lists and maps as
// JSON. Cells live as long as their batch.
type cells struct {
	array arrow.Array
	text  func(row int) string
	bare  bool    // JSON writes the text without quotes, where it is a number
	json  rowJSON // of structs, lists and maps
}

func (c cells) isNull(row int) bool {
	// An array of type null has no validity bitmap to ask.
	return c.array.DataType().ID() == arrow.NULL || c.array.IsNull(row)
}

// appendJSON appends the value as JSON, null included. JSON has no NaN and no
// infinities, which become strings.
func (c cells) appendJSON(dst []byte, row int) []byte {
	switch {
	case c.isNull(row):
		return append(dst, "null"...)
	case c.json != nil:
		return c.json(dst, row)
	}
	s := c.text(row)
	if !c.bare || s != "" && (s[len(s)-1] == 'n' || s[len(s)-1] == 'f') { // nan, inf
		return appendString(dst, s)
	}
	return append(dst, s...)
}

func cellsOf(batch arrow.RecordBatch) []cells {
	out := make([]cells, batch.NumCols())
	for i := range out {
		f := batch.Schema().Field(i)
		out[i] = cellsOfColumn(batch.Column(i), f)
	}
	return out
}

// extensionName is where the metadata of a field says what its type extends.
const extensionName = "ARROW:extension:name"

func isNumber(t arrow.DataType) bool {
	switch t.ID() {
	case arrow.INT8, arrow.INT16, arrow.INT32, arrow.INT64, arrow.UINT8, arrow.UINT16, arrow.UINT32, arrow.UINT64,
		arrow.FLOAT16, arrow.FLOAT32, arrow.FLOAT64, arrow.DECIMAL128, arrow.DECIMAL256:
		return true
	}
	return false
}

func cellsOfColumn(col arrow.Array, field arrow.Field) cells {
	c := cells{array: col, bare: isNumber(field.Type) || field.Type.ID() == arrow.BOOL}
	switch a := col.(type) {
	case *array.Struct, array.ListLike, *array.Dictionary, array.ExtensionArray:
		return cellsOfParts(col, field)
	case *array.Boolean:
		c.text = func(i int) string { return strconv.FormatBool(a.Value(i)) }
	case *array.Int8:
		c.text = func(i int) string { return strconv.FormatInt(int64(a.Value(i)), 10) }
	case *array.Int16:
		c.text = func(i int) string { return strconv.FormatInt(int64(a.Value(i)), 10) }
	case *array.Int32:
		c.text = func(i int) string { return strconv.FormatInt(int64(a.Value(i)), 10) }
	case *array.Int64:
		c.text = func(i int) string { return strconv.FormatInt(a.Value(i), 10) }
	case *array.Uint8:
		c.text = func(i int) string { return strconv.FormatUint(uint64(a.Value(i)), 10) }
	case *array.Uint16:
		c.text = func(i int) string { return strconv.FormatUint(uint64(a.Value(i)), 10) }
	case *array.Uint32:
		c.text = func(i int) string { return strconv.FormatUint(uint64(a.Value(i)), 10) }
	case *array.Uint64:
		c.text = func(i int) string { return strconv.FormatUint(a.Value(i), 10) }
	case *array.Float16:
		c.text = func(i int) string { return formatFloat(float64(a.Value(i).Float32()), 32) }
	case *array.Float32:
		c.text = func(i int) string { return formatFloat(float64(a.Value(i)), 32) }
	case *array.Float64:
		c.text = func(i int) string { return formatFloat(a.Value(i), 64) }
	case *array.String:
		c.text = a.Value
	case *array.Binary:
		c.text = func(i int) string { return formatBytes(a.Value(i)) }
	case *array.FixedSizeBinary:
		c.text = func(i int) string { return formatBytes(a.Value(i)) }
		if name, _ := field.Metadata.GetValue(extensionName); name == "arrow.uuid" {
			c.text = func(i int) string { return formatUUID(a.Value(i)) }
		}
	case *array.Decimal128:
		scale := field.Type.(*arrow.Decimal128Type).Scale
		c.text = func(i int) string { return a.Value(i).ToString(scale) }
	case *array.Decimal256:
		scale := field.Type.(*arrow.Decimal256Type).Scale
		c.text = func(i int) string { return a.Value(i).ToString(scale) }
	case *array.Date32:
		c.text = func(i int) string { return formatDate(a.Value(i).ToTime()) }
	case *array.Time32:
		unit := field.Type.(*arrow.Time32Type).Unit
		c.text = func(i int) string { return formatClock(int64(a.Value(i)), unit) }
	case *array.Time64:
		unit := field.Type.(*arrow.Time64Type).Unit
		c.text = func(i int) string { return formatClock(int64(a.Value(i)), unit) }
	case *array.Timestamp:
		t := field.Type.(*arrow.TimestampType)
		c.text = func(i int) string { return formatTimestamp(int64(a.Value(i)), t) }
	case *array.MonthDayNanoInterval:
		c.text = func(i int) string { return formatInterval(a.Value(i)) }
	default:
		c.text = col.ValueStr
	}
	return c
}

// formatFloat is the shortest text that reads back as the same number, always
// with a point or an exponent.
func formatFloat(f float64, bits int) string {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 0):
		return strings.ToLower(strings.TrimPrefix(fmt.Sprint(f), "+"))
	}
	format := byte('f')
	if a := math.Abs(f); a != 0 && (a < 1e-5 || a >= 1e16) {
		format = 'e'
	}
	s := strconv.FormatFloat(f, format, -1, bits)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}

func formatBytes(b []byte) string {
	var out strings.Builder
	for _, c := range b {
		if c < 0x20 || c >= 0x7f || c == '\\' || c == '\'' || c == '"' {
			fmt.Fprintf(&out, `\x%02X`, c)
		} else {
			out.WriteByte(c)
		}
	}
	return out.String()
}

func formatUUID(b []byte) string {
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

func formatDate(t time.Time) string { return t.Format("2006-01-02") }

// perSecond is how many units make a second.
func perSecond(u arrow.TimeUnit) int64 {
	return int64(time.Second / u.Multiplier())
}

func formatClock(v int64, unit arrow.TimeUnit) string {
	per := perSecond(unit)
	s := v / per
	return fmt.Sprintf("%02d:%02d:%02d", s/3600, s/60%60, s%60) + fraction(v%per, per)
}

// fraction renders parts of a second without trailing zeros.
func fraction(v, per int64) string {
	if v == 0 {
		return ""
	}
	digits := len(strconv.FormatInt(per, 10)) - 1
	return "." + strings.TrimRight(fmt.Sprintf("%0*d", digits, v), "0")
}

func formatTimestamp(v int64, t *arrow.TimestampType) string {
	per := perSecond(t.Unit)
	s, rest := v/per, v%per
	if rest < 0 {
		s--
		rest += per
	}
	text := time.Unix(s, 0).UTC().Format("2006-01-02 15:04:05") + fraction(rest, per)
	if t.TimeZone != "" {
		text += "+00"
	}
	return text
}

func formatInterval(v arrow.MonthDayNanoInterval) string {
	var parts []string
	add := func(n int32, unit string) {
		if n != 0 {
			if n != 1 && n != -1 {
				unit += "s"
			}
			parts = append(parts, fmt.Sprintf("%d %s", n, unit))
		}
	}
	add(v.Months/12, "year")
	add(v.Months%12, "month")
	add(v.Days, "day")
	if v.Nanoseconds != 0 || len(parts) == 0 {
		sign, n := "", v.Nanoseconds
		if n < 0 {
			sign, n = "-", -n
		}
		parts = append(parts, sign+formatClock(n, arrow.Nanosecond))
	}
	return strings.Join(parts, " ")
}
