package plan

import (
	"testing"

	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/predicate"
)

// TestShareOfNulls: a condition that NULL passes lets at least the NULLs through.
func TestShareOfNulls(t *testing.T) {
	col := &metadata.Column{Path: []string{"x"}, Name: "x", Type: metadata.Int64, Order: metadata.OrderInt, MaxDef: 1}
	schema := &metadata.Schema{Root: &metadata.Node{Children: []*metadata.Node{{Name: "x", Column: col}}}, Columns: []*metadata.Column{col}}
	z := metadata.Zone{Rows: 100, Nulls: 90, Lower: metadata.IntValue(0), Upper: metadata.IntValue(9), HasLower: true, HasUpper: true, NoNaN: true}
	for text, want := range map[string]float64{"x IS NULL": 0.9, "x IS NULL OR x < 5": 0.95, "x < 5": 0.05} {
		x, err := predicate.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		b, err := predicate.Bind(x, schema)
		if err != nil {
			t.Fatal(err)
		}
		if got := leafShare(b.Root.(predicate.Leaf), z); got < want-1e-9 || got > want+1e-9 {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}
