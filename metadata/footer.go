package metadata

import (
	"encoding/binary"
	"fmt"
)

// TailLength is the number of bytes at a file's end that say where the footer
// starts: a 4-byte length and the magic.
const TailLength = 8

const magicLength = 4

// FooterLength reads the last [TailLength] bytes of a file of the given size
// and returns the length of the footer before them.
func FooterLength(tail []byte, fileSize int64) (int64, error) {
	if fileSize < magicLength+TailLength || len(tail) < TailLength {
		return 0, formatErr("", -1, "not a Parquet file: %d bytes are too few", fileSize)
	}
	tail = tail[len(tail)-TailLength:]
	switch magic := string(tail[4:]); magic {
	case "PAR1":
	case "PARE":
		return 0, &UnsupportedError{Piece: "footer", Msg: "the file is encrypted (its footer is)"}
	default:
		return 0, formatErr("", -1, "not a Parquet file: it ends with %q where \"PAR1\" should stand", magic)
	}
	n := int64(binary.LittleEndian.Uint32(tail))
	if n == 0 || n > fileSize-magicLength-TailLength {
		return 0, formatErr("footer", fileSize-TailLength, "its length, %d, does not fit into a file of %d bytes", n, fileSize)
	}
	return n, nil
}

// File is a parsed footer. It is immutable and safe for concurrent use.
type File struct {
	Size      int64 // of the file, bytes
	Footer    Extent
	Version   int32
	NumRows   int64
	CreatedBy string
	Writer    Writer // CreatedBy, taken apart
	KeyValue  []KeyValue
	Schema    *Schema
	RowGroups []*RowGroup

	claimed int64  // NumRows as it is written
	raw     []byte // the footer; chunks are decoded from it on demand
	schema  []byte // of raw, the list of schema elements
	path    string // what chunks say of where they lie; "" is where the footer is
	orders  []columnOrder
}

// KeyValue is an entry of the footer's own metadata; it aliases the footer.
type KeyValue struct{ Key, Value []byte }

// columnOrder says how the bounds of a column were ordered by the writer.
type columnOrder uint8

const (
	orderUndefined columnOrder = iota // no column_orders, or a member unknown to us
	orderByType                       // TYPE_ORDER
	orderIEEE754                      // IEEE_754_TOTAL_ORDER
)

// RowGroup is a horizontal part of the file.
type RowGroup struct {
	Index         int
	FirstRow      int64 // number of the group's first row in the file
	NumRows       int64
	TotalByteSize int64 // uncompressed, as written; not to be trusted
	Sorting       []SortingColumn

	file    *File
	chunkAt []uint32 // where each chunk's struct starts in file.raw
	length  int      // of the group's own struct in file.raw
}

// SortingColumn is a claim of the writer about the order of rows.
type SortingColumn struct {
	Column     int32
	Descending bool
	NullsFirst bool
}

// ParseFooter parses a footer: the bytes between the last page or index and
// the file's last 8 bytes. It keeps raw and aliases it. Column chunks are
// walked over, not decoded; see [RowGroup.Chunk].
func ParseFooter(raw []byte, fileSize int64) (*File, error) {
	f := &File{Size: fileSize, raw: raw, NumRows: -1}
	f.Footer = Extent{Offset: fileSize - TailLength - int64(len(raw)), Length: int64(len(raw)) + TailLength, Piece: Piece{Kind: PieceFooter}}
	r := &thriftReader{b: raw}
	var elems []schemaElement
	// Of a field that comes twice, the last one counts, lists included.
	r.eachField(func(id int16, typ byte) bool {
		switch id {
		case 1:
			return r.i32(typ, &f.Version)
		case 2:
			elems = nil
			from := r.p
			ok := r.structList(typ, func(int, int) { elems = append(elems, parseSchemaElement(r)) })
			f.schema = raw[from:r.p]
			return ok
		case 3:
			return r.i64(typ, &f.NumRows)
		case 4:
			f.RowGroups = nil
			var known shapes
			return r.structList(typ, func(i, _ int) { f.RowGroups = append(f.RowGroups, parseRowGroup(r, f, i, &known)) })
		case 5:
			f.KeyValue = nil
			return r.structList(typ, func(int, int) { f.KeyValue = append(f.KeyValue, parseKeyValue(r)) })
		case 6:
			return r.string(typ, &f.CreatedBy)
		case 7:
			f.orders = nil
			return r.structList(typ, func(int, int) { f.orders = append(f.orders, parseColumnOrder(r)) })
		}
		return false
	})
	if r.err != nil {
		return nil, &FormatError{Piece: "footer", Offset: f.Footer.Offset + int64(r.p), Err: r.err}
	}
	var err error
	if f.Schema, err = buildSchema(elems, len(raw)); err != nil {
		return nil, err
	}
	f.Writer, f.claimed = ParseWriter(f.CreatedBy), f.NumRows
	if len(f.orders) != len(f.Schema.Columns) {
		f.orders = nil // a list that does not match the columns says nothing
	}
	return f, f.number()
}

// number gives every row group its first row and checks the counts.
func (f *File) number() error {
	var total int64
	for _, g := range f.RowGroups {
		if g.NumRows < 0 {
			return formatErr("footer", -1, "row group %d has %d rows", g.Index, g.NumRows)
		}
		g.FirstRow = total
		if total += g.NumRows; total < 0 {
			return formatErr("footer", -1, "the row groups hold more rows than can be counted")
		}
	}
	if f.NumRows != total {
		for _, g := range f.RowGroups {
			if f.NumRows >= 0 && len(g.chunkAt) != len(f.Schema.Columns) {
				return formatErr("footer", -1, "it claims %d rows, the row groups %d, and row group %d lacks column chunks", f.NumRows, total, g.Index)
			}
		}
		// Row groups are what is read; several writers get the sum wrong.
		f.NumRows = total
	}
	return nil
}

// parseRowGroup reads row group i and walks over its column chunks, whose shapes
// it compares with those it knows.
func parseRowGroup(r *thriftReader, f *File, i int, known *shapes) *RowGroup {
	g := &RowGroup{Index: i, file: f, NumRows: -1}
	from := r.p
	r.eachField(func(id int16, typ byte) bool {
		switch id {
		case 1:
			return r.structList(typ, func(c, chunks int) {
				if c == 0 {
					g.chunkAt = make([]uint32, 0, chunks)
				}
				g.chunkAt = append(g.chunkAt, uint32(r.p))
				known.skip(r, c)
			})
		case 2:
			return r.i64(typ, &g.TotalByteSize)
		case 3:
			return r.i64(typ, &g.NumRows)
		case 4:
			g.Sorting = nil
			return r.structList(typ, func(int, int) { g.Sorting = append(g.Sorting, parseSorting(r)) })
		}
		return false
	})
	g.length = r.p - from
	return g
}

func parseSorting(r *thriftReader) (s SortingColumn) {
	r.eachField(func(id int16, typ byte) bool {
		switch id {
		case 1:
			return r.i32(typ, &s.Column)
		case 2:
			return r.bool(typ, &s.Descending)
		case 3:
			return r.bool(typ, &s.NullsFirst)
		}
		return false
	})
	return s
}

func parseKeyValue(r *thriftReader) (kv KeyValue) {
	r.eachField(func(id int16, typ byte) bool {
		switch id {
		case 1:
			return r.binary(typ, &kv.Key)
		case 2:
			return r.binary(typ, &kv.Value)
		}
		return false
	})
	return kv
}

func parseColumnOrder(r *thriftReader) (o columnOrder) {
	r.eachField(func(id int16, typ byte) bool {
		if id == 1 || id == 2 {
			o = columnOrder(id)
		}
		return false
	})
	return o
}

// piece names a piece of a column chunk for errors.
func (f *File) piece(rowGroup int, c *Column, what string) string {
	s := fmt.Sprintf("column chunk %d of row group %d (%s)", c.Index, rowGroup, c.Name)
	if what != "" {
		s += ", " + what
	}
	return s
}
