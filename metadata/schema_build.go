package metadata

import (
	"fmt"
	"slices"
	"strings"
)

// schemaElement is one entry of the depth-first list that a footer holds.
type schemaElement struct {
	typ        int32
	length     int32
	repetition int32
	name       string
	children   int32
	converted  int32
	scale      int32
	precision  int32
	fieldID    int32
	logical    Logical
	hasLogical bool
}

func parseSchemaElement(r *thriftReader) schemaElement {
	e := schemaElement{typ: int32(noType), converted: -1, fieldID: -1}
	r.eachField(func(id int16, typ byte) bool {
		switch id {
		case 1:
			return r.i32(typ, &e.typ)
		case 2:
			return r.i32(typ, &e.length)
		case 3:
			return r.i32(typ, &e.repetition)
		case 4:
			return r.string(typ, &e.name)
		case 5:
			return r.i32(typ, &e.children)
		case 6:
			return r.i32(typ, &e.converted)
		case 7:
			return r.i32(typ, &e.scale)
		case 8:
			return r.i32(typ, &e.precision)
		case 9:
			return r.i32(typ, &e.fieldID)
		case 10:
			if typ != tStruct {
				return false
			}
			e.logical = parseLogical(r)
			e.hasLogical = e.logical.Kind != NoLogical
			return true
		}
		return false
	})
	return e
}

const maxSchemaDepth = 1000

// MaxLevel is the greatest definition or repetition level of a column that can
// be read: levels take a byte in memory.
const MaxLevel = 255

// buildSchema turns the depth-first list into a tree. Elements left over after
// the root's subtree are ignored, as other readers do.
func buildSchema(elems []schemaElement, footer int) (*Schema, error) {
	if len(elems) == 0 {
		return nil, formatErr("footer", -1, "the schema is empty")
	}
	s := &Schema{}
	b := schemaBuilder{elems: elems, schema: s, limit: min(maxNameBytes, 16*footer) + namesPerByte*footer}
	root, err := b.node(levels{}, 0)
	if err != nil {
		return nil, err
	}
	if root.Column != nil && root.Column.Type != noType {
		return nil, formatErr("footer", -1, "the schema's root %q is a column, not a group", root.Name)
	}
	s.Root = root
	return s, nil
}

type schemaBuilder struct {
	elems  []schemaElement
	next   int
	path   []string // names from below the root to the current node
	schema *Schema
	names  int // bytes of dotted names so far
	limit  int // of names
}

// Dotted names of all columns together may take so many bytes for each byte of
// the footer, and so many in all: a long name of a group is repeated in each of
// its leaves.
const (
	namesPerByte = 4
	maxNameBytes = 1 << 20
)

// levels are those of a node: its definition and repetition level, and the
// definition level of the last repeated node on the way to it.
type levels struct{ def, rep, element int }

func (b *schemaBuilder) node(at levels, depth int) (*Node, error) {
	if b.next >= len(b.elems) {
		return nil, formatErr("footer", -1, "the schema ends inside a group")
	}
	if depth > maxSchemaDepth {
		return nil, formatErr("footer", -1, "the schema nests deeper than %d", maxSchemaDepth)
	}
	e := b.elems[b.next]
	b.next++
	n := &Node{Name: e.name, Repetition: Repetition(e.repetition), FieldID: e.fieldID, Logical: e.logical}
	// parquet-mr writes INTERVAL, which has no logical type, as UNKNOWN with
	// its converted type beside.
	if !e.hasLogical || e.logical.Kind == Null && e.converted == convertedInterval {
		n.Logical = convertedLogical(e.converted, e.precision, e.scale)
	}
	if depth > 0 {
		b.path = append(b.path, e.name)
		defer func() { b.path = b.path[:len(b.path)-1] }()
		switch n.Repetition {
		case Required:
		case Optional:
			at.def++
		case Repeated:
			at.def++
			at.rep++
			at.element = at.def
		default:
			return nil, formatErr("footer", -1, "column %q has an unknown repetition %d", strings.Join(b.path, "."), e.repetition)
		}
	}
	n.Def, n.Rep = at.def, at.rep
	if e.typ == int32(noType) || e.children > 0 || depth == 0 {
		if e.children < 0 || int(e.children) > len(b.elems)-b.next {
			return nil, formatErr("footer", -1, "group %q claims %d children, %d elements are left", e.name, e.children, len(b.elems)-b.next)
		}
		for range e.children {
			c, err := b.node(at, depth+1)
			if err != nil {
				return nil, err
			}
			c.Parent = n
			n.Children = append(n.Children, c)
		}
		return n, nil
	}
	for _, name := range b.path {
		b.names += len(name) + 1
	}
	if b.names > b.limit {
		return nil, formatErr("footer", -1, "the columns' names take more than %d bytes", b.limit)
	}
	c := &Column{Index: len(b.schema.Columns), Path: slices.Clone(b.path), Name: strings.Join(b.path, "."), Type: Type(e.typ), TypeLength: e.length,
		Repetition: n.Repetition, Logical: n.Logical, FieldID: e.fieldID, MaxDef: at.def, MaxRep: at.rep, ElementDef: at.element}
	c.settle()
	n.Column = c
	b.schema.Columns = append(b.schema.Columns, c)
	return n, nil
}

// NewColumn makes an optional column of its own, as those are that are in no file.
func NewColumn(name string, typ Type, logical Logical) *Column {
	c := &Column{Path: []string{name}, Name: name, Type: typ, Repetition: Optional, Logical: logical, FieldID: -1, MaxDef: 1}
	c.settle()
	return c
}

// settle judges the column's declaration and derives its order.
func (c *Column) settle() {
	switch {
	case c.Type < Boolean || c.Type > FixedLenByteArray:
		c.Problem = fmt.Sprintf("unknown physical type %d", c.Type)
	case c.MaxDef > MaxLevel:
		c.Problem = fmt.Sprintf("it lies in more than %d groups that are optional or repeated", MaxLevel)
	case c.Type == FixedLenByteArray && c.TypeLength < 0:
		c.Problem = fmt.Sprintf("FIXED_LEN_BYTE_ARRAY of %d bytes", c.TypeLength)
	default:
		c.Problem = c.Logical.fits(c.Type, c.TypeLength)
	}
	c.Order = orderOf(c)
}
