package plan

import (
	"cmp"
	"slices"

	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/rowrange"
)

// Window is a stretch of a row group's rows that is tested and decoded on its
// own: the whole row group, or what lies between two cuts. A page that lies
// across a cut is decoded for both windows, and fetched once.
type Window struct {
	Number   int // counted over all windows of the scan
	Group    *Group
	From, To int64
	May      rowrange.Set // the group's rows in the window that may match
	Must     rowrange.Set // those that must
	First    bool         // the row group's first: what counts once for a row group counts here
	// Tests are the conditions to test once each round of the window's Read has
	// come, in this order; all have to hold.
	Tests [][]predicate.Node
}

// Whole reports whether the window is the whole row group.
func (w *Window) Whole() bool { return w.From == 0 && w.To == w.Group.RowGroup.NumRows }

// Sizes say how large the portions of a scan are.
type Sizes struct {
	Read int64 // bytes that are fetched together; a row group whose pages are not all located is never divided. 0 keeps row groups whole and apart
	// Parts is into how many windows the scan is divided at least, so that as
	// many threads can work at a time, where that is worth it.
	Parts int
	// Rows is how many rows a window has at most, about, where windows are worked
	// on concurrently: what is decoded of one has to wait somewhere until those
	// before it have been handed out. 0 means any number.
	Rows int64
	// Piece is how many bytes of a chunk whose pages are not located are fetched
	// at a time while it is decoded; 0 means that it is fetched whole.
	Piece int64
	// Gap is how many bytes between two extents are fetched with them.
	Gap int64
	// Whole is how much memory such chunks of a row group may take together, with
	// what they become, to be fetched whole all the same.
	Whole int64
}

// minPart is the least weight of a window that is cut off for the sake of
// parallel work.
const minPart = 1 << 20

// rowWeight is what decoding a value weighs, in bytes that are fetched.
const rowWeight = 4

// crossing is the largest share of a window's weight that may lie in pages
// across its end: they are decoded twice.
const crossing = 1.0 / 8

// stretch is a located page, or a chunk that is not divided, while windows are
// cut.
type stretch struct {
	from, to int64 // rows
	weight   int64
}

// stretches lists what the query reads of a row group, and its weight; ok says
// whether the row group may be divided.
func (g *Group) stretches() (out []stretch, weight int64, ok bool) {
	ok = true
	for _, c := range g.Chunks() {
		rows := c.Need
		if slices.Contains(g.Output, c) {
			rows = rows.Union(g.May.Subtract(c.Answered))
		}
		if rows.Empty() {
			continue
		}
		if c.Index == nil {
			ok = false
			weight += c.Pages.Length + rowWeight*rows.Len()
			continue
		}
		c.EachPage(g.RowGroup.NumRows, rows, func(i int, from, to int64) {
			w := c.PageExtent(i).Length + rowWeight*rows.Slice(from, to).Len()
			out = append(out, stretch{from, to, w})
			weight += w
		})
	}
	return out, weight, ok
}

// windows divides the rows of a row group that may match into windows of about
// the target's weight.
func (g *Group) windows(pages []stretch, target, rows int64) (out []*Window) {
	from := int64(0)
	add := func(to int64) {
		if may := g.May.Slice(from, to); !may.Empty() {
			out = append(out, &Window{Group: g, From: from, To: to, May: may, Must: g.Must.Slice(from, to), First: len(out) == 0})
			from = to
		}
	}
	for _, to := range cuts(pages, target, rows) {
		add(to)
	}
	add(g.RowGroup.NumRows)
	return out
}

// cuts returns the rows at which to cut, in order: where pages begin, so that
// little lies across.
func cuts(pages []stretch, target, rows int64) (out []int64) {
	slices.SortFunc(pages, func(a, b stretch) int { return cmp.Compare(a.from, b.from) })
	ends := slices.SortedFunc(slices.Values(pages), func(a, b stretch) int { return cmp.Compare(a.to, b.to) })
	weight, across := int64(0), int64(0) // of the window so far, and of its pages that go on
	start := int64(0)
	for _, p := range pages {
		for len(ends) > 0 && ends[0].to <= p.from {
			across -= ends[0].weight
			ends = ends[1:]
		}
		near := weight >= target || weight >= target*9/10 && across == 0 || rows > 0 && p.from-start >= rows
		if near && float64(across) <= crossing*float64(weight) && start < p.from {
			out = append(out, p.from)
			weight, start = across, p.from
		}
		weight += p.weight
		across += p.weight
	}
	return out
}

// whole is the window of all rows of a row group.
func (g *Group) whole() []*Window {
	return []*Window{{Group: g, To: g.RowGroup.NumRows, May: g.May, Must: g.Must, First: true}}
}

// allWindows divides the row groups that are to be read into windows.
func allWindows(groups []*Group, s Sizes) (out []*Window) {
	if s.Read == 0 {
		for _, g := range groups {
			if !g.May.Empty() {
				out = append(out, g.whole()...)
			}
		}
		return out
	}
	pages := make([][]stretch, len(groups))
	total := int64(0)
	for i, g := range groups {
		if g.May.Empty() {
			continue
		}
		list, weight, ok := g.stretches()
		total += weight
		if ok {
			pages[i] = list
		}
	}
	target := min(max(total/int64(max(s.Parts, 1)), min(minPart, s.Read)), s.Read)
	for i, g := range groups {
		if !g.May.Empty() {
			out = append(out, g.windows(pages[i], target, s.Rows)...)
		}
	}
	return out
}

// across finds the extents that several reads have.
func across(reads []Read) {
	last := map[metadata.Extent]int{} // the read before that has it
	for i := range reads {
		r := &reads[i]
		if r.Windows[0].First {
			clear(last)
		}
		for _, es := range r.Rounds {
			for _, e := range es {
				if k, ok := last[e]; ok {
					if r.Earlier == nil {
						r.Earlier = map[metadata.Extent]int{}
					}
					if reads[k].Later == nil {
						reads[k].Later = map[metadata.Extent]bool{}
					}
					r.Earlier[e], reads[k].Later[e] = k, true
				}
				last[e] = i
			}
		}
	}
}
