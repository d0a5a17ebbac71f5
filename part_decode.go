package pare

import (
	"context"
	"errors"
	"sync"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/parequet/pare/internal/column"
	"github.com/parequet/pare/internal/encoding"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/rowrange"
)

// appendRows decodes rows into a vector.
func appendRows(r *column.Reader, v *column.Vector, rows rowrange.Set) error {
	if err := v.Reserve(int(rows.Len())); err != nil {
		return err
	}
	return r.AppendRows(v, rows)
}

// decode decodes the output columns of the selected rows and sends them as
// record batches.
func (s *Scan) decode(ctx context.Context, p *part, have metadata.Bytes, out emit) error {
	defer s.countPart(p)
	selected := p.selected()
	if selected.Empty() {
		return nil
	}
	size := 0
	columns := make([]decoding, len(p.group.Output))
	for i, c := range p.group.Output {
		if err := s.openSelected(p, c, selected, have); err != nil {
			return err
		}
		d := &columns[i]
		d.column, d.reader, d.vector = c.Column, p.readers[c], column.NewVector(c.Column)
		d.vector.KeepLevels = s.plan.levels[c.Column]
		if rows := p.group.RowGroup.NumRows; rows > 0 {
			bytes := int64(d.reader.Bytes()) // which may hold so much more
			d.vector.Expect(float64(min(c.NumValues, 8*bytes))/float64(rows), float64(min(c.UncompressedSize, 8*bytes))/float64(max(c.NumValues, 1)))
		}
		d.typ = column.Field(c.Column, s.plan.arrow).Type
		defer d.vector.Free()
		size += d.reader.Bytes()
	}
	long := s.plan.query.Threads > 1 && selected.Len() > windowBatches*int64(s.plan.query.BatchRows)
	p.apart = (s.apart || long) && size > apartBytes
	return s.windows(ctx, p, selected, func(rows rowrange.Set, limit int) error {
		for i := range columns {
			columns[i].vector.Binary.Limit = limit
			columns[i].reader.LetGo(rows[0].From)
		}
		batch, err := s.batch(p, rows, columns)
		if err != nil {
			return err
		}
		return out(batch)
	})
}

// decoding is an output column of a part while it is being decoded.
type decoding struct {
	column *metadata.Column
	reader *column.Reader
	vector *column.Vector
	typ    arrow.DataType
	array  arrow.Array // of the current batch
	err    error
}

// decode decodes some rows of the column into its array.
func (d *decoding) decode(rows rowrange.Set) (err error) {
	v := d.vector
	v.Reset()
	read := appendRows
	if d.typ.ID() == arrow.DICTIONARY && v.Width < 0 && !d.column.Repeated() && !v.KeepLevels {
		read = appendTested // indices, if there are any
	}
	if err = read(d.reader, v, rows); err == nil {
		d.array, err = column.ToArrow(v, d.typ)
	}
	return err
}

// apartBytes is from how many bytes of pages on the columns of a part are decoded
// concurrently, where there are not enough windows to keep all threads busy, or
// such long ones that the next would have to wait half done: what takes less time
// is done before another thread has woken up.
const apartBytes = 64 << 10

// batch decodes one record batch.
func (s *Scan) batch(p *part, rows rowrange.Set, columns []decoding) (arrow.RecordBatch, error) {
	defer func() {
		for i := range columns {
			if a := columns[i].array; a != nil {
				a.Release()
				columns[i].array = nil
			}
		}
	}()
	var wg sync.WaitGroup
	for i := range columns {
		d := &columns[i]
		one := func() { d.err = s.working(p, func() error { return d.decode(rows) }) }
		if p.apart {
			wg.Go(one)
		} else {
			one()
		}
	}
	wg.Wait()
	if err := worst(columns); err != nil {
		return nil, err
	}
	cols := make([]arrow.Array, 0, len(s.plan.output)+1)
	defer func() {
		for _, c := range cols {
			c.Release()
		}
	}()
	leaves := make(map[*metadata.Column]column.Leaf, len(columns))
	for _, d := range columns {
		leaves[d.column] = column.Leaf{Array: d.array, Rep: d.vector.Rep, Def: d.vector.Def}
	}
	for _, t := range s.plan.output {
		a, err := t.Assemble(int(rows.Len()), leaves)
		if err != nil {
			return nil, err
		}
		cols = append(cols, a)
	}
	if s.plan.query.RowNumbers != "" {
		cols = append(cols, rowNumbers(rows, p.group.RowGroup.FirstRow))
	}
	return array.NewRecordBatch(s.plan.schema, cols, rows.Len()), nil
}

// worst returns the error that cannot be mended by a smaller batch, if there
// is one, else any.
func worst(columns []decoding) (err error) {
	for i := range columns {
		e := columns[i].err
		if e != nil && (err == nil || errors.Is(err, encoding.ErrFull)) {
			err = e
		}
	}
	return err
}

// rowNumbers is the column of the rows' numbers in the file.
func rowNumbers(rows rowrange.Set, first int64) arrow.Array {
	b := array.NewInt64Builder(memory.DefaultAllocator)
	defer b.Release()
	b.Reserve(int(rows.Len()))
	for _, r := range rows {
		for i := r.From; i < r.To; i++ {
			b.UnsafeAppend(first + i)
		}
	}
	return b.NewArray()
}
