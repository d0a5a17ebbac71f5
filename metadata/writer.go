package metadata

import (
	"strconv"
	"strings"
)

// Writer is a footer's created_by, taken apart: "parquet-mr version 1.8.1
// (build …)" is application "parquet-mr", version 1.8.1.
type Writer struct {
	App     string
	Version [3]int
	Known   bool // whether a version was found
}

// ParseWriter takes a created_by apart. It accepts anything.
func ParseWriter(createdBy string) Writer {
	app, rest, ok := strings.Cut(createdBy, " version ")
	w := Writer{App: strings.TrimSpace(app)}
	if !ok {
		// "parquet-mr (build 32c4…)" and bare names.
		w.App, _, _ = strings.Cut(w.App, " (")
		return w
	}
	rest = strings.TrimPrefix(strings.TrimSpace(rest), "v")
	number := rest
	if i := strings.IndexFunc(rest, func(r rune) bool { return (r < '0' || r > '9') && r != '.' }); i >= 0 {
		number = rest[:i]
	}
	for i, part := range strings.SplitN(number, ".", 4) {
		if i == 3 {
			break
		}
		n, err := strconv.Atoi(part)
		if err != nil {
			break
		}
		w.Version[i] = n
		w.Known = true
	}
	return w
}

// before reports whether the writer is app at a version before a.b.c. A
// version that is not known counts as old: doubt never prunes.
func (w Writer) before(app string, a, b, c int) bool {
	if w.App != app {
		return false
	}
	if !w.Known {
		return true
	}
	for i, v := range [3]int{a, b, c} {
		if w.Version[i] != v {
			return w.Version[i] < v
		}
	}
	return false
}

const (
	appParquetMR       = "parquet-mr"
	appParquetCPP      = "parquet-cpp"
	appParquetCPPArrow = "parquet-cpp-arrow"
	appArrowGo         = "parquet-go"
	appParquetNet      = "Parquet.Net"
	appParquetGo       = "github.com/parquet-go/parquet-go"
	appSegmentio       = "github.com/segmentio/parquet-go"
)

// The quirks below are the whole table of known writer faults; each has a
// test of its own in writer_test.go.

// ShortChunkSizes: total_compressed_size leaves out the dictionary page's
// header (PARQUET-816: parquet-mr before 1.2.9).
func (w Writer) ShortChunkSizes() bool {
	return w.App == appParquetMR && w.Known && w.before(appParquetMR, 1, 2, 9)
}

// compressesAlways: V2 pages say that their values are not compressed although
// they are (ARROW-10353: parquet-cpp, and parquet-cpp-arrow before 3.0.0).
func (w Writer) compressesAlways() bool {
	return w.App == appParquetCPP || w.before(appParquetCPPArrow, 3, 0, 0)
}

// badBinaryStatistics: minima and maxima of binary columns are garbage
// (PARQUET-251: parquet-mr before 1.8.2).
func (w Writer) badBinaryStatistics() bool { return w.before(appParquetMR, 1, 8, 2) }

// badBinaryDecimals: bounds of decimals in byte arrays are compared as
// unsigned bytes (parquet-go up to v0.32, and segmentio's before it).
func (w Writer) badBinaryDecimals() bool {
	return w.before(appParquetGo, 0, 33, 0) || w.App == appSegmentio
}

// badFloatDictionaries: a NaN makes the bounds of a dictionary-encoded FLOAT or
// DOUBLE those of some of its values, or NaN (parquet-go up to v0.32, the latest
// that was seen, and segmentio's before it).
func (w Writer) badFloatDictionaries() bool { return w.App == appParquetGo || w.App == appSegmentio }

// badHalfFloats: bounds of optional FLOAT16 columns leave out what stands
// before the last NaN (arrow-go, which signs itself "parquet-go", up to 18.8
// at least).
func (w Writer) badHalfFloats() bool { return w.App == appArrowGo }

// BeginsPagesWithRows: wherever it writes an offset index, pages of repeated
// columns begin with a row, as the format asks (parquet-mr; parquet-cpp-arrow).
// Of others that is looked up: arrow-go before 18.8 did not for V1 pages.
func (w Writer) BeginsPagesWithRows() bool {
	return w.App == appParquetMR || w.App == appParquetCPPArrow
}

// badListBounds: bounds of repeated columns leave values out where lists are
// empty or null (arrow-go, up to 18.8 at least).
func (w Writer) badListBounds() bool { return w.App == appArrowGo }

// BadBloomFilters: filters may have been written empty or too small for their
// values (arrow-go's adaptive filters, before 18.5).
func (w Writer) BadBloomFilters() bool { return w.before(appArrowGo, 18, 5, 0) }

// badTimestamps: bounds of timestamps are in the writer's local time or in
// another unit than the values (Parquet.Net, 4.25 to 6.0 at least).
func (w Writer) badTimestamps() bool { return strings.HasPrefix(w.App, appParquetNet) }

// badTruncatedMaxima: maxima in the column index were cut short without being
// increased (segmentio), or could not be increased because every kept byte is
// 0xFF (parquet-go up to v0.32).
func (w Writer) badTruncatedMaxima() (always, allFF bool) {
	return w.App == appSegmentio, true
}

// BadEncodingStats: encoding_stats were overwritten by later pages, so they
// prove nothing about dictionaries (parquet-go before v0.32).
func (w Writer) BadEncodingStats() bool {
	return w.before(appParquetGo, 0, 32, 0) || w.App == appSegmentio
}
