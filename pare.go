// Package pare reads only the Parquet pages that may hold a match, and says
// exactly what it read and why.
//
//	f, err := pare.OpenFile(ctx, "orders.parquet", pare.Options{})
//	where, err := predicate.Parse("order_date >= DATE '2024-03-01' AND status = 'returned'")
//	scan, err := f.Scan(ctx, pare.Query{Select: []string{"order_id", "amount"}, Where: where})
//	for batch, err := range scan.Batches() { … }
//	fmt.Println(scan.Receipt())
//
// [Open] reads a file's footer. [File.Plan] decides, from metadata alone,
// which rows may match; the plan can be looked at before anything else is
// read. [File.Scan] plans and reads, and yields Arrow record batches of
// exactly the rows that match.
//
// Skipping errs one way only: metadata that is absent, malformed or known to
// be written wrongly never prunes.
package pare

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/parequet/pare/internal/column"
	"github.com/parequet/pare/internal/fetch"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/source"
)

// Options tune how a file is opened and read. The zero value is useful.
type Options struct {
	// Name stands for the file in errors.
	Name string
	// Tail is how many bytes of the file's end the first request takes: 0 lets
	// the cost model choose, 8 reads the footer exactly.
	Tail int64
	// Gap joins two wanted extents into one request if at most so many bytes
	// lie between them: 0 lets the cost model choose, negative joins only
	// what touches.
	Gap int64
	// Concurrency is how many requests are in flight; 0 means what the source
	// says is worth it.
	Concurrency int
	// Size is the file's, if it is known, so that a small one can be read whole.
	// 0 means that it is not.
	Size int64
	// MaxFooter is the largest footer that is read, in bytes; 0 means 256 MiB.
	MaxFooter int64
	// Cache keeps the file's footer and page index for the next time it is opened
	// under this Key and Identity. Nil, or one of them empty, keeps nothing.
	Cache *Cache
	// Key names the file among all that the cache may see: an absolute path, or a
	// store's address and the object's name in it.
	Key string
	// Identity changes with the file's content: an ETag, or size and time.
	Identity string
	// MaxPage is the largest decompressed page that is read, in bytes; 0 means
	// 1 GiB.
	MaxPage int

	figures *fetch.Figures // of a table's sources
	beside  int            // files that are opened at a time
}

const (
	defaultMaxFooter = 256 << 20
	defaultMaxPage   = 1 << 30
)

// File is an open Parquet file. It is immutable and safe for concurrent use.
type File struct {
	opt    Options
	fetch  *fetch.Fetcher
	meta   *metadata.File
	opened *fetch.Ledger // what opening read, until the first scan accounts for it
	close  func() error

	planned atomic.Bool
	again   bool // the footer has been read twice
}

// Open reads the footer of a Parquet file: one request of the file's end, and
// a second one if the footer is larger than that.
func Open(ctx context.Context, src source.Source, opt Options) (*File, error) {
	f := &File{opt: opt.orDefaults(), opened: &fetch.Ledger{}}
	if err := f.open(ctx, src); err != nil {
		return nil, f.named(err)
	}
	return f, nil
}

func (o Options) orDefaults() Options {
	if o.MaxFooter <= 0 {
		o.MaxFooter = defaultMaxFooter
	}
	if o.MaxPage <= 0 {
		o.MaxPage = defaultMaxPage
	}
	return o
}

// fetcher opens a source as the options say.
func (o Options) fetcher(ctx context.Context, src source.Source, l *fetch.Ledger) (*fetch.Fetcher, error) {
	return fetch.Open(ctx, src, o.fetching(), l)
}

func (o Options) fetching() fetch.Options {
	x := fetch.Options{Gap: o.Gap, Tail: o.Tail, Concurrency: o.Concurrency, Size: o.Size, Identity: o.Identity, Figures: o.figures, Beside: o.beside}
	switch {
	case x.Gap == 0:
		x.Gap = -1
	case x.Gap < 0:
		x.Gap = 0
	}
	if x.Tail == 0 {
		x.Tail = -1
	}
	return x
}

func (f *File) open(ctx context.Context, src source.Source) (err error) {
	if footer, size, ok := f.cachedFooter(); ok {
		f.fetch = fetch.Resume(src, size, footer, f.opt.fetching())
		f.meta, err = metadata.ParseFooter(footer[:len(footer)-metadata.TailLength:len(footer)-metadata.TailLength], size)
		return err
	}
	if f.fetch, err = f.opt.fetcher(ctx, src, f.opened); err != nil {
		return err
	}
	size := f.fetch.Size()
	n, err := metadata.FooterLength(f.fetch.Tail(), size)
	if err != nil {
		return err
	}
	if n > f.opt.MaxFooter {
		return &metadata.UnsupportedError{Piece: "footer", Msg: fmt.Sprintf("it has %d bytes, the limit is %d (Options.MaxFooter)", n, f.opt.MaxFooter)}
	}
	e := metadata.Extent{Offset: size - metadata.TailLength - n, Length: n + metadata.TailLength, Piece: metadata.Piece{Kind: metadata.PieceFooter}}
	blocks, err := f.fetch.Fetch(ctx, f.opened, 1, []metadata.Extent{e})
	if err != nil {
		return err
	}
	b, _ := blocks.Get(e)
	// The blocks are not released: the footer's bytes live as long as the file.
	footer := b[:n:n]
	if len(f.fetch.Tail()) > 4*len(b) {
		footer = bytes.Clone(footer) // so that the rest can be let go
	}
	if f.meta, err = metadata.ParseFooter(footer, size); err == nil {
		f.keepFooter(b, size)
	}
	return err
}

// OpenFile opens a local file. Close it.
func OpenFile(ctx context.Context, path string, opt Options) (*File, error) {
	if opt.Name == "" {
		opt.Name = path
	}
	src, err := source.OpenFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", opt.Name, err)
	}
	f, err := Open(ctx, src, opt)
	if err != nil {
		return nil, errors.Join(err, src.Close())
	}
	f.close = src.Close
	return f, nil
}

// Close closes what OpenFile opened. Scans must have ended; their record
// batches stay valid.
func (f *File) Close() error {
	if f.close == nil {
		return nil
	}
	err := f.close()
	f.close = nil
	return err
}

// named puts the file's name before an error.
func (f *File) named(err error) error {
	var pe *predicate.Error
	if err == nil || f.opt.Name == "" || errors.As(err, &pe) {
		return err
	}
	return fmt.Errorf("%s: %w", f.opt.Name, err)
}

// Metadata returns the parsed footer.
func (f *File) Metadata() *metadata.File { return f.meta }

// Name stands for the file in messages.
func (f *File) Name() string { return f.opt.Name }

// Size is the file's size in bytes.
func (f *File) Size() int64 { return f.fetch.Size() }

// NumRows is the number of rows in the file.
func (f *File) NumRows() int64 { return f.meta.NumRows }

// ArrowSchema returns the Arrow schema of the file, which is that of a query
// without a Select. Groups without any column in them are left out.
func (f *File) ArrowSchema() *arrow.Schema {
	trees, _ := f.trees(column.ArrowOptions{})
	fields := make([]arrow.Field, len(trees))
	for i, t := range trees {
		fields[i] = t.Field
	}
	return arrow.NewSchema(fields, nil)
}

// trees returns what the file holds, as Arrow has it, and the names of groups
// that hold nothing.
func (f *File) trees(opt column.ArrowOptions) (out []*column.Tree, empty []string) {
	for _, n := range f.meta.Schema.Root.Children {
		if t := column.NewTree(n, everything, opt); t != nil {
			out = append(out, t)
		} else {
			empty = append(empty, n.Name)
		}
	}
	return out, empty
}

func everything(*metadata.Column) bool { return true }
