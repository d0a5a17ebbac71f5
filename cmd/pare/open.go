package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/parequet/pare"
	"github.com/parequet/pare/source/httprange"
)

// expand turns the FILE arguments into names of single files.
func expand(args []string) ([]string, error) {
	var out []string
	for _, a := range args {
		switch scheme, _, isURL := strings.Cut(a, "://"); {
		case isURL && (scheme == "http" || scheme == "https"):
			out = append(out, a)
		case isURL:
			return nil, usagef("%s: reading from %s:// is not supported yet", a, scheme)
		case a == "-":
			return nil, usagef("a Parquet file cannot be read from a pipe: its metadata is at the end")
		case !strings.ContainsAny(a, "*?["):
			out = append(out, a)
		default:
			if _, err := os.Stat(a); err == nil { // a name that only looks like a pattern
				out = append(out, a)
				continue
			}
			names, err := filepath.Glob(a)
			if err != nil {
				return nil, usagef("%s: not a pattern", a)
			}
			if len(names) == 0 {
				return nil, fmt.Errorf("%s: no file matches", a)
			}
			out = append(out, names...)
		}
	}
	return out, nil
}

// open opens one file by path or URL.
func open(ctx context.Context, name string, opt pare.Options) (*pare.File, error) {
	if !strings.HasPrefix(name, "http://") && !strings.HasPrefix(name, "https://") {
		if st, err := os.Stat(name); err == nil && st.IsDir() {
			return nil, fmt.Errorf("%s: is a directory; name its files, for example %s", name, filepath.Join(name, "*.parquet"))
		}
		return pare.OpenFile(ctx, name, opt)
	}
	src, err := httprange.New(name, httprange.Options{})
	if err != nil {
		return nil, usagef("%s", err)
	}
	opt.Name = src.String()
	return pare.Open(ctx, src, opt)
}

// isORC tells ORC files by their names.
func isORC(name string) bool {
	name, _, _ = strings.Cut(name, "?")
	return strings.HasSuffix(strings.ToLower(name), ".orc")
}

// openORC opens one ORC file by path or URL.
func openORC(ctx context.Context, name string) (*pare.ORCFile, error) {
	if !strings.HasPrefix(name, "http://") && !strings.HasPrefix(name, "https://") {
		return pare.OpenORCFile(ctx, name, pare.Options{})
	}
	src, err := httprange.New(name, httprange.Options{})
	if err != nil {
		return nil, usagef("%s", err)
	}
	return pare.OpenORC(ctx, src, pare.Options{Name: src.String()})
}

// errNoFile asks for a file.
var errNoFile = errors.New("no file is named")
