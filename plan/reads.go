package plan

import (
	"cmp"
	"slices"

	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/predicate"
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

// Read is a part of the scan that is fetched together, in one or more rounds
// of requests: neighbouring windows of one or more row groups.
type Read struct {
	Windows []*Window
	// Rounds are the extents to fetch, each once. Those of the first round are
	// needed for certain; what later ones bring may be, once the conditions
	// whose columns have come are tested: an upper bound.
	Rounds [][]metadata.Extent
	// Streams are the chunks that are read piece by piece while they are decoded,
	// beside the rounds; Piece is a piece's length.
	Streams []metadata.Extent
	Piece   int64
	// Earlier are those that a read before this one has, too, with the number
	// of the last such: what that fetched of them is not fetched again. Later
	// are those that a read behind this one has.
	Earlier map[metadata.Extent]int
	Later   map[metadata.Extent]bool
}

// Planned returns the extents of a round that are expected to be fetched: all
// but those that an earlier read brings.
func (r *Read) Planned(round int) []metadata.Extent {
	if len(r.Earlier) == 0 {
		return r.Rounds[round]
	}
	return slices.DeleteFunc(slices.Clone(r.Rounds[round]), func(e metadata.Extent) bool {
		_, ok := r.Earlier[e]
		return ok
	})
}

// Reads divides the row groups that are to be read into portions.
func Reads(where predicate.Node, groups []*Group, m Model, s Sizes) []Read {
	var out []Read
	var size, reached int64 // bytes of the read; where its last extent ends
	var together [][]pass
	end := func() {
		if n := len(out); n > 0 {
			out[n-1].divide(together, m)
			together = nil
		}
	}
	for _, g := range groups {
		if !g.May.Empty() {
			g.streamed(where, s)
		}
	}
	for i, w := range allWindows(groups, s) {
		w.Number = i
		passes, streams := w.passes(where)
		n, first, last := spanned(passes, s.Gap)
		n += total(streams)
		if between := first - reached; between > 0 && between <= s.Gap && len(out) > 0 {
			n += between
		}
		reached = max(reached, last)
		if len(out) == 0 || size+n > s.Read {
			end()
			out = append(out, Read{Piece: s.Piece})
			size = 0
		}
		r := &out[len(out)-1]
		r.Streams = append(r.Streams, streams...)
		r.Windows = append(r.Windows, w)
		together = append(together, passes)
		size += n
	}
	end()
	across(out)
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

// pass is a step of reading a row group: what it needs, beyond the steps
// before it, and the condition that is tested then, if any.
type pass struct {
	need []metadata.Extent
	test predicate.Node
	// share is the guess which part of need the tests before it leave wanted.
	share float64
}

// passes lists the steps of reading a window: one for each condition of an
// AND, in the order of testing, and one for the columns to return; and what is
// streamed.
func (w *Window) passes(where predicate.Node) (out []pass, streams []metadata.Extent) {
	g := w.Group
	conditions := []predicate.Node{where}
	open := !w.May.Equal(w.Must)
	if w.First && !g.May.Equal(g.Must) {
		g.order(where)
	}
	if and, ok := where.(*predicate.AndNode); ok {
		conditions = g.Ordered(and)
	}
	out = make([]pass, len(conditions)+1)
	seen := map[metadata.Extent]bool{}
	add := func(p *pass, c *Chunk, rows rowrange.Set) {
		to := &p.need
		if c.Streamed {
			to = &streams
		}
		for _, e := range c.Extents(g.RowGroup.NumRows, rows) {
			if !seen[e] {
				seen[e] = true
				*to = append(*to, e)
			}
		}
	}
	for _, c := range g.Output {
		add(&out[0], c, w.Must.Subtract(c.Answered))
	}
	left := 1.0 // the share of rows that the conditions so far let through
	for i, n := range conditions {
		p := &out[i]
		p.share = max(1-savedShare, left)
		if open {
			p.test = n
			for _, c := range g.Tested(n) {
				add(p, c, c.Need.Slice(w.From, w.To))
			}
			left *= g.passShare(n)
		}
	}
	p := &out[len(conditions)]
	p.share = max(1-savedShare, left)
	for _, c := range g.Output {
		add(p, c, w.May.Subtract(c.Answered))
	}
	return out, streams
}

// savedShare is the largest share of a step's bytes that the tests before it
// are expected to save. Pages go only with all of their rows, so few rows that
// pass need not save many pages.
const savedShare = 0.5

// divide puts the passes of the windows into rounds: a pass waits for the
// tests before it where that is expected to save more than a round's latency.
func (r *Read) divide(windows [][]pass, m Model) {
	r.Rounds = make([][]metadata.Extent, 1)
	seen := map[metadata.Extent]bool{} // two windows of a row group may share pages
	for i := range windows[0] {        // all have one for each condition
		saved := 0.0
		for _, passes := range windows {
			saved += float64(total(passes[i].need)) * (1 - passes[i].share)
		}
		if i > 0 && saved/m.Bandwidth > m.Latency {
			r.Rounds = append(r.Rounds, nil)
		}
		last := len(r.Rounds) - 1
		for k, passes := range windows {
			p, w := passes[i], r.Windows[k]
			for _, e := range p.need {
				if !seen[e] {
					seen[e] = true
					r.Rounds[last] = append(r.Rounds[last], e)
				}
			}
			for len(w.Tests) <= last {
				w.Tests = append(w.Tests, nil)
			}
			if p.test != nil {
				w.Tests[last] = append(w.Tests[last], p.test)
			}
		}
	}
}

// spanned is how many bytes are fetched for passes, with the gaps between what they
// need, from the first to the last.
func spanned(passes []pass, gap int64) (n, first, last int64) {
	var es []metadata.Extent
	for _, p := range passes {
		es = append(es, p.need...)
	}
	slices.SortFunc(es, func(a, b metadata.Extent) int { return cmp.Compare(a.Offset, b.Offset) })
	for i, e := range es {
		n += e.Length
		if i == 0 {
			first = e.Offset
		} else if between := e.Offset - last; between > 0 && between <= gap {
			n += between
		}
		last = max(last, e.End())
	}
	return n, first, last
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
