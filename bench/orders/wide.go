package orders

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
)

// Wide is a table of many int64 columns, c0, c1, …, and many row groups of few
// rows: its footer is as large as its data.
type Wide struct{ Columns, Groups, GroupLen int }

// EnsureWide writes the table into dir unless it is there, and returns its path.
func EnsureWide(dir string, s Wide) (string, error) {
	name := fmt.Sprintf("wide-%d-%d-%d.parquet", s.Columns, s.Groups, s.GroupLen)
	return ensure(filepath.Join(dir, name), s.write)
}

func (s Wide) write(w io.WriteCloser) error {
	fields := make([]arrow.Field, s.Columns)
	for i := range fields {
		fields[i] = arrow.Field{Name: fmt.Sprintf("c%d", i), Type: arrow.PrimitiveTypes.Int64}
	}
	schema := arrow.NewSchema(fields, nil)
	props := parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Snappy), parquet.WithDictionaryDefault(false),
		parquet.WithStats(true), parquet.WithMaxRowGroupLength(int64(s.GroupLen)))
	fw, err := pqarrow.NewFileWriter(schema, w, props, pqarrow.DefaultWriterProps())
	if err != nil {
		return err
	}
	for g := range s.Groups {
		b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
		for c := range fields {
			f := b.Field(c).(*array.Int64Builder)
			for r := range s.GroupLen {
				f.Append(int64(c)<<20 + int64(g*s.GroupLen+r))
			}
		}
		rec := b.NewRecordBatch()
		err := fw.Write(rec)
		rec.Release()
		b.Release()
		if err != nil {
			return err
		}
	}
	return fw.Close()
}
