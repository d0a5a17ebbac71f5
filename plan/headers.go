package plan

import (
	"fmt"
	"slices"

	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/rowrange"
)

// pageHeaders steps over the page headers of chunks without an offset index,
// and so locates their pages and learns what the headers say of their values.
// Each step is a round of requests, so it is done only where a page is much
// dearer than a round: large pages on a cheap source.
type pageHeaders struct{}

func (pageHeaders) Name() string { return "page_headers" }

const (
	// stepsWorth is how many times dearer than a step a page has to be.
	stepsWorth = 8
	// headerBytes are read of each page; headers that are longer are read again.
	headerBytes    = 512
	maxHeaderBytes = 64 << 10
)

// walk is how far the headers of a chunk have been stepped over.
type walk struct {
	at    int64 // where the next header starts
	bytes int64 // how much of it is asked for
	left  int64 // pages that may still come by the footer's count
	row   int64
	index metadata.OffsetIndex
	zones []metadata.Zone
}

func (pageHeaders) Needs(q *Query, g *Group) (need []metadata.Extent, why string) {
	if q.Skip&PageIndex != 0 {
		return nil, ""
	}
	decided := g.May.Equal(g.Must)
	if decided && g.May.Equal(rowrange.All(g.RowGroup.NumRows)) {
		return nil, ""
	}
	for _, c := range g.Chunks() {
		if c.OffsetIndex.Length > 0 || c.Pages.Length == 0 || c.Column.MaxRep > 0 {
			continue
		}
		if decided && !slices.Contains(g.Output, c) {
			continue // neither tested nor returned
		}
		pages, ok := q.File.DataPages(c.Chunk)
		if !ok || pages < 2 {
			continue // unknown, or nothing to step over
		}
		round := q.Model.Latency * q.Model.Bandwidth // bytes that a wait would bring
		if size := c.Pages.Length / pages; float64(size) < stepsWorth*round+2*headerBytes {
			why = fmt.Sprintf("pages of about %d bytes are read sooner than stepped over", size)
			continue
		}
		c.walk = &walk{at: c.Pages.Offset, bytes: headerBytes, left: pages + 1} // and a dictionary
		need = append(need, c.nextHeader())
	}
	if len(need) > 0 {
		why = ""
	}
	return need, why
}

// nextHeader is where the next page header of a chunk is expected.
func (c *Chunk) nextHeader() metadata.Extent {
	e := metadata.Extent{Offset: c.walk.at, Length: min(c.walk.bytes, c.Pages.End()-c.walk.at), Piece: c.Pages.Piece}
	e.Piece.Kind, e.Piece.Page = metadata.PieceOffsetIndex, len(c.walk.index.Pages)
	return e
}

func (s pageHeaders) Narrow(q *Query, g *Group, have metadata.Bytes) (more []metadata.Extent) {
	for _, c := range g.Chunks() {
		for c.walk != nil {
			b, ok := have.Get(c.nextHeader())
			if !ok {
				more = append(more, c.nextHeader())
				break
			}
			if why := c.step(q.File, g.RowGroup.NumRows, b); why != "" {
				g.doubt(c, "page headers", why)
				c.walk = nil
			}
		}
	}
	if len(more) > 0 {
		return more
	}
	g.nodes = nil // pages are known now that were not before
	g.narrowByPages(q, s, g.May)
	return nil
}

// step takes the header at b and moves to the next page, or ends the walk. It
// returns why the pages cannot be located this way.
func (c *Chunk) step(f *metadata.File, rows int64, b []byte) string {
	w := c.walk
	h, err := metadata.ParsePageHeader(b, true)
	if err != nil {
		if w.bytes < maxHeaderBytes && w.bytes < c.Pages.End()-w.at {
			w.bytes *= 8 // it may only be longer than what was read
			return ""
		}
		return err.Error()
	}
	end := w.at + int64(h.Length) + int64(h.CompressedSize)
	if end > c.Pages.End() {
		return fmt.Sprintf("the page at %d overruns its chunk", w.at)
	}
	if h.Type == metadata.DataPage || h.Type == metadata.DataPageV2 {
		w.index.Pages = append(w.index.Pages, metadata.PageLocation{Offset: w.at, Length: end - w.at, FirstRow: w.row})
		z, _ := f.StatisticsZone(c.Chunk, h.Statistics, int64(h.NumValues))
		w.zones = append(w.zones, z)
		ownBounds(w.zones[len(w.zones)-1:])
		w.row += int64(h.NumValues)
	}
	w.at, w.bytes = end, headerBytes
	w.left--
	switch {
	case w.row > rows:
		return fmt.Sprintf("its pages hold %d rows, the row group has %d", w.row, rows)
	case w.row == rows && len(w.index.Pages) > 0:
		c.Index, c.Zones, c.walk = &w.index, w.zones, nil
	case w.at >= c.Pages.End():
		return fmt.Sprintf("its pages hold %d rows, the row group has %d", w.row, rows)
	case w.left == 0:
		return "it has more pages than its footer counts"
	}
	return ""
}
