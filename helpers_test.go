package pare_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/parequet/pare"
	"github.com/parequet/pare/report"
	"github.com/parequet/pare/source"
)

// countingSource is wrapped around a source to see what really crosses it.
type countingSource struct {
	source.Source
	hints    source.Hints
	bytes    atomic.Int64
	requests atomic.Int64
}

func (c *countingSource) Hints() source.Hints { return c.hints }

func (c *countingSource) ReadAt(ctx context.Context, p []byte, off int64) error {
	c.requests.Add(1)
	c.bytes.Add(int64(len(p)))
	return c.Source.ReadAt(ctx, p, off)
}

// fixtures lists the files that every scan test runs on.
func fixtures(t testing.TB) []string {
	t.Helper()
	var out []string
	for _, pattern := range []string{"testdata/fixtures/*.parquet", "testdata/nested/*.parquet", "cmd/pare/orders/*.parquet"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("no fixtures: %v", err)
		}
		out = append(out, names...)
	}
	return out
}

const ordersPaged = "cmd/pare/orders/orders-paged.parquet"

// openCounted opens a file in memory behind a counting source.
func openCounted(t testing.TB, name string, opt pare.Options) (*pare.File, *countingSource) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return openBytes(t, name, b, opt)
}

func openBytes(t testing.TB, name string, b []byte, opt pare.Options) (*pare.File, *countingSource) {
	t.Helper()
	src := &countingSource{Source: source.Memory(b)}
	opt.Name = filepath.Base(name)
	f, err := pare.Open(t.Context(), src, opt)
	if err != nil {
		t.Fatal(err)
	}
	return f, src
}

// table is a whole result: the text of each cell by row.
type table [][]string

// collect runs a plan, checks the laws that hold for every scan, and returns
// its rows.
func collect(t testing.TB, p *pare.Plan, src *countingSource) (table, report.Receipt) {
	t.Helper()
	planned := p.Receipt()
	s := p.Scan(t.Context())
	var rows table
	for batch, err := range s.Batches() {
		if err != nil {
			t.Fatal(err)
		}
		rows = appendBatch(rows, batch)
		batch.Release()
	}
	r := s.Receipt()
	checkLaws(t, r, planned, src)
	if int64(len(rows)) != r.Rows.Returned {
		t.Errorf("%d rows came, the receipt says %d", len(rows), r.Rows.Returned)
	}
	return rows, r
}

func appendBatch(rows table, batch arrow.RecordBatch) table {
	for i := range int(batch.NumRows()) {
		row := make([]string, batch.NumCols())
		for c, col := range batch.Columns() {
			row[c] = cellText(col, i)
		}
		rows = append(rows, row)
	}
	return rows
}

// cellText tells every two different values apart, -0 and +0 included.
func cellText(col arrow.Array, i int) string {
	if col.IsNull(i) || col.DataType().ID() == arrow.NULL {
		return "NULL"
	}
	return fmt.Sprintf("%s|", col.ValueStr(i))
}

// checkLaws asserts what is conserved in every scan.
func checkLaws(t testing.TB, r, planned report.Receipt, src *countingSource) {
	t.Helper()
	if got := src.bytes.Load(); got != r.Bytes.Total {
		t.Errorf("%d bytes crossed the source, the receipt says %d", got, r.Bytes.Total)
	}
	if got := src.requests.Load(); got != int64(r.Requests.Total) {
		t.Errorf("%d requests crossed the source, the receipt says %d", got, r.Requests.Total)
	}
	b := r.Bytes
	if sum := b.Footer + b.Index + b.Bloom + b.Dictionary + b.Data + b.Gap; sum != b.Total || b.Gap < 0 {
		t.Errorf("bytes %+v do not add up", b)
	}
	var requested, columns int64
	for _, q := range r.Reads {
		requested += q.Length
	}
	for _, c := range r.Columns {
		columns += c.Bytes
	}
	if requested != b.Total {
		t.Errorf("the requests listed bring %d bytes, the total is %d", requested, b.Total)
	}
	if want := b.Index + b.Bloom + b.Dictionary + b.Data; columns != want {
		t.Errorf("the columns took %d bytes, the kinds of pieces %d", columns, want)
	}
	g := r.RowGroups
	if g.Read+g.Pruned.Sum()+g.FromMetadata+g.PastLimit != g.Total || g.PastLimit < 0 {
		t.Errorf("row groups %+v do not add up", g)
	}
	if rows := r.Rows; rows.Returned > rows.Planned || rows.Planned > rows.Total || rows.Decoded > rows.Planned {
		t.Errorf("rows %+v", rows)
	}
	// The plan is an upper bound.
	if planned.Bytes.Total < b.Total || planned.Requests.Total < 0 || planned.Rows.Decoded < r.Rows.Decoded || planned.Rows.Planned != r.Rows.Planned {
		t.Errorf("planned bytes %d, rows %+v; actual bytes %d, rows %+v", planned.Bytes.Total, planned.Rows, b.Total, r.Rows)
	}
}
