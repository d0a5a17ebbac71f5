package pare_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/parequet/pare"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/report"
	"github.com/parequet/pare/source"
)

// TestClosingAScanOfATable: at any time, in the loop, too; what comes afterwards is an
// error.
func TestClosingAScanOfATable(t *testing.T) {
	for _, limit := range []int64{0, 3} {
		s, err := manyOf(t, 30).Scan(t.Context(), pare.Query{Limit: limit})
		if err != nil {
			t.Fatal(err)
		}
		for batch, err := range s.Batches() {
			if err != nil {
				if !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
				break
			}
			batch.Release()
			s.Close()
		}
		s.Close()
		if r := s.Receipt(); r.Files.Total != 30 {
			t.Errorf("%+v", r.Files)
		}
	}
	s, err := manyOf(t, 3).Scan(t.Context(), pare.Query{})
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	s.Close()
	err = s.Each(t.Context(), func(*pare.File, *pare.Plan, func() (report.Receipt, error)) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "closed") {
		t.Error("Each of a closed scan:", err)
	}
	for _, err = range s.Batches() {
		if err == nil || !strings.Contains(err.Error(), "closed") {
			t.Error("Batches of a closed scan:", err)
		}
	}
}

// TestAggregatesOfManyTypes: the type of a result does not hang on which file is read
// first, nor on their order.
func TestAggregatesOfManyTypes(t *testing.T) {
	of := func(converted int32, v int32) []byte { // INT_8, INT_16 or INT_32
		return kindFile{columns: []kindColumn{{name: "x", typ: metadata.Int32, element: func(w *thriftWriter) { w.i32(6, converted) }, optional: true,
			groups: [][]kindPage{{{values: [][]byte{i32(v)}}}}}}}.bytes()
	}
	files := map[string][]byte{"i8": of(15, -3), "i16": of(16, 300), "i32": of(17, 70_000)}
	for _, order := range [][]string{{"i8", "i16", "i32"}, {"i32", "i8", "i16"}, {"i16", "i32", "i8"}} {
		table := map[string][]byte{}
		for i, name := range order {
			table[fmt.Sprintf("t/%d.parquet", i)] = files[name]
		}
		dir := writeTable(t, table)
		for range 20 {
			got, batch, err := aggregateText(t, openTable(t, dir, "t", pare.DatasetOptions{}), pare.Query{}, pare.Aggregate{Func: "min", Column: "x"}, pare.Aggregate{Func: "max", Column: "x"})
			if err != nil || got != "-3 70000" || batch.Column(0).DataType().Name() != "int32" {
				t.Fatal(order, got, err)
			}
			batch.Release()
		}
	}
}

// TestAggregatesOfMixedPartitions: as of rows, they are an error.
func TestAggregatesOfMixedPartitions(t *testing.T) {
	dir := writeTable(t, map[string][]byte{
		"t/k=1/a.parquet": int64File(map[string][]int64{"x": {1}}), "t/k=2/a.parquet": int64File(map[string][]int64{"x": {2}, "k": {1}}),
	})
	_, _, err := aggregateText(t, openTable(t, dir, "t", pare.DatasetOptions{}), pare.Query{}, pare.Aggregate{Func: "count", Column: "k"})
	if err == nil || !strings.Contains(err.Error(), "only in its path") {
		t.Error(err)
	}
}

// TestOneColumnIsShownOnce: under its own name, if the result has that.
func TestOneColumnIsShownOnce(t *testing.T) {
	dir := writeTable(t, map[string][]byte{
		"t/a.parquet":       int64File(map[string][]int64{"A": {10}, "a": {1}}),
		"t/b.parquet":       int64File(map[string][]int64{"a": {2}}),
		"u/Day=7/a.parquet": int64File(map[string][]int64{"day": {1}}),
	})
	if rows, _ := tableRows(t, openTable(t, dir, "t", pare.DatasetOptions{}), pare.Query{}); fmt.Sprint(rows) != "[10 1 NULL 2]" {
		t.Error(rows)
	}
	if rows, _ := tableRows(t, openTable(t, dir, "u", pare.DatasetOptions{}), pare.Query{}); fmt.Sprint(rows) != "[1]" {
		t.Error(rows)
	}
}

// TestReceiptOfATableAfterAnError: it has all bytes that crossed.
func TestReceiptOfATableAfterAnError(t *testing.T) {
	for _, aggregate := range []bool{false, true} {
		var open, read, reads atomic.Int64
		var members []pare.Member
		for i := range 6 {
			data := int64File(map[string][]int64{"x": {int64(i), 5, 6}})
			members = append(members, pare.Member{Name: fmt.Sprint(i), Size: -1, Open: func(context.Context) (source.Source, error) {
				open.Add(1)
				return failing{closing{data, &open, &read}, &reads, i == 3}, nil
			}})
		}
		d, err := pare.NewDataset(members, pare.DatasetOptions{File: pare.Options{Tail: 8}, Open: 1})
		if err != nil {
			t.Fatal(err)
		}
		q := pare.Query{Memory: 1, Limit: 1000} // footers are let go; files are read one by one
		var r report.Receipt
		if aggregate {
			batch, receipt, aggErr := d.Aggregate(t.Context(), q, pare.Aggregate{Func: "max", Column: "x"})
			if r, err = receipt, aggErr; batch != nil {
				batch.Release()
			}
		} else {
			s, scanErr := d.Scan(t.Context(), q)
			if scanErr != nil {
				t.Fatal(scanErr)
			}
			for batch, batchErr := range s.Batches() {
				if err = batchErr; err == nil {
					batch.Release()
				}
			}
			r = s.Receipt()
		}
		if err == nil || r.Bytes.Total != read.Load() || r.Files.Total != 6 || open.Load() != 0 {
			t.Errorf("aggregate %v: %v; %d bytes crossed, the receipt has %d, of %+v; %d are open", aggregate, err, read.Load(), r.Bytes.Total, r.Files, open.Load())
		}
	}
}

// failing is a source that fails once it has been opened, if it is to.
type failing struct {
	closing
	reads *atomic.Int64
	fails bool
}

func (f failing) ReadAt(ctx context.Context, p []byte, off int64) error {
	if f.fails && f.reads.Add(1) > 2 {
		return errors.New("gone")
	}
	return f.closing.ReadAt(ctx, p, off)
}

// TestLittleMemoryIsSomeMemory: it neither becomes the default nor makes a request of
// each byte.
func TestLittleMemoryIsSomeMemory(t *testing.T) {
	page := kindPage{values: make([][]byte, 32<<10)}
	for i := range page.values {
		page.values[i] = i64(int64(i))
	}
	data := kindFile{columns: []kindColumn{{name: "x", typ: metadata.Int64, noIndex: true, groups: [][]kindPage{{page, page}}}}}.bytes()
	members := []pare.Member{{Name: "a", Size: -1, Open: func(context.Context) (source.Source, error) {
		return hinted{source.Memory(data), source.RemoteHints()}, nil
	}}}
	for _, memory := range []int64{1, 3, 10} {
		d, err := pare.NewDataset(members, pare.DatasetOptions{File: pare.Options{Tail: 8}})
		if err != nil {
			t.Fatal(err)
		}
		rows, s := tableRows(t, d, pare.Query{Memory: memory})
		if n := s.Receipt().Requests.Total; len(rows) != 64<<10 || n < 100 || n > 5000 {
			t.Errorf("memory %d: %d rows, %d requests", memory, len(rows), n)
		}
	}
}
