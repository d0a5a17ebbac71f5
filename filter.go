package pare

import (
	"context"
	"encoding/binary"
	"errors"
	"math/bits"
	"slices"

	"github.com/parequet/pare/internal/column"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/plan"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/rowrange"
)

// filter tests, of the rows of a row group that may but need not match, those
// that still do, by the conditions whose columns have come with a round.
func (s *Scan) filter(ctx context.Context, p *part, round int, have metadata.Bytes) error {
	g, tests := p.group, p.window.Tests[round]
	for _, n := range tests {
		for _, c := range g.Tested(n) {
			if err := s.openTested(p, c, have); err != nil {
				return err
			}
		}
	}
	if len(tests) == 0 || p.open.Empty() {
		return nil
	}
	t := tester{part: p, vectors: map[predicate.Leaf]*column.Vector{}}
	defer t.close()
	var found []rowrange.Set
	err := s.windows(ctx, p, p.open, func(rows rowrange.Set, limit int) error {
		return s.working(p, func() error {
			t.limit = limit
			for _, n := range tests {
				for _, c := range g.Tested(n) {
					if r := p.readers[c]; r != nil {
						r.LetGo(rows[0].From)
					}
				}
			}
			m, err := t.all(tests, rows)
			if err != nil {
				return err // what it found so far means nothing
			}
			if len(m) > 0 && &m[0] == &rows[0] {
				m = slices.Clone(m) // the portion's memory is used again
			}
			found = append(found, m)
			return nil
		})
	})
	p.open = rowrange.Join(found)
	return err
}

// openTested opens the pages of a filter column that the open rows need.
func (s *Scan) openTested(p *part, c *plan.Chunk, have metadata.Bytes) error {
	if p.readers[c] != nil { // another condition's column, too: fewer rows need it now
		p.needed[c] = p.needed[c].Intersect(p.open)
		return nil
	}
	rows := p.open.Intersect(c.Need)
	p.needed[c] = rows
	if slices.Contains(p.group.Output, c) {
		rows = rows.Union(p.window.Must.Subtract(c.Answered)) // its pages stay open for decoding
	}
	if rows.Empty() {
		return nil
	}
	p.inHand[c] = rows
	return s.open(p, c, rows, have)
}

// tester evaluates a predicate on rows of one row group. Each leaf decodes
// only the rows on which the answer still hangs.
type tester struct {
	part    *part
	vectors map[predicate.Leaf]*column.Vector
	limit   int
	mask    []byte
}

func (t *tester) close() {
	for _, v := range t.vectors {
		v.Free()
	}
}

// eval returns the rows that satisfy a node.
func (t *tester) eval(n predicate.Node, rows rowrange.Set) (rowrange.Set, error) {
	g := t.part.group
	may, must := g.NodeRows(n)
	sure := rows.Intersect(must)
	rows = rows.Intersect(may).Subtract(must)
	if rows.Empty() {
		return sure, nil
	}
	var found rowrange.Set
	var err error
	switch n := n.(type) {
	case *predicate.AndNode:
		found, err = t.all(g.Ordered(n), rows)
	case *predicate.OrNode:
		for _, k := range n.Kids { // and rules in
			_, kidMust := g.NodeRows(k)
			found = found.Union(rows.Intersect(kidMust))
		}
		for _, k := range n.Kids {
			var m rowrange.Set
			if m, err = t.eval(k, rows.Subtract(found)); err != nil {
				break
			}
			found = found.Union(m)
		}
	case predicate.Leaf:
		found, err = t.test(n, rows)
	}
	if err != nil {
		return nil, err
	}
	return sure.Union(found), nil
}

// all returns the rows that satisfy every one of some nodes, tested in this
// order.
func (t *tester) all(nodes []predicate.Node, rows rowrange.Set) (rowrange.Set, error) {
	for _, n := range nodes { // what metadata rules out first
		may, _ := t.part.group.NodeRows(n)
		rows = rows.Intersect(may)
	}
	for _, n := range nodes {
		var err error
		if rows, err = t.eval(n, rows); err != nil || rows.Empty() {
			return nil, err
		}
	}
	return rows, nil
}

// fragmented is the mean length of ranges below which it is cheaper to decode
// what lies between them, too, and to drop it afterwards.
const fragmented = 16

// test decodes the leaf's column for rows and returns those that pass.
func (t *tester) test(l predicate.Leaf, rows rowrange.Set) (rowrange.Set, error) {
	p := t.part
	c := p.group.FilterChunk(l.Column())
	decode, widened := rows, int64(len(rows))*fragmented > rows.Len()
	if widened {
		decode = p.needed[c].Slice(rows[0].From, rows[len(rows)-1].To)
	}
	t.mask = slices.Grow(t.mask[:0], int(decode.Len()))[:decode.Len()]
	if err := t.fill(l, p.readers[c], decode); err != nil {
		return nil, err
	}
	p.tested[c] += decode.Len()
	found := appendMatches(nil, decode, t.mask)
	if widened {
		found = found.Intersect(rows)
	}
	return found, nil
}

// fill sets the mask to whether each of some rows passes a leaf.
func (t *tester) fill(l predicate.Leaf, r *column.Reader, rows rowrange.Set) error {
	v, seen := t.vectors[l]
	if group, ok := l.(*predicate.GroupLeaf); ok {
		if !seen {
			v = column.NewPresence(l.Column())
			t.vectors[l] = v
		}
		v.Reset()
		if err := r.AppendPresence(v, rows, uint8(group.Def)); err != nil {
			return err
		}
		for i := range t.mask {
			t.mask[i] = 0
			if v.IsValid(i) != group.Null {
				t.mask[i] = 1
			}
		}
		return nil
	}
	if !seen {
		v = column.NewVector(l.Column())
		t.vectors[l] = v
	}
	v.Binary.Limit = t.limit
	if err := appendTested(r, v, rows); err != nil {
		return err
	}
	column.Filter(l, t.mask, v)
	return nil
}

// appendMatches adds the rows whose mask is set; mask holds one byte, 0 or 1, for
// each row of rows.
func appendMatches(matched, rows rowrange.Set, mask []byte) rowrange.Set {
	const ones = 0x0101010101010101
	matched = slices.Grow(matched, runs(mask)+len(rows))
	for _, r := range rows {
		n := int(r.To - r.From)
		m := mask[:n]
		mask = mask[n:]
		for i := 0; i < n; {
			for i+8 <= n && binary.LittleEndian.Uint64(m[i:]) == 0 {
				i += 8
			}
			for i < n && m[i] == 0 {
				i++
			}
			from := i
			for i+8 <= n && binary.LittleEndian.Uint64(m[i:]) == ones {
				i += 8
			}
			for i < n && m[i] != 0 {
				i++
			}
			matched = matched.Append(r.From+int64(from), r.From+int64(i))
		}
	}
	return matched
}

// runs counts the runs of set bytes, which are 1.
func runs(mask []byte) (n int) {
	last := uint64(0) // the byte before
	for ; len(mask) >= 8; mask = mask[8:] {
		w := binary.LittleEndian.Uint64(mask)
		n += bits.OnesCount64(w &^ (w<<8 | last))
		last = w >> 56
	}
	for _, m := range mask {
		n += int(uint64(m) &^ last)
		last = uint64(m)
	}
	return n
}

// appendTested decodes rows that are to be tested: as dictionary indices, if
// their pages allow it, else as values.
func appendTested(r *column.Reader, v *column.Vector, rows rowrange.Set) error {
	v.Reset()
	v.ReserveIndices(int(rows.Len()))
	for _, x := range rows {
		err := r.AppendIndices(v, x.From, x.To)
		if errors.Is(err, column.ErrNotDictionary) {
			v.Reset()
			return appendRows(r, v, rows)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
