package pare

import (
	"context"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/report"
)

// Aggregate folds aggregates over the matching rows of the table: a record batch of
// one row, as [Aggregator.Result] makes it. A column that a file lacks is NULL in
// its rows; at least one file must have it. Of the query, only Where and the
// options count. Columns of partitions are not aggregated.
func (d *Dataset) Aggregate(ctx context.Context, q Query, aggs ...Aggregate) (arrow.RecordBatch, report.Receipt, error) {
	s, err := d.ScanAggregates(ctx, q, aggs...)
	if err != nil {
		return nil, report.Receipt{}, err
	}
	var out arrow.RecordBatch
	for batch, err := range s.Batches() {
		if err != nil {
			return nil, s.Receipt(), err
		}
		out = batch
	}
	return out, s.Receipt(), nil
}

// ScanAggregates is a scan whose only row is that of [Dataset.Aggregate]. Its Schema
// is not that row's.
func (d *Dataset) ScanAggregates(ctx context.Context, q Query, aggs ...Aggregate) (*DatasetScan, error) {
	a, err := NewAggregator(aggs...)
	if err != nil {
		return nil, err
	}
	q.Select, q.Limit, q.RowNumbers = []string{}, 0, ""
	s, err := d.Scan(ctx, q)
	if err != nil {
		return nil, err
	}
	for _, g := range aggs {
		if g.Star {
			continue
		}
		if err := s.aggregated(g); err != nil {
			s.Close()
			return nil, err
		}
	}
	if err := a.settle(s.schemaFiles); err != nil {
		s.Close()
		return nil, err
	}
	a.missing = func(string) bool { return true }
	s.folds = a
	return s, nil
}

// fold reads all files, several at a time, and yields the one row.
func (s *DatasetScan) fold(ctx context.Context, yield func(arrow.RecordBatch, error) bool) {
	err := parallel(len(s.parts), s.together, func(i int) error {
		p := s.parts[i]
		defer p.end()
		err := s.wake(ctx, p)
		var r report.Receipt
		if err == nil {
			r, err = s.folds.Add(ctx, p.file, p.query)
		}
		if r.Files.Total == 0 {
			r = p.notReached() // it failed before anything was scanned
		}
		s.book(i, r)
		return err
	})
	s.account()
	if err != nil {
		yield(nil, err)
		return
	}
	yield(s.folds.Result())
}

// aggregated checks that a file has the column of an aggregate.
func (s *DatasetScan) aggregated(g Aggregate) error {
	found, missing := false, false
	for _, f := range s.schemaFiles {
		if err := f.ambiguous(g.Column); err != nil {
			return err
		}
		has := f.nodeOf(g.Column) != nil
		found, missing = found || has, missing || !has
	}
	if _, key := s.data.key(g.Column); key && found && missing {
		return s.data.mixed(g.Column, s.schemaFiles)
	}
	if found {
		return nil
	}
	if _, ok := s.data.key(g.Column); ok {
		return &metadata.UnsupportedError{Piece: "column " + g.Column, Msg: fmt.Sprintf("%s of a column of partitions", g.Func)}
	}
	_, err := s.data.column([]*File{s.parts[0].file}, g.Column, nil, s.arrow())
	return err
}

// Each calls f with every file that the table's paths and the query leave, with what
// the query would read of it, and with what reads that and accounts for it. It takes
// the place of Batches. With a limit, files are left out once the ones before them
// have been run and have reached it.
func (s *DatasetScan) Each(ctx context.Context, f func(_ *File, _ *Plan, run func() (report.Receipt, error)) error) error {
	ctx, err := s.begin(ctx)
	if err != nil {
		return err
	}
	defer s.finish()
	left := s.query.Limit
	for i, p := range s.parts {
		if s.query.Limit > 0 && left <= 0 {
			s.passed = append(s.passed, p.notReached())
			continue
		}
		p.query.Limit = left
		err := s.wake(ctx, p)
		var plan *Plan
		if err == nil {
			plan, err = s.planPart(ctx, p)
		}
		if err == nil {
			err = f(p.file, plan, func() (report.Receipt, error) {
				var r report.Receipt
				var err error
				if s.folds != nil {
					r, err = s.folds.Run(ctx, plan)
				} else {
					r, err = plan.Scan(ctx).drain()
				}
				left -= r.Rows.Returned
				return detailed(i, plan.file.opt.Name, r), err
			})
		}
		p.end()
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *DatasetScan) planPart(ctx context.Context, p *datasetPart) (*Plan, error) {
	if s.folds != nil {
		return s.folds.Plan(ctx, p.file, p.query)
	}
	return p.file.Plan(ctx, p.query)
}

// drain reads all and keeps nothing.
func (s *Scan) drain() (report.Receipt, error) {
	for batch, err := range s.Batches() {
		if err != nil {
			return s.Receipt(), err
		}
		batch.Release()
	}
	return s.Receipt(), nil
}
