package dialect

import (
	"slices"
	"testing"

	"github.com/parequet/pare"
	"github.com/parequet/pare/predicate"

	"github.com/parequet/pare/oracle/property/engines"
)

// rows is a small table with values at, beside and far from the literals of
// the texts, and NULL.
const rows = `SELECT * FROM (VALUES
	(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	(5, TRUE, 'a', DATE '2024-03-01', TIMESTAMP '2024-03-01 12:00:00', TIMESTAMPTZ '2024-03-01 10:00:00+00', TIMESTAMP_NS '2024-03-01 12:00:00.123456789', TIME '12:00:00', UUID '00000000-0000-0000-0000-000000000001', '\xAA\x00'::BLOB, 0.1::DOUBLE, 0.1::FLOAT, 1.23, 255, 5),
	(4, FALSE, 'a%', DATE '2024-02-29', TIMESTAMP '2024-03-01', TIMESTAMPTZ '2024-03-01 12:00:00+00', TIMESTAMP_NS '2024-03-01 12:00:00.123456788', TIME '11:59:59.999999', UUID '00000000-0000-0000-0000-000000000002', '\xAA'::BLOB, 'nan'::DOUBLE, 'nan'::FLOAT, 1.24, 0, 4),
	(-5, TRUE, 'ab', DATE '2024-03-02', TIMESTAMP '2024-03-01 14:00:00', TIMESTAMPTZ '2024-03-01 14:00:00+00', TIMESTAMP_NS '2024-03-01 12:00:00.123456', TIME '00:00:00', UUID 'ffffffff-0000-0000-0000-000000000001', 'A'::BLOB, 'inf'::DOUBLE, 'inf'::FLOAT, -1.23, 1, 5),
	(1, FALSE, '', DATE '1969-12-31', TIMESTAMP '1969-12-31 23:59:59.999999', TIMESTAMPTZ '1969-12-31 23:59:59+00', TIMESTAMP_NS '1969-12-31 23:59:59', TIME '23:59:59', UUID '80000000-0000-0000-0000-000000000000', ''::BLOB, '-inf'::DOUBLE, '-inf'::FLOAT, 0, 2, NULL),
	(0, NULL, 'it''s', DATE '0001-01-01', TIMESTAMP '0001-01-01', TIMESTAMPTZ '0001-01-01 00:00:00+00', TIMESTAMP_NS '1700-01-01', TIME '12:00:01', UUID '00000000-0000-0000-0000-000000000000', 'a'::BLOB, -0.0::DOUBLE, -0.0::FLOAT, 12345.67, 254, 0),
	(1000, TRUE, 'éb', DATE '9999-12-31', TIMESTAMP '9999-12-31', TIMESTAMPTZ '9999-12-31 00:00:00+00', TIMESTAMP_NS '2261-01-01', TIME '12:00:00.000001', UUID '00000000-0000-0000-0000-00000000000f', '\xFF'::BLOB, 5::DOUBLE, 5::FLOAT, 5, 128, 10),
	(-4, FALSE, '日本', DATE '2024-03-01', TIMESTAMP '2024-03-01 12:00:00.000001', TIMESTAMPTZ '2024-03-01 11:00:00+00', TIMESTAMP_NS '2024-03-01 12:00:00', TIME '01:00:00', UUID '7fffffff-ffff-ffff-ffff-ffffffffffff', '\xAA\x01'::BLOB, 1e-1, 0.5::FLOAT, 1.22, 127, 5),
	(10, FALSE, 'b', DATE '2024-03-01', TIMESTAMP '2024-03-01 11:59:59', TIMESTAMPTZ '2024-03-01 10:00:00.000001+00', TIMESTAMP_NS '2024-03-01 14:00:00', TIME '13:00:00', UUID '00000000-0000-0000-0000-000000000003', '\x00'::BLOB, 0.1000001, 0.1000001::FLOAT, -0.01, 5, 1)
) AS t(i, b, s, d, ts, tz, ns, tm, u, x, f, r, dec, u8, n)`

// names are further columns, equal to n, for texts about names.
var names = []string{`a"b`, "_i", "i1", "é", "日本", "i$", "year", "key", "value", "type", "date", "row", "values"}

// createTable makes the table t and returns it as a Parquet file.
func createTable(t testing.TB, db engines.DuckDB) []byte {
	t.Helper()
	query := `SELECT * REPLACE (i::INTEGER AS i, dec::DECIMAL(9,2) AS dec, u8::UTINYINT AS u8, ns::TIMESTAMP_NS AS ns)`
	for _, name := range names {
		query += ", n::BIGINT AS " + engines.QuoteName(name)
	}
	query += " FROM (" + rows + ")"
	if _, err := db.Exec("CREATE TABLE t AS SELECT *, row_number() OVER () - 1 AS file_row_number FROM (" + query + ")"); err != nil {
		t.Fatal(err)
	}
	return export(t, db, "SELECT * EXCLUDE file_row_number FROM t ORDER BY file_row_number")
}

// TestTextsMeanTheSame: pare and DuckDB select the same rows by each text that
// both accept, and each selects the same by the text that pare makes of it.
func TestTextsMeanTheSame(t *testing.T) {
	db := openDuckDB(t)
	data := createTable(t, db)
	evaluated := 0
	for _, text := range both {
		x, err := predicate.Parse(text)
		if err != nil {
			continue // TestTextsAreAccepted says so
		}
		got, err := engines.PareRows(data, text, pare.Options{}, pare.Query{Select: []string{}})
		again, againErr := engines.PareRows(data, x.String(), pare.Options{}, pare.Query{Select: []string{}})
		if !slices.Equal(got, again) || (err == nil) != (againErr == nil) {
			t.Errorf("%q: pare finds rows %v (%v), by its own text %q %v (%v)", text, got, err, x, again, againErr)
		}
		want, wantErr := db.Rows(text)
		again, againErr = db.Rows(x.String())
		if !slices.Equal(want, again) || (wantErr == nil) != (againErr == nil) {
			t.Errorf("%q: DuckDB finds rows %v (%v), by pare's text %q %v (%v)", text, want, wantErr, x, again, againErr)
		}
		same := slices.Equal(got, want) && (err == nil) == (wantErr == nil)
		if why := otherwise[text]; (why == "") != same {
			t.Errorf("%q (%s)\npare:   %v %v\nDuckDB: %v %v", text, why, got, err, want, wantErr)
		}
		if err == nil && wantErr == nil {
			evaluated++
		}
	}
	if evaluated < 150 {
		t.Errorf("only %d texts could be evaluated", evaluated)
	}
}

// otherwise are texts of both that do not mean the same, with the reason. The
// answers themselves are pinned in package property.
var otherwise = map[string]string{
	"f = 1e400":               "a number beyond a DOUBLE is no infinity",
	"i = '4.6'":               "a string is read as the number it says, DuckDB's cast rounds it",
	"i = -128::TINYINT":       "a sign belongs to its number, DuckDB's casts bind more tightly",
	"r IN (0.1, 5e0)":         "each literal is compared on its own, DuckDB gives all one type",
	"x LIKE 'a%'":             "LIKE works on binary columns, too",
	"f = -inf":                "infinity is a number after a sign",
	"f < +infinity":           "infinity is a number after a sign",
	"s LIKE 'aéb' ESCAPE 'é'": "an escape is one character, for DuckDB one byte",
	"ts = TIMESTAMP '2024-03-01 14:00:00+02:00'": "an offset is converted, DuckDB drops it",
}
