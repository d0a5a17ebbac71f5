package pare_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/parequet/pare"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/rowrange"
)

// aggregateText folds aggregates over a table and renders the row.
func aggregateText(t *testing.T, d *pare.Dataset, q pare.Query, aggs ...pare.Aggregate) (string, arrow.RecordBatch, error) {
	t.Helper()
	batch, _, err := d.Aggregate(t.Context(), q, aggs...)
	if err != nil {
		return "", nil, err
	}
	var parts []string
	for c := range int(batch.NumCols()) {
		parts = append(parts, strings.TrimSuffix(cellText(batch.Column(c), 0), "|"))
	}
	return strings.Join(parts, " "), batch, nil
}

// TestNamesInAnotherCase: a column is the same whatever case its name has in a file.
func TestNamesInAnotherCase(t *testing.T) {
	dir := writeTable(t, map[string][]byte{
		"t/a.parquet": int64File(map[string][]int64{"Amount": {1, 2}}),
		"t/b.parquet": int64File(map[string][]int64{"amount": {100, 200}}),
	})
	for range 20 {
		got, batch, err := aggregateText(t, openTable(t, dir, "t", pare.DatasetOptions{}), pare.Query{}, pare.Aggregate{Func: "count", Star: true},
			pare.Aggregate{Func: "count", Column: "amount"}, pare.Aggregate{Func: "min", Column: "Amount"}, pare.Aggregate{Func: "max", Column: "amount"})
		if err != nil || got != "4 4 1 200" {
			t.Fatal(got, err)
		}
		batch.Release()
	}
	rows, s := tableRows(t, openTable(t, dir, "t", pare.DatasetOptions{}), pare.Query{})
	if fmt.Sprint(rows) != "[1 2 100 200]" || s.Schema().NumFields() != 1 {
		t.Errorf("%v, %v", rows, s.Schema())
	}
	// Where two columns of one file have it, no column is meant.
	dir = writeTable(t, map[string][]byte{
		"t/a.parquet": int64File(map[string][]int64{"ab": {1}}),
		"t/b.parquet": int64File(map[string][]int64{"Ab": {2}, "aB": {3}}),
	})
	expr, text := where(t, "ab > 0")
	for _, q := range []pare.Query{{Select: []string{"ab"}}, {Select: []string{}, Where: expr, Text: text}} {
		if _, err := openTable(t, dir, "t", pare.DatasetOptions{}).Scan(t.Context(), q); err == nil || !strings.Contains(err.Error(), "b.parquet: ") || !strings.Contains(err.Error(), "ab") {
			t.Errorf("%+v: %v", q, err)
		}
	}
	if _, _, err := aggregateText(t, openTable(t, dir, "t", pare.DatasetOptions{}), pare.Query{}, pare.Aggregate{Func: "max", Column: "ab"}); err == nil {
		t.Error("max(ab) has a value")
	}
}

// TestAggregatesWiden: of integers of several widths, the widest is the type of the
// result; a count does not ask.
func TestAggregatesWiden(t *testing.T) {
	narrow := kindFile{columns: []kindColumn{{name: "x", typ: metadata.Int32, optional: true, groups: [][]kindPage{{{values: [][]byte{i32(-7), i32(9)}}}}}}}.bytes()
	texts := kindFile{columns: []kindColumn{{name: "x", typ: metadata.ByteArray, optional: true, groups: [][]kindPage{{{values: [][]byte{[]byte("a")}}}}}}}.bytes()
	wide := int64File(map[string][]int64{"x": {1 << 40, 3}})
	dir := writeTable(t, map[string][]byte{"t/a.parquet": narrow, "t/b.parquet": wide, "t/c.parquet": narrow, "u/a.parquet": narrow, "u/b.parquet": texts})
	all := []pare.Aggregate{{Func: "min", Column: "x"}, {Func: "max", Column: "x"}, {Func: "count", Column: "x"}}
	got, batch, err := aggregateText(t, openTable(t, dir, "t", pare.DatasetOptions{}), pare.Query{}, all...)
	if err != nil || got != fmt.Sprint(-7, 1<<40, 6) {
		t.Fatal(got, err)
	}
	if id := batch.Column(0).DataType().ID(); id != arrow.INT64 {
		t.Error("the minimum is", id)
	}
	batch.Release()
	if _, _, err := aggregateText(t, openTable(t, dir, "u", pare.DatasetOptions{}), pare.Query{}, all...); err == nil {
		t.Error("integers and texts have a minimum")
	}
}

// TestRowsAreOfFiles: what names rows of a file is not used of a table.
func TestRowsAreOfFiles(t *testing.T) {
	dir := writeTable(t, map[string][]byte{
		"t/a.parquet": int64File(map[string][]int64{"x": {1, 2, 3}}), "t/b.parquet": int64File(map[string][]int64{"x": {4, 5, 6}}),
	})
	for _, q := range []pare.Query{{Rows: rowrange.Of(0, 1)}, {Exclude: rowrange.Of(0, 2)}, {RowGroups: []int{}}} {
		if rows, _ := tableRows(t, openTable(t, dir, "t", pare.DatasetOptions{}), q); fmt.Sprint(rows) != "[1 2 3 4 5 6]" {
			t.Errorf("%+v: %v", q, rows)
		}
	}
}

// TestPartitionsThatFilesHaveThemselves: a name that some files have as a column,
// while the paths of others tell it, has no value that all would agree on; one that
// all of them have is theirs.
func TestPartitionsThatFilesHaveThemselves(t *testing.T) {
	dir := writeTable(t, map[string][]byte{
		"t/k=1/a.parquet": int64File(map[string][]int64{"x": {1}}),
		"t/k=2/a.parquet": int64File(map[string][]int64{"x": {2}, "k": {1}}),
		"u/k=1/a.parquet": int64File(map[string][]int64{"x": {1}, "k": {7}}),
		"u/k=2/a.parquet": int64File(map[string][]int64{"x": {2}, "k": {1}}),
	})
	for _, text := range []string{"", "x > 0 OR k = 1"} {
		q := pare.Query{}
		if text != "" {
			q.Select = []string{"x"}
			q.Where, q.Text = where(t, text)
		}
		_, err := openTable(t, dir, "t", pare.DatasetOptions{}).Scan(t.Context(), q)
		if err == nil || !strings.Contains(err.Error(), "column k is in t/k=2/a.parquet itself, but for t/k=1/a.parquet only in its path") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if rows, _ := tableRows(t, openTable(t, dir, "t", pare.DatasetOptions{}), pare.Query{Select: []string{"x"}}); fmt.Sprint(rows) != "[1 2]" {
		t.Error(rows)
	}
	expr, text := where(t, "k = 1")
	if rows, _ := tableRows(t, openTable(t, dir, "u", pare.DatasetOptions{}), pare.Query{Where: expr, Text: text}); fmt.Sprint(rows) != "[1 2]" {
		t.Error(rows)
	}
}

// TestFileColumnNeedsItsOwnName: it is no column of the files.
func TestFileColumnNeedsItsOwnName(t *testing.T) {
	dir := writeTable(t, map[string][]byte{"t/a.parquet": int64File(map[string][]int64{"file": {1}})})
	d := openTable(t, dir, "t", pare.DatasetOptions{FileColumn: "file"})
	if _, err := d.Scan(t.Context(), pare.Query{}); err == nil || !strings.Contains(err.Error(), "needs another name") {
		t.Error(err)
	}
}

// TestFloatsOfATableOfDoubles: a number is compared as with the table's column, which
// a FLOAT that looks like it does not equal.
func TestFloatsOfATableOfDoubles(t *testing.T) {
	float := func(typ metadata.Type, v []byte) []byte {
		return kindFile{columns: []kindColumn{{name: "d", typ: typ, optional: true, groups: [][]kindPage{{{values: [][]byte{v}}}}}}}.bytes()
	}
	f32 := binary.LittleEndian.AppendUint32(nil, math.Float32bits(0.1))
	f64 := binary.LittleEndian.AppendUint64(nil, math.Float64bits(0.1))
	dir := writeTable(t, map[string][]byte{"t/a.parquet": float(metadata.Float, f32), "t/b.parquet": float(metadata.Double, f64), "u/a.parquet": float(metadata.Float, f32)})
	for _, c := range []struct{ table, where, rows string }{
		{"t", "d = 0.1", "[0.1]"}, {"t", "d IN (0.1, 7)", "[0.1]"}, {"t", "d > 0.1", "[0.10000000149011612]"}, {"t", "d <= 0.1", "[0.1]"},
		{"t", "d BETWEEN 0 AND 1", "[0.10000000149011612 0.1]"}, {"t", "d <> 0.1", "[0.10000000149011612]"}, {"u", "d = 0.1", "[0.1]"},
	} {
		expr, text := where(t, c.where)
		rows, _ := tableRows(t, openTable(t, dir, c.table, pare.DatasetOptions{}), pare.Query{Where: expr, Text: text})
		if got := fmt.Sprint(rows); got != c.rows {
			t.Errorf("%s of %s: %s, should be %s", c.where, c.table, got, c.rows)
		}
	}
}
