package ndvbench

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	parquetgo "github.com/parquet-go/parquet-go"

	"github.com/parequet/pare"
	"github.com/parequet/pare/oracle/property/engines"
	"github.com/parequet/pare/predicate"
)

// planHolds plans a query on rows of parquet-go's and checks the interval of a
// column.
func planHolds[T any](t *testing.T, rows []T, groupRows int64, where string, limit int64, column string, truth int64) {
	t.Helper()
	var buf bytes.Buffer
	w := parquetgo.NewGenericWriter[T](&buf, parquetgo.PageBufferSize(64), parquetgo.MaxRowsPerRowGroup(groupRows), parquetgo.DataPageStatistics(true))
	for i := range rows { // so that pages are small
		if _, err := w.Write(rows[i : i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	q := pare.Query{Select: []string{"k"}, Limit: limit}
	if where != "" {
		var err error
		if q.Where, err = predicate.Parse(where); err != nil {
			t.Fatal(err)
		}
	}
	p, err := open(t, buf.Bytes()).Plan(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	answers, err := p.NDV(column)
	if err != nil {
		t.Fatal(err)
	}
	holds(t, fmt.Sprintf("%s WHERE %s LIMIT %d", column, where, limit), answers[0], truth)
}

// TestPlansLostBefore keeps what a review has found.
func TestPlansLostBefore(t *testing.T) {
	type pair struct {
		K int64 `parquet:"k"`
		V int64 `parquet:"v"`
	}
	var touching []pair // row groups that share a value which no kept row has
	for g := range int64(2) {
		for i := range int64(100) {
			touching = append(touching, pair{i, i*1000 + g*99_000})
		}
	}
	planHolds(t, touching, 100, "k >= 40 AND k < 48", 0, "v", 16)

	type list struct {
		K int64   `parquet:"k"`
		L []int64 `parquet:"l,list"`
	}
	var lists []list // a row has more than one value
	for i := range int64(100) {
		l := list{K: i}
		for k := range int64(50) {
			l.L = append(l.L, i*50_000+k*1000)
		}
		lists = append(lists, l)
	}
	planHolds(t, lists, 1000, "k >= 40 AND k < 60", 0, "l.list.element", 1000)
	planHolds(t, lists, 1000, "", 3, "l.list.element", 150)

	type optional struct {
		K int64  `parquet:"k"`
		V *int64 `parquet:"v,optional"`
		B *bool  `parquet:"b,optional"`
	}
	var late []optional // a limit that ends before the first value
	seven := int64(7)
	for i := range int64(100) {
		o := optional{K: i}
		if even := i%2 == 0; i >= 50 {
			o.V, o.B = &seven, &even
		}
		late = append(late, o)
	}
	planHolds(t, late, 1000, "", 5, "v", 0)
	planHolds(t, late, 1000, "", 5, "b", 0)
}

// TestEnumOfDuckDB: the distinct count that is written is that of the labels.
func TestEnumOfDuckDB(t *testing.T) {
	db, err := engines.OpenDuckDB()
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	path := filepath.Join(t.TempDir(), "enum.parquet")
	for _, statement := range []string{"CREATE TYPE mood AS ENUM ('a', 'b', 'c', 'd', 'e', 'f', 'g')",
		"CREATE TABLE t AS SELECT CASE WHEN i % 3 = 0 THEN 'b' ELSE 'e' END::mood AS m FROM range(10000) r(i)",
		"COPY t TO " + engines.QuoteText(path) + " (FORMAT parquet, ROW_GROUP_SIZE 2048)"} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	holdsAtEveryTier(t, data, 2)
}
