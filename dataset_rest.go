package pare

import (
	"context"
	"fmt"

	"github.com/parequet/pare/metadata"
)

// A table's files are all opened before the first of them is scanned, for their
// columns. What they keep until their turn comes is bounded: of many files no source
// stays open; ends of files are let go beyond a part of Query.Memory, and footers
// beyond another one, so that what is needed of them is read again.
const (
	openSources   = 256 // files whose sources stay open
	mostTails     = 64 << 20
	tailsMemory   = 4 // part of Query.Memory that ends of files may take
	footersMemory = 2 // part of it that footers may take
	footerGrowth  = 2 // what a byte of a footer takes once it is parsed
)

// rest lets go of what the i-th file, which has been opened, must not keep until its
// turn. That hangs on nothing but its place and sizes, so that the same is read every
// time.
func (s *DatasetScan) rest(i int) error {
	p := s.parts[i]
	f := p.file
	memory := s.query.Memory
	if memory <= 0 {
		memory = defaultMemory
	}
	if int64(i)*int64(len(f.fetch.Tail())) > min(memory/tailsMemory, mostTails) {
		f.fetch.Forget()
	}
	if int64(i)*footerGrowth*int64(f.meta.FooterBytes()) > memory/footersMemory && f.meta.Footer.Length > 0 {
		f.meta, p.outlined = f.meta.Outline(), true
	}
	if f.close == nil || len(s.parts) <= openSources {
		return nil
	}
	if f.opt.Identity == "" {
		f.opt.Identity = f.fetch.Identity()
	}
	err := f.close()
	f.close, p.closed = nil, true
	return f.named(err)
}

// wake brings back what a file has let go, once its turn has come. Its version is
// still the one that was opened, or that is an error.
func (s *DatasetScan) wake(ctx context.Context, p *datasetPart) error {
	f := p.file
	if p.closed {
		src, err := s.data.members[p.member].Open(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", f.opt.Name, err)
		}
		if c, ok := src.(interface{ Close() error }); ok {
			f.close = c.Close
		}
		if f.fetch, err = f.fetch.From(src, f.opt.Identity); err != nil {
			return f.named(err)
		}
		p.closed = false
	}
	if !p.outlined {
		return nil
	}
	if err := f.readFooter(ctx); err != nil {
		return f.named(err)
	}
	p.outlined = false
	return nil
}

// readFooter reads a footer again, whose place is known: in a round behind those of
// opening the file.
func (f *File) readFooter(ctx context.Context) error {
	e := f.meta.Footer
	b, _, ok := f.cachedFooter()
	if !ok {
		blocks, err := f.fetch.Fetch(ctx, f.opened, openRounds, []metadata.Extent{e})
		if err != nil {
			return err
		}
		b, _ = blocks.Get(e) // not released: the footer's bytes live as long as the file
	}
	meta, err := metadata.ParseFooter(b[:len(b)-metadata.TailLength:len(b)-metadata.TailLength], f.meta.Size)
	if err == nil {
		f.meta, f.again = meta, true
	}
	return err
}

// end closes a file whose turn is over.
func (p *datasetPart) end() {
	if p.file != nil {
		p.file.Close()
		p.file = nil
	}
}
