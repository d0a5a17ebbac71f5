package corpus

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const nestedDir = "../../testdata/nested"

// nestedExceptions are the columns in which a reader does not keep to the rules
// of LogicalTypes.md for older lists. It then leaves out a struct of one field,
// or puts one in; the values are the same.
func nestedExceptions() []*Exception {
	var exceptions []*Exception
	for _, path := range []string{"arrow-v1-legacy-lists.parquet", "arrow-v2-legacy-lists.parquet"} {
		for _, e := range []Exception{
			{Column: "two_two", Oracle: ArrowGo, Why: "rule 3: the element is the repeated group, which is a list itself"},
			{Column: "of_repeated", Oracle: ArrowGo, Why: "rule 3: the repeated group has one field, which is repeated, so that the group is the element"},
			{Column: "of_repeated", Oracle: Duck, Why: "rule 3, likewise"},
			{Column: "by_array", Oracle: Duck, Why: "rule 4: the repeated group is named array, so that it is the element"},
			{Column: "by_tuple", Oracle: Duck, Why: "rule 4: the repeated group is named after the list, with _tuple"},
		} {
			e.Path, e.Right = path, "pare"
			exceptions = append(exceptions, &e)
		}
	}
	return exceptions
}

// nestedRefusals are what a reader cannot read, by path and reader, and why.
var nestedRefusals = map[string]string{
	"arrow-v2-maps.parquet arrow-go":      "a V2 page without values whose compressed form, by Brotli, has a byte",
	"arrow-v2-null-keys.parquet arrow-go": "the keys of a map are optional",
	"arrow-v2-odd-maps.parquet duckdb":    "a map without values, and MAP_KEY_VALUE in place of MAP",
}

// TestNested reads the nested fixtures with pare, arrow-go and DuckDB. It fails
// where pare refuses anything and on every difference and refusal that is not
// listed above or no longer occurs.
func TestNested(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(nestedDir, "*.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) == 0 {
		t.Fatalf("no files in %s", nestedDir)
	}
	db, err := OpenDuckDB()
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var findings []Finding
	exceptions := nestedExceptions()
	refused := map[string]bool{}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(path)
		pare := ReadPare(path, data)
		oracles := map[Oracle]*Reading{ArrowGo: ReadArrowGo(path, data), Duck: db.Read(path)}
		v := Judge(name, pare, oracles[ArrowGo], oracles[Duck])
		if v.Pare != "read" {
			t.Errorf("%s: pare: %s", name, v.Pare)
		}
		for o, status := range map[Oracle]string{ArrowGo: v.Arrow, Duck: v.Duck} {
			key := name + " " + string(o)
			if refused[key] = strings.Contains(status, "refused"); refused[key] && nestedRefusals[key] == "" {
				t.Errorf("%s: %s: %s", name, o, status)
			}
		}
		for _, e := range exceptions {
			if e.Path == name {
				checkSameValues(t, e, pare, oracles[e.Oracle])
			}
		}
		findings = append(findings, v.Findings...)
	}
	left, idle := Unexcused(findings, exceptions)
	for _, f := range left {
		t.Errorf("%s, column %s, against %s: %s", f.Path, f.Column, f.Oracle, f.What)
	}
	for _, e := range idle {
		t.Errorf("%s: the exception of column %s against %s does not occur", e.Path, e.Column, e.Oracle)
	}
	for key := range nestedRefusals {
		if !refused[key] {
			t.Errorf("%s: the refusal does not occur", key)
		}
	}
}

// singleField is how a text of a struct of one field begins.
var singleField = regexp.MustCompile(`\{\w+: `)

// checkSameValues compares the excepted column without the structs in it, all
// of which have one field.
func checkSameValues(t *testing.T, e *Exception, pare, oracle *Reading) {
	t.Helper()
	texts := func(r *Reading) string {
		for _, c := range r.Columns {
			if c.Name == e.Column {
				return strings.ReplaceAll(singleField.ReplaceAllString(strings.Join(c.Values, "\n"), ""), "}", "")
			}
		}
		return ""
	}
	if p, o := texts(pare), texts(oracle); p != o || p == "" {
		t.Errorf("%s, column %s: pare reads\n%s\n%s reads\n%s", e.Path, e.Column, p, e.Oracle, o)
	}
}
