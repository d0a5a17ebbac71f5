package pare

import (
	"context"
	"fmt"

	"github.com/parequet/pare/internal/evidence"
	"github.com/parequet/pare/internal/fetch"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/ndv"
	"github.com/parequet/pare/predicate"
)

// NDVOptions say of which columns distinct values are estimated, and what may
// be read for it.
type NDVOptions struct {
	// Columns names leaf columns; nil means all of them.
	Columns []string
	// Tier is the last rung of the ladder that is climbed: the zero value
	// reads nothing beyond the footer.
	Tier ndv.Tier
	// ChunkBudget and ColumnBudget bound the bytes of dictionaries that tier 3
	// reads of a chunk, and of all chunks of a column in a file. 0 means 64 KiB
	// and 1 MiB, negative means none at all.
	ChunkBudget, ColumnBudget int64
	// Paper takes the method of the paper instead of pare's own.
	Paper bool
}

const (
	defaultChunkBudget  = 64 << 10
	defaultColumnBudget = 1 << 20
)

// NDVResult is the estimate of distinct values for some columns of one or more
// files.
type NDVResult struct {
	Answers  []ndv.Answer // in the order of the columns
	Requests int          // opening the files included
	Bytes    int64        // the same
	Doubts   []string     // evidence that was found wrong, and was not used
}

// NDV estimates how many distinct values columns of the file hold.
func (f *File) NDV(ctx context.Context, opt NDVOptions) (*NDVResult, error) {
	return NDV(ctx, []*File{f}, opt)
}

// NDV estimates how many distinct values columns of a table hold that is made
// of several files: one answer a column. All files must have the columns, of
// the same types.
func NDV(ctx context.Context, files []*File, opt NDVOptions) (*NDVResult, error) {
	if len(files) == 0 {
		return &NDVResult{}, nil
	}
	budget := func(b *int64, otherwise int64) {
		if *b == 0 {
			*b = otherwise
		}
	}
	budget(&opt.ChunkBudget, defaultChunkBudget)
	budget(&opt.ColumnBudget, defaultColumnBudget)
	names := opt.Columns
	if names == nil {
		for _, col := range files[0].meta.Schema.Columns {
			names = append(names, col.Name)
		}
	}
	var all []ndv.Column
	var types []*metadata.Column
	l := &fetch.Ledger{}
	out := &NDVResult{}
	for i, f := range files {
		cols, err := f.leaves(names)
		if err != nil {
			return nil, f.named(err)
		}
		l.Absorb(f.opened)
		e, err := f.evidence(ctx, l, cols, opt)
		if err != nil {
			return nil, f.named(err)
		}
		for _, d := range e.Doubts {
			out.Doubts = append(out.Doubts, f.opt.Name+": "+d)
		}
		if i == 0 {
			all, types = e.Columns, cols
			continue
		}
		for k := range all {
			if a, b := types[k].TypeName(), cols[k].TypeName(); a != b {
				return nil, f.named(fmt.Errorf("column %s is %s, in the files before it %s", cols[k].Name, b, a))
			}
			all[k].Chunks = append(all[k].Chunks, e.Columns[k].Chunks...)
			all[k].Nullable = all[k].Nullable || e.Columns[k].Nullable
		}
	}
	for _, c := range all {
		if opt.Paper {
			out.Answers = append(out.Answers, ndv.Paper(c))
		} else {
			out.Answers = append(out.Answers, ndv.Estimate(c))
		}
	}
	t := l.Totals()
	out.Requests, out.Bytes = t.Requests, t.Total
	return out, nil
}

func (f *File) leaves(names []string) (cols []*metadata.Column, err error) {
	for _, name := range names {
		col, err := predicate.Resolve(f.meta.Schema, name)
		if err != nil {
			return nil, err
		}
		cols = append(cols, col)
	}
	return cols, nil
}

// evidence climbs the ladder of one file: one round of requests, and a second
// one for Bloom filters that do not say their length.
func (f *File) evidence(ctx context.Context, l *fetch.Ledger, cols []*metadata.Column, opt NDVOptions) (*evidence.File, error) {
	e, err := evidence.New(f.meta, cols, evidence.Options{Tier: opt.Tier, ChunkBudget: opt.ChunkBudget, ColumnBudget: opt.ColumnBudget, MaxPage: f.opt.MaxPage})
	if err != nil {
		return nil, err
	}
	const firstRound = 2 // after those of opening
	var have blocks
	defer func() { have.release() }()
	for need := e.Next(nil); len(need) > 0; need = e.Next(have) {
		b, err := f.fetch.Fetch(ctx, l, firstRound+len(have), need)
		if err != nil {
			return nil, err
		}
		have = append(have, b)
	}
	return e, nil
}
