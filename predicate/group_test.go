package predicate

import (
	"testing"

	"github.com/parequet/pare/metadata"
)

// nestedSchema is id, required r {x}, optional address {city, zip {code}},
// optional items (LIST) of {sku, qty}, and a repeated tags.
func nestedSchema() *metadata.Schema {
	s := schemaOf(column("id", metadata.Int64, 0, metadata.Logical{}))
	leaf := func(path []string, rep metadata.Repetition, typ metadata.Type, def, maxRep int) *metadata.Node {
		c := column(path[len(path)-1], typ, 0, metadata.Logical{})
		c.Path, c.Name, c.Index, c.Repetition, c.MaxDef, c.MaxRep = path, "", len(s.Columns), rep, def, maxRep
		for i, p := range path {
			if i > 0 {
				c.Name += "."
			}
			c.Name += p
		}
		s.Columns = append(s.Columns, c)
		return &metadata.Node{Name: path[len(path)-1], Repetition: rep, Column: c, Def: def, Rep: maxRep}
	}
	group := func(name string, rep metadata.Repetition, def, r int, kids ...*metadata.Node) *metadata.Node {
		n := &metadata.Node{Name: name, Repetition: rep, Def: def, Rep: r, Children: kids}
		for _, k := range kids {
			k.Parent = n
		}
		return n
	}
	const required, optional, repeated = metadata.Required, metadata.Optional, metadata.Repeated
	s.Root.Children = append(s.Root.Children,
		group("r", required, 0, 0, leaf([]string{"r", "x"}, optional, metadata.Int64, 1, 0)),
		group("address", optional, 1, 0,
			leaf([]string{"address", "city"}, optional, metadata.ByteArray, 2, 0),
			group("zip", optional, 2, 0, leaf([]string{"address", "zip", "code"}, required, metadata.Int32, 2, 0))),
		group("items", optional, 1, 0, group("list", repeated, 2, 1, group("element", optional, 3, 1,
			leaf([]string{"items", "list", "element", "sku"}, optional, metadata.ByteArray, 4, 1),
			leaf([]string{"items", "list", "element", "qty"}, required, metadata.Int32, 3, 1)))),
		leaf([]string{"tags"}, repeated, metadata.Int64, 1, 1))
	s.Root.Children[len(s.Root.Children)-2].Logical.Kind = metadata.List
	for _, n := range s.Root.Children {
		n.Parent = s.Root
	}
	return s
}

func TestNestedColumns(t *testing.T) {
	const many = ": a row may have many values of it, and predicates test one value a row (line 1, column 1); IS [NOT] NULL can be asked of "
	runBind(t, nestedSchema(), []bindCase{
		{"id = 1 AND r.x = 1", "id = 1 AND r.x = 1"},
		{"address.city = 'x' OR address.zip.code > 3", "address.city = 'x' OR address.zip.code >= 4"},
		{`"ADDRESS"."City" IS NULL`, "address.city IS NULL"},
		{"r.y = 1", "bind: unknown column r.y (line 1, column 1); did you mean r.x?"},
		{"address = 1", "bind: column address is a struct (line 1, column 1); name a column in it: address.city, address.zip.code"},
		{"items = 1", "bind: column items is a list" + many + "it"},
		{"items.list.element.sku = 'a'", "bind: column items.list.element.sku is repeated" + many + "the list that it is in"},
		{"tags = 1", "bind: column tags is a list" + many + "it"},
		{"address IS NULL", "address IS NULL"},
		{"NOT (address.zip IS NULL)", "address.zip IS NOT NULL"},
		{"items IS NOT NULL AND address IS NULL", "items IS NOT NULL AND address IS NULL"},
		{"r IS NULL", "FALSE"},
		{"r IS NOT NULL", "TRUE"},
		{"tags IS NULL", "FALSE"},
		{"items.list.element IS NULL", "bind: items.list.element lies in a list: a row may have many of it, and predicates test one value a row (line 1, column 1)"},
		{"items.list.element.sku IS NULL", "bind: items.list.element.sku lies in a list: a row may have many of it, and predicates test one value a row (line 1, column 1)"},
	})
}

// TestGroupLeaf: which column tells whether a group is NULL, and from which
// definition level on.
func TestGroupLeaf(t *testing.T) {
	for _, c := range []struct {
		text, column string
		def          int
	}{
		{"address IS NULL", "address.zip.code", 1}, {"address.zip IS NOT NULL", "address.zip.code", 2},
		{"items IS NULL", "items.list.element.qty", 1},
	} {
		l, ok := mustBind(t, c.text, nestedSchema()).Root.(*GroupLeaf)
		if !ok || l.Column().Name != c.column || l.Def != c.def {
			t.Errorf("%s: %+v", c.text, l)
		}
	}
	known := metadata.Zone{Rows: 10, Nulls: 0}
	some := metadata.Zone{Rows: 10, Nulls: 10}
	for _, c := range []struct {
		text string
		z    metadata.Zone
		want Decision
	}{
		{"address IS NULL", known, Never}, {"address IS NOT NULL", known, Always},
		{"address IS NULL", some, Maybe}, {"address IS NOT NULL", some, Maybe},
		{"address IS NULL", metadata.Zone{Rows: 10, Nulls: -1}, Maybe},
		{"items IS NULL", known, Maybe}, {"items IS NOT NULL", known, Maybe},
	} {
		if d := mustBind(t, c.text, nestedSchema()).Root.(*GroupLeaf).Decide(c.z); d != c.want {
			t.Errorf("%s, %+v: %v, want %v", c.text, c.z, d, c.want)
		}
	}
}
