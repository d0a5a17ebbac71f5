package bench

import (
	"bytes"
	"testing"

	"github.com/apache/arrow-go/v18/parquet/file"
	parquetgo "github.com/parquet-go/parquet-go"

	"github.com/parequet/pare"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/source"
)

// BenchmarkWideFooter opens a file of 10,000 columns and 100 row groups, and plans a
// query of three of them; beside opening it with other readers.
func BenchmarkWideFooter(b *testing.B) {
	columns, groups := 10_000, 100
	if testing.Short() {
		columns, groups = 50, 50
	}
	data := wideFile(b, columns, groups)
	n, err := metadata.FooterLength(data[len(data)-metadata.TailLength:], int64(len(data)))
	if err != nil {
		b.Fatal(err)
	}
	where, err := predicate.Parse("c0007 = 3 AND c0020 > 5")
	if err != nil {
		b.Fatal(err)
	}
	query := pare.Query{Select: []string{"c0001"}, Where: where}
	for _, c := range []struct {
		name string
		run  func(b *testing.B) error
	}{
		{"pare, three columns planned", func(b *testing.B) error {
			f, err := pare.Open(b.Context(), source.Memory(data), pare.Options{Tail: n + metadata.TailLength})
			if err == nil {
				_, err = f.Plan(b.Context(), query)
			}
			return err
		}},
		{"arrow-go, opened", func(b *testing.B) error {
			_, err := file.NewParquetReader(bytes.NewReader(data))
			return err
		}},
		{"parquet-go, opened", func(b *testing.B) error {
			_, err := parquetgo.OpenFile(bytes.NewReader(data), int64(len(data)), parquetgo.SkipPageIndex(true), parquetgo.SkipBloomFilters(true))
			return err
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := c.run(b); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(n)/1e6, "MB/footer")
		})
	}
}
