package ndvbench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/parequet/pare"
	"github.com/parequet/pare/ndv"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/source"
)

func open(t testing.TB, data []byte) *pare.File {
	t.Helper()
	f, err := pare.Open(t.Context(), source.Memory(data), pare.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// holds checks an answer against the truth.
func holds(t testing.TB, what string, a ndv.Answer, truth int64) {
	t.Helper()
	if truth < a.Lo || truth > a.Hi || a.Estimate < a.Lo || a.Estimate > a.Hi {
		t.Errorf("%s: %d distinct values, not in %d…%d (%v; %v), estimate %d (%s)", what, truth, a.Lo, a.Hi, a.LoOn, a.HiOn, a.Estimate, a.Route)
	}
}

// TestIntervalsOfTables: a table in several files of one writer, in different
// layouts, at every tier, and the exact count beside it.
func TestIntervalsOfTables(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 99))
	for done := 0; done < *columns; done += 20 {
		n := 5 + r.IntN([]int{10, 300, 1000, 8000}[r.IntN(4)])
		table := Make(Random(r, 20), n, r.Uint64())
		writer := []string{"arrow-go", "parquet-go", "arrow-go", "parquet-go", "DuckDB"}[r.IntN(5)]
		var files []*pare.File
		parts := min(n, 1+r.IntN(5))
		for i := range parts {
			from, to := n*i/parts, n*(i+1)/parts
			c := Config{Writer: writer, Codec: []string{"snappy", "zstd", "uncompressed"}[r.IntN(3)], Groups: 1 + r.IntN(1+(to-from)/8), V2: r.IntN(2) == 0}
			if c.Groups = min(c.Groups, 20); writer != "DuckDB" && r.IntN(2) == 0 {
				c.Tiny = 16 + r.IntN(400)
			}
			data, err := table.Slice(from, to).Write(c)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, open(t, data))
		}
		for tier := ndv.T0; tier <= ndv.T4; tier++ {
			res, err := pare.NDV(t.Context(), files, pare.NDVOptions{Tier: tier, Exact: tier == ndv.T0})
			if err != nil {
				t.Fatal(err)
			}
			for k, a := range res.Answers {
				what := fmt.Sprintf("%s, %d rows in %d files by %s, %v", table.Kinds[k].Name, n, parts, writer, tier)
				holds(t, what, a.Answer, table.Truth[k])
				if tier == ndv.T0 && *a.Exact != table.Truth[k] {
					t.Errorf("%s: counted %d, there are %d", what, *a.Exact, table.Truth[k])
				}
			}
		}
	}
}

// TestIntervalsOfPlans: of the rows that match a condition, on the column itself
// or on another.
func TestIntervalsOfPlans(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	for done := 0; done < *columns; done += 20 {
		n := 5 + r.IntN([]int{10, 300, 1000, 4000}[r.IntN(4)])
		kinds := Random(r, 20)
		kinds[0] = Kind{"a key", i64, func(r *rand.Rand, _ int) func(int) any { return func(i int) any { return int64(i/3 + r.IntN(5)) } }}
		table := Make(kinds, n, r.Uint64())
		configs := Configs()
		c := configs[r.IntN(len(configs))]
		c.Groups, c.Bloom, c.Tiny = min(c.Groups, 1+n/8), c.Bloom && c.Writer != "arrow-go", 16+r.IntN(400)
		data, err := table.Write(c)
		if err != nil {
			t.Fatal(err)
		}
		f := open(t, data)
		for range 4 {
			a := int64(r.IntN(n/3 + 2))
			b := a + int64(r.IntN(n/3+2))
			text := fmt.Sprintf("c00 >= %d AND c00 < %d", a, b)
			keep := func(i int) bool { v := table.Values[0][i].(int64); return v >= a && v < b }
			if r.IntN(2) == 0 {
				text = fmt.Sprintf("c00 IN (%d, %d) OR c00 > %d", a, a+1, b)
				keep = func(i int) bool { v := table.Values[0][i].(int64); return v == a || v == a+1 || v > b }
			}
			where, err := predicate.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			p, err := f.Plan(t.Context(), pare.Query{Where: where, Select: []string{"c00"}})
			if err != nil {
				t.Fatal(err)
			}
			for k, col := range f.Metadata().Schema.Columns {
				answers, err := p.NDV(col.Name)
				if err != nil {
					t.Fatal(err)
				}
				holds(t, fmt.Sprintf("%s WHERE %s, %d rows (%v)", kinds[k].Name, text, n, c), answers[0], table.Distinct(k, keep))
			}
		}
	}
}

// TestNaNInRowGroupsApart: NaN lies in no range, so that row groups whose ranges
// are apart may share it.
func TestNaNInRowGroupsApart(t *testing.T) {
	values := []any{1.0, 2.0, math.NaN(), 5.0, 6.0, math.NaN(), 8.0, 9.0, math.NaN()}
	table := Make([]Kind{{"x", f64, func(*rand.Rand, int) func(int) any { return func(i int) any { return values[i/100] } }}}, 900, 1)
	data, err := table.Write(Config{Writer: "arrow-go", Codec: "snappy", Groups: 3})
	if err != nil {
		t.Fatal(err)
	}
	holdsAtEveryTier(t, data, 7)
	r, err := open(t, data).NDV(t.Context(), pare.NDVOptions{Tier: ndv.T3})
	if err != nil || !r.Answers[0].Answer.Exact() {
		t.Errorf("dictionaries do not settle it: %+v, %v", r, err)
	}
}

// holdsAtEveryTier checks the only column of a file.
func holdsAtEveryTier(t *testing.T, data []byte, truth int64) {
	t.Helper()
	for tier := ndv.T0; tier <= ndv.T4; tier++ {
		r, err := open(t, data).NDV(t.Context(), pare.NDVOptions{Tier: tier})
		if err != nil {
			t.Fatal(err)
		}
		holds(t, tier.String(), r.Answers[0].Answer, truth)
	}
}

// TestCategories: a dictionary is written whole in every row group, whichever
// of its entries are used there.
func TestCategories(t *testing.T) {
	typ := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: text}
	labels := array.NewStringBuilder(memory.DefaultAllocator)
	for i := range 20 {
		labels.Append(fmt.Sprintf("category %02d", i))
	}
	indices := array.NewInt32Builder(memory.DefaultAllocator)
	for i := range 180 {
		indices.Append([][]int32{{0, 1, 0}, {5, 6, 7}, {8, 9, 8}}[i/60][i%3])
	}
	column := array.NewDictionaryArray(typ, indices.NewArray(), labels.NewArray())
	table := &Table{Batch: array.NewRecordBatch(arrow.NewSchema([]arrow.Field{{Name: "c", Type: typ}}, nil), []arrow.Array{column}, 180)}
	data, err := table.Write(Config{Writer: "arrow-go", Codec: "snappy", Groups: 3})
	if err != nil {
		t.Fatal(err)
	}
	holdsAtEveryTier(t, data, 7)
}
