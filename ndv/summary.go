package ndv

import "github.com/parequet/pare/metadata"

// Column is what the metadata of one or more files says of a column.
type Column struct {
	Name     string
	Order    metadata.Order
	Width    int  // bytes of a value; -1 for byte arrays, which a 4-byte length precedes
	Boolean  bool // values are bits, and are never in a dictionary
	Nullable bool // chunks hold definition levels
	Repeated bool // chunks hold repetition levels
	Chunks   []Chunk

	categorical bool // of the file that is being added

	ordered  bool    // the chunks' ranges follow each other
	meanText float64 // the mean length of the bounds of byte arrays
}

// Usage says how far a chunk's values are in its dictionary.
type Usage uint8

const (
	Unknown  Usage = iota // nothing tells
	None                  // there is no dictionary
	Fallback              // the first pages use it, later ones do not
	All                   // every page does
)

// Chunk is what metadata says of one column chunk of Parquet, or of a column
// in a stripe of ORC. Sizes are in bytes; -1 is unknown.
type Chunk struct {
	RowGroup int // of its file
	// Zone has the values, nulls included, and the bounds that are believed.
	Zone metadata.Zone
	// Kept is how many of the values are asked about: all of them if -1. Which
	// they are is not known.
	Kept int64

	Size       int64 // all pages decompressed, headers included
	Stored     int64 // all pages as stored, headers included
	Compressed bool  // by a codec: else sizes are those of the encodings
	Usage      Usage
	Pages      int64 // data pages
	Dictionary int64 // the dictionary page as stored, header included
	Text       int64 // the bytes of all byte arrays, without their lengths

	Written int64 // a distinct count in the statistics of a writer that is trusted
	// Unused says that dictionaries, or what was written of them, may hold
	// values that no row has: those of a categorical type.
	Unused bool

	PageZones []metadata.Zone // T1: of each page
	Entries   int64           // T2: the entries of the dictionary
	Values    Set             // T3: the values of the dictionary
	Filter    *Filter         // T4
}

// NewChunk is a chunk of which only the zone is known.
func NewChunk(z metadata.Zone) Chunk {
	return Chunk{Zone: z, Kept: -1, Size: -1, Stored: -1, Pages: -1, Dictionary: -1, Text: -1, Written: -1, Entries: -1}
}

// values returns the fewest and the most values, nulls left out.
func (c *Chunk) values() (least, most int64) {
	if c.Zone.Nulls >= 0 {
		return c.Zone.Rows - c.Zone.Nulls, c.Zone.Rows - c.Zone.Nulls
	}
	if c.Zone.HasLower || c.Zone.HasUpper {
		return min(1, c.Zone.Rows), c.Zone.Rows
	}
	return 0, c.Zone.Rows
}

// prepare works out what all chunks together tell of each.
func (col *Column) prepare() {
	col.ordered = len(col.Chunks) > 2
	up, down := true, true
	sum, count := 0.0, 0.0
	for i := range col.Chunks {
		z := &col.Chunks[i].Zone
		if z.HasLower {
			sum, count = sum+float64(len(z.Lower.Bytes)), count+1
		}
		if z.HasUpper {
			sum, count = sum+float64(len(z.Upper.Bytes)), count+1
		}
		if !z.HasLower || !z.HasUpper {
			col.ordered = col.ordered && z.AllNull()
			continue
		}
		if i > 0 && col.ordered {
			if before := &col.Chunks[i-1].Zone; before.HasUpper {
				up = up && before.Upper.Compare(z.Lower) <= 0
				down = down && z.Upper.Compare(before.Lower) <= 0
			}
		}
	}
	col.ordered = col.ordered && (up || down)
	if col.meanText = 12; count > 0 { // else nothing tells
		col.meanText = sum / count
	}
}

// rangeWidth counts the integers within a zone's bounds.
func rangeWidth(z metadata.Zone) (n int64, ok bool) {
	if !z.HasLower || !z.HasUpper {
		return 0, false
	}
	switch z.Lower.Order {
	case metadata.OrderInt, metadata.OrderUint:
		span := uint64(z.Upper.Int) - uint64(z.Lower.Int)
		if span >= 1<<62 {
			return 0, false
		}
		return int64(span) + 1, true
	case metadata.OrderDecimal:
		d := z.Upper.BigInt()
		d.Sub(d, z.Lower.BigInt())
		if !d.IsInt64() || d.Sign() < 0 || d.Int64() >= 1<<62 {
			return 0, false
		}
		return d.Int64() + 1, true
	}
	return 0, false
}
