package column

// Page returns page k of those in hand: its rows, its place and its bytes,
// header included. Of a repeated column the rows are known once EachLevel has
// opened the page.
func (r *Reader) Page(k int) Page { return r.pages[k] }

// End is the fault that ended the walk over a chunk's pages, nil if there was none.
func (r *Reader) End() error { return r.end }

// EachLevel fills v with all values of page k of a repeated column, some at a
// time, wherever its records begin, and calls f with them. Pages are asked for
// in their order.
func (r *Reader) EachLevel(v *Vector, k int, f func()) error {
	if err := r.openRecords(k); err != nil {
		return r.recordFault(k, err)
	}
	for r.rec.left > 0 {
		v.Reset()
		err := r.fill()
		if err == nil {
			err = r.wide(v)
		}
		if err == nil {
			err = v.takeLevels(span{r.rec.rep[:r.rec.n], r.rec.def[:r.rec.n]}, &r.vals)
		}
		if err != nil {
			return r.recordFault(k, err)
		}
		f()
	}
	return nil
}
