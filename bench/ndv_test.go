package bench

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"

	"github.com/parequet/pare"
	"github.com/parequet/pare/ndv"
	"github.com/parequet/pare/source"
)

// wideFile is a file of so many columns of integers, and row groups of 20 rows.
func wideFile(b *testing.B, columns, groups int) []byte {
	b.Helper()
	const rows = 20
	fields, cols := make([]arrow.Field, columns), make([]arrow.Array, columns)
	for c := range columns {
		fields[c] = arrow.Field{Name: fmt.Sprintf("c%04d", c), Type: arrow.PrimitiveTypes.Int64}
		v := array.NewInt64Builder(memory.DefaultAllocator)
		for i := range rows {
			v.Append(int64(i * c % 17))
		}
		cols[c] = v.NewArray()
	}
	schema := arrow.NewSchema(fields, nil)
	batch := array.NewRecordBatch(schema, cols, rows)
	var buf bytes.Buffer
	w, err := pqarrow.NewFileWriter(schema, &buf, parquet.NewWriterProperties(parquet.WithDictionaryDefault(true)), pqarrow.DefaultWriterProps())
	if err != nil {
		b.Fatal(err)
	}
	for range groups {
		if err := w.Write(batch); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	return buf.Bytes()
}

// BenchmarkNDVOfWideFooter estimates all columns of a file from its footer
// alone, beside walking the metadata of all its chunks.
func BenchmarkNDVOfWideFooter(b *testing.B) {
	columns, groups := 1000, 1000
	if testing.Short() {
		columns, groups = 50, 50
	}
	f, err := pare.Open(b.Context(), source.Memory(wideFile(b, columns, groups)), pare.Options{})
	if err != nil {
		b.Fatal(err)
	}
	chunks := float64(columns * groups)
	b.Run("walk", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for _, g := range f.Metadata().RowGroups {
				for _, col := range f.Metadata().Schema.Columns {
					if _, err := g.Chunk(col); err != nil {
						b.Fatal(err)
					}
				}
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/chunks, "ns/chunk")
	})
	b.Run("estimate", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			batch := make([]ndv.Column, 16)
			for cols := range slices.Chunk(f.Metadata().Schema.Columns, len(batch)) {
				for k := range batch {
					batch[k].Chunks = batch[k].Chunks[:0]
				}
				if err := ndv.AppendParquet(batch, f.Metadata(), cols); err != nil {
					b.Fatal(err)
				}
				for _, c := range batch[:len(cols)] {
					ndv.Estimate(c)
				}
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/chunks, "ns/chunk")
	})
}
