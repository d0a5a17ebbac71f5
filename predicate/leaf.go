package predicate

import (
	"fmt"

	"github.com/parequet/pare/metadata"
)

// Leaf is a condition on one column. Test defines it; everything else must
// agree with it. Leaves are immutable and safe for concurrent use.
type Leaf interface {
	Node
	Column() *metadata.Column
	// Decide answers for a unit of rows from what is believed of it.
	Decide(z metadata.Zone) Decision
	// Test reports whether a value, which is not null, passes.
	Test(v metadata.Value) bool
	// TestNull reports whether NULL passes.
	TestNull() bool
	// Points returns the values that can pass, if they are finitely many.
	Points() ([]metadata.Value, bool)
}

// SetLeaf asks whether the value is in a set. Most predicates become one.
type SetLeaf struct {
	col *metadata.Column
	Set Set
}

// Column returns the column that is tested.
func (l *SetLeaf) Column() *metadata.Column { return l.col }

// Decide compares the set with the zone's bounds.
func (l *SetLeaf) Decide(z metadata.Zone) Decision { return l.Set.Decide(z) }

// Test reports whether the set holds v.
func (l *SetLeaf) Test(v metadata.Value) bool { return l.Set.Contains(v) }

// TestNull reports whether NULL passes.
func (l *SetLeaf) TestNull() bool { return l.Set.Null }

// Points returns the set's values if they are finitely many.
func (l *SetLeaf) Points() ([]metadata.Value, bool) { return l.Set.Points() }

func (l *SetLeaf) String() string { return l.Set.render(l.col) }

// TestLeaf asks a function. Within, if any, holds every value that can pass,
// so that bounds can still rule a unit out.
type TestLeaf struct {
	col    *metadata.Column
	name   string
	within *Set
	test   func(metadata.Value) bool
}

// Column returns the column that is tested.
func (l *TestLeaf) Column() *metadata.Column { return l.col }

// Decide can rule a unit out, never in.
func (l *TestLeaf) Decide(z metadata.Zone) Decision {
	if z.Rows == 0 || z.AllNull() || l.within != nil && l.within.Decide(z) == Never {
		return Never
	}
	return Maybe
}

// Test calls the function.
func (l *TestLeaf) Test(v metadata.Value) bool { return l.test(v) }

// TestNull is false: neither LIKE nor a function is true of NULL.
func (l *TestLeaf) TestNull() bool { return false }

// Points knows of none.
func (l *TestLeaf) Points() ([]metadata.Value, bool) { return nil, false }

func (l *TestLeaf) String() string { return l.name }

// FormatValue renders a value of a column as the dialect would write it.
func FormatValue(col *metadata.Column, v metadata.Value) string {
	switch l := col.Logical; l.Kind {
	case metadata.Date:
		return "DATE '" + formatDate(v.Int) + "'"
	case metadata.Time:
		return "TIME '" + formatClock(v.Int, l.Unit.PerSecond()) + "'"
	case metadata.Timestamp:
		return "TIMESTAMP '" + formatTimestamp(v.Int, l.Unit.PerSecond()) + "'"
	case metadata.Decimal:
		return formatDecimal(v.BigInt(), int(l.Scale))
	case metadata.UUID:
		if len(v.Bytes) == 16 {
			return "UUID '" + formatUUID(v.Bytes) + "'"
		}
	}
	switch {
	case col.Type == metadata.Boolean:
		return map[bool]string{true: "TRUE", false: "FALSE"}[v.Bool()]
	case col.Type == metadata.Int96:
		return "TIMESTAMP '" + formatTimestamp(v.Int, metadata.Micros.PerSecond()) + "'"
	case v.Order == metadata.OrderInt:
		return fmt.Sprint(v.Int)
	case v.Order == metadata.OrderUint:
		return fmt.Sprint(v.Uint64())
	case v.Order == metadata.OrderFloat:
		return formatFloat(col, v.Float)
	}
	return formatBytes(col, v.Bytes)
}

// isText reports whether the bytes of a column are text.
func isText(col *metadata.Column) bool {
	switch col.Logical.Kind {
	case metadata.String, metadata.Enum, metadata.JSON:
		return true
	}
	return false
}
