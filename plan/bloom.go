package plan

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"github.com/cespare/xxhash/v2"

	"github.com/parequet/pare/internal/page"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/predicate"
)

// bloom rules row groups out by split-block Bloom filters, for conditions that
// only finitely many values can pass.
// https://github.com/apache/parquet-format/blob/master/BloomFilter.md
type bloom struct{}

func (bloom) Name() string { return "bloom" }

const (
	bloomBlock     = 32 // bytes
	maxBloomHeader = 64
	maxBloomPoints = 10_000
	maxBloomBytes  = 128 << 20
)

// probe is a leaf that a chunk's filter can be asked about.
type probe struct {
	leaf   predicate.Leaf
	chunk  *Chunk
	hashes []uint64
}

func (bloom) Needs(q *Query, g *Group) (need []metadata.Extent, why string) {
	if q.Skip&Bloom != 0 {
		return nil, "switched off"
	}
	if q.File.Writer.BadBloomFilters() {
		return nil, "filters of " + q.File.CreatedBy + " may lack values"
	}
	probes, why := g.probes(q)
	for _, p := range probes {
		if header, bits := p.place(q.File); header > 0 {
			need = append(need, p.extents(header, bits)...)
		} else {
			need = append(need, p.start(q.File))
			g.bloomTwice = true
		}
	}
	return need, why
}

func (s bloom) Narrow(q *Query, g *Group, have metadata.Bytes) (more []metadata.Extent) {
	probes, _ := g.probes(q)
	type verdict struct {
		p      probe
		absent bool
	}
	var verdicts []verdict
	for _, p := range probes {
		header, bits := p.place(q.File)
		if header > 0 && !p.guessed(header, bits, have) {
			header = 0
		}
		if header == 0 { // the length was not given, or misled: the header says it
			b, ok := have.Get(p.start(q.File))
			if !ok {
				more = append(more, p.start(q.File))
				continue
			}
			h, err := metadata.ParseBloomHeader(b)
			if why := p.unusable(q.File, h, err); why != "" {
				g.doubt(p.chunk, "Bloom filter", why)
				continue
			}
			header, bits = int64(h.Length), int64(h.NumBytes)
			if missing := notIn(have, p.extents(header, bits)); len(missing) > 0 {
				more = append(more, missing...)
				continue
			}
		}
		absent, why := p.absent(q.File, header, bits, have)
		if why != "" {
			g.doubt(p.chunk, "Bloom filter", why)
			continue
		}
		verdicts = append(verdicts, verdict{p, absent})
	}
	if len(more) > 0 {
		return more
	}
	st, before := Step{Stage: s.Name(), Asked: true, Reason: "no filter could be used"}, g.May
	var found []string
	for _, v := range verdicts {
		name := v.p.chunk.Column.Name
		if v.absent {
			found = append(found, name+": no value that passes is in the Bloom filter")
			g.decide(v.p.leaf, predicate.Never, found[len(found)-1])
		} else {
			found = append(found, name+": the Bloom filter may hold a value that passes")
		}
	}
	if len(found) > 0 {
		st.Reason = strings.Join(found, "; ")
	}
	if d, why := g.explain(q.Where.Root); d == predicate.Never {
		g.May, st.Reason = nil, why
	} else if g.indexed { // what was decided of a leaf may decide rows
		g.nodes = nil
		g.takeRows(q.Where.Root)
	}
	g.step(st, before)
	return nil
}

// notIn returns the extents that have not been fetched.
func notIn(have metadata.Bytes, es []metadata.Extent) (out []metadata.Extent) {
	for _, e := range es {
		if _, ok := have.Get(e); !ok {
			out = append(out, e)
		}
	}
	return out
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

// blockOf is the offset of a hash's block in the bitset.
func blockOf(hash uint64, bits int64) int64 {
	return int64((hash >> 32) * uint64(bits/bloomBlock) >> 32 * bloomBlock)
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

func allZero(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}

// BloomFilter is the bitset of a filter.
type BloomFilter struct{ Bits []byte }

// MayHold reports whether a value of a column may be in the filter; it is true
// for values that filters do not hold.
func (b *BloomFilter) MayHold(col *metadata.Column, v metadata.Value) bool {
	hashes, ok := hashAll(col, []metadata.Value{v})
	if !ok || v.IsNaN() {
		return true
	}
	for _, h := range hashes {
		if at := blockOf(h, int64(len(b.Bits))); blockHolds(b.Bits[at:at+bloomBlock], uint32(h)) {
			return true
		}
	}
	return false
}

// bloomSalt are the odd constants of the format.
var bloomSalt = [8]uint32{0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31}

// blockHolds reports whether a block has the eight bits of a hash set.
func blockHolds(block []byte, hash uint32) bool {
	for i, salt := range bloomSalt {
		if binary.LittleEndian.Uint32(block[4*i:])>>(hash*salt>>27)&1 == 0 {
			return false
		}
	}
	return true
}
