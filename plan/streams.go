package plan

import (
	"slices"

	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/predicate"
)

// streamed decides which chunks of a row group are read piece by piece while they
// are decoded, instead of being fetched whole: long ones whose pages are not
// located, and whose rows are asked for once, in their order. Those of repeated
// columns are not: where their rows begin is known page by page.
func (g *Group) streamed(where predicate.Node, s Sizes) {
	if s.Piece <= 0 {
		return
	}
	conditions := []predicate.Node{where}
	if and, ok := where.(*predicate.AndNode); ok {
		conditions = and.Kids
	}
	least := s.Read / 4
	if s.Whole > 0 {
		least = min(least, 2*s.Piece)
	}
	var long []*Chunk
	memory := int64(0)
	for _, c := range g.Chunks() {
		if c.Index != nil {
			continue
		}
		n := c.DataExtent().Length
		memory += n + min(max(c.UncompressedSize, n), mostGrowth*n)
		if n > least && !c.Column.Repeated() {
			long = append(long, c)
		}
	}
	if memory <= s.Whole {
		return
	}
	for _, c := range long {
		uses := 0
		if slices.Contains(g.Output, c) {
			uses++
		}
		for _, n := range conditions {
			if slices.Contains(g.Tested(n), c) {
				uses++
			}
		}
		c.Streamed = uses == 1
	}
}

// mostGrowth is how many times as many bytes a chunk is believed to become.
const mostGrowth = 16

// Pieces calls f with the pieces in which the extents that are streamed are fetched, and
// with the round of each: those of one chunk are waited for one after the other.
func (r *Read) Pieces(f func(round int, e metadata.Extent)) {
	for _, e := range r.Streams {
		for off := int64(0); off < e.Length; off += r.Piece {
			p := e
			p.Offset, p.Length = e.Offset+off, min(r.Piece, e.Length-off)
			f(int(off/r.Piece), p)
		}
	}
}
