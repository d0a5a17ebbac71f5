package plan

import (
	"fmt"

	"github.com/parequet/pare/metadata"
)

// bill adds up what evidence would cost and what it may save at most. Evidence
// is asked for only if it costs less than that; so asking in vain costs no
// more than one round, and not asking no more than the same.
type bill struct {
	q      *Query
	need   int64 // bytes to fetch
	saving float64
	seen   map[*Group]bool
	twice  bool // a second round will have to follow
}

// decodeSeconds is what decoding a value costs, beside its bytes.
const decodeSeconds = 5e-9

// refuses says why evidence is not worth its bytes for a row group alone.
func (b *bill) refuses(g *Group, need []metadata.Extent) string {
	price := b.bytes(need)
	if limit := g.mayCost(b.q); price > 0 && float64(price)/b.q.Model.Bandwidth >= limit {
		return fmt.Sprintf("it would take %d bytes, as dear as what it may save", price)
	}
	return ""
}

// add books evidence for a row group.
func (b *bill) add(g *Group, need []metadata.Extent) {
	b.need += b.bytes(need)
	b.twice = b.twice || g.bloomTwice && g.bloomAsked
	if b.seen == nil {
		b.seen = map[*Group]bool{}
	}
	if !b.seen[g] {
		b.seen[g] = true
		b.saving += g.mayCost(b.q)
	}
}

// tooDear says why no evidence at all is asked for.
func (b *bill) tooDear() string {
	if b.need == 0 {
		return ""
	}
	price := b.q.Model.Latency + float64(b.need)/b.q.Model.Bandwidth
	if b.twice {
		price += b.q.Model.Latency
	}
	if price >= b.saving {
		return fmt.Sprintf("a round of requests takes %.2f ms, it may save %.2f ms", 1000*price, 1000*b.saving)
	}
	return ""
}

// bytes counts what is not in hand.
func (b *bill) bytes(need []metadata.Extent) (n int64) {
	for _, e := range need {
		if b.q.InHand == nil || !b.q.InHand(e) {
			n += e.Length
		}
	}
	return n
}

// mayCost is what reading and decoding all that the row group still asks for
// would take, in seconds.
func (g *Group) mayCost(q *Query) float64 {
	bytes, values := int64(0), int64(0)
	for _, c := range g.Chunks() {
		if c.Index == nil {
			bytes += c.Pages.Length
		} else {
			c.EachPage(g.RowGroup.NumRows, g.May, func(i int, _, _ int64) { bytes += c.Index.Pages[i].Length })
		}
		values += g.May.Len()
	}
	return float64(bytes)/q.Model.Bandwidth + float64(values)*decodeSeconds
}
