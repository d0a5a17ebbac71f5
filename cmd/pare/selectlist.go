package main

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/parequet/pare"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/predicate"
)

// itemError is about an item of the SELECT list.
func (r *request) itemError(item predicate.Item, msg string) error {
	return &predicate.Error{Msg: msg, Text: r.list, Pos: item.Pos}
}

// placed gives an error about an item of the SELECT list its place.
func (r *request) placed(item predicate.Item, err *predicate.Error) error {
	e := *err
	e.Text, e.Pos = r.list, item.Pos
	return &e
}

// queryFor resolves the SELECT list against a file. rename gives the result's
// columns their aliases.
func (r *request) queryFor(f *pare.File) (pare.Query, func(*arrow.Schema) *arrow.Schema, error) {
	q, err := r.query()
	same := func(s *arrow.Schema) *arrow.Schema { return s }
	if err != nil || r.items == nil {
		return q, same, err
	}
	var aliases []string
	schema := f.Metadata().Schema
	for _, item := range r.items {
		if !item.Star {
			if _, err := predicate.ResolveNode(schema, item.Column); err != nil {
				return q, same, r.placed(item, err)
			}
			q.Select = append(q.Select, item.Column)
			aliases = append(aliases, item.Alias)
			continue
		}
		if len(r.items) == 1 {
			q.Select = nil
			return q, same, nil
		}
		for _, field := range f.ArrowSchema().Fields() {
			q.Select = append(q.Select, field.Name)
			aliases = append(aliases, "")
		}
	}
	rename := func(s *arrow.Schema) *arrow.Schema {
		fields := s.Fields()
		for i, a := range aliases {
			if a != "" {
				fields[i].Name = a
			}
		}
		return arrow.NewSchema(fields, nil)
	}
	return q, rename, nil
}

// checkAggregates refuses aggregates of what is no column of one value a row.
func (r *request) checkAggregates(schema *metadata.Schema) error {
	for _, item := range r.items {
		if item.Aggregate == "" || item.Star {
			continue
		}
		col, err := predicate.Resolve(schema, item.Column)
		switch {
		case err == nil && col.Repeated(), err != nil && isList(schema, item.Column):
			return r.itemError(item, fmt.Sprintf("a row may have many values of %s; %s is of columns that are in no list or map", item.Column, item.Aggregate))
		case err != nil:
			return r.placed(item, err)
		}
	}
	return nil
}

// isList reports whether a name is that of a group in which every column is
// repeated.
func isList(schema *metadata.Schema, name string) bool {
	n, _ := schema.LookupNode(name)
	if n == nil {
		return false
	}
	list := true
	n.Leaves(func(c *metadata.Column) { list = list && c.Repeated() })
	return list
}
