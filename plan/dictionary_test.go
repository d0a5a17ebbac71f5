package plan_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/plan"
	"github.com/parequet/pare/rowrange"
)

// dictionaryQuery asks by the dictionary alone.
func (f *file) dictionaryQuery(t testing.TB, where string) *plan.Query {
	q := f.query(t, where)
	q.Skip = plan.AllStages &^ plan.Dictionary
	q.Model = plan.Model{Latency: 1e-9, Bandwidth: 1e15}
	return q
}

const (
	noStatus    = "status LIKE '%nosuch%'"
	someStatus  = "status LIKE '%ipp%'"
	everyStatus = "status LIKE '%e%' OR status LIKE '%d'"
)

// TestDictionaryDecides: never, maybe, always; the values are kept for reading.
func TestDictionaryDecides(t *testing.T) {
	f := openFile(t, orders+"paged.parquet")
	all := rowrange.All(20_000)
	for where, want := range map[string]struct{ may, must rowrange.Set }{
		noStatus: {nil, nil}, someStatus: {all, nil}, everyStatus: {all, all}, "status >= 'a'": {all, all}, "status < 'b'": {nil, nil},
		"NOT (" + noStatus + ")": {all, all}, noStatus + " OR order_id = 3": {all, nil}, everyStatus + " OR order_id = 3": {all, all}, noStatus + " AND order_id = 3": {nil, nil},
	} {
		groups, have, err := f.climbOver(t, f.dictionaryQuery(t, where), f.data, func([]*plan.Group) {})
		if err != nil {
			t.Fatal(err)
		}
		g := groups[0]
		checkGroup(t, g)
		if !g.May.Equal(want.may) || !g.Must.Equal(want.must) || len(g.Doubts) > 0 {
			t.Errorf("%s: may %v, must %v, doubts %v", where, g.May, g.Must, g.Doubts)
		}
		if len(have.asked) != 1 || have.asked[0].Piece.Kind != metadata.PieceDictionary {
			t.Errorf("%s asked for %v", where, have.asked)
		}
		c := chunkOf(t, g, "status")
		if c.Dictionary == nil || c.Dictionary.N != 5 || c.DataExtent().Offset != have.asked[0].End() || c.DataExtent().End() != c.Pages.End() {
			t.Errorf("%s: the dictionary is %v, the rest %v of %v", where, c.Dictionary, c.DataExtent(), c.Pages)
		}
	}
}

// TestDictionaryProof: what proves that all pages use the dictionary.
func TestDictionaryProof(t *testing.T) {
	stats := func(data ...metadata.PageEncodingStats) []metadata.PageEncodingStats {
		return append([]metadata.PageEncodingStats{{PageType: metadata.DictionaryPage, Encoding: metadata.Plain, Count: 1}}, data...)
	}
	coded := metadata.PageEncodingStats{PageType: metadata.DataPage, Encoding: metadata.RLEDictionary, Count: 20}
	old := metadata.PageEncodingStats{PageType: metadata.DataPageV2, Encoding: metadata.PlainDictionary, Count: 20}
	plain := func(n int32) metadata.PageEncodingStats {
		return metadata.PageEncodingStats{PageType: metadata.DataPage, Encoding: metadata.Plain, Count: n}
	}
	for name, c := range map[string]struct {
		stats     []metadata.PageEncodingStats
		encodings []metadata.Encoding
		writer    string
		asked     bool
	}{
		"encoding_stats":                      {stats(coded), nil, "", true},
		"both kinds of dictionary encoding":   {stats(coded, old), nil, "", true},
		"no plain page":                       {stats(coded, plain(0)), nil, "", true},
		"a plain page":                        {stats(coded, plain(1)), nil, "", false},
		"a plain V2 page":                     {stats(coded, metadata.PageEncodingStats{PageType: metadata.DataPageV2, Count: 1}), nil, "", false},
		"a delta page":                        {stats(coded, metadata.PageEncodingStats{Encoding: metadata.DeltaByteArray, Count: 1}), nil, "", false},
		"an unknown encoding":                 {stats(coded, metadata.PageEncodingStats{Encoding: 77, Count: 1}), nil, "", false},
		"minus a plain page":                  {stats(coded, plain(-1)), nil, "", false},
		"minus a coded page":                  {stats(coded, metadata.PageEncodingStats{Encoding: metadata.RLEDictionary, Count: -5}), nil, "", false},
		"no data page":                        {stats(), []metadata.Encoding{metadata.Plain, metadata.RLE, metadata.RLEDictionary}, "", false},
		"a sum of nothing":                    {stats(metadata.PageEncodingStats{Encoding: metadata.RLEDictionary, Count: 1}, metadata.PageEncodingStats{Encoding: metadata.RLEDictionary, Count: -1}), nil, "", false},
		"parquet-go, overwritten":             {stats(coded), []metadata.Encoding{metadata.Plain, metadata.RLE, metadata.RLEDictionary}, "github.com/parquet-go/parquet-go version 0.27.0(build )", false},
		"parquet-go without a version":        {stats(coded), []metadata.Encoding{metadata.Plain, metadata.RLE, metadata.RLEDictionary}, "github.com/parquet-go/parquet-go", false},
		"parquet-go, mended":                  {stats(coded), nil, "github.com/parquet-go/parquet-go version 0.32.0(build )", true},
		"segmentio":                           {stats(coded), []metadata.Encoding{metadata.Plain, metadata.RLE, metadata.RLEDictionary}, "github.com/segmentio/parquet-go version 0.0.0(build x)", false},
		"none, an old list":                   {nil, []metadata.Encoding{metadata.PlainDictionary, metadata.RLE, metadata.BitPacked}, "", true},
		"none, an old list with a fallback":   {nil, []metadata.Encoding{metadata.PlainDictionary, metadata.RLE, metadata.Plain}, "", false},
		"none, a new list":                    {nil, []metadata.Encoding{metadata.RLEDictionary, metadata.RLE, metadata.Plain}, "", false},
		"none, a new list without PLAIN":      {nil, []metadata.Encoding{metadata.RLEDictionary, metadata.RLE}, "", false},
		"none, only levels":                   {nil, []metadata.Encoding{metadata.RLE, metadata.BitPacked}, "", false},
		"none, no list":                       {nil, nil, "", false},
		"none, an old list by old parquet-go": {nil, []metadata.Encoding{metadata.PlainDictionary, metadata.RLE}, "github.com/parquet-go/parquet-go version 0.27.0(build )", true},
	} {
		f := openFile(t, orders+"paged.parquet")
		if c.writer != "" {
			f.meta.Writer = metadata.ParseWriter(c.writer)
		}
		groups, _, err := f.climbOver(t, f.dictionaryQuery(t, noStatus), f.data, func(gs []*plan.Group) {
			k := chunkOf(t, gs[0], "status")
			k.EncodingStats = c.stats
			if c.encodings != nil || c.stats == nil {
				k.Encodings = c.encodings
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		if s := stepOf(groups[0], "dictionary"); s.Asked != c.asked || !c.asked && s.Reason == "" || groups[0].May.Empty() != c.asked {
			t.Errorf("%s: asked %v, %q, doubts %v", name, s.Asked, s.Reason, groups[0].Doubts)
		}
	}
}

// TestDictionaryPlaceUnknown: nobody looks for a dictionary that the footer
// does not place, and nothing is said against it.
func TestDictionaryPlaceUnknown(t *testing.T) {
	for name, change := range map[string]func(c *plan.Chunk){
		"no offset":                 func(c *plan.Chunk) { c.DictionaryOffset = 0 },
		"a negative offset":         func(c *plan.Chunk) { c.DictionaryOffset = -c.DictionaryOffset },
		"the data's offset":         func(c *plan.Chunk) { c.DictionaryOffset = c.DataPageOffset },
		"the data at its offset":    func(c *plan.Chunk) { c.DataPageOffset = c.DictionaryOffset },
		"the data before it":        func(c *plan.Chunk) { c.DataPageOffset = c.DictionaryOffset - 10 },
		"the data behind the chunk": func(c *plan.Chunk) { c.DataPageOffset = c.Pages.End() + 10 },
		"elsewhere":                 func(c *plan.Chunk) { c.DictionaryOffset = 4 },
		"the data far away":         func(c *plan.Chunk) { c.DataPageOffset = 1<<63 - 1 },
	} {
		f := openFile(t, orders+"paged.parquet")
		q := f.dictionaryQuery(t, noStatus)
		q.Strict = true
		groups, have, err := f.climbOver(t, q, f.data, func(gs []*plan.Group) { change(chunkOf(t, gs[0], "status")) })
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if g := groups[0]; !g.May.Equal(rowrange.All(20_000)) || len(g.Doubts) > 0 || len(have.asked) > 0 || !strings.Contains(stepOf(g, "dictionary").Reason, "place") {
			t.Errorf("%s: may %v, doubts %v, asked for %v, steps %+v", name, g.May, g.Doubts, have.asked, g.Steps)
		}
	}
}

// dictionaryHeader crafts the header of a dictionary page.
func dictionaryHeader(typ, uncompressed, compressed, values, encoding int64) []byte {
	var b []byte
	for _, v := range []int64{typ, uncompressed, compressed} {
		b = zigzag(append(b, 0x15), v)
	}
	b = zigzag(append(b, 0x4c, 0x15), values)
	return append(zigzag(append(b, 0x15), encoding), 0, 0)
}

func zigzag(b []byte, v int64) []byte {
	for u := uint64(v<<1 ^ v>>63); ; u >>= 7 {
		if u < 0x80 {
			return append(b, byte(u))
		}
		b = append(b, byte(u)|0x80)
	}
}

// TestDictionaryPagesThatAreWrong are a doubt, not a failure, and prune
// nothing; under Strict they are an error.
func TestDictionaryPagesThatAreWrong(t *testing.T) {
	words := []byte("\x04\x00\x00\x00lost\x05\x00\x00\x00found")
	whole := int64(len(words))
	page := func(typ, uncompressed, compressed, values, encoding int64) []byte {
		return append(dictionaryHeader(typ, uncompressed, compressed, values, encoding), words...)
	}
	right := page(2, whole, whole, 2, 0)
	for name, c := range map[string]struct {
		page   []byte
		more   int64 // bytes that the footer leaves beyond the page
		prunes bool
	}{
		"right":                         {right, 0, true},
		"in the old encoding":           {page(2, whole, whole, 2, 2), 0, true},
		"a data page":                   {page(0, whole, whole, 2, 0), 0, false},
		"an index page":                 {page(1, whole, whole, 2, 0), 0, false},
		"no header":                     {bytes.Repeat([]byte{0xff}, len(right)), 0, false},
		"zeros":                         {make([]byte, len(right)), 0, false},
		"in RLE":                        {page(2, whole, whole, 2, 3), 0, false},
		"an entry more":                 {page(2, whole, whole, 3, 0), 0, false},
		"an entry fewer":                {page(2, whole, whole, 1, 0), 0, false},
		"no entry, yet bytes":           {page(2, whole, whole, 0, 0), 0, false},
		"minus an entry":                {page(2, whole, whole, -1, 0), 0, false},
		"billions of entries":           {page(2, whole, whole, 1<<31-1, 0), 0, false},
		"another size":                  {page(2, whole+1, whole, 2, 0), 0, false},
		"a negative size":               {page(2, whole, -whole, 2, 0), 0, false},
		"longer than its place":         {right, -1, false},
		"shorter than its place":        {right, 7, false},
		"much shorter than its place":   {right, 5000, false},
		"a string that ends behind it":  {append(slices.Clone(right[:len(right)-9]), "\x06\x00\x00\x00found"...), 0, false},
		"a string of a negative length": {append(slices.Clone(right[:len(right)-9]), "\xff\xff\xff\xfffound"...), 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			f := openFile(t, orders+"paged.parquet")
			data := bytes.Clone(f.data)
			change := func(gs []*plan.Group) {
				k := chunkOf(t, gs[0], "status")
				copy(data[k.Pages.Offset:], c.page)
				k.Codec = metadata.Uncompressed
				k.DataPageOffset = k.Pages.Offset + int64(len(c.page)) + c.more
			}
			groups, _, err := f.climbOver(t, f.dictionaryQuery(t, noStatus), data, change)
			if err != nil {
				t.Fatal(err)
			}
			g := groups[0]
			if g.May.Empty() != c.prunes || len(g.Doubts) > 0 == c.prunes {
				t.Errorf("may %v, doubts %v, steps %+v", g.May, g.Doubts, g.Steps)
			}
			for _, d := range g.Doubts {
				if d.What != "dictionary page" || d.Column != "status" || d.Why == "" || strings.ContainsAny(d.Why, "\n\x00") {
					t.Errorf("doubt %+v", d)
				}
			}
			if k := chunkOf(t, g, "status"); !c.prunes && k.DataExtent() != k.Pages {
				t.Errorf("only %v of %v is left to be read", k.DataExtent(), k.Pages)
			}
			q := f.dictionaryQuery(t, noStatus)
			q.Strict = true
			var fe *metadata.FormatError
			if _, _, err := f.climbOver(t, q, data, change); errors.As(err, &fe) == c.prunes || (err == nil) != c.prunes {
				t.Errorf("strict: %v", err)
			}
		})
	}
}

// TestDictionaryChecksums: a page whose checksum is another one proves nothing.
func TestDictionaryChecksums(t *testing.T) {
	f := openFile(t, "../testdata/fixtures/parquetgo-logical.parquet")
	for _, flip := range []bool{false, true} {
		data := bytes.Clone(f.data)
		q := f.dictionaryQuery(t, "enum LIKE '%nosuch%'")
		groups, have, err := f.climbOver(t, q, data, func(gs []*plan.Group) {
			for _, g := range gs {
				if k := chunkOf(t, g, "enum"); flip {
					data[k.DataPageOffset-1] ^= 1
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range groups {
			if g.May.Empty() == flip || len(g.Doubts) > 0 != flip {
				t.Errorf("flipped %v: may %v, doubts %v, asked for %v, steps %+v", flip, g.May, g.Doubts, have.asked, g.Steps)
			}
		}
	}
}

// TestDictionaryFlippedBytes: no byte of a dictionary page makes a plan fail
// or hang.
func TestDictionaryFlippedBytes(t *testing.T) {
	for _, name := range []string{orders + "paged.parquet", "../testdata/fixtures/arrow-numbers-v1.parquet", "../testdata/fixtures/codec-zstd.parquet"} {
		f := openFile(t, name)
		for _, col := range f.meta.Schema.Columns {
			texts := f.sample(t, col)
			if len(texts) == 0 {
				continue
			}
			where := fmt.Sprintf("%q IS NOT NULL AND (%q = %s OR %q > %s)", col.Name, col.Name, texts[0], col.Name, texts[0])
			q := f.dictionaryQuery(t, where)
			var place metadata.Extent
			if _, have, err := f.climbOver(t, q, f.data, func([]*plan.Group) {}); err != nil {
				t.Fatal(err)
			} else if len(have.asked) > 0 {
				place = have.asked[0]
			}
			data := bytes.Clone(f.data)
			step := max(1, place.Length/60)
			for at := place.Offset; at < place.End(); at += step {
				for _, x := range []byte{1, 0x80, 0xff} {
					data[at] ^= x
					if _, _, err := f.climbOver(t, f.dictionaryQuery(t, where), data, func([]*plan.Group) {}); err != nil {
						t.Errorf("%s, byte %d: %v", where, at, err)
					}
					data[at] ^= x
				}
			}
		}
	}
}

// TestDictionaryOfEmptyValues: billions of values of no bytes are no work.
func TestDictionaryOfEmptyValues(t *testing.T) {
	f := openFile(t, "../testdata/fixtures/arrow-bytes-v1.parquet")
	for _, col := range f.meta.Schema.Columns {
		if col.Type != metadata.FixedLenByteArray || col.Order != metadata.OrderBytes || col.Logical.Kind != 0 || !col.Flat() {
			continue
		}
		data := bytes.Clone(f.data)
		width := col.TypeLength
		defer func() { col.TypeLength = width }()
		q := f.dictionaryQuery(t, fmt.Sprintf("%q LIKE '%%nosuch%%'", col.Name))
		col.TypeLength = 0
		header := dictionaryHeader(2, 0, 0, 1<<24, 0) // a few more would take minutes
		groups, _, err := f.climbOver(t, q, data, func(gs []*plan.Group) {
			for _, g := range gs {
				k := chunkOf(t, g, col.Name)
				k.Codec = metadata.Uncompressed
				copy(data[k.Pages.Offset:], header)
				k.DictionaryOffset, k.DataPageOffset = k.Pages.Offset, k.Pages.Offset+int64(len(header))
				k.EncodingStats = []metadata.PageEncodingStats{{Encoding: metadata.RLEDictionary, Count: 1}}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range groups {
			if d := chunkOf(t, g, col.Name).Dictionary; d != nil && d.N > 1<<20 {
				t.Errorf("%s: a page of %d bytes is believed to hold %d values, doubts %v", col.Name, len(header), d.N, g.Doubts)
			}
		}
		return
	}
	t.Skip("no such column")
}
