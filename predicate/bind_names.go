package predicate

import (
	"fmt"
	"sort"
	"strings"

	"github.com/parequet/pare/metadata"
)

// resolve finds a column that can be tested.
func (b *binder) resolve(c Column) (*metadata.Column, error) {
	if b.any {
		return b.schema.Columns[0], nil
	}
	col, err := Resolve(b.schema, c.name)
	if n, _ := b.schema.LookupNode(c.name); err != nil && n != nil {
		err = notTested(n, c.name)
	}
	if err != nil {
		e := *err
		e.Text, e.Pos = b.text, c.pos
		return nil, &e
	}
	if col.Problem != "" {
		return nil, b.errorAt(c.pos, "", "column %s cannot be read: %s", col.Name, col.Problem)
	}
	if col.Repeated() {
		n, _ := b.schema.LookupNode(col.Name)
		e := notTested(n, col.Name)
		e.Text, e.Pos = b.text, c.pos
		return nil, e
	}
	return col, nil
}

// Resolve finds a leaf by its dotted name. An unknown name is answered with
// the closest ones.
func Resolve(schema *metadata.Schema, name string) (*metadata.Column, *Error) {
	col, ambiguous := schema.Lookup(name)
	if col != nil {
		return col, nil
	}
	if len(ambiguous) > 0 {
		return nil, ambiguousName(name, ambiguous)
	}
	if n, _ := schema.LookupNode(name); n != nil {
		return nil, noColumn(n, name)
	}
	return nil, unknownColumn(schema, name)
}

// ResolveNode finds a node of the schema by its dotted name: a column, or a
// struct, list or map. An unknown name is answered with the closest ones.
func ResolveNode(schema *metadata.Schema, name string) (*metadata.Node, *Error) {
	n, ambiguous := schema.LookupNode(name)
	switch {
	case n != nil:
		return n, nil
	case len(ambiguous) > 0:
		return nil, ambiguousName(name, ambiguous)
	}
	return nil, unknownColumn(schema, name)
}

func ambiguousName(name string, candidates []string) *Error {
	return &Error{Msg: fmt.Sprintf("column %s is ambiguous", name), Hint: "it may be " + strings.Join(candidates, " or "), Pos: -1}
}

func unknownColumn(schema *metadata.Schema, name string) *Error {
	e := &Error{Msg: "unknown column " + name, Pos: -1}
	if near := closest(schema, name); len(near) > 0 {
		e.Hint = "did you mean " + strings.Join(near, ", ") + "?"
	}
	return e
}

// closest returns up to three column names, the nearest by edit distance first.
func closest(schema *metadata.Schema, name string) []string {
	type candidate struct {
		name string
		d    int
	}
	var cs []candidate
	for _, c := range schema.Columns {
		d := editDistance(strings.ToLower(name), strings.ToLower(c.Name))
		if d <= max(2, len(name)/2) || len(schema.Columns) <= 3 {
			cs = append(cs, candidate{c.Name, d})
		}
	}
	sort.SliceStable(cs, func(i, j int) bool { return cs[i].d < cs[j].d })
	var out []string
	for _, c := range cs[:min(3, len(cs))] {
		out = append(out, c.name)
	}
	return out
}

func editDistance(a, b string) int {
	prev := make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := range len(a) {
		diag := prev[0]
		prev[0] = i + 1
		for j := range len(b) {
			d := diag
			if a[i] != b[j] {
				d = 1 + min(diag, prev[j], prev[j+1])
			}
			diag, prev[j+1] = prev[j+1], d
		}
	}
	return prev[len(b)]
}
