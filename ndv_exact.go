package pare

import (
	"context"
	"sync"

	"github.com/parequet/pare/internal/column"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/ndv"
	"github.com/parequet/pare/plan"
	"github.com/parequet/pare/rowrange"
)

// count counts the distinct values of the answers' columns by reading them.
func (t *ndvTable) count(ctx context.Context) error {
	for i := range t.out.Answers {
		seen := keySet{m: map[uint64]struct{}{}}
		for k, f := range t.files {
			if err := f.keys(ctx, t.columns[k][i], &seen); err != nil {
				return f.named(err)
			}
		}
		n := int64(len(seen.m))
		t.out.Answers[i].Exact = &n
	}
	return nil
}

// keySet gathers the keys of values from several threads.
type keySet struct {
	mu sync.Mutex
	m  map[uint64]struct{}
}

// add takes the keys that are not the same as the one before.
func (s *keySet) add(v *column.Vector) {
	var last uint64
	first := true
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range v.Rows {
		if !v.IsValid(i) {
			continue
		}
		if k := ndv.Key(v.Value(i)); first || k != last {
			s.m[k], last, first = struct{}{}, k, false
		}
	}
}

// keys reads one column.
func (f *File) keys(ctx context.Context, col *metadata.Column, seen *keySet) error {
	p, err := f.Plan(ctx, Query{Select: []string{}, columns: []*metadata.Column{col}, Skip: plan.AllStages})
	if err != nil {
		return err
	}
	s := p.Scan(ctx)
	return parallel(len(p.reads), p.query.Threads, func(i int) error {
		parts, have, err := s.gather(ctx, i)
		defer have.release()
		defer closeParts(parts)
		for _, part := range parts {
			for _, c := range part.group.Output {
				if err == nil {
					err = s.eachVector(ctx, part, c, part.selected(), have, func(v *column.Vector) { seen.add(v) })
				}
			}
		}
		return err
	})
}

// eachVector decodes rows of an output column window by window.
func (s *Scan) eachVector(ctx context.Context, p *part, c *plan.Chunk, rows rowrange.Set, have metadata.Bytes, f func(v *column.Vector)) error {
	if rows.Empty() {
		return nil
	}
	if err := s.openSelected(p, c, rows, have); err != nil {
		return err
	}
	v := column.NewVector(c.Column)
	defer v.Free()
	return s.windows(ctx, p, rows, func(rows rowrange.Set, limit int) error {
		return s.working(p, func() error {
			v.Reset()
			v.Binary.Limit = limit
			p.readers[c].LetGo(rows[0].From)
			if err := appendRows(p.readers[c], v, rows); err != nil {
				return err
			}
			f(v)
			return nil
		})
	})
}
