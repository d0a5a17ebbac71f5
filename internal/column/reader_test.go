package column

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/parequet/pare/metadata"
)

var readerColumns = []spec{
	{name: "bool", typ: metadata.Boolean}, {name: "int32", typ: metadata.Int32}, {name: "int64", typ: metadata.Int64},
	{name: "int96", typ: metadata.Int96}, {name: "double", typ: metadata.Double}, {name: "binary", typ: metadata.ByteArray},
	{name: "fixed5", typ: metadata.FixedLenByteArray, length: 5}, {name: "fixed0", typ: metadata.FixedLenByteArray},
}

// crafted is a column chunk whose content is known.
type crafted struct {
	chunk  *metadata.Chunk
	values [][]byte // nil is a null
	bytes  []byte
	dict   []byte // bytes before the first data page
	pages  []Page
}

func craft(t fataler, r *rand.Rand, s spec, pageRows []int, dictionary bool) *crafted {
	col := columnOf(t, s)
	c := &crafted{chunk: &metadata.Chunk{Column: col, RowGroup: 3, Codec: metadata.Uncompressed}}
	if r.IntN(2) == 0 {
		c.chunk.Codec = metadata.Snappy
	}
	var dict [][]byte
	if dictionary {
		for range 1 + r.IntN(20) {
			dict = append(dict, randomValue(r, col))
		}
		c.dict = dictionaryPage(col, dict, c.chunk.Codec)
		c.bytes = append(c.bytes, c.dict...)
	}
	nulls := r.IntN(4)
	for _, n := range pageRows {
		p := pageSpec{v2: r.IntN(2) == 0, crc: r.IntN(2) == 0, dict: dict, codec: c.chunk.Codec}
		for range n {
			v := randomValue(r, col)
			if dict != nil {
				v = dict[r.IntN(len(dict))]
			}
			if s.optional && r.IntN(3) < nulls {
				v = nil
			}
			p.values = append(p.values, v)
		}
		b := p.write(col)
		from := int64(len(c.values))
		c.values = append(c.values, p.values...)
		c.pages = append(c.pages, Page{From: from, To: from + int64(n), Offset: 1000 + int64(len(c.bytes)), Bytes: b})
		c.bytes = append(c.bytes, b...)
	}
	c.chunk.NumValues = int64(len(c.values))
	c.chunk.Pages = metadata.Extent{Offset: 1000, Length: int64(len(c.bytes))}
	return c
}

func (c *crafted) rows() int64 { return int64(len(c.values)) }

func drawChunk(t *rapid.T) *crafted {
	s := rapid.SampledFrom(readerColumns).Draw(t, "column")
	s.optional = rapid.Bool().Draw(t, "optional")
	rows := rapid.SliceOfN(rapid.SampledFrom([]int{0, 0, 1, 2, 7, 8, 9, 63, 200}), 1, 6).Draw(t, "rows of pages")
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	return craft(t, r, s, rows, rapid.Bool().Draw(t, "dictionary"))
}

// checkVector compares a vector with the values it must hold.
func checkVector(v *Vector, want [][]byte) error {
	if v.Rows != len(want) {
		return fmt.Errorf("%d rows, want %d", v.Rows, len(want))
	}
	nulls := 0
	for i, w := range want {
		if w == nil {
			nulls++
			if v.IsValid(i) || len(bytes.Trim(v.bytes(i), "\x00")) != 0 {
				return fmt.Errorf("row %d: %x, want a null in a zero slot", i, v.bytes(i))
			}
		} else if !v.IsValid(i) || !bytes.Equal(v.bytes(i), w) {
			return fmt.Errorf("row %d: %x (valid %v), want %x", i, v.bytes(i), v.IsValid(i), w)
		}
	}
	if v.Nulls != nulls {
		return fmt.Errorf("%d nulls, want %d", v.Nulls, nulls)
	}
	return nil
}

// TestRowRangesEqualSlices: row ranges in any order, forward and backward,
// from one reader are slices of the whole, however the pages were found.
func TestRowRangesEqualSlices(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := drawChunk(rt)
		opt := Options{MaxPageBytes: 1 << 20, KeepPages: rapid.Bool().Draw(rt, "keep")}
		var r *Reader
		var err error
		if rapid.Bool().Draw(rt, "walk") {
			r, err = Walk(c.chunk, c.rows(), c.bytes, opt)
		} else {
			r, err = NewReader(c.chunk, c.pages, c.dict, opt)
		}
		if err != nil {
			rt.Fatal(err)
		}
		v := NewVector(c.chunk.Column)
		var want [][]byte
		for range rapid.IntRange(1, 8).Draw(rt, "ranges") {
			from := rapid.Int64Range(0, c.rows()).Draw(rt, "from")
			to := rapid.Int64Range(from, c.rows()).Draw(rt, "to")
			if rapid.Bool().Draw(rt, "reserve") {
				if err := v.Reserve(int(to - from)); err != nil {
					rt.Fatal(err)
				}
			}
			if err := r.Append(v, from, to); err != nil {
				rt.Fatalf("[%d,%d): %v", from, to, err)
			}
			want = append(want, c.values[from:to]...)
			if err := checkVector(v, want); err != nil {
				rt.Fatalf("after [%d,%d): %v", from, to, err)
			}
			if rapid.Bool().Draw(rt, "reset") {
				v.Reset()
				want = want[:0]
			}
		}
		if r.Opened() > r.NumPages() {
			rt.Fatalf("%d of %d pages opened", r.Opened(), r.NumPages())
		}
	})
}

// TestMissingPages: rows of pages that are not in hand are an error, the rows
// of the others are right.
func TestMissingPages(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := drawChunk(rt)
		var have []Page
		in := make([]bool, len(c.values))
		for _, p := range c.pages {
			if rapid.Bool().Draw(rt, "have") {
				have = append(have, p)
				for i := p.From; i < p.To; i++ {
					in[i] = true
				}
			}
		}
		r, err := NewReader(c.chunk, have, c.dict, Options{MaxPageBytes: 1 << 20})
		if err != nil {
			rt.Fatal(err)
		}
		v := NewVector(c.chunk.Column)
		for i := range c.values {
			v.Reset()
			err := r.Append(v, int64(i), int64(i)+1)
			if (err == nil) != in[i] {
				rt.Fatalf("row %d, page in hand %v: %v", i, in[i], err)
			}
			if in[i] {
				if err := checkVector(v, c.values[i:i+1]); err != nil {
					rt.Fatalf("row %d: %v", i, err)
				}
			} else if strings.Contains(err.Error(), "\n") {
				rt.Fatal(err)
			}
		}
	})
}

// TestFullVectorsAreTriedAgain: byte arrays beyond the limit are ErrFull, and
// the same rows in smaller portions are right.
func TestFullVectorsAreTriedAgain(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, dictionary := range []bool{false, true} {
		c := craft(t, r, spec{typ: metadata.ByteArray, optional: true}, []int{50, 0, 70}, dictionary)
		rd, err := NewReader(c.chunk, c.pages, c.dict, Options{MaxPageBytes: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		v := NewVector(c.chunk.Column)
		v.Binary.Limit = 40
		for from, n := int64(0), int64(64); from < c.rows(); {
			v.Reset()
			n = min(n, c.rows()-from)
			if err := rd.Append(v, from, from+n); err != nil {
				if !isFull(err) || n == 1 {
					t.Fatal(err)
				}
				n /= 2
				continue
			}
			if err := checkVector(v, c.values[from:from+n]); err != nil {
				t.Fatalf("[%d,%d): %v", from, from+n, err)
			}
			from, n = from+n, 64
		}
	}
}
