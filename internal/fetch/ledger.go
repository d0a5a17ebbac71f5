package fetch

import (
	"cmp"
	"slices"
	"sync"

	"github.com/parequet/pare/metadata"
)

// Request is one request as it was issued, or as it would be.
type Request struct {
	Round   int // the round that needed it; rounds are numbered from the open's 0
	Offset  int64
	Length  int64
	Wanted  int64  // bytes of it that the round asked for
	Pieces  int    // extents that it serves
	Purpose string // what they are, or "several"
	Retries int
}

// Ledger records what one use of a file asked for and what crossed the
// source. It is safe for concurrent use.
type Ledger struct {
	mu       sync.Mutex
	requests []Request
	wanted   []metadata.Extent
}

func (l *Ledger) record(r Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.requests = append(l.requests, r)
}

// Want notes that extents were wanted that are in hand already.
func (l *Ledger) Want(es []metadata.Extent) { l.want(es) }

func (l *Ledger) want(es []metadata.Extent) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.wanted = append(l.wanted, es...)
}

// Absorb moves what another ledger holds into l.
func (l *Ledger) Absorb(o *Ledger) {
	o.mu.Lock()
	rs, ws := o.requests, o.wanted
	o.requests, o.wanted = nil, nil
	o.mu.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.requests = append(l.requests, rs...)
	l.wanted = append(l.wanted, ws...)
}

// Clone returns a copy that can be added to without changing l.
func (l *Ledger) Clone() *Ledger {
	l.mu.Lock()
	defer l.mu.Unlock()
	return &Ledger{requests: slices.Clone(l.requests), wanted: slices.Clone(l.wanted)}
}

// Foresee adds requests and the extents they serve as if they had been made.
func (l *Ledger) Foresee(rs []Request, es []metadata.Extent) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.requests = append(l.requests, rs...)
	l.wanted = append(l.wanted, es...)
}

// Requests returns the requests by round and offset.
func (l *Ledger) Requests() []Request {
	l.mu.Lock()
	defer l.mu.Unlock()
	rs := slices.Clone(l.requests)
	slices.SortFunc(rs, func(a, b Request) int {
		return cmp.Or(cmp.Compare(a.Round, b.Round), cmp.Compare(a.Offset, b.Offset))
	})
	return rs
}

// Totals says where the bytes went. The kinds and Gap add up to Total, which
// is what crossed the source.
type Totals struct {
	Kind     map[metadata.PieceKind]int64
	Column   map[int]int64 // by column; footer and gaps left out
	Gap      int64
	Total    int64
	Requests int
	Rounds   int
	Retries  int
}

// Totals adds the ledger up. Bytes that several pieces claim count for one.
func (l *Ledger) Totals() Totals {
	rs := l.Requests()
	t := Totals{Kind: map[metadata.PieceKind]int64{}, Column: map[int]int64{}, Requests: len(rs)}
	spans := make([]span, 0, len(rs))
	rounds := map[int]bool{}
	for _, r := range rs {
		t.Total += r.Length
		t.Retries += r.Retries
		rounds[r.Round] = true
		spans = append(spans, span{r.Offset, r.Offset + r.Length})
	}
	t.Rounds = len(rounds)
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	l.mu.Lock()
	wanted := slices.Clone(l.wanted)
	l.mu.Unlock()
	slices.SortFunc(wanted, func(a, b metadata.Extent) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(a.Length, b.Length))
	})
	used := int64(0) // up to here bytes have been booked
	first := 0       // spans before it end before the current extent
	t.Gap = t.Total
	for _, e := range wanted {
		from := max(e.Offset, used)
		for first < len(spans) && spans[first].to <= from {
			first++
		}
		for i := first; i < len(spans) && spans[i].from < e.End(); i++ {
			lo, hi := max(from, spans[i].from), min(e.End(), spans[i].to)
			if n := hi - lo; n > 0 {
				t.Kind[e.Piece.Kind] += n
				if e.Piece.Kind != metadata.PieceFooter {
					t.Column[e.Piece.Column] += n
				}
				t.Gap -= n
				from = hi
			}
		}
		used = max(used, e.End())
	}
	return t
}

type span struct{ from, to int64 }
