package metadata

import (
	"encoding/binary"
	"fmt"
	"math"
)

// ColumnIndex holds bounds and counts of each data page of a chunk, as
// written. Byte slices alias the input.
type ColumnIndex struct {
	NullPages  []bool
	Min, Max   [][]byte
	Order      BoundaryOrder
	NullCounts []int64 // nil if absent
	NaNCounts  []int64 // nil if absent
}

// ParseColumnIndex parses a column index.
func ParseColumnIndex(b []byte) (*ColumnIndex, error) {
	x := &ColumnIndex{Order: -1}
	r := &thriftReader{b: b}
	r.eachField(func(id int16, typ byte) bool {
		switch id {
		case 1:
			return r.boolList(typ, &x.NullPages)
		case 2:
			return r.binaryList(typ, &x.Min)
		case 3:
			return r.binaryList(typ, &x.Max)
		case 4:
			return r.i32(typ, (*int32)(&x.Order))
		case 5:
			return r.i64List(typ, &x.NullCounts)
		case 8:
			return r.i64List(typ, &x.NaNCounts)
		}
		return false
	})
	if r.err != nil {
		return nil, &FormatError{Piece: "column index", Offset: int64(r.p), Err: r.err}
	}
	return x, nil
}

// PageLocation says where a data page lies and which row it starts with.
type PageLocation struct {
	Offset   int64
	Length   int64 // header included
	FirstRow int64 // counted from the row group's first row
}

// OffsetIndex holds the place of each data page of a chunk.
type OffsetIndex struct {
	Pages []PageLocation
	// UnencodedBytes is the size of the values of each page of a BYTE_ARRAY
	// column without lengths, nil if absent.
	UnencodedBytes []int64
}

// ParseOffsetIndex parses an offset index as written.
func ParseOffsetIndex(b []byte) (*OffsetIndex, error) {
	x := &OffsetIndex{}
	r := &thriftReader{b: b}
	r.eachField(func(id int16, typ byte) bool {
		switch id {
		case 1:
			return r.structList(typ, func(i, n int) {
				if i == 0 {
					x.Pages = make([]PageLocation, 0, n)
				}
				p, ok := r.usualPageLocation()
				if !ok {
					p = parsePageLocation(r)
				}
				x.Pages = append(x.Pages, p)
			})
		case 2:
			return r.i64List(typ, &x.UnencodedBytes)
		}
		return false
	})
	if r.err != nil {
		return nil, &FormatError{Piece: "offset index", Offset: int64(r.p), Err: r.err}
	}
	return x, nil
}

// usualPageLocation reads a page location as all writers write it: its three
// fields in their order and nothing else. If it finds anything else it has read
// nothing. Long indexes are made of these.
func (r *thriftReader) usualPageLocation() (p PageLocation, ok bool) {
	const i64, i32 = 1<<4 | tI64, 1<<4 | tI32 // the next field's header
	b := r.b[r.p:]
	if r.err != nil || len(b) < 3*binary.MaxVarintLen64+4 { // none of the reads below can leave b
		return p, false
	}
	offset, n := binary.Uvarint(b[1:])
	at := 1 + n
	if n <= 0 || b[0] != i64 || b[at] != i32 {
		return p, false
	}
	size, n := binary.Uvarint(b[at+1:])
	at += 1 + n
	if n <= 0 || size > math.MaxUint32 || b[at] != i64 {
		return p, false
	}
	row, n := binary.Uvarint(b[at+1:])
	at += 1 + n
	if n <= 0 || b[at] != tStop {
		return p, false
	}
	r.p += at + 1
	return PageLocation{Offset: unzigzag(offset), Length: unzigzag(size), FirstRow: unzigzag(row)}, true
}

func parsePageLocation(r *thriftReader) (p PageLocation) {
	var size int32
	r.eachField(func(id int16, typ byte) bool {
		switch id {
		case 1:
			return r.i64(typ, &p.Offset)
		case 2:
			return r.i32(typ, &size)
		case 3:
			return r.i64(typ, &p.FirstRow)
		}
		return false
	})
	p.Length = int64(size)
	return p
}

// Settle checks an offset index against its chunk and the row count of its
// row group, and widens pages to the start of the next one (the last to the
// chunk's end) where a writer left the page headers out of the sizes. It
// returns why the index cannot be used, or "".
//
// After it, the pages are in file order without overlap inside the chunk,
// start at row 0 and hold some rows each. A page without rows is legal, but no
// known writer makes one, and parquet.js gives the pages behind the first one
// its row.
func (x *OffsetIndex) Settle(c *Chunk, rows int64) string {
	if len(x.Pages) == 0 {
		return "it names no page"
	}
	end := c.Pages.End()
	short := false
	for i, p := range x.Pages {
		next, nextRow := end, rows
		if i+1 < len(x.Pages) {
			next, nextRow = x.Pages[i+1].Offset, x.Pages[i+1].FirstRow
		}
		switch {
		case i == 0 && p.FirstRow != 0:
			return fmt.Sprintf("its first page starts at row %d", p.FirstRow)
		case p.FirstRow >= nextRow:
			return fmt.Sprintf("page %d starts at row %d, the next at row %d", i, p.FirstRow, nextRow)
		case p.Offset < c.Pages.Offset || p.Length <= 0 || p.Length > end-p.Offset:
			return fmt.Sprintf("page %d [%d, +%d) lies outside its chunk", i, p.Offset, p.Length)
		case p.Offset+p.Length > next:
			return fmt.Sprintf("page %d [%d, +%d) overlaps the next", i, p.Offset, p.Length)
		}
		short = short || p.Offset+p.Length < next && i+1 < len(x.Pages)
	}
	if short || len(x.Pages) == 1 {
		for i := range x.Pages {
			next := end
			if i+1 < len(x.Pages) {
				next = x.Pages[i+1].Offset
			}
			x.Pages[i].Length = next - x.Pages[i].Offset
		}
	}
	return ""
}

// Rows returns the half-open range of rows that page i holds, counted from
// the row group's first row; rows is the row group's row count.
func (x *OffsetIndex) Rows(i int, rows int64) (from, to int64) {
	if i+1 < len(x.Pages) {
		return x.Pages[i].FirstRow, x.Pages[i+1].FirstRow
	}
	return x.Pages[i].FirstRow, rows
}
