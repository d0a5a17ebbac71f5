package bench

import (
	"os"
	"strings"
	"testing"

	"github.com/parequet/pare"
)

// BenchmarkFile asks one query of a file that the environment names, for
// profiles: PARE_BENCH_FILE, PARE_BENCH_SELECT (columns with commas between them,
// all if it is not set, none if it is empty) and PARE_BENCH_WHERE.
func BenchmarkFile(b *testing.B) {
	path := os.Getenv("PARE_BENCH_FILE")
	if path == "" {
		b.Skip("PARE_BENCH_FILE is not set")
	}
	q := pare.Query{}
	if names, ok := os.LookupEnv("PARE_BENCH_SELECT"); ok {
		q.Select = strings.FieldsFunc(names, func(r rune) bool { return r == ',' })
	}
	scan(b, path, os.Getenv("PARE_BENCH_WHERE"), q)
}
