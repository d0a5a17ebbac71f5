package pare_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/parequet/pare"
	"github.com/parequet/pare/report"
)

// TestManyFilesKeepLittle: of a table of many files none stays open, and with little
// memory neither their ends nor their footers are kept until their turn; rows and
// receipts are as they would be, and what is read is the same every time.
func TestManyFilesKeepLittle(t *testing.T) {
	const files = 400
	table := map[string][]byte{}
	for i := range files {
		columns := map[string][]int64{"x": {int64(i), -1}}
		if i%7 == 0 {
			columns["y"] = []int64{int64(i), 2}
		}
		table[fmt.Sprintf("t/%03d.parquet", i)] = int64File(columns)
	}
	dir := writeTable(t, table)
	expr, _ := where(t, "x >= 3")
	for _, memory := range []int64{0, 10_000} {
		q := pare.Query{Where: expr, Memory: memory}
		scan := func() *pare.DatasetScan {
			s, err := openTable(t, dir, "t", pare.DatasetOptions{}).Scan(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
		s := scan()
		if open := openBelow(t, dir); open > 0 {
			t.Errorf("%d files are open", open)
		}
		s.Close()
		rows, s := tableRows(t, openTable(t, dir, "t", pare.DatasetOptions{}), q)
		if len(rows) != files-3 || rows[0] != "3 NULL" || rows[4] != "7 7" {
			t.Fatalf("%d rows, %v", len(rows), rows[:min(len(rows), 8)])
		}
		r := s.Receipt()
		if sum := r.Bytes.Footer + r.Bytes.Index + r.Bytes.Data + r.Bytes.Dictionary + r.Bytes.Gap; sum != r.Bytes.Total || len(r.Reads) != r.Requests.Total {
			t.Errorf("%+v, %d reads", r.Bytes, len(r.Reads))
		}
		var plans []report.Receipt
		explained := scan()
		err := explained.Each(t.Context(), func(_ *pare.File, p *pare.Plan, _ func() (report.Receipt, error)) error {
			plans = append(plans, p.Receipt())
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		explained.Close()
		if p := explained.Sum(plans); p.Bytes.Total != r.Bytes.Total || !reflect.DeepEqual(p.Requests, r.Requests) {
			t.Errorf("with %d bytes: explained as %+v and %+v, it was %+v and %+v", memory, p.Bytes, p.Requests, r.Bytes, r.Requests)
		}
	}
	// A file that is not what it was when it was opened is an error.
	s, err := openTable(t, dir, "t", pare.DatasetOptions{}).Scan(t.Context(), pare.Query{Memory: 10_000})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "t/399.parquet"), table["t/398.parquet"], 0o644); err != nil {
		t.Fatal(err)
	}
	for batch, scanErr := range s.Batches() {
		if err = scanErr; err == nil {
			batch.Release()
		}
	}
	if err == nil || !strings.Contains(err.Error(), "399.parquet: ") || !strings.Contains(err.Error(), "changed") {
		t.Errorf("a file that was written over: %v", err)
	}
}

// openBelow is how many files of a folder this process has open.
func openBelow(t *testing.T, dir string) (n int) {
	t.Helper()
	if runtime.GOOS != "linux" {
		return 0
	}
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range list {
		if to, err := os.Readlink("/proc/self/fd/" + d.Name()); err == nil && strings.HasPrefix(to, dir) {
			n++
		}
	}
	return n
}
