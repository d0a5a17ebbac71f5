package metadata

import (
	"encoding/binary"
	"fmt"
)

// Zone bounds the values of a unit of rows, a row group or a page, of one
// column. It holds only what is believed: a missing bound is an unknown bound.
//
// Bounds are bounds, not values: every value that is neither null nor NaN lies
// in [Lower, Upper], but neither end need occur unless it is marked exact.
type Zone struct {
	Rows       int64 // values, nulls included
	Nulls      int64 // -1 if unknown
	Lower      Value
	Upper      Value
	HasLower   bool
	HasUpper   bool
	LowerExact bool // Lower occurs
	UpperExact bool // Upper occurs
	NoNaN      bool // proven to hold no NaN; true for types that have none
}

// AllNull reports whether every value is known to be null.
func (z Zone) AllNull() bool { return z.Rows == z.Nulls }

// NoNulls reports whether no value is known to be null.
func (z Zone) NoNulls() bool { return z.Nulls == 0 }

// Belief says why bounds were not taken over. Why is empty if they were.
type Belief struct {
	Why   string
	Doubt bool // the metadata is wrong or suspect, rather than just absent
}

func absent(why string) Belief { return Belief{Why: why} }

func doubt(format string, args ...any) Belief {
	return Belief{Why: fmt.Sprintf(format, args...), Doubt: true}
}

// ChunkZone returns what is believed of a chunk's statistics.
func (f *File) ChunkZone(c *Chunk) (Zone, Belief) {
	// A flat chunk has a value or a null per row; anything else is damage
	// that decoding will name.
	return f.StatisticsZone(c, c.Statistics, c.NumValues)
}

// StatisticsZone returns what is believed of the statistics of values values
// of a chunk, from its metadata or a page header.
func (f *File) StatisticsZone(c *Chunk, s *Statistics, values int64) (Zone, Belief) {
	col := c.Column
	z := f.unknownZone(col, values)
	if s == nil {
		return z, absent("no statistics were written")
	}
	b := z.takeNulls(s.NullCount, values)
	if b.Why == "" && z.AllNull() && values > 0 && s.bounded() {
		z.Nulls = -1
		b = doubt("has bounds, yet all its %d values are counted as null", values)
	}
	if b.Why != "" || z.AllNull() {
		return z, b
	}
	z.takeNaNs(col, s.NaNCount)
	lower, upper, b := f.chooseBounds(c, s)
	if b.Why != "" {
		return z, b
	}
	b = z.takeBounds(col, lower, upper)
	if b.Why == "" {
		z.markExact(col, s.MinExact, s.MaxExact)
		if col.Order == OrderDecimal {
			// A number that was cut short is another number.
			z.HasLower, z.HasUpper = z.LowerExact, z.UpperExact
		}
	}
	return z, b
}

// unknownZone is the zone of which only the schema is known.
func (f *File) unknownZone(col *Column, values int64) Zone {
	z := Zone{Rows: values, Nulls: -1, NoNaN: col.Order != OrderFloat}
	if col.MaxDef == 0 {
		z.Nulls = 0
	}
	return z
}

func (z *Zone) takeNulls(n *int64, values int64) Belief {
	if n == nil || z.Nulls >= 0 {
		return Belief{}
	}
	if *n < 0 || *n > values {
		return doubt("a null count of %d among %d values", *n, values)
	}
	z.Nulls = *n
	return Belief{}
}

// takeNaNs believes that there is no NaN only if that was counted.
func (z *Zone) takeNaNs(col *Column, n *int64) {
	if col.Order == OrderFloat && n != nil && *n == 0 {
		z.NoNaN = true
	}
}

// signedOrder reports whether the type's own order is the signed order of
// the physical value. Only then can bounds be used that were written without
// a defined column order.
func (c *Column) signedOrder() bool {
	switch c.Type {
	case Boolean, Int32, Int64:
		return c.Logical.Kind != Integer || c.Logical.Signed
	case Float, Double:
		return true
	}
	return false
}

// orderDefined reports whether the footer defines how a column's min_value
// and max_value are ordered.
func (f *File) orderDefined(col *Column) bool {
	return f.orders != nil && f.orders[col.Index] != orderUndefined
}

// OrderKnown reports whether it is known how a column's bounds are ordered:
// current asks about min_value, max_value and the column index, else about the
// deprecated min and max.
func (f *File) OrderKnown(col *Column, current bool) bool {
	if col.Order == OrderNone || col.Type == Int96 {
		return false
	}
	return col.signedOrder() || current && f.orderDefined(col)
}

// NaNBounds reports whether bounds of a column may be NaN where all values are:
// IEEE_754_TOTAL_ORDER has a place for it.
func (f *File) NaNBounds(col *Column) bool {
	return f.orders != nil && f.orders[col.Index] == orderIEEE754
}

// chooseBounds picks the pair of bounds to use: the current fields with a
// defined order, else whichever there is if the order cannot matter.
func (f *File) chooseBounds(c *Chunk, s *Statistics) (lower, upper []byte, b Belief) {
	col := c.Column
	if b := f.boundless(c); b.Why != "" {
		return nil, nil, b
	}
	lower, upper = s.MinValue, s.MaxValue
	current := lower != nil || upper != nil
	if !current {
		lower, upper = s.Min, s.Max
	}
	switch {
	case lower == nil && upper == nil:
		return nil, nil, absent("no minimum and maximum were written")
	case current && f.orderDefined(col), col.signedOrder():
		return lower, upper, Belief{}
	case !current && f.Writer.App == "" && (col.Type == ByteArray || col.Type == FixedLenByteArray):
		// It may be the writer of PARQUET-251, which repeats one value.
		return nil, nil, doubt("deprecated binary statistics of an unknown writer")
	case lower != nil && upper != nil && string(lower) == string(upper):
		return lower, upper, Belief{} // one value only: any order has it
	case !current:
		return nil, nil, doubt("only the deprecated min and max were written, in signed order")
	}
	return nil, nil, doubt("the file does not define the column's order")
}

// boundless says why no bound of a chunk can be used, whoever wrote it.
func (f *File) boundless(c *Chunk) Belief {
	col := c.Column
	switch {
	case col.Order == OrderNone:
		return absent("values of this type have no order")
	case col.Type == Int96:
		return absent("INT96 has no dependable order")
	case (col.Type == ByteArray || col.Type == FixedLenByteArray) && f.Writer.badBinaryStatistics():
		return doubt("%s wrote wrong binary statistics (PARQUET-251)", f.CreatedBy)
	case col.Logical.Kind == Float16 && col.MaxDef > 0 && f.Writer.badHalfFloats():
		return doubt("%s bounds FLOAT16 wrongly where there are NaNs", f.CreatedBy)
	case col.Repeated() && f.Writer.badListBounds():
		return doubt("%s leaves values of lists out of the bounds", f.CreatedBy)
	case col.Repeated() && col.Logical.Kind == Float16:
		return doubt("FLOAT16 in lists is bounded by its bytes by some writers")
	case col.Logical.Kind == Timestamp && f.Writer.badTimestamps():
		return doubt("%s bounds timestamps in local time", f.CreatedBy)
	case col.Order == OrderFloat && c.hasDictionary() && f.Writer.badFloatDictionaries():
		return doubt("%s bounds floats in dictionaries wrongly where there are NaNs", f.CreatedBy)
	case col.Order == OrderDecimal && f.Writer.badBinaryDecimals():
		return doubt("%s compared binary decimals as unsigned bytes", f.CreatedBy)
	}
	return Belief{}
}

// takeBounds decodes and checks a pair of bounds; nil is an absent one.
func (z *Zone) takeBounds(col *Column, lower, upper []byte) Belief {
	lo, okLo := col.Value(lower)
	hi, okHi := col.Value(upper)
	switch {
	case lower != nil && !okLo:
		return doubt("a minimum of %d bytes cannot be a %s", len(lower), col.TypeName())
	case upper != nil && !okHi:
		return doubt("a maximum of %d bytes cannot be a %s", len(upper), col.TypeName())
	case lower != nil && lo.IsNaN(), upper != nil && hi.IsNaN():
		return doubt("NaN as a bound")
	case col.Type == ByteArray && (lengthPrefixed(lower) || lengthPrefixed(upper)):
		return doubt("bounds with a length before them")
	case lower != nil && upper != nil && lo.Compare(hi) > 0:
		return doubt("the minimum is above the maximum")
	}
	if col.Order == OrderBytes && len(upper) == 0 {
		// True only if every value is empty; likelier, nothing was written.
		upper = nil
	}
	z.Lower, z.HasLower = lo, lower != nil
	z.Upper, z.HasUpper = hi, upper != nil
	return Belief{}
}

// takeIntegers takes bounds of signed integers that are as they should be, the
// most common by far; it reports whether they are.
func (z *Zone) takeIntegers(col *Column, lower, upper []byte) bool {
	if col.Order != OrderInt || col.Logical.Kind == Integer {
		return false
	}
	var lo, hi int64
	switch {
	case col.Type == Int64 && len(lower) == 8 && len(upper) == 8:
		lo, hi = int64(binary.LittleEndian.Uint64(lower)), int64(binary.LittleEndian.Uint64(upper))
	case col.Type == Int32 && len(lower) == 4 && len(upper) == 4:
		lo, hi = int64(int32(binary.LittleEndian.Uint32(lower))), int64(int32(binary.LittleEndian.Uint32(upper)))
	default:
		return false
	}
	if lo > hi {
		return false
	}
	z.Lower.Order, z.Lower.Int = OrderInt, lo
	z.Upper.Order, z.Upper.Int = OrderInt, hi
	z.HasLower, z.HasUpper, z.LowerExact, z.UpperExact = true, true, true, true
	return true
}

// lengthPrefixed reports whether a bound was written as PLAIN values are, which
// some writers did.
func lengthPrefixed(b []byte) bool {
	return len(b) > 4 && uint64(binary.LittleEndian.Uint32(b)) == uint64(len(b)-4)
}

// markExact: bounds of fixed-width types are values unless the writer says
// otherwise; those of byte arrays are only if it says so. A float's zero may
// stand for the other zero, so it is never exact.
func (z *Zone) markExact(col *Column, lower, upper *bool) {
	fixed := col.Order != OrderBytes && col.Order != OrderNone
	exact := func(flag *bool, v Value) bool {
		if v.Order == OrderFloat && v.Float == 0 {
			return false
		}
		return flag == nil && fixed || flag != nil && *flag
	}
	z.LowerExact = z.HasLower && exact(lower, z.Lower)
	z.UpperExact = z.HasUpper && exact(upper, z.Upper)
}

// PageZones returns what is believed of a column index: one zone a page. pages
// holds the row count of each page. The belief is about the whole index:
// where it is not used at all, zones is nil. Pages whose own bounds cannot be
// used have none, and the first such reason is returned beside them.
func (f *File) PageZones(c *Chunk, x *ColumnIndex, pages []int64) (zones []Zone, b Belief) {
	n := len(pages)
	if why := x.Misshapen(n); why != "" {
		return nil, doubt("%s", why)
	}
	boundless := f.boundless(c)
	usable := boundless.Why == "" && (f.orderDefined(c.Column) || c.Column.signedOrder())
	b = boundless
	if boundless.Why == "" && !usable {
		b = doubt("the file does not define the column's order")
	}
	zones = make([]Zone, n)
	unknown := f.unknownZone(c.Column, 0)
	for i := range zones {
		z := &zones[i]
		*z = unknown
		z.Rows = pages[i]
		if x.NullCounts != nil {
			if e := z.takeNulls(&x.NullCounts[i], pages[i]); e.Why != "" {
				return nil, doubt("page %d: %s", i, e.Why)
			}
		}
		if x.NullPages[i] {
			if len(x.Min[i])+len(x.Max[i]) > 0 && z.Rows > 0 && z.Nulls < 0 {
				return nil, doubt("page %d: null_pages contradicts its bounds", i)
			}
			if z.Rows > 0 && z.Nulls >= 0 && !z.AllNull() {
				return nil, doubt("page %d: null_pages contradicts its null count of %d among %d rows", i, z.Nulls, z.Rows)
			}
			z.Nulls = z.Rows
		} else {
			if z.Rows > 0 && x.NullCounts != nil && z.AllNull() && len(x.Min[i])+len(x.Max[i]) > 0 {
				return nil, doubt("page %d: has bounds, yet all its %d rows are counted as null", i, z.Rows)
			}
			if x.NaNCounts != nil {
				z.takeNaNs(c.Column, &x.NaNCounts[i])
			}
			if usable || boundless.Why == "" && string(x.Min[i]) == string(x.Max[i]) {
				if e := z.takePageBounds(f, c.Column, x.Min[i], x.Max[i]); e.Why != "" && b.Why == "" {
					b = doubt("page %d: %s", i, e.Why)
				}
			}
		}
	}
	return zones, b
}

func (z *Zone) takePageBounds(f *File, col *Column, lower, upper []byte) Belief {
	if z.takeIntegers(col, lower, upper) {
		return Belief{}
	}
	always, allFF := f.Writer.badTruncatedMaxima()
	if col.Order == OrderBytes && (always || allFF && onlyFF(upper)) {
		upper = nil // cut short, and nothing says that it was increased
	}
	b := z.takeBounds(col, lower, upper)
	if b.Why == "" {
		z.markExact(col, nil, nil)
	}
	return b
}

// Misshapen says why a column index does not describe n pages, or "".
func (x *ColumnIndex) Misshapen(n int) string {
	for _, l := range []struct {
		name string
		n    int
		opt  bool
	}{
		{"null_pages", len(x.NullPages), false}, {"min_values", len(x.Min), false}, {"max_values", len(x.Max), false},
		{"null_counts", len(x.NullCounts), x.NullCounts == nil}, {"nan_counts", len(x.NaNCounts), x.NaNCounts == nil},
	} {
		if !l.opt && l.n != n {
			return fmt.Sprintf("%s lists %d pages, the offset index %d", l.name, l.n, n)
		}
	}
	return ""
}

// onlyFF reports whether b may have been cut short and starts with nothing
// that could have been increased. Writers cut at 16 bytes or less.
func onlyFF(b []byte) bool {
	for _, c := range b[:min(16, len(b))] {
		if c != 0xff {
			return false
		}
	}
	return true
}
