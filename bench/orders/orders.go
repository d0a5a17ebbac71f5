// Package orders writes large, deterministic Parquet files for benchmarks: a
// year of orders, rising in time or shuffled, and a table of many columns.
package orders

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
)

// Spec says which file of orders to write. An order's values depend on its
// number alone, so that files of the same rows hold the same orders in any
// layout.
type Spec struct {
	Rows     int
	GroupLen int // rows of a row group; 0 means one row group
	PageSize int // bytes of a data page; 0 means 64 KiB
	Codec    compress.Compression
	Index    bool // with a page index
	Shuffled bool // in no order, instead of rising in time
}

// Name names the spec's file.
func (s Spec) Name() string {
	layout := "sorted"
	if s.Shuffled {
		layout = "shuffled"
	}
	return fmt.Sprintf("orders2-%s-%d-%d-%d-%v-index=%v.parquet", layout, s.Rows, s.groupLen(), s.pageSize(), s.Codec, s.Index)
}

func (s Spec) groupLen() int {
	if s.GroupLen == 0 {
		return s.Rows
	}
	return s.GroupLen
}

func (s Spec) pageSize() int {
	if s.PageSize == 0 {
		return 64 << 10
	}
	return s.PageSize
}

// The question that is asked of the files: 14 days of 366.
const (
	Fortnight     = "order_date >= DATE '2024-03-01' AND order_date < DATE '2024-03-15'"
	FortnightFrom = FirstDay + 60
	FortnightTo   = FortnightFrom + 14
)

// FirstDay is 2024-01-01 in days since 1970.
const FirstDay = 19723

var (
	statuses = []string{"shipped", "delivered", "returned", "cancelled", "pending", "lost"}
	words    = []string{"please", "ring", "the", "bell", "leave", "parcel", "with", "neighbour", "no", "invoice", "gift", "wrap"}
)

// Schema: all columns are required.
var Schema = arrow.NewSchema([]arrow.Field{
	{Name: "order_id", Type: arrow.PrimitiveTypes.Int64},
	{Name: "customer_id", Type: arrow.PrimitiveTypes.Int64},
	{Name: "order_date", Type: arrow.FixedWidthTypes.Date32},
	{Name: "amount", Type: arrow.PrimitiveTypes.Float64},
	{Name: "status", Type: arrow.BinaryTypes.String},
	{Name: "comment", Type: arrow.BinaryTypes.String},
}, nil)

// Ensure writes the spec's file into dir unless it is there, and returns its path.
func Ensure(dir string, s Spec) (string, error) {
	return ensure(filepath.Join(dir, s.Name()), func(w io.WriteCloser) error { return Write(w, s) })
}

// ensure writes a file beside its path and renames it, unless it is there.
func ensure(path string, write func(io.WriteCloser) error) (string, error) {
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".writing-*")
	if err != nil {
		return "", err
	}
	defer os.Remove(tmp.Name())
	if err := write(tmp); err != nil {
		return "", err
	}
	return path, os.Rename(tmp.Name(), path)
}

// Write writes the spec's file and closes w.
func Write(w io.WriteCloser, s Spec) error {
	props := parquet.NewWriterProperties(
		parquet.WithCompression(s.Codec),
		parquet.WithDataPageSize(int64(s.pageSize())),
		parquet.WithMaxRowGroupLength(int64(s.groupLen())),
		parquet.WithDictionaryDefault(false),
		parquet.WithDictionaryFor("order_date", true),
		parquet.WithDictionaryFor("status", true),
		parquet.WithPageIndexEnabled(s.Index),
		parquet.WithStats(true),
	)
	fw, err := pqarrow.NewFileWriter(Schema, w, props, pqarrow.DefaultWriterProps())
	if err != nil {
		return err
	}
	const batch = 64 << 10
	for from := 0; from < s.Rows; from += batch {
		rec := s.rows(from, min(from+batch, s.Rows))
		err := fw.WriteBuffered(rec)
		rec.Release()
		if err != nil {
			return err
		}
	}
	return fw.Close()
}

// order is the number of the order in row i: i itself, or a permutation of it
// by a factor that has no divisor in common with any number of rows used here.
func (s Spec) order(i int) int {
	if !s.Shuffled {
		return i
	}
	return int(uint64(i) * 7_368_787 % uint64(s.Rows))
}

// rows makes the orders of rows [from, to).
func (s Spec) rows(from, to int) arrow.RecordBatch {
	b := array.NewRecordBuilder(memory.DefaultAllocator, Schema)
	defer b.Release()
	pcg := rand.NewPCG(0, 0)
	rng := rand.New(pcg)
	comment := []byte(nil)
	for row := from; row < to; row++ {
		i := s.order(row)
		pcg.Seed(uint64(i), 1)
		b.Field(0).(*array.Int64Builder).Append(int64(i + 1))
		b.Field(1).(*array.Int64Builder).Append(rng.Int64N(1_000_000))
		b.Field(2).(*array.Date32Builder).Append(arrow.Date32(FirstDay + i*366/s.Rows))
		b.Field(3).(*array.Float64Builder).Append(float64(rng.Int64N(50_000)) / 100)
		b.Field(4).(*array.StringBuilder).Append(statuses[min(rng.IntN(20)/3, 5)])
		comment = append(comment[:0], words[rng.IntN(len(words))]...)
		for range rng.IntN(6) {
			comment = append(append(comment, ' '), words[rng.IntN(len(words))]...)
		}
		b.Field(5).(*array.StringBuilder).BinaryBuilder.Append(comment)
	}
	return b.NewRecordBatch()
}
