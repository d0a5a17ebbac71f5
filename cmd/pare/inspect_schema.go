package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/predicate"
)

// selectColumns takes the names of columns, and of groups for the columns in
// them.
func (i *inspector) selectColumns(names string) error {
	if names == "" {
		i.cols = i.meta.Schema.Columns
		return nil
	}
	for _, name := range strings.Split(names, ",") {
		n, err := predicate.ResolveNode(i.meta.Schema, strings.TrimSpace(name))
		if err != nil {
			return err
		}
		n.Leaves(func(c *metadata.Column) { i.cols = append(i.cols, c) })
	}
	return nil
}

// schema shows the columns, and levels only where one of them is nested.
func (i *inspector) schema() error {
	head := []string{">#", "column", "repetition", "type", "note"}
	nested := slices.ContainsFunc(i.cols, func(c *metadata.Column) bool { return !c.Flat() })
	if nested {
		head = slices.Insert(head, 3, ">max def", ">max rep")
	}
	notes := i.places()
	var rows [][]string
	for _, c := range i.cols {
		note := c.Problem
		if note == "" {
			note = notes[c.Index]
		}
		row := []string{fmt.Sprint(c.Index), c.Name, c.Repetition.String(), c.TypeName(), note}
		if nested {
			row = slices.Insert(row, 3, fmt.Sprint(c.MaxDef), fmt.Sprint(c.MaxRep))
		}
		rows = append(rows, row)
	}
	return i.table(head, rows)
}

// places says of each column what it lies in, "" of flat ones.
func (i *inspector) places() []string {
	out := make([]string, len(i.meta.Schema.Columns))
	var walk func(n *metadata.Node, in []string)
	walk = func(n *metadata.Node, in []string) {
		if n.Repetition == metadata.Repeated && n.Parent != nil {
			kind := "list"
			if n.Parent.Logical.Kind == metadata.Map {
				kind = "map"
			}
			in = append(slices.Clone(in), kind)
		}
		switch {
		case n.Column == nil:
		case len(in) > 0:
			out[n.Column.Index] = placeText(in)
		case !n.Column.Flat():
			out[n.Column.Index] = "in a struct"
		}
		for _, c := range n.Children {
			walk(c, in)
		}
	}
	walk(i.meta.Schema.Root, nil)
	return out
}

// placeText names lists and maps, given from the outermost on, from the
// innermost on: in a map in 2 lists.
func placeText(in []string) string {
	var parts []string
	for end := len(in); end > 0; {
		k := end - 1
		for k > 0 && in[k-1] == in[end-1] {
			k--
		}
		part := "in a " + in[k]
		if n := end - k; n > 1 {
			part = fmt.Sprintf("in %d %ss", n, in[k])
		}
		parts, end = append(parts, part), k
	}
	return strings.Join(parts, " ")
}
