package metadata

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// The tests of this file run over a collection of real and damaged files, if
// the environment names one: a folder with INVENTORY.tsv, which says of each
// file what its metadata holds and which engines read it.

// corpusDisagreements are files where another engine succeeds and this
// package rightly does not, or counts otherwise, by a part of the path.
var corpusDisagreements = map[string]string{
	"arrow-fuzz-5068991573000192":       "DECIMAL(45,2) does not fit the 6 bytes of a value",
	"fruits-bloomfilter.parquet":        "parquet.js leaves the unions of a Bloom header empty; the filter is not used",
	"bloom_filter_bad_numbytes.parquet": "its Bloom headers are bad on purpose; the filters are not used",
}

type corpusFile struct {
	path string
	raw  []byte
	row  map[string]string
}

func (c corpusFile) number(name string) int64 {
	n, err := strconv.ParseInt(c.row[name], 10, 64)
	if err != nil {
		return -1
	}
	return n
}

// readable reports whether another engine decoded every value.
func (c corpusFile) readable() bool { return c.row["duckdb"] == "yes" || c.row["arrowgo"] == "yes" }

func eachCorpusFile(t *testing.T, f func(t *testing.T, c corpusFile)) {
	root := os.Getenv("PARE_CORPUS")
	if root == "" {
		t.Skip("PARE_CORPUS does not name a folder of Parquet files with an INVENTORY.tsv")
	}
	b, err := os.ReadFile(filepath.Join(root, "INVENTORY.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
	head := strings.Split(lines[0], "\t")
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, v := range strings.Split(line, "\t") {
			row[head[i]] = v
		}
		if row["format"] != "parquet" {
			continue
		}
		raw, err := os.ReadFile(filepath.Join(root, row["path"]))
		if err != nil {
			t.Fatal(err)
		}
		f(t, corpusFile{row["path"], raw, row})
	}
}

// openCorpus parses a file's footer as a reader would.
func openCorpus(raw []byte) (*File, error) {
	size := int64(len(raw))
	n, err := FooterLength(raw[max(0, len(raw)-TailLength):], size)
	if err != nil {
		return nil, err
	}
	return ParseFooter(raw[size-TailLength-n:size-TailLength], size)
}

// cut returns an extent's bytes, as far as the file has them.
func cut(raw []byte, e Extent) []byte {
	from := min(max(e.Offset, 0), int64(len(raw)))
	to := min(max(e.End(), from), int64(len(raw)))
	return raw[from:to]
}

func justified(path string) bool {
	for part := range corpusDisagreements {
		if strings.Contains(path, part) {
			return true
		}
	}
	return false
}

func TestCorpusFooters(t *testing.T) {
	parsed, files := 0, 0
	eachCorpusFile(t, func(t *testing.T, c corpusFile) {
		files++
		var f *File
		var err error
		held := allocated(func() { f, err = openCorpus(c.raw) })
		if limit := allocLimit(len(c.raw)); held > limit {
			t.Errorf("%s: %d bytes allocated for a file of %d", c.path, held, len(c.raw))
		}
		if err != nil {
			if c.readable() && !justified(c.path) {
				t.Errorf("%s: %v; another engine reads %s rows", c.path, err, c.row["rows"])
			}
			return
		}
		parsed++
		if !c.readable() || justified(c.path) {
			return
		}
		rows := c.number("arrowgo_rows") // counted, unlike the footer's own number
		if c.row["duckdb"] == "yes" {
			rows = c.number("duckdb_rows")
		}
		got := [3]int64{f.NumRows, int64(len(f.RowGroups)), int64(len(f.Schema.Columns))}
		want := [3]int64{rows, c.number("row_groups"), c.number("columns")}
		if got != want {
			t.Errorf("%s: rows, row groups and columns are %v, want %v", c.path, got, want)
		}
	})
	t.Logf("%d of %d files have a footer", parsed, files)
}

// Every flat chunk of a file that another engine reads is usable, and its
// indexes and page headers can be walked.
func TestCorpusChunks(t *testing.T) {
	counts := map[string]int{}
	eachCorpusFile(t, func(t *testing.T, c corpusFile) {
		f, err := openCorpus(c.raw)
		if err != nil {
			return
		}
		report := func(format string, args ...any) {
			counts["faults"]++
			if c.readable() && !justified(c.path) {
				t.Errorf("%s (%s): %s", c.path, f.CreatedBy, fmt.Sprintf(format, args...))
			}
		}
		for _, g := range f.RowGroups {
			for _, col := range f.Schema.Columns {
				if !col.Flat() {
					continue
				}
				chunk, err := g.Chunk(col)
				if err != nil {
					report("%v", err)
					continue
				}
				counts["chunks"]++
				walkChunk(f, g, chunk, c.raw, counts, report)
			}
		}
	})
	t.Logf("%v", counts)
}

// walkChunk reads all of a chunk's metadata that lies outside the footer.
func walkChunk(f *File, g *RowGroup, c *Chunk, raw []byte, counts map[string]int, report func(string, ...any)) {
	zone, _ := f.ChunkZone(c)
	checkZone(c.Column, zone, func(s string) { report("chunk %s: %s", c.Column.Name, s) })
	var rows []int64
	if f.HasOffsetIndex(c) {
		x, err := ParseOffsetIndex(cut(raw, c.OffsetIndex))
		if err != nil {
			report("%s: %v", c.Column.Name, err)
		} else if why := x.Settle(c, g.NumRows); why != "" {
			counts["offset index ignored: "+strings.Join(strings.Fields(why)[:2], " ")]++
		} else {
			counts["offset indexes"]++
			for i := range x.Pages {
				from, to := x.Rows(i, g.NumRows)
				rows = append(rows, to-from)
			}
		}
	}
	if f.HasColumnIndex(c) {
		x, err := ParseColumnIndex(cut(raw, c.ColumnIndex))
		if err != nil {
			report("%s: %v", c.Column.Name, err)
		} else if rows != nil {
			zones, b := f.PageZones(c, x, rows)
			if zones == nil {
				counts["column index ignored: "+b.Why]++
			} else {
				counts["column indexes"]++
			}
			for _, z := range zones {
				checkZone(c.Column, z, func(s string) { report("page of %s: %s", c.Column.Name, s) })
			}
		}
	}
	if c.BloomOffset > 0 {
		if h, err := ParseBloomHeader(cut(raw, Extent{Offset: c.BloomOffset, Length: 64})); err != nil {
			report("%s: %v", c.Column.Name, err)
		} else if c.BloomLength > 0 && int64(h.Length)+int64(h.NumBytes) != c.BloomLength {
			counts["bloom lengths that differ"]++
		}
		counts["bloom filters"]++
	}
	walkPages(c, cut(raw, c.Pages), counts, report)
}

// walkPages follows page headers until all values are accounted for.
func walkPages(c *Chunk, b []byte, counts map[string]int, report func(string, ...any)) {
	for seen := int64(0); seen < c.NumValues; {
		h, err := ParsePageHeader(b, true)
		if err != nil {
			report("%s after %d of %d values: %v", c.Column.Name, seen, c.NumValues, err)
			return
		}
		counts["pages"]++
		if h.Length+int(h.CompressedSize) > len(b) {
			report("%s after %d of %d values: %v of %d bytes where %d are left", c.Column.Name, seen, c.NumValues, h.Type, h.CompressedSize, len(b))
			return
		}
		if h.Type == DataPage || h.Type == DataPageV2 {
			seen += int64(h.NumValues)
		}
		b = b[h.Length+int(h.CompressedSize):]
	}
}

// checkZone asserts what every zone promises.
func checkZone(col *Column, z Zone, report func(string)) {
	switch {
	case z.Nulls > z.Rows || z.Nulls < -1:
		report(fmt.Sprintf("%d nulls of %d rows", z.Nulls, z.Rows))
	case z.HasLower && (z.Lower.IsNaN() || z.Lower.Order != col.Order), z.HasUpper && (z.Upper.IsNaN() || z.Upper.Order != col.Order):
		report("a bound is NaN or of another order than the column")
	case z.HasLower && z.HasUpper && z.Lower.Compare(z.Upper) > 0:
		report("the lower bound is above the upper")
	case z.LowerExact && !z.HasLower, z.UpperExact && !z.HasUpper:
		report("an absent bound is exact")
	case col.Type == FixedLenByteArray && col.Order == OrderBytes && z.HasUpper && col.TypeLength > 0 && len(z.Upper.Bytes) == 0:
		report("an empty upper bound of fixed-length values")
	case col.Order == OrderNone && (z.HasLower || z.HasUpper):
		report("bounds of values without an order")
	}
}
