package ndvbench

import (
	"context"

	"github.com/parequet/pare"
	"github.com/parequet/pare/ndv"
	"github.com/parequet/pare/source"
)

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
	all, none := true, true
	for _, k := range c.Chunks {
		all = all && (k.Usage == ndv.All || k.Zone.AllNull())
		none = none && (k.Usage == ndv.None || k.Zone.AllNull())
	}
	switch {
	case all:
		return "dictionary", nil
	case none:
		return "no dictionary", nil
	}
	return "dictionary given up", nil
}
