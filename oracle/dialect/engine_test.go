package dialect

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parequet/pare/oracle/property/engines"
)

func openDuckDB(t testing.TB) engines.DuckDB {
	t.Helper()
	db, err := engines.OpenDuckDB()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// syntax returns DuckDB's syntax tree of a WHERE clause, or why its parser
// refuses the text.
func syntax(t testing.TB, db engines.DuckDB, where string) (tree any, refusal string) {
	t.Helper()
	var text string
	err := db.QueryRow("SELECT json_serialize_sql('SELECT 1 FROM t WHERE ' || ?::VARCHAR)::VARCHAR", where).Scan(&text)
	if err != nil {
		t.Fatalf("%s: %v", where, err)
	}
	var out struct {
		Error      bool   `json:"error"`
		Message    string `json:"error_message"`
		Statements []struct {
			Node map[string]any `json:"node"`
		} `json:"statements"`
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&out); err != nil {
		if strings.HasPrefix(text, `{"error":false`) {
			return nil, "" // an infinite number, for which JSON has no word
		}
		t.Fatalf("%s: %v", where, err)
	}
	if out.Error {
		return nil, out.Message
	}
	return out.Statements[0].Node["where_clause"], ""
}

// export writes a query's result as a Parquet file and returns its bytes.
func export(t testing.TB, db engines.DuckDB, query string) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rows.parquet")
	if _, err := db.Exec("COPY (" + query + ") TO " + engines.QuoteText(path) + " (FORMAT parquet)"); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
