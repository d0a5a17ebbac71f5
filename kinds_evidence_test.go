package pare_test

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/cespare/xxhash/v2"

	"github.com/parequet/pare"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/plan"
	"github.com/parequet/pare/predicate"
)

// The kinds of faults around Bloom filters, dictionaries and trees of
// conditions, and of reading more than is needed.

// odds is a column of odd numbers from lo on, long enough that evidence is
// worth its price.
func odds(name string, los ...int32) kindColumn {
	c := kindColumn{name: name, typ: metadata.Int32, compare: byInt32, bloom: 2048, noIndex: true}
	for _, lo := range los {
		var p kindPage
		for i := range int32(500) {
			p.values = append(p.values, i32(lo+2*i+1))
		}
		c.groups = append(c.groups, []kindPage{p})
	}
	return c
}

// TestKindBloomEncoding: values are hashed as they are stored.
func TestKindBloomEncoding(t *testing.T) {
	// DECIMAL(4,2) in INT64, 2.00 in half of the rows.
	var p kindPage
	var want []int64
	for i := range int64(200) {
		p.values = append(p.values, i64(200+i%2*150))
		if i%2 == 0 {
			want = append(want, i)
		}
	}
	typed(metadata.Int64, asDecimal(4, 2), byInt64, p).checkCoded(t, rowsWhere("c = 2.00", want...), rowsWhere("c = 2", want...), rowsWhere("c = 3").reads(0))
	// Binary with bytes above 0x7f, all the same.
	blob := slices.Repeat([]byte{0xab}, 32)
	typed(metadata.ByteArray, nil, bytewise, kindPage{values: slices.Repeat([][]byte{blob}, 500)}).checkCoded(t, rowsOf(predicate.Col("c").Eq(blob), upTo(0, 500)...),
		rowsOf(predicate.Col("c").Func("ends", func(v metadata.Value) bool { return v.Bytes[31] == 0xab }), upTo(0, 500)...), rowsOf(predicate.Col("c").Eq(blob[:31])))
	for typ, v := range map[metadata.Type][]byte{metadata.Int32: i32(-88777), metadata.Int64: i64(-88777), metadata.Float: f32(-88777), metadata.Double: f64(-88777)} {
		typed(typ, nil, nil, kindPage{values: [][]byte{v}}).checkCoded(t, rowsWhere("c IN (9444, -88777, 22)", 0), rowsWhere("c = -88777", 0))
	}
	typed(metadata.ByteArray, asString, bytewise, each(txt, "ä\x80", "")).checkCoded(t, rowsWhere("c = ''", 1), rowsWhere("c IN ('ä\x80', 'x')", 0))
}

// TestKindBloomLength: the same answers with the filter's length and without,
// for small filters and large ones, by both rungs and requests.
func TestKindBloomLength(t *testing.T) {
	for name, length := range map[string]func(n int) int32{
		"given": func(n int) int32 { return int32(n) }, "absent": func(int) int32 { return 0 }, "too long": func(n int) int32 { return int32(n + 64) },
		"of the bitset only": func(int) int32 { return 2048 }, "too short": func(int) int32 { return 40 }, "negative": func(int) int32 { return -1 }, "huge": func(int) int32 { return 1<<31 - 1 },
	} {
		t.Run(name, func(t *testing.T) {
			c := odds("c", 0, 1)
			c.filter = func(_ int, b []byte) ([]byte, int32) { return b, length(len(b)) }
			read := 2 // a lying length makes the filter doubtful
			if name == "given" || name == "absent" || name == "negative" {
				read = 0
			}
			file(c).check(t, rowsWhere("c = 501", 250), rowsWhere("c = 500", 749), rowsWhere("c IN (501, 500)", 250, 749), rowsWhere("c = -5").reads(0))
			gap := c // values of one row group are absent from the other's bounds' inside
			gap.groups = gap.groups[:1]
			file(gap).check(t, rowsWhere("c = 500").reads(min(1, read)), rowsWhere("c IN (500, 502, 504)").reads(min(1, read)))
		})
	}
}

// TestKindBloomMalformed: a header whose size is not that of the filter.
func TestKindBloomMalformed(t *testing.T) {
	for name, n := range map[string]int{"1 MiB": 1 << 20, "a block less": 2016, "half": 1024, "none": 0, "negative": -32, "no blocks": 33, "of the file and more": 1<<31 - 32} {
		for _, given := range []bool{true, false} {
			c := odds("c", 0)
			c.filter = func(_ int, b []byte) ([]byte, int32) {
				b = append(bloomHeader(n), b[len(b)-2048:]...)
				if !given {
					return b, 0
				}
				return b, int32(len(b))
			}
			data := file(c).bytes()
			if !given && (n == 2016 || n == 1024) {
				continue // nothing tells that it is wrong
			}
			t.Run(name, func(t *testing.T) {
				checkKind(t, data, rowsWhere("c = 501", 250), rowsWhere("c IN (1, 999)", 0, 499))
			})
		}
	}
}

// TestKindBloomCorpus: filters of foreign files whose headers lie.
func TestKindBloomCorpus(t *testing.T) {
	for _, name := range []string{"bloom_filter_bad_numbytes", "bloom_filter_short_numbytes"} {
		checkPresent(t, corpusFile(t, "duckdb+duckdb/data/parquet-testing/"+name+".parquet"))
	}
	for _, name := range []string{"hardwood-hq+hardwood/core/src/test/resources/bloom_filter_signed_zero_test.parquet", "hardwood-hq+hardwood/core/src/test/resources/bloom_filter_test.parquet",
		"apache+parquet-testing/data/data_index_bloom_encoding_stats.parquet", "apache+parquet-testing/data/data_index_bloom_encoding_with_length.parquet", "hyparam+hyparquet/test/files/bloom_filter.parquet",
		"apache+impala/testdata/data/parquet-bloom-filtering.parquet", "hangxie+parquet-tools/testdata/bloom-filter.parquet"} {
		checkPresent(t, corpusFile(t, name))
	}
}

// checkPresent looks for some values that occur, at every set of rungs.
func checkPresent(t *testing.T, data []byte) {
	t.Helper()
	f, _ := openBytes(t, "corpus", data, pare.Options{})
	for _, col := range f.Metadata().Schema.Columns {
		if !col.Flat() || col.Order == metadata.OrderNone {
			continue
		}
		var values []metadata.Value
		n := 0
		keep := func(v metadata.Value) bool {
			if n++; n%(1+int(f.NumRows())/5) == 0 {
				v.Bytes = slices.Clone(v.Bytes)
				values = append(values, v)
			}
			return false
		}
		if _, _, err := rowNumbers(t, data, pare.Options{}, pare.Query{Select: []string{}, Where: predicate.Col(col.Name).Func("keep", keep), Skip: plan.AllStages, Threads: 1}); err != nil {
			t.Fatal(err)
		}
		for _, v := range values {
			x := predicate.Col(col.Name).Eq(goValue(col, v, 0))
			want, _, err := rowNumbers(t, data, pare.Options{}, pare.Query{Select: []string{}, Where: x, Skip: plan.AllStages})
			if err != nil || len(want) == 0 {
				t.Errorf("%s: %d rows, %v", x, len(want), err)
			}
			for _, skip := range []plan.Stages{0, plan.Dictionary | plan.Statistics | plan.PageIndex} {
				got, _, err := rowNumbers(t, data, exact, pare.Query{Select: []string{}, Where: x, Skip: skip})
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("%s, skip %d: %d rows, %d are right; %v", x, skip, len(got), len(want), err)
				}
			}
		}
	}
}

// TestKindBloomWriter: a filter without a single bit beside values is no
// filter, as an adaptive writer left it.
func TestKindBloomWriter(t *testing.T) {
	c := odds("c", 0)
	c.bloom = 32
	c.filter = func(_ int, b []byte) ([]byte, int32) {
		clear(b[len(b)-32:])
		return b, int32(len(b))
	}
	file(c).check(t, rowsWhere("c = 501", 250))
}

// TestKindBloomCache: each row group has its own filter.
func TestKindBloomCache(t *testing.T) {
	c := odds("c", 0, 1, 0)
	c.stats = func(_ int, s *metadata.Statistics) { s.MinValue, s.MaxValue = i32(0), i32(2000) }
	file(c).check(t, rowsWhere("c = 500", 749).reads(1), rowsWhere("c = 501", 250, 1250).reads(2), rowsWhere("c IN (500, 503)", 251, 749, 1251))
}

// TestKindOrLogic: what one rung says of one arm holds of that arm only.
func TestKindOrLogic(t *testing.T) {
	a, b := odds("a", 0), odds("b", 0)
	b.bloom, b.optional = 0, true
	b.groups[0][0].values[7] = nil
	f := file(a, b)
	f.check(t, rowsWhere("a = 500 OR a > 999").reads(0), rowsWhere("a = 500 OR b = 501", 250), rowsWhere("a = 501 OR b = 500", 250), rowsWhere("a = 500 AND b = 501").reads(0),
		rowsWhere("(a = 15 AND b IS NULL) OR a IN (500, 502)", 7), rowsWhere("(a = 500 AND b IS NULL) OR a IN (501, 502)", 250), rowsWhere("NOT (a <> 500 AND a <> 501)", 250), rowsWhere("a = 500 OR b IS NULL", 7),
		rowsWhere("a IN (500, 502) OR (b = 3 AND a = 3)", 1))
}

// TestKindDictFallback: only a chunk whose data pages all use the dictionary
// is judged by it, and each chunk on its own.
func TestKindDictFallback(t *testing.T) {
	coded, plain := each(i32, 1, 9, 1).coded(), each(i32, 5)
	base := numbers("c", coded, plain)
	base.noIndex = true
	for name, change := range map[string]func(c *kindColumn){
		"encoding_stats": func(*kindColumn) {},
		"no encoding_stats": func(c *kindColumn) {
			c.encodingStats = func(int, []metadata.PageEncodingStats) []metadata.PageEncodingStats { return nil }
			c.encodings = []metadata.Encoding{metadata.PlainDictionary, metadata.Plain, metadata.RLE}
		},
		"negative counts": func(c *kindColumn) {
			c.encodingStats = func(_ int, s []metadata.PageEncodingStats) []metadata.PageEncodingStats {
				s[2].Count, s[1].Count = -1, 3
				return s
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := base
			change(&c)
			file(c).check(t, rowsWhere("c = 5", 3), rowsWhere("c IN (5, 7)", 3), rowsWhere("NOT (c = 1 OR c = 9)", 3), rowsOf(predicate.Col("c").Func("five", func(v metadata.Value) bool { return v.Int == 5 }), 3))
		})
	}
	c := base
	c.groups = [][]kindPage{{each(i32, 1, 5, 9)}, {each(i32, 1, 9, 9).coded()}, {coded, plain}}
	is5 := rowsOf(predicate.Col("c").Func("five", func(v metadata.Value) bool { return v.Int == 5 }), 1, 9)
	file(c).check(t, is5.reads(2))
}

// TestKindINList: a list is compared with the dictionary's values, not with
// their places in it.
func TestKindINList(t *testing.T) {
	typed(metadata.ByteArray, asString, bytewise, each(txt, "c", "a", "b", "a")).checkCoded(t, rowsWhere("c IN ('a', 'b')", 1, 2, 3), rowsWhere("c NOT IN ('a', 'b')", 0), rowsWhere("c IN ('aa', 'bb')"))
	typed(metadata.Int32, nil, byInt32, each(i32, 2, 0, 1, 7)).checkCoded(t, rowsWhere("c IN (0, 1)", 1, 2), rowsWhere("c IN (3, 4)"))
}

// TestKindReadTooMuch: evidence is used wherever it is there.
func TestKindReadTooMuch(t *testing.T) {
	null := kindColumn{name: "c", typ: metadata.ByteArray, optional: true, noIndex: true, groups: [][]kindPage{{kindPage{}.nulls(100)}}}
	file(null).check(t, rowsWhere("c = 'x'").reads(0), rowsWhere("c IS NULL", upTo(0, 100)...), rowsWhere("c LIKE '%x%'").reads(0))

	a, b := odds("a", 0, 1, 0), odds("b", 5000, 7000, 9000)
	file(a, b).check(t, rowsWhere("b > 7000 AND a IN (3, 5)", 1001, 1002).reads(1), rowsWhere("a IN (500, 502)", 749, 750).reads(1), rowsWhere("b > 8000 AND (a = 500 OR a = 502)").reads(0))

	dates := odds("c", 0)
	dates.element = asDate
	file(dates).check(t, rowsWhere("c = DATE '1971-05-17'", 250), rowsWhere("c = DATE '1971-05-16'").reads(0), rowsWhere("c IN (DATE '1971-05-16', DATE '1971-05-18')").reads(0))

	var uuids, stamps, ids kindPage
	for i := range uint64(400) {
		uuids.values = append(uuids.values, append(i64(int64(xxhash.Sum64(i64(int64(i))))), i64(int64(i))...))
		stamps.values = append(stamps.values, i64(int64(i)*2_000_000))
		ids.values = append(ids.values, binary.LittleEndian.AppendUint64(nil, xxhash.Sum64(i64(int64(i)))))
	}
	u := typed(metadata.FixedLenByteArray, asUUID, bytewise, uuids)
	u.bloom = 1024
	file(u).check(t, rowsOf(predicate.Col("c").Eq(uuids.values[77]), 77), rowsOf(predicate.Col("c").Eq(slices.Repeat([]byte{0x77}, 16))).reads(0))
	s := typed(metadata.Int64, asTimestamp(true, 2), byInt64, stamps)
	s.bloom = 1024
	file(s).check(t, rowsWhere("c = TIMESTAMP '1970-01-01 00:00:20'", 10), rowsWhere("c = TIMESTAMP '1970-01-01 00:00:21'").reads(0))
	id := typed(metadata.Int64, nil, byInt64, ids)
	id.bloom = 1024
	file(id).check(t, rowsOf(predicate.Col("c").Eq(int64(binary.LittleEndian.Uint64(ids.values[5]))), 5), rowsWhere("c = 12345").reads(0))

	// An index that cannot change the answer is not read.
	full := numbers("c", span(i32, 0, 400), span(i32, 401, 800))
	full.optional = true
	for _, where := range []string{"c IS NOT NULL", "c >= 0", "c > 900"} {
		x, _ := predicate.Parse(where)
		if _, r, err := rowNumbers(t, file(full).bytes(), exact, pare.Query{Where: x}); err != nil || r.Bytes.Index > 0 {
			t.Errorf("%s: %d bytes of indexes, %v", where, r.Bytes.Index, err)
		}
	}
}
