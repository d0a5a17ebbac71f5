package pare_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parequet/pare"
)

func verify(t testing.TB, name string, b []byte) []pare.Finding {
	t.Helper()
	f, _ := openBytes(t, name, b, pare.Options{})
	var out []pare.Finding
	if _, err := f.Verify(t.Context(), func(x pare.Finding) { out = append(out, x) }); err != nil {
		t.Fatal(err)
	}
	return out
}

// knownLies are what writers got wrong in the fixtures.
var knownLies = map[string]string{
	"arrow-numbers-v1.parquet":  "min_value is -61", // arrow-go forgets FLOAT16 values before a NaN
	"arrow-numbers-v2.parquet":  "0 nulls, there are 30",
	"parquetgo-logical.parquet": "min_values lists 2 pages, the offset index 3", // parquet-go leaves null pages out

	"parquetgo-v1-structs.parquet": "min_values lists 5 pages, the offset index 6", // and here
	"parquetgo-v2-structs.parquet": "min_values lists 5 pages, the offset index 6",
	// arrow-go forgets values, and whether there are any, where lists are empty or null
	"arrow-v1-groups.parquet":     "a value of -15000000105 lies below",
	"arrow-v1-lists.parquet":      "null_pages says true, 2 of 3 values are null",
	"arrow-v1-long-lists.parquet": "a value of 14000000098 lies above",
	"arrow-v1-maps.parquet":       "a value of 14000000098 lies above",
	"arrow-v1-structs.parquet":    "a value of -14000000098 lies below",
	"arrow-v2-groups.parquet":     "a value of -20 lies below",
	"arrow-v2-maps.parquet":       "null_pages says true, 2 of 4 values are null",
}

func TestVerifyFindsNothingElseInTheFixtures(t *testing.T) {
	for _, name := range fixtures(t) {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		got := verify(t, name, b)
		want := knownLies[filepath.Base(name)]
		if want == "" && len(got) > 0 {
			t.Errorf("%s: %v", name, got)
		}
		found := want == ""
		for _, x := range got {
			found = found || strings.Contains(x.Why, want)
		}
		if !found {
			t.Errorf("%s: %q is not among %v", name, want, got)
		}
	}
}

// TestVerifyFindsPlantedLies changes a byte of a good file's metadata, or of
// its pages, and expects the lie to be named at its place.
func TestVerifyFindsPlantedLies(t *testing.T) {
	good, err := os.ReadFile("cmd/pare/orders/orders-sorted.parquet")
	if err != nil {
		t.Fatal(err)
	}
	// order_id 2001…4000 of row group 1: its bounds stand four times in the
	// footer, as deprecated and as current pair.
	upper := []byte{0xa0, 0x0f, 0, 0, 0, 0, 0, 0}
	at := bytes.LastIndex(good, upper)
	if at < 0 {
		t.Fatal("the bound is not there")
	}
	bad := bytes.Clone(good)
	bad[at] = 0x9f
	got := verify(t, "bound", bad)
	if len(got) != 1 || got[0].RowGroup != 1 || got[0].Column != "order_id" || !strings.Contains(got[0].String(), "is 3999, a value of 4000 lies above") &&
		!strings.Contains(got[0].String(), "is 3999 and claims to be exact") {
		t.Errorf("a maximum below a value: %v", got)
	}
	crc, err := os.ReadFile("testdata/fixtures/parquetgo-crc-v1.parquet")
	if err != nil {
		t.Fatal(err)
	}
	crc[300] ^= 1
	if got := verify(t, "checksum", crc); len(got) != 1 || !strings.Contains(got[0].Why, "checksum mismatch") || got[0].Offset < 0 {
		t.Errorf("a bit flipped in a page: %v", got)
	}
}

// TestVerifyNamesLyingFiles: three files of the corpus whose statistics lie.
func TestVerifyNamesLyingFiles(t *testing.T) {
	corpus := os.Getenv("PARE_CORPUS")
	if corpus == "" {
		t.Skip("PARE_CORPUS does not name a corpus")
	}
	for path, why := range map[string]string{
		"hardwood-hq+hardwood/core/src/test/resources/filter_pushdown_int_lying_stats.parquet": "max_value is 200, a value of 300 lies above",
		"duckdb+duckdb/data/parquet-testing/h2oai/h2oai_group_small.parquet":                   "null_count is 0, there are 472",
		"duckdb+duckdb/data/parquet-testing/corrupt_stats.parquet":                             "max_value is TIMESTAMP '2021-01-01 04:00:00'",
	} {
		b, err := os.ReadFile(filepath.Join(corpus, path))
		if err != nil {
			t.Error(err)
			continue
		}
		found := false
		for _, x := range verify(t, path, b) {
			found = found || strings.Contains(x.Why, why)
		}
		if !found {
			t.Errorf("%s: %q was not found", path, why)
		}
	}
}
