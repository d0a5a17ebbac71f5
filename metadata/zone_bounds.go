package metadata

import (
	"encoding/binary"
)

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
