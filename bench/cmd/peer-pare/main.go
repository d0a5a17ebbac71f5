// Command peer-pare runs the tasks of the benchmark with pare.
package main

import (
	"context"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/parequet/pare"
	"github.com/parequet/pare/bench/peer"
	"github.com/parequet/pare/bench/peer/sums"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/source/httprange"
)

func main() { peer.Serve(pareTask) }

func openPare(ctx context.Context, file string) (*pare.File, error) {
	if !strings.HasPrefix(file, "http://") {
		return pare.OpenFile(ctx, file, pare.Options{})
	}
	src, err := httprange.New(file, httprange.Options{})
	if err != nil {
		return nil, err
	}
	return pare.Open(ctx, src, pare.Options{})
}

func pareTask(t peer.Task) (a peer.Answer, err error) {
	switch t.Kind {
	case peer.Codec:
		return codecTask(t)
	case peer.Nested:
		return nestedTask(t)
	}
	ctx := context.Background()
	f, err := openPare(ctx, t.File)
	if err != nil {
		return a, err
	}
	defer f.Close()
	q := pare.Query{Select: t.Columns, Threads: t.Threads, DictionaryStrings: t.Dict}
	if w := t.Filter; w != nil {
		if q.Where, err = predicate.Parse(w.SQL()); err != nil {
			return a, err
		}
	}
	if t.Kind == peer.Count {
		q.Select = []string{}
	}
	s, err := f.Scan(ctx, q)
	if err != nil {
		return a, err
	}
	var kept []arrow.RecordBatch
	a.Sums = make([]float64, len(q.Select))
	for batch, err := range s.Batches() {
		if err != nil {
			return a, err
		}
		a.Rows += batch.NumRows()
		if t.Kind == peer.Arrow && t.Check {
			kept = append(kept, batch)
			continue
		}
		if t.Kind == peer.Sums {
			if err := addUp(a.Sums, batch); err != nil {
				return a, err
			}
		}
		batch.Release()
	}
	if t.Check && t.Kind == peer.Arrow {
		a.AddUp = func() []float64 {
			for _, b := range kept {
				addUp(a.Sums, b)
				b.Release()
			}
			return a.Sums
		}
	}
	return a, nil
}

func addUp(into []float64, batch arrow.RecordBatch) error {
	for i, c := range batch.Columns() {
		x, err := sums.Of(c, nil)
		if err != nil {
			return err
		}
		into[i] += x
	}
	return nil
}
