package column

import (
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/rowrange"
)

// NewPresence makes an empty vector for AppendPresence: its slots are rows, and
// have no values.
func NewPresence(col *metadata.Column) *Vector { return &Vector{Column: col} }

// AppendPresence appends for each row whether the group is there that a
// definition level of at least def says to be; v comes from [NewPresence]. Where
// a list is asked about, its first level speaks for it.
func (r *Reader) AppendPresence(v *Vector, rows rowrange.Set, def uint8) error {
	v.Valid = extend(v.Valid, (v.Rows+int(rows.Len())+7)/8)
	push := func(level uint8) {
		if level >= def {
			v.Valid[v.Rows>>3] |= 1 << (v.Rows & 7)
		} else {
			v.Nulls++
		}
		v.Rows++
	}
	for _, x := range rows {
		var err error
		if r.rec != nil {
			err = r.eachSpan(x.From, x.To, func(s span) error {
				for i, rep := range s.rep {
					if rep == 0 {
						push(s.def[i])
					}
				}
				return r.pass(s.def)
			})
		} else {
			err = r.rows(x.From, x.To, func(p *Page, n int) error {
				var block [256]uint8
				for n > 0 {
					some := block[:min(n, len(block))]
					if err := r.data.Def.Read(some); err != nil {
						return err
					}
					for _, level := range some {
						push(level)
					}
					if err := r.pass(some); err != nil {
						return err
					}
					n -= len(some)
				}
				return nil
			})
		}
		if err != nil {
			return err
		}
	}
	return nil
}
