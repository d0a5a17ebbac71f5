package column

// Page returns page k of those in hand: its rows, its place and its bytes,
// header included.
func (r *Reader) Page(k int) Page { return r.pages[k] }

// End is the fault that ended the walk over a chunk's pages, nil if there was none.
func (r *Reader) End() error { return r.end }
