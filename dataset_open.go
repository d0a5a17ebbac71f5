package pare

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/report"
)

// prune chooses the files that are to be opened; at least one, whose columns are
// those of the result. The first one is opened to see whether it has columns of
// the partitions' names itself: then paths do not rule out by these.
func (s *DatasetScan) prune(ctx context.Context, d *Dataset) error {
	if err := s.choose(d, func(string) bool { return false }); err != nil {
		return err
	}
	if s.pruned == 0 {
		return nil
	}
	first := s.parts[0]
	f, err := s.open(ctx, first.member)
	if err != nil {
		return err
	}
	own := func(name string) bool { return f.nodeOf(name) != nil }
	if again := slices.ContainsFunc(d.keys, own); again {
		if err = s.choose(d, own); err != nil {
			return errors.Join(err, f.Close())
		}
	}
	for _, p := range s.parts {
		if p.member == first.member {
			p.file = f
			return nil
		}
	}
	s.asked = f.opening()
	s.asked.Files = report.Files{}
	return f.Close()
}

// choose lists the files that paths do not rule out.
func (s *DatasetScan) choose(d *Dataset, own func(name string) bool) error {
	s.parts, s.pruned = nil, 0
	for i := range d.members {
		out, err := d.pruned(i, s.query, own)
		if err != nil {
			return err
		}
		if out {
			s.pruned++
			continue
		}
		s.parts = append(s.parts, &datasetPart{member: i})
	}
	if len(s.parts) == 0 {
		s.parts, s.pruned = []*datasetPart{{member: 0}}, s.pruned-1
	}
	return nil
}

// openAll opens the footers of the files.
func (s *DatasetScan) openAll(ctx context.Context) error {
	var mu sync.Mutex
	schemas := metadata.Schemas{}
	return parallel(len(s.parts), s.data.opt.Open, func(i int) (err error) {
		p := s.parts[i]
		if p.file == nil {
			p.file, err = s.open(ctx, p.member)
		}
		if err != nil {
			return err
		}
		p.size, p.near, p.rowGroups = p.file.Size(), p.file.near(), len(p.file.meta.RowGroups)
		mu.Lock()
		schemas.Share(p.file.meta)
		mu.Unlock()
		return s.rest(i)
	})
}

// Pruned is how many files their paths rule out.
func (s *DatasetScan) Pruned() int { return s.pruned }

// begin notes that Batches or Each runs, which it may do once.
func (s *DatasetScan) begin(ctx context.Context) (context.Context, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.scanned:
		return nil, errScannedTwice
	case s.closed:
		return nil, errScanClosed
	}
	s.scanned, s.receipt = true, make([]report.Receipt, len(s.parts))
	ctx, s.cancel = context.WithCancel(ctx)
	return ctx, nil
}

// finish closes the files once what ran has ended.
func (s *DatasetScan) finish() {
	s.mu.Lock()
	s.cancel()
	s.cancel = nil
	s.mu.Unlock()
	s.Close()
}

var errScanClosed = errors.New("pare: the scan is closed")

// Close closes the files. A scan that has ended has closed them; one that runs is
// ended by it.
func (s *DatasetScan) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if s.cancel != nil {
		s.cancel()
		return
	}
	for _, p := range s.parts {
		p.end()
	}
	if s.footers != nil {
		s.footers.file.Close()
	}
}

// How many files are scanned at a time at least, and what a byte of a file takes of
// memory, about, where all of it is read.
const (
	filesTogether = 3
	memoryPerByte = 4
)

// howMany files are scanned at a time: from afar, where each of them
// waits for its rounds, as many as are opened together, if they are small.
func (s *DatasetScan) howMany() int {
	if s.query.Limit > 0 {
		return 1
	}
	largest, near := int64(1), true
	for _, p := range s.parts {
		largest = max(largest, p.size)
		near = near && p.near
	}
	memory := s.query.Memory
	if memory <= 0 {
		memory = defaultMemory
	}
	if near {
		return filesTogether
	}
	return int(min(max(memory/(memoryPerByte*largest), filesTogether), int64(max(s.data.opt.Open, filesTogether))))
}
