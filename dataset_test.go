package pare_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parequet/pare"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/source"
)

// writeTable writes files into a folder.
func writeTable(t *testing.T, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// int64File is a file of columns of INT64 values.
func int64File(columns map[string][]int64) []byte {
	var f kindFile
	names := make([]string, 0, len(columns))
	for name := range columns {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		var page kindPage
		for _, v := range columns[name] {
			page.values = append(page.values, i64(v))
		}
		f.columns = append(f.columns, kindColumn{name: name, typ: metadata.Int64, optional: true, groups: [][]kindPage{{page}}})
	}
	return f.bytes()
}

func openTable(t *testing.T, dir, name string, opt pare.DatasetOptions) *pare.Dataset {
	t.Helper()
	members, err := pare.List(t.Context(), source.Dir(dir), "", name)
	if err != nil {
		t.Fatal(err)
	}
	d, err := pare.NewDataset(members, opt)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// tableRows scans a table and renders its rows.
func tableRows(t *testing.T, d *pare.Dataset, q pare.Query) (rows []string, s *pare.DatasetScan) {
	t.Helper()
	s, err := d.Scan(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	for batch, err := range s.Batches() {
		if err != nil {
			t.Fatal(err)
		}
		if !batch.Schema().Equal(s.Schema()) {
			t.Errorf("a batch of %v, the schema is %v", batch.Schema(), s.Schema())
		}
		for i := range int(batch.NumRows()) {
			parts := make([]string, batch.NumCols())
			for c := range parts {
				parts[c] = strings.TrimSuffix(cellText(batch.Column(c), i), "|")
			}
			rows = append(rows, strings.Join(parts, " "))
		}
		batch.Release()
	}
	return rows, s
}

func where(t *testing.T, text string) (predicate.Expr, string) {
	t.Helper()
	x, err := predicate.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return x, text
}

func TestDatasetPartitions(t *testing.T) {
	files := map[string][]byte{"_SUCCESS": nil, "day=2024-03-01/_metadata": []byte("no file"), "day=2024-03-01/.crc": []byte("x"), "day=2024-03-03/empty.parquet": nil}
	for d := 1; d <= 3; d++ {
		for _, region := range []string{"eu", "u%2Fs", "__HIVE_DEFAULT_PARTITION__"} {
			files[fmt.Sprintf("day=2024-03-%02d/region=%s/a.parquet", d, region)] = int64File(map[string][]int64{"x": {int64(10 * d), int64(10*d + 1)}})
		}
	}
	d := openTable(t, writeTable(t, files), "", pare.DatasetOptions{})
	if n := len(d.Members()); n != 9 {
		t.Fatalf("%d members, 9 hold data", n)
	}
	all, s := tableRows(t, d, pare.Query{})
	if names := s.Schema().String(); len(all) != 18 || all[0] != "10 2024-03-01 NULL" || all[2] != "10 2024-03-01 eu" || all[4] != "10 2024-03-01 u/s" {
		t.Errorf("%d rows, %v; %s", len(all), all, names)
	}
	for _, c := range []struct {
		where  string
		opened int
		rows   []string
	}{
		{"day = DATE '2024-03-02' AND region = 'eu'", 1, []string{"20 2024-03-02 eu", "21 2024-03-02 eu"}},
		{"day > DATE '2024-03-02' AND x > 30 AND region IS NOT NULL", 2, []string{"31 2024-03-03 eu", "31 2024-03-03 u/s"}},
		{"region IS NULL AND x IN (10, 31)", 3, []string{"10 2024-03-01 NULL", "31 2024-03-03 NULL"}},
		{"NOT (region = 'eu') AND day <= DATE '2024-03-01' AND x = 11", 1, []string{"11 2024-03-01 u/s"}},
		{"REGION = 'u/s' AND (day = DATE '2024-03-01' OR x = 31)", 3, []string{"10 2024-03-01 u/s", "11 2024-03-01 u/s", "31 2024-03-03 u/s"}},
		{"day = DATE '2025-01-01'", 1, nil},
	} {
		q := pare.Query{}
		q.Where, q.Text = where(t, c.where)
		rows, s := tableRows(t, d, q)
		r := s.Receipt()
		if !slices.Equal(rows, c.rows) || r.Files.Total != 9 || r.Files.Total-r.Files.Pruned > c.opened {
			t.Errorf("%s: %v, right is %v; files %+v", c.where, rows, c.rows, r.Files)
		}
	}
	q := pare.Query{Select: []string{"region", "x"}, Limit: 3}
	if rows, _ := tableRows(t, d, q); !slices.Equal(rows, []string{"NULL 10", "NULL 11", "eu 10"}) {
		t.Errorf("limited: %v", rows)
	}
	q.Where, q.Text = where(t, "day = 5")
	if _, err := d.Scan(t.Context(), q); err == nil || !strings.Contains(err.Error(), "holds a date") {
		t.Errorf("a day is compared with a number: %v", err)
	}
	q.Where, q.Text = where(t, "nowhere = 5")
	if _, err := d.Scan(t.Context(), q); err == nil || !strings.Contains(err.Error(), "unknown column nowhere") {
		t.Errorf("an unknown column: %v", err)
	}
}

func TestDatasetUnitesColumns(t *testing.T) {
	dir := writeTable(t, map[string][]byte{
		"1.parquet": int64File(map[string][]int64{"a": {1, 2}, "b": {5, 6}}),
		"2.parquet": kindFile{columns: []kindColumn{
			{name: "b", typ: metadata.Int32, groups: [][]kindPage{{{values: [][]byte{i32(7)}}}}},
			{name: "c", typ: metadata.ByteArray, element: asString, groups: [][]kindPage{{{values: [][]byte{txt("z")}}}}}}}.bytes(),
	})
	d := openTable(t, dir, "*.parquet", pare.DatasetOptions{FileColumn: "file"})
	rows, s := tableRows(t, d, pare.Query{})
	want := []string{"1 5 NULL 1.parquet", "2 6 NULL 1.parquet", "NULL 7 z 2.parquet"}
	if !slices.Equal(rows, want) {
		t.Errorf("%v, right is %v; %v", rows, want, s.Schema())
	}
	for text, want := range map[string][]string{
		"b >= 6":               {"2 6 NULL 1.parquet", "NULL 7 z 2.parquet"},
		"c IS NULL AND b = 6":  {"2 6 NULL 1.parquet"},
		"a IS NULL OR c = 'y'": {"NULL 7 z 2.parquet"},
		"a <> 1":               {"2 6 NULL 1.parquet"},
	} {
		q := pare.Query{}
		q.Where, q.Text = where(t, text)
		if rows, _ := tableRows(t, d, q); !slices.Equal(rows, want) {
			t.Errorf("%s: %v, right is %v", text, rows, want)
		}
	}
	dir = writeTable(t, map[string][]byte{
		"1.parquet": int64File(map[string][]int64{"a": {1}}),
		"2.parquet": kindFile{columns: []kindColumn{{name: "a", typ: metadata.ByteArray, element: asString, groups: [][]kindPage{{{values: [][]byte{txt("z")}}}}}}}.bytes(),
	})
	d = openTable(t, dir, "", pare.DatasetOptions{})
	if _, err := d.Scan(t.Context(), pare.Query{}); err == nil || !strings.Contains(err.Error(), "1.parquet") || !strings.Contains(err.Error(), "2.parquet") {
		t.Errorf("integers and strings: %v", err)
	}
}

// TestDatasetOwnColumn: a file's own column comes before its path's.
func TestDatasetOwnColumn(t *testing.T) {
	dir := writeTable(t, map[string][]byte{
		"k=1/a.parquet": int64File(map[string][]int64{"k": {7}, "x": {1}}),
		"k=2/a.parquet": int64File(map[string][]int64{"k": {8}, "x": {2}}),
	})
	d := openTable(t, dir, "", pare.DatasetOptions{})
	if rows, _ := tableRows(t, d, pare.Query{}); !slices.Equal(rows, []string{"7 1", "8 2"}) {
		t.Errorf("%v", rows)
	}
	q := pare.Query{}
	q.Where, q.Text = where(t, "k = 8")
	if rows, _ := tableRows(t, d, q); !slices.Equal(rows, []string{"8 2"}) {
		t.Errorf("k = 8: %v", rows)
	}
}

func TestListPatterns(t *testing.T) {
	dir := writeTable(t, map[string][]byte{"a/1.parquet": {1}, "a/b/2.parquet": {1}, "a/b/3.csv": {1}, "a/_x/4.parquet": {1}, "ab/5.parquet": {1}, "a/.h": {1}, "a/e.parquet": nil, "d/x": {1}, "d/y": {1}})
	for name, want := range map[string]string{
		"a":              "a/1.parquet a/b/2.parquet",
		"a/":             "a/1.parquet a/b/2.parquet",
		"d":              "d/x d/y",
		"a/*.parquet":    "a/1.parquet",
		"a/**/*.parquet": "a/1.parquet a/b/2.parquet",
		"a*/*.parquet":   "a/1.parquet ab/5.parquet",
		"a/[b]/?.csv":    "a/b/3.csv",
		"a/_x/4.parquet": "a/_x/4.parquet",
		"a/e.parquet":    "a/e.parquet",
		"**":             "a/1.parquet a/b/2.parquet a/b/3.csv ab/5.parquet d/x d/y",
		"b*":             "",
	} {
		members, err := pare.List(context.Background(), source.Dir(dir), "", name)
		var got []string
		for _, m := range members {
			got = append(got, m.Name)
		}
		if strings.Join(got, " ") != want || (err == nil) != (want != "") {
			t.Errorf("%s: %v, %v; right is %s", name, got, err, want)
		}
	}
}

func TestDatasetAggregates(t *testing.T) {
	dir := writeTable(t, map[string][]byte{
		"k=1/a.parquet": int64File(map[string][]int64{"x": {1, 2}}),
		"k=2/a.parquet": int64File(map[string][]int64{"x": {7}, "y": {5}}),
		"k=3/a.parquet": int64File(map[string][]int64{"x": {3, 9}, "y": {6, 4}}),
	})
	d := openTable(t, dir, "", pare.DatasetOptions{})
	for text, want := range map[string]string{"": "5 5 1 9 3 4", "k < 3": "3 3 1 7 1 5", "k = 1": "", "y > 4": "2 2 3 7 2 5", "k = 3 OR x = 1": "3 3 1 9 2 4"} {
		q := pare.Query{}
		if text != "" {
			q.Where, q.Text = where(t, text)
		}
		batch, r, err := d.Aggregate(t.Context(), q, pare.Aggregate{Func: "count", Star: true}, pare.Aggregate{Func: "count", Column: "x"},
			pare.Aggregate{Func: "min", Column: "x"}, pare.Aggregate{Func: "max", Column: "x"}, pare.Aggregate{Func: "count", Column: "y"}, pare.Aggregate{Func: "min", Column: "y"})
		if want == "" { // no file that is left has a y
			if err == nil || !strings.Contains(err.Error(), "unknown column y") {
				t.Errorf("%s: %v", text, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		got := strings.ReplaceAll(strings.Join(appendBatch(nil, batch)[0], " "), "|", "")
		batch.Release()
		if got != want || r.Files.Total != 3 {
			t.Errorf("%s: %s, right is %s; files %+v", text, got, want, r.Files)
		}
	}
	if _, _, err := d.Aggregate(t.Context(), pare.Query{}, pare.Aggregate{Func: "max", Column: "k"}); err == nil || !strings.Contains(err.Error(), "partitions") {
		t.Errorf("max(k): %v", err)
	}
}

// TestDatasetCountsWhatItOpened: files that were opened, and not read as the limit
// was reached before, are in the receipt.
func TestDatasetCountsWhatItOpened(t *testing.T) {
	files := map[string][]byte{}
	for i := range 5 {
		files[fmt.Sprintf("%d.parquet", i)] = int64File(map[string][]int64{"x": {1, 2}})
	}
	store := &countingStore{Store: source.Dir(writeTable(t, files))}
	for _, limit := range []int64{-1, 1, 3, 0} {
		rows, s := tableRows(t, cachedTable(t, nil, store), pare.Query{Limit: limit})
		r := s.Receipt()
		requests, bytes := store.take()
		if bytes != r.Bytes.Total || requests != int64(r.Requests.Total) || r.Files.Total != 5 {
			t.Errorf("limit %d, %d rows: %d bytes in %d requests crossed, the receipt says %d in %d of %d files", limit, len(rows), bytes, requests, r.Bytes.Total, r.Requests.Total, r.Files.Total)
		}
	}
}
