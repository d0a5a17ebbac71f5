// Package column turns pages and row ranges into vectors of values, vectors
// into Arrow arrays, and a predicate over vectors into the rows that really
// match.
package column

import (
	"github.com/apache/arrow-go/v18/arrow"

	"github.com/parequet/pare/internal/encoding"
	"github.com/parequet/pare/internal/membuf"
	"github.com/parequet/pare/internal/page"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/predicate"
)

// Vector holds values of one column: a slot for each row, or for each element of
// the deepest list that a repeated column is in. Null slots are zero. Its memory
// is reused by Reset.
type Vector struct {
	Column *metadata.Column
	Width  int // bytes of a value in Fixed; -1 if values are in Binary
	Rows   int // slots
	Nulls  int
	Valid  []byte // validity bitmap of an optional column, least significant bit first
	Fixed  []byte // Rows × Width bytes, little-endian; booleans take a byte
	Binary encoding.ByteArrays

	// Levels of each row, of a repeated column of each element and of each list
	// that is empty or null; if KeepLevels is set.
	Rep, Def   []uint8
	KeepLevels bool
	levels     int // of a repeated column: how many there were

	// Instead of values, indices into a dictionary; see AppendIndices.
	dict     *page.Dictionary // nil if the vector holds values
	indices  []uint32
	tables   map[predicate.Leaf][]byte // which of tablesOf's values pass a leaf
	tablesOf *page.Dictionary
	values   arrow.Array // valuesOf's, as Arrow has them
	valuesOf *page.Dictionary

	perRow estimate
}

// estimate is what is reserved: what was found last.
type estimate struct {
	bytes  float64 // of a byte array, by slots
	levels float64 // of a repeated column's row
}

// Expect says what a row may have: how many levels, of a repeated column, and how
// many bytes each slot, of byte arrays.
func (v *Vector) Expect(levels, bytes float64) { v.perRow = estimate{bytes, levels} }

// NewVector makes an empty vector for a column. Binary.Limit bounds the bytes
// of its values, of whatever width; beyond it [encoding.ErrFull] is returned.
func NewVector(col *metadata.Column) *Vector {
	v := &Vector{Column: col, Width: col.Width()}
	v.Reset()
	return v
}

// Reset empties the vector and keeps its memory.
func (v *Vector) Reset() {
	v.Rows, v.Nulls = 0, 0
	v.Valid, v.Fixed = v.Valid[:0], v.Fixed[:0]
	v.dict, v.indices = nil, v.indices[:0]
	if v.Width < 0 {
		v.Binary.Reset()
	}
	v.Rep, v.Def, v.levels = v.Rep[:0], v.Def[:0], 0
}

// Levels is how many levels a repeated column's slots come from: elements, and
// lists that are empty or null.
func (v *Vector) Levels() int { return v.levels }

// Forget empties the vector and lets go of its memory, which an Arrow array
// now owns. The levels stay.
func (v *Vector) Forget() {
	if v.Width < 0 && v.Rows > 0 {
		v.perRow.bytes = float64(len(v.Binary.Data)) / float64(v.Rows)
	}
	v.Valid, v.Fixed, v.Binary = nil, nil, encoding.ByteArrays{Limit: v.Binary.Limit}
	rep, def, levels := v.Rep, v.Def, v.levels
	v.Reset()
	v.Rep, v.Def, v.levels = rep, def, levels
}

// Free gives the vector's memory back. The vector is empty afterwards.
func (v *Vector) Free() {
	membuf.Put(v.Valid)
	membuf.Put(v.Fixed)
	membuf.Put(v.Binary.Data)
	membuf.PutOf(v.Binary.Offsets)
	membuf.PutOf(v.indices)
	membuf.Put(v.Rep)
	membuf.Put(v.Def)
	v.indices, v.Rep, v.Def = nil, nil, nil
	if v.values != nil {
		v.values.Release()
		v.values, v.valuesOf = nil, nil
	}
	v.Forget()
}

// wideValue is the width of fixed-length values above which nothing is
// reserved before a page has shown that it holds such values: the width is
// only the footer's claim.
const wideValue = 1 << 16

// maxReserve bounds the bytes that are reserved for byte arrays before they
// have been seen.
const maxReserve = 16 << 20

// Reserve makes room for rows more rows. It fails with [encoding.ErrFull] if
// values of fixed width would take more than Binary.Limit allows.
func (v *Vector) Reserve(rows int) error {
	if v.Column.Repeated() {
		rows = min(int(v.perRow.levels*float64(rows)*1.05), maxReserve/max(1, v.Width))
		if v.KeepLevels {
			v.Rep, v.Def = membuf.Grow(v.Rep, rows), membuf.Grow(v.Def, rows)
		}
	} else if limit := v.Binary.Limit; limit > 0 && v.Width > 0 && v.Rows+rows > limit/v.Width {
		return encoding.ErrFull
	}
	if v.Column.MaxDef > 0 {
		v.Valid = membuf.Grow(v.Valid, (v.Rows+rows+7)/8-len(v.Valid))
	}
	if v.Width >= 0 && v.Width <= wideValue {
		v.Fixed = membuf.Grow(v.Fixed, rows*v.Width)
	} else if v.Width < 0 {
		v.Binary.GrowOffsets(rows)
		// A little more than last time, but never what a hostile page made
		// of one batch: the data itself decides.
		v.Binary.Data = membuf.Grow(v.Binary.Data, min(int(v.perRow.bytes*float64(rows)*1.05), maxReserve))
	}
	return nil
}

// IsValid reports whether row i holds a value.
func (v *Vector) IsValid(i int) bool {
	return v.Nulls == 0 || v.Valid[i>>3]>>(i&7)&1 != 0
}

// bytes returns the stored bytes of row i.
func (v *Vector) bytes(i int) []byte {
	if v.Width < 0 {
		return v.Binary.Value(i)
	}
	return v.Fixed[i*v.Width : (i+1)*v.Width]
}

// Value returns the value of row i, which must not be null.
func (v *Vector) Value(i int) metadata.Value {
	// Small integers with stray high bits still have a value: what their
	// type's bits say.
	val, _ := v.Column.Value(v.bytes(i))
	return val
}

// take appends n rows: which of them have a value comes from def, the
// values from read (fixed width) or appendTo (byte arrays).
func (v *Vector) take(n int, def *encoding.Levels, d *values) error {
	count := n
	if v.Column.MaxDef > 0 {
		v.Valid = extend(v.Valid, (v.Rows+n+7)/8)
		var err error
		if v.KeepLevels {
			at := len(v.Def)
			v.Def = membuf.Grow(v.Def, n)[:at+n]
			err = def.Read(v.Def[at:])
			count = encoding.SetFrom(v.Valid, v.Rows, v.Def[at:], uint8(v.Column.MaxDef))
		} else {
			count, err = def.Present(v.Valid, v.Rows, n)
		}
		if err != nil {
			return err
		}
	}
	return v.takeValues(n, count, d)
}

// takeValues appends n slots, of which count have a value by the bits of Valid.
func (v *Vector) takeValues(n, count int, d *values) error {
	if v.Width >= 0 {
		at := len(v.Fixed)
		v.Fixed = membuf.Grow(v.Fixed, n*v.Width)[:at+n*v.Width]
		if err := d.read(v.Fixed[at:at+count*v.Width], count); err != nil {
			return err
		}
		if count < n {
			spreadFixed(v.Fixed[at:], v.Width, count, v.Valid, v.Rows, n)
		}
	} else {
		if err := d.appendTo(&v.Binary, count); err != nil {
			return err
		}
		if count < n {
			v.Binary.Offsets = spreadOffsets(v.Binary.Offsets, count, v.Valid, v.Rows, n)
		}
	}
	v.Rows += n
	v.Nulls += n - count
	return nil
}

func appendBytes(dst, src []byte) []byte { return append(membuf.Grow(dst, len(src)), src...) }

// extend lengthens a bitmap with zero bytes.
func extend(b []byte, n int) []byte {
	if old := len(b); n > old {
		b = membuf.Grow(b, n-old)[:n]
		clear(b[old:])
	}
	return b
}

// spreadFixed moves count dense values at the start of slots to the slots of
// the n rows that have one. Bit first+i of valid belongs to slot i.
func spreadFixed(slots []byte, width, count int, valid []byte, first, n int) {
	k := count
	for i := n - 1; i >= 0 && k <= i; i-- {
		slot := slots[i*width : (i+1)*width]
		bit := first + i
		if valid[bit>>3]>>(bit&7)&1 != 0 {
			k--
			copy(slot, slots[k*width:(k+1)*width])
		} else {
			clear(slot)
		}
	}
}

// spreadOffsets turns count end offsets at the end of offsets into n, those of
// null rows repeating the one before.
func spreadOffsets(offsets []int32, count int, valid []byte, first, n int) []int32 {
	at := len(offsets) - count
	offsets = membuf.GrowOf(offsets, n-count)[:at+n]
	k := count
	for i := n - 1; i >= 0 && k <= i; i-- {
		// k ends are left for rows 0…i; the last of them is row i's, whether
		// the row holds a value or repeats it.
		offsets[at+i] = offsets[at+k-1]
		bit := first + i
		if valid[bit>>3]>>(bit&7)&1 != 0 {
			k--
		}
	}
	return offsets
}
