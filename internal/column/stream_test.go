package column

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/parequet/pare/internal/membuf"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/rowrange"
)

// streamOf streams the bytes of a chunk, in pieces of this size.
func streamOf(c *metadata.Chunk, rows int64, b []byte, size int64, opts Options) *Reader {
	base := c.Pages.End() - int64(len(b))
	return NewStream(c, rows, Pieces{From: base, Size: size, Fetch: func(off int64, dst []byte) error {
		copy(dst, b[off-base:][:len(dst)])
		return nil
	}}, opts)
}

// TestStreams: whatever the pieces, the rows of portions that ascend are those of
// the chunk, though what has been let go is overwritten; within a portion rows may
// be read again.
func TestStreams(t *testing.T) {
	membuf.Poison = true
	defer func() { membuf.Poison = false }()
	rapid.Check(t, func(rt *rapid.T) {
		c := drawChunk(rt)
		c.chunk.Pages = metadata.Extent{Offset: 1000, Length: int64(len(c.bytes))}
		size := rapid.Int64Range(1, int64(len(c.bytes))+20).Draw(rt, "piece")
		r := streamOf(c.chunk, c.rows(), c.bytes, size, Options{MaxPageBytes: 1 << 20})
		r.stream.Ahead = rapid.Bool().Draw(rt, "ahead")
		defer r.Close()
		v := NewVector(c.chunk.Column)
		for at := int64(0); at < c.rows(); {
			from := min(at+int64(rapid.IntRange(0, 9).Draw(rt, "skipped")), c.rows())
			to := min(from+int64(rapid.IntRange(1, 40).Draw(rt, "portion")), c.rows())
			r.LetGo(from)
			for range 2 {
				v.Reset()
				if err := r.Append(v, from, to); err != nil {
					rt.Fatalf("rows %d to %d in pieces of %d: %v", from, to, size, err)
				}
				if err := checkVector(v, c.values[from:to]); err != nil {
					rt.Fatalf("rows %d to %d in pieces of %d: %v", from, to, size, err)
				}
			}
			at = max(to, from)
		}
	})
}

// TestStreamsHoldLittle: a stream lets go of what has been read.
func TestStreamsHoldLittle(t *testing.T) {
	rnd := rand.New(rand.NewPCG(8, 8))
	c := craft(t, rnd, readerColumns[2], slices.Repeat([]int{500}, 200), false)
	c.chunk.Pages = metadata.Extent{Offset: 1000, Length: int64(len(c.bytes))}
	r := streamOf(c.chunk, c.rows(), c.bytes, 10_000, Options{MaxPageBytes: 1 << 20})
	v := NewVector(c.chunk.Column)
	for at := int64(0); at < c.rows(); at += 100 {
		r.LetGo(at)
		v.Reset()
		if err := r.Append(v, at, at+100); err != nil {
			t.Fatal(err)
		}
		if n := len(r.stream.held); n > 2 {
			t.Fatalf("%d buffers are held at row %d", n, at)
		}
	}
	r.LetGo(c.rows() - 1)
	if err := r.Append(v, 0, 1); err == nil {
		t.Error("a row that was let go was read")
	}
}

// FuzzStream holds reading a chunk of arbitrary bytes piece by piece against
// having it whole.
func FuzzStream(f *testing.F) {
	rnd := rand.New(rand.NewPCG(4, 5))
	var cols []*metadata.Column
	for _, s := range readerColumns {
		for _, s.optional = range []bool{false, true} {
			i := byte(len(cols))
			cols = append(cols, columnOf(f, s))
			for _, dictionary := range []bool{false, true} {
				c := craft(f, rnd, s, []int{5, 0, 20, 9}, dictionary)
				f.Add(i, byte(c.chunk.Codec), int64(34), uint16(7), c.bytes)
				f.Add(i, byte(c.chunk.Codec), int64(1<<40), uint16(50), c.bytes)
			}
		}
	}
	f.Fuzz(func(t *testing.T, column, codec byte, rows int64, size uint16, b []byte) {
		col := cols[int(column)%len(cols)]
		c := &metadata.Chunk{Column: col, Codec: metadata.Codec(codec % 9), NumValues: rows}
		c.Pages = metadata.Extent{Offset: 4, Length: int64(len(b))}
		opts := Options{MaxPageBytes: 1 << 20}
		whole, err := Walk(c, rows, b, opts)
		stream := streamOf(c, rows, b, int64(size)+1, opts)
		defer stream.Close()
		v, w := NewVector(col), NewVector(col)
		v.Binary.Limit, w.Binary.Limit = 1<<16, 1<<16
		for from := int64(0); from < min(rows, 2000); from += 100 {
			to := min(from+100, rows)
			v.Reset()
			w.Reset()
			stream.LetGo(from)
			got := stream.Append(v, from, to)
			if err != nil {
				if got != nil {
					return
				}
				continue
			}
			want := whole.Append(w, from, to)
			if (got == nil) != (want == nil) {
				t.Fatalf("rows %d to %d: %v, whole %v", from, to, got, want)
			}
			if got != nil {
				return
			}
			if v.Nulls != w.Nulls || !bytes.Equal(v.Valid, w.Valid) || !bytes.Equal(v.Fixed, w.Fixed) || !bytes.Equal(v.Binary.Data, w.Binary.Data) || !slices.Equal(v.Binary.Offsets, w.Binary.Offsets) {
				t.Fatalf("rows %d to %d differ", from, to)
			}
		}
	})
}

// TestStreamsPassOver: what lies before the rows that are wanted is let go on the
// way.
func TestStreamsPassOver(t *testing.T) {
	c := craft(t, rand.New(rand.NewPCG(8, 8)), readerColumns[2], slices.Repeat([]int{500}, 200), false)
	c.chunk.Pages = metadata.Extent{Offset: 1000, Length: int64(len(c.bytes))}
	r := streamOf(c.chunk, c.rows(), c.bytes, 10_000, Options{MaxPageBytes: 1 << 20})
	v := NewVector(c.chunk.Column)
	r.LetGo(c.rows() - 1)
	if err := r.Append(v, c.rows()-1, c.rows()); err != nil {
		t.Fatal(err)
	}
	if n := len(r.stream.held); n > 1 {
		t.Errorf("%d buffers are held", n)
	}
}

// TestNullsWithoutDictionary: a page of nothing but NULLs that says it is
// dictionary-encoded needs no dictionary, however its rows are picked.
func TestNullsWithoutDictionary(t *testing.T) {
	for _, s := range []spec{{typ: metadata.ByteArray, optional: true}, {typ: metadata.Int64, optional: true}, {typ: metadata.FixedLenByteArray, length: 3, optional: true}} {
		col := columnOf(t, s)
		b := pageSpec{values: make([][]byte, 60), dict: [][]byte{randomValue(rand.New(rand.NewPCG(1, 1)), col)}}.write(col)
		r, err := NewReader(&metadata.Chunk{Column: col}, []Page{{To: 60, Bytes: b}}, nil, Options{MaxPageBytes: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		var rows rowrange.Set
		for at := int64(0); at < 60; at += 2 {
			rows = rows.Append(at, at+1)
		}
		v := NewVector(col)
		if err := r.AppendRows(v, rows); err != nil || v.Rows != 30 || v.Nulls != 30 {
			t.Errorf("%v: %d rows, %d NULLs, %v", col.Type, v.Rows, v.Nulls, err)
		}
	}
}
