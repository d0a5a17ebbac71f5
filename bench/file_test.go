package bench

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/parequet/pare"
	"github.com/parequet/pare/rowrange"
)

// BenchmarkFile asks one query of a file that the environment names, for
// profiles: PARE_BENCH_FILE, PARE_BENCH_SELECT (columns with commas between them,
// all if it is not set, none if it is empty), PARE_BENCH_WHERE and PARE_BENCH_ROWS
// (as 500000-501000, without the last). The flag -cpu 1 makes it one thread.
func BenchmarkFile(b *testing.B) {
	path := os.Getenv("PARE_BENCH_FILE")
	if path == "" {
		b.Skip("PARE_BENCH_FILE is not set")
	}
	q := pare.Query{}
	if names, ok := os.LookupEnv("PARE_BENCH_SELECT"); ok {
		q.Select = strings.FieldsFunc(names, func(r rune) bool { return r == ',' })
	}
	if rows := os.Getenv("PARE_BENCH_ROWS"); rows != "" {
		var r rowrange.Range
		if _, err := fmt.Sscanf(rows, "%d-%d", &r.From, &r.To); err != nil {
			b.Fatal(err)
		}
		q.Rows = rowrange.New(r)
	}
	scan(b, path, os.Getenv("PARE_BENCH_WHERE"), q)
}
