package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Identifier is a Source that knows which version of its object it reads.
type Identifier interface {
	// Identity changes when the content does. It is empty as long as no answer
	// has told it.
	Identity() string
}

// Object is one object of a [Store].
type Object struct {
	Name     string
	Size     int64
	Identity string // changes with the content: ETag, or size and time
	Key      string // names the object among all stores' objects, for a cache; "" if it has no such name
}

// Store holds many objects.
type Store interface {
	// List calls f with the objects whose names begin with prefix, in the order
	// of their names (bytewise), until f fails, and returns f's error as it is.
	// Listings are paged: an object that comes or goes meanwhile may be missed.
	List(ctx context.Context, prefix string, f func(Object) error) error
	// Open returns the source of an object. Whether it exists may only show when
	// it is read. A source that is an io.Closer is to be closed.
	Open(ctx context.Context, name string) (Source, error)
}

// Dir is the store of the files in a local directory and below: names are
// slash-separated paths below root. Regular files count, and symbolic links to
// such; links to directories are not followed, so there are no loops. Its
// sources are closers.
func Dir(root string) Store { return dir(root) }

type dir string

// Open implements [Store]. Names that lead out of root are refused.
func (d dir) Open(ctx context.Context, name string) (Source, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	local, err := filepath.Localize(name)
	if err != nil || name == "." {
		return nil, fmt.Errorf("%q is not a name below a directory", name)
	}
	f, err := OpenFile(filepath.Join(string(d), local))
	if err != nil {
		return nil, err // not a nil *File in an interface
	}
	return f, nil
}

// List implements [Store]. It holds the names of one directory at each depth.
func (d dir) List(ctx context.Context, prefix string, f func(Object) error) error {
	st, err := os.Stat(string(d))
	if err == nil && !st.IsDir() {
		err = errors.New("is not a directory")
	}
	if err != nil {
		return fmt.Errorf("listing %s: %w", string(d), shortPathError(err))
	}
	return d.walk(ctx, "", prefix, f)
}

// walk lists one directory. A directory takes the place of its name with a
// slash, so that the whole names come in their order: a.b before a/b.
func (d dir) walk(ctx context.Context, at, prefix string, f func(Object) error) error {
	entries, err := os.ReadDir(filepath.Join(string(d), filepath.FromSlash(at)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil // removed meanwhile
	}
	if err != nil {
		return fmt.Errorf("listing %s: %w", path.Join(filepath.ToSlash(string(d)), at), shortPathError(err))
	}
	key := func(e fs.DirEntry) string {
		if e.IsDir() {
			return path.Join(at, e.Name()) + "/"
		}
		return path.Join(at, e.Name())
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(key(a), key(b)) })
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		name := key(e)
		switch {
		case e.IsDir() && (strings.HasPrefix(name, prefix) || strings.HasPrefix(prefix, name)):
			err = d.walk(ctx, strings.TrimSuffix(name, "/"), prefix, f)
		case !e.IsDir() && strings.HasPrefix(name, prefix):
			err = d.file(name, f)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// file passes on one entry, unless it is no file or has gone meanwhile.
func (d dir) file(name string, f func(Object) error) error {
	st, err := os.Stat(filepath.Join(string(d), filepath.FromSlash(name)))
	if err != nil || !st.Mode().IsRegular() {
		return nil
	}
	key, err := filepath.Abs(filepath.Join(string(d), filepath.FromSlash(name)))
	if err != nil {
		key = "" // the working directory is gone
	}
	return f(Object{Name: name, Size: st.Size(), Identity: fileIdentity(st), Key: key})
}
