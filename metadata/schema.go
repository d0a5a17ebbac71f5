package metadata

import (
	"fmt"
	"math"
	"strings"
)

// Schema is the tree of a file's columns and, in order, its leaves.
type Schema struct {
	Root    *Node
	Columns []*Column // leaves, in file order; a column's Index is its place here
}

// Node is an element of the schema tree: a group or a leaf.
type Node struct {
	Name       string
	Repetition Repetition
	Logical    Logical
	FieldID    int32 // -1 if the file gives none
	Parent     *Node // nil for the root
	Children   []*Node
	Column     *Column // nil for a group
	Def        int     // definition level from which it is there
	Rep        int     // repetition level: how many of it and the groups it is in are repeated
}

// Column is a leaf of the schema: the unit that is stored and read.
type Column struct {
	Index      int      // place among the leaves
	Path       []string // names from below the root down to the leaf
	Name       string   // the path joined by dots
	Type       Type
	TypeLength int32 // bytes of a value of FixedLenByteArray
	Repetition Repetition
	Logical    Logical
	FieldID    int32  // -1 if the file gives none
	MaxDef     int    // definition level of a value that is there
	MaxRep     int    // repetition level of the deepest list
	ElementDef int    // definition level from which the deepest list has an element; 0 without a list
	Problem    string // why the column's declaration is not usable, or ""
	Order      Order  // how its values compare
}

// Flat reports whether the column is in no group, and a row holds exactly one
// value or null of it.
func (c *Column) Flat() bool { return len(c.Path) == 1 && c.MaxRep == 0 }

// Repeated reports whether a row may hold any number of the column's values.
func (c *Column) Repeated() bool { return c.MaxRep > 0 }

// Width is the number of bytes that a value takes in memory, -1 for byte
// arrays. Booleans take one.
func (c *Column) Width() int {
	switch c.Type {
	case Boolean:
		return 1
	case Int32, Float:
		return 4
	case Int64, Double:
		return 8
	case Int96:
		return 12
	case FixedLenByteArray:
		return int(c.TypeLength)
	}
	return -1
}

// TypeName renders the physical and the logical type for people.
func (c *Column) TypeName() string {
	s := c.Type.String()
	if c.Type == FixedLenByteArray {
		s = fmt.Sprintf("%s(%d)", s, c.TypeLength)
	}
	if l := c.Logical.String(); l != "" {
		s += " " + l
	}
	return s
}

// Lookup finds a leaf by its dotted name: exactly, else without regard to
// case if only one leaf matches that way. ambiguous names the candidates when
// several do.
func (s *Schema) Lookup(name string) (col *Column, ambiguous []string) {
	var folded []*Column
	for _, c := range s.Columns {
		if c.Name == name {
			return c, nil
		}
		if strings.EqualFold(c.Name, name) {
			folded = append(folded, c)
		}
	}
	if len(folded) == 1 {
		return folded[0], nil
	}
	for _, c := range folded {
		ambiguous = append(ambiguous, c.Name)
	}
	return nil, ambiguous
}

// LookupNode finds the node that a dotted name leads to, a leaf or a group:
// exactly, else without regard to case if only one matches that way. ambiguous
// names the candidates when several do.
func (s *Schema) LookupNode(name string) (n *Node, ambiguous []string) {
	var found []*Node
	same := func(a, b string) bool { return a == b }
	s.Root.find(name, "", same, func(n *Node, _ string) { found = append(found, n) })
	if len(found) > 0 {
		return found[0], nil
	}
	s.Root.find(name, "", strings.EqualFold, func(n *Node, path string) {
		found, ambiguous = append(found, n), append(ambiguous, path)
	})
	if len(found) == 1 {
		return found[0], nil
	}
	return nil, ambiguous
}

// find calls f with the nodes below n that a name leads to, and their paths.
// Names may have dots themselves.
func (n *Node) find(name, path string, same func(a, b string) bool, f func(n *Node, path string)) {
	for _, c := range n.Children {
		switch k := len(c.Name); {
		case len(name) == k && same(name, c.Name):
			f(c, path+c.Name)
		case c.Column == nil && len(name) > k && name[k] == '.' && same(name[:k], c.Name):
			c.find(name[k+1:], path+c.Name+".", same, f)
		}
	}
}

// Path is the node's dotted name: the names from below the root down to it.
func (n *Node) Path() string {
	if n.Parent == nil || n.Parent.Parent == nil {
		return n.Name
	}
	return n.Parent.Path() + "." + n.Name
}

// NodeOf is the node of a column.
func (s *Schema) NodeOf(c *Column) *Node {
	n := s.Root
	for n.Column != c {
		i := len(n.Children) - 1
		for ; i > 0 && n.Children[i].first() > c.Index; i-- {
		}
		n = n.Children[i]
	}
	return n
}

// first is the index of the first column at or below the node, or one that is
// larger than any if there is none.
func (n *Node) first() int {
	first := math.MaxInt
	n.Leaves(func(c *Column) { first = min(first, c.Index) })
	return first
}

// Leaves calls f for each column at or below the node, in file order.
func (n *Node) Leaves(f func(*Column)) {
	if n.Column != nil {
		f(n.Column)
	}
	for _, c := range n.Children {
		c.Leaves(f)
	}
}
