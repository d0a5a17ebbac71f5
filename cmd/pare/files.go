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

// keptOpen is how many files of a list stay open together.
const keptOpen = 200

// perRead is a local file that is open only while it is read.
type perRead struct {
	open func(context.Context) (source.Source, error)
}

// ReadAt implements [source.Source].
func (p perRead) ReadAt(ctx context.Context, b []byte, off int64) error {
	return p.with(ctx, func(s source.Source) error { return s.ReadAt(ctx, b, off) })
}

// Size implements [source.Source].
func (p perRead) Size(ctx context.Context) (size int64, err error) {
	err = p.with(ctx, func(s source.Source) (err error) {
		size, err = s.Size(ctx)
		return err
	})
	return size, err
}

func (p perRead) with(ctx context.Context, f func(source.Source) error) error {
	s, err := p.open(ctx)
	if err != nil {
		return err
	}
	if c, ok := s.(io.Closer); ok {
		defer c.Close()
	}
	return f(s)
}

// sparingly has local files opened for each read, where there are many.
func sparingly(list []pare.Member) {
	if len(list) <= keptOpen {
		return
	}
	for i := range list {
		if open := list[i].Open; scheme(list[i].Name) == "" {
			list[i].Open = func(context.Context) (source.Source, error) { return perRead{open}, nil }
		}
	}
}

// opening is how many files are opened at a time.
const opening = 16
