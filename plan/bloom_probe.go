package plan

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/cespare/xxhash/v2"

	"github.com/parequet/pare/internal/page"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/predicate"
)

// probe is a leaf that a chunk's filter can be asked about.
type probe struct {
	leaf   predicate.Leaf
	chunk  *Chunk
	hashes []uint64
}

// probes lists the leaves that filters can be asked about, or says why there
// are none.
func (g *Group) probes(q *Query) (out []probe, why string) {
	g.undecided(q.Where.Root, func(l predicate.Leaf) {
		if why == "" {
			why = "no condition asks for a finite set of values"
		}
		c := g.chunk(l.Column())
		points, ok := pointsWithin(l, c.Zone)
		if !ok || len(points) == 0 || len(points) > maxBloomPoints {
			return
		}
		if c.BloomOffset <= 0 || c.BloomOffset >= q.File.Footer.Offset {
			why = "column " + c.Column.Name + " has no Bloom filter"
			if c.BloomOffset != 0 {
				g.doubt(c, "Bloom filter", "it lies outside the file")
			}
			return
		}
		hashes, ok := hashAll(c.Column, points)
		if !ok {
			why = "values of column " + c.Column.Name + " have more than one encoding"
			return
		}
		out = append(out, probe{l, c, hashes})
	})
	if len(out) > 0 {
		why = ""
	}
	return out, why
}

// pointsWithin returns the values that can pass a leaf in a unit of rows, if
// they are finitely many: x = 3 OR x > 5 asks for 3 alone where all are below 5.
func pointsWithin(l predicate.Leaf, z metadata.Zone) ([]metadata.Value, bool) {
	if set, ok := l.(*predicate.SetLeaf); ok && z.Rows > 0 {
		s := set.Set.Within(z)
		points, finite := s.Points()
		return points, finite && !s.Null
	}
	points, finite := l.Points()
	return points, finite && !l.TestNull()
}

// hashAll hashes points as the column's values are stored. ok is false if a
// value can be stored in several ways.
func hashAll(col *metadata.Column, points []metadata.Value) (out []uint64, ok bool) {
	for _, v := range points {
		var b []byte
		switch {
		case v.Order == metadata.OrderFloat && col.Type == metadata.Double:
			b = binary.LittleEndian.AppendUint64(nil, math.Float64bits(v.Float))
		case v.Order == metadata.OrderFloat && col.Type == metadata.Float:
			if float64(float32(v.Float)) != v.Float {
				continue // no FLOAT equals it
			}
			b = binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(v.Float)))
		case col.Type == metadata.Int32 && col.Logical.Kind == metadata.Integer && col.Logical.Bits < 32:
			return nil, false // they may be stored with other high bits than their own
		case col.Type == metadata.Int32:
			b = binary.LittleEndian.AppendUint32(nil, uint32(v.Int))
		case col.Type == metadata.FixedLenByteArray && v.Order == metadata.OrderDecimal:
			b = page.Widen(v.Bytes, int(col.TypeLength))
		case col.Type == metadata.Int64:
			b = binary.LittleEndian.AppendUint64(nil, uint64(v.Int))
		case v.Order == metadata.OrderBytes:
			b = v.Bytes
		default: // INT96, FLOAT16, BOOLEAN, decimals in bytes
			return nil, false
		}
		out = append(out, xxhash.Sum64(b))
		if v.Order == metadata.OrderFloat && v.Float == 0 { // the other zero passes, too
			b[len(b)-1] ^= 0x80
			out = append(out, xxhash.Sum64(b))
		}
	}
	return out, true
}

// place derives where the bits are from the filter's length, without its
// header: a bitset is a number of blocks, so what is left over is the header.
// header is 0 if the length is not given or does not tell.
func (p probe) place(f *metadata.File) (header, bits int64) {
	n := p.chunk.BloomLength
	header = n % bloomBlock
	if n <= bloomBlock || header == 0 || n > f.Footer.Offset-p.chunk.BloomOffset || n > maxBloomBytes {
		return 0, 0
	}
	return header, n - header
}

// guessed reports whether the header is where the filter's length says.
func (p probe) guessed(header, bits int64, have metadata.Bytes) bool {
	b, ok := have.Get(p.at(0, header))
	if !ok {
		b, ok = have.Get(p.at(0, header+bits))
	}
	if !ok {
		return false
	}
	h, err := metadata.ParseBloomHeader(b)
	return err == nil && int64(h.Length) == header && int64(h.NumBytes) == bits
}

// start is enough of the filter to hold its header.
func (p probe) start(f *metadata.File) metadata.Extent {
	return p.at(0, min(maxBloomHeader, f.Footer.Offset-p.chunk.BloomOffset))
}

// at is a stretch of the filter.
func (p probe) at(off, n int64) metadata.Extent {
	return metadata.Extent{Offset: p.chunk.BloomOffset + off, Length: n,
		Piece: metadata.Piece{Kind: metadata.PieceBloom, RowGroup: p.chunk.RowGroup, Column: p.chunk.Column.Index}}
}

// extents lists the header and the blocks that the points may be in, or the
// whole filter where that is no more.
func (p probe) extents(header, bits int64) []metadata.Extent {
	blocks := map[int64]bool{}
	out := []metadata.Extent{p.at(0, header)}
	for _, h := range p.hashes {
		if at := blockOf(h, bits); !blocks[at] {
			blocks[at] = true
			out = append(out, p.at(header+at, bloomBlock))
		}
	}
	if int64(len(blocks))*bloomBlock*2 >= bits {
		return []metadata.Extent{p.at(0, header+bits)}
	}
	return out
}

// unusable says why a header's filter is not asked.
func (p probe) unusable(f *metadata.File, h metadata.BloomHeader, err error) string {
	switch room := f.Footer.Offset - p.chunk.BloomOffset - int64(h.Length); {
	case err != nil:
		return err.Error()
	case int64(h.NumBytes) > room:
		return fmt.Sprintf("its bitset of %d bytes does not fit before the footer", h.NumBytes)
	case h.NumBytes > maxBloomBytes:
		return fmt.Sprintf("a bitset of %d bytes", h.NumBytes)
	case p.chunk.BloomLength > 0 && p.chunk.BloomLength != int64(h.Length)+int64(h.NumBytes):
		return fmt.Sprintf("its length of %d bytes is not that of its header and bitset", p.chunk.BloomLength)
	}
	return ""
}

// absent reports whether none of the points is in the filter, or why it
// cannot be asked.
func (p probe) absent(f *metadata.File, header, bits int64, have metadata.Bytes) (absent bool, why string) {
	whole, haveWhole := have.Get(p.at(0, header+bits))
	b := whole
	if !haveWhole {
		var ok bool
		if b, ok = have.Get(p.at(0, header)); !ok {
			return false, "it was not fetched"
		}
	}
	h, err := metadata.ParseBloomHeader(b)
	if why := p.unusable(f, h, err); why != "" {
		return false, why
	}
	if int64(h.Length) != header || int64(h.NumBytes) != bits {
		return false, "its length is not that of its header and bitset"
	}
	if haveWhole && allZero(whole[header:]) {
		return false, "it holds nothing, though the chunk has values"
	}
	for _, hash := range p.hashes {
		at := blockOf(hash, bits)
		var block []byte
		if haveWhole {
			block = whole[header+at : header+at+bloomBlock]
		} else if block, _ = have.Get(p.at(header+at, bloomBlock)); block == nil {
			return false, "it was not fetched"
		}
		if blockHolds(block, uint32(hash)) {
			return false, ""
		}
	}
	return true, ""
}
