package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/parquet-go/parquet-go"

	"github.com/parequet/pare/bench/peer"
)

// leaf is what the pages of a column come to.
type leaf struct {
	def  [8]int64 // how many values have each definition level
	rows int64
	sum  float64
}

// nestedTask reads the pages of nested columns: ReadPage decodes their levels and
// values. It makes no rows of them; structsTask does.
func nestedTask(f *parquet.File, t peer.Task) (a peer.Answer, err error) {
	var fields, leaves []*parquet.Column
	for _, c := range f.Root().Columns() {
		if len(t.Columns) == 0 || slices.Contains(t.Columns, c.Name()) {
			fields, leaves = append(fields, c), appendLeaves(leaves, c)
		}
	}
	sums := make([]leaf, len(f.Schema().Columns()))
	at := int64(0)
	for _, g := range f.RowGroups() {
		rows := peer.Rows{To: g.NumRows()}
		if t.Rows != nil {
			rows = peer.Rows{From: max(t.Rows.From-at, 0), To: min(t.Rows.To-at, g.NumRows())}
		}
		at += g.NumRows()
		if rows.From >= rows.To {
			continue
		}
		a.Rows += rows.To - rows.From
		if err := eachLeaf(leaves, t.Threads, func(i int) error {
			return sums[i].read(g.ColumnChunks()[i], rows, rows.To == g.NumRows(), t.Check)
		}); err != nil {
			return a, err
		}
	}
	for _, c := range fields {
		a.Sums = figures(a.Sums, c, sums)
	}
	return a, nil
}

func appendLeaves(out []*parquet.Column, c *parquet.Column) []*parquet.Column {
	if c.Leaf() {
		return append(out, c)
	}
	for _, k := range c.Columns() {
		out = appendLeaves(out, k)
	}
	return out
}

// eachLeaf calls f with the index of each column.
func eachLeaf(leaves []*parquet.Column, threads int, f func(i int) error) error {
	errs := make([]error, len(leaves))
	var wg sync.WaitGroup
	for k, c := range leaves {
		if threads > 1 {
			wg.Go(func() { errs[k] = f(c.Index()) })
		} else {
			errs[k] = f(c.Index())
		}
	}
	wg.Wait()
	return errors.Join(errs...)
}

// read reads rows of a chunk: to its end, since V1 pages may go on with a record
// of the page before, or up to a row, which a page begins with or is before if
// there is a page index.
func (l *leaf) read(c parquet.ColumnChunk, rows peer.Rows, toEnd, check bool) error {
	pages := c.Pages()
	defer pages.Close()
	if rows.From > 0 {
		if err := pages.SeekToRow(rows.From); err != nil {
			return err
		}
	}
	var dict words
	for end := l.rows + rows.To - rows.From; toEnd || l.rows < end; {
		p, err := pages.ReadPage()
		if toEnd && errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		q := p
		if left := end - l.rows; !toEnd && p.NumRows() > left {
			q = p.Slice(0, left)
		}
		l.rows += q.NumRows()
		if check {
			err = l.add(q, &dict)
		}
		if q != p {
			parquet.Release(q)
		}
		parquet.Release(p)
		if err != nil {
			return err
		}
	}
	return nil
}

// words are the sizes of a dictionary's values.
type words struct {
	of   parquet.Dictionary
	size []int64
}

func (w *words) sizes(d parquet.Dictionary) []int64 {
	if w.of != d {
		w.of, w.size = d, make([]int64, d.Len())
		for i := range w.size {
			w.size[i] = int64(len(d.Index(int32(i)).ByteArray()))
		}
	}
	return w.size
}

// add adds up a page. Its data has no place for what is null.
func (l *leaf) add(p parquet.Page, dict *words) error {
	if def := p.DefinitionLevels(); len(def) == 0 {
		l.def[0] += p.NumValues()
	} else {
		for _, d := range def {
			l.def[d&7]++
		}
	}
	data, n := p.Data(), int64(0)
	switch kind := p.Type().Kind(); {
	case p.Dictionary() != nil:
		size := dict.sizes(p.Dictionary())
		for _, k := range data.Int32() {
			n += size[k]
		}
	case kind == parquet.Int64:
		total(data.Int64(), &n)
	case kind == parquet.Int32:
		total(data.Int32(), &n)
	case kind == parquet.Double:
		total(data.Double(), &l.sum)
	case kind == parquet.ByteArray:
		if _, offsets := data.ByteArray(); len(offsets) > 0 {
			n = int64(offsets[len(offsets)-1] - offsets[0])
		}
	default:
		return fmt.Errorf("no sum of %v", kind)
	}
	l.sum += float64(n)
	return nil
}

func total[T int32 | int64 | float64, S int64 | float64](vs []T, sum *S) {
	adder(vs, sum)(0, int64(len(vs)))
}

// from is how many values have at least a definition level.
func (l *leaf) from(def int) (n int64) {
	for _, k := range l.def[def:] {
		n += k
	}
	return n
}

// figures appends what sums.Nested has of a field. Lists in lists are not
// counted right: the nulls of one that is in none are the levels below it.
func figures(out []float64, c *parquet.Column, sums []leaf) []float64 {
	def := c.MaxDefinitionLevel()
	l := &sums[appendLeaves(nil, c)[0].Index()]
	if c.Leaf() {
		return append(out, float64(l.from(def)), l.sum)
	}
	kids := c.Columns()
	if r := kids[0]; len(kids) == 1 && r.Repeated() {
		below := l.from(0) - l.from(def)
		out = append(out, float64(l.rows-below), float64(l.from(r.MaxDefinitionLevel())))
		if len(r.Columns()) == 1 {
			return figures(out, r.Columns()[0], sums)
		}
		return figures(out, r, sums) // of a map
	}
	out = append(out, float64(l.from(def)))
	for _, k := range kids {
		out = figures(out, k, sums)
	}
	return out
}
