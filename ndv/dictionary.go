package ndv

import (
	"fmt"
	"math"

	"github.com/parequet/pare/metadata"
)

// raw is the fewest bytes that so many stored bytes of so many pages come
// from: a codec adds at most a percent, and a frame to each page, of 23 bytes
// for gzip.
func raw(stored, pages float64) float64 { return (stored - frame*pages) / expansion }

const (
	expansion = 1.01
	frame     = 32
)

// pageOverhead is about what the header of a data page and its run headers
// take, levels left out.
const pageOverhead = 27

// overhead is what a chunk's pages take beside the dictionary's values and the
// indices: headers, levels, and the headers of packed runs of 504 values. What
// levels take is not known: packed it is a bit a row, but nulls come in runs.
func (col *Column) overhead(c *Chunk) float64 {
	pages, size := float64(max(c.Pages, 1)), float64(c.Size)
	o := minHeader + 5 + pages*pageOverhead + float64(c.Zone.Rows)/504
	levels := 0.0
	if col.Nullable {
		o += pages * 6
		if nulls := c.Zone.Nulls; nulls > 0 && nulls < c.Zone.Rows {
			levels += min(float64(c.Zone.Rows)/8, 4*float64(min(nulls, c.Zone.Rows-nulls)))
		}
	}
	if col.Repeated {
		o += pages * 6
		levels += float64(c.Zone.Rows) / 8
	}
	return min(o, 0.8*size) + min(levels, 0.4*max(0, size-o))
}

// width is about how many bytes a value takes in a dictionary.
func (col *Column) width(c *Chunk) float64 {
	if col.Width >= 0 {
		return float64(col.Width)
	}
	return 4 + col.textLength(c)
}

// textLength is the mean length of a byte array: of those that were counted,
// else of the bounds.
func (col *Column) textLength(c *Chunk) float64 {
	if _, n := c.values(); c.Text >= 0 && n > 0 {
		return float64(c.Text) / float64(n)
	}
	return col.meanText
}

// shortest is the least length of a value that is proven.
func (col *Column) shortest() int64 {
	if col.Order == metadata.OrderDecimal {
		return 1
	}
	return 0
}

// dictionary answers from sizes for a chunk all of whose pages use one, or may.
func (col *Column) dictionary(p *part, c *Chunk) {
	if c.Size <= 0 || c.Stored <= 0 || p.n == 0 {
		return
	}
	w := col.width(c)
	p.beside = col.overhead(c)
	total := float64(c.Size) - p.beside
	proven := c.Usage == All
	if proven {
		col.dictionaryBounds(p, c)
	}
	packed := max(1, invertPacked(total, p.n, w))
	if !proven && packed > 0.9*p.n {
		return // it may as well be plain
	}
	if d, ok := col.uncompressedEntries(p, c); ok {
		p.settle(d, T0, "the size of the dictionary, which is not compressed")
		return
	}
	p.settle(packed, T0, "sizes of a dictionary and packed indices")
	runs := invertRuns(total, p.n, w)
	if span := float64(c.Dictionary); span > 0 {
		stored := span - minHeader - 5 // of the values
		if data := float64(c.Stored) - span; raw(stored, 1) > packed*w || data < 0.6*p.n*indexBits(packed)/8 {
			d := max(1, total*span/float64(c.Stored)/w)
			// One run a value, if runs are long and the dictionary is not
			// compressed beyond belief.
			if p.n/runs >= 16 && stored >= 0.12*runs*w {
				d = math.Sqrt(d * runs)
			}
			p.settle(d, T0, "sizes of a dictionary and indices in runs")
		}
	}
	if proven && c.Dictionary <= 0 && total < 0.9*p.n*indexBits(packed)/8 {
		// Too little for packed indices. Most columns in runs have some runs of
		// the same value.
		p.settle(max(packed, runs/1.5), T0, "sizes of a dictionary and indices in runs")
	}
	if col.ordered && runs > p.estimate {
		p.settle(runs, T0, "sizes of a dictionary and one run a value")
	}
}

// draws is as how many independent draws a chunk's values count: its runs, as
// far as the bytes of its indices tell, and all of them if they are packed.
func (col *Column) draws(p *part, c *Chunk) float64 {
	if c.Usage != All || c.Size <= 0 || p.beside == 0 || math.IsNaN(p.estimate) || col.Width < 0 && c.Text < 0 {
		return p.n
	}
	bits := indexBits(p.estimate)
	indices := float64(c.Size) - p.beside - p.estimate*col.width(c)
	switch share := indices / (p.n * bits / 8); {
	case share > 0.9:
		return p.n
	case share > 0.5:
		return share * p.n
	}
	return min(max(indices/(2+math.Ceil(bits/8)), p.estimate), p.n)
}

// dictionaryBounds bounds the entries of a dictionary by the bytes it has.
func (col *Column) dictionaryBounds(p *part, c *Chunk) {
	bytes := c.Size - minHeader
	on := Sizes
	if c.Dictionary > 0 && c.Pages > 0 {
		// What the data pages take is not the dictionary's.
		if data := raw(float64(c.Stored-c.Dictionary), float64(c.Pages)); data > 0 {
			bytes = min(bytes, c.Size-int64(data))
			on |= Expansion
		}
	}
	if bytes < 0 {
		return
	}
	if col.Width > 0 {
		p.lower(bytes/int64(col.Width), on)
		if c.Dictionary > 0 && col.Order != metadata.OrderFloat && !c.Unused {
			p.raise(int64(raw(float64(c.Dictionary-longestHeader), 1)/float64(col.Width)), Sizes|Expansion|Used)
		}
	} else if col.Width < 0 {
		p.lower(mostTexts(bytes, col.shortest()), on)
	}
}

// uncompressedEntries counts the entries of a dictionary that is not
// compressed: exactly, if only one length of its header fits.
func (col *Column) uncompressedEntries(p *part, c *Chunk) (d float64, ok bool) {
	if c.Compressed || c.Dictionary <= 0 {
		return 0, false
	}
	if col.Width < 0 {
		return max(1, (float64(c.Dictionary)-minHeader-5)/col.width(c)), true
	}
	fit := entriesOfSpan(c.Dictionary, int64(col.Width))
	if len(fit) == 0 {
		return 0, false
	}
	least, most := fit[0], fit[0]
	for _, n := range fit {
		least, most = min(least, n), max(most, n)
	}
	p.lower(most, Sizes)
	if col.Order != metadata.OrderFloat && c.Usage == All && !c.Unused {
		p.raise(least, Sizes|Used)
	}
	return float64(fit[0]), true
}

// dictionaryLimit is where writers give up a dictionary.
const dictionaryLimit = 1 << 20

// fallback answers for a chunk whose first pages use a dictionary: what they
// hold, and as many values more as the rest is expected to bring.
func (col *Column) fallback(p *part, c *Chunk) {
	if c.Size <= 0 {
		return
	}
	w := col.width(c)
	if col.Width < 0 && c.Text < 0 {
		// Nearly all bytes are plain values.
		w = max(5, float64(c.Size)/p.n)
	}
	bytes := float64(dictionaryLimit)
	if span := float64(c.Dictionary); span > 0 {
		bytes = max(min(bytes, span*float64(c.Size)/float64(c.Stored)), raw(span-longestHeader, 1))
		if !c.Compressed {
			bytes = span - minHeader - 5
		}
		if col.Width > 0 && col.Order != metadata.OrderFloat && !c.Unused {
			p.raise(int64(raw(span-longestHeader, 1)/float64(col.Width)), Sizes|Expansion|Used)
		}
	}
	first := min(max(1, bytes/w), p.n)
	rows := p.n
	if b := indexBits(first) / 8; w > b {
		rows = (bytes + p.n*w - (float64(c.Size) - col.overhead(c))) / (w - b)
	}
	rows = min(max(rows, first), p.n)
	d := occupancy(population(first, rows), p.n)
	route := "a dictionary that was given up"
	if col.ordered || math.IsInf(d, 1) {
		d = first * p.n / rows
	}
	p.settle(max(d, first), T0, fmt.Sprintf("%s: about %.0f values in the first %.0f %% of the rows", route, first, 100*rows/p.n))
}
