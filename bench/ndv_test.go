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

	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/ndv"
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

// BenchmarkNDVOfWideFooter parses a footer and estimates all of its columns,
// beside parsing it and walking the metadata of all its chunks.
func BenchmarkNDVOfWideFooter(b *testing.B) {
	columns, groups := 1000, 1000
	if testing.Short() {
		columns, groups = 50, 50
	}
	data := wideFile(b, columns, groups)
	size := int64(len(data))
	n, err := metadata.FooterLength(data[size-metadata.TailLength:], size)
	if err != nil {
		b.Fatal(err)
	}
	footer := bytes.Clone(data[size-metadata.TailLength-n : size-metadata.TailLength])
	data = nil
	run := func(name string, f func(m *metadata.File) error) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				m, err := metadata.ParseFooter(footer, size)
				if err == nil {
					err = f(m)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(columns*groups), "ns/chunk")
		})
	}
	run("parse", func(*metadata.File) error { return nil })
	run("walk", func(m *metadata.File) error {
		for _, g := range m.RowGroups {
			for _, col := range m.Schema.Columns {
				if _, err := g.Chunk(col); err != nil {
					return err
				}
			}
		}
		return nil
	})
	run("estimate", func(m *metadata.File) error {
		batch := make([]ndv.Column, 16)
		for cols := range slices.Chunk(m.Schema.Columns, len(batch)) {
			for k := range batch {
				batch[k].Chunks = batch[k].Chunks[:0]
			}
			if err := ndv.AppendParquet(batch, m, cols); err != nil {
				return err
			}
			for _, c := range batch[:len(cols)] {
				ndv.Estimate(c)
			}
		}
		return nil
	})
}
