package evidence

import (
	"bytes"
	"fmt"
	"math/big"

	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/ndv"
	"github.com/parequet/pare/orc"
)

// ORC is the evidence of one ORC file: statistics of stripes, then the sizes of
// dictionaries in stripe footers, then row indexes.
type ORC struct {
	Columns []ndv.Column
	Doubts  []string

	meta    *orc.File
	ids     []int // of the columns
	tier    ndv.Tier
	stripes []metadata.Extent // footers that have been asked for
	indexes []rowIndex
	looked  int // rounds
}

// rowIndex is a row index that is asked for.
type rowIndex struct {
	chunk  *ndv.Chunk
	column int
	at     metadata.Extent
	rows   int64
}

// NewORC takes what the footer says of columns, by their numbers.
func NewORC(f *orc.File, ids []int, tier ndv.Tier) *ORC {
	e := &ORC{meta: f, ids: ids, tier: tier}
	for _, id := range ids {
		e.Columns = append(e.Columns, fromORC(f, id))
	}
	return e
}

// fromORC summarises a column, stripe by stripe.
func fromORC(f *orc.File, id int) ndv.Column {
	c := &f.Columns[id]
	out := ndv.Column{Name: c.Name, Order: orderOf(c), Width: 8, Boolean: c.Kind == orc.Boolean, Nullable: true, Repeated: c.InList}
	if out.Order == metadata.OrderBytes || out.Order == metadata.OrderDecimal {
		out.Width = -1
	}
	add := func(rows int64, s *orc.Statistics) {
		x := ndv.NewChunk(zoneOf(c, rows, s))
		x.Usage = ndv.Unknown
		if out.Width < 0 && c.Kind != orc.Decimal {
			x.Text = s.Bytes
		}
		if n := s.Values; c.Kind == orc.Boolean && s.TrueBits >= 0 && s.TrueBits <= n {
			lo, hi := metadata.IntValue(0), metadata.IntValue(1)
			if s.TrueBits == n {
				lo = hi
			} else if s.TrueBits == 0 {
				hi = lo
			}
			x.Zone.Lower, x.Zone.Upper, x.Zone.HasLower, x.Zone.HasUpper, x.Zone.LowerExact, x.Zone.UpperExact = lo, hi, n > 0, n > 0, true, true
		}
		x.RowGroup = len(out.Chunks)
		out.Chunks = append(out.Chunks, x)
	}
	if len(f.ByStripe) == len(f.Stripes) {
		for i, s := range f.Stripes {
			if id < len(f.ByStripe[i]) {
				add(s.Rows, &f.ByStripe[i][id])
			} else {
				add(s.Rows, unknownORC(c, s.Rows))
			}
		}
	} else if id < len(f.Statistics) {
		add(f.Rows, &f.Statistics[id])
	} else {
		add(f.Rows, unknownORC(c, f.Rows))
	}
	return out
}

// unknownORC is the statistics of a column of which nothing was written.
func unknownORC(*orc.Column, int64) *orc.Statistics {
	return &orc.Statistics{Values: -1, Bytes: -1, TrueBits: -1}
}

func orderOf(c *orc.Column) metadata.Order {
	switch c.Kind {
	case orc.Float, orc.Double, orc.Timestamp, orc.TimestampInstant:
		return metadata.OrderFloat
	case orc.String, orc.Varchar, orc.Char, orc.Binary:
		return metadata.OrderBytes
	case orc.Decimal:
		return metadata.OrderDecimal
	}
	return metadata.OrderInt
}

// zoneOf believes the statistics of so many rows.
func zoneOf(c *orc.Column, rows int64, s *orc.Statistics) metadata.Zone {
	z := metadata.Zone{Rows: rows, Nulls: rows - s.Values, NoNaN: c.Kind != orc.Float && c.Kind != orc.Double}
	if c.InList {
		z.Rows, z.Nulls = s.Values, 0
	}
	// No value and no NULL either: nothing was counted.
	if s.Values < 0 || z.Nulls < 0 || s.Values == 0 && !s.HasNull && z.Rows > 0 {
		z = metadata.Zone{Rows: rows, Nulls: -1, NoNaN: z.NoNaN}
		if c.InList {
			z.Rows = 1 << 62 // a list may have any number
		}
		return z
	}
	set := func(lo, hi metadata.Value, hasLo, hasHi, loExact, hiExact bool) {
		if hasLo && hasHi && lo.Compare(hi) > 0 {
			return
		}
		z.Lower, z.Upper, z.HasLower, z.HasUpper, z.LowerExact, z.UpperExact = lo, hi, hasLo, hasHi, loExact, hiExact
	}
	switch {
	case z.AllNull():
	case s.Timestamp != nil && orderOf(c) == metadata.OrderFloat:
		// In milliseconds, cut: what they hold may lie up to one beyond.
		r := s.Timestamp
		set(metadata.FloatValue(float64(r.Min)-1), metadata.FloatValue(float64(r.Max)+1), r.HasMin, r.HasMax, false, false)
	case s.Int != nil && orderOf(c) == metadata.OrderInt && c.Kind != orc.Boolean:
		set(metadata.IntValue(s.Int.Min), metadata.IntValue(s.Int.Max), s.Int.HasMin, s.Int.HasMax, true, true)
	case s.Double != nil && (c.Kind == orc.Float || c.Kind == orc.Double):
		lo, hi := metadata.FloatValue(s.Double.Min), metadata.FloatValue(s.Double.Max)
		if !lo.IsNaN() && !hi.IsNaN() {
			set(lo, hi, s.Double.HasMin, s.Double.HasMax, true, true)
		}
	case s.Text != nil && c.Kind == orc.Decimal:
		lo, okLo := decimal(s.Text.Min, c.Scale)
		hi, okHi := decimal(s.Text.Max, c.Scale)
		set(lo, hi, okLo, okHi, okLo, okHi)
	case s.Text != nil:
		t := s.Text
		set(metadata.BytesValue(t.Min), metadata.BytesValue(t.Max), t.HasMin, t.HasMax, t.HasMin && !t.MinCut, t.HasMax && !t.MaxCut)
	}
	return z
}

// decimal parses what statistics hold of decimals, at the column's scale.
func decimal(text []byte, scale int) (metadata.Value, bool) {
	r, ok := new(big.Rat).SetString(string(text))
	if !ok || len(text) > 100 || scale > 100 {
		return metadata.Value{}, false
	}
	r.Mul(r, new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)))
	if !r.IsInt() {
		return metadata.Value{}, false
	}
	return metadata.DecimalValue(r.Num()), true
}

// Next returns what has to be fetched next; nothing means that all has been
// looked at. have holds all that earlier calls asked for, nil at first.
func (e *ORC) Next(have metadata.Bytes) (need []metadata.Extent) {
	e.looked++
	switch {
	case e.tier < ndv.T1 || len(e.meta.ByStripe) != len(e.meta.Stripes) || e.meta.Encrypted:
		return nil
	case e.looked == 1:
		for i, s := range e.meta.Stripes {
			e.stripes = append(e.stripes, metadata.Extent{Offset: s.FooterOffset(), Length: s.FooterLength, Piece: metadata.Piece{Kind: metadata.PieceFooter, RowGroup: i}})
		}
		return e.stripes
	case e.looked == 2:
		for i, s := range e.meta.Stripes {
			b, _ := have.Get(e.stripes[i])
			f, err := e.meta.ParseStripeFooter(s, b)
			if err != nil {
				e.Doubts = append(e.Doubts, fmt.Sprintf("footer of stripe %d: %v", i, err))
				continue
			}
			need = append(need, e.stripe(i, s, f)...)
		}
		return need
	}
	for _, x := range e.indexes {
		if b, ok := have.Get(x.at); ok {
			e.index(x, b)
		}
	}
	return nil
}

// stripe takes the sizes of dictionaries, and asks for row indexes.
func (e *ORC) stripe(i int, s orc.Stripe, f orc.StripeFooter) (need []metadata.Extent) {
	for k, id := range e.ids {
		c := &e.Columns[k].Chunks[i]
		if id < len(f.Encodings) {
			if x := f.Encodings[id]; e.tier >= ndv.T2 && x.Dictionary && x.Size >= 0 && x.Size <= c.Zone.Rows {
				c.Usage, c.Entries = ndv.All, x.Size
			} else {
				c.Usage = ndv.None
			}
		}
		for _, st := range f.Streams {
			if st.Kind == orc.RowIndex && st.Column == id && st.Length > 0 && !e.meta.Columns[id].InList && c.Entries < 0 {
				at := metadata.Extent{Offset: st.Offset, Length: st.Length, Piece: metadata.Piece{Kind: metadata.PieceColumnIndex, RowGroup: i, Column: id}}
				e.indexes = append(e.indexes, rowIndex{c, id, at, s.Rows})
				need = append(need, at)
			}
		}
	}
	return need
}

// index takes the bounds of every stride of rows.
func (e *ORC) index(x rowIndex, b []byte) {
	all, err := e.meta.ParseRowIndex(b)
	if err != nil {
		e.Doubts = append(e.Doubts, fmt.Sprintf("%s, stripe %d: row index: %v", e.meta.Columns[x.column].Name, x.at.Piece.RowGroup, err))
		return
	}
	left := x.rows
	for _, s := range all {
		rows := min(left, e.meta.Stride)
		if left -= rows; rows <= 0 {
			return
		}
		z := zoneOf(&e.meta.Columns[x.column], rows, &s)
		z.Lower.Bytes, z.Upper.Bytes = bytes.Clone(z.Lower.Bytes), bytes.Clone(z.Upper.Bytes)
		x.chunk.PageZones = append(x.chunk.PageZones, z)
	}
}
