package metadata

import "fmt"

// PieceKind says what a stretch of a file is.
type PieceKind uint8

const (
	PieceFooter PieceKind = iota
	PieceColumnIndex
	PieceOffsetIndex
	PieceBloom
	PieceDictionary
	PiecePage  // one data page, header included
	PieceChunk // the pages of a column chunk whose places are not known
)

func (k PieceKind) String() string {
	return [...]string{"footer", "column index", "offset index", "Bloom filter", "dictionary page", "data page", "column chunk"}[k]
}

// Extent is a stretch of a file and the piece that lies there. It is
// comparable, so that it can be a key.
type Extent struct {
	Offset int64
	Length int64
	Piece  Piece
}

// Piece names a stretch of a file.
type Piece struct {
	Kind     PieceKind
	RowGroup int
	Column   int // place among the leaves
	Page     int // place among the chunk's data pages, PiecePage only
}

// End is the offset after the extent's last byte.
func (e Extent) End() int64 { return e.Offset + e.Length }

func (e Extent) String() string {
	if e.Piece.Kind == PieceFooter {
		return fmt.Sprintf("[%d,%d) footer", e.Offset, e.End())
	}
	s := fmt.Sprintf("[%d,%d) %v of row group %d column %d", e.Offset, e.End(), e.Piece.Kind, e.Piece.RowGroup, e.Piece.Column)
	if e.Piece.Kind == PiecePage {
		s += fmt.Sprintf(" page %d", e.Piece.Page)
	}
	return s
}

// Bytes hands out the bytes of extents that were asked for. ok is false if
// the extent has not been fetched.
type Bytes interface {
	Get(e Extent) (b []byte, ok bool)
}
