package ndv

import (
	"math"

	"github.com/parequet/pare/metadata"
)

// part is the answer for one chunk, or for several.
type part struct {
	lo, hi     int64
	loOn, hiOn Assumption
	estimate   float64 // NaN where nothing is known
	route      string
	tier       Tier
	n          float64 // values
	hiValues   int64   // the same, at most
	beside     float64 // bytes of the pages that are neither values nor indices; see overhead
	draws      float64 // as many independent draws as the values are worth: runs count once
	zone       *metadata.Zone
}

// raise and lower narrow the interval, if that can be done without crossing it.
func (p *part) raise(lo int64, on Assumption) {
	if lo > p.lo && lo <= p.hi {
		p.lo, p.loOn = lo, on
	}
}

func (p *part) lower(hi int64, on Assumption) {
	if hi < p.hi && hi >= p.lo {
		p.hi, p.hiOn = hi, on
	}
}

// settle says what the estimate is and how it was found.
func (p *part) settle(d float64, t Tier, route string) {
	p.estimate, p.tier, p.route = d, t, route
}

func (p *part) clamp() {
	if z := p.zone; z != nil && z.HasLower && z.HasUpper && z.Lower.Compare(z.Upper) != 0 {
		p.estimate = max(p.estimate, 2) // NaN stays
	}
	if !math.IsNaN(p.estimate) {
		p.estimate = min(max(p.estimate, float64(p.lo)), float64(p.hi))
	} else if p.lo == p.hi {
		p.settle(float64(p.lo), p.tier, "the bounds meet")
	}
}

// part answers for one chunk.
func (col *Column) part(c *Chunk) part {
	least, most := c.values()
	p := part{hi: most, hiOn: Counts, loOn: Counts, estimate: math.NaN(), n: float64(most), hiValues: most, draws: float64(most), zone: &c.Zone}
	if most == 0 {
		p.settle(0, T0, "all values are NULL")
		return p
	}
	if least > 0 {
		p.raise(1, Counts)
	}
	if !col.extremes(&p, c.Zone) {
		col.evidence(&p, c)
	}
	p.clamp()
	p.draws = col.draws(&p, c)
	if c.Kept >= 0 && c.Kept < c.Zone.Rows {
		p.keep(float64(c.Kept)/float64(c.Zone.Rows), c.Kept)
	}
	return p
}

// evidence asks all that is known of a chunk beside its bounds.
func (col *Column) evidence(p *part, c *Chunk) {
	if col.Boolean {
		p.settle(2, T0, "booleans")
		return
	}
	switch c.Usage {
	case All, Unknown:
		col.dictionary(p, c)
	case Fallback:
		col.fallback(p, c)
	}
	if w := c.Written; w > 0 {
		// Entries of a dictionary of floats may be equal to SQL.
		if p.lower(w, Written); col.Order != metadata.OrderFloat && !c.Unused {
			p.raise(w, Written)
		}
		p.settle(float64(w), T0, "the distinct count that was written")
	}
	col.values(p, c)
	col.pages(p, c)
	if math.IsNaN(p.estimate) {
		col.filtered(p, c)
	}
}

// keep answers for a part of the values, which lie anywhere among them: a
// share of the draws.
func (p *part) keep(share float64, kept int64) {
	p.lo, p.loOn = 0, Counts
	p.lower(kept, Counts)
	p.n *= share
	p.hiValues = min(p.hiValues, kept)
	if !math.IsNaN(p.estimate) {
		d := population(p.estimate, p.draws)
		if math.IsInf(d, 1) {
			p.estimate *= share
		} else {
			p.estimate = min(occupancy(d, p.draws*share), p.estimate)
		}
		p.estimate = min(max(p.estimate, 0), float64(p.hi))
	}
	p.draws *= share
}

// extremes uses the bounds. It reports whether they are the whole answer.
func (col *Column) extremes(p *part, z metadata.Zone) (done bool) {
	if col.Boolean {
		p.lower(2, Counts)
	}
	if n, ok := rangeWidth(z); ok {
		p.lower(n, Bounds)
	}
	if !z.HasLower || !z.HasUpper {
		return false
	}
	if z.Lower.Compare(z.Upper) != 0 {
		if z.LowerExact && z.UpperExact {
			p.raise(2, Bounds)
		}
		return p.lo == p.hi && col.exactly(p, "the minimum and the maximum")
	}
	// Whatever lies between them is that value, whether they occur or not.
	if z.NoNaN {
		p.lower(1, Bounds)
		return col.exactly(p, "the minimum is the maximum")
	}
	p.lower(2, Bounds) // and NaN
	p.settle(1, T0, "the minimum is the maximum")
	return true
}

func (col *Column) exactly(p *part, route string) bool {
	p.settle(float64(p.lo), T0, route)
	return true
}

// values uses what dictionaries hold beyond their sizes.
func (col *Column) values(p *part, c *Chunk) {
	// Several entries may be one value to SQL: zeros and NaNs, decimals of other
	// lengths, times of other days.
	several := col.Order == metadata.OrderFloat || col.Order == metadata.OrderDecimal || col.Width == 12
	switch {
	case c.Values != nil && c.Usage == All:
		n := int64(len(c.Values))
		if p.lower(n, Entries); !c.Unused {
			// NaN lies in no range, so that others may share it.
			p.raise(n-c.Values.count(nanKey, col), Entries|Used)
		}
		p.settle(float64(n), T3, "the values of the dictionary")
	case c.Entries >= 0 && c.Usage == All:
		if p.lower(c.Entries, Entries); !several && !c.Unused {
			p.raise(c.Entries, Entries|Used)
		}
		p.settle(float64(c.Entries), T2, "the dictionary's entries")
	case c.Entries >= 0 && c.Usage == Fallback && !several && !c.Unused:
		p.raise(c.Entries, Entries|Used)
	}
}

// filtered uses a Bloom filter where a dictionary does not tell more.
func (col *Column) filtered(p *part, c *Chunk) {
	if !c.Filter.usable() {
		return
	}
	if n, fill := c.Filter.distinct(); fill <= saturated {
		p.settle(n, T4, "the Bloom filter's bits")
	}
}
