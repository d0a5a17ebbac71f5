package ndv

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/parequet/pare/metadata"
)

// estimate combines parts whose ranges overlap.
func (c *component) estimate() (d float64, route string) {
	if len(c.parts) == 1 {
		return c.parts[0].estimate, ""
	}
	zones := make([]*metadata.Zone, len(c.parts))
	for i, p := range c.parts {
		zones[i] = p.zone
	}
	at, ok := line(c.hull)
	if ok && !aligned(zones, c.hull, at) {
		return staggered(c.parts, c.hull, at), "row groups with staggered ranges, by segments"
	}
	return shared(c, zones, at, ok), "row groups with one range, by the extremes that they share"
}

// line places the values between two bounds on a line: numbers as they are,
// byte arrays by the bytes behind what both bounds begin with.
func line(hull metadata.Zone) (at func(metadata.Value) float64, ok bool) {
	prefix := 0
	for a, b := hull.Lower.Bytes, hull.Upper.Bytes; prefix < min(len(a), len(b)) && a[prefix] == b[prefix]; {
		prefix++
	}
	at = func(v metadata.Value) float64 {
		switch v.Order {
		case metadata.OrderInt:
			return float64(v.Int)
		case metadata.OrderUint:
			return float64(v.Uint64())
		case metadata.OrderFloat:
			return v.Float
		case metadata.OrderDecimal:
			f, _ := v.BigInt().Float64()
			return f
		}
		var b [8]byte
		copy(b[:], v.Bytes[min(prefix, len(v.Bytes)):])
		return float64(binary.BigEndian.Uint64(b[:]))
	}
	lo, hi := at(hull.Lower), at(hull.Upper)
	return at, hi > lo && !math.IsInf(hi-lo, 0)
}

// aligned reports whether most of the ranges are most of the whole.
func aligned(zones []*metadata.Zone, hull metadata.Zone, at func(metadata.Value) float64) bool {
	width, covered := at(hull.Upper)-at(hull.Lower), 0.0
	for _, z := range zones {
		covered += (at(z.Upper) - at(z.Lower)) / width
	}
	return covered >= 0.8*float64(len(zones))
}

// pooled is what parts hold that draw from the same values, as likely each.
func pooled(parts []*part) float64 {
	var s sample
	for _, p := range parts {
		s.add(p, 1)
	}
	return s.union()
}

// sample sums parts, or shares of parts, that draw from the same values.
type sample struct{ seen, draws, largest, k float64 }

func (s *sample) add(p *part, share float64) {
	s.seen += share * p.estimate
	s.draws += share * p.draws
	s.largest = max(s.largest, share*p.estimate)
	s.k++
}

// union is what all of a sample's parts hold together.
func (s *sample) union() float64 {
	d := population(s.seen/s.k, s.draws/s.k)
	if math.IsInf(d, 1) {
		return s.seen
	}
	return min(max(occupancy(d, s.draws), s.largest), s.seen)
}

// shared estimates from the minima and maxima that parts have in common.
func shared(c *component, zones []*metadata.Zone, at func(metadata.Value) float64, ok bool) float64 {
	var s sample
	for _, p := range c.parts {
		s.add(p, 1)
	}
	each, pool := s.seen/s.k, s.union()
	lower := func(z *metadata.Zone) (metadata.Value, bool) { return z.Lower, z.LowerExact }
	upper := func(z *metadata.Zone) (metadata.Value, bool) { return z.Upper, z.UpperExact }
	var t []ties
	if comparable(zones, lower) && !(ok && sparse(zones, lower, c.hull, at, each)) {
		t = append(t, minimaTies(zones))
	}
	if comparable(zones, upper) && !(ok && sparse(zones, upper, c.hull, at, each)) {
		t = append(t, maximaTies(zones))
	}
	if len(t) == 0 {
		return pool
	}
	p := sharing(each/pool, 1, t...)
	return min(max(each/p, s.largest), s.seen)
}

// sparse reports whether extremes lie much further apart than the values of a
// chunk do on average: they are from a thin tail, and say nothing of how much
// the chunks share elsewhere.
func sparse(zones []*metadata.Zone, end func(*metadata.Zone) (metadata.Value, bool), hull metadata.Zone, at func(metadata.Value) float64, each float64) bool {
	v, _ := end(&hull)
	edge, width, sum := at(v), at(hull.Upper)-at(hull.Lower), 0.0
	for _, z := range zones {
		v, _ := end(z)
		sum += math.Abs(at(v)-edge) / width
	}
	return sum/float64(len(zones))*each > sparseTail
}

// sparseTail is how many mean distances between values are many.
const sparseTail = 6

// comparable reports whether equal bounds are equal values: they are not cut
// short to one of the usual lengths.
func comparable(zones []*metadata.Zone, end func(*metadata.Zone) (metadata.Value, bool)) bool {
	for _, z := range zones {
		if v, exact := end(z); !exact && (len(v.Bytes) == 16 || len(v.Bytes) >= 64) {
			return false
		}
	}
	return true
}

// segments is into how many stretches a component is cut at most.
const segments = 64

// staggered cuts the range into stretches and pools what the parts hold of
// each, as if their values lay evenly in their ranges.
func staggered(parts []*part, hull metadata.Zone, at func(metadata.Value) float64) (d float64) {
	cuts := make([]float64, 0, 2*len(parts))
	for _, p := range parts {
		cuts = append(cuts, at(p.zone.Lower), at(p.zone.Upper))
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	if step := float64(len(cuts)-1) / segments; step > 1 {
		for i := range segments {
			cuts[i] = cuts[int(float64(i)*step)]
		}
		cuts[segments] = at(hull.Upper)
		cuts = cuts[:segments+1]
	}
	in := make([]sample, len(cuts)-1)
	for _, p := range parts {
		from, to := at(p.zone.Lower), at(p.zone.Upper)
		i, found := slices.BinarySearch(cuts, from)
		if !found {
			i--
		}
		i = min(i, len(in)-1)
		if from == to {
			in[i].add(p, 1)
			continue
		}
		for ; i < len(in) && cuts[i] < to; i++ {
			in[i].add(p, (min(to, cuts[i+1])-max(from, cuts[i]))/(to-from))
		}
	}
	for i := range in {
		if in[i].k > 0 {
			d += in[i].union()
		}
	}
	return d
}
