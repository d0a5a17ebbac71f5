package main

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// runCommand runs pare in this process.
func runCommand(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = run(args, strings.NewReader(""), &out, &errs)
	return status, out.String(), errs.String()
}

func orderFile(t *testing.T, name string) []byte {
	t.Helper()
	b, err := orders.ReadFile("orders/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Clone(b)
}

// TestFaultsAreOneClearLine: whatever is wrong, there is one line that says
// so, the right exit status, no output file and no panic.
func TestFaultsAreOneClearLine(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, b []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := orderFile(t, "orders-paged.parquet")
	goodPath := write("good.parquet", good)
	crc, err := os.ReadFile("../../testdata/fixtures/parquetgo-crc-v1.parquet")
	if err != nil {
		t.Fatal(err)
	}
	flipped := bytes.Clone(crc)
	flipped[300] ^= 0x10
	longFooter := bytes.Clone(good)
	binary.LittleEndian.PutUint32(longFooter[len(good)-8:], uint32(len(good)))
	badFooter := bytes.Clone(good)
	copy(badFooter[len(good)-700:], bytes.Repeat([]byte{0xff}, 60))

	for _, c := range []struct {
		name   string
		args   []string
		status int
		says   string
	}{
		{"truncated file", []string{"scan", write("truncated", good[:len(good)/2])}, 1, "not a Parquet file"},
		{"footer cut out", []string{"scan", write("cut", append(bytes.Clone(good[:1000]), good[len(good)-8:]...))}, 1, "footer"},
		{"bit flipped in a page with a CRC", []string{"scan", write("flipped", flipped)}, 1, "checksum"},
		{"footer length beyond the file", []string{"scan", write("long", longFooter)}, 1, "does not fit"},
		{"garbage in the footer", []string{"scan", write("garbage", badFooter)}, 1, "footer"},
		{"empty file", []string{"scan", write("empty", nil)}, 1, "not a Parquet file"},
		{"text file", []string{"scan", write("text", []byte("order_id,amount\n1,2\n3,4\n"))}, 1, "not a Parquet file"},
		{"a folder of nothing", []string{"scan", t.TempDir()}, 1, "no file matches"},
		{"missing file", []string{"scan", filepath.Join(dir, "nothing.parquet")}, 1, "no such file"},
		{"pattern without a match", []string{"scan", filepath.Join(dir, "*.none")}, 1, "no file matches"},
		{"missing column", []string{"scan", goodPath, "--select", "order_idd"}, 2, "did you mean order_id"},
		{"missing column in a condition", []string{"scan", goodPath, "--where", "amout > 5"}, 2, "did you mean amount"},
		{"struct compared", []string{"scan", nestedStructs, "--where", "point = 1"}, 2, "name a column in it: point.x, point.y"},
		{"list compared", []string{"scan", nestedLists, "--where", "items = 1"}, 2, "(line 1, column 1)"},
		{"value of a list compared", []string{"scan", nestedLists, "--where", "items.list.element.code = 1"}, 2, "a row may have many values of it"},
		{"count of a list", []string{"scan", nestedLists, "--select", "count(items)"}, 2, "no list or map"},
		{"missing column in a struct", []string{"scan", nestedStructs, "--select", "point.z"}, 2, "did you mean point."},
		{"wrong literal", []string{"scan", goodPath, "--where", "order_date > 'tomorrow'"}, 2, "is not a date"},
		{"wrong date", []string{"scan", goodPath, "--where", "order_date > DATE '2024-02-30'"}, 2, "not a DATE"},
		{"wrong type", []string{"scan", goodPath, "--where", "order_date > 5"}, 2, "cannot be compared"},
		{"syntax", []string{"query", "SELECT order_id FROM 'x' WHERE"}, 2, "expected a column or a literal"},
		{"outside the dialect", []string{"query", "SELECT status FROM 'x' GROUP BY status"}, 2, "give its Arrow output to an engine"},
		{"no file", []string{"scan"}, 2, "a FILE is missing"},
		{"unknown command", []string{"frobnicate"}, 2, "unknown command"},
		{"unknown flag", []string{"scan", goodPath, "--frobnicate"}, 2, "unknown flag"},
		{"unknown format", []string{"scan", goodPath, "--format", "xml"}, 2, "--format takes"},
		{"unknown rung", []string{"scan", goodPath, "--prune", "luck"}, 2, "--prune takes"},
		{"wrong size", []string{"scan", goodPath, "--gap", "wide"}, 2, "--gap takes"},
		{"output without a format", []string{"scan", goodPath, "-o", filepath.Join(dir, "out.xyz")}, 2, "names no format"},
		{"output into nowhere", []string{"scan", goodPath, "-o", filepath.Join(dir, "no", "out.csv")}, 1, "no such file"},
		{"a pipe", []string{"scan", "-"}, 2, "cannot be read from a pipe"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := filepath.Join(dir, "out.csv")
			args := c.args
			if c.args[0] == "scan" && len(c.args) > 1 && !strings.Contains(strings.Join(c.args, " "), "-o ") {
				args = append(args, "-o", out)
			}
			status, stdout, stderr := runCommand(t, args...)
			line, rest, _ := strings.Cut(stderr, "\n")
			if status != c.status || !strings.Contains(line, c.says) || !strings.HasPrefix(line, "pare: ") {
				t.Errorf("exit %d, %q", status, stderr)
			}
			// Faults of a text may show the place below the line.
			if n := strings.Count(rest, "\n"); n != 0 && (n != 2 || !strings.Contains(rest, "^")) {
				t.Errorf("more than a line: %q", stderr)
			}
			if stdout != "" {
				t.Errorf("output: %q", stdout)
			}
			leftovers(t, dir)
		})
	}
}

// leftovers fails if an output file or part of one was left behind.
func leftovers(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".pare") || strings.HasPrefix(e.Name(), "out.") {
			t.Errorf("%s was left behind", e.Name())
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// TestPageIndexOutsideTheFileIsNotUsed: a damaged index costs bytes, never
// rows; under --strict it is an error.
func TestPageIndexOutsideTheFileIsNotUsed(t *testing.T) {
	good := orderFile(t, "orders-paged.parquet")
	// Overwrite the index region, which lies between pages and footer.
	footer := int(binary.LittleEndian.Uint32(good[len(good)-8:]))
	bad := bytes.Clone(good)
	for i := len(good) - 8 - footer - 3000; i < len(good)-8-footer; i++ {
		bad[i] = 0xff
	}
	path := filepath.Join(t.TempDir(), "bad.parquet")
	if err := os.WriteFile(path, bad, 0o644); err != nil {
		t.Fatal(err)
	}
	where := "order_date >= DATE '2024-03-01' AND order_date < DATE '2024-03-15'"
	status, stdout, stderr := runCommand(t, "scan", path, "--select", "order_id", "--where", where, "--report", "text")
	if rows := strings.Count(stdout, "\n") - 1; status != 0 || rows != 765 {
		t.Errorf("exit %d, %d rows, %s", status, rows, stderr)
	}
	if !strings.Contains(stderr, "not believed") {
		t.Errorf("the receipt does not say so: %s", stderr)
	}
	status, stdout, stderr = runCommand(t, "scan", path, "--select", "order_id", "--where", where, "--strict")
	if status != 1 || stdout != "" || !strings.Contains(stderr, "index") {
		t.Errorf("strict: exit %d, %q, %q", status, stdout, stderr)
	}
}
