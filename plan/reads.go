package plan

import (
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/rowrange"
)

// Model is what requests cost. A batch of requests takes one Latency and its
// bytes divided by Bandwidth.
type Model struct {
	Latency   float64 // seconds until a request's first byte
	Bandwidth float64 // bytes a second
}

// localModel is what a file on a local disk costs.
var localModel = Model{Latency: 20e-6, Bandwidth: 2e9}

// Read is a part of the scan that is fetched and decoded together: some
// neighbouring row groups, in one round of requests or in two.
type Read struct {
	Groups []*Group
	// First is fetched before anything is decoded.
	First []metadata.Extent
	// Second is what may be needed, beyond First, once the filter columns
	// have been tested: an upper bound. Empty if all is fetched at once.
	Second []metadata.Extent
}

// Reads divides the row groups that are to be read into portions of about
// budget bytes, at least one row group each. Two rounds are chosen where
// filtering first is expected to save more than the round's latency.
func Reads(groups []*Group, m Model, budget int64) []Read {
	var out []Read
	size := int64(0)
	for _, g := range groups {
		if g.May.Empty() {
			continue
		}
		first, second := g.rounds(m)
		n := total(first) + total(second)
		if len(out) == 0 || size+n > budget {
			out = append(out, Read{})
			size = 0
		}
		r := &out[len(out)-1]
		r.Groups = append(r.Groups, g)
		r.First = append(r.First, first...)
		r.Second = append(r.Second, second...)
		size += n
	}
	return out
}

// NeedsData reports whether rows of the group have to be decoded at all.
func (g *Group) NeedsData() bool {
	if g.May.Empty() {
		return false
	}
	for _, c := range g.Output {
		if !g.May.Equal(c.Answered) {
			return true
		}
	}
	return !g.May.Equal(g.Must)
}

// savedShare is the share of the output bytes of undecided rows that
// filtering first is expected to save; nothing is known about it beforehand.
const savedShare = 0.5

// rounds splits what a row group needs into what is needed for certain and
// what filtering may save.
func (g *Group) rounds(m Model) (first, second []metadata.Extent) {
	seen := map[metadata.Extent]bool{}
	add := func(to *[]metadata.Extent, es []metadata.Extent) {
		for _, e := range es {
			if !seen[e] {
				seen[e] = true
				*to = append(*to, e)
			}
		}
	}
	for _, c := range g.Filter {
		add(&first, c.Extents(g.RowGroup.NumRows, c.Need))
	}
	for _, c := range g.Output {
		add(&first, c.Extents(g.RowGroup.NumRows, g.Must.Subtract(c.Answered)))
	}
	for _, c := range g.Output {
		add(&second, c.Extents(g.RowGroup.NumRows, g.May.Subtract(c.Answered)))
	}
	if float64(total(second))*savedShare/m.Bandwidth <= m.Latency {
		return append(first, second...), nil
	}
	return first, second
}

func total(es []metadata.Extent) (n int64) {
	for _, e := range es {
		n += e.Length
	}
	return n
}

// Extents returns what must be fetched to read rows of a chunk: the located
// pages that hold them and what lies before the first page (the dictionary),
// or the whole chunk.
func (c *Chunk) Extents(groupRows int64, rows rowrange.Set) []metadata.Extent {
	if rows.Empty() {
		return nil
	}
	if c.Index == nil {
		return []metadata.Extent{c.DataExtent()}
	}
	var out []metadata.Extent
	if d := c.DictionaryExtent(); d.Length > 0 && c.Dictionary == nil {
		out = append(out, d)
	}
	c.EachPage(groupRows, rows, func(i int, _, _ int64) { out = append(out, c.PageExtent(i)) })
	return out
}

// DataExtent is what is left to read of a chunk whose pages are not located:
// all of it, or what lies behind a dictionary that has been read.
func (c *Chunk) DataExtent() metadata.Extent {
	e := c.Pages
	if c.Dictionary != nil {
		e.Offset, e.Length = c.dataAt, e.End()-c.dataAt
	}
	return e
}

// DictionaryExtent is what lies before the first data page of a chunk whose
// pages are located; Length 0 if nothing does.
func (c *Chunk) DictionaryExtent() metadata.Extent {
	e := metadata.Extent{Offset: c.Pages.Offset, Length: c.Index.Pages[0].Offset - c.Pages.Offset, Piece: c.Pages.Piece}
	e.Piece.Kind = metadata.PieceDictionary
	return e
}

// PageExtent is the place of a located data page.
func (c *Chunk) PageExtent(i int) metadata.Extent {
	p := c.Index.Pages[i]
	e := metadata.Extent{Offset: p.Offset, Length: p.Length, Piece: c.Pages.Piece}
	e.Piece.Kind, e.Piece.Page = metadata.PiecePage, i
	return e
}
