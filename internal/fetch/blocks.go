package fetch

import (
	"slices"

	"github.com/parequet/pare/internal/membuf"
	"github.com/parequet/pare/metadata"
)

// block is a stretch of the object in memory.
type block struct {
	off  int64
	data []byte
}

func (b block) holds(off, end int64) bool { return off >= b.off && end <= b.off+int64(len(b.data)) }

func (b block) slice(off, end int64) []byte {
	return b.data[off-b.off : end-b.off : end-b.off]
}

// Blocks are the bytes of one round's extents.
type Blocks struct {
	f      *Fetcher
	blocks []block // sorted
}

// Get returns the bytes of an extent that was asked for; they are valid until
// the blocks are released. It implements [metadata.Bytes].
func (b *Blocks) Get(e metadata.Extent) ([]byte, bool) {
	if e.Length < 0 {
		return nil, false
	}
	tail := b.f.tail
	if tail.holds(e.Offset, e.End()) {
		return tail.slice(e.Offset, e.End()), true
	}
	i, found := slices.BinarySearchFunc(b.blocks, e.Offset, func(k block, off int64) int {
		return int(min(max(k.off-off, -1), 1))
	})
	if !found {
		i--
	}
	if i < 0 {
		return nil, false
	}
	if k := b.blocks[i]; k.holds(e.Offset, e.End()) {
		return k.slice(e.Offset, e.End()), true
	}
	return nil, false
}

// Release gives the memory back. The blocks, and all bytes that Get returned,
// must not be used any more.
func (b *Blocks) Release() {
	if b == nil {
		return
	}
	for _, k := range b.blocks {
		membuf.Put(k.data)
	}
	b.blocks = nil
}
