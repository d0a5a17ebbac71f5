package corpus

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Differ compares a column as pare and an oracle read it and describes the
// first difference, or returns "".
func Differ(o Oracle, pare, oracle Column) string {
	reconcile(o, &pare, &oracle)
	switch {
	case len(pare.Values) != len(oracle.Values):
		return fmt.Sprintf("pare reads %d rows, %s %d", len(pare.Values), o, len(oracle.Values))
	case !sameKind(pare.Kind, oracle.Kind):
		return fmt.Sprintf("pare reads %s, %s %s%s", pare.Kind, o, oracle.Kind, example(pare, oracle))
	}
	first, count := -1, 0
	for i, p := range pare.Values {
		if p != oracle.Values[i] {
			if count++; first < 0 {
				first = i
			}
		}
	}
	if count == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d rows, row %d is %s, %s says %s", count, len(pare.Values), first,
		shown(pare.Values[first]), o, shown(oracle.Values[first]))
}

// sameKind reports whether two kinds are the same, but for columns inside that
// can only hold nulls.
func sameKind(a, b Kind) bool {
	if a == Null || b == Null {
		return true
	}
	split := func(k Kind) []string {
		return strings.FieldsFunc(string(k), func(r rune) bool { return !unicode.IsLetter(r) })
	}
	x, y := split(a), split(b)
	return len(x) == len(y) && !slices.ContainsFunc(x, func(s string) bool {
		t := y[0]
		y = y[1:]
		return s != t && s != string(Null) && t != string(Null)
	})
}

// example shows the first value, of a column that has one.
func example(pare, oracle Column) string {
	for i, p := range pare.Values {
		if p != "" || oracle.Values[i] != "" {
			return fmt.Sprintf(" (row %d: %s and %s)", i, shown(p), shown(oracle.Values[i]))
		}
	}
	return ""
}

// reconcile brings columns to one form where an oracle, for want of a type,
// hands out values in another one than the format gives them.
func reconcile(o Oracle, pare, oracle *Column) {
	switch {
	case o == ArrowGo && pare.Kind == Interval && oracle.Kind == Bytes:
		// Arrow's intervals are others, so arrow-go returns the stored bytes.
		oracle.Kind, oracle.Values = Interval, each(oracle.Values, storedInterval)
	case o == Duck && pare.Kind == TimestampTZ && oracle.Kind == Timestamp:
		// DuckDB takes the ConvertedTypes TIMESTAMP_MILLIS and TIMESTAMP_MICROS
		// for local time. By the format they are instants: isAdjustedToUTC is
		// true for them.
		oracle.Kind = TimestampTZ
	case o == Duck && pare.Kind == Decimal && oracle.Kind == Float:
		// DuckDB has no decimals of more than 38 digits and reads doubles. It
		// computes them with rounding errors.
		pare.Kind, pare.Values = Float, each(pare.Values, roughly)
		oracle.Values = each(oracle.Values, roughly)
	}
}

// each applies f to all values that are not null.
func each(values []string, f func(string) string) []string {
	out := make([]string, len(values))
	for i, v := range values {
		if v != "" {
			out[i] = f(v)
		}
	}
	return out
}

// roughly rounds a number's text to as many digits as a double always holds.
func roughly(text string) string {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return text
	}
	f, _ = strconv.ParseFloat(strconv.FormatFloat(f, 'g', 15, 64), 64)
	return floatText(f)
}

// storedInterval renders the 12 bytes that Parquet stores for an interval.
func storedInterval(text string) string {
	b := []byte(text[1:])
	if len(b) != 12 {
		return text
	}
	months, days, millis := binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:]), binary.LittleEndian.Uint32(b[8:])
	return intervalText(int64(months), int64(days), int64(millis)*1e6)
}
