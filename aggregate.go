package pare

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/parequet/pare/internal/column"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/plan"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/report"
)

// Aggregate is one result that is asked of the matching rows.
type Aggregate struct {
	Func   string // "count", "min" or "max"
	Star   bool   // count(*): Column is not looked at
	Column string
	Name   string // of the result column; empty for "min(amount)" and the like
}

func (a Aggregate) String() string {
	switch {
	case a.Name != "":
		return a.Name
	case a.Star:
		return a.Func + "(*)"
	}
	return a.Func + "(" + a.Column + ")"
}

// Aggregator folds aggregates over the matching rows of one file or of
// several. Row groups and pages whose rows all match, and whose bounds are
// known to be values, are answered from metadata; only the rest is read.
type Aggregator struct {
	aggs []Aggregate

	missing func(name string) bool // columns that a file may lack: NULL in its rows

	mu    sync.Mutex
	rows  int64
	types []*metadata.Column // of the results, nil as long as no file has the column

	settled bool // they stay as they are
	folds   []fold
}

// fold is the state of one aggregate.
type fold struct {
	count int64
	best  *metadata.Value // min or max so far
}

// NewAggregator makes an Aggregator.
func NewAggregator(aggs ...Aggregate) (*Aggregator, error) {
	for _, a := range aggs {
		switch {
		case a.Func != "count" && a.Func != "min" && a.Func != "max":
			return nil, fmt.Errorf("pare: unknown aggregate %q; count, min and max are known", a.Func)
		case a.Star && a.Func != "count":
			return nil, fmt.Errorf("pare: %s(*) has no meaning; it needs a column", a.Func)
		}
	}
	return &Aggregator{aggs: aggs, folds: make([]fold, len(aggs))}, nil
}

// Plan plans what adding the matching rows of a file would read. Select,
// Limit and RowNumbers of the query are not used.
func (a *Aggregator) Plan(ctx context.Context, f *File, q Query) (*Plan, error) {
	q.Select, q.Limit, q.RowNumbers, q.aggregates, q.columns = []string{}, 0, "", map[*metadata.Column]plan.Aggregates{}, nil
	for _, g := range a.aggs {
		if g.Star || a.lacks(f, g.Column) {
			continue
		}
		col, err := predicate.Resolve(f.meta.Schema, g.Column)
		if err != nil {
			return nil, f.named(err)
		}
		if col.Repeated() {
			return nil, f.named(&metadata.UnsupportedError{Piece: "column " + col.Name, Msg: "a row may have many values of it; " + g.Func + " is of columns that are not in a list"})
		}
		if col.Order == metadata.OrderNone && g.Func != "count" {
			return nil, f.named(&metadata.UnsupportedError{Piece: "column " + col.Name, Msg: col.TypeName() + " has no order"})
		}
		want := q.aggregates[col]
		want.Count = want.Count || g.Func == "count"
		want.Min = want.Min || g.Func == "min"
		want.Max = want.Max || g.Func == "max"
		q.aggregates[col] = want
		if !slices.Contains(q.columns, col) {
			q.columns = append(q.columns, col)
		}
	}
	return f.Plan(ctx, q)
}

// lacks reports whether a file lacks a column that it may lack.
func (a *Aggregator) lacks(f *File, name string) bool {
	return a.missing != nil && f.nodeOf(name) == nil && a.missing(name)
}

// Add adds the matching rows of a file and accounts for what that read.
func (a *Aggregator) Add(ctx context.Context, f *File, q Query) (report.Receipt, error) {
	p, err := a.Plan(ctx, f, q)
	if err != nil {
		return report.Receipt{}, err
	}
	return a.Run(ctx, p)
}

// Run adds the matching rows of a plan that Plan made.
func (a *Aggregator) Run(ctx context.Context, p *Plan) (report.Receipt, error) {
	if p.scanned.Swap(true) {
		return report.Receipt{}, errScannedTwice
	}
	if err := a.bind(p); err != nil {
		return report.Receipt{}, p.file.named(err)
	}
	s := p.Scan(ctx)
	err := parallel(len(p.reads), p.query.Threads, func(i int) error { return a.read(ctx, s, i) })
	s.end()
	return s.Receipt(), p.file.named(err)
}

// bind checks that a further file has the columns of the first, of the same types.
func (a *Aggregator) bind(p *Plan) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.types == nil {
		a.types = make([]*metadata.Column, len(a.aggs))
	}
	p.folds = map[*metadata.Column][]int{}
	for i, g := range a.aggs {
		if g.Star || a.lacks(p.file, g.Column) {
			continue
		}
		col, err := predicate.Resolve(p.file.meta.Schema, g.Column)
		if err != nil {
			return err
		}
		p.folds[col] = append(p.folds[col], i)
		switch have := a.types[i]; {
		case a.settled:
		case have == nil: // the files before lack it
			a.types[i] = col
		case g.Func == "count":
		default:
			wider, ok := widerColumn(have, col)
			if !ok {
				return fmt.Errorf("column %s is %s, in other files %s", col.Name, col.TypeName(), have.TypeName())
			}
			a.types[i] = wider
		}
	}
	return nil
}

// settle chooses the types of the results from all files, so that they do not hang on
// which file is bound first: of each column the one whose type holds those of all.
func (a *Aggregator) settle(files []*File) error {
	a.types, a.settled = make([]*metadata.Column, len(a.aggs)), true
	for i, g := range a.aggs {
		if g.Star {
			continue
		}
		var cols []*metadata.Column
		var of []*File
		for _, f := range files {
			if col, _ := f.meta.Schema.Lookup(g.Column); col != nil {
				cols, of = append(cols, col), append(of, f)
			}
		}
		for _, c := range cols {
			if g.Func == "count" || holdsAll(c, cols) {
				a.types[i] = c
				break
			}
		}
		if len(cols) == 0 || a.types[i] != nil {
			continue
		}
		for k, c := range cols {
			if c.TypeName() != cols[0].TypeName() {
				return fmt.Errorf("column %s is %s in %s and %s in %s: no type holds the values of all files", g.Column, cols[0].TypeName(), of[0].opt.Name, c.TypeName(), of[k].opt.Name)
			}
		}
	}
	return nil
}

// holdsAll reports whether the type of a column holds the values of all of them.
func holdsAll(c *metadata.Column, all []*metadata.Column) bool {
	for _, other := range all {
		if wider, ok := widerColumn(c, other); !ok || wider != c {
			return false
		}
	}
	return true
}

// widerColumn is the column to whose type the values of both widen; ok is false if
// there is none, or if their values cannot be compared as they are.
func widerColumn(a, b *metadata.Column) (_ *metadata.Column, ok bool) {
	if a.TypeName() == b.TypeName() {
		return a, true
	}
	x, y := column.Field(a, column.ArrowOptions{}).Type, column.Field(b, column.ArrowOptions{}).Type
	t, ok := common(x, y)
	switch {
	case !ok || a.Order != b.Order || !arrow.IsInteger(x.ID()) && !arrow.IsFloating(x.ID()):
		return nil, false // a time of another unit, a decimal of another scale
	case arrow.TypeEqual(t, x):
		return a, true
	}
	return b, arrow.TypeEqual(t, y)
}

// read gathers one read of the plan and folds the rows that metadata did not
// answer.
func (a *Aggregator) read(ctx context.Context, s *Scan, i int) error {
	parts, have, err := s.gather(ctx, i)
	defer have.release()
	defer closeParts(parts)
	if err != nil {
		return err
	}
	return parallel(len(parts), s.plan.query.Threads, func(k int) error { return a.part(ctx, s, parts[k], have) })
}

// part folds the matching rows of one window.
func (a *Aggregator) part(ctx context.Context, s *Scan, p *part, have metadata.Bytes) error {
	defer s.countPart(p)
	n := p.selected().Len()
	s.count(func(c *counts) { c.returned += n })
	a.mu.Lock()
	a.rows += n
	a.mu.Unlock()
	for _, c := range p.group.Output {
		if c.Column.Logical.Kind == metadata.Null {
			continue // every row is NULL, whatever is stored
		}
		for _, z := range c.Answers {
			if p.window.First { // they are the whole row group's
				a.foldZone(s.plan, c.Column, z)
			}
		}
		rows := p.selected().Subtract(c.Answered)
		if err := s.eachVector(ctx, p, c, rows, have, func(v *column.Vector) { a.foldVector(s.plan, c.Column, v) }); err != nil {
			return err
		}
	}
	return nil
}

// each calls f with the folds of a column of a plan's file.
func (a *Aggregator) each(p *Plan, col *metadata.Column, f func(fn string, fd *fold)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, i := range p.folds[col] {
		f(a.aggs[i].Func, &a.folds[i])
	}
}

func (a *Aggregator) foldZone(p *Plan, col *metadata.Column, z metadata.Zone) {
	a.each(p, col, func(fn string, fd *fold) {
		switch {
		case fn == "count":
			fd.count += z.Rows - max(z.Nulls, 0)
		case z.AllNull():
		case fn == "min":
			fd.take(z.Lower, -1)
		default:
			fd.take(z.Upper, +1)
		}
	})
}

func (a *Aggregator) foldVector(p *Plan, col *metadata.Column, v *column.Vector) {
	var lo, hi *metadata.Value
	for i := range v.Rows {
		if !v.IsValid(i) {
			continue
		}
		val := v.Value(i)
		if lo == nil || val.Compare(*lo) < 0 {
			lo = &val
		}
		if hi == nil || val.Compare(*hi) > 0 {
			hi = &val
		}
	}
	a.each(p, col, func(fn string, fd *fold) {
		switch {
		case fn == "count":
			fd.count += int64(v.Rows - v.Nulls)
		case lo == nil:
		case fn == "min":
			fd.take(*lo, -1)
		default:
			fd.take(*hi, +1)
		}
	})
}

// take keeps v if it lies further in the direction d.
func (f *fold) take(v metadata.Value, d int) {
	if f.best == nil || v.Compare(*f.best) == d {
		f.best = column.Clone(v)
	}
}

// Result is the one row of aggregates, as an Arrow record batch: counts are
// int64, minima and maxima have their column's type and are null if no row
// with a value matched. At least one file must have been added.
func (a *Aggregator) Result() (arrow.RecordBatch, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	fields := make([]arrow.Field, len(a.aggs))
	cols := make([]arrow.Array, 0, len(a.aggs))
	defer func() {
		for _, c := range cols {
			c.Release()
		}
	}()
	for i, g := range a.aggs {
		fields[i] = arrow.Field{Name: g.String(), Type: arrow.PrimitiveTypes.Int64}
		if g.Func == "count" {
			n := a.folds[i].count
			if g.Star {
				n = a.rows
			}
			b := array.NewInt64Builder(memory.DefaultAllocator)
			b.Append(n)
			cols = append(cols, b.NewArray())
			b.Release()
			continue
		}
		field := column.Field(a.types[i], column.ArrowOptions{})
		fields[i].Type, fields[i].Nullable, fields[i].Metadata = field.Type, true, field.Metadata
		v := column.NewVector(a.types[i])
		if err := v.Push(a.folds[i].canonical()); err != nil {
			return nil, err
		}
		c, err := column.ToArrow(v, field.Type)
		if err != nil {
			return nil, err
		}
		cols = append(cols, c)
	}
	return array.NewRecordBatch(arrow.NewSchema(fields, nil), cols, 1), nil
}

// canonical is the best value; which of the two zeros, or of the NaNs, it is
// would depend on the order of reading.
func (f *fold) canonical() *metadata.Value {
	if f.best != nil && f.best.Order == metadata.OrderFloat {
		v := *f.best
		if v.Float == 0 {
			v.Float = 0
		} else if v.Float != v.Float {
			v.Float = math.NaN()
		}
		return &v
	}
	return f.best
}
