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
	a, err := NewAggregator(aggs...)
	if err != nil {
		return nil, report.Receipt{}, err
	}
	q.Select, q.Limit, q.RowNumbers = []string{}, 0, ""
	s, err := d.Scan(ctx, q)
	if err != nil {
		return nil, report.Receipt{}, err
	}
	defer s.Close()
	for _, g := range aggs {
		if g.Star {
			continue
		}
		if err := s.aggregated(g); err != nil {
			return nil, report.Receipt{}, err
		}
	}
	a.missing = func(string) bool { return true }
	s.receipt = make([]report.Receipt, len(s.parts))
	err = parallel(len(s.parts), s.together, func(i int) error {
		r, err := a.Add(ctx, s.parts[i].file, s.parts[i].query)
		s.mu.Lock()
		s.receipt[i] = r
		s.mu.Unlock()
		return err
	})
	s.account()
	if err != nil {
		return nil, s.Receipt(), err
	}
	batch, err := a.Result()
	return batch, s.Receipt(), err
}

// aggregated checks that a file has the column of an aggregate.
func (s *DatasetScan) aggregated(g Aggregate) error {
	for _, p := range s.parts {
		if p.file.nodeOf(g.Column) != nil {
			return nil
		}
	}
	if _, ok := s.data.key(g.Column); ok {
		return &metadata.UnsupportedError{Piece: "column " + g.Column, Msg: fmt.Sprintf("%s of a column of partitions", g.Func)}
	}
	_, err := s.data.column([]*File{s.parts[0].file}, g.Column, s.arrow())
	return err
}

// Each calls f with every file that the table's paths and the query leave, and with
// what the query would read of it.
func (s *DatasetScan) Each(ctx context.Context, f func(*File, *Plan) error) error {
	for _, p := range s.parts {
		plan, err := p.file.Plan(ctx, p.query)
		if err == nil {
			err = f(p.file, plan)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
