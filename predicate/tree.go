package predicate

import (
	"slices"
	"strings"

	"github.com/parequet/pare/metadata"
)

// Node is a node of a bound predicate: *[AndNode], *[OrNode], [Const] or a [Leaf].
// There is no NOT: binding pushes it into the leaves.
type Node interface{ String() string }

// AndNode holds where all of Kids do; there are at least two.
type AndNode struct{ Kids []Node }

// OrNode holds where one of Kids does; there are at least two.
type OrNode struct{ Kids []Node }

// Const holds for every row or for none.
type Const bool

func (n *AndNode) String() string { return joinNodes(n.Kids, " AND ") }
func (n *OrNode) String() string  { return joinNodes(n.Kids, " OR ") }

func (c Const) String() string {
	if c {
		return "TRUE"
	}
	return "FALSE"
}

func joinNodes(kids []Node, sep string) string {
	parts := make([]string, len(kids))
	for i, k := range kids {
		parts[i] = k.String()
		if _, leaf := k.(Leaf); !leaf || strings.Contains(parts[i], " OR ") {
			parts[i] = "(" + parts[i] + ")"
		}
	}
	return strings.Join(parts, sep)
}

// Bound is a predicate bound to a schema. It is immutable and safe for
// concurrent use.
type Bound struct {
	Root Node
	// Columns are the columns that Root tests, in file order, each once.
	Columns []*metadata.Column
}

// String renders what is really tested, after merging.
func (b *Bound) String() string { return b.Root.String() }

// Decide answers for a unit of rows. zone gives what is believed of a column
// in that unit.
func Decide(n Node, zone func(*metadata.Column) metadata.Zone) Decision {
	switch n := n.(type) {
	case Const:
		if n {
			return Always
		}
		return Never
	case *AndNode:
		out := Always
		for _, k := range n.Kids {
			switch Decide(k, zone) {
			case Never:
				return Never
			case Maybe:
				out = Maybe
			}
		}
		return out
	case *OrNode:
		out := Never
		for _, k := range n.Kids {
			switch Decide(k, zone) {
			case Always:
				return Always
			case Maybe:
				out = Maybe
			}
		}
		return out
	}
	leaf := n.(Leaf)
	return leaf.Decide(zone(leaf.Column()))
}

// newBound collects the columns of a tree.
func newBound(root Node) *Bound {
	b := &Bound{Root: root}
	b.collect(root)
	slices.SortFunc(b.Columns, func(x, y *metadata.Column) int { return x.Index - y.Index })
	return b
}

func (b *Bound) collect(n Node) {
	switch n := n.(type) {
	case *AndNode:
		for _, k := range n.Kids {
			b.collect(k)
		}
	case *OrNode:
		for _, k := range n.Kids {
			b.collect(k)
		}
	case Leaf:
		if !slices.Contains(b.Columns, n.Column()) {
			b.Columns = append(b.Columns, n.Column())
		}
	}
}

// makeAnd joins nodes: constants vanish, ANDs are flattened, and set leaves
// of one column become the intersection of their sets.
func makeAnd(kids []Node) Node {
	return combine(kids, true, func(a, b Set) Set { return a.Intersect(b) })
}

// makeOr is makeAnd for OR and unions.
func makeOr(kids []Node) Node {
	return combine(kids, false, func(a, b Set) Set { return a.Union(b) })
}

// combine joins nodes under AND (conj) or OR.
func combine(kids []Node, conj bool, merge func(a, b Set) Set) Node {
	var flat []Node
	at := map[*metadata.Column]int{} // where the set leaf of a column is in flat
	var add func(n Node) bool        // false once the result is settled
	add = func(n Node) bool {
		switch n := n.(type) {
		case Const:
			return bool(n) == conj
		case *AndNode:
			if conj {
				return every(n.Kids, add)
			}
		case *OrNode:
			if !conj {
				return every(n.Kids, add)
			}
		case *SetLeaf:
			i, seen := at[n.col]
			if !seen {
				at[n.col] = len(flat)
				flat = append(flat, n)
				return true
			}
			merged := simplify(&SetLeaf{n.col, merge(flat[i].(*SetLeaf).Set, n.Set)})
			if c, isConst := merged.(Const); isConst && bool(c) != conj {
				return false
			}
			// A constant that does not settle the result is kept as a leaf,
			// so that later leaves of the column still meet it.
			if leaf, ok := merged.(*SetLeaf); ok {
				flat[i] = leaf
			} else {
				flat[i] = &SetLeaf{n.col, merge(flat[i].(*SetLeaf).Set, n.Set)}
			}
			return true
		}
		flat = append(flat, n)
		return true
	}
	if !every(kids, add) {
		return Const(!conj)
	}
	flat = slices.DeleteFunc(flat, func(n Node) bool {
		leaf, ok := n.(*SetLeaf)
		if !ok {
			return false
		}
		_, isConst := simplify(leaf).(Const)
		return isConst
	})
	switch {
	case len(flat) == 0:
		return Const(conj)
	case len(flat) == 1:
		return flat[0]
	case conj:
		return &AndNode{flat}
	}
	return &OrNode{flat}
}

// every calls f for each node until it returns false.
func every(ns []Node, f func(Node) bool) bool {
	for _, n := range ns {
		if !f(n) {
			return false
		}
	}
	return true
}

// simplify clips a leaf's set to what its column can hold, and turns leaves
// that hold for every value, or for none, into constants.
func simplify(l *SetLeaf) Node {
	l = &SetLeaf{l.col, l.Set.clip(l.col)}
	switch {
	case l.Set.Empty():
		return Const(false)
	case l.Set.full(l.col), l.Set.Null && l.col.Logical.Kind == metadata.Null:
		return Const(true)
	}
	return l
}

// clip drops what a column cannot hold: NULL if it is required, NaN if it is
// not a float, and ends outside the domain of its type.
func (s Set) clip(col *metadata.Column) Set {
	s.Null = s.Null && col.MaxDef > 0
	if col.Logical.Kind == metadata.Null { // every row is NULL, whatever is stored
		return Set{Null: s.Null}
	}
	s.NaN = s.NaN && col.Order == metadata.OrderFloat
	var least, greatest metadata.Value
	lo, hi, bounded := domain(col)
	switch {
	case bounded:
		least, greatest = integerValue(col, lo), integerValue(col, hi)
	case col.Order == metadata.OrderBytes:
		least = bytesValue("")
	default:
		return s
	}
	out := Set{Null: s.Null, NaN: s.NaN}
	for _, i := range s.Intervals {
		if bounded && (i.HasLo && i.Lo.Value.Compare(greatest) > 0 || i.HasHi && i.Hi.Value.Compare(least) < 0) {
			continue
		}
		if i.HasHi && !bounded && i.Hi.Open && i.Hi.Value.Compare(least) == 0 {
			continue // below the empty string
		}
		if !i.isPoint() || bounded && lo.Cmp(hi) == 0 {
			if i.HasLo && !i.Lo.Open && i.Lo.Value.Compare(least) <= 0 {
				i.Lo, i.HasLo = End{}, false
			}
			if bounded && i.HasHi && i.Hi.Value.Compare(greatest) >= 0 {
				i.Hi, i.HasHi = End{}, false
			}
			i = i.atEnd(bounded, least, greatest)
		}
		out.Intervals = append(out.Intervals, i)
	}
	return out
}

// atEnd makes an interval that holds only the least or only the greatest
// value of a type a point.
func (i Interval) atEnd(bounded bool, least, greatest metadata.Value) Interval {
	switch {
	case bounded && !i.HasLo && i.HasHi && i.Hi.Value.Compare(least) == 0:
		return point(least)
	case bounded && !i.HasHi && i.HasLo && i.Lo.Value.Compare(greatest) == 0:
		return point(greatest)
	}
	return i
}
