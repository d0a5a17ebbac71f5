// Package httpfile shows an object behind HTTP, or a local file, as what readers
// of files in Go want.
package httpfile

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

// File is what the readers of files in Go want.
type File interface {
	io.ReaderAt
	io.Seeker
	io.Closer
}

// Open opens a path or an http URL.
func Open(name string) (File, error) {
	if strings.HasPrefix(name, "http://") {
		return openHTTP(name)
	}
	return os.Open(name)
}

// httpFile is an object behind HTTP as a file: one request for each ReadAt.
type httpFile struct {
	url  string
	size int64
	pos  int64
}

func openHTTP(url string) (*httpFile, error) {
	resp, err := http.Head(url)
	if err != nil {
		return nil, err
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK || resp.ContentLength < 0 {
		return nil, fmt.Errorf("HEAD: %s", resp.Status)
	}
	return &httpFile{url: url, size: resp.ContentLength}, nil
}

func (f *httpFile) ReadAt(p []byte, off int64) (int, error) {
	if off >= f.size {
		return 0, io.EOF
	}
	n := min(int64(len(p)), f.size-off)
	req, err := http.NewRequest(http.MethodGet, f.url, nil)
	if err != nil {
		return 0, err
	}
	req.Header.Set("Range", fmt.Sprintf("bytes=%d-%d", off, off+n-1))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusPartialContent {
		return 0, errors.New(resp.Status)
	}
	k, err := io.ReadFull(resp.Body, p[:n])
	if err == nil && n < int64(len(p)) {
		err = io.EOF
	}
	return k, err
}

func (f *httpFile) Read(p []byte) (int, error) {
	n, err := f.ReadAt(p, f.pos)
	f.pos += int64(n)
	return n, err
}

func (f *httpFile) Seek(off int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		off += f.pos
	case io.SeekEnd:
		off += f.size
	}
	f.pos = off
	return off, nil
}

func (f *httpFile) Close() error { return nil }
