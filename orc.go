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
	"github.com/parequet/pare/orc"
	"github.com/parequet/pare/source"
)

// ORCFile is an open ORC file, of which pare reads the metadata: what there is
// in it, and how many distinct values its columns hold. It is immutable and safe
// for concurrent use.
type ORCFile struct {
	opt    Options
	fetch  *fetch.Fetcher
	meta   *orc.File
	opened *fetch.Ledger
	close  func() error
}

// OpenORC reads the tail of an ORC file: one request of the file's end, and a
// second one if its footer and stripe statistics are larger than that.
func OpenORC(ctx context.Context, src source.Source, opt Options) (*ORCFile, error) {
	if opt.MaxFooter <= 0 {
		opt.MaxFooter = defaultMaxFooter
	}
	f := &ORCFile{opt: opt, opened: &fetch.Ledger{}}
	if err := f.open(ctx, src); err != nil {
		return nil, f.named(err)
	}
	return f, nil
}

// OpenORCFile opens a local ORC file. Close it.
func OpenORCFile(ctx context.Context, path string, opt Options) (*ORCFile, error) {
	if opt.Name == "" {
		opt.Name = path
	}
	src, err := source.OpenFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", opt.Name, err)
	}
	f, err := OpenORC(ctx, src, opt)
	if err != nil {
		return nil, errors.Join(err, src.Close())
	}
	f.close = src.Close
	return f, nil
}

func (f *ORCFile) open(ctx context.Context, src source.Source) (err error) {
	opt := f.opt
	if opt.Tail > 0 {
		opt.Tail = max(opt.Tail, orc.TailLength)
	}
	if f.fetch, err = opt.fetcher(ctx, src, f.opened); err != nil {
		return err
	}
	size := f.fetch.Size()
	p, err := orc.ParsePostScript(f.fetch.Tail(), size)
	if err != nil {
		return err
	}
	n := p.Length + p.FooterLength + p.MetadataLength
	if n > f.opt.MaxFooter {
		return fmt.Errorf("its tail has %d bytes, the limit is %d (Options.MaxFooter)", n, f.opt.MaxFooter)
	}
	e := metadata.Extent{Offset: size - n, Length: n, Piece: metadata.Piece{Kind: metadata.PieceFooter}}
	blocks, err := f.fetch.Fetch(ctx, f.opened, 1, []metadata.Extent{e})
	if err != nil {
		return err
	}
	b, _ := blocks.Get(e)
	// The blocks are not released: bounds are views of them.
	f.meta, err = orc.ParseFooter(p, b, size)
	return err
}

func (f *ORCFile) named(err error) error { return (&File{opt: f.opt}).named(err) }

// Metadata is what the file's tail says.
func (f *ORCFile) Metadata() *orc.File { return f.meta }

// Close closes what OpenORCFile opened.
func (f *ORCFile) Close() error {
	if f.close == nil {
		return nil
	}
	return f.close()
}

// NDV estimates how many distinct values columns of the file hold.
func (f *ORCFile) NDV(ctx context.Context, opt NDVOptions) (*NDVResult, error) {
	return NDVOfORC(ctx, []*ORCFile{f}, opt)
}

// NDVOfORC is NDV for ORC files: tier 0 is the tail with the statistics of
// stripes; tier 1 reads stripe footers and row indexes, tier 2 also uses the
// sizes of dictionaries in the former. There is nothing beyond, and nothing is
// counted exactly.
func NDVOfORC(ctx context.Context, files []*ORCFile, opt NDVOptions) (*NDVResult, error) {
	if opt.Exact {
		return nil, errors.New("pare: ORC data is not read: there is no exact count")
	}
	if len(files) == 0 {
		return &NDVResult{}, nil
	}
	names := opt.Columns
	if names == nil {
		for _, c := range files[0].meta.Columns {
			if c.Leaf() && c.Name != "" && !slices.Contains(names, c.Name) {
				names = append(names, c.Name)
			}
		}
	}
	l := &fetch.Ledger{}
	ids := make([][]int, len(files))
	for i, f := range files {
		l.Absorb(f.opened)
		for k, name := range names {
			id := slices.IndexFunc(f.meta.Columns, func(c orc.Column) bool { return c.Leaf() && c.Name == name })
			if id < 0 {
				return nil, f.named(fmt.Errorf("unknown column %s", name))
			}
			if i > 0 {
				if a, b := files[0].meta.Columns[ids[0][k]].Kind, f.meta.Columns[id].Kind; a != b {
					return nil, f.named(fmt.Errorf("column %s is %v, in the files before it %v", name, b, a))
				}
			}
			ids[i] = append(ids[i], id)
		}
	}
	out := &NDVResult{Answers: make([]NDVAnswer, len(names))}
	ask := func(which []int, tier ndv.Tier) error {
		all := make([]ndv.Column, len(which))
		for i, f := range files {
			some := make([]int, len(which))
			for k, w := range which {
				some[k] = ids[i][w]
			}
			e, err := f.evidence(ctx, l, some, tier)
			if err != nil {
				return f.named(err)
			}
			for _, d := range e.Doubts {
				out.Doubts = append(out.Doubts, f.opt.Name+": "+d)
			}
			for k := range all {
				chunks := append(all[k].Chunks, e.Columns[k].Chunks...)
				all[k] = e.Columns[k]
				all[k].Chunks = chunks
			}
		}
		for k, w := range which {
			out.Answers[w] = opt.answer(all[k])
		}
		return nil
	}
	err := opt.climb(len(names), out, ask, ndv.T2)
	t := l.Totals()
	out.Requests, out.Bytes = t.Requests, t.Total
	return out, err
}

func (f *ORCFile) evidence(ctx context.Context, l *fetch.Ledger, ids []int, tier ndv.Tier) (*evidence.ORC, error) {
	e := evidence.NewORC(f.meta, ids, tier)
	return e, look(ctx, f.fetch, l, e.Next)
}
