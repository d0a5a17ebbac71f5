package property

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/parequet/pare"

	"github.com/parequet/pare/oracle/property/engines"
)

const refused = "refused"

// differences are what pare and DuckDB mean differently on purpose. The random
// predicates keep clear of them; here both answers are pinned. An answer is
// the numbers of the rows of a table with one column c, or a refusal.
//
//	what                          pare                              DuckDB
//	a bare string for a number    is the number it says             is cast, which rounds it
//	numbers in IN, BETWEEN        each compared on its own          all get one type first
//	a long DECIMAL as a DOUBLE    rounds to the nearest             may be a unit off
//	a number beyond DOUBLE        lies above all numbers            is infinity
//	TIMESTAMP with an offset      is converted to UTC               loses the offset
//	TIMESTAMP with nanoseconds    keeps them                        loses them
//	TIMESTAMP_S, TIMESTAMP_MS     are names of TIMESTAMP            round to their unit
//	timestamps in ns, UTC         are exact                         are read in microseconds
//	TIME in nanoseconds           is compared with a TIME           needs a cast for an order
//	TIME in UTC                   is compared with a TIME           needs a cast for an order
//	INTERVAL                      IS NULL only                      has an order
//	a sign before a cast          belongs to the number             is applied after the cast
//	DECIMAL beyond 38 digits      is exact                          is read as another DOUBLE
//	JSON                          is compared as text               needs text that is JSON
//	LIKE on BLOB                  works on bytes                    needs a cast
//	ESCAPE                        one character                     one byte
//	a pattern's lonely escape     is refused at once                is refused by the row that meets it
//	bytes beyond ASCII in a BLOB  stand for themselves              must be written \xHH
//	-inf, +inf                    numbers                           columns
//	'infinity' for a date         is refused                        lies above all dates
var differences = []struct {
	values     string // of the column c, in SQL
	where      string
	pare, duck string
}{
	{"(4), (5)", "c = '4.6'", "[]", "[1]"},
	{"(4), (5)", "c < '4.4'", "[0]", "[]"},
	{"(0.1::FLOAT), (5::FLOAT)", "c IN (0.1, 5e0)", "[0 1]", "[1]"},
	{"(0.1::FLOAT), (5::FLOAT)", "c BETWEEN 0e0 AND 0.1", "[0]", "[]"},
	{"(63900000000775262287.3132199494::DECIMAL(30,10))", "c = 63900000000775262287.3132199494e0", "[0]", "[]"},
	{"(1e308), ('inf'::DOUBLE)", "c >= 1e400", "[1]", "[1]"},
	{"(1e308), ('inf'::DOUBLE)", "c = 1e400", "[]", "[1]"},
	{"(TIMESTAMP '2024-03-01 10:00:00'), (TIMESTAMP '2024-03-01 12:00:00')", "c = TIMESTAMP '2024-03-01 12:00:00+02:00'", "[0]", "[1]"},
	{"(TIMESTAMP_NS '2024-03-01 12:00:00.123456'), (TIMESTAMP_NS '2024-03-01 12:00:00.123456789')", "c = TIMESTAMP '2024-03-01 12:00:00.123456789'", "[1]", "[0]"},
	{"(TIMESTAMP '2024-03-01 12:00:00'), (TIMESTAMP '2024-03-01 12:00:00.9'), (TIMESTAMP '2024-03-01 12:00:01')", "c = TIMESTAMP_S '2024-03-01 12:00:00.9'", "[1]", "[2]"},
	{"(TIME_NS '12:00:00')", "c <= TIME '12:00:00'", "[0]", refused},
	{"(TIMETZ '12:00:00+00')", "c <= TIME '12:00:00'", "[0]", refused},
	{"(INTERVAL '1 day'), (INTERVAL '2 days'), (NULL)", "c > INTERVAL '1 day'", refused, "[1]"},
	{"(INTERVAL '1 day'), (NULL)", "c = '1 day'", refused, "[0]"},
	{"((-128)::TINYINT)", "c = -128::TINYINT", "[0]", refused},
	{`('{"a":1}'::JSON)`, `c > '{"a"'`, "[0]", refused},
	{`('ab'::BLOB), ('ba'::BLOB)`, "c LIKE 'a%'", "[0]", refused},
	{"('aéb')", "c LIKE 'aééb' ESCAPE 'é'", "[0]", refused},
	{"('b')", "c LIKE 'a!' ESCAPE '!'", refused, "[]"},
	{"('a')", "c LIKE 'a!' ESCAPE '!'", refused, "[]"},
	{`('\xC3\xA9'::BLOB)`, "c = 'é'", "[0]", refused},
	{"('-inf'::DOUBLE), (1)", "c > -inf", "[1]", refused},
	{"(DATE '2024-03-01')", "c < DATE 'infinity'", refused, "[0]"},
}

func TestDifferences(t *testing.T) {
	for _, c := range differences {
		db := openDuckDB(t)
		path := filepath.Join(t.TempDir(), "c.parquet")
		for _, q := range []string{
			"CREATE TABLE t AS SELECT c, row_number() OVER () - 1 AS file_row_number FROM (VALUES " + c.values + ") AS v(c)",
			"COPY (SELECT c FROM t ORDER BY file_row_number) TO " + engines.QuoteText(path) + " (FORMAT parquet)",
		} {
			if _, err := db.Exec(q); err != nil {
				t.Fatal(err)
			}
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		compareAnswers(t, db, data, c.where, c.pare, c.duck)
	}
}

// TestDifferencesOfTypes pins what DuckDB reads as another type.
func TestDifferencesOfTypes(t *testing.T) {
	for _, c := range []struct{ file, where, pare, duck string }{
		{"arrow-times-v1.parquet", "timestamp_ns_utc_req = '1901-11-18 22:08:49.861967473'", "[0]", "[]"},
		{"arrow-times-v1.parquet", "timestamp_ns_utc_req = '1901-11-18 22:08:49.861968'", "[]", "[0]"},
		{"arrow-bytes-v1.parquet", "decimal_50_20_req = -466533660888671875000000000000", "[0]", "[]"},
	} {
		s := openSubject(t, "../../testdata/fixtures/"+c.file)
		compareAnswers(t, s.db, s.data, c.where, c.pare, c.duck)
	}
}

func compareAnswers(t *testing.T, db engines.DuckDB, data []byte, where, pareAnswer, duckAnswer string) {
	t.Helper()
	rows, err := engines.PareRows(data, where, pare.Options{}, pare.Query{Select: []string{}})
	if got := answer(rows, err); got != pareAnswer {
		t.Errorf("WHERE %s: pare finds %s (%v), expected %s", where, got, err, pareAnswer)
	}
	rows, err = db.Rows(where)
	if got := answer(rows, err); got != duckAnswer {
		t.Errorf("WHERE %s: DuckDB finds %s (%v), expected %s", where, got, err, duckAnswer)
	}
}

func answer(rows []int64, err error) string {
	if err != nil {
		return refused
	}
	return fmt.Sprint(rows)
}

func count(rows []int64, err error) string {
	if err != nil {
		return refused
	}
	return fmt.Sprint(len(rows))
}
