package ndvbench

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	parquetgo "github.com/parquet-go/parquet-go"

	"github.com/parequet/pare/oracle/property/engines"
)

// Table is a suite's columns, with their true numbers of distinct values.
type Table struct {
	Kinds  []Kind
	Batch  arrow.RecordBatch
	Truth  []int64
	Values [][]any // by column, then by row
}

// Make fills n rows of each kind.
func Make(kinds []Kind, n int, seed uint64) *Table {
	t := &Table{Kinds: kinds}
	fields := make([]arrow.Field, len(kinds))
	cols := make([]arrow.Array, len(kinds))
	for k, kind := range kinds {
		r := rand.New(rand.NewPCG(seed, uint64(k)))
		gen := kind.Gen(r, n)
		values := make([]any, n)
		seen := map[any]bool{}
		b := array.NewBuilder(memory.DefaultAllocator, kind.Type)
		nulls := false
		for i := range values {
			v := gen(i)
			values[i] = v
			if v == nil {
				nulls = true
			} else {
				seen[key(v)] = true
			}
			appendTo(b, v)
		}
		cols[k] = b.NewArray()
		fields[k] = arrow.Field{Name: fmt.Sprintf("c%02d", k), Type: kind.Type, Nullable: nulls}
		t.Truth = append(t.Truth, int64(len(seen)))
		t.Values = append(t.Values, values)
	}
	t.Batch = array.NewRecordBatch(arrow.NewSchema(fields, nil), cols, int64(n))
	return t
}

// Slice is the rows [from, to) of a table, without their truth.
func (t *Table) Slice(from, to int) *Table {
	out := &Table{Kinds: t.Kinds, Batch: t.Batch.NewSlice(int64(from), int64(to))}
	for _, v := range t.Values {
		out.Values = append(out.Values, v[from:to])
	}
	return out
}

// Distinct counts the values of a column in the rows that are kept.
func (t *Table) Distinct(column int, keep func(row int) bool) int64 {
	seen := map[any]bool{}
	for i, v := range t.Values[column] {
		if v != nil && keep(i) {
			seen[key(v)] = true
		}
	}
	return int64(len(seen))
}

// key is equal for values that are one to SQL.
func key(v any) any {
	switch x := v.(type) {
	case []byte:
		return string(x)
	case float32:
		if x != x {
			return "NaN" // which is no key of a map
		}
	case float64:
		if x != x {
			return "NaN"
		}
	}
	return v
}

func appendTo(b array.Builder, v any) {
	if v == nil {
		b.AppendNull()
		return
	}
	switch b := b.(type) {
	case *array.Int64Builder:
		b.Append(v.(int64))
	case *array.Int32Builder:
		b.Append(v.(int32))
	case *array.Float64Builder:
		b.Append(v.(float64))
	case *array.Float32Builder:
		b.Append(v.(float32))
	case *array.StringBuilder:
		b.Append(v.(string))
	case *array.BooleanBuilder:
		b.Append(v.(bool))
	case *array.Date32Builder:
		b.Append(arrow.Date32(v.(int32)))
	case *array.TimestampBuilder:
		b.Append(arrow.Timestamp(v.(int64)))
	case *array.FixedSizeBinaryBuilder:
		b.Append(v.([]byte))
	default:
		panic(fmt.Sprintf("no builder for %T", b))
	}
}

// Config is how a table is written.
type Config struct {
	Writer string // arrow-go, parquet-go or DuckDB
	Codec  string // snappy, zstd, gzip, brotli, lz4 or uncompressed
	Groups int    // row groups
	V2     bool
	Bloom  bool
	Tiny   int // bytes of a page, if not 0; dictionaries are then given up early, too
}

func (c Config) String() string {
	s := fmt.Sprintf("%s, %s, %d row groups", c.Writer, c.Codec, c.Groups)
	if c.V2 {
		s += ", V2"
	}
	if c.Tiny > 0 {
		s += fmt.Sprintf(", pages of %d bytes", c.Tiny)
	}
	if c.Bloom {
		s += ", Bloom filters"
	}
	return s
}

// Configs are the layouts that every table is written in.
func Configs() (out []Config) {
	for _, groups := range []int{1, 10, 50} {
		for i, codec := range []string{"snappy", "zstd", "uncompressed"} {
			out = append(out, Config{Writer: "arrow-go", Codec: codec, Groups: groups, V2: i == 1, Bloom: i == 0},
				Config{Writer: "parquet-go", Codec: codec, Groups: groups, V2: i != 1, Bloom: i == 1}, Config{Writer: "DuckDB", Codec: codec, Groups: groups, Bloom: true})
		}
	}
	return out
}

// Write writes the table and returns the file's bytes.
func (t *Table) Write(c Config) ([]byte, error) {
	groupRows := (int(t.Batch.NumRows()) + c.Groups - 1) / c.Groups
	switch c.Writer {
	case "arrow-go":
		return t.writeArrow(c, groupRows)
	case "parquet-go":
		return t.writeParquetGo(c, groupRows)
	}
	return t.writeDuckDB(c, groupRows)
}

func (t *Table) writeArrow(c Config, groupRows int) ([]byte, error) {
	codec := map[string]compress.Compression{"snappy": compress.Codecs.Snappy, "zstd": compress.Codecs.Zstd, "uncompressed": compress.Codecs.Uncompressed,
		"gzip": compress.Codecs.Gzip, "brotli": compress.Codecs.Brotli, "lz4": compress.Codecs.Lz4Raw}[c.Codec]
	options := []parquet.WriterProperty{parquet.WithCompression(codec), parquet.WithMaxRowGroupLength(int64(groupRows)), parquet.WithDictionaryDefault(true), parquet.WithStats(true)}
	if c.Tiny > 0 {
		options = append(options, parquet.WithDataPageSize(int64(c.Tiny)), parquet.WithBatchSize(int64(1+c.Tiny/8)), parquet.WithPageIndexEnabled(true),
			parquet.WithDictionaryPageSizeLimit(int64(20*c.Tiny)))
	}
	if c.V2 {
		options = append(options, parquet.WithDataPageVersion(parquet.DataPageV2))
	}
	if c.Bloom {
		options = append(options, parquet.WithBloomFilterEnabled(true))
	}
	var buf bytes.Buffer
	w, err := pqarrow.NewFileWriter(t.Batch.Schema(), &buf, parquet.NewWriterProperties(options...), pqarrow.DefaultWriterProps())
	if err != nil {
		return nil, err
	}
	for from := 0; from < int(t.Batch.NumRows()); from += groupRows {
		part := t.Batch.NewSlice(int64(from), min(int64(from+groupRows), t.Batch.NumRows()))
		if err := w.Write(part); err != nil {
			return nil, err
		}
		part.Release()
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

func (t *Table) writeParquetGo(c Config, groupRows int) ([]byte, error) {
	group := parquetgo.Group{}
	var filters []parquetgo.BloomFilterColumn
	for k, f := range t.Batch.Schema().Fields() {
		node := goNode(f.Type)
		if f.Type.ID() != arrow.BOOL {
			node = parquetgo.Encoded(node, &parquetgo.RLEDictionary)
		}
		if f.Nullable {
			node = parquetgo.Optional(node)
		}
		group[f.Name] = node
		if c.Bloom && t.Kinds[k].Type.ID() != arrow.BOOL {
			filters = append(filters, parquetgo.SplitBlockFilter(10, f.Name))
		}
	}
	options := []parquetgo.WriterOption{parquetgo.NewSchema("t", group), parquetgo.MaxRowsPerRowGroup(int64(groupRows)), parquetgo.DataPageStatistics(true)}
	switch c.Codec {
	case "snappy":
		options = append(options, parquetgo.Compression(&parquetgo.Snappy))
	case "zstd":
		options = append(options, parquetgo.Compression(&parquetgo.Zstd))
	case "gzip":
		options = append(options, parquetgo.Compression(&parquetgo.Gzip))
	case "brotli":
		options = append(options, parquetgo.Compression(&parquetgo.Brotli))
	case "lz4":
		options = append(options, parquetgo.Compression(&parquetgo.Lz4Raw))
	}
	if c.Tiny > 0 {
		options = append(options, parquetgo.PageBufferSize(c.Tiny))
	}
	version := 1
	if c.V2 {
		version = 2
	}
	options = append(options, parquetgo.DataPageVersion(version))
	if filters != nil {
		options = append(options, parquetgo.BloomFilters(filters...))
	}
	var buf bytes.Buffer
	w := parquetgo.NewGenericWriter[any](&buf, options...)
	const batch = 1000
	rows := make([]parquetgo.Row, 0, batch)
	for i := range int(t.Batch.NumRows()) {
		row := make(parquetgo.Row, len(t.Values))
		for k := range t.Values {
			level := 0
			v := t.Values[k][i]
			if t.Batch.Schema().Field(k).Nullable && v != nil {
				level = 1
			}
			value := parquetgo.ValueOf(v)
			if raw, ok := v.([]byte); ok {
				value = parquetgo.FixedLenByteArrayValue(raw)
			}
			row[k] = value.Level(0, level, k)
		}
		if rows = append(rows, row); len(rows) == batch || i+1 == int(t.Batch.NumRows()) {
			if _, err := w.WriteRows(rows); err != nil {
				return nil, err
			}
			rows = rows[:0]
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

func goNode(t arrow.DataType) parquetgo.Node {
	switch t.ID() {
	case arrow.INT64:
		return parquetgo.Int(64)
	case arrow.INT32:
		return parquetgo.Int(32)
	case arrow.FLOAT64:
		return parquetgo.Leaf(parquetgo.DoubleType)
	case arrow.FLOAT32:
		return parquetgo.Leaf(parquetgo.FloatType)
	case arrow.STRING:
		return parquetgo.String()
	case arrow.BOOL:
		return parquetgo.Leaf(parquetgo.BooleanType)
	case arrow.DATE32:
		return parquetgo.Date()
	case arrow.TIMESTAMP:
		return parquetgo.Timestamp(parquetgo.Microsecond)
	}
	return parquetgo.Leaf(parquetgo.FixedLenByteArrayType(16))
}

// writeDuckDB lets DuckDB read a file of arrow-go's and write its own.
func (t *Table) writeDuckDB(c Config, groupRows int) ([]byte, error) {
	dir, err := os.MkdirTemp("", "ndvbench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	plain, err := t.writeArrow(Config{Codec: "uncompressed"}, int(t.Batch.NumRows()))
	if err != nil {
		return nil, err
	}
	from, to := filepath.Join(dir, "from.parquet"), filepath.Join(dir, "to.parquet")
	if err := os.WriteFile(from, plain, 0o600); err != nil {
		return nil, err
	}
	db, err := engines.OpenDuckDB()
	if err != nil {
		return nil, err
	}
	defer db.Close()
	_, err = db.Exec(fmt.Sprintf("SET threads=1; COPY (SELECT * FROM read_parquet(%s)) TO %s (FORMAT parquet, CODEC '%s', ROW_GROUP_SIZE %d)",
		engines.QuoteText(from), engines.QuoteText(to), c.Codec, groupRows))
	if err != nil {
		return nil, err
	}
	return os.ReadFile(to)
}
