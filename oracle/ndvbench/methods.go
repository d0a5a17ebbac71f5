package ndvbench

import (
	"context"
	"math"

	"github.com/parequet/pare"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/ndv"
	"github.com/parequet/pare/source"
)

// Guess is what one method says of one column.
type Guess struct {
	Method   string
	Estimate float64
	Known    bool
	// Interval, of pare's own method alone.
	Lo, Hi   int64
	Route    string
	Bytes    int64
	Requests int
}

// methods are the estimates that need no evidence beyond the footer, beside
// pare's: those that others use.
var methods = []struct {
	name string
	f    func(c ndv.Column) float64
}{
	{"paper", func(c ndv.Column) float64 { return float64(ndv.Paper(c).Estimate) }},
	{"maximum over row groups (DataFusion)", func(c ndv.Column) float64 {
		most := 0.0
		for _, d := range chunks(c) {
			most = max(most, d)
		}
		return most
	}},
	{"range overlap (DataFusion)", overlap},
	{"span of minimum and maximum (DuckDB)", span},
	{"20 % of rows (Hive)", func(c ndv.Column) float64 { return rows(c) / 5 }},
	{"rows", rows},
}

// chunks estimates each chunk by itself.
func chunks(c ndv.Column) (out []float64) {
	for _, k := range c.Chunks {
		c.Chunks = []ndv.Chunk{k}
		out = append(out, float64(ndv.Estimate(c).Estimate))
	}
	return out
}

func rows(c ndv.Column) (n float64) {
	for _, k := range c.Chunks {
		n += float64(k.Zone.Rows - max(0, k.Zone.Nulls))
	}
	return n
}

func span(c ndv.Column) float64 {
	lo, hi, ok := math.Inf(1), math.Inf(-1), true
	for _, k := range c.Chunks {
		z := k.Zone
		ok = ok && (z.AllNull() || z.HasLower && z.HasUpper && z.Lower.Order == metadata.OrderInt)
		if z.HasLower && z.HasUpper {
			lo, hi = min(lo, float64(z.Lower.Int)), max(hi, float64(z.Upper.Int))
		}
	}
	if !ok || lo > hi {
		return rows(c)
	}
	return min(hi-lo+1, rows(c))
}

// overlap merges row groups one by one: what lies in the common part of two
// ranges is the larger share of both, the rest adds up.
func overlap(c ndv.Column) float64 {
	ds := chunks(c)
	var d, lo, hi float64
	have := false
	for i, k := range c.Chunks {
		if k.Zone.AllNull() {
			continue
		}
		from, okFrom := place(k.Zone.Lower, k.Zone.HasLower)
		to, okTo := place(k.Zone.Upper, k.Zone.HasUpper)
		if !okFrom || !okTo {
			d = max(d, ds[i])
			continue
		}
		if !have {
			d, lo, hi, have = ds[i], from, to, true
			continue
		}
		share := func(a, b float64) float64 { // of [a, b] in both
			if b <= a {
				return 1
			}
			return max(0, min(b, hi, to)-max(a, lo, from)) / (b - a)
		}
		s, t := share(lo, hi), share(from, to)
		d = max(d*s, ds[i]*t) + d*(1-s) + ds[i]*(1-t)
		lo, hi = min(lo, from), max(hi, to)
	}
	return d
}

func place(v metadata.Value, ok bool) (float64, bool) {
	switch {
	case !ok:
		return 0, false
	case v.Order == metadata.OrderInt:
		return float64(v.Int), true
	case v.Order == metadata.OrderFloat:
		return v.Float, true
	}
	return 0, false
}

// Guesses asks all methods about each column of a file.
func Guesses(ctx context.Context, data []byte) ([][]Guess, error) {
	f, err := pare.Open(ctx, source.Memory(data), pare.Options{})
	if err != nil {
		return nil, err
	}
	cols := f.Metadata().Schema.Columns
	out := make([][]Guess, len(cols))
	for k, col := range cols {
		c, err := ndv.FromParquet(f.Metadata(), col)
		if err != nil {
			return nil, err
		}
		for tier := ndv.T0; tier <= ndv.T4; tier++ {
			g, err := pare.Open(ctx, source.Memory(data), pare.Options{Tail: 64 << 10})
			if err != nil {
				return nil, err
			}
			r, err := g.NDV(ctx, pare.NDVOptions{Columns: []string{col.Name}, Tier: tier})
			if err != nil {
				return nil, err
			}
			a := r.Answers[0]
			out[k] = append(out[k], Guess{Method: "pare " + tier.String(), Estimate: float64(a.Estimate), Known: a.Known, Lo: a.Lo, Hi: a.Hi, Route: a.Route,
				Bytes: r.Bytes, Requests: r.Requests})
		}
		for _, m := range methods {
			out[k] = append(out[k], Guess{Method: m.name, Estimate: m.f(c), Known: true})
		}
	}
	return out, nil
}
