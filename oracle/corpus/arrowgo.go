package corpus

import (
	"bytes"
	"context"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// ReadArrowGo reads a file with arrow-go, column by column.
func ReadArrowGo(path string, data []byte) *Reading {
	return bounded(path, func(ctx context.Context) *Reading { return readArrowGo(ctx, data) })
}

func readArrowGo(ctx context.Context, data []byte) *Reading {
	f, err := file.NewParquetReader(bytes.NewReader(data))
	if err != nil {
		return &Reading{Err: err}
	}
	defer f.Close()
	r := &Reading{Rows: f.NumRows()}
	arrows, err := pqarrow.NewFileReader(f, pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
	if err != nil {
		r.Err = err
		return r
	}
	root := f.MetaData().Schema.Root()
	for i := range root.NumFields() {
		n, ok := root.Field(i).(*schema.PrimitiveNode)
		if !ok || n.RepetitionType() == parquet.Repetitions.Repeated {
			r.Nested++
		}
		c := Column{At: i, Name: root.Field(i).Name()}
		int96 := ok && n.RepetitionType() != parquet.Repetitions.Repeated && n.PhysicalType() == parquet.Types.Int96
		c.Err = recovered(func() error { return c.readArrowGo(ctx, arrows, int96) })
		r.Columns = append(r.Columns, c)
	}
	return r
}

// readArrowGo reads the top-level field c.At.
func (c *Column) readArrowGo(ctx context.Context, f *pqarrow.FileReader, int96 bool) error {
	const batch = 4 << 10
	column, err := f.GetColumn(ctx, c.At)
	if err != nil {
		return err
	}
	defer column.Release()
	for {
		if err := ctx.Err(); err != nil {
			return errTime
		}
		chunked, err := column.NextBatch(batch)
		if err != nil {
			return err
		}
		if chunked == nil || chunked.Len() == 0 {
			break
		}
		for _, a := range chunked.Chunks() {
			if int96 {
				err = c.appendInt96(a)
			} else {
				err = c.appendArray(a)
			}
			if err != nil {
				return err
			}
		}
		chunked.Release()
		if len(c.Values) > MaxRows {
			return errRows
		}
	}
	if c.Kind == "" { // no batch came
		c.Kind = Null
	}
	return nil
}

// appendInt96 appends INT96 timestamps, which arrow-go converts to
// nanoseconds, in the microseconds that pare and DuckDB make of them.
func (c *Column) appendInt96(a arrow.Array) error {
	ts, ok := a.(*array.Timestamp)
	if !ok || ts.DataType().(*arrow.TimestampType).Unit != arrow.Nanosecond {
		return fmt.Errorf("INT96 is %v", a.DataType())
	}
	c.Kind = Timestamp
	for i := range ts.Len() {
		if ts.IsNull(i) {
			c.Values = append(c.Values, "")
			continue
		}
		nanos := int64(ts.Value(i))
		micros := nanos / 1000
		if nanos%1000 < 0 {
			micros--
		}
		c.Values = append(c.Values, unitText(micros, 1e6))
	}
	return nil
}
