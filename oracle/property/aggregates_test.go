package property

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/parequet/pare"
	"github.com/parequet/pare/oracle/property/engines"
	"github.com/parequet/pare/plan"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/rowrange"
	"github.com/parequet/pare/source"
)

// part is what is folded of one file.
type part struct {
	data  []byte
	where string // empty for all rows
	opt   pare.Options
	query pare.Query
}

// pareAggregates folds parts of files, one after another, and returns the texts
// of the results.
func pareAggregates(ctx context.Context, aggs []pare.Aggregate, parts ...part) (texts []string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	a, err := pare.NewAggregator(aggs...)
	if err != nil {
		return nil, err
	}
	for _, p := range parts {
		f, err := pare.Open(ctx, source.Memory(p.data), p.opt)
		if err != nil {
			return nil, err
		}
		if p.where != "" {
			if p.query.Where, err = predicate.Parse(p.where); err != nil {
				return nil, err
			}
			p.query.Text = p.where
		}
		if _, err := a.Add(ctx, f, p.query); err != nil {
			return nil, err
		}
	}
	batch, err := a.Result()
	if err != nil {
		return nil, err
	}
	defer batch.Release()
	if batch.NumRows() != 1 || int(batch.NumCols()) != len(aggs) {
		return nil, fmt.Errorf("%d rows of %d columns", batch.NumRows(), batch.NumCols())
	}
	for i, g := range aggs {
		if name := batch.ColumnName(i); name != g.String() {
			return nil, fmt.Errorf("%v is called %q", g, name)
		}
		text, err := arrowText(batch.Column(i))
		if err != nil {
			return nil, err
		}
		texts = append(texts, text)
	}
	return texts, nil
}

// duckAggregates asks DuckDB for aggregates, from what follows FROM. types are
// DuckDB's types of the columns.
func duckAggregates(ctx context.Context, db engines.DuckDB, aggs []pare.Aggregate, types map[string]string, from string) ([]string, error) {
	exprs := make([]string, len(aggs))
	for i, g := range aggs {
		name := "*"
		if !g.Star {
			name = engines.QuoteName(g.Column)
		}
		exprs[i] = duckExpr(g.Func+"("+name+")", aggregateType(g, types))
	}
	values := make([]sql.NullString, len(aggs))
	into := make([]any, len(aggs))
	for i := range values {
		into[i] = &values[i]
	}
	if err := db.QueryRowContext(ctx, "SELECT "+strings.Join(exprs, ", ")+" FROM "+from).Scan(into...); err != nil {
		return nil, err
	}
	texts := make([]string, len(aggs))
	for i, v := range values {
		if texts[i] = nullText; v.Valid {
			var err error
			if texts[i], err = duckText(v.String, aggregateType(aggs[i], types)); err != nil {
				return nil, err
			}
		}
	}
	return texts, nil
}

// aggregateType is DuckDB's type of an aggregate.
func aggregateType(g pare.Aggregate, types map[string]string) string {
	if g.Func == "count" {
		return "BIGINT"
	}
	return types[g.Column]
}

func (s *subject) types() map[string]string {
	out := map[string]string{}
	for _, c := range s.columns {
		out[c.name] = c.duck
	}
	return out
}

// drawAggregates draws some aggregates. Of columns that have no order for pare,
// or whose values DuckDB cannot hold, the values are only counted.
func (s *subject) drawAggregates(t *rapid.T) []pare.Aggregate {
	out := make([]pare.Aggregate, rapid.IntRange(1, 6).Draw(t, "aggregates"))
	for i := range out {
		c := rapid.SampledFrom(s.columns).Draw(t, "aggregated")
		functions := []string{"min", "max", "min", "max", "count", ""}
		if !c.ordered {
			functions = functions[4:]
		}
		if f := rapid.SampledFrom(functions).Draw(t, "function"); f == "" {
			out[i].Func = "count"
		} else {
			out[i].Func, out[i].Column = f, c.name
		}
		if rapid.IntRange(0, 9).Draw(t, "named") == 0 {
			out[i].Name = "its name"
		}
	}
	return out
}

// drawPart draws which rows of a file are folded, and how. The rows are also
// given as a condition for DuckDB.
func (s *subject) drawPart(t *rapid.T, data []byte) (p part, rows string) {
	p.data = data
	p.opt, p.query = s.drawOptions(t)
	p.query.Limit = rapid.SampledFrom([]int64{0, 1}).Draw(t, "a limit that is not used")
	p.query.BatchBytes = rapid.SampledFrom([]int{0, 0, 1, 50}).Draw(t, "batch bytes")
	conditions := []string{"true"}
	if rapid.IntRange(0, 3).Draw(t, "filtered") > 0 {
		p.where = s.tree(t, rapid.IntRange(0, 2).Draw(t, "depth"))
		conditions = append(conditions, p.where)
	}
	f, err := pare.Open(t.Context(), source.Memory(data), p.opt)
	if err != nil {
		t.Fatal(err)
	}
	within := func(r rowrange.Set) string {
		out := []string{"false"}
		for _, r := range r {
			out = append(out, fmt.Sprintf("file_row_number >= %d AND file_row_number < %d", r.From, r.To))
		}
		return strings.Join(out, " OR ")
	}
	if rapid.IntRange(0, 3).Draw(t, "some rows") == 0 {
		p.query.Rows = drawRows(t, f.NumRows())
		conditions = append(conditions, within(p.query.Rows))
	}
	if rapid.IntRange(0, 3).Draw(t, "deleted rows") == 0 {
		p.query.Exclude = drawRows(t, f.NumRows())
		conditions = append(conditions, "NOT ("+within(p.query.Exclude)+")")
	}
	if rapid.IntRange(0, 3).Draw(t, "some row groups") == 0 {
		p.query.RowGroups = []int{}
		kept, from := rowrange.Set{}, int64(0)
		for i, g := range f.Metadata().RowGroups {
			if rapid.Bool().Draw(t, "row group") {
				p.query.RowGroups = append(p.query.RowGroups, i)
				kept = kept.Append(from, from+g.NumRows)
			}
			from += g.NumRows
		}
		conditions = append(conditions, within(kept))
	}
	return p, "(" + strings.Join(conditions, ") AND (") + ")"
}

// drawRows draws up to three ranges.
func drawRows(t *rapid.T, n int64) rowrange.Set {
	out := rowrange.Set{}
	for range rapid.IntRange(1, 3).Draw(t, "ranges") {
		from := rapid.Int64Range(0, n).Draw(t, "from")
		out = out.Union(rowrange.Of(from, rapid.Int64Range(from, n).Draw(t, "to")))
	}
	if out == nil { // which would mean all rows
		return rowrange.Set{}
	}
	return out
}

// sameAggregates fails unless two answers, or two refusals, are the same.
func sameAggregates(rt *rapid.T, aggs []pare.Aggregate, rows string, got, want []string, err, wantErr error) {
	if err != nil || wantErr != nil {
		sameRefusal(rt, rows, err, wantErr)
		return
	}
	if !slices.Equal(got, want) {
		rt.Fatalf("%v of the rows %s\npare:   %v\nDuckDB: %v", aggs, rows, got, want)
	}
}

// TestAggregatesEqualDuckDBs: count, min and max of the rows of a random
// predicate are DuckDB's, whether metadata answers them or not.
func TestAggregatesEqualDuckDBs(t *testing.T) {
	forEachFile(t, func(rt *rapid.T, s *subject) {
		aggs := s.drawAggregates(rt)
		p, rows := s.drawPart(rt, s.data)
		want, wantErr := duckAggregates(rt.Context(), s.db, aggs, s.types(), "t WHERE "+rows)
		got, err := pareAggregates(rt.Context(), aggs, p)
		sameAggregates(rt, aggs, rows, got, want, err, wantErr)
	})
}

// pairs are files of the same columns.
var pairs = [][2]string{
	{"cmd/pare/orders/orders-paged.parquet", "cmd/pare/orders/orders-shuffled.parquet"},
	{"cmd/pare/orders/orders-sorted.parquet", "cmd/pare/orders/orders-paged-default.parquet"},
	{"testdata/fixtures/arrow-numbers-v1.parquet", "testdata/fixtures/arrow-numbers-v2.parquet"},
	{"testdata/fixtures/arrow-bytes-v1.parquet", "testdata/fixtures/arrow-bytes-v2.parquet"},
	{"testdata/fixtures/arrow-times-v1.parquet", "testdata/fixtures/arrow-times-v2.parquet"},
	{"testdata/fixtures/codec-none.parquet", "testdata/fixtures/codec-zstd.parquet"},
	{"testdata/fixtures/duckdb-snappy.parquet", "testdata/fixtures/duckdb-zstd.parquet"},
}

// TestAggregatesOfTwoFiles: rows of two files that are folded into one
// Aggregator give what DuckDB finds in both.
func TestAggregatesOfTwoFiles(t *testing.T) {
	for _, pair := range pairs {
		t.Run(filepath.Base(pair[0]), func(t *testing.T) {
			s := openSubject(t, "../../"+pair[0])
			if _, err := s.db.Exec("ALTER TABLE t RENAME TO first"); err != nil {
				t.Fatal(err)
			}
			if err := s.load("../../" + pair[1]); err != nil {
				t.Fatal(err)
			}
			second, err := os.ReadFile("../../" + pair[1])
			if err != nil {
				t.Fatal(err)
			}
			alike := *s
			alike.columns = slices.DeleteFunc(slices.Clone(s.columns), func(c *column) bool {
				return typeName(t, s.data, c.name) != typeName(t, second, c.name)
			})
			rapid.Check(t, func(rt *rapid.T) {
				aggs := alike.drawAggregates(rt)
				p, rows := s.drawPart(rt, s.data)
				q, more := s.drawPart(rt, second)
				both := "(SELECT * FROM first WHERE " + rows + " UNION ALL BY NAME SELECT * FROM t WHERE " + more + ")"
				want, wantErr := duckAggregates(rt.Context(), s.db, aggs, s.types(), both)
				got, err := pareAggregates(rt.Context(), aggs, p, q)
				sameAggregates(rt, aggs, both, got, want, err, wantErr)
			})
		})
	}
}

func typeName(t *testing.T, data []byte, name string) string {
	t.Helper()
	f, err := pare.Open(t.Context(), source.Memory(data), pare.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c, _ := f.Metadata().Schema.Lookup(name)
	if c == nil {
		return ""
	}
	return c.TypeName()
}

// aggregateDifferences are the aggregates that the engines mean differently on
// purpose, and some that might be suspected to be.
//
//	what                       pare                     DuckDB
//	INTERVAL                   has no order             has one
//	timestamps in ns, UTC      are exact                are read in microseconds
//	DECIMAL beyond 38 digits   is exact                 is read as a DOUBLE
//	the type UNKNOWN           has no order             is INTEGER
//	two types for one DECIMAL  cannot be folded         are one type
var aggregateDifferences = []struct{ values, function, pare, duck string }{
	{"(INTERVAL '1 day'), (INTERVAL '2 days'), (NULL)", "min", refused, "interval 1 day"},
	{"(INTERVAL '1 day'), (INTERVAL '2 days'), (NULL)", "count", "int 2", "int 2"},
	{"('nan'::DOUBLE), ('inf'), (1)", "max", "float NaN", "float NaN"},
	{"('nan'::FLOAT), ('nan'), (NULL)", "min", "float NaN", "float NaN"},
	{"('-0.0'::DOUBLE), (0.0)", "min", "float 0", "float 0"},
	{"('-0.0'::DOUBLE), (0.0)", "max", "float 0", "float 0"},
	{"(TIMETZ '12:00:00+00'), (TIMETZ '11:00:00+00')", "min", "time 39600", "time 39600"},
	{"('é'), ('z'), ('')", "max", "bytes C3A9", "bytes C3A9"},
	{"('é'), ('z'), ('')", "min", "bytes ", "bytes "},
	{"(TIMESTAMP 'infinity'), (TIMESTAMP '2024-03-01')", "max", "timestamp 9223372036854775807/1000000", "timestamp 9223372036854775807/1000000"},
	{"(NULL::INTEGER), (NULL)", "max", nullText, nullText},
}

func TestDifferencesOfAggregates(t *testing.T) {
	for _, c := range aggregateDifferences {
		db := openDuckDB(t)
		path := filepath.Join(t.TempDir(), "c.parquet")
		if _, err := db.Exec("COPY (SELECT c FROM (VALUES " + c.values + ") AS v(c)) TO " + engines.QuoteText(path) + " (FORMAT parquet)"); err != nil {
			t.Fatal(err)
		}
		compareAggregate(t, db, path, "c", c.function, c.pare, c.duck)
	}
}

// TestDifferencesOfAggregatesOfTypes pins the aggregates of what DuckDB reads
// as another type.
func TestDifferencesOfAggregatesOfTypes(t *testing.T) {
	for _, c := range []struct{ file, column, function, pare, duck string }{
		{"arrow-times-v1.parquet", "timestamp_ns_utc_req", "min", "instant -439947086323167023/200000000", "instant -439947086323167/200000"},
		{"arrow-times-v1.parquet", "timestamp_ns_utc_req", "max", "instant 3372882678774921861/1000000000", "instant 3372882678774921/1000000"},
		{"arrow-bytes-v1.parquet", "decimal_50_20_req", "max", "decimal 99999999999999999999999999999999999999999999999999/100000000000000000000", "float 1.6777216e+37"},
		{"arrow-numbers-v1.parquet", "null", "min", refused, nullText},
		{"arrow-numbers-v1.parquet", "float16_opt", "max", "float NaN", "float NaN"},
	} {
		compareAggregate(t, openDuckDB(t), "../../testdata/fixtures/"+c.file, c.column, c.function, c.pare, c.duck)
	}
}

// TestDifferenceOfFoldedTypes pins that pare refuses to fold a DECIMAL which two
// files store in different ways.
func TestDifferenceOfFoldedTypes(t *testing.T) {
	var parts []part
	for _, name := range []string{"arrow-bytes-v1.parquet", "arrow-bytes-v2.parquet"} {
		data, err := os.ReadFile("../../testdata/fixtures/" + name)
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, part{data: data})
	}
	if texts, err := pareAggregates(t.Context(), []pare.Aggregate{{Func: "min", Column: "decimal_5_2_req"}}, parts...); err == nil {
		t.Errorf("min is %v; a refusal was expected", texts)
	}
}

func compareAggregate(t *testing.T, db engines.DuckDB, path, column, function, pareAnswer, duckAnswer string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	aggs := []pare.Aggregate{{Func: function, Column: column}}
	for _, skip := range []plan.Stages{0, plan.AllStages} {
		texts, err := pareAggregates(t.Context(), aggs, part{data: data, query: pare.Query{Skip: skip}})
		if got := aggregateAnswer(texts, err); got != pareAnswer {
			t.Errorf("%s: %v, skipping stages %04b, is %s for pare (%v), expected %s", path, aggs, skip, got, err, pareAnswer)
		}
	}
	from := "read_parquet(" + engines.QuoteText(path) + ", hive_partitioning=false)"
	var typ string
	if err := db.QueryRow("SELECT any_value(column_type) FROM (DESCRIBE SELECT " + engines.QuoteName(column) + " FROM " + from + ")").Scan(&typ); err != nil {
		t.Fatal(err)
	}
	texts, err := duckAggregates(t.Context(), db, aggs, map[string]string{column: typ}, from)
	if got := aggregateAnswer(texts, err); got != duckAnswer {
		t.Errorf("%s: %v is %s for DuckDB (%v), expected %s", path, aggs, got, err, duckAnswer)
	}
}

func aggregateAnswer(texts []string, err error) string {
	if err != nil {
		return refused
	}
	return texts[0]
}
