package ndv

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/parequet/pare/metadata"
)

// exactly is a chunk of int64 values of which everything but the values
// themselves is known.
func exactly(values []int64) Chunk {
	distinct := map[int64]bool{}
	z := metadata.Zone{Rows: int64(len(values)), NoNaN: true}
	for i, v := range values {
		distinct[v] = true
		if i == 0 || v < z.Lower.Int {
			z.Lower = metadata.IntValue(v)
		}
		if i == 0 || v > z.Upper.Int {
			z.Upper = metadata.IntValue(v)
		}
	}
	z.HasLower, z.HasUpper, z.LowerExact, z.UpperExact = true, true, true, true
	c := NewChunk(z)
	c.Usage, c.Entries = All, int64(len(distinct))
	return c
}

// TestIntervalOfExactChunks: however chunks lie to each other, the interval
// that is combined from their exact counts and bounds holds the union.
func TestIntervalOfExactChunks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		col := Column{Order: metadata.OrderInt, Width: 8}
		union := map[int64]bool{}
		for range rapid.IntRange(1, 8).Draw(t, "chunks") {
			at := rapid.Int64Range(0, 40).Draw(t, "at")
			values := rapid.SliceOfN(rapid.Int64Range(at, at+rapid.Int64Range(0, 20).Draw(t, "width")), 1, 12).Draw(t, "values")
			for _, v := range values {
				union[v] = true
			}
			c := exactly(values)
			if rapid.IntRange(0, 4).Draw(t, "without bounds") == 0 {
				c.Zone = metadata.Zone{Rows: c.Zone.Rows, Nulls: c.Zone.Nulls, NoNaN: true}
			}
			col.Chunks = append(col.Chunks, c)
		}
		n := int64(len(union))
		if a := Estimate(col); n < a.Lo || n > a.Hi || a.Estimate < a.Lo || a.Estimate > a.Hi {
			t.Fatalf("%d values, not in %d…%d, estimate %d (%s)", n, a.Lo, a.Hi, a.Estimate, a.Route)
		}
	})
}

// TestLeastIsTheHeaviestSet: against trying all sets of parts that are disjoint
// but for their ends, where each value that ends share counts once.
func TestLeastIsTheHeaviestSet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := make([]part, rapid.IntRange(0, 8).Draw(t, "parts"))
		var ptrs []*part
		for i := range parts {
			from, width := rapid.Int64Range(0, 12).Draw(t, "from"), rapid.Int64Range(0, 6).Draw(t, "width")
			parts[i] = part{lo: rapid.Int64Range(1, min(5, width+1)).Draw(t, "lo"), zone: &metadata.Zone{Lower: metadata.IntValue(from), Upper: metadata.IntValue(from + width)}}
			ptrs = append(ptrs, &parts[i])
		}
		best := int64(0)
		for set := range 1 << len(parts) {
			best = max(best, weightOf(parts, set))
		}
		components(ptrs) // sorts them
		if lo, _ := least(ptrs, nil); lo != best {
			t.Fatalf("%d, but the heaviest set has %d", lo, best)
		}
	})
}

// weightOf is what a set of parts holds at least, 0 if two of them overlap by
// more than an end.
func weightOf(parts []part, set int) (sum int64) {
	ends := map[int64]int64{}
	for i := range parts {
		if set>>i&1 == 0 {
			continue
		}
		a := parts[i].zone
		sum += parts[i].lo
		ends[a.Lower.Int]++
		if a.Upper.Int != a.Lower.Int {
			ends[a.Upper.Int]++
		}
		for k := range i {
			b := parts[k].zone
			if set>>k&1 != 0 && a.Upper.Int > b.Lower.Int && b.Upper.Int > a.Lower.Int {
				return 0
			}
		}
	}
	for _, n := range ends {
		sum -= n - 1
	}
	return sum
}

// TestInversionsAreInverse: sizes that a model gives lead back to its number of
// values.
func TestInversionsAreInverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := float64(rapid.IntRange(1, 1_000_000).Draw(t, "d"))
		n := d * rapid.Float64Range(1, 100).Draw(t, "repeats")
		w := float64(rapid.IntRange(1, 40).Draw(t, "width"))
		if got := invertPacked(d*w+n*indexBits(d)/8, n, w); math.Abs(got-d) > 1e-6*d+1 {
			t.Fatalf("packed: %v values of %v bytes in %v rows: %v", d, w, n, got)
		}
		run := max(1, n/d)
		if got := invertRuns(d*(w+runHeader(run)+math.Ceil(indexBits(d)/8)), n, w); math.Abs(got-d) > 0.35*d+1 { // sizes jump
			t.Fatalf("runs: %v values of %v bytes in %v rows: %v", d, w, n, got)
		}
		if got := population(occupancy(d, n), n); occupancy(d, n) < n-1 && math.Abs(got-d) > 0.05*d+1 {
			t.Fatalf("population: %v from %v draws: %v", d, n, got)
		}
	})
}

// TestEntriesOfSpan: the header's length is worked out from the count itself.
func TestEntriesOfSpan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, w := rapid.Int64Range(0, 200_000).Draw(t, "d"), rapid.SampledFrom([]int64{4, 8, 12, 16}).Draw(t, "w")
		for i, h := range headerLengths(d, d*w) {
			found := false
			for _, n := range entriesOfSpan(d*w+h, w) {
				found = found || n == d
			}
			if !found {
				t.Fatalf("%d values of %d bytes behind header %d: %v", d, w, i, entriesOfSpan(d*w+h, w))
			}
		}
	})
}

// TestSharingFindsTheProbability: of chunks that hold each value of a
// population with probability p.
func TestSharingFindsTheProbability(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, p := range []float64{0.02, 0.1, 0.5, 0.9} {
		zones := make([]*metadata.Zone, 200)
		for i := range zones {
			zones[i] = &metadata.Zone{}
			lo, hi := int64(0), int64(1_000_000)
			for r.Float64() >= p {
				lo++
			}
			for r.Float64() >= p {
				hi--
			}
			zones[i].Lower, zones[i].Upper = metadata.IntValue(lo), metadata.IntValue(hi)
		}
		if got := sharing(0.5, 1, minimaTies(zones), maximaTies(zones)); got < p/1.4 || got > p*1.4 {
			t.Errorf("p %v is estimated as %v", p, got)
		}
	}
}

func TestMostTexts(t *testing.T) {
	for _, c := range []struct{ bytes, shortest, want int64 }{
		{0, 0, 0}, {3, 0, 0}, {4, 0, 1}, {4 + 5*256, 0, 257}, {4 + 5*256 + 6, 0, 258}, {100, 6, 10}, {5 * 300, 1, 256 + (5*300-5*256)/6},
	} {
		if got := mostTexts(c.bytes, c.shortest); got != c.want {
			t.Errorf("%d bytes, at least %d each: %d texts, want %d", c.bytes, c.shortest, got, c.want)
		}
	}
}

// FuzzEstimate: no summary, however absurd, panics or leaves the order of the
// bounds and the estimate.
func FuzzEstimate(f *testing.F) { f.Fuzz(rapid.MakeFuzz(estimateAbsurd)) }

func TestAbsurdSummaries(t *testing.T) { rapid.Check(t, estimateAbsurd) }

func estimateAbsurd(t *rapid.T) {
	number := rapid.OneOf(rapid.Int64Range(-1, 100), rapid.Int64Range(-1, math.MaxInt64))
	col := Column{Order: metadata.OrderInt, Width: rapid.SampledFrom([]int{-1, 0, 1, 4, 8, math.MaxInt32}).Draw(t, "width"),
		Nullable: rapid.Bool().Draw(t, "nullable"), Repeated: rapid.Bool().Draw(t, "repeated")}
	if col.Width < 0 {
		col.Order = metadata.OrderBytes
	}
	for range rapid.IntRange(0, 5).Draw(t, "chunks") {
		z := metadata.Zone{Rows: max(0, number.Draw(t, "rows")), NoNaN: true}
		z.Nulls = rapid.Int64Range(-1, z.Rows).Draw(t, "nulls")
		if rapid.Bool().Draw(t, "bounds") {
			a, b := metadata.IntValue(number.Draw(t, "lo")), metadata.IntValue(number.Draw(t, "hi"))
			if col.Width < 0 {
				a, b = metadata.BytesValue(rapid.SliceOfN(rapid.Byte(), 0, 3).Draw(t, "lo")), metadata.BytesValue(rapid.SliceOfN(rapid.Byte(), 0, 3).Draw(t, "hi"))
			}
			if a.Compare(b) > 0 {
				a, b = b, a
			}
			z.Lower, z.Upper, z.HasLower, z.HasUpper = a, b, true, true
			z.LowerExact, z.UpperExact = rapid.Bool().Draw(t, "exact"), rapid.Bool().Draw(t, "exact")
		}
		c := NewChunk(z)
		c.Size, c.Stored, c.Pages = number.Draw(t, "size"), number.Draw(t, "stored"), number.Draw(t, "pages")
		c.Dictionary, c.Text, c.Written, c.Entries = number.Draw(t, "dictionary"), number.Draw(t, "text"), number.Draw(t, "written"), number.Draw(t, "entries")
		c.Usage, c.Compressed = Usage(rapid.IntRange(0, 3).Draw(t, "usage")), rapid.Bool().Draw(t, "compressed")
		c.Kept = rapid.Int64Range(-1, z.Rows).Draw(t, "kept")
		if rapid.Bool().Draw(t, "pages") {
			c.PageZones = []metadata.Zone{z, z, z, z}
		}
		col.Chunks = append(col.Chunks, c)
	}
	for name, a := range map[string]Answer{"pare": Estimate(col), "paper": Paper(col)} {
		if a.Lo < 0 || a.Lo > a.Hi || name == "pare" && (a.Estimate < a.Lo || a.Estimate > a.Hi) || a.Estimate < 0 {
			t.Fatalf("%s: %+v", name, a)
		}
		a.BatchOf(100, col.MeanLength())
	}
}
