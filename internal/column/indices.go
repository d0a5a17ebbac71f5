package column

import (
	"errors"

	"github.com/parequet/pare/internal/encoding"
	"github.com/parequet/pare/internal/membuf"
	"github.com/parequet/pare/internal/page"
	"github.com/parequet/pare/predicate"
)

// ErrNotDictionary says that a page holds values where indices were asked for.
var ErrNotDictionary = errors.New("the page is not dictionary-encoded")

// AppendIndices is Append for rows whose pages are all dictionary-encoded: v
// holds indices into the chunk's dictionary instead of values, so that a
// predicate tests each value of the dictionary once rather than each row. It
// fails with [ErrNotDictionary] at a page of another encoding; v must then be
// reset.
func (r *Reader) AppendIndices(v *Vector, from, to int64) error {
	return r.rows(from, to, func(p *Page, n int) error {
		if r.vals.dict == nil || r.dict == nil {
			return ErrNotDictionary
		}
		v.dict = r.dict // a stream has it once a page has come
		return v.takeIndices(n, &r.data.Def, &r.vals, r.dict)
	})
}

// ReserveIndices makes room for the indices of rows more rows.
func (v *Vector) ReserveIndices(rows int) {
	v.indices = membuf.GrowOf(v.indices, rows)
	if v.Column.MaxDef > 0 {
		v.Valid = membuf.Grow(v.Valid, (v.Rows+rows+7)/8-len(v.Valid))
	}
}

// takeIndices appends the indices of n rows; null rows get index 0.
func (v *Vector) takeIndices(n int, def *encoding.Levels, d *values, dict *page.Dictionary) error {
	count := n
	if v.Column.MaxDef > 0 {
		v.Valid = extend(v.Valid, (v.Rows+n+7)/8)
		var err error
		if count, err = def.Present(v.Valid, v.Rows, n); err != nil {
			return err
		}
	}
	at := len(v.indices)
	v.indices = membuf.GrowOf(v.indices, n)[:at+n]
	slots := v.indices[at:]
	for from := 0; from < count; from += gatherRows {
		some := slots[from:min(from+gatherRows, count)]
		if err := d.read32(some); err != nil {
			return err
		}
	}
	k := count
	for i := n - 1; i >= 0 && k <= i; i-- { // as in spreadFixed
		bit := v.Rows + i
		if v.Valid[bit>>3]>>(bit&7)&1 != 0 {
			k--
			slots[i] = slots[k]
		} else {
			slots[i] = 0
		}
	}
	v.Rows += n
	v.Nulls += n - count
	return nil
}

// passing returns, for each value of the vector's dictionary, whether it
// passes a leaf. It is computed once for a leaf and a dictionary.
func (v *Vector) passing(l predicate.Leaf) []byte {
	if v.tables == nil || v.tablesOf != v.dict {
		v.tables, v.tablesOf = map[predicate.Leaf][]byte{}, v.dict
	}
	t, ok := v.tables[l]
	if !ok {
		t = make([]byte, max(v.dict.N, 1)) // null rows look at entry 0
		for i := range v.dict.N {
			t[i] = b2b(l.Test(v.dict.Value(i)))
		}
		v.tables[l] = t
	}
	return t
}
