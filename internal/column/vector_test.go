package column

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/parequet/pare/metadata"
)

// vectorOf makes a vector of given values, nil for a null, without the code
// that is tested.
func vectorOf(col *metadata.Column, values [][]byte) *Vector {
	v := NewVector(col)
	v.Rows = len(values)
	if col.MaxDef > 0 {
		v.Valid = make([]byte, (len(values)+7)/8)
	}
	for i, b := range values {
		if b == nil {
			v.Nulls++
		} else if col.MaxDef > 0 {
			v.Valid[i/8] |= 1 << (i % 8)
		}
		if v.Width < 0 {
			v.Binary.Data = append(v.Binary.Data, b...)
			v.Binary.Offsets = append(v.Binary.Offsets, int32(len(v.Binary.Data)))
		} else if b == nil {
			v.Fixed = append(v.Fixed, make([]byte, v.Width)...)
		} else {
			v.Fixed = append(v.Fixed, b...)
		}
	}
	return v
}

// TestSpread: dense values find their rows, whatever lay in the memory before
// and wherever the rows start.
func TestSpread(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		first := rapid.IntRange(0, 20).Draw(rt, "first")
		present := rapid.SliceOfN(rapid.Bool(), 0, 40).Draw(rt, "present")
		width := rapid.SampledFrom([]int{0, 1, 2, 4, 5, 8, 12, 16}).Draw(rt, "width")
		n := len(present)
		valid := bytes.Repeat([]byte{0xff}, (first+n)/8+1)
		var dense, want []byte
		lastEnd := int32(rapid.IntRange(0, 9).Draw(rt, "end before"))
		offsets, wantOffsets := []int32{0, lastEnd}, []int32{0, lastEnd}
		count := 0
		for i, p := range present {
			slot := make([]byte, width)
			if p {
				count++
				for k := range slot {
					slot[k] = byte(count*16 + k)
				}
				dense = append(dense, slot...)
				lastEnd += int32(i % 3)
				offsets = append(offsets, lastEnd)
			} else {
				valid[(first+i)/8] &^= 1 << ((first + i) % 8)
			}
			want = append(want, slot...)
			wantOffsets = append(wantOffsets, lastEnd)
		}
		slots := bytes.Repeat([]byte{0xaa}, n*width)
		copy(slots, dense)
		spreadFixed(slots, width, count, valid, first, n)
		if !bytes.Equal(slots, want) {
			rt.Fatalf("%x, want %x", slots, want)
		}
		if got := spreadOffsets(offsets, count, valid, first, n); !slices.Equal(got, wantOffsets) {
			rt.Fatalf("%v, want %v", got, wantOffsets)
		}
	})
}

// TestForgottenVectorsStartAnew: a vector whose memory went to an array is
// empty, takes rows again and does not touch the array.
func TestForgottenVectorsStartAnew(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, s := range readerColumns {
		s.optional = true
		c := craft(t, r, s, []int{30, 20}, false)
		rd, err := NewReader(c.chunk, c.pages, nil, Options{MaxPageBytes: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		v := NewVector(c.chunk.Column)
		if err := rd.Append(v, 0, 40); err != nil {
			t.Fatal(err)
		}
		dt := Field(c.chunk.Column, ArrowOptions{}).Type
		a, err := ToArrow(v, dt)
		if err != nil {
			t.Fatal(err)
		}
		before := a.String()
		if v.Rows != 0 || v.Nulls != 0 {
			t.Errorf("%s: %d rows are left", s.name, v.Rows)
		}
		if err := rd.Append(v, 10, 50); err != nil {
			t.Fatal(err)
		}
		if err := checkVector(v, c.values[10:50]); err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
		if a.String() != before || a.Len() != 40 {
			t.Errorf("%s: the array changed", s.name)
		}
	}
}
