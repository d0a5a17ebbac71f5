package pare_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/parequet/pare"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/plan"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/rowrange"
	"github.com/parequet/pare/source"
)

// TestCorpusPageHeaders: where every byte counts, so that page headers are
// stepped over in files of many writers, no row is lost by what they say.
func TestCorpusPageHeaders(t *testing.T) {
	corpus := os.Getenv("PARE_CORPUS")
	if corpus == "" {
		t.Skip("PARE_CORPUS does not name a corpus")
	}
	compared, narrowed := 0, 0
	for _, name := range corpusFiles(t, corpus) {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := pare.Open(t.Context(), source.Memory(b), exact)
		if err != nil {
			continue
		}
		for _, q := range lastValueQueries(t, f) {
			p, err := f.Plan(t.Context(), q)
			if err != nil {
				continue
			}
			steppedOver := false
			for _, s := range p.Receipt().Steps {
				if s.Stage == "page_headers" && s.Asked {
					steppedOver = true
					if s.RowsAfter < s.RowsBefore {
						narrowed++
					}
				}
			}
			if !steppedOver {
				continue
			}
			full := q
			full.Skip = plan.AllStages
			want, err := scanRows(t.Context(), f, full)
			if err != nil {
				continue
			}
			got, err := scanRows(t.Context(), f, q)
			if compared++; err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s, WHERE %v: rows differ from a full read (%v)", filepath.Base(name), q.Where, err)
			}
		}
	}
	t.Logf("%d scans that stepped over page headers were compared, %d of them narrowed", compared, narrowed)
}

// hasUnlocatedPages reports whether a chunk of a column has many pages and no
// offset index.
func hasUnlocatedPages(f *metadata.File, col *metadata.Column) bool {
	for _, g := range f.RowGroups {
		c, err := g.Chunk(col)
		if err != nil {
			continue
		}
		if n, ok := f.DataPages(c); ok && n > 1 && c.OffsetIndex.Length == 0 {
			return true
		}
	}
	return false
}

// lastValueQueries asks of each column with pages to locate for the rows that
// equal the last one.
func lastValueQueries(t testing.TB, f *pare.File) (out []pare.Query) {
	for _, col := range f.Metadata().Schema.Columns {
		if f.Metadata().NumRows == 0 || !col.Flat() || !hasUnlocatedPages(f.Metadata(), col) {
			continue
		}
		q := pare.Query{Select: []string{col.Name}, RowNumbers: "row number"}
		last := q
		last.Rows = rowrange.Of(f.Metadata().NumRows-1, f.Metadata().NumRows)
		rows, err := scanRows(t.Context(), f, last)
		if err != nil || len(rows) == 0 {
			continue
		}
		column := `"` + strings.ReplaceAll(col.Name, `"`, `""`) + `"`
		value := strings.TrimSuffix(rows[0][0], "|")
		for _, text := range []string{column + " = " + value, column + " = '" + strings.ReplaceAll(value, "'", "''") + "'"} {
			x, err := predicate.Parse(text)
			if err != nil {
				continue
			}
			if _, err := predicate.Bind(x, f.Metadata().Schema); err == nil {
				q.Where = x
				out = append(out, q)
				break
			}
		}
	}
	return out
}
