package corpus

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite ../testdata/corpus.txt")

const (
	goldenFile     = "../testdata/corpus.txt"
	exceptionsFile = "../testdata/exceptions.tsv"
	goldenHead     = "path\trows\tflat columns\tnested columns\tarrow-go\tduckdb\tpare\n"
)

// TestCorpus reads every Parquet file of the corpus with pare, arrow-go and
// DuckDB. It fails on a difference that is not a listed exception, on an
// exception that no longer occurs, and where the summary is not the committed
// one.
func TestCorpus(t *testing.T) {
	root := os.Getenv("PARE_CORPUS")
	if root == "" {
		t.Skip("PARE_CORPUS does not name a folder of Parquet files with an INVENTORY.tsv")
	}
	paths, err := Inventory(root)
	if err != nil {
		t.Fatal(err)
	}
	db, err := OpenDuckDB()
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	// A panic in a goroutine of pare's ends the test; its traceback then says
	// which file it was.
	t.Setenv("GODEBUG", "tracebacklabels=1")
	got := []byte(goldenHead)
	var findings []Finding
	for _, path := range paths {
		v := readAll(t, db, root, path)
		got = fmt.Appendf(got, "%s\t%d\t%d\t%d\t%s\t%s\t%s\n", v.Path, v.Rows, v.Flat, v.Nested, v.Arrow, v.Duck, v.Pare)
		findings = append(findings, v.Findings...)
	}
	checkFindings(t, findings)
	checkGolden(t, string(got))
}

// readAll reads one file with all readers.
func readAll(t *testing.T, db *DuckDB, root, path string) Verdict {
	full := filepath.Join(root, filepath.FromSlash(path))
	data, err := os.ReadFile(full)
	if err != nil {
		t.Fatal(err)
	}
	p := ReadPare(full, data)
	var arrow, duck *Reading
	if !slices.Contains(hangs[ArrowGo], path) {
		arrow = ReadArrowGo(full, data)
	}
	if !slices.Contains(hangs[Duck], path) {
		duck = db.Read(full)
	}
	return Judge(path, p, arrow, duck)
}

func checkFindings(t *testing.T, findings []Finding) {
	text, err := os.ReadFile(exceptionsFile)
	if err != nil {
		t.Fatal(err)
	}
	exceptions, err := ParseExceptions(string(text))
	if err != nil {
		t.Fatal(err)
	}
	left, idle := Unexcused(findings, exceptions)
	for _, f := range left {
		t.Errorf("%s, column %s, against %s: %s", f.Path, f.Column, f.Oracle, f.What)
	}
	for _, e := range idle {
		t.Errorf("%s: the exception of column %s against %s does not occur", e.Path, e.Column, e.Oracle)
	}
	t.Logf("%d findings, %d of them excused by %d exceptions", len(findings), len(findings)-len(left), len(exceptions))
}

func checkGolden(t *testing.T, got string) {
	if *update {
		if err := os.WriteFile(goldenFile, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(goldenFile)
	if err != nil {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	lines := map[string]bool{}
	for line := range strings.Lines(string(want)) {
		lines[line] = true
	}
	for line := range strings.Lines(got) {
		if !lines[line] {
			t.Errorf("not in %s (rerun with -update): %s", filepath.Base(goldenFile), strings.TrimSpace(line))
		}
		delete(lines, line)
	}
	for line := range lines {
		t.Errorf("only in %s (rerun with -update): %s", filepath.Base(goldenFile), strings.TrimSpace(line))
	}
}
