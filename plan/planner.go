package plan

import (
	"fmt"
	"slices"

	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/rowrange"
)

// Planner climbs the ladder.
type Planner struct {
	q       *Query
	groups  []*Group
	ladder  []Stage
	asks    []ask // evidence that is being looked at, in the order of the ladder
	started bool
	asked   bool // for what has its price
}

// ask is a stage that needs bytes for a row group.
type ask struct {
	stage Stage
	group *Group
	need  []metadata.Extent
}

// New starts a plan. It decodes the metadata of the chunks that the query
// reads, and fails where one of them cannot be read at all.
func New(q *Query) (*Planner, error) {
	if q.Model.Bandwidth <= 0 {
		q.Model = localModel
	}
	if q.MaxPage <= 0 {
		q.MaxPage = 1 << 30
	}
	p := &Planner{q: q, ladder: []Stage{bloom{}, dictionary{}, pageIndex{}, pageHeaders{}}}
	wanted := map[int]bool{}
	for _, i := range q.Groups {
		if i < 0 || i >= len(q.File.RowGroups) {
			return nil, fmt.Errorf("pare: row group %d of a file with %d", i, len(q.File.RowGroups))
		}
		wanted[i] = true
	}
	for _, rg := range q.File.RowGroups {
		if q.Groups != nil && !wanted[rg.Index] {
			continue
		}
		g := &Group{RowGroup: rg, May: rowrange.All(rg.NumRows)}
		if q.Rows != nil {
			g.May = q.Rows.Slice(rg.FirstRow, rg.FirstRow+rg.NumRows).Shift(-rg.FirstRow)
		}
		if err := g.open(q); err != nil {
			return nil, err
		}
		p.groups = append(p.groups, g)
	}
	return p, nil
}

// open decodes the chunks that the query needs of a row group.
func (g *Group) open(q *Query) error {
	if g.RowGroup.NumRows == 0 || q.Where.Root == predicate.Const(false) {
		return nil
	}
	byColumn := map[int]*Chunk{}
	list := func(cols []*metadata.Column) ([]*Chunk, error) {
		out := make([]*Chunk, 0, len(cols))
		for _, col := range cols {
			c := byColumn[col.Index]
			if c == nil {
				m, err := g.RowGroup.Chunk(col)
				if err != nil {
					return nil, err
				}
				c = &Chunk{Chunk: m, runsOn: col.Repeated() && !q.File.Writer.BeginsPagesWithRows()}
				byColumn[col.Index] = c
			}
			out = append(out, c)
		}
		return out, nil
	}
	var err error
	if g.Filter, err = list(q.Where.Columns); err != nil {
		return err
	}
	g.Output, err = list(q.Output)
	return err
}

// Next returns what has to be fetched next; nothing means that the plan is
// made. have holds all that earlier calls asked for.
func (p *Planner) Next(have metadata.Bytes) ([]metadata.Extent, error) {
	var need []metadata.Extent
	if !p.started {
		p.started = true
		for _, g := range p.groups {
			statistics(p.q, g)
		}
		need = p.free()
	} else {
		need = p.look(have)
	}
	if len(need) == 0 && !p.asked {
		p.asked = true
		need = p.ask()
	}
	if p.q.Strict {
		if err := p.strict(); err != nil {
			return nil, err
		}
	}
	if len(need) == 0 {
		p.limit()
		for _, g := range p.groups {
			if open := g.May.Subtract(g.Must); !open.Empty() {
				g.rows(p.q.Where.Root)
				g.need(p.q.Where.Root, open)
			}
			g.answer(p.q)
		}
	}
	return need, nil
}

// free collects the page indexes that are in hand: what they rule out needs no
// other evidence.
func (p *Planner) free() []metadata.Extent {
	if p.q.InHand == nil {
		return nil
	}
	s := pageIndex{}
	for _, g := range p.groups {
		if g.May.Empty() {
			continue
		}
		need, _ := s.Needs(p.q, g)
		if len(need) > 0 && !slices.ContainsFunc(need, func(e metadata.Extent) bool { return !p.q.InHand(e) }) {
			p.asks = append(p.asks, ask{s, g, need})
			g.indexed = true
		}
	}
	return p.needs()
}

// ask collects what all stages need for all row groups, as far as it is worth
// its price.
func (p *Planner) ask() []metadata.Extent {
	b := bill{q: p.q}
	for _, s := range p.ladder {
		for _, g := range p.groups {
			if g.May.Empty() || g.indexed && s == (pageIndex{}) {
				continue
			}
			need, why := s.Needs(p.q, g)
			if len(need) > 0 {
				why = b.refuses(g, need)
			}
			if why != "" {
				g.step(Step{Stage: s.Name(), Reason: why}, g.May)
			}
			if why != "" || len(need) == 0 {
				continue
			}
			p.asks = append(p.asks, ask{s, g, need})
			if s == (bloom{}) {
				g.bloomAsked = true // the dictionary leaves its leaves to it
			}
			b.add(g, need)
		}
	}
	if why := b.tooDear(); why != "" {
		for _, a := range p.asks {
			a.group.step(Step{Stage: a.stage.Name(), Reason: why}, a.group.May)
		}
		p.asks = nil
	}
	return p.needs()
}

func (p *Planner) needs() (need []metadata.Extent) {
	for _, a := range p.asks {
		need = append(need, a.need...)
	}
	return need
}

// look lets the stages look at what was fetched. Row groups that an earlier
// stage left no row of are not looked at again.
func (p *Planner) look(have metadata.Bytes) []metadata.Extent {
	var again []ask
	for _, a := range p.asks {
		if a.group.May.Empty() {
			continue
		}
		a.need = a.stage.Narrow(p.q, a.group, have)
		if len(a.need) == 0 {
			continue
		}
		b := bill{q: p.q}
		b.add(a.group, a.need)
		if why := b.tooDear(); why != "" {
			a.group.step(Step{Stage: a.stage.Name(), Reason: why}, a.group.May)
			continue
		}
		again = append(again, a)
	}
	p.asks = again
	return p.needs()
}

// strict turns the first doubt into an error.
func (p *Planner) strict() error {
	for _, g := range p.groups {
		for _, d := range g.Doubts {
			return &metadata.FormatError{Piece: fmt.Sprintf("%s of column %s in row group %d", d.What, d.Column, d.RowGroup), Offset: -1, Msg: d.Why}
		}
	}
	return nil
}

// Groups returns the row groups of the plan, in file order.
func (p *Planner) Groups() []*Group { return p.groups }

// limit drops what a LIMIT does not need: as soon as the rows that must match
// reach it, later rows are not read.
func (p *Planner) limit() {
	if p.q.Limit < 0 {
		return
	}
	left := p.q.Limit
	for _, g := range p.groups {
		if left <= 0 {
			if before := g.May; !before.Empty() {
				g.May, g.Must, g.PastLimit = nil, nil, true
				g.limitStep(before, "earlier row groups reach the limit")
			}
			continue
		}
		n := g.Must.Len()
		if n >= left {
			// The rows before the last one that is needed may match, too.
			before := g.May
			g.Must = g.Must.Head(left)
			g.May = g.May.Slice(0, g.Must[len(g.Must)-1].To)
			if !g.May.Equal(before) {
				g.limitStep(before, "the limit is reached inside it")
			}
		}
		left -= n
	}
}

// limitStep records that a limit left rows out; that is no pruning.
func (g *Group) limitStep(before rowrange.Set, why string) {
	pruned := g.PrunedBy
	g.step(Step{Stage: "limit", Asked: true, Reason: why}, before)
	g.PrunedBy = pruned
}
