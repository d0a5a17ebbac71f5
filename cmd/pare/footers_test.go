package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/metadata"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"github.com/parequet/pare/report"
	"github.com/parequet/pare/source/s3/s3test"
)

// footersOf is what a writer leaves as _metadata beside files: arrow-go's own, with
// the paths in it.
func footersOf(t *testing.T, paths ...string) []byte {
	t.Helper()
	return footersBut(t, func(*metadata.FileMetaData) {}, paths...)
}

// footersBut is footersOf with something changed.
func footersBut(t *testing.T, change func(*metadata.FileMetaData), paths ...string) []byte {
	t.Helper()
	var all *metadata.FileMetaData
	for _, p := range paths {
		r, err := file.OpenParquetFile(p, false)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		m := r.MetaData()
		_, below, _ := strings.Cut(p, "/")
		m.SetFilePath(below)
		if all == nil {
			all = m
		} else if err := all.AppendRowGroups(m); err != nil {
			t.Fatal(err)
		}
	}
	change(all)
	var b bytes.Buffer
	b.WriteString("PAR1")
	n, err := all.WriteTo(&b, nil)
	if err != nil {
		t.Fatal(err)
	}
	b.Write(binary.LittleEndian.AppendUint32(nil, uint32(n)))
	b.WriteString("PAR1")
	return b.Bytes()
}

// TestFileOfFooters: with --use-metadata, and not without it, files are planned by
// the _metadata of their directory.
func TestFileOfFooters(t *testing.T) {
	layouts := map[string][]byte{}
	for _, name := range []string{"sorted", "paged", "shuffled"} {
		b, err := os.ReadFile("orders/orders-" + name + ".parquet")
		if err != nil {
			t.Fatal(err)
		}
		layouts[name] = b
	}
	t.Chdir(t.TempDir())
	files := map[string]string{"t/day=2024-03-01/a.parquet": "sorted", "t/day=2024-03-01/b.parquet": "paged", "t/day=2024-03-02/a.parquet": "shuffled"}
	for path, layout := range files {
		placeFile(t, path, layouts[layout])
	}
	all := footersOf(t, "t/day=2024-03-01/a.parquet", "t/day=2024-03-01/b.parquet", "t/day=2024-03-02/a.parquet")
	placeFile(t, "t/_metadata", all)
	queries := []string{
		"SELECT day, order_id FROM 't' WHERE order_id < 4",
		"SELECT order_id, amount FROM 't' WHERE customer_id = 17 AND day = DATE '2024-03-02'",
		"SELECT order_id FROM 't/day=*/a.parquet' WHERE order_date = DATE '2024-03-05'",
		"SELECT count(*), max(order_id), min(amount) FROM 't'",
		"SELECT * FROM 't' LIMIT 3",
	}
	run := func(query string, flags ...string) (string, report.Receipt) {
		t.Helper()
		status, stdout, stderr := runCommand(t, append([]string{"query", query, "--report", "json"}, flags...)...)
		var r report.Receipt
		if err := json.Unmarshal([]byte(stderr), &r); err != nil || status != 0 {
			t.Fatalf("%s: exit %d, %v\n%s", query, status, err, stderr)
		}
		return stdout, r
	}
	for _, query := range queries {
		want, plain := run(query)
		got, r := run(query, "--use-metadata")
		if got != want || len(strings.Split(got, "\n")) < 3 {
			t.Errorf("%s\n%s\nwithout _metadata\n%s", query, got, want)
		}
		if n := int64(len(all)); r.Bytes.Footer != n-4 || plain.Bytes.Footer == r.Bytes.Footer {
			t.Errorf("%s: %d bytes of footers, _metadata has %d, without it %d", query, r.Bytes.Footer, n, plain.Bytes.Footer)
		}
		if sum := r.Bytes.Footer + r.Bytes.Index + r.Bytes.Bloom + r.Bytes.Dictionary + r.Bytes.Data + r.Bytes.Gap; sum != r.Bytes.Total {
			t.Errorf("%s: %+v", query, r.Bytes)
		}
		if !strings.Contains(query, "count") {
			_, explained, _ := runCommand(t, "explain", query, "--use-metadata", "--format", "json")
			var p report.Receipt
			if err := json.Unmarshal([]byte(explained), &p); err != nil || p.Bytes.Footer != r.Bytes.Footer || p.Requests.Rounds < r.Requests.Rounds {
				t.Errorf("%s: explained with %+v, %+v", query, p.Bytes, p.Requests)
			}
		}
	}
	if _, text, _ := runCommand(t, "explain", "t", "--use-metadata"); !strings.Contains(text, "3 files were planned by _metadata, whose reading took "+report.Count(int64(len(all)))+" bytes") {
		t.Error(text)
	}
	// A file that _metadata does not name is read by its own footer, one that it
	// names and that is gone is not read.
	placeFile(t, "t/day=2024-03-03/new.parquet", layouts["sorted"])
	if err := os.Remove("t/day=2024-03-02/a.parquet"); err != nil {
		t.Fatal(err)
	}
	if got, _ := run("SELECT day, order_id FROM 't' WHERE order_id = 2", "--use-metadata"); got != "day,order_id\n2024-03-01,2\n2024-03-01,2\n2024-03-03,2\n" {
		t.Error(got)
	}
	// What it says does not fit a file that has become shorter.
	placeFile(t, "t/day=2024-03-01/a.parquet", layouts["sorted"][:5000])
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"query", "SELECT order_id FROM 't'", "--use-metadata"}, 1, "t/day=2024-03-01/a.parquet: not a Parquet file"},
		{[]string{"query", "SELECT order_id FROM 't/_metadata'"}, 1, "its pages lie in another file, day=2024-03-01/a.parquet"},
		{[]string{"query", "SELECT order_id FROM 't/day=2024-03-01/b.parquet'", "--use-metadata"}, 2, "--use-metadata needs one directory or pattern"},
		{[]string{"scan", "t/day=2024-03-01", "t/day=2024-03-03", "--use-metadata"}, 2, "--use-metadata needs one directory or pattern"},
		{[]string{"query", "SELECT order_id FROM 't/day=2024-03-03'", "--use-metadata"}, 1, "t/day=2024-03-03/_metadata: there is no such file"},
	} {
		status, stdout, stderr := runCommand(t, c.args...)
		if status != c.status || !strings.Contains(stderr, c.want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%v: exit %d\n%s%s\nright is\n%s", c.args, status, stdout, stderr, c.want)
		}
	}
	placeFile(t, "t/_metadata", layouts["paged"])
	if status, _, stderr := runCommand(t, "query", "SELECT order_id FROM 't'", "--use-metadata"); status != 1 || !strings.Contains(stderr, "lies in no other file") {
		t.Errorf("exit %d, %s", status, stderr)
	}
}

// TestDamagedFilesOfFooters: whatever _metadata says of where row groups lie, no row is
// lost and none comes twice: a file of which it does not tell all is read by its own
// footer.
func TestDamagedFilesOfFooters(t *testing.T) {
	good, err := os.ReadFile("orders/orders-sorted.parquet")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	paths := []string{"t/a.parquet", "t/b.parquet"}
	for _, p := range paths {
		placeFile(t, p, good)
	}
	text := func(s string) *string { return &s }
	for name, c := range map[string]struct {
		change func(*metadata.FileMetaData)
		says   string // for an error
	}{
		"nothing":                {change: func(*metadata.FileMetaData) {}},
		"a chunk in the file":    {func(m *metadata.FileMetaData) { m.RowGroups[3].Columns[1].FilePath = nil }, "lies in no other file"},
		"a chunk elsewhere":      {change: func(m *metadata.FileMetaData) { m.RowGroups[0].Columns[2].FilePath = text("b.parquet") }},
		"a row group elsewhere":  {change: func(m *metadata.FileMetaData) { moveTo(m, 4, "b.parquet") }},
		"the first one nowhere":  {change: func(m *metadata.FileMetaData) { moveTo(m, 0, "c.parquet") }},
		"the last one nowhere":   {change: func(m *metadata.FileMetaData) { moveTo(m, 9, "c.parquet") }},
		"a path spelt otherwise": {change: func(m *metadata.FileMetaData) { moveTo(m, 0, "./a.parquet") }},
		"a row group twice": {change: func(m *metadata.FileMetaData) {
			m.RowGroups = append(m.RowGroups, m.RowGroups[2])
			m.NumRows += 2000
		}},
		"all of them twice": {change: func(m *metadata.FileMetaData) {
			m.RowGroups = append(m.RowGroups, m.RowGroups[:10]...)
			m.NumRows += 20000
		}},
		"no columns": {func(m *metadata.FileMetaData) { m.RowGroups[0].Columns = nil }, "footer"},
		"fewer rows": {func(m *metadata.FileMetaData) { m.RowGroups[0].NumRows = 1000 }, "it claims 40000 rows, its row groups hold 39000"},
	} {
		placeFile(t, "t/_metadata", footersBut(t, c.change, paths...))
		status, stdout, stderr := runCommand(t, "query", "SELECT count(*), min(order_id), max(order_id), count(note) FROM 't'", "--use-metadata")
		switch {
		case c.says != "":
			if status != 1 || !strings.Contains(stderr, c.says) {
				t.Errorf("%s: exit %d, %s", name, status, stderr)
			}
		case status != 0 || !strings.Contains(stdout, "\n40000,1,20000,"):
			t.Errorf("%s: exit %d, %s%s", name, status, stdout, stderr)
		}
	}
}

// TestASmallRowGroupThatFootersLack: the last row group of a file, of three rows, that
// _metadata does not tell of is not lost.
func TestASmallRowGroupThatFootersLack(t *testing.T) {
	schema := arrow.NewSchema([]arrow.Field{{Name: "x", Type: arrow.PrimitiveTypes.Int64}}, nil)
	var b bytes.Buffer
	w, err := pqarrow.NewFileWriter(schema, &b, parquet.NewWriterProperties(parquet.WithDictionaryDefault(false), parquet.WithPageIndexEnabled(true)), pqarrow.DefaultWriterProps())
	if err != nil {
		t.Fatal(err)
	}
	for _, rows := range []int64{50_000, 50_000, 3} {
		v := array.NewInt64Builder(memory.DefaultAllocator)
		for i := range rows {
			v.Append(i)
		}
		if err := w.Write(array.NewRecordBatch(schema, []arrow.Array{v.NewArray()}, rows)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	placeFile(t, "t/a.parquet", b.Bytes())
	for name, change := range map[string]func(*metadata.FileMetaData){
		"as it is": func(*metadata.FileMetaData) {}, "without it": func(m *metadata.FileMetaData) { moveTo(m, 2, "c.parquet") },
	} {
		placeFile(t, "t/_metadata", footersBut(t, change, "t/a.parquet"))
		status, stdout, stderr := runCommand(t, "query", "SELECT count(*) FROM 't'", "--use-metadata")
		_, text, _ := runCommand(t, "explain", "t", "--use-metadata")
		if used := strings.Contains(text, "planned by _metadata"); status != 0 || !strings.Contains(stdout, "\n100003") || used != (name == "as it is") {
			t.Errorf("%s: exit %d, %s%s; planned by it: %v", name, status, stdout, stderr, used)
		}
	}
}

func moveTo(m *metadata.FileMetaData, rowGroup int, path string) {
	for _, c := range m.RowGroups[rowGroup].Columns {
		c.FilePath = &path
	}
}

// TestFileOfFootersInAStore: one request takes the place of the footers.
func TestFileOfFootersInAStore(t *testing.T) {
	s3test.Environment(t)
	url := s3test.Fake(t)
	t.Setenv("AWS_ENDPOINT_URL", url)
	good, err := os.ReadFile("orders/orders-sorted.parquet")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	put(t, url+"/lake", nil)
	paths := []string{"t/day=1/a.parquet", "t/day=2/a.parquet"}
	for _, p := range paths {
		placeFile(t, p, good)
		put(t, url+"/lake/"+p, good)
	}
	put(t, url+"/lake/t/_metadata", footersOf(t, paths...))
	status, stdout, stderr := runCommand(t, "query", "SELECT day, order_id FROM 's3://lake/t/' WHERE order_id = 5", "--use-metadata", "--report", "json")
	var r report.Receipt
	if err := json.Unmarshal([]byte(stderr), &r); err != nil || status != 0 || stdout != "day,order_id\n1,5\n2,5\n" {
		t.Fatalf("exit %d\n%s%s", status, stdout, stderr)
	}
	footers := 0
	for _, q := range r.Reads {
		if q.Purpose == "tail" {
			footers++
		}
	}
	if footers != 1 {
		t.Errorf("%d ends of files were read", footers)
	}
}

func placeFile(t *testing.T, path string, b []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
}
