package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/parequet/pare"
)

// expand turns the FILE arguments into names of single files.
func expand(args []string) ([]string, error) {
	var out []string
	for _, a := range args {
		switch from := scheme(a); {
		case remotes[from] != nil:
			out = append(out, a)
		case from != "":
			return nil, unsupported(a)
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
	if scheme(name) == "" {
		if st, err := os.Stat(name); err == nil && st.IsDir() {
			return nil, fmt.Errorf("%s: is a directory; name its files, for example %s", name, filepath.Join(name, "*.parquet"))
		}
		return pare.OpenFile(ctx, name, opt)
	}
	src, shown, err := openRemote(ctx, name)
	if err != nil {
		return nil, err
	}
	opt.Name = shown
	return pare.Open(ctx, src, opt)
}

// isORC tells ORC files by their names.
func isORC(name string) bool {
	if strings.HasPrefix(scheme(name), "http") {
		name, _, _ = strings.Cut(name, "?")
	}
	return strings.HasSuffix(strings.ToLower(name), ".orc")
}

// openORC opens one ORC file by path or URL.
func openORC(ctx context.Context, name string) (*pare.ORCFile, error) {
	if scheme(name) == "" {
		return pare.OpenORCFile(ctx, name, pare.Options{})
	}
	src, shown, err := openRemote(ctx, name)
	if err != nil {
		return nil, err
	}
	return pare.OpenORC(ctx, src, pare.Options{Name: shown})
}

// errNoFile asks for a file.
var errNoFile = errors.New("no file is named")
