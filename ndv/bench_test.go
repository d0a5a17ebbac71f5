package ndv

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkEstimate shows the growth with row groups: sorted ones, whose
// components add up, alike ones, whose extremes are compared, and ones of a
// single value, which all touch.
func BenchmarkEstimate(b *testing.B) {
	for _, groups := range []int{1, 10, 100, 1000, 10_000} {
		for _, layout := range []string{"sorted", "alike", "constant"} {
			col := Column{Order: 1, Width: 8}
			r := rand.New(rand.NewPCG(1, 2))
			for g := range groups {
				at := int64(0)
				if layout == "sorted" {
					at = int64(g) * 1000
				}
				if layout == "constant" {
					col.Chunks = append(col.Chunks, exactly([]int64{7}))
					continue
				}
				c := exactly([]int64{at + r.Int64N(100), at + 500, at + 999 - r.Int64N(100)})
				c.Zone.Rows, c.Entries = 1000, -1
				c.Size, c.Stored, c.Dictionary, c.Compressed, c.Pages = 5000, 4000, 2000, true, 1
				col.Chunks = append(col.Chunks, c)
			}
			b.Run(fmt.Sprintf("%s/%d", layout, groups), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					Estimate(col)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(groups), "ns/row_group")
			})
		}
	}
}
