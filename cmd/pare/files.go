package main

import (
	"context"
	"fmt"
	"io"

	"github.com/parequet/pare"
	"github.com/parequet/pare/source"
)

// listFiles lists the files that arguments stand for, to be looked at one by one:
// those of folders and patterns, too.
func listFiles(ctx context.Context, args []string) (out []pare.Member, err error) {
	for _, a := range args {
		if _, one := single([]string{a}); one && scheme(a) == "" && a != "-" {
			out = append(out, pare.Member{Name: a, Size: -1, Open: func(context.Context) (source.Source, error) { return openLocal(a) }})
			continue
		}
		some, err := members(ctx, []string{a})
		if err != nil {
			return nil, err
		}
		out = append(out, some...)
	}
	return out, nil
}

func openLocal(name string) (source.Source, error) {
	f, err := source.OpenFile(name)
	if err != nil {
		return nil, err // not a nil *File in an interface
	}
	return f, nil
}

// openWith opens a file of a list, Parquet or ORC: open is pare.Open or
// pare.OpenORC. What is returned besides closes it.
func openWith[F any](ctx context.Context, m pare.Member, open func(context.Context, source.Source, pare.Options) (F, error)) (f F, done func(), err error) {
	src, err := m.Open(ctx)
	if err != nil {
		return f, nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	done = func() {
		if c, ok := src.(io.Closer); ok {
			c.Close()
		}
	}
	if f, err = open(ctx, src, pare.Options{Name: m.Name, Size: max(m.Size, 0), Identity: m.Identity}); err != nil {
		done()
		return f, nil, err
	}
	return f, done, nil
}

// opening is how many files are opened at a time.
const opening = 16
