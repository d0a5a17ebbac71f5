package predicate

import (
	"fmt"
	"strings"

	"github.com/parequet/pare/metadata"
)

// render writes the set as a condition on a column, in the column's own terms.
// It is text of the dialect, but for long lists and long values.
func (s Set) render(col *metadata.Column) string {
	var parts, points []string
	for _, i := range s.Intervals {
		if i.isPoint() {
			points = append(points, FormatValue(col, i.Lo.Value))
			continue
		}
		parts = append(parts, i.render(col, s.NaN))
	}
	switch {
	case len(points) == 1:
		parts = append(parts, fmt.Sprintf("%s = %s", col.Name, points[0]))
	case len(points) > 8:
		parts = append(parts, fmt.Sprintf("%s IN (%s, … %d values)", col.Name, strings.Join(points[:6], ", "), len(points)))
	case len(points) > 1:
		parts = append(parts, fmt.Sprintf("%s IN (%s)", col.Name, strings.Join(points, ", ")))
	}
	if s.NaN && (len(s.Intervals) == 0 || s.Intervals[len(s.Intervals)-1].HasHi) {
		parts = append(parts, col.Name+" = 'nan'")
	}
	if s.Null {
		parts = append(parts, col.Name+" IS NULL")
	}
	if len(parts) == 0 {
		return "FALSE"
	}
	return strings.Join(parts, " OR ")
}

// render writes one interval. NaN is above all numbers, so an interval
// without an upper end holds it unless that is said.
func (i Interval) render(col *metadata.Column, nan bool) string {
	var ends []string
	if i.HasLo {
		op := ">="
		if i.Lo.Open {
			op = ">"
		}
		ends = append(ends, fmt.Sprintf("%s %s %s", col.Name, op, FormatValue(col, i.Lo.Value)))
	}
	switch {
	case i.HasHi:
		op := "<="
		if i.Hi.Open {
			op = "<"
		}
		ends = append(ends, fmt.Sprintf("%s %s %s", col.Name, op, FormatValue(col, i.Hi.Value)))
	case col.Order == metadata.OrderFloat && !nan:
		ends = append(ends, col.Name+" < 'nan'")
	}
	if len(ends) == 0 {
		return col.Name + " IS NOT NULL"
	}
	return strings.Join(ends, " AND ")
}
