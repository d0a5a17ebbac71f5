// Command peer-parquet-go runs the tasks of the benchmark with parquet-go.
package main

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/parquet-go/parquet-go"

	"github.com/parequet/pare/bench/peer"
	"github.com/parequet/pare/bench/peer/httpfile"
)

func main() { peer.Serve(parquetTask) }

// parquetTask reads as one writes it by hand over parquet-go: the column index
// says which pages of the filter's column may hold a match, these are read and
// tested, and the pages of the other columns are sought by row.
func parquetTask(t peer.Task) (a peer.Answer, err error) {
	src, err := httpfile.Open(t.File)
	if err != nil {
		return a, err
	}
	defer src.Close()
	size, err := src.Seek(0, io.SeekEnd)
	if err != nil {
		return a, err
	}
	buffer := 1 << 20
	if t.Rows != nil {
		buffer = 64 << 10 // about one page of each column
	}
	opts := []parquet.FileOption{parquet.SkipBloomFilters(true), parquet.SkipPageIndex(t.Filter == nil && t.Rows == nil), parquet.ReadBufferSize(buffer)}
	f, err := parquet.OpenFile(src, size, opts...)
	if err != nil {
		return a, err
	}
	switch {
	case t.Kind == peer.Arrow:
		return a, errors.New("parquet-go does not read to Arrow")
	case t.Kind == peer.Nested && t.Structs:
		return structsTask(f, t)
	case t.Kind == peer.Nested:
		return nestedTask(f, t)
	}
	a.Sums = make([]float64, len(t.Columns))
	for _, g := range f.RowGroups() {
		if err := groupTask(&a, f, g, t); err != nil {
			return a, err
		}
	}
	return a, nil
}

func groupTask(a *peer.Answer, f *parquet.File, g parquet.RowGroup, t peer.Task) error {
	chunk := func(name string) (parquet.ColumnChunk, error) {
		c, ok := f.Schema().Lookup(name)
		if !ok {
			return nil, fmt.Errorf("no column %s", name)
		}
		return g.ColumnChunks()[c.ColumnIndex], nil
	}
	ranges := [][2]int64{{0, g.NumRows()}}
	if t.Filter != nil {
		c, err := chunk(t.Filter.Column)
		if err != nil {
			return err
		}
		if ranges, err = matches(c, g.NumRows(), *t.Filter); err != nil {
			return err
		}
	}
	for _, r := range ranges {
		a.Rows += r[1] - r[0]
	}
	if t.Kind == peer.Count || len(ranges) == 0 {
		return nil
	}
	errs := make([]error, len(t.Columns))
	var wg sync.WaitGroup
	for i, name := range t.Columns {
		work := func() {
			c, err := chunk(name)
			if err == nil {
				var x float64
				x, err = sumRows(c, ranges)
				a.Sums[i] += x
			}
			errs[i] = err
		}
		if t.Threads > 1 {
			wg.Go(work)
		} else {
			work()
		}
	}
	wg.Wait()
	return errors.Join(errs...)
}

// matches returns the rows that pass, as ranges.
func matches(c parquet.ColumnChunk, rows int64, f peer.Filter) (out [][2]int64, err error) {
	add := func(from, to int64) {
		if n := len(out); n > 0 && out[n-1][1] == from {
			out[n-1][1] = to
			return
		}
		out = append(out, [2]int64{from, to})
	}
	test := func(from int64, p parquet.Page) error { // what it reads beyond the candidates cannot match
		data := p.Data()
		pass := func(v int64) bool { return v >= f.From && v < f.To }
		if d := p.Dictionary(); d != nil {
			ok := make([]bool, d.Len())
			for i := range ok {
				ok[i] = pass(d.Index(int32(i)).Int64())
			}
			for i, k := range data.Int32() {
				if ok[k] {
					add(from+int64(i), from+int64(i)+1)
				}
			}
		} else if p.Type().Kind() == parquet.Int32 {
			for i, v := range data.Int32() {
				if pass(int64(v)) {
					add(from+int64(i), from+int64(i)+1)
				}
			}
		} else {
			for i, v := range data.Int64() {
				if pass(v) {
					add(from+int64(i), from+int64(i)+1)
				}
			}
		}
		return nil
	}
	ix, err := c.ColumnIndex()
	if err != nil {
		return out, eachPage(c, [][2]int64{{0, rows}}, test)
	}
	off, err := c.OffsetIndex()
	if err != nil {
		return nil, err
	}
	var open [][2]int64
	for i := range ix.NumPages() {
		if ix.MaxValue(i).Int64() < f.From || ix.MinValue(i).Int64() >= f.To {
			continue
		}
		to := rows
		if i+1 < off.NumPages() {
			to = off.FirstRowIndex(i + 1)
		}
		if n := len(open); n > 0 && open[n-1][1] == off.FirstRowIndex(i) {
			open[n-1][1] = to
		} else {
			open = append(open, [2]int64{off.FirstRowIndex(i), to})
		}
	}
	return out, eachPage(c, open, test)
}

// eachPage calls f with the pages that hold rows of some ranges, and with the
// first row of each. It seeks over gaps only.
func eachPage(c parquet.ColumnChunk, ranges [][2]int64, f func(from int64, p parquet.Page) error) error {
	const near = 10_000 // rows that are read on rather than sought over
	pages := c.Pages()
	defer pages.Close()
	at := int64(-near - 1)
	for _, r := range ranges {
		if r[1] <= at {
			continue // the last page held it
		}
		if at = max(at, 0); r[0]-at > near || at == 0 {
			at = max(at, r[0])
			if err := pages.SeekToRow(at); err != nil {
				return err
			}
		}
		for at < r[1] {
			p, err := pages.ReadPage()
			if err != nil {
				return err
			}
			n := p.NumRows()
			if at+n > r[0] {
				err = f(at, p)
			}
			parquet.Release(p)
			if err != nil {
				return err
			}
			at += n
		}
	}
	return nil
}

// adder adds up stretches of values.
func adder[T int32 | int64 | float64, S int64 | float64](vs []T, sum *S) func(lo, hi int64) {
	return func(lo, hi int64) {
		s := *sum
		for _, v := range vs[lo:hi] {
			s += S(v)
		}
		*sum = s
	}
}

// sumRows adds up the values of the rows of some ranges.
func sumRows(c parquet.ColumnChunk, ranges [][2]int64) (x float64, err error) {
	n := int64(0)
	err = eachPage(c, ranges, func(first int64, p parquet.Page) error {
		for len(ranges) > 0 && ranges[0][1] <= first {
			ranges = ranges[1:]
		}
		data := p.Data()
		d := p.Dictionary()
		var add func(lo, hi int64)
		switch kind := p.Type().Kind(); {
		case d != nil:
			size := make([]int64, d.Len())
			for i := range size {
				if v := d.Index(int32(i)); v.Kind() == parquet.ByteArray {
					size[i] = int64(len(v.ByteArray()))
				} else {
					size[i] = v.Int64()
				}
			}
			vs := data.Int32()
			add = func(lo, hi int64) {
				for _, k := range vs[lo:hi] {
					n += size[k]
				}
			}
		case kind == parquet.Int64:
			add = adder(data.Int64(), &n)
		case kind == parquet.Int32:
			add = adder(data.Int32(), &n)
		case kind == parquet.Double:
			add = adder(data.Double(), &x)
		case kind == parquet.ByteArray:
			_, offsets := data.ByteArray()
			add = func(lo, hi int64) { n += int64(offsets[hi] - offsets[lo]) }
		default:
			return fmt.Errorf("no sum of %v", kind)
		}
		rows := p.NumRows()
		for _, r := range ranges {
			if r[0] >= first+rows {
				break
			}
			add(max(r[0]-first, 0), min(r[1]-first, rows))
		}
		return nil
	})
	return x + float64(n), err
}
