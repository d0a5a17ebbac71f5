package property

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parequet/pare"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/oracle/property/engines"
	"github.com/parequet/pare/source"
)

// kind says which literals a column can be compared with.
type kind int

const (
	kindOpaque kind = iota // only IS NULL is asked
	kindBool
	kindInt
	kindFloat
	kindDouble
	kindDecimal
	kindText
	kindBlob
	kindDate
	kindTime
	kindTimestamp
	kindTimestampTZ
	kindUUID
)

// kinds by DuckDB's type names, without parameters.
var kinds = map[string]kind{
	"BOOLEAN": kindBool, "TINYINT": kindInt, "SMALLINT": kindInt, "INTEGER": kindInt, "BIGINT": kindInt,
	"UTINYINT": kindInt, "USMALLINT": kindInt, "UINTEGER": kindInt, "UBIGINT": kindInt,
	"FLOAT": kindFloat, "DOUBLE": kindDouble, "DECIMAL": kindDecimal, "VARCHAR": kindText, "BLOB": kindBlob,
	"DATE": kindDate, "TIME": kindTime, "TIME_NS": kindTime,
	"TIMESTAMP": kindTimestamp, "TIMESTAMP_NS": kindTimestamp, "TIMESTAMP WITH TIME ZONE": kindTimestampTZ, "UUID": kindUUID,
}

// subject is a file as both engines have it.
type subject struct {
	name    string
	data    []byte
	db      engines.DuckDB // its table t is the file, with file_row_number
	columns []*column
	rows    int64
}

// column is a flat column and some of the values that occur in it.
type column struct {
	name             string
	kind             kind
	duck             string   // DuckDB's type
	precision, scale int      // of a DECIMAL
	samples          []string // DuckDB's text of values, the extremes among them
	ordered          bool     // both engines have the same minimum and maximum
}

// GoString keeps rapid's account of a failure short.
func (c *column) GoString() string { return c.name + " " + c.duck }

// subjectFiles lists the files, which DuckDB reads all but one of.
func subjectFiles(t testing.TB) []string {
	t.Helper()
	var out []string
	for _, pattern := range []string{"../../testdata/fixtures/*.parquet", "../../cmd/pare/orders/*.parquet"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("no files like %s: %v", pattern, err)
		}
		out = append(out, names...)
	}
	return out
}

// unreadable are the files of which DuckDB can read no row.
var unreadable = map[string]string{
	"parquetgo-rare.parquet":        "DuckDB knows neither its BSON nor its INTERVAL",
	"arrow-encodings-split.parquet": "DuckDB decodes BYTE_STREAM_SPLIT of floats alone",
}

// openDuckDB opens a database for the length of a test.
func openDuckDB(t testing.TB) engines.DuckDB {
	t.Helper()
	db, err := engines.OpenDuckDB()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// openSubject opens a file in both engines.
func openSubject(t testing.TB, path string) *subject {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := &subject{name: filepath.Base(path), data: data, db: openDuckDB(t)}
	f, err := pare.Open(context.Background(), source.Memory(data), pare.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.rows = f.NumRows()
	if err := s.load(path); err != nil {
		t.Fatal(err)
	}
	for _, c := range f.Metadata().Schema.Columns {
		if c.Flat() {
			s.columns = append(s.columns, s.column(t, c))
		}
	}
	return s
}

// load makes the file a table. JSON becomes text, since DuckDB compares JSON
// only with what parses as JSON; a time of day in UTC loses its zone, since
// DuckDB compares it with no TIME.
func (s *subject) load(path string) error {
	from := " FROM read_parquet(" + engines.QuoteText(path) + ", file_row_number=true, hive_partitioning=false)"
	rows, err := s.db.Query("SELECT column_name, column_type FROM (DESCRIBE SELECT *" + from + ")")
	if err != nil {
		return err
	}
	defer rows.Close()
	var list []string
	for rows.Next() {
		var name, typ string
		if err := rows.Scan(&name, &typ); err != nil {
			return err
		}
		name = engines.QuoteName(name)
		switch typ {
		case "JSON":
			name = "CAST(" + name + " AS VARCHAR) AS " + name
		case "TIME WITH TIME ZONE":
			name = "CAST(" + name + " AS TIME) AS " + name
		}
		list = append(list, name)
	}
	_, err = s.db.Exec("CREATE TABLE t AS SELECT " + strings.Join(list, ", ") + from)
	return err
}

// maxSamples bounds the values that literals are drawn from, for each column.
const maxSamples = 60

func (s *subject) column(t testing.TB, meta *metadata.Column) *column {
	t.Helper()
	c := &column{name: meta.Name, ordered: meta.Order != metadata.OrderNone && !readsAnotherType(meta)}
	name := engines.QuoteName(c.name)
	if err := s.db.QueryRow("SELECT any_value(column_type) FROM (DESCRIBE SELECT " + name + " FROM t)").Scan(&c.duck); err != nil {
		t.Fatal(err)
	}
	base, _, _ := strings.Cut(c.duck, "(")
	c.kind = kinds[base]
	if c.kind == kindDecimal {
		fmt.Sscanf(c.duck, "DECIMAL(%d,%d)", &c.precision, &c.scale)
	}
	if readsAnotherType(meta) {
		c.kind = kindOpaque
	}
	rows, err := s.db.Query("SELECT v::VARCHAR FROM (SELECT DISTINCT " + name + " AS v FROM t) WHERE v IS NOT NULL ORDER BY v")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var v string
		if err := rows.Scan(&v); err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	step := max(1, len(all)/maxSamples)
	for i := 0; i < len(all); i += step {
		c.samples = append(c.samples, all[i])
	}
	if n := len(all); n > 0 {
		c.samples = append(c.samples, all[n-1])
	}
	return c
}

// readsAnotherType reports whether DuckDB cannot hold the values of a column,
// so that its answers are about other values.
func readsAnotherType(c *metadata.Column) bool {
	l := c.Logical
	return l.Kind == metadata.Decimal && l.Precision > 38 || // read as DOUBLE
		l.Kind == metadata.Timestamp && l.UTC && l.Unit == metadata.Nanos // read as microseconds
}
