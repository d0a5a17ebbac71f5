// Package source says where a file's bytes come from: a local file, memory,
// or anything that can read a range of bytes.
//
// A Source is used by pare's fetcher and by nobody else, so that no byte goes
// uncounted. What every Source must do is tested by package sourcetest.
package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// Source reads ranges of one immutable object. Methods are called
// concurrently.
type Source interface {
	// ReadAt fills p with the bytes at off, all of them, or returns an error.
	// It returns soon after ctx is done.
	ReadAt(ctx context.Context, p []byte, off int64) error
	// Size returns the object's size in bytes.
	Size(ctx context.Context) (int64, error)
}

// TailReader is a Source that can read the object's end and learn its size in
// one request.
type TailReader interface {
	// ReadTail reads the last len(p) bytes, or the whole object if it is
	// smaller, into the end of p, and returns how many it read and the size. It
	// returns ErrNoTail, and asks for nothing, where that cannot be done, and
	// ErrTailRefused where the server has refused one request for it.
	ReadTail(ctx context.Context, p []byte) (n int, size int64, err error)
}

// ErrTailRefused says that a server does not read an object's end before its size is
// known.
var ErrTailRefused = errors.New("the server does not read the object's end before its size is known")

// ErrNoTail says that an object's end cannot be read before its size is known.
var ErrNoTail = errors.New("the object's end cannot be read before its size is known")

// Hinter is a Source that knows what its requests cost.
type Hinter interface{ Hints() Hints }

// Hints are the costs that reads are planned with. The zero value of a field
// means that of [LocalHints].
type Hints struct {
	Latency     time.Duration // until a request's first byte
	Bandwidth   float64       // bytes per second, of all requests together
	Concurrency int           // requests worth having in flight
	MaxRequest  int64         // bytes of the largest request
}

// LocalHints are the costs of a file on a local disk.
func LocalHints() Hints {
	return Hints{Latency: 20 * time.Microsecond, Bandwidth: 2e9, Concurrency: 4, MaxRequest: 16 << 20}
}

// RemoteHints are the costs of an object store or a web server, until they
// have been measured.
func RemoteHints() Hints {
	return Hints{Latency: 30 * time.Millisecond, Bandwidth: 100e6, Concurrency: 16, MaxRequest: 16 << 20}
}

// OrDefaults fills zero fields from [LocalHints].
func (h Hints) OrDefaults() Hints {
	d := LocalHints()
	if h.Latency <= 0 {
		h.Latency = d.Latency
	}
	if h.Bandwidth <= 0 {
		h.Bandwidth = d.Bandwidth
	}
	if h.Concurrency <= 0 {
		h.Concurrency = d.Concurrency
	}
	if h.MaxRequest <= 0 {
		h.MaxRequest = d.MaxRequest
	}
	return h
}

// File is a local file, read by pread.
type File struct {
	f    *os.File
	name string
	size int64
	id   string
}

// OpenFile opens a local file. What is not a regular file is refused.
func OpenFile(name string) (*File, error) {
	st, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, shortPathError(err)
	case st.IsDir():
		return nil, errors.New("is a directory, not a file")
	case !st.Mode().IsRegular():
		return nil, errors.New("is not a regular file") // opening a pipe would wait for its writer
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, shortPathError(err)
	}
	return &File{f: f, name: name, size: st.Size(), id: fileIdentity(st)}, nil
}

// shortPathError drops the operation and path, which callers print themselves.
func shortPathError(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// ReadAt implements [Source].
func (s *File) ReadAt(ctx context.Context, p []byte, off int64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	n, err := s.f.ReadAt(p, off)
	if n == len(p) {
		return nil
	}
	if err == io.EOF {
		return fmt.Errorf("the file ends at %d, %d bytes at %d were asked for: %w", off+int64(n), len(p), off, io.ErrUnexpectedEOF)
	}
	return shortPathError(err)
}

// Size implements [Source]. It is the size that the file had when it was
// opened.
func (s *File) Size(context.Context) (int64, error) { return s.size, nil }

// Identity says which version of the file was opened.
func (s *File) Identity() string { return s.id }

// Close closes the file.
func (s *File) Close() error { return s.f.Close() }

// Memory is an object in memory. It must not be changed while it is in use.
type Memory []byte

// ReadAt implements [Source].
func (m Memory) ReadAt(ctx context.Context, p []byte, off int64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if off < 0 || off > int64(len(m)) || int64(len(p)) > int64(len(m))-off {
		return fmt.Errorf("%d bytes at %d of an object of %d: %w", len(p), off, len(m), io.ErrUnexpectedEOF)
	}
	copy(p, m[off:])
	return nil
}

// Size implements [Source].
func (m Memory) Size(context.Context) (int64, error) { return int64(len(m)), nil }
