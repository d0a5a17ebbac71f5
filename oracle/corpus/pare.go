package corpus

import (
	"context"

	"github.com/parequet/pare"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/source"
)

// ReadPare reads a file with pare: all columns in one scan and, if that
// fails, each in a scan of its own, so that one bad column does not hide the
// others.
func ReadPare(path string, data []byte) *Reading {
	return bounded(path, func(ctx context.Context) *Reading { return readPare(ctx, data) })
}

func readPare(ctx context.Context, data []byte) *Reading {
	f, err := pare.Open(ctx, source.Memory(data), pare.Options{})
	if err != nil {
		return &Reading{Err: err}
	}
	defer f.Close()
	r := &Reading{Rows: f.NumRows()}
	for i, n := range f.Metadata().Schema.Root.Children {
		leaves := 0
		n.Leaves(func(*metadata.Column) { leaves++ })
		if leaves == 0 {
			continue // a group without columns is left out
		}
		if n.Column == nil || !n.Column.Flat() {
			r.Nested++
		}
		r.Columns = append(r.Columns, Column{At: i, Name: n.Name})
	}
	if r.Whole = scanPare(ctx, f, nil, r.Columns); r.Whole == nil {
		return r
	}
	for i := range r.Columns {
		c := &r.Columns[i]
		c.Kind, c.Values = "", nil
		c.Err = recovered(func() error { return scanPare(ctx, f, []string{c.Name}, r.Columns[i:i+1]) })
	}
	return r
}

// scanPare runs one scan and appends what it yields to the columns.
func scanPare(ctx context.Context, f *pare.File, names []string, into []Column) error {
	scan, err := f.Scan(ctx, pare.Query{Select: names})
	if err != nil {
		return err
	}
	rows := int64(0)
	for batch, err := range scan.Batches() {
		if err != nil {
			return err
		}
		rows += batch.NumRows()
		for i := range into {
			if err == nil {
				err = into[i].appendArray(batch.Column(i))
			}
		}
		batch.Release()
		if err == nil && rows > MaxRows {
			err = errRows
		}
		if err != nil {
			return err
		}
	}
	for i := range into {
		if into[i].Kind == "" { // no batch came
			into[i].Kind = Null
		}
	}
	return nil
}
