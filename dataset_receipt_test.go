package pare_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/parequet/pare"
	"github.com/parequet/pare/report"
	"github.com/parequet/pare/source"
)

// manyOf is a table of files of six rows each.
func manyOf(t *testing.T, files int) *pare.Dataset {
	t.Helper()
	table := map[string][]byte{}
	for i := range files {
		table[fmt.Sprintf("t/%02d.parquet", i)] = int64File(map[string][]int64{"x": {int64(i), 1, 2, 3, 4, 5}})
	}
	return openTable(t, writeTable(t, table), "t", pare.DatasetOptions{})
}

// TestTableWithALimit: the receipt has all files, and says of those that a limit made
// unnecessary that they were; explaining and running it leaves them alone, too.
func TestTableWithALimit(t *testing.T) {
	d := manyOf(t, 20)
	rows, s := tableRows(t, d, pare.Query{Limit: 14})
	r := s.Receipt()
	if len(rows) != 14 || r.Rows.Total != 120 || r.Rows.Returned != 14 || r.RowGroups.Total != 20 || r.RowGroups.PastLimit != 17 ||
		(r.Files != report.Files{Total: 20, Read: 3, PastLimit: 17}) {
		t.Errorf("%d rows, %+v, %+v, %+v", len(rows), r.Files, r.Rows, r.RowGroups)
	}
	s, err := d.Scan(t.Context(), pare.Query{Limit: 14})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var plans, runs []report.Receipt
	err = s.Each(t.Context(), func(f *pare.File, p *pare.Plan, run func() (report.Receipt, error)) error {
		plans = append(plans, p.Receipt())
		r, err := run()
		for _, step := range r.Steps {
			if step.File != f.Name() {
				t.Errorf("a step of %q", step.File)
			}
		}
		runs = append(runs, r)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if sum := s.Sum(runs); sum.Files != r.Files || sum.Rows != r.Rows || sum.Bytes != r.Bytes || sum.Requests != r.Requests {
		t.Errorf("%+v %+v %+v, it was %+v %+v %+v", sum.Files, sum.Rows, sum.Bytes, r.Files, r.Rows, r.Bytes)
	}
	if sum := s.Sum(plans); sum.Rows.Returned != 14 || len(plans) != 3 {
		t.Errorf("%d plans, %+v", len(plans), sum.Rows)
	}
}

// TestSumsAreApart: receipts that were summed up do not share memory.
func TestSumsAreApart(t *testing.T) {
	s, err := manyOf(t, 3).Scan(t.Context(), pare.Query{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	one := func(purpose string) report.Receipt {
		return report.Receipt{Files: report.Files{Total: 1, Read: 1}, Reads: append(make([]report.Read, 0, 8), report.Read{Purpose: purpose})}
	}
	a, b, c := one("a"), one("b"), one("c")
	ab := s.Sum([]report.Receipt{a, b})
	s.Sum([]report.Receipt{a, c})
	if ab.Reads[1].Purpose != "b" {
		t.Error("a sum has become another one:", ab.Reads)
	}
}

// TestReceiptWhileScanning: it can be asked for at any time.
func TestReceiptWhileScanning(t *testing.T) {
	s, err := manyOf(t, 30).Scan(t.Context(), pare.Query{})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 100 {
			s.Receipt()
		}
	}()
	for batch, err := range s.Batches() {
		if err != nil {
			t.Fatal(err)
		}
		batch.Release()
	}
	<-done
}

// closing counts sources that are open, and bytes that are read.
type closing struct {
	source.Memory
	open, read *atomic.Int64
}

func (c closing) ReadAt(ctx context.Context, p []byte, off int64) error {
	c.read.Add(int64(len(p)))
	return c.Memory.ReadAt(ctx, p, off)
}

func (c closing) Close() error {
	c.open.Add(-1)
	return nil
}

// TestAFileThatIsAskedForItsColumnsAlone: it is closed, and what was read of it is
// counted.
func TestAFileThatIsAskedForItsColumnsAlone(t *testing.T) {
	var open, read atomic.Int64
	var members []pare.Member
	for path, columns := range map[string]map[string][]int64{"k1=1/k2=b/1": {"k1": {5}}, "k1=1/k2=y/2": {"k1": {5}}} {
		data := int64File(columns)
		members = append(members, pare.Member{Name: path, Path: path, Size: -1, Open: func(context.Context) (source.Source, error) {
			open.Add(1)
			return closing{data, &open, &read}, nil
		}})
	}
	d, err := pare.NewDataset(members, pare.DatasetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	expr, text := where(t, "k2 = 'y' AND k1 = 5")
	rows, s := tableRows(t, d, pare.Query{Where: expr, Text: text})
	r := s.Receipt()
	if len(rows) != 1 || open.Load() != 0 || r.Bytes.Total != read.Load() {
		t.Errorf("%v; %d sources are open; %d bytes crossed, the receipt has %d", rows, open.Load(), read.Load(), r.Bytes.Total)
	}
}
