package main

import (
	"context"

	"github.com/parequet/pare"
	"github.com/parequet/pare/report"
)

// aggregates returns the aggregates of the SELECT list, nil if it lists
// columns. Columns and aggregates do not mix: that would be grouping.
func (r *request) aggregates() ([]pare.Aggregate, error) {
	var out []pare.Aggregate
	for _, item := range r.items {
		if item.Aggregate != "" {
			out = append(out, pare.Aggregate{Func: item.Aggregate, Star: item.Star, Column: item.Column, Name: item.Alias})
		}
	}
	if len(out) == 0 || len(out) == len(r.items) {
		return out, nil
	}
	for _, item := range r.items {
		if item.Aggregate == "" {
			return nil, r.itemError(item, "a column cannot stand beside aggregates: pare does not group")
		}
	}
	return out, nil
}

// aggregate folds the matching rows of a file and writes the one row of results.
func (r *request) aggregate(ctx context.Context, name string, aggs []pare.Aggregate, sink *sink) (receipt report.Receipt, err error) {
	a, err := pare.NewAggregator(aggs...)
	if err != nil {
		return receipt, err
	}
	if receipt, err = r.aggregateFile(ctx, name, a); err != nil {
		return receipt, err
	}
	batch, err := a.Result()
	if err != nil {
		return receipt, err
	}
	defer batch.Release()
	if err := sink.begin(batch.Schema()); err != nil || r.limit == 0 {
		return receipt, err
	}
	return receipt, sink.write(batch)
}

func (r *request) aggregateFile(ctx context.Context, name string, a *pare.Aggregator) (receipt report.Receipt, err error) {
	opt, err := r.tuning.options()
	if err != nil {
		return receipt, err
	}
	f, err := open(ctx, name, opt)
	if err != nil {
		return receipt, err
	}
	defer f.Close()
	if err := r.checkAggregates(f.Metadata().Schema); err != nil {
		return receipt, err
	}
	q, err := r.query()
	if err != nil {
		return receipt, err
	}
	return a.Add(ctx, f, q)
}
