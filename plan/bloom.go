package plan

import (
	"encoding/binary"
	"strings"

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

// blockOf is the offset of a hash's block in the bitset.
func blockOf(hash uint64, bits int64) int64 {
	return int64((hash >> 32) * uint64(bits/bloomBlock) >> 32 * bloomBlock)
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
