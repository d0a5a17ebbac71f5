package column

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/parequet/pare/internal/encoding"
	"github.com/parequet/pare/metadata"
)

func isFull(err error) bool { return errors.Is(err, encoding.ErrFull) }

// readAll reads a chunk in windows, as scans do.
func readAll(r *Reader, v *Vector, rows, window int64) error {
	for from := int64(0); from < rows; from += window {
		v.Reset()
		n := min(window, rows-from)
		if err := v.Reserve(int(n)); err != nil {
			return err
		}
		if err := r.Append(v, from, from+n); err != nil {
			return err
		}
	}
	return nil
}

// TestDamagedChunks: every fault is one error that names the chunk.
func TestDamagedChunks(t *testing.T) {
	rnd := rand.New(rand.NewPCG(9, 9))
	opt := Options{MaxPageBytes: 1 << 20}
	plainChunk := func() *crafted {
		return craft(t, rnd, spec{typ: metadata.Int64, optional: true}, []int{10, 20, 30}, false)
	}
	dictChunk := func() *crafted { return craft(t, rnd, spec{typ: metadata.ByteArray}, []int{10, 20}, true) }
	open := func(c *crafted) (*Reader, error) { return NewReader(c.chunk, c.pages, c.dict, opt) }
	walk := func(c *crafted) (*Reader, error) { return Walk(c.chunk, c.rows(), c.bytes, opt) }
	onePage := func(s spec, p rawPage) (*Reader, error) {
		c := &metadata.Chunk{Column: columnOf(t, s), RowGroup: 3}
		b := p.bytes()
		return NewReader(c, []Page{{From: 0, To: int64(p.rows), Offset: 7, Bytes: b}}, nil, opt)
	}
	for name, c := range map[string]struct {
		wants string
		open  func() (*Reader, error)
	}{
		"an index that says more rows": {"the offset index says 11", func() (*Reader, error) {
			c := plainChunk()
			c.pages[0].To, c.pages[1].From = 11, 11
			return open(c)
		}},
		"an index that says fewer rows": {"the offset index says 9", func() (*Reader, error) {
			c := plainChunk()
			c.pages[0].To, c.pages[1].From = 9, 9
			return open(c)
		}},
		"an index that points at the dictionary": {"dictionary page", func() (*Reader, error) {
			c := dictChunk()
			c.pages[1].Bytes = c.dict
			return open(c)
		}},
		"an index that points into a page": {"column chunk 0 of row group 3", func() (*Reader, error) {
			c := plainChunk()
			c.pages[1].Bytes = c.pages[1].Bytes[5:]
			return open(c)
		}},
		"a page without bytes": {"page header", func() (*Reader, error) {
			c := plainChunk()
			c.pages[1].Bytes = nil
			return open(c)
		}},
		"a page that is cut off": {"overruns", func() (*Reader, error) {
			c := plainChunk()
			c.pages[2].Bytes = c.pages[2].Bytes[:len(c.pages[2].Bytes)-1]
			return open(c)
		}},
		"a chunk that ends inside a page": {"overruns", func() (*Reader, error) {
			c := plainChunk()
			c.bytes = c.bytes[:len(c.bytes)-1]
			return walk(c)
		}},
		"a chunk that ends before a page": {"end before row 30", func() (*Reader, error) {
			c := plainChunk()
			c.bytes = c.bytes[:int(c.pages[2].Offset)-1000]
			return walk(c)
		}},
		"a chunk without bytes": {"end before row 0", func() (*Reader, error) {
			c := plainChunk()
			c.bytes = nil
			return walk(c)
		}},
		"pages of more rows than the row group": {"61 rows", func() (*Reader, error) {
			c := plainChunk()
			c.bytes = append(c.bytes, pageSpec{values: make([][]byte, 1)}.write(c.chunk.Column)...)
			c.bytes = c.bytes[len(c.pages[0].Bytes):]
			c.bytes = append(pageSpec{values: make([][]byte, 10), codec: c.chunk.Codec}.write(c.chunk.Column), c.bytes...)
			return Walk(c.chunk, 60, append(pageSpec{values: make([][]byte, 1), codec: c.chunk.Codec}.write(c.chunk.Column), c.bytes...), opt)
		}},
		"two dictionary pages": {"the chunk has two", func() (*Reader, error) {
			c := dictChunk()
			c.bytes = append(bytes.Clone(c.dict), c.bytes...)
			return walk(c)
		}},
		"indices without a dictionary": {"no dictionary page", func() (*Reader, error) {
			c := dictChunk()
			c.dict = nil
			return open(c)
		}},
		"a dictionary that is cut off": {"dictionary page", func() (*Reader, error) {
			c := dictChunk()
			c.dict = c.dict[:len(c.dict)-1]
			return open(c)
		}},
		"a dictionary of fewer values than it says": {"dictionary page", func() (*Reader, error) {
			c := dictChunk()
			c.dict = rawPage{typ: metadata.DictionaryPage, rows: 1 << 30, body: make([]byte, 100)}.bytes()
			c.chunk.Codec = metadata.Uncompressed
			return open(c)
		}},
		"an index outside the dictionary": {"into a dictionary of 1 values", func() (*Reader, error) {
			c := &metadata.Chunk{Column: columnOf(t, spec{typ: metadata.Int32}), RowGroup: 3}
			dict := dictionaryPage(c.Column, [][]byte{{1, 2, 3, 4}}, 0)
			b := rawPage{typ: metadata.DataPage, rows: 9, encoding: metadata.RLEDictionary, body: []byte{1, 8 << 1, 0, 2, 1}}.bytes()
			return NewReader(c, []Page{{To: 9, Bytes: b}}, dict, opt)
		}},
		"values that end early": {"ends before its values do", func() (*Reader, error) {
			return onePage(spec{typ: metadata.Int64}, rawPage{typ: metadata.DataPage, rows: 3, body: make([]byte, 23)})
		}},
		"levels that end early": {"ends before its values do", func() (*Reader, error) {
			return onePage(spec{typ: metadata.Int64, optional: true},
				rawPage{typ: metadata.DataPageV2, rows: 30, def: []byte{29 << 1, 0}, body: make([]byte, 8)})
		}},
		"fewer values than levels": {"ends before its values do", func() (*Reader, error) {
			return onePage(spec{typ: metadata.ByteArray, optional: true},
				rawPage{typ: metadata.DataPageV2, rows: 3, def: []byte{3 << 1, 1}, body: make([]byte, 8)})
		}},
		"an encoding that does not fit": {"BOOLEAN values in DELTA_BINARY_PACKED", func() (*Reader, error) {
			return onePage(spec{typ: metadata.Boolean}, rawPage{typ: metadata.DataPage, rows: 3, encoding: metadata.DeltaBinaryPacked, body: make([]byte, 8)})
		}},
		"an unknown encoding": {"unknown (99)", func() (*Reader, error) {
			return onePage(spec{typ: metadata.Int32}, rawPage{typ: metadata.DataPage, rows: 3, encoding: 99, body: make([]byte, 8)})
		}},
	} {
		r, err := c.open()
		if err == nil {
			err = readAll(r, NewVector(r.chunk.Column), 60, 60)
		}
		if err == nil || !strings.Contains(err.Error(), c.wants) || !strings.Contains(err.Error(), "of row group 3 (c)") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestRowsBeforeAFault: what lies before a chunk's damage can be read.
func TestRowsBeforeAFault(t *testing.T) {
	c := craft(t, rand.New(rand.NewPCG(1, 2)), spec{typ: metadata.Double, optional: true}, []int{10, 20, 30}, false)
	r, err := Walk(c.chunk, 60, c.bytes[:len(c.bytes)-3], Options{MaxPageBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	v := NewVector(c.chunk.Column)
	if err := r.Append(v, 5, 30); err != nil {
		t.Fatal(err)
	}
	if err := checkVector(v, c.values[5:30]); err != nil {
		t.Error(err)
	}
	if err := r.Append(v, 30, 31); err == nil {
		t.Error("a row of a cut page was read")
	}
}

// TestAllNullChunkWithoutADictionary: a page of nulls whose encoding is a
// dictionary's needs none.
func TestAllNullChunkWithoutADictionary(t *testing.T) {
	c := &metadata.Chunk{Column: columnOf(t, spec{typ: metadata.ByteArray, optional: true})}
	b := rawPage{typ: metadata.DataPageV2, rows: 5, encoding: metadata.RLEDictionary, def: []byte{5 << 1, 0}}.bytes()
	r, err := Walk(c, 5, b, Options{MaxPageBytes: 1 << 20})
	if err == nil {
		err = readAll(r, NewVector(c.Column), 5, 5)
	}
	if err != nil {
		t.Error(err)
	}
}

const manyRows = 1<<31 - 1

// TestManyRowsInFewBytes: pages of 2³¹−1 nulls or equal values take a few
// bytes and are read in windows, in memory of a window.
func TestManyRowsInFewBytes(t *testing.T) {
	run := binary.AppendUvarint(nil, manyRows<<1)
	value := []byte("abcdefgh")
	for name, c := range map[string]struct {
		s    spec
		page rawPage
		dict bool
	}{
		"nulls":             {spec{typ: metadata.Int64, optional: true}, rawPage{def: append(bytes.Clone(run), 0)}, false},
		"binary nulls":      {spec{typ: metadata.ByteArray, optional: true}, rawPage{def: append(bytes.Clone(run), 0)}, false},
		"dictionary":        {spec{typ: metadata.Int64}, rawPage{encoding: metadata.RLEDictionary, body: append(append([]byte{1}, run...), 0)}, true},
		"no index bits":     {spec{typ: metadata.Int64}, rawPage{encoding: metadata.RLEDictionary, body: []byte{0}}, true},
		"binary dictionary": {spec{typ: metadata.ByteArray}, rawPage{encoding: metadata.RLEDictionary, body: append(append([]byte{1}, run...), 0)}, true},
		"RLE booleans": {spec{typ: metadata.Boolean}, rawPage{encoding: metadata.RLE,
			body: append(append(binary.LittleEndian.AppendUint32(nil, uint32(len(run)+1)), run...), 1)}, false},
		"values of no width": {spec{typ: metadata.FixedLenByteArray}, rawPage{}, false},
	} {
		ch := &metadata.Chunk{Column: columnOf(t, c.s)}
		c.page.typ, c.page.rows = metadata.DataPageV2, manyRows
		b := c.page.bytes()
		if c.dict {
			b = append(dictionaryPage(ch.Column, [][]byte{value}, 0), b...)
		}
		got := allocated(func() {
			r, err := Walk(ch, manyRows, b, Options{MaxPageBytes: 1 << 20})
			if err != nil {
				t.Errorf("%s: %v", name, err)
				return
			}
			v := NewVector(ch.Column)
			v.Binary.Limit = 1 << 20
			for _, from := range []int64{0, 1000, 1 << 20, manyRows - 4096} {
				v.Reset()
				if err := v.Reserve(4096); err != nil {
					t.Errorf("%s: %v", name, err)
				}
				if err := r.Append(v, from, from+4096); err != nil || v.Rows != 4096 || c.s.optional && v.Nulls != 4096 {
					t.Errorf("%s, row %d: %d rows, %d nulls, %v", name, from, v.Rows, v.Nulls, err)
				}
			}
		})
		if got > 2<<20 {
			t.Errorf("%s: %d bytes were allocated for %d bytes of pages", name, got, len(b))
		}
	}
}

// TestWideValuesAreBounded: the width that a schema claims for a column does
// not decide how much memory a window takes. A few bytes may hold many nulls
// of any width, and a page of 100 bytes holds no value of 16 MiB.
func TestWideValuesAreBounded(t *testing.T) {
	const rows, limit = 256, 1 << 20
	run := append(binary.AppendUvarint(nil, manyRows<<1), 0)
	for name, c := range map[string]struct {
		width    int32
		optional bool
		page     rawPage
	}{
		"nulls of 1 MiB":                     {1 << 20, true, rawPage{def: run}},
		"values of 1 MiB in 100 bytes":       {1 << 20, false, rawPage{body: make([]byte, 100)}},
		"dictionary indices of a wide value": {1 << 20, false, rawPage{encoding: metadata.RLEDictionary, body: []byte{0}}},
	} {
		ch := &metadata.Chunk{Column: columnOf(t, spec{typ: metadata.FixedLenByteArray, length: c.width, optional: c.optional})}
		c.page.typ, c.page.rows = metadata.DataPageV2, manyRows
		b := c.page.bytes()
		got := allocated(func() {
			r, err := Walk(ch, manyRows, b, Options{MaxPageBytes: 1 << 20})
			if err != nil {
				t.Fatal(err)
			}
			v := NewVector(ch.Column)
			v.Binary.Limit = limit
			if err = v.Reserve(rows); err == nil {
				err = r.Append(v, 0, rows)
			}
			if err == nil {
				t.Errorf("%s: %d rows were read", name, v.Rows)
			}
		})
		if got > 32*limit {
			t.Errorf("%s: a window of %d rows, limited to %d bytes, allocated %d", name, rows, limit, got)
		}
	}
}
