package column

import (
	"github.com/apache/arrow-go/v18/arrow"

	"github.com/parequet/pare/metadata"
)

// Tree is how Arrow holds a node of the schema: a column, a struct, a list or a
// map, and what is inside it.
//
// The array of a tree has a slot for each element of the list that it is in, or
// for each row. Such slots are the levels of any of its columns whose repetition
// level is at most rep and whose definition level is at least element.
type Tree struct {
	Field  arrow.Field
	kind   kind
	column *metadata.Column // of a leaf
	kids   []*Tree          // of a list the one of its elements, of a map that of its entries
	def    int              // definition level from which it is not null, if its field is nullable
	in     depth            // of the list that it is in
	inner  depth            // of a list: that of its elements
	// witness is the column whose levels tell where a struct is null and where
	// the elements of a list are.
	witness *metadata.Column
}

type kind uint8

const (
	leaf kind = iota
	structs
	lists
	maps
)

// depth says which levels are slots: repetition levels up to rep, definition
// levels from element on.
type depth struct{ rep, element int }

// NewTree makes the tree of a node that is in no list. Only the columns that
// wanted lets through are in it. It is nil if none is.
//
// Lists and maps are those of
// https://github.com/apache/parquet-format/blob/master/LogicalTypes.md#nested-types
// with the rules for older files.
func NewTree(n *metadata.Node, wanted func(*metadata.Column) bool, opt ArrowOptions) *Tree {
	b := treeBuilder{wanted: wanted, opt: opt}
	t := b.node(n, depth{})
	if t != nil {
		t.Field.Nullable = t.def > 0 // or a group that it is in is optional
	}
	return t
}

type treeBuilder struct {
	wanted func(*metadata.Column) bool
	opt    ArrowOptions
	maps   int // that the node is in
}

// maxMaps is how many maps may lie in each other. To make an array.Map makes
// what is in it twice; maps that are deeper are lists of structs.
const maxMaps = 8

// node makes the tree of a node. One that is repeated, but not the inner part
// of a list or map, is a list that is never null.
func (b *treeBuilder) node(n *metadata.Node, in depth) *Tree {
	if n.Repetition != metadata.Repeated {
		return b.body(n, in)
	}
	inner := depth{n.Rep, n.Def}
	return b.list(n, n.Def-1, in, inner, b.body(n, inner))
}

// body makes the tree of a node as if it were not repeated.
func (b *treeBuilder) body(n *metadata.Node, in depth) *Tree {
	if n.Column != nil {
		return b.leaf(n, in)
	}
	if len(n.Children) == 1 && n.Children[0].Repetition == metadata.Repeated {
		r := n.Children[0]
		inner := depth{r.Rep, r.Def}
		switch n.Logical.Kind {
		case metadata.Map:
			if len(r.Children) == 2 {
				return b.entries(n, r, in, inner)
			}
			fallthrough // a set of keys, or what is no map, is a list
		case metadata.List:
			return b.list(n, n.Def, in, inner, b.element(n, r, inner))
		}
	}
	return b.group(n, in)
}

// element makes the tree of a list's elements; r is the repeated node in it.
func (b *treeBuilder) element(n, r *metadata.Node, inner depth) *Tree {
	if r.Column != nil || len(r.Children) != 1 || r.Children[0].Repetition == metadata.Repeated ||
		r.Name == "array" || r.Name == n.Name+"_tuple" || r.Logical.Kind == metadata.List || r.Logical.Kind == metadata.Map && n.Logical.Kind != metadata.Map {
		return b.body(r, inner)
	}
	return b.node(r.Children[0], inner)
}

func (b *treeBuilder) leaf(n *metadata.Node, in depth) *Tree {
	if !b.wanted(n.Column) {
		return nil
	}
	f := Field(n.Column, b.opt)
	f.Nullable = n.Repetition == metadata.Optional
	return &Tree{Field: f, column: n.Column, def: n.Def, in: in, witness: n.Column}
}

func (b *treeBuilder) group(n *metadata.Node, in depth) *Tree {
	t := &Tree{kind: structs, def: n.Def, in: in}
	var fields []arrow.Field
	for _, c := range n.Children {
		kid := b.node(c, in)
		if kid == nil {
			continue
		}
		t.kids = append(t.kids, kid)
		fields = append(fields, kid.Field)
		if t.witness == nil || kid.witness.MaxRep < t.witness.MaxRep {
			t.witness = kid.witness
		}
	}
	if t.kids == nil {
		return nil
	}
	t.Field = arrow.Field{Name: n.Name, Type: arrow.StructOf(fields...), Nullable: n.Repetition == metadata.Optional}
	return t
}

func (b *treeBuilder) list(n *metadata.Node, def int, in, inner depth, element *Tree) *Tree {
	if element == nil {
		return nil
	}
	return &Tree{kind: lists, def: def, in: in, inner: inner, kids: []*Tree{element}, witness: element.witness,
		Field: arrow.Field{Name: n.Name, Type: arrow.ListOfField(element.Field), Nullable: n.Repetition == metadata.Optional}}
}

// entries makes the tree of a map. Arrow has no maps whose keys may be null: such
// a map, and one of which only keys or values are wanted, is a list of structs.
func (b *treeBuilder) entries(n, r *metadata.Node, in, inner depth) *Tree {
	b.maps++
	defer func() { b.maps-- }()
	entry := b.group(r, inner)
	t := b.list(n, n.Def, in, inner, entry)
	if t == nil || len(entry.kids) != 2 || entry.kids[0].Field.Nullable || entry.kids[0].Field.Type.ID() == arrow.NULL || b.maps > maxMaps {
		return t
	}
	t.kind = maps
	key, value := &entry.kids[0].Field, &entry.kids[1].Field
	typ := arrow.MapOfFields(*key, *value)
	key.Name, value.Name = "key", "value"
	entry.Field.Type = typ.Elem()
	t.Field.Type = typ
	return t
}

// Columns calls f for each column in the tree, in file order.
func (t *Tree) Columns(f func(*metadata.Column)) {
	if t.kind == leaf {
		f(t.column)
	}
	for _, k := range t.kids {
		k.Columns(f)
	}
}

// Witnesses calls f for each column whose levels the tree needs.
func (t *Tree) Witnesses(f func(*metadata.Column)) {
	if t.kind != leaf && (t.Field.Nullable || t.kind != structs) {
		f(t.witness)
	}
	for _, k := range t.kids {
		k.Witnesses(f)
	}
}
