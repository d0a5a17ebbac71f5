package column

import (
	"bytes"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/parequet/pare/internal/encoding"
	"github.com/parequet/pare/internal/membuf"
	"github.com/parequet/pare/metadata"
)

// Leaf is what a tree is assembled from: the array of a column and, where the
// tree needs them, its levels.
type Leaf struct {
	Array    arrow.Array
	Rep, Def []uint8
}

// Assemble makes the array of the tree from its leaves, for so many rows. The
// leaves stay the caller's.
func (t *Tree) Assemble(rows int, leaves map[*metadata.Column]Leaf) (arrow.Array, error) {
	data, err := t.data(rows, 0, leaves)
	if err != nil {
		return nil, err
	}
	defer data.Release()
	return array.MakeFromData(data), nil
}

// data makes the data of the tree's array, which has so many slots by what it
// is in; in so many of them that is null.
func (t *Tree) data(slots, nulls int, leaves map[*metadata.Column]Leaf) (arrow.ArrayData, error) {
	switch t.kind {
	case leaf:
		return t.leafData(slots, nulls, leaves[t.column])
	case structs:
		return t.structData(slots, nulls, leaves)
	}
	return t.listData(slots, leaves)
}

// differ says that two columns of a group do not have the same elements.
func (t *Tree) differ(got, want int) error {
	return &metadata.FormatError{Piece: "column " + t.witness.Name, Offset: -1,
		Msg: fmt.Sprintf("it has %d elements where the columns beside it have %d", got, want)}
}

func (t *Tree) leafData(slots, nulls int, l Leaf) (arrow.ArrayData, error) {
	d := l.Array.Data()
	if d.Len() != slots {
		return nil, t.differ(d.Len(), slots)
	}
	if t.Field.Nullable || d.DataType().ID() == arrow.NULL {
		d.Retain()
		return d, nil
	}
	if d.NullN() != nulls {
		return nil, &metadata.FormatError{Piece: "column " + t.column.Name, Offset: -1,
			Msg: fmt.Sprintf("%d values are missing where the group that it is in is NULL %d times", d.NullN(), nulls)}
	}
	if d.NullN() == 0 || d.Dictionary() != nil { // which may have no value that a null slot's index leads to
		d.Retain()
		return d, nil
	}
	// Its nulls are those of the group that it is in.
	buffers := append([]*memory.Buffer{nil}, d.Buffers()[1:]...)
	return array.NewData(d.DataType(), slots, buffers, nil, 0, 0), nil
}

func (t *Tree) structData(slots, nulls int, leaves map[*metadata.Column]Leaf) (arrow.ArrayData, error) {
	var valid *memory.Buffer
	own := 0
	if t.Field.Nullable {
		bits, n, present := t.slots(leaves[t.witness], slots)
		if n != slots {
			membuf.Put(bits)
			return nil, t.differ(n, slots)
		}
		nulls = slots - present
		if own = nulls; own > 0 {
			valid = owned(bits)
			defer valid.Release()
		} else {
			membuf.Put(bits)
		}
	}
	kids, err := t.kidData(slots, nulls, leaves)
	if err != nil {
		return nil, err
	}
	defer release(kids)
	return array.NewData(t.Field.Type, slots, []*memory.Buffer{valid}, kids, own, 0), nil
}

func (t *Tree) kidData(slots, nulls int, leaves map[*metadata.Column]Leaf) (kids []arrow.ArrayData, err error) {
	for _, k := range t.kids {
		d, err := k.data(slots, nulls, leaves)
		if err != nil {
			release(kids)
			return nil, err
		}
		kids = append(kids, d)
	}
	return kids, nil
}

func release(ds []arrow.ArrayData) {
	for _, d := range ds {
		d.Release()
	}
}

// slots returns a bit for each of the tree's slots, 1 where it is not null, how
// many slots there are, and how many bits are 1.
func (t *Tree) slots(l Leaf, expected int) (bits []byte, n, present int) {
	bits = membuf.Get((expected + 7) / 8)
	clear(bits)
	def, element := uint8(t.def), uint8(t.in.element)
	if len(l.Rep) == 0 { // a level for each row
		if len(l.Def) > expected {
			return bits, len(l.Def), 0
		}
		return bits, len(l.Def), encoding.SetFrom(bits, 0, l.Def, def)
	}
	rep := uint8(t.in.rep)
	for i, d := range l.Def {
		if l.Rep[i] > rep || d < element {
			continue
		}
		if n == expected {
			return bits, n + 1, present
		}
		if d >= def {
			bits[n>>3] |= 1 << (n & 7)
			present++
		}
		n++
	}
	return bits, n, present
}

func (t *Tree) listData(slots int, leaves map[*metadata.Column]Leaf) (arrow.ArrayData, error) {
	l := leaves[t.witness]
	offsets := membuf.GrowOf[int32](nil, slots+1)[:slots+1]
	var bits []byte
	if t.Field.Nullable {
		bits = membuf.Get((slots + 7) / 8)
		clear(bits)
	}
	n, elements, present := t.lists(l, offsets, bits)
	if n != slots {
		membuf.PutOf(offsets)
		membuf.Put(bits)
		return nil, t.differ(n, slots)
	}
	buffers := []*memory.Buffer{nil, owned(arrow.Int32Traits.CastToBytes(offsets))}
	nulls := 0
	if t.Field.Nullable {
		if nulls = slots - present; nulls > 0 {
			buffers[0] = owned(bits)
		} else {
			membuf.Put(bits)
		}
	}
	defer func() {
		for _, b := range buffers {
			if b != nil {
				b.Release()
			}
		}
	}()
	kids, err := t.kidData(elements, 0, leaves)
	if err != nil {
		return nil, err
	}
	defer release(kids)
	return array.NewData(t.Field.Type, slots, buffers, kids, nulls, 0), nil
}

// lists fills in where the elements of each list begin and end, and a bit for
// each, 1 where it is not null, if bits is not nil. It returns how many lists,
// elements and bits of 1 there are; if there are not as many lists as there is
// room for, only how many.
func (t *Tree) lists(l Leaf, offsets []int32, bits []byte) (n, elements, present int) {
	rep, in := uint8(t.inner.rep), uint8(t.in.element)
	element, def := uint8(t.inner.element), uint8(t.def)
	reps := l.Rep[:len(l.Def)]
	if n = t.count(l); n != len(offsets)-1 {
		return n, 0, 0
	}
	n = 0
	for i, d := range l.Def { // without branches: none can be foretold
		r := reps[i]
		begins, there, valid := 0, 0, 0
		if r < rep {
			begins = 1
		}
		if d < in {
			begins = 0
		}
		if d >= element {
			there = 1
		}
		if r > rep {
			there = 0
		}
		if d >= def {
			valid = begins
		}
		offsets[n] = int32(elements)
		if bits != nil && n>>3 < len(bits) {
			bits[n>>3] |= byte(valid << (n & 7))
		}
		n += begins
		elements += there
		present += valid
	}
	offsets[n] = int32(elements)
	return n, elements, present
}

// count counts the lists of the tree.
func (t *Tree) count(l Leaf) (n int) {
	rep, in := uint8(t.inner.rep), uint8(t.in.element)
	if rep == 1 {
		return bytes.Count(l.Rep, []byte{0}) // what is in no list is there in every row
	}
	for i, d := range l.Def {
		begins := 0
		if l.Rep[i] < rep {
			begins = 1
		}
		if d < in {
			begins = 0
		}
		n += begins
	}
	return n
}
