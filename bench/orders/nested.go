package orders

import (
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
)

// Nested is a table of orders in structs, lists and maps. A row's values depend
// on its number alone.
//
// arrow-go lets pages begin where records do if it writes a page index, as here,
// though they are V1 pages. Nothing of the benchmark relies on that.
type Nested struct {
	Rows     int
	GroupLen int
	Codec    compress.Compression
}

// NestedSchema: nulls and empty lists are wherever they may be.
var NestedSchema = arrow.NewSchema([]arrow.Field{
	{Name: "id", Type: arrow.PrimitiveTypes.Int64},
	{Name: "customer", Nullable: true, Type: arrow.StructOf(
		arrow.Field{Name: "name", Type: arrow.BinaryTypes.String},
		arrow.Field{Name: "address", Nullable: true, Type: arrow.StructOf(
			arrow.Field{Name: "city", Type: arrow.BinaryTypes.String},
			arrow.Field{Name: "zip", Type: arrow.PrimitiveTypes.Int32},
		)},
	)},
	{Name: "items", Nullable: true, Type: arrow.ListOfNonNullable(arrow.StructOf(
		arrow.Field{Name: "sku", Type: arrow.BinaryTypes.String},
		arrow.Field{Name: "qty", Nullable: true, Type: arrow.PrimitiveTypes.Int32},
		arrow.Field{Name: "price", Type: arrow.PrimitiveTypes.Float64},
	))},
	{Name: "tags", Nullable: true, Type: arrow.ListOf(arrow.BinaryTypes.String)},
	{Name: "attrs", Nullable: true, Type: arrow.MapOf(arrow.BinaryTypes.String, arrow.BinaryTypes.String)},
}, nil)

// EnsureNested writes the table into dir unless it is there, and returns its path.
func EnsureNested(dir string, s Nested) (string, error) {
	name := fmt.Sprintf("nested1-%d-%d-%v.parquet", s.Rows, s.GroupLen, s.Codec)
	return ensure(filepath.Join(dir, name), s.write)
}

func (s Nested) write(w io.WriteCloser) error {
	props := parquet.NewWriterProperties(
		parquet.WithCompression(s.Codec),
		parquet.WithDataPageSize(64<<10),
		parquet.WithMaxRowGroupLength(int64(s.GroupLen)),
		parquet.WithDictionaryDefault(false),
		parquet.WithDictionaryFor("customer.address.city", true),
		parquet.WithDictionaryFor("tags.list.element", true),
		parquet.WithDictionaryFor("attrs.key_value.key", true),
		parquet.WithPageIndexEnabled(true),
		parquet.WithStats(true),
	)
	fw, err := pqarrow.NewFileWriter(NestedSchema, w, props, pqarrow.DefaultWriterProps())
	if err != nil {
		return err
	}
	// A batch does not cross a row group, so that the writer need not slice it.
	const batch = 20_000
	for from := 0; from < s.Rows; {
		to := min(from+batch, s.Rows, (from/s.GroupLen+1)*s.GroupLen)
		rec := nestedRows(from, to)
		err := fw.WriteBuffered(rec)
		rec.Release()
		if err != nil {
			return err
		}
		from = to
	}
	return fw.Close()
}

// nestedRows makes the rows [from, to).
func nestedRows(from, to int) arrow.RecordBatch {
	b := array.NewRecordBuilder(memory.DefaultAllocator, NestedSchema)
	defer b.Release()
	id := b.Field(0).(*array.Int64Builder)
	customer := b.Field(1).(*array.StructBuilder)
	items := b.Field(2).(*array.ListBuilder)
	tags := b.Field(3).(*array.ListBuilder)
	attrs := b.Field(4).(*array.MapBuilder)
	pcg := rand.NewPCG(0, 0)
	rng := rand.New(pcg)
	for i := from; i < to; i++ {
		pcg.Seed(uint64(i), 2)
		id.Append(int64(i + 1))
		appendCustomer(customer, rng)
		appendItems(items, rng)
		appendTags(tags, rng)
		appendAttrs(attrs, rng)
	}
	return b.NewRecordBatch()
}

// oneIn is true once in n times.
func oneIn(rng *rand.Rand, n int) bool { return rng.IntN(n) == 0 }

func appendCustomer(b *array.StructBuilder, rng *rand.Rand) {
	if oneIn(rng, 10) {
		b.AppendNull()
		return
	}
	b.Append(true)
	b.FieldBuilder(0).(*array.StringBuilder).Append(syllables(rng, 2+rng.IntN(2)) + " " + syllables(rng, 2+rng.IntN(4)))
	address := b.FieldBuilder(1).(*array.StructBuilder)
	if oneIn(rng, 5) {
		address.AppendNull()
		return
	}
	address.Append(true)
	city := rng.IntN(400)
	address.FieldBuilder(0).(*array.StringBuilder).Append(words[city%len(words)] + "ville " + strconv.Itoa(city))
	address.FieldBuilder(1).(*array.Int32Builder).Append(int32(10_000 + city*200 + rng.IntN(200)))
}

// appendItems appends 0 to 10 items of a catalogue; an article always has the
// same price.
func appendItems(b *array.ListBuilder, rng *rand.Rand) {
	if oneIn(rng, 30) {
		b.AppendNull()
		return
	}
	b.Append(true)
	item := b.ValueBuilder().(*array.StructBuilder)
	for range rng.IntN(11) {
		article := rng.IntN(100_000)
		item.Append(true)
		item.FieldBuilder(0).(*array.StringBuilder).Append(fmt.Sprintf("SKU-%d-%c", article, 'A'+rune(article%7)))
		if qty := item.FieldBuilder(1).(*array.Int32Builder); oneIn(rng, 12) {
			qty.AppendNull()
		} else {
			qty.Append(int32(1 + rng.IntN(1+rng.IntN(12))))
		}
		item.FieldBuilder(2).(*array.Float64Builder).Append(float64(article*7919%20_000) / 100)
	}
}

func appendTags(b *array.ListBuilder, rng *rand.Rand) {
	if oneIn(rng, 20) {
		b.AppendNull()
		return
	}
	b.Append(true)
	tag := b.ValueBuilder().(*array.StringBuilder)
	for range rng.IntN(5) {
		if oneIn(rng, 15) {
			tag.AppendNull()
			continue
		}
		tag.Append(words[rng.IntN(len(words))] + "-" + words[rng.IntN(4)])
	}
}

// appendAttrs appends entries of different keys; a value may be null.
func appendAttrs(b *array.MapBuilder, rng *rand.Rand) {
	if oneIn(rng, 50) {
		b.AppendNull()
		return
	}
	b.Append(true)
	first := rng.IntN(20)
	for k := range rng.IntN(5) {
		b.KeyBuilder().(*array.StringBuilder).Append("key" + strconv.Itoa(first+k))
		if value := b.ItemBuilder().(*array.StringBuilder); oneIn(rng, 20) {
			value.AppendNull()
		} else {
			value.Append(syllables(rng, 1+rng.IntN(6)))
		}
	}
}

// syllables makes a name.
func syllables(rng *rand.Rand, n int) string {
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	b := make([]byte, 0, 2*n)
	for range n {
		b = append(b, consonants[rng.IntN(len(consonants))], vowels[rng.IntN(len(vowels))])
	}
	return string(b)
}
