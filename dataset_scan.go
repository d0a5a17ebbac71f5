package pare

import (
	"context"
	"iter"
	"sync"
	"time"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/parequet/pare/internal/fetch"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/report"
)

// DatasetScan is a query of a table of many files. Range over Batches once.
type DatasetScan struct {
	data    *Dataset
	ctx     context.Context
	query   Query
	parts   []*datasetPart // files that paths did not rule out
	columns []wanted
	schema  *arrow.Schema
	pruned  int
	figures fetch.Figures // of the sources, for all files
	footers *footers
	started time.Time

	mu      sync.Mutex
	receipt []report.Receipt // of the parts
	passed  []report.Receipt // of those that Each did not come to
	asked   report.Receipt   // of a file that was opened for its columns alone
	scanned bool
	closed  bool
	cancel  context.CancelFunc // of Batches or Each while it runs
	ended   time.Time

	folds    *Aggregator               // nil for rows
	together int                       // files that are scanned at a time
	nodes    map[string]*metadata.Node // what names select in any file

	schemaFiles []*File // the first of each schema

	selections map[*metadata.Schema]selection
}

// datasetPart is a file of a table while it is being read.
type datasetPart struct {
	member int
	file   *File
	query  Query // of the file
	size   int64 // of the file, in bytes
	near   bool  // its source is

	rowGroups int

	closed   bool  // its source has been closed
	outlined bool  // its footer has been let go
	from     []int // for each column of the result its place among the file's; -1 if it is missing
}

// Scan rules files out by their paths, opens the footers of the others, unites
// their columns by name, and plans the query. A column that a file lacks is NULL in
// its rows; "*" in Select stands for all columns of the table. Data is read when
// Batches is ranged over. Of the query, RowGroups, Rows
// and Exclude are not used.
func (d *Dataset) Scan(ctx context.Context, q Query) (*DatasetScan, error) {
	q.Rows, q.Exclude, q.RowGroups = nil, nil, nil
	s := &DatasetScan{data: d, ctx: ctx, query: q, started: time.Now()}
	if err := s.openFooters(ctx); err != nil {
		s.Close()
		return nil, err
	}
	if err := s.prune(ctx, d); err != nil {
		s.Close()
		return nil, err
	}
	if err := s.openAll(ctx); err != nil {
		s.Close()
		return nil, err
	}
	if err := s.bind(); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// Schema is the Arrow schema of the batches.
func (s *DatasetScan) Schema() *arrow.Schema { return s.schema }

// Batches yields the matching rows, file after file in the order of the members,
// as record batches that the consumer releases, or one error, after which nothing
// follows. The files behind the one whose rows are handed out are planned and
// fetched meanwhile.
func (s *DatasetScan) Batches() iter.Seq2[arrow.RecordBatch, error] {
	return func(yield func(arrow.RecordBatch, error) bool) {
		ctx, err := s.begin(s.ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		defer s.finish()
		defer s.account()
		if s.folds != nil {
			s.fold(ctx, yield)
			return
		}
		left := s.query.Limit
		if left < 0 {
			return
		}
		out := func(batch arrow.RecordBatch) error {
			if left > 0 {
				if batch.NumRows() > left {
					whole := batch
					batch = whole.NewSlice(0, left)
					whole.Release()
				}
				left -= batch.NumRows()
			}
			if !yield(batch, nil) || s.query.Limit > 0 && left == 0 {
				return errEnough
			}
			return nil
		}
		run := inOrder
		if s.query.Limit > 0 {
			run = oneByOne
		}
		err = run(ctx, len(s.parts), s.together-1, out, func(ctx context.Context, i int, out emit) error {
			p := s.parts[i]
			p.query.Limit = left // exact where files are read one by one
			return s.read(ctx, i, out)
		})
		if err != nil && err != errEnough {
			s.account() // whoever gets the error may ask for the receipt
			yield(nil, err)
		}
	}
}

// read reads one file.
func (s *DatasetScan) read(ctx context.Context, i int, out emit) error {
	p := s.parts[i]
	defer p.end()
	err := s.wake(ctx, p)
	var plan *Plan
	if err == nil {
		plan, err = p.file.Plan(ctx, p.query)
	}
	if err != nil {
		s.book(i, p.notReached())
		return err
	}
	scan := plan.Scan(ctx)
	defer func() { s.book(i, scan.Receipt()) }()
	for batch, err := range scan.Batches() {
		if err != nil {
			return err
		}
		whole, err := s.adapt(p, batch)
		batch.Release()
		if err != nil {
			return p.file.named(err)
		}
		if err := out(whole); err != nil {
			return err
		}
	}
	return nil
}
