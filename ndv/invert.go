package ndv

import (
	"math"
	"math/bits"
)

// indexBits is the width of an index into a dictionary of d values.
func indexBits(d float64) float64 {
	if !(d > 2) {
		return 1
	}
	return float64(bits.Len64(uint64(math.Ceil(d)) - 1))
}

// invertPacked solves bytes = d·w + n·b(d)/8 for d: a dictionary of values of w
// bytes and n indices, packed. For each width b there is at most one solution;
// between two widths the size jumps, and the jump itself is the answer.
func invertPacked(bytes, n, w float64) float64 {
	// The more bits, the fewer values: the first width that has room for them.
	perBit, most := n/8/w, 1.0
	d := bytes / w
	for b := 1; b <= 32; b++ {
		d -= perBit
		if most *= 2; d <= most {
			least := most/2 + 1
			if b == 1 {
				least = 1
			}
			return max(d, least)
		}
	}
	return n
}

// invertRuns solves bytes = d·(w + h + ⌈b/8⌉) for d: a dictionary and one run
// for each value, of n in all. h is the run header's length.
func invertRuns(bytes, n, w float64) float64 {
	d := max(1, bytes/(w+2))
	for range 8 {
		run := max(1, n/d)
		next := max(1, bytes/(w+runHeader(run)+math.Ceil(indexBits(d)/8)))
		if math.Abs(next-d) < 1e-3*d {
			return next
		}
		d = (d + next) / 2
	}
	return d
}

// runHeader is the length of the varint before a run of so many values.
func runHeader(run float64) float64 {
	return float64((bits.Len64(uint64(min(run, 1<<40))<<1) + 6) / 7)
}

// varint is the length of a zigzag varint.
func varint(n int64) int64 { return int64(bits.Len64(uint64(n)<<1|1)+6) / 7 }

// headerLengths are the lengths that the Thrift header of a dictionary page of
// d entries and size bytes may have: with or without is_sorted, and without a
// checksum or with one of up to 5 bytes.
func headerLengths(d, size int64) []int64 {
	least := 2 + 2*(1+varint(size)) + 1 + (1 + varint(d)) + 2 + 2
	out := []int64{least, least + 1}
	for crc := int64(2); crc <= 6; crc++ {
		out = append(out, least+crc, least+crc+1)
	}
	return out
}

// entriesOfSpan lists how many values of w bytes an uncompressed dictionary
// page of span bytes, header included, may hold: the header's length follows
// from the candidate itself. The first is that without a checksum.
func entriesOfSpan(span, w int64) (out []int64) {
	if w <= 0 {
		return nil
	}
	least := max(0, (span-longestHeader)/w)
	for d := least; d-least <= longestHeader && d <= span/w; d++ {
		for i, h := range headerLengths(d, d*w) {
			if d*w+h == span {
				if i < 2 { // no checksum: most writers
					out = append([]int64{d}, out...)
				} else {
					out = append(out, d)
				}
				break
			}
		}
	}
	return out
}

// The least and about the largest length of a dictionary page's header.
const (
	minHeader     = 13
	longestHeader = 40
)

// mostTexts is how many different byte arrays of at least shortest bytes fit
// into so many bytes, with the 4 bytes of each one's length.
func mostTexts(bytes, shortest int64) int64 {
	total := int64(0)
	for l := shortest; ; l++ {
		fit := bytes / (l + 4)
		if l >= 7 || fit <= 1<<(8*l) { // of one length there are 256^l
			return total + max(fit, 0)
		}
		total += 1 << (8 * l)
		bytes -= (l + 4) << (8 * l)
	}
}
