package column

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/parequet/pare/rowrange"
)

// TestSetsOfRowsEqualSlices: however the rows of a set lie, the values are
// those of the whole at these rows.
func TestSetsOfRowsEqualSlices(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := drawChunk(rt)
		r, err := NewReader(c.chunk, c.pages, c.dict, Options{MaxPageBytes: 1 << 20})
		if err != nil {
			rt.Fatal(err)
		}
		v := NewVector(c.chunk.Column)
		var want [][]byte
		for range 2 { // the second time backward
			var rows rowrange.Set
			gap := rapid.IntRange(1, 12).Draw(rt, "gap")
			for at := rapid.Int64Range(0, c.rows()).Draw(rt, "first"); at < c.rows(); at += 1 + int64(rapid.IntRange(1, gap).Draw(rt, "to the next")) {
				to := min(at+int64(rapid.SampledFrom([]int{1, 1, 1, 2, 30}).Draw(rt, "length")), c.rows())
				rows = rows.Append(at, to)
				want = append(want, c.values[at:to]...)
				at = to - 1
			}
			if err := r.AppendRows(v, rows); err != nil {
				rt.Fatalf("%v: %v", rows, err)
			}
			if err := checkVector(v, want); err != nil {
				rt.Fatalf("after %v: %v", rows, err)
			}
		}
	})
}

// BenchmarkReaderFragments reads one row of so many, as a set and range by
// range.
func BenchmarkReaderFragments(b *testing.B) {
	for _, c := range benchColumns {
		for _, stride := range []int64{2, 4, 8, 16} {
			var rows rowrange.Set
			for from := int64(0); from < benchPage*benchPages; from += stride {
				rows = rows.Append(from, from+1)
			}
			for name, read := range map[string]func(r *Reader, v *Vector) error{
				"set": func(r *Reader, v *Vector) error { return r.AppendRows(v, rows) },
				"ranges": func(r *Reader, v *Vector) error {
					for _, x := range rows {
						if err := r.Append(v, x.From, x.To); err != nil {
							return err
						}
					}
					return nil
				},
			} {
				b.Run(fmt.Sprintf("%s/%d/%s", c.name, stride, name), func(b *testing.B) {
					r, v, all := benchReader(b, c.s, c.dictionary)
					for b.Loop() {
						v.Reset()
						if err := read(r, v); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(all)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrows/s")
				})
			}
		}
	}
}
