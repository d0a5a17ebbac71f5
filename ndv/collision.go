package ndv

import (
	"math"
	"slices"

	"github.com/parequet/pare/metadata"
)

// ties are the extremes of chunks, from the most extreme on: how many chunks
// share each of them, of how many that were still at risk.
type ties []tie

type tie struct{ shared, atRisk int }

// minimaTies and maximaTies group exact or inexact bounds by equality.
func minimaTies(zones []*metadata.Zone) ties {
	return tiesOf(zones, func(z *metadata.Zone) metadata.Value { return z.Lower }, 1)
}

func maximaTies(zones []*metadata.Zone) ties {
	return tiesOf(zones, func(z *metadata.Zone) metadata.Value { return z.Upper }, -1)
}

func tiesOf(zones []*metadata.Zone, end func(*metadata.Zone) metadata.Value, sign int) (out ties) {
	vs := make([]metadata.Value, len(zones))
	for i, z := range zones {
		vs[i] = end(z)
	}
	slices.SortFunc(vs, func(a, b metadata.Value) int { return sign * a.Compare(b) })
	for i := 0; i < len(vs); {
		k := i + 1
		for k < len(vs) && vs[k].Compare(vs[i]) == 0 {
			k++
		}
		out = append(out, tie{k - i, len(vs) - i})
		i = k
	}
	return out
}

// logLikelihood of the ties if every value of the population lies in a chunk
// with probability p: then the rank of a chunk's minimum is geometric, and of
// the chunks at risk at a value, given that one has it, c have it with
// probability C(r,c) p^c (1−p)^(r−c) / (1 − (1−p)^r).
func (t ties) logLikelihood(p float64) (l float64) {
	q := math.Log1p(-p)
	for _, x := range t {
		if x.atRisk == 1 {
			continue // certain
		}
		l += float64(x.shared) * math.Log(p)
		if x.atRisk > x.shared {
			l += float64(x.atRisk-x.shared) * q
		}
		l -= math.Log(-math.Expm1(float64(x.atRisk) * q))
	}
	return l
}

// sharing is the most likely probability that a value of the population lies
// in a chunk, by the ties of minima and maxima. prior, with a weight in
// observations, is what is expected otherwise.
func sharing(prior, weight float64, all ...ties) float64 {
	prior = min(max(prior, 1e-9), 1-1e-9)
	f := func(p float64) (l float64) {
		for _, t := range all {
			l += t.logLikelihood(p)
		}
		// As many ties of two chunks as the prior expects.
		l += weight * (prior*math.Log(p) + (1-prior)*math.Log1p(-p))
		return l
	}
	// A golden-section search over log-odds: the likelihood has one summit.
	const ratio = 0.6180339887498949
	logistic := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	lo, hi := -25.0, 25.0
	a, b := hi-ratio*(hi-lo), lo+ratio*(hi-lo)
	fa, fb := f(logistic(a)), f(logistic(b))
	for range 60 {
		if fa < fb {
			lo, a, fa = a, b, fb
			b = lo + ratio*(hi-lo)
			fb = f(logistic(b))
		} else {
			hi, b, fb = b, a, fa
			a = hi - ratio*(hi-lo)
			fa = f(logistic(a))
		}
	}
	return logistic((lo + hi) / 2)
}
