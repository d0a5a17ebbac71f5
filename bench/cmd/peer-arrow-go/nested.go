package main

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"github.com/parequet/pare/bench/peer"
	"github.com/parequet/pare/bench/peer/sums"
)

// nestedTask reads nested columns. Some rows are cut out of their row groups:
// in lists on V1 pages arrow-go cannot be trusted to seek.
func nestedTask(rd *file.Reader, t peer.Task) (a peer.Answer, err error) {
	rows := peer.Rows{To: rd.NumRows()}
	if t.Rows != nil {
		rows = *t.Rows
	}
	groups, at := groupsOfRows(rd, rows)
	props := pqarrow.ArrowReadProperties{Parallel: t.Threads > 1, BatchSize: 64 << 10}
	fr, err := pqarrow.NewFileReader(rd, props, memory.DefaultAllocator)
	if err != nil {
		return a, err
	}
	rr, err := fr.GetRecordReader(context.Background(), leaves(rd, t.Columns), groups)
	if err != nil {
		return a, err
	}
	defer rr.Release()
	var all sums.Nested
	for at < rows.To && rr.Next() {
		rec := rr.RecordBatch()
		from, to := max(rows.From-at, 0), min(rows.To-at, rec.NumRows())
		at += rec.NumRows()
		if from >= to {
			continue
		}
		a.Rows += to - from
		if !t.Check {
			continue
		}
		if err := addSlice(&all, rec, from, to); err != nil {
			return a, err
		}
	}
	a.Sums = all.Sums
	if err := rr.Err(); err != nil && !errors.Is(err, io.EOF) {
		return a, err
	}
	return a, nil
}

func addSlice(all *sums.Nested, rec arrow.RecordBatch, from, to int64) error {
	part := rec.NewSlice(from, to)
	defer part.Release()
	return all.Batch(part)
}

// groupsOfRows lists the row groups that hold rows, and where the first begins.
func groupsOfRows(rd *file.Reader, rows peer.Rows) (groups []int, first int64) {
	at := int64(0)
	for g := range rd.NumRowGroups() {
		n := rd.RowGroup(g).NumRows()
		if at+n > rows.From && at < rows.To {
			if groups == nil {
				first = at
			}
			groups = append(groups, g)
		}
		at += n
	}
	return groups, first
}

// leaves lists the columns that are in some fields of the schema, in all if none
// are named.
func leaves(rd *file.Reader, names []string) (out []int) {
	schema := rd.MetaData().Schema
	for i := range schema.NumColumns() {
		if len(names) == 0 || slices.Contains(names, schema.Column(i).ColumnPath()[0]) {
			out = append(out, i)
		}
	}
	return out
}
