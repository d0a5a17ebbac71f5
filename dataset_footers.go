package pare

import (
	"context"
	"errors"
	"fmt"
	"path"
	"sync/atomic"

	"github.com/parequet/pare/internal/fetch"
	"github.com/parequet/pare/report"
	"github.com/parequet/pare/source"
)

// footersName is the file of footers beside a table's files, as parquet-mr, Dask and
// Arrow write it.
const footersName = "_metadata"

// FindFooters finds the file _metadata in a folder of a store, to be used as
// [DatasetOptions].Footers. It is an error if there is none. prefix stands before
// names in messages.
func FindFooters(ctx context.Context, store source.Store, prefix, folder string) (Member, error) {
	name := path.Join(folder, footersName)
	found := errors.New("found")
	var m Member
	err := store.List(ctx, name, func(o source.Object) error {
		if o.Name != name {
			return nil
		}
		m = Member{Name: prefix + name, Size: o.Size, Identity: o.Identity, Key: o.Key,
			Open: func(ctx context.Context) (source.Source, error) { return store.Open(ctx, name) }}
		return found
	})
	switch {
	case errors.Is(err, found):
		return m, nil
	case err != nil:
		return m, err
	}
	return m, fmt.Errorf("%s%s: there is no such file", prefix, name)
}

// footers are those of a table's files, from a file of footers.
type footers struct {
	file  *File
	parts map[string][]int // the row groups of each file
	used  atomic.Int64     // files of the query that are among them
	read  report.Receipt
}

// openFooters reads the file of footers, if there is one.
func (s *DatasetScan) openFooters(ctx context.Context) error {
	m := s.data.opt.Footers
	if m.Open == nil {
		return nil
	}
	f, err := s.openMember(ctx, m)
	if err != nil {
		return err
	}
	s.footers = &footers{file: f, read: f.opening()}
	if s.footers.parts, err = f.meta.Parts(); err != nil {
		return f.named(err) // the scan is closed
	}
	s.footers.read.Files = report.Files{} // it is no file of the table
	return nil
}

// openListed opens a member whose footer the file of footers has. Nothing is read.
func (s *DatasetScan) openListed(ctx context.Context, m Member) (f *File, ok bool, err error) {
	if s.footers == nil || m.Size <= 0 {
		return nil, false, nil
	}
	groups, ok := s.footers.parts[m.Path]
	if !ok {
		return nil, false, nil
	}
	f = &File{opt: s.fileOptions(m), opened: &fetch.Ledger{}}
	if f.meta, ok = s.footers.file.meta.Part(m.Path, groups, m.Size); !ok {
		return nil, false, nil
	}
	src, err := m.Open(ctx)
	if err != nil {
		return nil, true, fmt.Errorf("%s: %w", m.Name, err)
	}
	f.fetch = fetch.Resume(src, m.Size, nil, f.opt.fetching())
	if c, ok := src.(interface{ Close() error }); ok {
		f.close = c.Close
	}
	s.footers.used.Add(1)
	return f, true, nil
}

// FootersUsed is how many files' footers were taken from the file of footers.
func (s *DatasetScan) FootersUsed() int {
	if s.footers == nil {
		return 0
	}
	return int(s.footers.used.Load())
}
