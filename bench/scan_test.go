// Package bench measures pare on large files.
package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/arrow-go/v18/parquet/compress"

	"github.com/parequet/pare"
	"github.com/parequet/pare/bench/orders"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/rowrange"
)

// cached returns the path of a file that is kept between runs in the user's
// cache, and that ensure writes.
func cached(b *testing.B, ensure func(dir string) (string, error)) string {
	b.Helper()
	dir, err := os.UserCacheDir()
	if err != nil {
		dir = os.TempDir()
	}
	path, err := ensure(filepath.Join(dir, "pare-bench"))
	if err != nil {
		b.Fatal(err)
	}
	return path
}

// BenchmarkScan reads 2 million rows in full and by a fortnight. MB/s and
// rows/s count what the file holds, so a selective scan can exceed what the
// disk does; read-MB says what really crossed the source.
func BenchmarkScan(b *testing.B) {
	rows := 2_000_000
	if testing.Short() {
		rows = 200_000
	}
	for _, codec := range []compress.Compression{compress.Codecs.Uncompressed, compress.Codecs.Snappy, compress.Codecs.Zstd} {
		for _, group := range []int{0, rows / 8} {
			path := cached(b, func(dir string) (string, error) {
				return orders.Ensure(dir, orders.Spec{Rows: rows, GroupLen: group, Codec: codec, Index: true})
			})
			for _, q := range []struct {
				name   string
				where  string
				cols   []string
				thread int
			}{
				{"full", "", nil, 0},
				{"full-1thread", "", nil, 1},
				{"numbers", "", []string{"order_id", "customer_id", "amount"}, 0},
				{"fortnight", orders.Fortnight, []string{"order_id", "customer_id", "amount"}, 0},
				{"fortnight-1thread", orders.Fortnight, []string{"order_id", "customer_id", "amount"}, 1},
				{"scattered", "customer_id < 1000", []string{"order_id", "comment"}, 0},
			} {
				b.Run(fmt.Sprintf("%v/groups=%d/%s", codec, max(1, rows/max(1, groupLen(group, rows))), q.name), func(b *testing.B) {
					scan(b, path, q.where, pare.Query{Select: q.cols, Threads: q.thread})
				})
			}
		}
	}
}

// BenchmarkNested reads structs, lists and maps in full and some rows of them.
func BenchmarkNested(b *testing.B) {
	rows := 1_000_000
	if testing.Short() {
		rows = 100_000
	}
	for _, codec := range []compress.Compression{compress.Codecs.Uncompressed, compress.Codecs.Zstd} {
		path := cached(b, func(dir string) (string, error) {
			return orders.EnsureNested(dir, orders.Nested{Rows: rows, GroupLen: rows / 5, Codec: codec})
		})
		middle := rowrange.Of(int64(rows/2), int64(rows/2+1000))
		for _, q := range []struct {
			name string
			q    pare.Query
		}{
			{"full", pare.Query{}},
			{"full-1thread", pare.Query{Threads: 1}},
			{"items", pare.Query{Select: []string{"items"}}},
			{"skus", pare.Query{Select: []string{"items.list.element.sku"}}},
			{"rows", pare.Query{Select: []string{"items"}, Rows: middle}},
		} {
			b.Run(fmt.Sprintf("%v/%s", codec, q.name), func(b *testing.B) { scan(b, path, "", q.q) })
		}
	}
}

func groupLen(group, rows int) int {
	if group == 0 {
		return rows
	}
	return group
}

func scan(b *testing.B, path, where string, q pare.Query) {
	if where != "" {
		var err error
		if q.Where, err = predicate.Parse(where); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	var rows, read, size int64
	for b.Loop() {
		f, err := pare.OpenFile(b.Context(), path, pare.Options{})
		if err != nil {
			b.Fatal(err)
		}
		s, err := f.Scan(b.Context(), q)
		if err != nil {
			b.Fatal(err)
		}
		for batch, err := range s.Batches() {
			if err != nil {
				b.Fatal(err)
			}
			batch.Release()
		}
		r := s.Receipt()
		rows, read, size = rows+r.Rows.Total, read+r.Bytes.Total, r.Bytes.File
		f.Close()
	}
	b.SetBytes(size)
	b.ReportMetric(float64(rows)/b.Elapsed().Seconds()/1e6, "Mrows/s")
	b.ReportMetric(float64(read)/float64(b.N)/1e6, "read-MB")
}
