// Package rowrange is the algebra of row sets: sorted, disjoint, half-open
// ranges of row numbers. Every set that this package returns is normal: no
// range is empty, and no two touch, so two equal sets are equal slices.
package rowrange

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Range holds the rows From ≤ row < To.
type Range struct{ From, To int64 }

// Len is the number of rows in the range.
func (r Range) Len() int64 { return r.To - r.From }

// Set is a set of rows. The zero value is the empty set. Methods do not
// change their operands; results may share memory with them.
type Set []Range

// All is the set of the rows [0, n).
func All(n int64) Set { return Of(0, n) }

// Of is the set of the rows [from, to), empty if to ≤ from.
func Of(from, to int64) Set {
	if to <= from {
		return nil
	}
	return Set{{from, to}}
}

// New makes a set of ranges in any order; they may overlap, touch and be empty.
func New(ranges ...Range) Set {
	rs := slices.DeleteFunc(slices.Clone(ranges), func(r Range) bool { return r.To <= r.From })
	slices.SortFunc(rs, func(a, b Range) int { return cmp.Compare(a.From, b.From) })
	var s Set
	for _, r := range rs {
		s = s.Append(r.From, r.To)
	}
	return s
}

// Append adds the rows [from, to), which must not start before the last range
// of s does. Like the built-in append it may reuse the memory of s.
func (s Set) Append(from, to int64) Set {
	if to <= from {
		return s
	}
	if n := len(s); n > 0 && from <= s[n-1].To {
		s[n-1].To = max(s[n-1].To, to)
		return s
	}
	return append(s, Range{from, to})
}

// Len is the number of rows in the set.
func (s Set) Len() (n int64) {
	for _, r := range s {
		n += r.Len()
	}
	return n
}

// Empty reports whether the set holds no row.
func (s Set) Empty() bool { return len(s) == 0 }

// Equal reports whether two sets hold the same rows.
func (s Set) Equal(t Set) bool { return slices.Equal(s, t) }

// Contains reports whether the set holds a row. O(log n).
func (s Set) Contains(row int64) bool {
	i := s.search(row)
	return i < len(s) && s[i].From <= row
}

// search returns the first range that ends after row.
func (s Set) search(row int64) int {
	i, _ := slices.BinarySearchFunc(s, row, func(r Range, row int64) int {
		if r.To <= row {
			return -1
		}
		return 1
	})
	return i
}

// Overlaps reports whether the set holds any row of [from, to). O(log n).
func (s Set) Overlaps(from, to int64) bool {
	i := s.search(from)
	return i < len(s) && s[i].From < to && from < to
}

// Covers reports whether the set holds every row of [from, to). O(log n).
func (s Set) Covers(from, to int64) bool {
	i := s.search(from)
	return to <= from || i < len(s) && s[i].From <= from && to <= s[i].To
}

// Slice returns the rows of the set that lie in [from, to). O(log n), and the
// ranges between the ends are copied.
func (s Set) Slice(from, to int64) Set {
	var out Set
	for i := s.search(from); i < len(s) && s[i].From < to; i++ {
		out = out.Append(max(from, s[i].From), min(to, s[i].To))
	}
	return out
}

// Shift moves every row by d.
func (s Set) Shift(d int64) Set {
	out := make(Set, len(s))
	for i, r := range s {
		out[i] = Range{r.From + d, r.To + d}
	}
	return out
}

// Lengthen adds the n rows behind each range.
func (s Set) Lengthen(n int64) Set {
	out := make(Set, 0, len(s))
	for _, r := range s {
		out = out.Append(r.From, r.To+n)
	}
	return out
}

// Head returns the first n rows of the set.
func (s Set) Head(n int64) Set {
	for i, r := range s {
		if r.Len() >= n {
			out := slices.Clone(s[:i])
			return out.Append(r.From, r.From+n)
		}
		n -= r.Len()
	}
	return s
}

// Join returns the rows of sets each of which lies before the next.
func Join(sets []Set) Set {
	n := 0
	for _, s := range sets {
		n += len(s)
	}
	if n == 0 {
		return nil
	}
	out := make(Set, 0, n)
	for _, s := range sets {
		for _, r := range s {
			out = out.Append(r.From, r.To)
		}
	}
	return out
}

// Intersect returns the rows that are in both sets. O(n+m).
func (s Set) Intersect(t Set) Set {
	var out Set
	for i, j := 0, 0; i < len(s) && j < len(t); {
		out = out.Append(max(s[i].From, t[j].From), min(s[i].To, t[j].To))
		if s[i].To < t[j].To {
			i++
		} else {
			j++
		}
	}
	return out
}

// Union returns the rows that are in either set. O(n+m).
func (s Set) Union(t Set) Set {
	if len(s) == 0 {
		return t
	}
	if len(t) == 0 {
		return s
	}
	out := make(Set, 0, len(s)+len(t))
	for i, j := 0, 0; i < len(s) || j < len(t); {
		if j == len(t) || i < len(s) && s[i].From <= t[j].From {
			out = out.Append(s[i].From, s[i].To)
			i++
		} else {
			out = out.Append(t[j].From, t[j].To)
			j++
		}
	}
	return out
}

// Subtract returns the rows of s that are not in t. O(n+m).
func (s Set) Subtract(t Set) Set {
	if len(t) == 0 {
		return s
	}
	var out Set
	j := 0
	for _, r := range s {
		from := r.From
		for j < len(t) && t[j].To <= from {
			j++
		}
		k := j
		for ; k < len(t) && t[k].From < r.To; k++ {
			out = out.Append(from, t[k].From)
			from = max(from, t[k].To)
		}
		out = out.Append(from, r.To)
	}
	return out
}

// Complement returns the rows of [0, n) that are not in s.
func (s Set) Complement(n int64) Set { return All(n).Subtract(s) }

// String renders the set as "[0,5) [7,9)", the empty set as "none".
func (s Set) String() string {
	if len(s) == 0 {
		return "none"
	}
	var b strings.Builder
	for i, r := range s {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "[%d,%d)", r.From, r.To)
	}
	return b.String()
}
