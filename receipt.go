package pare

import (
	"slices"

	"github.com/parequet/pare/internal/fetch"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/plan"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/report"
	"github.com/parequet/pare/rowrange"
)

// counts is what a scan does, or is expected to do.
type counts struct {
	returned int64
	groups   int           // row groups whose rows were decoded
	metadata int           // row groups answered without data
	pages    map[int]int64 // data pages by column
	decoded  map[int]int64 // rows by column
}

func (c *counts) addPages(column int, n int64) {
	if c.pages == nil {
		c.pages = map[int]int64{}
	}
	c.pages[column] += n
}

func (c *counts) addRows(column int, n int64) {
	if c.decoded == nil {
		c.decoded = map[int]int64{}
	}
	c.decoded[column] += n
}

// countPages counts the located pages that were fetched.
func (c *counts) countPages(es []metadata.Extent) {
	for _, e := range es {
		if e.Piece.Kind == metadata.PiecePage {
			c.addPages(e.Piece.Column, 1)
		}
	}
}

func (c *counts) countGroups(r *plan.Read) {
	for _, w := range r.Windows {
		if !w.First {
			continue
		}
		if w.Group.NeedsData() {
			c.groups++
		} else {
			c.metadata++
		}
	}
}

// countPart counts the rows of each column that were decoded: those tested,
// and those returned that could not have been.
func (c *counts) countPart(g *plan.Group, tested func(*plan.Chunk) int64, selected rowrange.Set) {
	for _, k := range g.Chunks() {
		n := tested(k)
		if slices.Contains(g.Output, k) {
			n += selected.Subtract(k.Answered).Subtract(k.Need).Len()
		}
		c.addRows(k.Column.Index, n)
	}
}

func (s *Scan) countPart(p *part) {
	s.count(func(c *counts) {
		w := p.window
		c.countPart(p.group, func(k *plan.Chunk) int64 { return min(p.tested[k], k.Need.Slice(w.From, w.To).Len()) }, p.selected())
		for k, r := range p.readers {
			if k.Index == nil {
				c.addPages(k.Column.Index, int64(r.Opened()))
			}
		}
	})
}

// Receipt accounts for what the scan has read so far; once Batches has ended,
// for all of it. The first scan of a file also accounts for opening it.
func (s *Scan) Receipt() report.Receipt {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.plan.account(s.plan.ledger, s.counts)
	if !s.ended.IsZero() {
		r.Model.ActualMS = float64(s.ended.Sub(s.plan.started).Microseconds()) / 1000
	}
	return r
}

// Receipt accounts for the plan as if it had run: an upper bound where
// filtering first turns out to save pages, or a limit to end early. Pages
// whose places are not known are counted as far as encoding_stats tells. Of
// requests there can be one more, where pages that turn out not to be needed lay in
// the middle of one.
func (p *Plan) Receipt() report.Receipt {
	l := p.before.Clone()
	var c counts
	for i := range p.reads {
		r := &p.reads[i]
		for i := range r.Rounds {
			es := r.Planned(i)
			l.Foresee(p.fetch.Requests(p.round(i), es), es)
			c.countPages(es)
		}
		r.Pieces(func(round int, e metadata.Extent) {
			es := []metadata.Extent{e}
			l.Foresee(p.fetch.Requests(p.round(round), es), es)
		})
		c.countGroups(r)
		for _, w := range r.Windows {
			if !w.First {
				continue
			}
			g := w.Group
			for _, k := range g.Chunks() {
				if n, ok := p.file.meta.DataPages(k.Chunk); ok && k.Index == nil && g.NeedsData() {
					c.addPages(k.Column.Index, n)
				}
			}
			c.countPart(g, func(k *plan.Chunk) int64 { return k.Need.Len() }, g.May)
			c.returned += g.May.Len()
		}
	}
	if limit := p.query.Limit; limit > 0 {
		c.returned = min(c.returned, limit)
	}
	return p.account(l, c)
}

// opening accounts for what opening the file read, unless a plan has.
func (f *File) opening() report.Receipt {
	l := &fetch.Ledger{}
	l.Absorb(f.opened)
	p := &Plan{file: f, where: &predicate.Bound{Root: predicate.Const(true)}, model: modelOf(f.fetch.Hints())}
	return p.account(l, counts{})
}

// account builds a receipt from a ledger and counts.
func (p *Plan) account(l *fetch.Ledger, c counts) report.Receipt {
	t := l.Totals()
	r := report.Receipt{Version: report.Version}
	r.Bytes = report.Bytes{File: p.file.Size(), Footer: t.Kind[metadata.PieceFooter],
		Index: t.Kind[metadata.PieceColumnIndex] + t.Kind[metadata.PieceOffsetIndex],
		Bloom: t.Kind[metadata.PieceBloom], Dictionary: t.Kind[metadata.PieceDictionary],
		Data: t.Kind[metadata.PiecePage] + t.Kind[metadata.PieceChunk], Gap: t.Gap, Total: t.Total}
	r.Requests = report.Requests{Total: t.Requests, Rounds: t.Rounds, Retries: t.Retries}
	r.Model = report.Model{LatencyMS: p.model.Latency * 1000, Bandwidth: p.model.Bandwidth,
		PredictedMS: 1000 * (float64(t.Rounds)*p.model.Latency + float64(t.Total)/p.model.Bandwidth)}
	round, last := -1, -1 // rounds that asked for nothing are not numbered
	for _, q := range l.Requests() {
		if q.Round != last {
			round, last = round+1, q.Round
		}
		r.Reads = append(r.Reads, report.Read{Round: round, Offset: q.Offset, Length: q.Length, Wanted: q.Wanted,
			Pieces: q.Pieces, Purpose: q.Purpose, Retries: q.Retries})
	}
	p.accountGroups(&r, c)
	p.accountColumns(&r, c, t)
	r.Rows.Returned = c.returned
	r.Files = report.Files{Total: 1}
	if c.groups+c.metadata > 0 {
		r.Files.Read = 1
	} else {
		r.Files.Pruned = 1
	}
	return r
}

func (p *Plan) accountGroups(r *report.Receipt, c counts) {
	r.RowGroups.Total = len(p.groups)
	r.RowGroups.Read, r.RowGroups.FromMetadata = c.groups, c.metadata
	for _, g := range p.groups {
		r.Rows.Total += g.RowGroup.NumRows
		r.Rows.Planned += g.May.Len()
		if !g.May.Empty() && g.May.Equal(g.Must) {
			r.RowGroups.Always++
		}
		switch g.PrunedBy {
		case "statistics":
			r.RowGroups.Pruned.Statistics++
		case "bloom":
			r.RowGroups.Pruned.Bloom++
		case "dictionary":
			r.RowGroups.Pruned.Dictionary++
		case "page_index", "page_headers":
			r.RowGroups.Pruned.PageIndex++
		}
		for _, d := range g.Doubts {
			r.Doubts = append(r.Doubts, report.Doubt{RowGroup: d.RowGroup, Column: d.Column, What: d.What, Why: d.Why})
		}
		for _, s := range g.Steps {
			r.Steps = append(r.Steps, reportStep(g, s))
		}
		r.Pages.Always += alwaysPages(g)
	}
	// What is neither read nor pruned was not needed to reach the limit.
	r.RowGroups.PastLimit = r.RowGroups.Total - r.RowGroups.Pruned.Sum() - c.groups - c.metadata
}

func reportStep(g *plan.Group, s plan.Step) report.Step {
	known := func(n int64) *int64 {
		if n < 0 {
			return nil
		}
		return &n
	}
	out := report.Step{Stage: s.Stage, RowGroup: g.RowGroup.Index, Asked: s.Asked, Reason: s.Reason, RowsBefore: s.RowsBefore,
		RowsAfter: s.RowsAfter, PagesBefore: known(s.PagesBefore), PagesAfter: known(s.PagesAfter)}
	for _, u := range s.Units {
		out.Units = append(out.Units, report.Unit{Column: u.Column, FirstPage: u.First, LastPage: u.Last, Decision: u.Decision.String(), Why: u.Why})
	}
	return out
}

// alwaysPages counts pages of filter columns all of whose rows must match.
func alwaysPages(g *plan.Group) (n int64) {
	for _, c := range g.Filter {
		if c.Index != nil {
			c.EachPage(g.RowGroup.NumRows, g.Must, func(_ int, from, to int64) {
				if g.Must.Covers(from, to) {
					n++
				}
			})
		}
	}
	return n
}

// accountColumns books pages and bytes by column.
func (p *Plan) accountColumns(r *report.Receipt, c counts, t fetch.Totals) {
	total := int64(0)
	known := len(p.groups) > 0
	role := func(col *metadata.Column, name string) {
		for i := range r.Columns {
			if r.Columns[i].Name == col.Name {
				if r.Columns[i].Role != name {
					r.Columns[i].Role = "both"
				}
				return
			}
		}
		k := report.Column{Name: col.Name, Role: name, PagesRead: c.pages[col.Index], Bytes: t.Column[col.Index]}
		k.PagesTotal = p.pagesOf(col)
		if k.PagesTotal == nil {
			known = false
		} else {
			total += *k.PagesTotal
		}
		r.Pages.Read += k.PagesRead
		r.Rows.Decoded = max(r.Rows.Decoded, c.decoded[col.Index])
		r.Columns = append(r.Columns, k)
	}
	for _, col := range p.where.Columns {
		role(col, "filter")
	}
	for _, col := range p.leaves {
		role(col, "output")
	}
	if known && len(r.Columns) > 0 {
		r.Pages.Total = &total
	}
}

// pagesOf is the number of a column's data pages in the row groups of the
// plan, nil if one of them is not located.
func (p *Plan) pagesOf(col *metadata.Column) *int64 {
	n := int64(0)
	for _, g := range p.groups {
		found := false
		for _, c := range g.Chunks() {
			if c.Column == col && c.Index != nil {
				n += int64(len(c.Index.Pages))
				found = true
			}
		}
		if !found {
			return nil
		}
	}
	return &n
}
