package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parequet/pare/source/s3/s3test"
)

// TestTables: folders and patterns are tables, whose folders named key=value are
// columns.
func TestTables(t *testing.T) {
	good, err := os.ReadFile("orders/orders-sorted.parquet")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for _, dir := range []string{"t/day=2024-03-01/region=eu", "t/day=2024-03-01/region=us", "t/day=2024-03-02/region=eu"} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "a.parquet"), good, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args   []string
		status int
		want   string // of standard output, or a part of the error
	}{
		{[]string{"query", "SELECT day, region AS r, order_id FROM 't' WHERE region = 'eu' AND order_id = 5"}, 0,
			"day,r,order_id\n2024-03-01,eu,5\n2024-03-02,eu,5\n"},
		{[]string{"query", "SELECT order_id FROM 't' WHERE day = DATE '2024-03-02' AND order_id < 3", "--file-column", "file"}, 0,
			"order_id,file\n1,t/day=2024-03-02/region=eu/a.parquet\n2,t/day=2024-03-02/region=eu/a.parquet\n"},
		{[]string{"query", "SELECT count(*), max(order_id) FROM 't/*/region=eu/*.parquet' WHERE day > DATE '2024-03-01'"}, 0, "count(*),max(order_id)\n20000,20000\n"},
		{[]string{"scan", "t/day=2024-03-01/region=eu", "--select", "order_id", "--limit", "2"}, 0, "order_id\n1\n2\n"},
		{[]string{"scan", "t", "--hive=false", "--select", "order_id", "--where", "order_id = 7"}, 0, "order_id\n7\n7\n7\n"},
		{[]string{"scan", "t/day=2024-03-01/region=eu/a.parquet", "t/day=2024-03-02/region=eu/a.parquet", "--select", "order_id", "--where", "order_id = 7"}, 0, "order_id\n7\n7\n"},
		{[]string{"query", "SELECT *, region AS r FROM 't' WHERE order_id = 1 AND region = 'us'"}, 0,
			"order_id,order_date,customer_id,status,quantity,amount,note,day,region,r\n1,2024-01-01,30,shipped,2,62.51,call before delivery (shop 515474),2024-03-01,us,us\n"},
		{[]string{"query", "SELECT regoin FROM 't'"}, 2, "unknown column regoin (line 1, column 8)"},
		{[]string{"query", "SELECT order_id FROM 't' WHERE day = 5"}, 2, "holds a date"},
		{[]string{"query", "SELECT count(day) FROM 't'"}, 1, "column of partitions"},
		{[]string{"scan", "t/*.parquet"}, 1, "t/*.parquet: no file matches"},
	} {
		status, stdout, stderr := runCommand(t, c.args...)
		if status != c.status || status == 0 && stdout != c.want || !strings.Contains(stderr, c.want) && status != 0 {
			t.Errorf("%v: exit %d\n%s%s\nright is\n%s", c.args, status, stdout, stderr, c.want)
		}
	}
	status, out, stderr := runCommand(t, "explain", "SELECT count(*), max(order_id) FROM 't' WHERE order_id > 19990", "--analyze", "--format", "json")
	if status != 0 || !strings.Contains(out, `"returned": 30`) {
		t.Errorf("explain: exit %d\n%s%s", status, out, stderr)
	}
	if status, out, stderr := runCommand(t, "verify", "t"); status != 0 || strings.Count(out, "a.parquet") != 3 {
		t.Errorf("verify: exit %d\n%s%s", status, out, stderr)
	}
	// With a cache, the second time asks for no footer.
	args := []string{"query", "SELECT order_id FROM 't' WHERE region = 'eu' AND order_id = 5", "--cache", "cache", "--report", "text"}
	_, _, cold := runCommand(t, args...)
	_, rows, warm := runCommand(t, args...)
	if rows != "order_id\n5\n5\n" || !strings.Contains(warm, "(footer 0,") || strings.Contains(cold, "(footer 0,") {
		t.Errorf("%s\n%s\n%s", rows, cold, warm)
	}
	if status, out, stderr := runCommand(t, "explain", "t", "--where", "day = DATE '2024-03-02'"); status != 0 || !strings.Contains(out, "2 files were ruled out by their paths") || !strings.Contains(out, "table   3 files, 2 of them ruled out") {
		t.Errorf("explain: exit %d\n%s%s", status, out, stderr)
	}
}

// TestTablesInStores: folders and patterns of an object store.
func TestTablesInStores(t *testing.T) {
	s3test.Environment(t)
	url := s3test.Fake(t)
	t.Setenv("AWS_ENDPOINT_URL", url)
	good, err := os.ReadFile("orders/orders-sorted.parquet")
	if err != nil {
		t.Fatal(err)
	}
	put(t, url+"/lake", nil)
	for _, key := range []string{"t/day=2024-03-01/a.parquet", "t/day=2024-03-02/a.parquet", "t/day=2024-03-02/_tmp/b.parquet", "tt/c.parquet"} {
		put(t, url+"/lake/"+key, good)
	}
	for _, c := range []struct{ query, want string }{
		{"SELECT day, order_id FROM 's3://lake/t/' WHERE order_id = 5", "day,order_id\n2024-03-01,5\n2024-03-02,5\n"},
		{"SELECT day, order_id FROM 's3://lake/t' WHERE order_id = 5 AND day = DATE '2024-03-02'", "day,order_id\n2024-03-02,5\n"},
		{"SELECT count(*) FROM 's3://lake/t/day=*/*.parquet'", "count(*)\n40000\n"},
		{"SELECT order_id FROM 's3://lake/tt/c.parquet' WHERE order_id < 3", "order_id\n1\n2\n"},
	} {
		cache := t.TempDir()
		for _, more := range [][]string{nil, {"--cache", cache}, {"--cache", cache}} {
			status, stdout, stderr := runCommand(t, append([]string{"query", c.query}, more...)...)
			if status != 0 || stdout != c.want {
				t.Errorf("%s %v: exit %d\n%s%s", c.query, more, status, stdout, stderr)
			}
		}
	}
	if status, out, stderr := runCommand(t, "ndv", "s3://lake/t/", "--columns", "status", "--format", "csv"); status != 0 || !strings.Contains(out, "status,40000,0,1,5,5,dictionaries") {
		t.Errorf("ndv: exit %d\n%s%s", status, out, stderr)
	}
	if status, out, stderr := runCommand(t, "verify", "s3://lake/t/day=*/a.parquet"); status != 0 || strings.Count(out, "s3://lake/t/day=") != 2 {
		t.Errorf("verify: exit %d\n%s%s", status, out, stderr)
	}
	if status, _, stderr := runCommand(t, "scan", "s3://lake/nothing/"); status != 1 || !strings.Contains(stderr, "s3://lake/nothing/: no file matches") {
		t.Errorf("exit %d, %s", status, stderr)
	}
}
