package pare_test

import (
	"encoding/binary"
	"math"
	"math/bits"
	"strings"

	"pgregory.net/rapid"

	"github.com/parequet/pare/metadata"
)

// A writer of random nested files, from the format's description: it shreds
// random records into levels and cuts these into pages wherever it likes.

// nestKind says what a node of a random schema is.
type nestKind int

const (
	nestLeaf nestKind = iota
	nestStruct
	nestList // three levels: the element may be null
	nestTwo  // LIST whose repeated node is the element
	nestBare // repeated without annotation
	nestMap
)

// nest is a node of a random schema, as Arrow sees it. Values of it are nil,
// an int64, float64, bool or string, or a []any of fields or elements.
type nest struct {
	kind     nestKind
	name     string
	path     []string // of a leaf, in the file
	nullable bool
	typ      metadata.Type
	kids     []*nest // of lists the element, of maps key and value
	rep, def int     // levels of the node, of a list those of its elements
	oldMap   bool    // MAP_KEY_VALUE
	column   int     // of a leaf: its index
	next     *int64  // of a leaf that counts its rows: the next number

	rows []nestEntry // of a leaf: its levels in the row group
}

// nestEntry is a level of a leaf, and the value if there is one.
type nestEntry struct {
	rep, def int
	value    any
}

// drawNest draws a node; its name is unique among its neighbours.
func drawNest(t *rapid.T, name string, depth int) *nest {
	n := &nest{name: name, nullable: rapid.Bool().Draw(t, "nullable")}
	kinds := []nestKind{nestLeaf, nestStruct, nestList, nestList, nestTwo, nestBare, nestMap}
	if depth == 0 {
		kinds = kinds[:1]
	}
	n.kind = rapid.SampledFrom(kinds).Draw(t, "kind")
	switch n.kind {
	case nestLeaf:
		n.typ = rapid.SampledFrom([]metadata.Type{metadata.Int64, metadata.Int32, metadata.ByteArray, metadata.Boolean, metadata.Double}).Draw(t, "type")
	case nestStruct:
		for i := range rapid.IntRange(1, 3).Draw(t, "fields") {
			n.kids = append(n.kids, drawNest(t, string(rune('a'+i)), depth-1))
		}
	case nestMap:
		key := &nest{name: "key", typ: metadata.ByteArray}
		n.kids = []*nest{key, drawNest(t, "value", depth-1)}
		n.oldMap = rapid.Bool().Draw(t, "old map")
	default:
		n.kids = []*nest{drawNest(t, "element", depth-1)}
		if k := n.kids[0]; n.kind != nestList { // the repeated node is the element
			k.asRepeated(n)
		} else if k.kind == nestBare { // which would make the node between them the element
			k.kind = nestTwo
			k.kids[0].asRepeated(k)
		}
		n.nullable = n.nullable && n.kind != nestBare
	}
	return n
}

// asRepeated makes a node the repeated one of a list of two levels or of one.
func (n *nest) asRepeated(list *nest) {
	n.nullable = false
	if list.kind == nestBare {
		n.name = list.name
	}
	switch n.kind {
	case nestList, nestTwo, nestBare, nestMap:
		// What is repeated and a list in a list is told from three levels by rules
		// that have a test of their own.
		n.kind, n.kids = nestLeaf, nil
		n.typ = metadata.Int64
	case nestStruct:
		if list.kind == nestTwo && len(n.kids) == 1 {
			n.name = "array" // else it is taken for three levels
		}
	}
}

// levels numbers the leaves and gives every node its levels.
func (n *nest) levels(path []string, rep, def int, leaves *[]*nest) {
	if n.nullable {
		def++
	}
	n.rep, n.def = rep, def
	switch n.kind {
	case nestLeaf:
		n.path = append(append([]string{}, path...), n.name)
		n.column = len(*leaves)
		*leaves = append(*leaves, n)
		return
	case nestStruct:
		path = append(path, n.name)
	case nestList:
		path = append(path, n.name, "list")
	case nestTwo:
		path = append(path, n.name)
	case nestMap:
		path = append(path, n.name, "entries")
	}
	if n.kind != nestStruct {
		n.rep, n.def = rep+1, def+1
	}
	for _, k := range n.kids {
		k.levels(path, n.rep, n.def, leaves)
	}
}

// schema writes the node's schema elements, and returns how many they are.
func (n *nest) schema(w *thriftWriter, count *int, repeated bool) {
	repetition := metadata.Required
	switch {
	case repeated:
		repetition = metadata.Repeated
	case n.nullable:
		repetition = metadata.Optional
	}
	element := func(name string, r metadata.Repetition, kids int, more func(w *thriftWriter)) {
		*count++
		w.elem(func(w *thriftWriter) {
			if kids == 0 {
				w.i32(1, int32(n.typ))
			}
			w.i32(3, int32(r))
			w.bytes(4, txt(name))
			if kids > 0 {
				w.i32(5, int32(kids))
			}
			if more != nil {
				more(w)
			}
		})
	}
	asList := func(w *thriftWriter) { w.i32(6, 3) }
	switch n.kind {
	case nestLeaf:
		var more func(w *thriftWriter)
		if n.typ == metadata.ByteArray {
			more = asString
		}
		element(n.name, repetition, 0, more)
	case nestStruct:
		element(n.name, repetition, len(n.kids), nil)
		for _, k := range n.kids {
			k.schema(w, count, false)
		}
	case nestList:
		element(n.name, repetition, 1, asList)
		element("list", metadata.Repeated, 1, nil)
		n.kids[0].schema(w, count, false)
	case nestTwo:
		element(n.name, repetition, 1, asList)
		n.kids[0].schema(w, count, true)
	case nestBare:
		n.kids[0].schema(w, count, true)
	case nestMap:
		element(n.name, repetition, 1, func(w *thriftWriter) {
			if w.i32(6, 1); n.oldMap {
				w.b[len(w.b)-1] = 4 // MAP_KEY_VALUE, zigzag
			}
		})
		element("entries", metadata.Repeated, 2, nil)
		for _, k := range n.kids {
			k.schema(w, count, false)
		}
	}
}

// draw draws a value of the node.
func (n *nest) draw(t *rapid.T) any {
	if n.nullable && rapid.IntRange(0, 3).Draw(t, "null") == 0 {
		return nil
	}
	switch n.kind {
	case nestLeaf:
		if n.next != nil {
			*n.next++
			return *n.next - 1
		}
		v := rapid.Int64Range(-5, 5).Draw(t, "value")
		switch n.typ {
		case metadata.Boolean:
			return v > 0
		case metadata.Double:
			return float64(v) / 2
		case metadata.ByteArray:
			return strings.Repeat(string(rune('k'+v)), int(v+5)%4)
		}
		return v
	case nestStruct:
		out := make([]any, len(n.kids))
		for i, k := range n.kids {
			out[i] = k.draw(t)
		}
		return out
	}
	out := []any{}
	for range rapid.SampledFrom([]int{0, 1, 2, 3, 3, 9}).Draw(t, "elements") {
		if n.kind == nestMap {
			out = append(out, []any{n.kids[0].draw(t), n.kids[1].draw(t)})
		} else {
			out = append(out, n.kids[0].draw(t))
		}
	}
	return out
}

// shred appends a value to the leaves, at these levels.
func (n *nest) shred(v any, rep, def int) {
	if n.nullable {
		if v == nil {
			n.shredNull(rep, def)
			return
		}
		def++
	}
	switch n.kind {
	case nestLeaf:
		n.rows = append(n.rows, nestEntry{rep, def, v})
	case nestStruct:
		for i, k := range n.kids {
			k.shred(v.([]any)[i], rep, def)
		}
	default:
		for i, e := range v.([]any) {
			if i > 0 {
				rep = n.rep
			}
			if n.kind == nestMap {
				n.kids[0].shred(e.([]any)[0], rep, def+1)
				n.kids[1].shred(e.([]any)[1], rep, def+1)
			} else {
				n.kids[0].shred(e, rep, def+1)
			}
		}
		if len(v.([]any)) == 0 {
			n.shredNull(rep, def)
		}
	}
}

// shredNull appends that nothing is there to the leaves below.
func (n *nest) shredNull(rep, def int) {
	if n.kind == nestLeaf {
		n.rows = append(n.rows, nestEntry{rep, def, nil})
	}
	for _, k := range n.kids {
		k.shredNull(rep, def)
	}
}

// nestLayout says how the levels of a file are cut into pages.
type nestLayout struct {
	v2, index, aligned, dict, legacy bool
	codec                            metadata.Codec
	most                             int // levels of a page
	offsets                          func(leaf *nest, x *metadata.OffsetIndex)
}

// nestPage is a page of a leaf: its levels, and its first row as an offset index
// counts them.
type nestPage struct {
	entries  []nestEntry
	firstRow int64
}

// pages cuts a leaf's levels.
func (n *nest) pages(t *rapid.T, l nestLayout) (out []nestPage) {
	row := int64(0)
	for from := 0; from < len(n.rows); {
		to := from + rapid.IntRange(1, l.most).Draw(t, "levels of a page")
		for l.aligned && to < len(n.rows) && n.rows[to].rep > 0 {
			to++
		}
		p := nestPage{n.rows[from:min(to, len(n.rows))], row}
		for _, e := range p.entries {
			if e.rep == 0 {
				row++
			}
		}
		out = append(out, p)
		from = to
	}
	return out
}

// hybrid encodes levels as runs of one kind or the other.
func hybrid(levels []int, most int, packed bool) (out []byte) {
	width := bits.Len(uint(most))
	if packed {
		groups := (len(levels) + 7) / 8
		out = binary.AppendUvarint(out, uint64(groups)<<1|1)
		return append(out, packLevels(levels, width, groups*width, false)...)
	}
	for len(levels) > 0 {
		k := 1
		for k < len(levels) && levels[k] == levels[0] {
			k++
		}
		out = append(binary.AppendUvarint(out, uint64(k)<<1), byte(levels[0]))
		levels = levels[k:]
	}
	return out
}

// packLevels packs levels into size bytes, least significant bit first or, as
// the old BIT_PACKED has it, most significant bit first.
func packLevels(levels []int, width, size int, msb bool) []byte {
	out := make([]byte, size)
	at := 0
	for _, v := range levels {
		for b := range width {
			if msb {
				out[at/8] |= byte(v>>(width-1-b)&1) << (7 - at%8)
			} else {
				out[at/8] |= byte(v>>b&1) << (at % 8)
			}
			at++
		}
	}
	return out
}

// plainValue encodes a value; booleans take a byte here.
func (n *nest) plainValue(out []byte, v any) []byte {
	switch n.typ {
	case metadata.Int64:
		return binary.LittleEndian.AppendUint64(out, uint64(v.(int64)))
	case metadata.Int32:
		return binary.LittleEndian.AppendUint32(out, uint32(v.(int64)))
	case metadata.Double:
		return binary.LittleEndian.AppendUint64(out, math.Float64bits(v.(float64)))
	}
	return append(binary.LittleEndian.AppendUint32(out, uint32(len(v.(string)))), v.(string)...)
}
