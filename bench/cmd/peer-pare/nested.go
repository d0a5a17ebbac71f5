package main

import (
	"context"

	"github.com/parequet/pare"
	"github.com/parequet/pare/bench/peer"
	"github.com/parequet/pare/bench/peer/sums"
	"github.com/parequet/pare/rowrange"
)

// nestedTask reads nested columns, all or some rows of them.
func nestedTask(t peer.Task) (a peer.Answer, err error) {
	ctx := context.Background()
	f, err := openPare(ctx, t.File)
	if err != nil {
		return a, err
	}
	defer f.Close()
	q := pare.Query{Select: t.Columns, Threads: t.Threads}
	if t.Rows != nil {
		q.Rows = rowrange.Of(t.Rows.From, t.Rows.To)
	}
	s, err := f.Scan(ctx, q)
	if err != nil {
		return a, err
	}
	var all sums.Nested
	for batch, err := range s.Batches() {
		if err != nil {
			return a, err
		}
		a.Rows += batch.NumRows()
		if t.Check {
			err = all.Batch(batch)
		}
		batch.Release()
		if err != nil {
			return a, err
		}
	}
	a.Sums = all.Sums
	return a, nil
}
