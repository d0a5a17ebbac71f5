package pare_test

import (
	"context"
	"encoding/binary"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow/array"
	"pgregory.net/rapid"

	"github.com/parequet/pare"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/source"
)

// Faults that a reading of the nested readers found, each with the smallest file
// that shows it. nfFile writes such files element by element.

// nfEl is a schema element: a leaf if kids is 0.
type nfEl struct {
	name  string
	rep   metadata.Repetition
	typ   metadata.Type
	width int32
	kids  int
	more  func(w *thriftWriter)
}

// nfPage is a V1 page; a dictionary page if dict is set.
type nfPage struct {
	dict             bool
	n                int
	rep, def, values []byte
	enc              metadata.Encoding
}

type nfChunk struct {
	path   []string
	typ    metadata.Type
	codec  metadata.Codec
	values int64
	pages  []nfPage
}

func nfRun(n int, v byte) []byte { return append(binary.AppendUvarint(nil, uint64(n)<<1), v) }

func nfInts(vs ...int32) (out []byte) {
	for _, v := range vs {
		out = binary.LittleEndian.AppendUint32(out, uint32(v))
	}
	return out
}

func nfFile(els []nfEl, columns int, rows int64, chunks ...nfChunk) []byte {
	data := []byte("PAR1")
	var at [][3]int64 // dictionary, data, end
	for _, c := range chunks {
		var p [3]int64
		for _, g := range c.pages {
			var body []byte
			for _, l := range [][]byte{g.rep, g.def} {
				if l != nil {
					body = append(binary.LittleEndian.AppendUint32(body, uint32(len(l))), l...)
				}
			}
			body = append(body, g.values...)
			packed := compressed(c.codec, body)
			switch {
			case g.dict:
				p[0] = int64(len(data))
			case p[1] == 0:
				p[1] = int64(len(data))
			}
			data = append(append(data, thriftStruct(func(w *thriftWriter) {
				w.i32(1, map[bool]int32{true: int32(metadata.DictionaryPage), false: int32(metadata.DataPage)}[g.dict])
				w.i32(2, int32(len(body)))
				w.i32(3, int32(len(packed)))
				w.sub(map[bool]int16{true: 7, false: 5}[g.dict], func(w *thriftWriter) {
					w.i32(1, int32(g.n))
					w.i32(2, int32(g.enc))
					if !g.dict {
						w.i32(3, int32(metadata.RLE))
						w.i32(4, int32(metadata.RLE))
					}
				})
			})...), packed...)
		}
		p[2] = int64(len(data))
		at = append(at, p)
	}
	footer := thriftStruct(func(w *thriftWriter) {
		w.i32(1, 2)
		w.list(2, thriftSub, len(els)+1)
		w.elem(func(w *thriftWriter) { w.bytes(4, txt("schema")); w.i32(5, int32(columns)) })
		for _, e := range els {
			w.elem(func(w *thriftWriter) {
				if e.kids == 0 {
					w.i32(1, int32(e.typ))
					w.i32(2, e.width)
				}
				w.i32(3, int32(e.rep))
				w.bytes(4, txt(e.name))
				if e.kids > 0 {
					w.i32(5, int32(e.kids))
				}
				if e.more != nil {
					e.more(w)
				}
			})
		}
		w.i64(3, rows)
		w.list(4, thriftSub, 1)
		w.elem(func(w *thriftWriter) {
			w.list(1, thriftSub, len(chunks))
			for i, c := range chunks {
				p := at[i]
				start := p[1]
				if p[0] > 0 {
					start = p[0]
				}
				w.elem(func(w *thriftWriter) {
					w.i64(2, 0)
					w.sub(3, func(w *thriftWriter) {
						w.i32(1, int32(c.typ))
						w.list(2, thriftI32, 1)
						w.varint(0)
						w.list(3, thriftBinary, len(c.path))
						for _, s := range c.path {
							w.binary(txt(s))
						}
						w.i32(4, int32(c.codec))
						w.i64(5, c.values)
						w.i64(6, p[2]-start)
						w.i64(7, p[2]-start)
						w.i64(9, p[1])
						if p[0] > 0 {
							w.i64(11, p[0])
						}
					})
				})
			}
			w.i64(2, 1)
			w.i64(3, rows)
		})
	})
	data = append(data, footer...)
	return append(binary.LittleEndian.AppendUint32(data, uint32(len(footer))), "PAR1"...)
}

func nfAs(converted int32) func(w *thriftWriter) {
	return func(w *thriftWriter) { w.i32(6, converted) } // 3 LIST, 1 MAP
}

// nfList is l: LIST of an optional element.
func nfList(l metadata.Repetition, typ metadata.Type, width int32) []nfEl {
	return []nfEl{{name: "l", rep: l, kids: 1, more: nfAs(3)}, {name: "list", rep: metadata.Repeated, kids: 1},
		{name: "element", rep: metadata.Optional, typ: typ, width: width}}
}

var nfPath = []string{"l", "list", "element"}

func nfOpen(t *testing.T, data []byte) *pare.File {
	f, err := pare.Open(t.Context(), source.Memory(data), pare.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestNestedFaultMapOfUnknownKeys: a map whose keys are all NULL by their type is no Arrow map.
func TestNestedFaultMapOfUnknownKeys(t *testing.T) {
	unknown := func(w *thriftWriter) { w.sub(10, func(w *thriftWriter) { w.sub(11, nil) }) }
	els := []nfEl{{name: "m", rep: metadata.Optional, kids: 1, more: nfAs(1)}, {name: "kv", rep: metadata.Repeated, kids: 2},
		{name: "key", rep: metadata.Required, typ: metadata.Int32, more: unknown}, {name: "value", rep: metadata.Optional, typ: metadata.Int32}}
	data := nfFile(els, 1, 1,
		nfChunk{path: []string{"m", "kv", "key"}, typ: metadata.Int32, values: 1, pages: []nfPage{{n: 1, rep: nfRun(1, 0), def: nfRun(1, 2), values: nfInts(1)}}},
		nfChunk{path: []string{"m", "kv", "value"}, typ: metadata.Int32, values: 1, pages: []nfPage{{n: 1, rep: nfRun(1, 0), def: nfRun(1, 3), values: nfInts(1)}}})
	if err := scanHostile(data, pare.Query{Threads: 1}); err != nil {
		t.Error(err)
	}
}

// TestNestedFaultWideElements: more than a row may have is refused before it is made.
func TestNestedFaultWideElements(t *testing.T) {
	for _, c := range []struct{ width, n int }{{1 << 20, 4096}, {512 << 10, 4096}} {
		rep := slices.Concat(nfRun(1, 0), nfRun(c.n-1, 1))
		data := nfFile(nfList(metadata.Required, metadata.FixedLenByteArray, int32(c.width)), 1, 1, nfChunk{path: nfPath, typ: metadata.FixedLenByteArray, codec: metadata.Zstd, values: int64(c.n),
			pages: []nfPage{{dict: true, n: 1, values: make([]byte, c.width)}, {n: c.n, rep: rep, def: nfRun(c.n, 2), enc: metadata.RLEDictionary, values: append([]byte{1}, nfRun(c.n, 0)...)}}})
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := scanHostile(data, pare.Query{BatchBytes: 1 << 20})
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; err != nil || got > 64<<20 {
			t.Errorf("%d elements of %d bytes: %d bytes were allocated to read a file of %d; %v", c.n, c.width, got, len(data), err)
		}
	}
}

// TestNestedFaultPresenceEnds: whether a list is NULL is found out under the caller's context, however many
// levels it has.
func TestNestedFaultPresenceEnds(t *testing.T) {
	const n = 1<<31 - 1
	pages := []nfPage{{n: n, rep: slices.Concat(nfRun(1, 0), nfRun(n-1, 1)), def: nfRun(n, 2)}}
	for range 5 { // 20,000 of them are a megabyte
		pages = append(pages, nfPage{n: n, rep: nfRun(n, 1), def: nfRun(n, 2)})
	}
	f := nfOpen(t, nfFile(nfList(metadata.Optional, metadata.Int32, 0), 1, 1, nfChunk{path: nfPath, typ: metadata.Int32, values: n * 6, pages: pages}))
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	s, err := f.Scan(ctx, pare.Query{Select: []string{}, Where: predicate.Col("l").IsNotNull()})
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	for batch := range s.Batches() {
		if batch != nil {
			batch.Release()
		}
	}
	if d := time.Since(start); d > 2*time.Second {
		t.Errorf("a scan that was cancelled after 100 ms took %v", d)
	}
}

// TestNestedFaultDictionaryOfNothing: a dictionary without a value is not looked into where a struct is NULL.
func TestNestedFaultDictionaryOfNothing(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := &nest{kind: nestStruct, name: "s", nullable: true, kids: []*nest{{name: "a", typ: metadata.Int64}, {name: "b", typ: metadata.ByteArray}}}
		f := kindNested(rt, 1, nestLayout{most: 8, dict: rapid.Bool().Draw(rt, "dictionary")}, s)
		scan, err := nfOpen(t, f.data).Scan(t.Context(), pare.Query{DictionaryStrings: true})
		if err != nil {
			rt.Fatal(err)
		}
		for batch, err := range scan.Batches() {
			if err != nil {
				rt.Fatal(err)
			}
			if err := array.ValidateFull(batch.Column(0)); err != nil {
				rt.Fatal(err)
			}
			batch.Release()
		}
	})
}

// TestNestedFaultStrictListIsNotNull: bounds of a list's elements, which decide nothing, are not judged.
func TestNestedFaultStrictListIsNotNull(t *testing.T) {
	f, _ := openCounted(t, "testdata/nested/arrow-v1-lists.parquet", exact)
	q := pare.Query{Select: []string{}, Where: predicate.Col("ints").IsNotNull(), Strict: true}
	if _, err := f.Plan(t.Context(), q); err != nil {
		t.Error(err)
	}
}

// TestNestedFaultDottedNames: a column is itself, whatever dots are in the names beside it.
func TestNestedFaultDottedNames(t *testing.T) {
	els := []nfEl{{name: "a.b", kids: 1}, {name: "c", typ: metadata.Int32}, {name: "a", kids: 1}, {name: "b", typ: metadata.Int32}}
	f := nfOpen(t, nfFile(els, 2, 2, nfChunk{path: []string{"a.b", "c"}, typ: metadata.Int32, values: 2, pages: []nfPage{{n: 2, values: nfInts(1, 2)}}},
		nfChunk{path: []string{"a", "b"}, typ: metadata.Int32, values: 2, pages: []nfPage{{n: 2, values: nfInts(30, 30)}}}))
	a, err := pare.NewAggregator(pare.Aggregate{Func: "count", Column: "a.b"}, pare.Aggregate{Func: "min", Column: "a.b"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Add(t.Context(), f, pare.Query{}); err != nil {
		t.Fatal(err)
	}
	batch, err := a.Result()
	if err != nil {
		t.Fatal(err)
	}
	if got := rowText(batch, 0); got != "2 30" {
		t.Errorf("count and min of a.b are %s", got)
	}
	r, err := pare.NDV(t.Context(), []*pare.File{f}, pare.NDVOptions{Columns: []string{"a.b"}, Exact: true})
	if err != nil || *r.Answers[0].Exact != 1 {
		t.Errorf("%d distinct values; %v", *r.Answers[0].Exact, err)
	}
}

// TestNestedFaultLargeBatches: more elements than one row may have are several batches, whatever a batch may
// hold.
func TestNestedFaultLargeBatches(t *testing.T) {
	const n = 70 << 20 // two rows of so many
	rep := slices.Concat(nfRun(1, 0), nfRun(n-1, 1), nfRun(1, 0), nfRun(n-1, 1))
	f := nfOpen(t, nfFile(nfList(metadata.Required, metadata.Boolean, 0), 1, 2, nfChunk{path: nfPath, typ: metadata.Boolean, values: 2 * n, pages: []nfPage{{n: 2 * n, rep: rep, def: nfRun(2*n, 1)}}}))
	s, err := f.Scan(t.Context(), pare.Query{BatchBytes: 2 << 30})
	if err != nil {
		t.Fatal(err)
	}
	for batch, err := range s.Batches() {
		if err != nil {
			t.Fatal(err)
		}
		batch.Release()
	}
}

// TestNestedFaultGroupOfABadColumn: a struct that has a column that cannot be read can be asked about all the same.
func TestNestedFaultGroupOfABadColumn(t *testing.T) {
	els := []nfEl{{name: "s", rep: metadata.Optional, kids: 2}, {name: "a", rep: metadata.Optional, typ: metadata.Boolean, more: asString}, {name: "b", typ: metadata.Int32}}
	data := nfFile(els, 1, 2, nfChunk{path: []string{"s", "a"}, typ: metadata.Boolean, values: 2, pages: []nfPage{{n: 2, def: nfRun(2, 0)}}},
		nfChunk{path: []string{"s", "b"}, typ: metadata.Int32, values: 2, pages: []nfPage{{n: 2, def: slices.Concat(nfRun(1, 0), nfRun(1, 1)), values: nfInts(8)}}})
	got, err := nestRows(t, nfOpen(t, data), pare.Query{Select: []string{"s.b"}, Where: predicate.Col("s").IsNotNull()})
	if err != nil || strings.Join(got, ",") != "8" {
		t.Errorf("%v, %v", got, err)
	}
}

// TestNestedFaultVerifyOfCutChunks: records that are cut, at the start or by the footer's count, are found.
func TestNestedFaultVerifyOfCutChunks(t *testing.T) {
	for _, c := range []nfChunk{
		{values: 3, pages: []nfPage{{n: 3, rep: slices.Concat(nfRun(1, 0), nfRun(2, 1)), def: nfRun(3, 2), values: nfInts(1, 2, 3)}, {n: 2, rep: nfRun(2, 1), def: nfRun(2, 2), values: nfInts(4, 5)}}},
		{values: 2, pages: []nfPage{{n: 2, rep: slices.Concat(nfRun(1, 1), nfRun(1, 0)), def: nfRun(2, 2), values: nfInts(7, 8)}}},
	} {
		c.path, c.typ = nfPath, metadata.Int32
		f := nfOpen(t, nfFile(nfList(metadata.Required, metadata.Int32, 0), 1, 1, c))
		found := 0
		if _, err := f.Verify(t.Context(), func(pare.Finding) { found++ }); err != nil {
			t.Fatal(err)
		}
		got, err := nestRows(t, f, pare.Query{})
		if found == 0 {
			t.Errorf("Verify finds nothing; a scan gives %v, %v", got, err)
		}
	}
}

// TestNestedFaultStructsThatDisagree: columns of a struct that disagree on where it is NULL are an error.
func TestNestedFaultStructsThatDisagree(t *testing.T) {
	els := []nfEl{{name: "s", rep: metadata.Optional, kids: 2}, {name: "a", typ: metadata.Int32}, {name: "b", typ: metadata.Int32}}
	data := nfFile(els, 1, 2, nfChunk{path: []string{"s", "a"}, typ: metadata.Int32, values: 2, pages: []nfPage{{n: 2, def: nfRun(2, 1), values: nfInts(1, 2)}}},
		nfChunk{path: []string{"s", "b"}, typ: metadata.Int32, values: 2, pages: []nfPage{{n: 2, def: slices.Concat(nfRun(1, 0), nfRun(1, 1)), values: nfInts(8)}}})
	if got, err := nestRows(t, nfOpen(t, data), pare.Query{}); err == nil {
		t.Errorf("%v: s is NULL by b and not by a, and nobody wrote a b of 0", got)
	}
}
