package ndv

import "math"

// occupancy is the expected number of distinct values among n draws, with
// replacement, from d equally likely ones: d(1 − (1 − 1/d)^n), about
// d(1 − e^(−n/d)).
func occupancy(d, n float64) float64 {
	switch {
	case d <= 0 || n <= 0:
		return 0
	case d <= 1:
		return d
	case math.IsInf(d, 1):
		return n
	}
	return -d * math.Expm1(n*math.Log1p(-1/d))
}

// population inverts occupancy: from how many values seen distinct ones among
// n draws come. It is infinite where every draw, or all but half a draw, brought
// another value.
func population(seen, n float64) float64 {
	if seen <= 0 || n <= 0 {
		return 0
	}
	if seen >= n-0.5 {
		return math.Inf(1)
	}
	lo, hi := 0.0, 1.0
	for occupancy(hi, n) < seen {
		lo, hi = hi, 2*hi
		if hi > 1e18 {
			return math.Inf(1)
		}
	}
	for range 60 {
		mid := (lo + hi) / 2
		if occupancy(mid, n) < seen {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}
