package ndvbench

import (
	"flag"
	"math/rand/v2"
	"testing"
)

var columns = flag.Int("ndv-columns", 600, "random columns whose intervals must hold the truth")

// TestIntervalsOfRandomColumns: of random distributions, types, writers and
// layouts, every interval of every tier holds the truth. A miss is a bug.
func TestIntervalsOfRandomColumns(t *testing.T) {
	const each = 20
	r := rand.New(rand.NewPCG(41, 42))
	configs := Configs()
	done := 0
	for done < *columns {
		n := 1 + r.IntN([]int{10, 300, 3000, 20_000}[r.IntN(4)])
		table := Make(Random(r, each), n, r.Uint64())
		c := configs[r.IntN(len(configs))]
		c.Groups = min(c.Groups, 1+n/8)
		c.Bloom = c.Bloom && c.Writer != "arrow-go" // its filters are of a megabyte
		if c.Writer != "DuckDB" && r.IntN(2) == 0 {
			c.Codec = []string{"gzip", "brotli", "lz4", "snappy", "zstd", "uncompressed"}[r.IntN(6)]
			c.Tiny = 16 + r.IntN(400)
		}
		data, err := table.Write(c)
		if err != nil {
			t.Fatalf("%v: %v", c, err)
		}
		all, err := Guesses(t.Context(), data)
		if err != nil {
			t.Fatalf("%v: %v", c, err)
		}
		for k, guesses := range all {
			done++
			for _, g := range guesses {
				if g.Lo == 0 && g.Hi == 0 && g.Bytes == 0 {
					continue // a method without an interval
				}
				if truth := table.Truth[k]; truth < g.Lo || truth > g.Hi || g.Estimate < float64(g.Lo) || g.Estimate > float64(g.Hi) {
					t.Errorf("%s, %d rows (%v), %s: %d distinct values, not in %d…%d, estimate %.0f (%s)", table.Kinds[k].Name, n, c, g.Method, truth, g.Lo, g.Hi, g.Estimate, g.Route)
				}
			}
		}
	}
	t.Logf("%d columns", done)
}
