package pare_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/parequet/pare"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/plan"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/report"
)

// TestDictionariesAnswerAlone: no data page is read where no value of any
// dictionary passes, whatever the test is.
func TestDictionariesAnswerAlone(t *testing.T) {
	calls := 0
	none := predicate.Col("status").Func("none", func(v metadata.Value) bool {
		calls++
		return bytes.HasPrefix(v.Bytes, []byte("lost"))
	})
	for _, name := range []string{bloomPaged, bloomSorted} {
		f, _ := openCounted(t, name, exact)
		groups := len(f.Metadata().RowGroups)
		for _, where := range []any{"status = 'lost'", "status LIKE '%lost%'", "status IN ('lost', 'found')", "status > 'delivered' AND status < 'ended'", "NOT (status NOT LIKE 'lo%t')", none} {
			x, isExpr := where.(predicate.Expr)
			if !isExpr {
				x, _ = predicate.Parse(where.(string))
			}
			for _, skip := range []plan.Stages{plan.Bloom, plan.Bloom | plan.PageIndex, plan.Bloom | plan.Statistics} {
				f, src := openCounted(t, name, exact)
				p, err := f.Plan(t.Context(), pare.Query{Where: x, Skip: skip})
				if err != nil {
					t.Fatal(err)
				}
				rows, r := collect(t, p, src)
				if len(rows) != 0 || r.Bytes.Data != 0 || r.Pages.Read != 0 || r.Bytes.Bloom != 0 || r.RowGroups.Pruned.Dictionary != groups || r.Rows.Decoded != 0 {
					t.Errorf("%s, WHERE %v, skip %d: %d rows, bytes %+v, row groups %+v", name, x, skip, len(rows), r.Bytes, r.RowGroups)
				}
				if want := dictionaryBytes(t, name, "status"); r.Bytes.Dictionary != want {
					t.Errorf("%s, WHERE %v: %d bytes of dictionaries, there are %d", name, x, r.Bytes.Dictionary, want)
				}
			}
		}
	}
	if want := 3*5 + 3*10*5; calls != want {
		t.Errorf("the function was called %d times, the dictionaries have %d values", calls, want)
	}
}

// dictionaryBytes adds up the dictionary pages of a column.
func dictionaryBytes(t testing.TB, name, column string) (n int64) {
	t.Helper()
	f, _ := openCounted(t, name, pare.Options{})
	col, _ := f.Metadata().Schema.Lookup(column)
	for _, g := range f.Metadata().RowGroups {
		c, err := g.Chunk(col)
		if err != nil {
			t.Fatal(err)
		}
		n += c.DataPageOffset - c.DictionaryOffset
	}
	return n
}

// TestDictionariesAreReadOnce: evidence is not fetched again with the data, be
// the pages located or not, and be the column returned or not.
func TestDictionariesAreReadOnce(t *testing.T) {
	for _, name := range []string{bloomPaged, bloomSorted, ordersPaged, "cmd/pare/orders/orders-shuffled.parquet"} {
		for _, sel := range [][]string{{"order_id"}, {"status"}, {"note", "status", "customer_id"}, {}} {
			for _, where := range []string{"status LIKE '%end%'", "status LIKE '%e%'", "status LIKE '%end%' OR order_id = 4"} {
				rows, r := scanWhere(t, name, exact, where, pare.Query{Select: sel, Skip: plan.Bloom})
				if len(rows) == 0 || r.Bytes.Dictionary < dictionaryBytes(t, name, "status") {
					t.Errorf("%s, WHERE %s: %d rows, bytes %+v", name, where, len(rows), r.Bytes)
				}
				reads := slices.Clone(r.Reads)
				slices.SortFunc(reads, func(a, b report.Read) int { return int(a.Offset - b.Offset) })
				for i := range reads[1:] {
					if end := reads[i].Offset + reads[i].Length; reads[i+1].Offset < end {
						t.Errorf("%s, WHERE %s, SELECT %v: %+v is read again by %+v", name, where, sel, reads[i], reads[i+1])
					}
				}
			}
		}
	}
}

// TestDictionariesSayAlways: where every value passes and none is NULL no
// page of the filter column is read.
func TestDictionariesSayAlways(t *testing.T) {
	for _, name := range []string{bloomPaged, bloomSorted} {
		rows, r := scanWhere(t, name, exact, "status LIKE '%e%'  OR status LIKE 'r%'", pare.Query{Select: []string{"order_id"}, Skip: plan.Bloom})
		if len(rows) != 20_000 || r.RowGroups.Always != r.RowGroups.Total {
			t.Errorf("%s: %d rows, row groups %+v", name, len(rows), r.RowGroups)
		}
		for _, c := range r.Columns {
			if c.Name == "status" && c.PagesRead > 0 {
				t.Errorf("%s: %d pages of status were read", name, c.PagesRead)
			}
		}
	}
}

// wordColumn is a column of words by dictionary, long enough to be worth evidence.
func wordColumn(optional bool, unused ...string) kindColumn {
	p := kindPage{dict: true}
	for i := range 4000 {
		p.values = append(p.values, txt(fmt.Sprintf("word %d", i%50)))
	}
	c := kindColumn{name: "c", typ: metadata.ByteArray, element: asString, compare: bytewise, optional: optional, groups: [][]kindPage{{p}}}
	for _, u := range unused {
		c.unused = append(c.unused, txt(u))
	}
	return c
}

// TestDictionaryEntriesThatNoRowUses prove nothing, NULLs are in no dictionary.
func TestDictionaryEntriesThatNoRowUses(t *testing.T) {
	all := upTo(0, 4000)
	file(wordColumn(false, "extra")).check(t, rowsWhere("c LIKE '%tra%'"), rowsWhere("c LIKE '%ord%'", all...), rowsWhere("c LIKE '%t_a%'"), rowsWhere("c NOT LIKE '%tra%'", all...))
	nulls := wordColumn(true, "extra")
	nulls.groups[0][0] = nulls.groups[0][0].nulls(1)
	file(nulls).check(t, rowsWhere("c LIKE '%ord%'", all...), rowsWhere("c LIKE '%x%' OR c IS NULL", 4000), rowsWhere("NOT (c LIKE '%nosuch%')", all...), rowsWhere("c NOT LIKE '%ord%'").reads(1),
		rowsWhere("c = 'word 5x' OR c IS NULL", 4000), rowsWhere("c LIKE '%nosuch%'").reads(0))
	unknown := nulls
	unknown.stats = func(_ int, s *metadata.Statistics) { s.NullCount = nil }
	file(unknown).check(t, rowsWhere("c LIKE '%'", all...), rowsWhere("c IS NOT NULL", all...), rowsOf(predicate.Col("c").Func("any", func(metadata.Value) bool { return true }), all...))
}

// TestDictionaryWhereTheBloomFilterIsTooDear: a filter that is not asked does
// not keep the dictionary from being asked.
func TestDictionaryWhereTheBloomFilterIsTooDear(t *testing.T) {
	c := wordColumn(false)
	c.noIndex, c.bloom = true, 64<<10
	var absent []any
	for i := range 3000 {
		absent = append(absent, fmt.Sprintf("word 1%d and more", i))
	}
	data := file(c).bytes()
	x := predicate.Col("c").In(absent...)
	for _, skip := range []plan.Stages{plan.Bloom, 0} {
		_, r, err := rowNumbers(t, data, exact, pare.Query{Where: x, Skip: skip})
		if err != nil || r.RowGroups.Pruned.Dictionary != 1 || r.Bytes.Bloom > 0 {
			t.Errorf("skip %d: row groups %+v, bytes %+v, %v%s", skip, r.RowGroups, r.Bytes, err, prunedBy(r))
		}
	}
}

// TestBloomWithoutALengthKeepsToItsPrice: what a header says is in the filter
// is not fetched if that costs more than the row group.
func TestBloomWithoutALengthKeepsToItsPrice(t *testing.T) {
	c := wordColumn(false)
	c.noIndex, c.bloom = true, 256<<10
	c.filter = func(_ int, b []byte) ([]byte, int32) { return b, 0 }
	var points []any
	for i := range 5000 {
		points = append(points, fmt.Sprintf("word 1%d and more", i))
	}
	data := file(c).bytes()
	f, _ := openBytes(t, "crafted", data, exact)
	k, err := f.Metadata().RowGroups[0].Chunk(f.Metadata().Schema.Columns[0])
	if err != nil {
		t.Fatal(err)
	}
	_, r, err := rowNumbers(t, data, exact, pare.Query{Where: predicate.Col("c").In(points...)})
	if err != nil || r.Bytes.Bloom > 10*k.Pages.Length { // decoding them costs something, too
		t.Errorf("%d bytes of a filter were read to spare %d of pages, %v", r.Bytes.Bloom, k.Pages.Length, err)
	}
}

// TestDamagedDictionaries are an error of the data, never other rows.
func TestDamagedDictionaries(t *testing.T) {
	c := wordColumn(false)
	data := file(c).bytes()
	header := appendPage(nil, metadata.DictionaryPage, metadata.Plain, 50, nil, nil)
	if !bytes.Equal(data[4:6], header[:2]) {
		t.Fatal("the dictionary page is elsewhere")
	}
	// The header's count is the last but few bytes: 50 zigzag is 100.
	at := bytes.IndexByte(data[4:40], 100) + 4
	for _, n := range []byte{2, 40, 98, 102, 120} { // 1, 20, 49, 51 and 60 values
		m := bytes.Clone(data)
		m[at] = n
		for _, where := range []string{"c = 'word 49'", "c LIKE '%d 49'", "c LIKE '%nosuch%'"} {
			x, _ := predicate.Parse(where)
			full, _, fullErr := rowNumbers(t, m, exact, pare.Query{Where: x, Skip: plan.AllStages})
			rows, r, err := rowNumbers(t, m, exact, pare.Query{Where: x})
			if err == nil && fmt.Sprint(rows) != fmt.Sprint(full) || err == nil && fullErr != nil && where != "c LIKE '%nosuch%'" {
				t.Errorf("%d entries are announced, %s: %d rows, a full read finds %d, %v%s", n/2, where, len(rows), len(full), fullErr, prunedBy(r))
			}
		}
	}
}
