package column

import (
	"math/rand/v2"
	"testing"

	"github.com/parequet/pare/metadata"
)

// FuzzWalk reads arbitrary bytes as a column chunk, in windows.
func FuzzWalk(f *testing.F) {
	rnd := rand.New(rand.NewPCG(4, 4))
	var cols []*metadata.Column
	for _, s := range readerColumns {
		for _, s.optional = range []bool{false, true} {
			i := byte(len(cols))
			cols = append(cols, columnOf(f, s))
			for _, dictionary := range []bool{false, true} {
				c := craft(f, rnd, s, []int{5, 0, 20, 9}, dictionary)
				f.Add(i, byte(c.chunk.Codec), int64(34), c.bytes)
				f.Add(i, byte(c.chunk.Codec), int64(1<<40), c.bytes)
			}
		}
	}
	decimals := spec{typ: metadata.ByteArray, converted: 5, precision: 20, optional: true}
	cols = append(cols, columnOf(f, decimals))
	f.Fuzz(func(t *testing.T, column, codec byte, rows int64, b []byte) {
		col := cols[int(column)%len(cols)]
		c := &metadata.Chunk{Column: col, Codec: metadata.Codec(codec % 9), NumValues: rows}
		const window, windows, page = 512, 20, 1 << 20
		got := allocated(func() {
			r, err := Walk(c, rows, b, Options{MaxPageBytes: page})
			if err != nil {
				return
			}
			v := NewVector(col)
			v.Binary.Limit = 1 << 16
			dt := Field(col, ArrowOptions{}).Type
			for i := int64(0); i < windows && i*window < rows; i++ {
				v.Reset()
				from := i * window
				if err := r.Append(v, from, min(from+window, rows)); err != nil {
					return
				}
				if v.Rows > window || v.Nulls > v.Rows {
					t.Fatalf("%d rows, %d nulls", v.Rows, v.Nulls)
				}
				a, err := ToArrow(v, dt)
				if err != nil {
					return
				}
				_ = a.String()
				a.Release()
			}
		})
		// Pages of a MiB each, decoders' own windows, text of the arrays.
		if limit := int64(len(b)/20+windows+2)*2*page + 64<<20; got > limit {
			t.Fatalf("%d bytes were allocated for a chunk of %d", got, len(b))
		}
	})
}
