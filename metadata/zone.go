package metadata

import (
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
