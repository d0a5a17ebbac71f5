package pare

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/parequet/pare/source"
)

// Member is a file of a Dataset.
type Member struct {
	Name     string // for people
	Path     string // below the folder or pattern that was named: where partitions are looked for
	Size     int64  // in bytes; -1 if not known
	Identity string // changes with the content; "" if not known
	Key      string // names the file among all stores' files, for a cache; "" if it cannot be cached
	// Open returns the file's source. One that has a Close method is closed.
	Open func(ctx context.Context) (source.Source, error)
}

// List finds the files that a name in a store stands for: a file, a folder (whose
// files are those at any depth below it, the ones named so if some are named as
// Parquet files are) or a pattern with *, ? and [a-z], in
// which ** stands for any number of folders. Files of no bytes, and those whose
// name or folder, below what was named, begins with a dot or an underscore, are
// left out, as is what writers leave beside data. prefix stands before the names
// in messages.
func List(ctx context.Context, store source.Store, prefix, name string) ([]Member, error) {
	fixed, pattern := splitPattern(name)
	if _, err := path.Match(pattern, ""); err != nil {
		return nil, fmt.Errorf("%s%s: not a pattern", prefix, name)
	}
	var out []Member
	add := func(o source.Object, below string) {
		out = append(out, Member{Name: prefix + o.Name, Path: below, Size: o.Size, Identity: o.Identity, Key: o.Key,
			Open: func(ctx context.Context) (source.Source, error) { return store.Open(ctx, o.Name) }})
	}
	err := store.List(ctx, fixed, func(o source.Object) error {
		below := strings.TrimPrefix(o.Name, fixed)
		switch {
		case pattern == "" && o.Name == name: // a file, whatever its name is
			_, file := path.Split(name)
			add(o, file)
		case pattern == "" && (fixed == "" || strings.HasSuffix(fixed, "/") || strings.HasPrefix(below, "/")):
			if below = strings.TrimPrefix(below, "/"); o.Size != 0 && !hidden(below) {
				add(o, below)
			}
		case pattern != "" && o.Size != 0 && matches(pattern, below) && !hidden(below):
			add(o, below)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if pattern == "" && slices.ContainsFunc(out, namedParquet) { // a folder may hold other things beside them
		out = slices.DeleteFunc(out, func(m Member) bool { return !namedParquet(m) })
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s%s: no file matches", prefix, name)
	}
	return out, nil
}

// namedParquet tells Parquet files by their names.
func namedParquet(m Member) bool {
	switch strings.ToLower(path.Ext(m.Name)) {
	case ".parquet", ".parq", ".pq":
		return true
	}
	return false
}

// splitPattern cuts a name before the first folder that has a wildcard; pattern is
// empty if none has.
func splitPattern(name string) (fixed, pattern string) {
	i := strings.IndexAny(name, "*?[")
	if i < 0 {
		return name, ""
	}
	i = strings.LastIndexByte(name[:i], '/') + 1
	return name[:i], name[i:]
}

// hidden reports whether a part of a path is no data: names that begin with a dot
// or an underscore, but for partitions whose key does.
func hidden(name string) bool {
	for _, part := range strings.Split(name, "/") {
		if strings.HasPrefix(part, ".") || strings.HasPrefix(part, "_") && !strings.Contains(part, "=") {
			return true
		}
	}
	return false
}

// matches reports whether a name matches a pattern part by part.
func matches(pattern, name string) bool {
	p, rest, more := strings.Cut(pattern, "/")
	if p == "**" {
		if !more {
			return true
		}
		for {
			if matches(rest, name) {
				return true
			}
			var ok bool
			if _, name, ok = strings.Cut(name, "/"); !ok {
				return false
			}
		}
	}
	part, below, deeper := strings.Cut(name, "/")
	if ok, err := path.Match(p, part); err != nil || !ok || more != deeper {
		return false
	}
	return !more || matches(rest, below)
}
