package pare

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/parequet/pare/internal/column"
	"github.com/parequet/pare/internal/fetch"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/plan"
	"github.com/parequet/pare/predicate"
)

// Plan is what a query would read, and why. Making it may have read parts of
// the page index, but no data page. A plan is used once.
type Plan struct {
	file    *File
	fetch   *fetch.Fetcher // of the file, by the figures that the plan is made with
	query   Query
	where   *predicate.Bound
	output  []*column.Tree            // the columns of the result
	leaves  []*metadata.Column        // what has to be read of the file for them, each once
	levels  map[*metadata.Column]bool // those of them whose levels are needed
	empty   []string                  // groups without columns, which SELECT * leaves out
	arrow   column.ArrowOptions
	folds   map[*metadata.Column][]int // the aggregates of each column, by their places
	schema  *arrow.Schema
	planner *plan.Planner
	groups  []*plan.Group
	model   plan.Model // the source's figures
	prices  plan.Model // what the plan weighs
	reads   []plan.Read
	ledger  *fetch.Ledger
	before  *fetch.Ledger // what opening and planning read, without the scan
	rounds  int           // rounds that planning used, the open's included
	scanned atomic.Bool
	started time.Time
}

// Plan plans a query. It fails for a query that cannot be bound to the file's
// schema (a [predicate.Error] where its text is at fault) and for metadata
// that cannot be read; ctx bounds the reading.
func (f *File) Plan(ctx context.Context, q Query) (*Plan, error) {
	started := time.Now()
	p, err := f.bind(q)
	if err == nil && q.Select == nil && len(p.output) == 0 && len(p.empty) > 0 {
		err = &metadata.UnsupportedError{Msg: errNoColumns.Error()}
	}
	if err != nil {
		return nil, f.named(err)
	}
	p.started, p.ledger = started, &fetch.Ledger{}
	p.ledger.Absorb(f.opened)
	if err := p.climb(ctx); err != nil {
		f.opened.Absorb(p.ledger) // whoever accounts for the file will ask there
		return nil, f.named(err)
	}
	p.reads = plan.Reads(p.where.Root, p.groups, p.prices, p.sizes())
	p.before = p.ledger.Clone()
	return p, nil
}

// A read takes as many bytes as make its wait small beside its transfer.
const (
	readsPerWait = 64 // transfers of what a wait would bring
	minRead      = 4 << 20
	maxRead      = 16 << 20
	partsPerCPU  = 4

	readsInMemory = 8 // that a scan may have under way at least, with what they become
	minPiece      = 256

	piecesInMemory = 16 // of each column that is streamed from afar, with what they become
)

// sizes of the scan's portions. A scan with a limit keeps row groups whole and
// stops after any of them.
func (p *Plan) sizes() plan.Sizes {
	if p.query.Limit > 0 {
		return plan.Sizes{}
	}
	s := plan.Sizes{Gap: p.fetch.Gap(), Read: p.query.ReadBytes, Parts: partsPerCPU * p.query.Threads}
	if s.Read <= 0 {
		s.Read = min(max(int64(readsPerWait*p.model.Latency*p.model.Bandwidth), minRead), maxRead)
		s.Read = max(1, min(s.Read, p.query.Memory/readsInMemory))
	}
	if p.query.Threads > 1 {
		s.Rows = windowBatches * int64(p.query.BatchRows)
	}
	s.Piece = max(s.Read/8, minPiece)
	if !p.near() {
		// Each piece is a wait, while the piece before is decoded: they are as long as
		// memory allows, and no chunk is divided that need not be.
		s.Piece = min(max(p.query.Memory/int64(piecesInMemory*(len(p.leaves)+len(p.where.Columns)+1)), minPiece), s.Read)
		s.Whole = p.query.Memory / 2
	}
	return s
}

// openRounds are those of opening a file at most: for its tail and for the rest of its
// footer.
const openRounds = 2

// climb lets the ladder ask for evidence until it is done: one round of
// requests, another one for filters that do not say their length, and one for
// each page header that is stepped over.
func (p *Plan) climb(ctx context.Context) error {
	p.rounds = openRounds
	if p.file.again {
		p.rounds++
	}
	var have blocks
	defer func() { have.release() }()
	for {
		need, err := p.planner.Next(have)
		if err != nil || len(need) == 0 {
			p.groups = p.planner.Groups()
			return err
		}
		known, missing := p.file.cells(need)
		for e, b := range known {
			if have.carried == nil {
				have.carried = map[metadata.Extent][]byte{}
			}
			have.carried[e] = b
		}
		blocks, err := p.fetch.Fetch(ctx, p.ledger, p.rounds, missing)
		if err != nil {
			return err
		}
		have.fetched = append(have.fetched, blocks)
		p.file.keepCells(missing, have)
		p.rounds++
	}
}

// Schema is the Arrow schema of the batches.
func (p *Plan) Schema() *arrow.Schema { return p.schema }

// Where is the predicate as it is really tested: bound, in negation normal
// form, with the conditions on one column merged.
func (p *Plan) Where() *predicate.Bound { return p.where }

// Asked is the predicate as it was asked, "" for none.
func (p *Plan) Asked() string {
	if p.query.Where == nil {
		return ""
	}
	return p.query.Where.String()
}

// LeftOut names the groups that a query without a Select does not return because
// there is no column in them.
func (p *Plan) LeftOut() []string { return p.empty }

// Groups returns what was decided for each row group, in file order.
func (p *Plan) Groups() []*plan.Group { return p.groups }

// round numbers the rounds of the scan, after those of planning.
func (p *Plan) round(i int) int { return p.rounds + i }
