package column

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/predicate"
)

var benchColumns = []struct {
	name       string
	s          spec
	dictionary bool
}{
	{"int64", spec{typ: metadata.Int64}, false}, {"int64 optional", spec{typ: metadata.Int64, optional: true}, false},
	{"int64 dictionary", spec{typ: metadata.Int64}, true}, {"binary", spec{typ: metadata.ByteArray}, false},
	{"binary dictionary optional", spec{typ: metadata.ByteArray, optional: true}, true},
}

const benchPage, benchPages = 8192, 16

func benchReader(b *testing.B, s spec, dictionary bool) (*Reader, *Vector, int64) {
	rows := make([]int, benchPages)
	for i := range rows {
		rows[i] = benchPage
	}
	c := craft(b, rand.New(rand.NewPCG(1, 1)), s, rows, dictionary)
	r, err := NewReader(c.chunk, c.pages, c.dict, Options{MaxPageBytes: 1 << 30})
	if err != nil {
		b.Fatal(err)
	}
	return r, NewVector(c.chunk.Column), c.rows()
}

// BenchmarkReaderFull reads every row in windows of 4,096.
func BenchmarkReaderFull(b *testing.B) {
	for _, c := range benchColumns {
		b.Run(c.name, func(b *testing.B) {
			r, v, rows := benchReader(b, c.s, c.dictionary)
			for b.Loop() {
				for from := int64(0); from < rows; from += 4096 {
					v.Reset()
					if err := r.Append(v, from, from+4096); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(rows)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrows/s")
		})
	}
}

// BenchmarkReaderSparse reads four rows of every hundred.
func BenchmarkReaderSparse(b *testing.B) {
	for _, c := range benchColumns {
		b.Run(c.name, func(b *testing.B) {
			r, v, rows := benchReader(b, c.s, c.dictionary)
			for b.Loop() {
				v.Reset()
				for from := int64(0); from+4 <= rows; from += 100 {
					if err := r.Append(v, from, from+4); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(rows)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrows/s")
		})
	}
}

// BenchmarkFilter tests a window of rows.
func BenchmarkFilter(b *testing.B) {
	const rows = 4096
	schema := schemaOf(b, spec{name: "i64", typ: metadata.Int64, optional: true}, spec{name: "u16", typ: metadata.Int32, converted: 12},
		spec{name: "f64", typ: metadata.Double}, spec{name: "text", typ: metadata.ByteArray, logical: 1})
	r := rand.New(rand.NewPCG(1, 1))
	vectors := map[*metadata.Column]*Vector{}
	for _, col := range schema.Columns {
		values := make([][]byte, rows)
		for i := range values {
			if col.MaxDef == 0 || r.IntN(5) > 0 {
				values[i] = randomValue(r, col)
			}
		}
		vectors[col] = vectorOf(col, values)
	}
	for _, where := range []string{"i64 BETWEEN 0 AND 1000000000000", "i64 IN (1, 3, 5, 7, 9, 11, 13)", "u16 < 1000", "f64 > 0", "text >= 'm'",
		"text LIKE '%x%'", "i64 > 0 AND f64 > 0"} {
		b.Run(where, func(b *testing.B) {
			x, err := predicate.Parse(where)
			if err != nil {
				b.Fatal(err)
			}
			bound, err := predicate.Bind(x, schema)
			if err != nil {
				b.Fatal(fmt.Errorf("%s: %w", where, err))
			}
			mask := make([]byte, rows)
			for b.Loop() {
				filterTree(bound.Root, mask, func(c *metadata.Column) *Vector { return vectors[c] })
			}
			b.ReportMetric(rows*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrows/s")
		})
	}
}
