package ndvbench

import (
	"context"
	"math/bits"

	"github.com/parequet/pare"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/ndv"
	"github.com/parequet/pare/source"
)

// The budgets of tier 3, unless it is told others.
const (
	chunkBudget  = 64 << 10
	columnBudget = 1 << 20
	inBudget     = "dictionary within the budget"
)

// filtered reports whether every chunk of a column with values has a Bloom
// filter that is less than 95 % full.
func filtered(data []byte, column int) bool {
	f, err := pare.Open(context.Background(), source.Memory(data), pare.Options{})
	if err != nil {
		return false
	}
	for _, g := range f.Metadata().RowGroups {
		c, err := g.Chunk(f.Metadata().Schema.Columns[column])
		if err != nil || c.BloomOffset <= 0 || c.BloomOffset > int64(len(data)) {
			return false
		}
		h, err := metadata.ParseBloomHeader(data[c.BloomOffset:])
		if err != nil {
			return false
		}
		ones, from := 0, int(c.BloomOffset)+h.Length
		for _, b := range data[from : from+int(h.NumBytes)] {
			ones += bits.OnesCount8(b)
		}
		if float64(ones) > 0.95*8*float64(h.NumBytes) {
			return false
		}
	}
	return true
}

// usageOf says how the chunks of a column use dictionaries.
func usageOf(data []byte, column int) (string, error) {
	f, err := pare.Open(context.Background(), source.Memory(data), pare.Options{})
	if err != nil {
		return "", err
	}
	c, err := ndv.FromParquet(f.Metadata(), f.Metadata().Schema.Columns[column])
	if err != nil {
		return "", err
	}
	all, none, span := true, true, int64(0)
	for _, k := range c.Chunks {
		if span += k.Dictionary; k.Dictionary > chunkBudget || k.Dictionary <= 0 && !k.Zone.AllNull() {
			span = columnBudget + 1
		}
		all = all && (k.Usage == ndv.All || k.Zone.AllNull())
		none = none && (k.Usage == ndv.None || k.Zone.AllNull())
	}
	switch {
	case all && span <= columnBudget:
		return inBudget, nil
	case all:
		return "dictionary", nil
	case none:
		return "no dictionary", nil
	}
	return "dictionary given up", nil
}
