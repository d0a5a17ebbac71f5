package property

import (
	"context"
	"encoding/hex"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/parequet/pare"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/oracle/corpus"
	"github.com/parequet/pare/oracle/property/engines"
	"github.com/parequet/pare/plan"
	"github.com/parequet/pare/source"
)

var corpusFiles = flag.Int("corpus.files", 200, "how many files of the corpus are asked for their aggregates")

// spoiled are parts of the paths of files that are damaged, or whose metadata
// is wrong, on purpose.
var spoiled = []string{"corrupt", "bad_", "fuzz", "lying", "broken", "malicious"}

// always are the files that no sample leaves out: one that showed a fault, a
// value of a type that has none, and one whose bounds are no values.
var always = []string{
	"hangxie+parquet-tools/testdata/unknown-type.parquet",
	"apache+parquet-testing/data/binary_truncated_min_max.parquet",
}

// flatFiles lists the flat files of the corpus that DuckDB reads, by its inventory.
func flatFiles(t *testing.T, root string) []string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, "INVENTORY.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
	head := strings.Split(lines[0], "\t")
	var out []string
	for _, line := range lines[1:] {
		fields := strings.Split(line, "\t")
		field := func(name string) string { return fields[slices.Index(head, name)] }
		path := field("path")
		in := func(s string) bool { return strings.Contains(path, s) }
		if field("format") == "parquet" && field("duckdb") == "yes" && field("nested") == "False" &&
			!slices.ContainsFunc(spoiled, in) && !slices.ContainsFunc(liars, in) {
			out = append(out, path)
		}
	}
	return out
}

// TestAggregatesOfCorpus: count, min and max of all rows of real files are those
// that DuckDB finds by reading them, whoever wrote the statistics that answer
// pare. PARE_CORPUS names a folder of Parquet files with an INVENTORY.tsv.
func TestAggregatesOfCorpus(t *testing.T) {
	root := os.Getenv("PARE_CORPUS")
	if root == "" {
		t.Skip("PARE_CORPUS does not name a folder of Parquet files with an INVENTORY.tsv")
	}
	text, err := os.ReadFile("../testdata/exceptions.tsv")
	if err != nil {
		t.Fatal(err)
	}
	exceptions, err := corpus.ParseExceptions(string(text))
	if err != nil {
		t.Fatal(err)
	}
	paths := flatFiles(t, root)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(paths), func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
	paths = append(slices.Clone(always), slices.DeleteFunc(paths, func(p string) bool { return slices.Contains(always, p) })...)
	var sum tally
	for _, path := range paths {
		if sum.files >= *corpusFiles {
			break
		}
		excused := func(column string) bool {
			return slices.ContainsFunc(exceptions, func(e *corpus.Exception) bool {
				return e.Path == path && e.Oracle == corpus.Duck && (e.Column == column || e.Column == "*")
			})
		}
		sum.file(t, root, path, excused)
	}
	t.Logf("%+v", sum)
	if sum.compared == 0 || sum.answered == 0 {
		t.Error("nothing was compared, or nothing answered from metadata")
	}
}

// tally counts what was done with the files and columns of a corpus.
type tally struct {
	files    int // of which a column was compared
	compared int // columns
	answered int // columns of which pare read no page
	excused  int // columns whose values are known to differ
	opaque   int // columns of which only the values are counted
	refused  int // columns that one of the engines refuses, or knows by another name
}

func (s *tally) file(t *testing.T, root, path string, excused func(column string) bool) {
	full := filepath.Join(root, filepath.FromSlash(path))
	data, err := os.ReadFile(full)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	f, err := pare.Open(ctx, source.Memory(data), pare.Options{})
	if err != nil {
		t.Logf("%s: pare refuses it: %v", path, err)
		return
	}
	db, err := engines.OpenDuckDB()
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	types, err := duckTypes(ctx, db, full)
	if err != nil || len(types) != len(f.Metadata().Schema.Root.Children) {
		t.Logf("%s: DuckDB finds %d columns, pare %d: %v", path, len(types), len(f.Metadata().Schema.Root.Children), err)
		return
	}
	before := s.compared
	for i, n := range f.Metadata().Schema.Root.Children {
		switch {
		case n.Column == nil || !n.Column.Flat():
		case !named(f, n.Column):
			s.refused++
		case excused(n.Name):
			s.excused++
		default:
			s.column(ctx, t, path, data, f, n.Column, db, types[i])
		}
	}
	if s.compared > before {
		s.files++
	}
}

// duckTypes makes a file the table t, with the columns c0, c1 and so on, of as
// many of them as DuckDB reads, and returns their types.
func duckTypes(ctx context.Context, db engines.DuckDB, path string) (types []string, err error) {
	from := "read_parquet(" + engines.QuoteText(path) + ", hive_partitioning=false)"
	rows, err := db.QueryContext(ctx, "SELECT column_type FROM (DESCRIBE SELECT * FROM "+from+")")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var names []string
	for rows.Next() {
		var typ string
		if err := rows.Scan(&typ); err != nil {
			return nil, err
		}
		names = append(names, "c"+strconv.Itoa(len(names)))
		types = append(types, typ)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	_, err = db.ExecContext(ctx, "CREATE TABLE t AS SELECT * FROM "+from+" AS v("+strings.Join(names, ", ")+")")
	return types, err
}

func (s *tally) column(ctx context.Context, t *testing.T, path string, data []byte, f *pare.File, c *metadata.Column, db engines.DuckDB, typ string) {
	functions := []string{"count", "min", "max"}
	if c.Order == metadata.OrderNone || readsAnotherType(c) || strings.HasPrefix(typ, "GEOMETRY") {
		functions = functions[:1]
		s.opaque++
	}
	aggs, same := []pare.Aggregate{{Func: "count", Star: true}}, []pare.Aggregate{{Func: "count", Star: true}}
	place := "c" + strconv.Itoa(slices.IndexFunc(f.Metadata().Schema.Root.Children, func(n *metadata.Node) bool { return n.Column == c }))
	for _, fn := range functions {
		aggs = append(aggs, pare.Aggregate{Func: fn, Column: c.Name})
		same = append(same, pare.Aggregate{Func: fn, Column: place})
	}
	want, wantErr := duckAggregates(ctx, db, same, map[string]string{place: typ}, "t")
	want = withoutZone(want)
	for _, skip := range []plan.Stages{0, plan.Statistics, plan.AllStages} {
		got, err := pareAggregates(ctx, aggs, part{data: data, query: pare.Query{Skip: skip}})
		if err != nil || wantErr != nil {
			s.refused++
			t.Logf("%s, column %s: pare: %v; DuckDB: %v", path, c.Name, err, wantErr)
			return
		}
		if got = withoutZone(got); !slices.Equal(got, want) {
			t.Errorf("%s, column %s %s, skipping stages %04b: %v\npare:   %s\nDuckDB: %s (%s)\nwritten by %s\n%s", path, c.Name, c.TypeName(), skip,
				functions, short(got), short(want), typ, f.Metadata().CreatedBy, statisticsOf(f, c))
		}
	}
	s.compared++
	if unread(ctx, f, aggs) {
		s.answered++
	}
}

// named reports whether a column's name is its own: of several of one name, the
// first is meant, and no name means no column.
func named(f *pare.File, c *metadata.Column) bool {
	found, _ := f.Metadata().Schema.Lookup(c.Name)
	return found == c && c.Name != ""
}

// withoutZone forgets that timestamps are instants, as DuckDB does of the
// converted types TIMESTAMP_MILLIS and TIMESTAMP_MICROS.
func withoutZone(texts []string) []string {
	for i, s := range texts {
		if v, ok := strings.CutPrefix(s, "instant "); ok {
			texts[i] = "timestamp " + v
		}
	}
	return texts
}

// unread reports whether metadata answers the aggregates.
func unread(ctx context.Context, f *pare.File, aggs []pare.Aggregate) bool {
	a, err := pare.NewAggregator(aggs...)
	if err != nil {
		return false
	}
	r, err := a.Add(ctx, f, pare.Query{})
	return err == nil && r.Pages.Read == 0
}

func short(texts []string) string {
	const most = 80
	out := slices.Clone(texts)
	for i, s := range out {
		if len(s) > most {
			out[i] = s[:most] + "…"
		}
	}
	return strings.Join(out, ", ")
}

// statisticsOf tells the statistics of a column in the first row groups.
func statisticsOf(f *pare.File, c *metadata.Column) string {
	const most = 4
	var out []string
	for _, g := range f.Metadata().RowGroups[:min(most, len(f.Metadata().RowGroups))] {
		chunk, err := g.Chunk(c)
		if err != nil {
			out = append(out, err.Error())
			continue
		}
		line := fmt.Sprintf("%d rows, %d values, ", g.NumRows, chunk.NumValues)
		if s := chunk.Statistics; s == nil {
			line += "no statistics"
		} else {
			line += "deprecated " + bound(s.Min, nil) + " to " + bound(s.Max, nil) + ", " + bound(s.MinValue, s.MinExact) + " to " + bound(s.MaxValue, s.MaxExact)
			line += ", nulls " + number(s.NullCount) + ", NaNs " + number(s.NaNCount)
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

func bound(b []byte, exact *bool) string {
	s := "none"
	if b != nil {
		s = "0x" + hex.EncodeToString(b[:min(40, len(b))])
	}
	if exact != nil {
		s += fmt.Sprintf(" (exact: %t)", *exact)
	}
	return s
}

func number(n *int64) string {
	if n == nil {
		return "unknown"
	}
	return strconv.FormatInt(*n, 10)
}
