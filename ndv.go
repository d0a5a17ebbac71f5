package pare

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/parequet/pare/internal/evidence"
	"github.com/parequet/pare/internal/fetch"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/ndv"
	"github.com/parequet/pare/predicate"
)

// NDVOptions say of which columns distinct values are estimated, and what may
// be read for it.
type NDVOptions struct {
	// Columns names leaf columns; nil means all that can be estimated.
	Columns []string
	// Tier is the last rung of the ladder that is climbed: the zero value
	// reads nothing beyond the footer.
	Tier ndv.Tier
	// Auto climbs to tier 3 for those columns whose interval is wide after
	// tier 0, whatever Tier says.
	Auto bool
	// ChunkBudget and ColumnBudget bound the bytes of dictionaries that tier 3
	// reads of a chunk, and of all chunks of a column in a file. 0 means 64 KiB
	// and 1 MiB, negative means none at all.
	ChunkBudget, ColumnBudget int64
	// Paper takes the method of the paper instead of pare's own.
	Paper bool
	// BatchRows, if not 0, asks what batches of so many rows take.
	BatchRows int64
	// Exact reads the columns and counts, for comparison.
	Exact bool
}

const (
	defaultChunkBudget  = 64 << 10
	defaultColumnBudget = 1 << 20
)

// NDVAnswer is what is known of one column's distinct values.
type NDVAnswer struct {
	ndv.Answer
	Batch *ndv.Batch // if it was asked for
	Exact *int64     // if it was asked for
}

// NDVResult is the estimate of distinct values for some columns of one or more
// files.
type NDVResult struct {
	Answers  []NDVAnswer // in the order of the columns
	Requests int         // opening the files included, unless that has been accounted for; what Exact reads is not
	Bytes    int64       // the same
	Doubts   []string    // evidence that was found wrong, and was not used
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
	t := ndvTable{files: files, ledger: &fetch.Ledger{}, opt: opt, out: &NDVResult{}}
	if err := t.resolve(); err != nil {
		return nil, err
	}
	ask := func(which []int, tier ndv.Tier) error { return t.estimate(ctx, which, tier) }
	if err := opt.climb(len(t.columns[0]), t.out, ask, ndv.T3); err != nil {
		return nil, err
	}
	totals := t.ledger.Totals()
	t.out.Requests, t.out.Bytes = totals.Requests, totals.Total
	if opt.Exact {
		return t.out, t.count(ctx)
	}
	return t.out, nil
}

// climb asks for all columns at the tier wanted, or, if that is automatic, for
// those that the footer leaves a wide interval again at tier auto.
func (o *NDVOptions) climb(columns int, out *NDVResult, ask func(which []int, tier ndv.Tier) error, auto ndv.Tier) error {
	all := make([]int, columns)
	for i := range all {
		all[i] = i
	}
	if !o.Auto {
		return ask(all, o.Tier)
	}
	if err := ask(all, ndv.T0); err != nil {
		return err
	}
	var wide []int
	for i, a := range out.Answers {
		if !a.Tight() {
			wide = append(wide, i)
		}
	}
	if len(wide) == 0 {
		return nil
	}
	return ask(wide, auto)
}

// answer estimates one column.
func (o *NDVOptions) answer(col ndv.Column) NDVAnswer {
	a := NDVAnswer{Answer: ndv.Estimate(col)}
	if o.Paper {
		a.Answer = ndv.Paper(col)
	}
	if o.BatchRows > 0 {
		b := a.BatchOf(o.BatchRows, col.MeanLength())
		a.Batch = &b
	}
	return a
}

// ndvTable is the work on the columns of some files.
type ndvTable struct {
	files   []*File
	columns [][]*metadata.Column // by file, in the order of the answers
	ledger  *fetch.Ledger
	opt     NDVOptions
	out     *NDVResult
}

// resolve finds the columns in every file.
func (t *ndvTable) resolve() error {
	names := t.opt.Columns
	if names == nil {
		for _, col := range t.files[0].meta.Schema.Columns {
			if found, _ := t.files[0].meta.Schema.Lookup(col.Name); found != col {
				continue
			}
			if why := t.files[0].unreadable(col); why != nil {
				t.out.Doubts = append(t.out.Doubts, t.files[0].opt.Name+": "+why.Error())
				continue
			}
			names = append(names, col.Name)
		}
	}
	for _, f := range t.files {
		var cols []*metadata.Column
		for i, name := range names {
			col, err := predicate.Resolve(f.meta.Schema, name)
			if err != nil {
				if len(t.files) > 1 {
					return f.named(errors.New(err.Error()))
				}
				return err
			}
			if len(t.columns) > 0 {
				if a, b := t.columns[0][i].TypeName(), col.TypeName(); a != b {
					return f.named(fmt.Errorf("column %s is %s, in the files before it %s", col.Name, b, a))
				}
			}
			cols = append(cols, col)
		}
		t.columns = append(t.columns, cols)
		t.ledger.Absorb(f.opened)
	}
	t.out.Answers = make([]NDVAnswer, len(names))
	return nil
}

// Columns are estimated so many at a time: the summaries of all chunks of a
// wide table would take gigabytes. Evidence beyond the footer takes a round of
// requests a file for each batch.
const (
	footerBatch   = 16
	evidenceBatch = 256
)

// estimate answers for some of the columns with the evidence up to a tier.
func (t *ndvTable) estimate(ctx context.Context, which []int, tier ndv.Tier) error {
	size := evidenceBatch
	if tier == ndv.T0 {
		size = footerBatch
	}
	for batch := range slices.Chunk(which, size) {
		if err := t.estimateBatch(ctx, batch, tier); err != nil {
			return err
		}
	}
	return nil
}

func (t *ndvTable) estimateBatch(ctx context.Context, which []int, tier ndv.Tier) error {
	all := make([]ndv.Column, len(which))
	for i, f := range t.files {
		if err := ctx.Err(); err != nil {
			return err
		}
		cols := make([]*metadata.Column, len(which))
		for k, w := range which {
			cols[k] = t.columns[i][w]
		}
		e, err := f.evidence(ctx, t.ledger, cols, t.opt, tier)
		if err != nil {
			return f.named(err)
		}
		for _, d := range e.Doubts {
			t.out.Doubts = append(t.out.Doubts, f.opt.Name+": "+d)
		}
		for k := range all {
			if i == 0 {
				all[k] = e.Columns[k]
				continue
			}
			all[k].Chunks = append(all[k].Chunks, e.Columns[k].Chunks...)
			all[k].Nullable = all[k].Nullable || e.Columns[k].Nullable
		}
	}
	for k, w := range which {
		t.out.Answers[w] = t.opt.answer(all[k])
	}
	return nil
}

// unreadable says why the metadata of a column's chunks cannot be read: it is
// encrypted, or of a type that is none.
func (f *File) unreadable(col *metadata.Column) error {
	if len(f.meta.RowGroups) == 0 {
		return nil
	}
	_, err := f.meta.RowGroups[0].Chunk(col)
	return err
}

// evidence climbs the ladder of one file: one round of requests, and a second
// one for Bloom filters that do not say their length.
func (f *File) evidence(ctx context.Context, l *fetch.Ledger, cols []*metadata.Column, opt NDVOptions, tier ndv.Tier) (*evidence.File, error) {
	budget := func(b, otherwise int64) int64 {
		if b == 0 {
			return otherwise
		}
		return b
	}
	e, err := evidence.New(f.meta, cols, evidence.Options{Tier: tier, ChunkBudget: budget(opt.ChunkBudget, defaultChunkBudget),
		ColumnBudget: budget(opt.ColumnBudget, defaultColumnBudget), MaxPage: f.opt.MaxPage})
	if err != nil {
		return nil, err
	}
	return e, look(ctx, f.fetch, l, e.Next)
}

// look fetches what evidence asks for, round by round, after those of opening.
func look(ctx context.Context, f *fetch.Fetcher, l *fetch.Ledger, next func(have metadata.Bytes) []metadata.Extent) error {
	const firstRound = 2
	var have blocks
	defer func() { have.release() }()
	for need := next(nil); len(need) > 0; need = next(have) {
		b, err := f.Fetch(ctx, l, firstRound+len(have.fetched), have.notIn(need))
		if err != nil {
			return err
		}
		have.fetched = append(have.fetched, b)
	}
	return nil
}
