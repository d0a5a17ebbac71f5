// Command peer-arrow-go runs the tasks of the benchmark with arrow-go.
package main

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/metadata"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"github.com/parequet/pare/bench/peer"
	"github.com/parequet/pare/bench/peer/httpfile"
	"github.com/parequet/pare/bench/peer/sums"
)

func main() { peer.Serve(arrowTask) }

// arrowTask reads as a careful user of arrow-go does: row groups that their
// statistics rule out are left out, the columns are read as record batches,
// and what passes is picked from them.
func arrowTask(t peer.Task) (a peer.Answer, err error) {
	src, err := httpfile.Open(t.File)
	if err != nil {
		return a, err
	}
	defer src.Close()
	rd, err := file.NewParquetReader(src)
	if err != nil {
		return a, err
	}
	defer rd.Close()
	if t.Kind == peer.Nested {
		return nestedTask(rd, t)
	}
	props := pqarrow.ArrowReadProperties{Parallel: t.Threads > 1, BatchSize: 64 << 10}
	schema := rd.MetaData().Schema
	cols := make([]int, len(t.Columns))
	for i, name := range t.Columns {
		cols[i] = schema.ColumnIndexByName(name)
		if t.Dict && schema.Column(cols[i]).PhysicalType() == parquet.Types.ByteArray {
			props.SetReadDict(cols[i], true)
		}
	}
	filter := -1
	if t.Filter != nil {
		filter = schema.ColumnIndexByName(t.Filter.Column)
		if !slices.Contains(cols, filter) {
			cols = append(cols, filter)
		}
	}
	fr, err := pqarrow.NewFileReader(rd, props, memory.DefaultAllocator)
	if err != nil {
		return a, err
	}
	groups := groupsOf(rd, filter, t.Filter)
	if t.Kind == peer.Count && t.Filter == nil {
		return peer.Answer{Rows: rd.NumRows()}, nil
	}
	a.Sums = make([]float64, len(t.Columns))
	if len(groups) == 0 {
		return a, nil
	}
	slices.Sort(cols)
	rr, err := fr.GetRecordReader(context.Background(), cols, groups)
	if err != nil {
		return a, err
	}
	defer rr.Release()
	var kept []arrow.RecordBatch
	for rr.Next() {
		rec := rr.RecordBatch()
		if t.Kind == peer.Arrow {
			a.Rows += rec.NumRows()
			if t.Check {
				rec.Retain()
				kept = append(kept, rec)
			}
			continue
		}
		if err := addPassing(&a, rec, t); err != nil {
			return a, err
		}
	}
	if t.Check && t.Kind == peer.Arrow {
		a.AddUp = func() []float64 {
			for _, rec := range kept {
				for i, name := range t.Columns {
					x, _ := sums.Of(rec.Column(rec.Schema().FieldIndices(name)[0]), nil)
					a.Sums[i] += x
				}
			}
			return a.Sums
		}
	}
	if err := rr.Err(); err != nil && !errors.Is(err, io.EOF) {
		return a, err
	}
	return a, nil
}

// addPassing counts and adds up the rows of a batch that pass.
func addPassing(a *peer.Answer, rec arrow.RecordBatch, t peer.Task) error {
	var mask []bool
	if f := t.Filter; f != nil {
		mask = make([]bool, rec.NumRows())
		switch c := rec.Column(rec.Schema().FieldIndices(f.Column)[0]).(type) {
		case *array.Date32:
			for i, v := range c.Date32Values() {
				mask[i] = int64(v) >= f.From && int64(v) < f.To
			}
		case *array.Int64:
			for i, v := range c.Int64Values() {
				mask[i] = v >= f.From && v < f.To
			}
		}
		for _, m := range mask {
			if m {
				a.Rows++
			}
		}
	} else {
		a.Rows += rec.NumRows()
	}
	if t.Kind == peer.Count {
		return nil
	}
	for i, name := range t.Columns {
		x, err := sums.Of(rec.Column(rec.Schema().FieldIndices(name)[0]), mask)
		if err != nil {
			return err
		}
		a.Sums[i] += x
	}
	return nil
}

// groupsOf lists the row groups whose statistics do not rule the filter out.
func groupsOf(rd *file.Reader, col int, f *peer.Filter) (out []int) {
	for i := range rd.NumRowGroups() {
		if f != nil {
			chunk, err := rd.RowGroup(i).MetaData().ColumnChunk(col)
			if err == nil {
				st, err := chunk.Statistics()
				if err == nil && st != nil && st.HasMinMax() && !overlaps(st, f) {
					continue
				}
			}
		}
		out = append(out, i)
	}
	return out
}

func overlaps(st metadata.TypedStatistics, f *peer.Filter) bool {
	switch st := st.(type) {
	case *metadata.Int32Statistics:
		return int64(st.Max()) >= f.From && int64(st.Min()) < f.To
	case *metadata.Int64Statistics:
		return st.Max() >= f.From && st.Min() < f.To
	}
	return true
}
