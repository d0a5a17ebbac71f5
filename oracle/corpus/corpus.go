// Package corpus reads every column of real Parquet files with pare and
// with two readers that share no code with it, arrow-go and DuckDB, and
// compares the columns value by value.
//
// What a reader made of a file is a [Reading]: one [Column] for each
// top-level column, whose values have a text form that is the same whatever
// in-memory type the reader chose. [Judge] compares the readings of a file.
package corpus

import (
	"context"
	"errors"
	"fmt"
	"runtime/pprof"
	"time"
)

// Kind says what the values of a column are, apart from their width and unit.
type Kind string

// Kinds of values.
const (
	Null        Kind = "null" // a column that can only hold nulls
	Bool        Kind = "bool"
	Int         Kind = "int"
	Float       Kind = "float"
	Decimal     Kind = "decimal"
	Bytes       Kind = "bytes" // strings, too: what is compared are their bytes
	Date        Kind = "date"
	Time        Kind = "time"
	Timestamp   Kind = "timestamp"
	TimestampTZ Kind = "timestamptz" // an instant
	Interval    Kind = "interval"
)

// Column is a top-level column as one reader sees it.
type Column struct {
	At     int // place among the top-level columns
	Name   string
	Kind   Kind
	Values []string // in file order; "" is null, no value has an empty text
	Err    error    // why the reader refuses the column
}

// Reading is what one reader makes of a file.
type Reading struct {
	Rows    int64 // what the reader says the file has
	Nested  int   // columns that are not flat
	Columns []Column
	Err     error // why the reader refuses the whole file
	Whole   error // pare: why it refuses to read all columns at once
}

// read counts the columns that were read and returns why the first other one
// was not.
func (r *Reading) read() (n int, first error) {
	for _, c := range r.Columns {
		switch {
		case c.Err == nil:
			n++
		case first == nil:
			first = c.Err
		}
	}
	return n, first
}

// at returns the column at a place among the top-level columns.
func (r *Reading) at(i int) *Column {
	for k := range r.Columns {
		if r.Columns[k].At == i {
			return &r.Columns[k]
		}
	}
	return nil
}

// Limits of what a reader may take for a file. No file that can be read comes
// near them.
const (
	// MaxTime is the time for which a reader may work on a file.
	MaxTime = 20 * time.Second
	// MaxRows is the number of rows after which reading is given up.
	MaxRows = 5_000_000
)

var (
	errTime = fmt.Errorf("not done after %v", MaxTime)
	errRows = fmt.Errorf("more than %d rows", MaxRows)
	// ErrPanic is wrapped by the error of a reader that panicked.
	ErrPanic = errors.New("panic")
)

// bounded runs a reader of a file and gives up on it after MaxTime. A reader
// that does not heed its context is left behind. The reader's goroutines carry
// the file's path as a label, by which a traceback names it.
func bounded(path string, read func(ctx context.Context) *Reading) *Reading {
	ctx, cancel := context.WithTimeout(context.Background(), MaxTime)
	defer cancel()
	done := make(chan *Reading, 1)
	go pprof.Do(ctx, pprof.Labels("file", path), func(ctx context.Context) {
		var r *Reading
		if err := recovered(func() error { r = read(ctx); return nil }); err != nil {
			r = &Reading{Err: err}
		}
		done <- r
	})
	select {
	case r := <-done:
		return r
	case <-time.After(MaxTime + time.Second):
		return &Reading{Err: errTime}
	}
}

// recovered turns a panic of f into an error.
func recovered(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", ErrPanic, p)
		}
	}()
	return f()
}
