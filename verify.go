package pare

import (
	"context"
	"errors"
	"fmt"

	"github.com/parequet/pare/internal/column"
	"github.com/parequet/pare/internal/fetch"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/plan"
)

// Finding is something that a file says of itself and that its data denies.
type Finding struct {
	RowGroup int    `json:"row_group"`
	Column   string `json:"column"`
	Page     int    `json:"page"`   // data page of the chunk; -1 where the whole chunk is meant
	Offset   int64  `json:"offset"` // of the page or the chunk in the file; -1 if there is none
	What     string `json:"what"`   // which piece of metadata
	Why      string `json:"why"`
}

func (f Finding) String() string {
	s := fmt.Sprintf("row group %d, column %s", f.RowGroup, f.Column)
	if f.Page >= 0 {
		s += fmt.Sprintf(", page %d", f.Page)
	}
	if f.Offset >= 0 {
		s += fmt.Sprintf(" at %d", f.Offset)
	}
	return s + ": " + f.What + ": " + f.Why
}

// Verification sums up what Verify looked at.
type Verification struct {
	RowGroups int      `json:"row_groups"`
	Chunks    int      `json:"column_chunks"`
	Pages     int      `json:"pages"`
	Rows      int64    `json:"rows"`
	Bytes     int64    `json:"bytes"`
	Skipped   []string `json:"not_verified"` // columns that cannot be read, with the reason
}

// Verify reads every column and checks that statistics, page index, Bloom
// filters, encodings and checksums tell the truth. report is called for each
// lie. A fault that ends the reading of a chunk is a finding, too; an error is
// returned only if the file could not be read or ctx ended.
func (f *File) Verify(ctx context.Context, report func(Finding)) (Verification, error) {
	var sum Verification
	cols := f.meta.Schema.Columns
	skip := map[*metadata.Column]bool{}
	for _, col := range cols {
		if col.Problem != "" {
			skip[col] = true
			sum.Skipped = append(sum.Skipped, col.Name+": "+col.Problem)
		}
	}
	for _, g := range f.meta.RowGroups {
		sum.RowGroups++
		sum.Rows += g.NumRows
		for _, col := range cols {
			if skip[col] {
				continue
			}
			v := verifier{f: f, g: g, col: col, report: report, sum: &sum}
			if err := v.chunk(ctx); err != nil {
				return sum, f.named(err)
			}
		}
	}
	return sum, nil
}

// verifier checks one column chunk.
type verifier struct {
	f      *File
	g      *metadata.RowGroup
	col    *metadata.Column
	c      *metadata.Chunk
	report func(Finding)
	sum    *Verification
	probe  *plan.BloomFilter
	missed bool // a value is missing from the Bloom filter; said once
}

func (v *verifier) find(page int, offset int64, what, format string, args ...any) {
	v.report(Finding{v.g.Index, v.col.Name, page, offset, what, fmt.Sprintf(format, args...)})
}

// fault reports what ended the reading of a chunk. What only pare cannot read
// is no lie.
func (v *verifier) fault(page int, offset int64, what string, err error) {
	var u *metadata.UnsupportedError
	if errors.As(err, &u) {
		v.sum.Skipped = append(v.sum.Skipped, err.Error())
		return
	}
	v.find(page, offset, what, "%v", err)
}

func (v *verifier) chunk(ctx context.Context) error {
	c, err := v.g.Chunk(v.col)
	if err != nil {
		v.fault(-1, -1, "column chunk", err)
		return nil
	}
	v.c = c
	v.sum.Chunks++
	if c.NumValues != v.g.NumRows && !v.col.Repeated() {
		v.find(-1, c.Pages.Offset, "num_values", "%d, the row group has %d rows", c.NumValues, v.g.NumRows)
	}
	extents := []metadata.Extent{c.Pages}
	meta := v.f.meta
	if meta.HasOffsetIndex(c) {
		extents = append(extents, c.OffsetIndex)
	}
	if meta.HasColumnIndex(c) {
		extents = append(extents, c.ColumnIndex)
	}
	blocks, err := v.f.fetch.Fetch(ctx, &fetch.Ledger{}, 0, extents)
	if err != nil {
		return err
	}
	defer blocks.Release()
	if err := v.openBloom(ctx); err != nil {
		return err
	}
	b, _ := blocks.Get(c.Pages)
	v.sum.Bytes += int64(len(b))
	r, err := column.Walk(c, v.g.NumRows, b, column.Options{MaxPageBytes: v.f.opt.MaxPage})
	if err != nil {
		v.fault(-1, c.Pages.Offset, "pages", err)
		return nil
	}
	if r.End() != nil {
		v.fault(-1, c.Pages.Offset, "pages", r.End())
	}
	var truths []truth
	whole := truth{}
	for k := range r.NumPages() {
		if err := ctx.Err(); err != nil {
			return err
		}
		t, err := v.page(r, k)
		if err != nil {
			v.fault(k, r.Page(k).Offset, "page", err)
			return nil
		}
		truths = append(truths, t)
		whole.add(t)
	}
	v.sum.Pages += len(truths)
	if v.col.Repeated() {
		v.records(r, whole)
	}
	v.statistics(-1, c.Pages.Offset, "statistics", c.Statistics, whole)
	v.encodings(r)
	v.indexes(blocks, r, truths)
	return nil
}

// records checks the counts of a repeated column's chunk.
func (v *verifier) records(r *column.Reader, whole truth) {
	if v.c.NumValues != whole.rows {
		v.find(-1, v.c.Pages.Offset, "num_values", "%d, its pages have %d", v.c.NumValues, whole.rows)
	}
	if n := r.NumPages(); n > 0 && r.Page(n-1).To != v.g.NumRows {
		v.find(-1, v.c.Pages.Offset, "pages", "%d rows begin on them, the row group has %d", r.Page(n-1).To, v.g.NumRows)
	}
}

// truth is what the values of a page, or of a chunk, really are.
type truth struct {
	rows, nulls, nans int64           // rows of a repeated column: elements, and lists that are empty or null
	empty             int64           // nulls that are not elements, but such lists
	lo, hi            *metadata.Value // of the values that are neither null nor NaN
}

// hasNulls reports whether there are so many nulls. Whether empty lists are
// among them is not agreed on.
func (t truth) hasNulls(n int64) bool { return n == t.nulls || n == t.nulls-t.empty }

func (t *truth) add(o truth) {
	t.rows += o.rows
	t.nulls += o.nulls
	t.empty += o.empty
	t.nans += o.nans
	for _, v := range []*metadata.Value{o.lo, o.hi} {
		t.take(v)
	}
}

func (t *truth) take(v *metadata.Value) {
	if v == nil {
		return
	}
	if t.lo == nil || v.Compare(*t.lo) < 0 {
		t.lo = v
	}
	if t.hi == nil || v.Compare(*t.hi) > 0 {
		t.hi = v
	}
}

// verifyRows is how many rows of a page are looked at together.
const verifyRows = 64 << 10

// page decodes a page and compares its header's statistics with the values.
func (v *verifier) page(r *column.Reader, k int) (t truth, err error) {
	p := r.Page(k)
	vec := column.NewVector(v.col)
	if v.col.Repeated() {
		if err := r.EachLevel(vec, k, func() { t.add(v.values(vec)) }); err != nil {
			return t, err
		}
	}
	for from := p.From; from < p.To && !v.col.Repeated(); from += verifyRows {
		vec.Reset()
		if err := r.Append(vec, from, min(from+verifyRows, p.To)); err != nil {
			return t, err
		}
		t.add(v.values(vec))
	}
	h, err := metadata.ParsePageHeader(p.Bytes, true)
	if err != nil {
		return t, err
	}
	v.statistics(k, p.Offset, "page header statistics", h.Statistics, t)
	if rows := r.Page(k).To - r.Page(k).From; h.Type == metadata.DataPageV2 && int64(h.NumRows) != rows {
		v.find(k, p.Offset, "page header", "%d rows, there are %d", h.NumRows, rows)
	}
	if h.Type == metadata.DataPageV2 && !t.hasNulls(int64(h.NumNulls)) {
		v.find(k, p.Offset, "page header", "%d nulls, there are %d", h.NumNulls, t.nulls)
	}
	return t, nil
}

func (v *verifier) values(vec *column.Vector) (t truth) {
	t.rows, t.nulls = int64(vec.Rows), int64(vec.Nulls)
	if v.col.Repeated() {
		t.empty = int64(vec.Levels() - vec.Rows)
		t.rows, t.nulls = t.rows+t.empty, t.nulls+t.empty
	}
	var lo, hi metadata.Value
	found := false
	for i := range vec.Rows {
		if !vec.IsValid(i) {
			continue
		}
		val := vec.Value(i)
		if v.probe != nil && !v.missed && !v.probe.MayHold(v.col, val) {
			v.missed = true
			v.find(-1, v.c.BloomOffset, "Bloom filter", "it denies a value of row %d of a page", i)
		}
		switch {
		case val.IsNaN():
			t.nans++
		case !found:
			lo, hi, found = val, val, true
		case val.Compare(lo) < 0:
			lo = val
		case val.Compare(hi) > 0:
			hi = val
		}
	}
	if found {
		t.lo, t.hi = column.Clone(lo), column.Clone(hi)
	}
	return t
}

// openBloom reads the chunk's Bloom filter, if it has one that can be used.
func (v *verifier) openBloom(ctx context.Context) error {
	h, ok, err := v.f.BloomHeader(ctx, v.c)
	if !ok {
		return nil
	}
	if err != nil {
		v.find(-1, v.c.BloomOffset, "Bloom filter", "%v", err)
		return nil
	}
	e := metadata.Extent{Offset: v.c.BloomOffset + int64(h.Length), Length: int64(h.NumBytes)}
	if e.End() > v.f.meta.Footer.Offset {
		v.find(-1, v.c.BloomOffset, "Bloom filter", "its bitset of %d bytes does not fit before the footer", h.NumBytes)
		return nil
	}
	if n := v.c.BloomLength; n > 0 && n != int64(h.Length)+int64(h.NumBytes) {
		v.find(-1, v.c.BloomOffset, "Bloom filter", "a length of %d bytes, header and bitset take %d", n, int64(h.Length)+int64(h.NumBytes))
	}
	blocks, err := v.f.fetch.Fetch(ctx, &fetch.Ledger{}, 0, []metadata.Extent{e})
	if err != nil {
		return err
	}
	b, _ := blocks.Get(e) // not released: the filter lives as long as the verifier
	v.probe = &plan.BloomFilter{Bits: b}
	return nil
}
