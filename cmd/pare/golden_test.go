package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden texts")

const (
	paged    = "orders/orders-paged.parquet"
	sorted   = "orders/orders-sorted.parquet"
	fixtures = "../../testdata/fixtures/"
)

const (
	nestedFiles   = "../../testdata/nested/"
	nestedStructs = nestedFiles + "arrow-v1-structs.parquet"
	nestedLists   = nestedFiles + "arrow-v1-lists.parquet"
	nestedMaps    = nestedFiles + "arrow-v1-maps.parquet"
	nestedGroups  = nestedFiles + "parquetgo-v2-groups.parquet"
)

const orcFile = "../../testdata/orc/zlib.orc"

// golden texts are reviewed as a diff. Each holds the command line, what it
// prints and its exit status.
var golden = map[string][]string{
	"explain-paged":          {"explain", paged, "--select", demoSelect, "--where", demoWhere},
	"explain-paged-exact":    {"explain", paged, "--select", demoSelect, "--where", demoWhere, "--gap", "0", "--tail", "8"},
	"explain-paged-or":       {"explain", paged, "--select", "note", "--where", "order_id < 10 OR quantity = 3 AND order_date > DATE '2024-12-01'"},
	"explain-sorted":         {"explain", sorted, "--select", demoSelect, "--where", demoWhere},
	"explain-contradiction":  {"explain", paged, "--where", "amount > 10 AND amount < 5"},
	"explain-no-condition":   {"explain", sorted, "--select", "status"},
	"explain-limit":          {"explain", sorted, "--select", "status", "--limit", "2500"},
	"explain-prune-none":     {"explain", paged, "--select", "order_id", "--where", demoWhere, "--prune", "none"},
	"explain-json":           {"explain", paged, "--select", demoSelect, "--where", demoWhere, "--format", "json"},
	"explain-nulls":          {"explain", fixtures + "arrow-misaligned.parquet", "--where", "key IS NULL OR name < 'b'"},
	"query-csv":              {"query", "SELECT order_id, order_date, amount, note AS remark FROM '" + paged + "' WHERE order_id BETWEEN 3 AND 8"},
	"query-json":             {"query", "SELECT * FROM '" + paged + "' WHERE note IS NULL LIMIT 3", "--format", "json"},
	"query-ndjson":           {"query", "SELECT status, order_id FROM '" + paged + "' LIMIT 2", "--format", "ndjson"},
	"query-table":            {"query", "SELECT order_id, status FROM '" + paged + "' LIMIT 3", "--format", "table"},
	"query-count":            {"query", "SELECT count(*) FROM '" + paged + "' WHERE " + demoWhere},
	"query-count-all":        {"query", "SELECT count(*) AS n FROM '" + paged + "'", "--format", "json"},
	"query-limit-0":          {"query", "SELECT order_id FROM '" + paged + "' LIMIT 0"},
	"query-aggregates":       {"query", "SELECT count(*), min(order_date), max(order_id) AS last, count(note), max(status) FROM '" + paged + "' WHERE " + demoWhere, "--report", "text"},
	"query-mixed-refused":    {"query", "SELECT status, min(order_id) FROM '" + paged + "'"},
	"explain-aggregates":     {"explain", "SELECT count(*), max(order_id) FROM '" + paged + "' WHERE order_date >= DATE '2024-03-01'"},
	"explain-dictionary":     {"explain", paged, "--where", "status = 'lost'"},
	"explain-bloom":          {"explain", fixtures + "parquetgo-logical.parquet", "--where", "email = 'user7777@example.org'", "--gap", "0"},
	"query-caret":            {"query", "SELECT order_id\nFROM '" + paged + "'\nWHERE status == 'x' AND amuont > 5"},
	"scan-two-files":         {"scan", "orders/orders-p*.parquet", "--select", "count(*)", "--where", demoWhere},
	"types-duckdb-csv":       {"scan", fixtures + "duckdb-snappy.parquet", "--limit", "12"},
	"types-duckdb-json":      {"scan", fixtures + "duckdb-snappy.parquet", "--limit", "4", "--format", "ndjson"},
	"types-arrow-times-csv":  {"scan", fixtures + "arrow-times-v2.parquet", "--limit", "6"},
	"types-arrow-bytes-csv":  {"scan", fixtures + "arrow-bytes-v1.parquet", "--limit", "6"},
	"types-arrow-number-csv": {"scan", fixtures + "arrow-numbers-v1.parquet", "--limit", "6"},
	"types-parquetgo-csv":    {"scan", fixtures + "parquetgo-logical.parquet", "--limit", "4"},
	"inspect":                {"inspect", paged},
	"inspect-row-groups":     {"inspect", sorted, "row-groups", "--columns", "order_date,note"},
	"inspect-pages":          {"inspect", paged, "pages", "--columns", "status"},
	"inspect-index":          {"inspect", paged, "index", "--columns", "order_date,note"},
	"inspect-sizes":          {"inspect", paged, "sizes"},
	"inspect-orc":            {"inspect", orcFile},
	"inspect-orc-stripes":    {"inspect", orcFile, "row-groups"},
	"ndv-orc":                {"ndv", orcFile, "--format", "table"},
	"ndv-mixed":              {"ndv", orcFile, paged},
	"inspect-bloom":          {"inspect", fixtures + "parquetgo-logical.parquet", "bloom"},
	"verify":                 {"verify", paged, sorted, fixtures + "codec-zstd.parquet"},
	"verify-lies":            {"verify", fixtures + "arrow-numbers-v1.parquet"},
	"verify-json":            {"verify", fixtures + "parquetgo-logical.parquet", "--json"},
	"ndv":                    {"ndv", sorted, "--format", "table", "--tier", "footer", "--exact"},
	"ndv-auto":               {"ndv", paged, "--format", "table", "--exact"},
	"ndv-bloom":              {"ndv", fixtures + "parquetgo-logical.parquet", "--format", "table", "--tier", "bloom"},
	"ndv-json":               {"ndv", paged, "--columns", "status,note", "--tier", "headers", "--format", "json", "--batch-rows", "1000"},
	"ndv-paper":              {"ndv", sorted, "--method", "paper", "--tier", "footer"},
	"ndv-table":              {"ndv", "orders", "--columns", "customer_id", "--batch-rows", "500", "--exact"},
	"ndv-unknown":            {"ndv", paged, "--columns", "customer"},
	"ndv-tier":               {"ndv", paged, "--tier", "all"},
	"nested-json":            {"scan", nestedStructs, "--limit", "3", "--format", "json"},
	"nested-ndjson":          {"scan", nestedMaps, "--limit", "4", "--format", "ndjson"},
	"nested-csv":             {"scan", nestedMaps, "--select", "id,points,names", "--limit", "5"},
	"nested-table":           {"scan", nestedLists, "--select", "id,ints,items", "--where", "id BETWEEN 3 AND 7", "--format", "table"},
	"nested-select":          {"query", `SELECT id, outer.middle.kind, point.y AS y, "order" FROM '` + nestedStructs + "' WHERE outer.middle.kind = 'a'", "--format", "ndjson"},
	"nested-select-star":     {"query", "SELECT point.tag, * FROM '" + nestedGroups + "' WHERE items IS NULL AND point.tag >= 'r' LIMIT 3", "--format", "ndjson"},
	"nested-select-part":     {"query", "SELECT id, items.list.element.code FROM '" + nestedLists + "' WHERE items IS NOT NULL LIMIT 4", "--format", "ndjson"},
	"nested-select-alias":    {"query", "SELECT point.tag, items.list.element.label AS label, point.x, id FROM '" + nestedGroups + "' LIMIT 2"},
	"nested-unknown":         {"query", "SELECT id, point.why FROM '" + nestedStructs + "'"},
	"nested-aggregates":      {"query", "SELECT count(outer.middle.inner.text), min(point.x), max(point.y), count(*) FROM '" + nestedStructs + "'"},
	"nested-compare-list":    {"query", "SELECT id FROM '" + nestedLists + "' WHERE id > 3 AND items = 1"},
	"nested-compare-struct":  {"query", "SELECT id FROM '" + nestedStructs + "' WHERE point = 1"},
	"nested-count-list":      {"query", "SELECT count(*), count(items.list.element.code) FROM '" + nestedLists + "'"},
	"nested-min-map":         {"scan", nestedMaps, "--select", "count(*),min(points)", "--where", "id > 3"},
	"explain-nested":         {"explain", nestedGroups, "--select", "point.x,items", "--where", "id < 40 AND point IS NOT NULL AND items IS NOT NULL"},
	"inspect-nested":         {"inspect", nestedMaps},
	"inspect-nested-groups":  {"inspect", nestedGroups, "row-groups", "--columns", "id,point,counts"},
	"inspect-nested-index":   {"inspect", nestedMaps, "index", "--columns", "id,counts"},
	"inspect-nested-pages":   {"inspect", nestedLists, "pages", "--columns", "words"},
	"inspect-nested-sizes":   {"inspect", nestedGroups, "sizes"},
	"ndv-nested":             {"ndv", nestedGroups, "--columns", "id,point,counts", "--format", "table", "--exact"},
	"verify-nested":          {"verify", nestedGroups},
	"help":                   {"--help"},
	"help-query":             {"query", "--help"},
}

// measured matches what differs from run to run.
var measured = regexp.MustCompile(`took [0-9.]+ ms|"actual_ms": [0-9.e-]+`)

func TestGolden(t *testing.T) {
	for name, args := range golden {
		t.Run(name, func(t *testing.T) {
			status, stdout, stderr := runCommand(t, args...)
			text := fmt.Sprintf("$ pare %s\n%s%s", strings.Join(args, " "), stdout, stderr)
			if status != 0 {
				text += fmt.Sprintf("exit %d\n", status)
			}
			got := measured.ReplaceAllString(text, "took … ms")
			path := filepath.Join("testdata", "golden", name+".txt")
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("%s differs; go test ./cmd/pare -update rewrites it\n%s", path, got)
			}
		})
	}
}

func TestNoGoldenTextIsStale(t *testing.T) {
	names, err := filepath.Glob("testdata/golden/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		if _, ok := golden[strings.TrimSuffix(filepath.Base(n), ".txt")]; !ok {
			t.Errorf("%s belongs to no test", n)
		}
	}
}
