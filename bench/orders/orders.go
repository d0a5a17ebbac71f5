// Package orders writes large, deterministic Parquet files of orders for
// benchmarks: a year of orders, rising in time.
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

// Spec says which file to write.
type Spec struct {
	Rows     int
	GroupLen int // rows of a row group; 0 means one row group
	Codec    compress.Compression
	Index    bool // with a page index
}

// Name names the spec's file.
func (s Spec) Name() string {
	return fmt.Sprintf("orders-%d-%d-%v-index=%v.parquet", s.Rows, s.groupLen(), s.Codec, s.Index)
}

func (s Spec) groupLen() int {
	if s.GroupLen == 0 {
		return s.Rows
	}
	return s.GroupLen
}

// Fortnight is the question that is asked of the files: 14 days of 366.
const Fortnight = "order_date >= DATE '2024-03-01' AND order_date < DATE '2024-03-15'"

// firstDay is 2024-01-01 in days since 1970.
const firstDay = 19723

var statuses = []string{"shipped", "delivered", "returned", "cancelled", "pending", "lost"}

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
	path := filepath.Join(dir, s.Name())
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	tmp, err := os.CreateTemp(dir, ".orders-*")
	if err != nil {
		return "", err
	}
	defer os.Remove(tmp.Name())
	if err := Write(tmp, s); err != nil {
		return "", err
	}
	return path, os.Rename(tmp.Name(), path)
}

// Write writes the spec's file and closes w.
func Write(w io.WriteCloser, s Spec) error {
	props := parquet.NewWriterProperties(
		parquet.WithCompression(s.Codec),
		parquet.WithDataPageSize(64<<10),
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
	rng := rand.New(rand.NewPCG(1, 2))
	for from := 0; from < s.Rows; from += batch {
		rec := rows(rng, from, min(from+batch, s.Rows), s.Rows)
		err := fw.WriteBuffered(rec)
		rec.Release()
		if err != nil {
			return err
		}
	}
	return fw.Close()
}

// rows makes the orders [from, to) of total.
func rows(rng *rand.Rand, from, to, total int) arrow.RecordBatch {
	b := array.NewRecordBuilder(memory.DefaultAllocator, Schema)
	defer b.Release()
	words := []string{"please", "ring", "the", "bell", "leave", "parcel", "with", "neighbour", "no", "invoice", "gift", "wrap"}
	for i := from; i < to; i++ {
		b.Field(0).(*array.Int64Builder).Append(int64(i + 1))
		b.Field(1).(*array.Int64Builder).Append(rng.Int64N(1_000_000))
		b.Field(2).(*array.Date32Builder).Append(arrow.Date32(firstDay + i*366/total))
		b.Field(3).(*array.Float64Builder).Append(float64(rng.Int64N(50_000)) / 100)
		b.Field(4).(*array.StringBuilder).Append(statuses[min(rng.IntN(20)/3, 5)])
		comment := words[rng.IntN(len(words))]
		for range rng.IntN(6) {
			comment += " " + words[rng.IntN(len(words))]
		}
		b.Field(5).(*array.StringBuilder).Append(comment)
	}
	return b.NewRecordBatch()
}
