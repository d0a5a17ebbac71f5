package pare_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/parequet/pare"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/source"
)

// hostileFiles are fixtures of every writer, codec and page version.
var hostileFiles = []string{
	"testdata/fixtures/arrow-bytes-v1.parquet", "testdata/fixtures/arrow-bytes-v2.parquet", "testdata/fixtures/arrow-dictionary-fallback.parquet",
	"testdata/fixtures/arrow-encodings-ints.parquet", "testdata/fixtures/arrow-numbers-v2.parquet", "testdata/fixtures/arrow-times-v1.parquet",
	"testdata/fixtures/codec-lz4raw.parquet", "testdata/fixtures/codec-zstd.parquet", "testdata/fixtures/duckdb-snappy.parquet",
	"testdata/fixtures/parquetgo-crc-v1.parquet", "testdata/fixtures/parquetgo-fixed-delta.parquet", "testdata/fixtures/parquetgo-logical.parquet",
	"cmd/pare/orders/orders-sorted.parquet", ordersPaged,
}

const (
	hostileTime   = 10 * time.Second // of one scan, many times what it takes
	hostileMemory = 256 << 20        // allocated by all scans of a mutant
	hostileRows   = 1 << 20          // rows after which a scan is left
)

// tailStart is where a file's pages end: its indexes and its footer follow.
func tailStart(t *testing.T, b []byte) int {
	t.Helper()
	f, _ := openBytes(t, "whole", b, pare.Options{})
	start := f.Metadata().Footer.Offset
	for _, g := range f.Metadata().RowGroups {
		for _, col := range f.Metadata().Schema.Columns {
			c, err := g.Chunk(col)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range []metadata.Extent{c.ColumnIndex, c.OffsetIndex} {
				if e.Length > 0 {
					start = min(start, e.Offset)
				}
			}
		}
	}
	return int(start)
}

// somePredicate tests the first columns with values that occur.
func somePredicate(t *testing.T, name string) predicate.Expr {
	w := readWhole(t, name)
	var kids []predicate.Expr
	for _, col := range w.columns {
		vs := w.samples[col]
		if len(vs) == 0 || col.Order == metadata.OrderNone || len(kids) == 3 {
			continue
		}
		c := predicate.Col(col.Name)
		kids = append(kids, predicate.And(c.Ge(goValue(col, vs[len(vs)/4], 0)), c.Ne(goValue(col, vs[len(vs)/2], 0))))
	}
	return predicate.Or(append(kids, predicate.Col(w.columns[0].Name).IsNull())...)
}

// scanHostile opens a damaged file and scans it. What goes wrong must be one
// error of one line, in time.
func scanHostile(b []byte, q pare.Query) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	ctx, cancel := context.WithTimeout(context.Background(), hostileTime)
	defer cancel()
	fault := func(err error) error {
		switch {
		case errors.Is(err, context.DeadlineExceeded):
			return errors.New("it did not end in time")
		case err == nil || err.Error() == "":
			return errors.New("an error without text")
		case strings.ContainsFunc(err.Error(), unicode.IsControl):
			return fmt.Errorf("an error with control characters: %q", err)
		case len(err.Error()) > 2000:
			return fmt.Errorf("an error of %d bytes", len(err.Error()))
		}
		return nil
	}
	f, err := pare.Open(ctx, source.Memory(b), pare.Options{Name: "mutant"})
	if err != nil {
		return fault(err)
	}
	s, err := f.Scan(ctx, q)
	if err != nil {
		return fault(err)
	}
	rows, errs := int64(0), 0
	for batch, err := range s.Batches() {
		if err != nil {
			if errs++; errs > 1 {
				return errors.New("two errors")
			}
			if bad := fault(err); bad != nil {
				return bad
			}
			continue
		}
		if int64(batch.NumCols()) != int64(s.Schema().NumFields()) {
			return fmt.Errorf("%d columns", batch.NumCols())
		}
		if rows += batch.NumRows(); rows > hostileRows {
			batch.Release()
			break
		}
		batch.Release()
	}
	s.Receipt()
	return nil
}

// mutate yields copies of a file with one byte of [from, to) changed, at most
// n of them and each byte in a way of its own.
func mutate(b []byte, from, to, n int, r *rand.Rand) func(yield func(at int, m []byte) bool) {
	return func(yield func(int, []byte) bool) {
		m := bytes.Clone(b)
		step := max(1, float64(to-from)/float64(n))
		for x := float64(from); x < float64(to); x += step {
			at := int(x) + r.IntN(max(1, int(step)))
			if at >= to {
				return
			}
			old := m[at]
			m[at] = []byte{old ^ 1<<r.IntN(8), byte(r.Uint32()), 0, 0xff, old + 1, old - 1, old ^ 0x80}[r.IntN(7)]
			if !yield(at, m) {
				return
			}
			m[at] = old
		}
	}
}

// TestFlippedBytes: whatever byte of a file is wrong, scans with and without
// a predicate do not panic, end, and take memory in proportion.
func TestFlippedBytes(t *testing.T) {
	tail, pages := 300, 60
	if testing.Short() {
		tail, pages = 30, 10
	}
	started := time.Now()
	for i, name := range hostileFiles {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		queries := []pare.Query{{}, {Where: somePredicate(t, name), RowNumbers: "row number", BatchRows: 500}}
		r := rand.New(rand.NewPCG(uint64(i), 1))
		start := tailStart(t, b)
		check := func(at int, m []byte) bool {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for k, q := range queries {
				if err := scanHostile(m, q); err != nil {
					t.Errorf("%s, byte %d is %#x instead of %#x, query %d: %v", filepath.Base(name), at, m[at], b[at], k, err)
				}
			}
			runtime.ReadMemStats(&after)
			if got := after.TotalAlloc - before.TotalAlloc; got > hostileMemory {
				t.Errorf("%s, byte %d is %#x instead of %#x: %d bytes were allocated", filepath.Base(name), at, m[at], b[at], got)
			}
			return !t.Failed() || time.Since(started) < 18*time.Second
		}
		if len(b) > 100_000 { // larger files take longer
			tail, pages = tail*2/3, pages/2
		}
		for at, m := range mutate(b, start, len(b), tail, r) {
			if !check(at, m) {
				break
			}
		}
		for at, m := range mutate(b, 4, start, pages, r) {
			if !check(at, m) {
				break
			}
		}
	}
	if d := time.Since(started); d > 20*time.Second {
		t.Logf("took %v", d)
	}
}

// TestCutFiles: no beginning of a file is read as a whole.
func TestCutFiles(t *testing.T) {
	for _, name := range hostileFiles[:4] {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for n := 0; n < len(b); n += 1 + n/40 {
			if err := scanHostile(b[:n], pare.Query{}); err != nil {
				t.Errorf("%s, %d of %d bytes: %v", name, n, len(b), err)
			}
			if _, err := pare.Open(t.Context(), source.Memory(b[:n]), pare.Options{}); err == nil {
				t.Errorf("%s: %d of %d bytes were opened", name, n, len(b))
			}
		}
	}
}

// TestErrorsAreOneLine, whatever the file calls its columns.
func TestErrorsAreOneLine(t *testing.T) {
	b, err := os.ReadFile(ordersPaged)
	if err != nil {
		t.Fatal(err)
	}
	start := tailStart(t, b)
	m := append(bytes.Clone(b[:start]), bytes.ReplaceAll(b[start:], []byte("order_id"), []byte("ord\n\x1b[31"))...)
	f, _ := openBytes(t, "names", m, pare.Options{})
	if f.Metadata().Schema.Columns[0].Name != "ord\n\x1b[31" {
		t.Fatal("the column was not renamed")
	}
	clear(m[4:200]) // its first page's header
	if err := scanHostile(m, pare.Query{}); err != nil {
		t.Error(err)
	}
	if err := scanHostile(m, pare.Query{Select: []string{"ord"}}); err != nil {
		t.Error(err)
	}
}

// withFooter returns a file whose footer was changed.
func withFooter(b []byte, change func(footer []byte) []byte) []byte {
	n := int(binary.LittleEndian.Uint32(b[len(b)-8:]))
	footer := change(bytes.Clone(b[len(b)-8-n : len(b)-8]))
	out := append(bytes.Clone(b[:len(b)-8-n]), footer...)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(footer)))
	return append(out, "PAR1"...)
}

// TestWidthsFromTheFooter: a fixed-length column that claims values larger
// than the whole file; memory is not taken for the claim, not even a row's.
func TestWidthsFromTheFooter(t *testing.T) {
	b, err := os.ReadFile("testdata/fixtures/parquetgo-fixed-delta.parquet")
	if err != nil {
		t.Fatal(err)
	}
	fixed := []byte{0x15, 2 * byte(metadata.FixedLenByteArray), 0x15} // fields 1 and 2 of a schema element
	for _, width := range []int32{1 << 20, 1 << 27} {
		m := withFooter(b, func(footer []byte) []byte {
			at := bytes.Index(footer, fixed) + len(fixed)
			if at < len(fixed) || footer[at] >= 0x80 {
				t.Fatal("no such column")
			}
			return append(binary.AppendVarint(bytes.Clone(footer[:at]), int64(width)), footer[at+1:]...)
		})
		f, _ := openBytes(t, "wide", m, pare.Options{})
		col := f.Metadata().Schema.Columns[0]
		if col.TypeLength != width {
			t.Fatalf("%s is %s", col.Name, col.TypeName())
		}
		for _, q := range []pare.Query{{Select: []string{col.Name}}, {Select: []string{}, Where: predicate.Col(col.Name).Eq("x")}} {
			q.BatchBytes, q.Threads = 1<<20, 1
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if err := scanHostile(m, q); err != nil {
				t.Error(err)
			}
			runtime.ReadMemStats(&after)
			if got := after.TotalAlloc - before.TotalAlloc; got > 64<<20 {
				t.Errorf("width %d, WHERE %v: %d bytes were allocated to read a file of %d", width, q.Where, got, len(m))
			}
		}
	}
}

// TestEveryColumnOfADamagedSchema: a declaration that cannot be read is an
// error of the query, with and without a predicate on it.
func TestEveryColumnOfADamagedSchema(t *testing.T) {
	b, err := os.ReadFile(ordersPaged)
	if err != nil {
		t.Fatal(err)
	}
	// quantity INT32 becomes an integer of no bits, an unknown type, and more.
	name := []byte("\x08quantity")
	for _, insert := range [][]byte{
		{0x6c, 0xac, 0x13, 0x00, 0x11, 0x00, 0x00},             // INTEGER of 0 bits
		{0x6c, 0xac, 0x13, 0x7f, 0x11, 0x00, 0x00},             // INTEGER of 127 bits
		{0x6c, 0xac, 0x13, 0x81, 0x12, 0x00, 0x00},             // INTEGER of -127 bits, unsigned
		{0x6c, 0x5c, 0x15, 0x04, 0x15, 0x02, 0x00, 0x00},       // DECIMAL(1,2)
		{0x6c, 0x7c, 0x11, 0x1c, 0x00, 0x00, 0x00},             // TIME of no unit
		{0x6c, 0x8c, 0x11, 0x1c, 0x4c, 0x00, 0x00, 0x00, 0x00}, // TIMESTAMP of an unknown unit
		{0x6c, 0xfc, 0x00, 0x00},                               // UUID or FLOAT16
	} {
		m := withFooter(b, func(footer []byte) []byte {
			at := bytes.Index(footer, name)
			if at < 0 {
				t.Fatal("no such column")
			}
			at += len(name)
			// What the writer says about the column's logical type is replaced.
			return append(append(bytes.Clone(footer[:at]), insert...), footer[at:]...)
		})
		for _, where := range []string{"", "quantity = 3", "quantity > 2.5", "quantity IN (1, 2)", "quantity IS NULL", "quantity >= DATE '2024-01-01'"} {
			q := pare.Query{}
			if where != "" {
				if q.Where, err = predicate.Parse(where); err != nil {
					t.Fatal(err)
				}
				q.Select = []string{"order_id"}
			}
			if err := scanHostile(m, q); err != nil {
				t.Errorf("% x, %s: %v", insert, where, err)
			}
		}
	}
}
