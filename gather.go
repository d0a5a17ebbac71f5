package pare

import (
	"bytes"
	"context"
	"slices"

	"github.com/parequet/pare/internal/fetch"
	"github.com/parequet/pare/internal/page"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/plan"
)

// blocks are the bytes of a read: of its rounds, and of pages that an earlier
// read fetched.
type blocks struct {
	fetched []*fetch.Blocks
	carried map[metadata.Extent][]byte
	asked   []metadata.Extent // what of it has been asked for and counted
	give    func()            // gives the read's memory back
}

// Get implements [metadata.Bytes]. What was fetched last is asked for first.
func (b blocks) Get(e metadata.Extent) ([]byte, bool) {
	for _, x := range slices.Backward(b.fetched) {
		if p, ok := x.Get(e); ok {
			return p, true
		}
	}
	p, ok := b.carried[e]
	return p, ok
}

func (b blocks) release() {
	for _, x := range b.fetched {
		x.Release()
	}
	if b.give != nil {
		b.give()
	}
}

// notIn leaves out what has come already, between the pieces of earlier rounds.
func (b blocks) notIn(es []metadata.Extent) []metadata.Extent {
	if len(b.fetched) == 0 {
		return es
	}
	return slices.DeleteFunc(slices.Clone(es), func(e metadata.Extent) bool {
		_, ok := b.Get(e)
		return ok
	})
}

// gather fetches a read round by round: what the rows need that pass the
// conditions tested so far. The blocks must be released and the parts closed.
func (s *Scan) gather(ctx context.Context, i int) (parts []*part, have blocks, err error) {
	defer close(s.gathered[i])
	r := &s.plan.reads[i]
	n := s.plan.memoryOf(r)
	if err := s.memory.take(ctx, i, n); err != nil {
		return nil, have, err
	}
	have.give = func() { s.memory.give(n) }
	for _, w := range r.Windows {
		parts = append(parts, newPart(ctx, w))
	}
	for round, need := range r.Rounds {
		if round > 0 {
			need = stillNeeded(parts, r, round)
		}
		if round == 0 {
			s.count(func(c *counts) { c.countGroups(r) })
		}
		if err := s.fetch(ctx, r, round, need, &have); err != nil {
			return parts, have, err
		}
		err = parallel(len(parts), s.plan.query.Threads, func(k int) error { return s.filter(ctx, parts[k], round, have) })
		if err != nil {
			return parts, have, err
		}
		if s.plan.query.Limit > 0 && tested(r, round) {
			s.cut(parts)
		}
	}
	return parts, have, s.carry(ctx, r, have)
}

// fetch brings what a round needs. What lies in the window of an earlier read,
// too, is taken from that, if it has needed it.
func (s *Scan) fetch(ctx context.Context, r *plan.Read, round int, need []metadata.Extent, have *blocks) error {
	count := func(es []metadata.Extent) {
		have.asked = append(have.asked, es...)
		s.count(func(c *counts) { c.countPages(es) })
	}
	if missing := have.notIn(need); len(missing) < len(need) {
		there, err := s.cameAlong(ctx, r, need, have)
		if err != nil {
			return err
		}
		s.plan.ledger.Want(there)
		count(there)
		need = missing
	}
	var theirs []metadata.Extent
	if len(r.Earlier) > 0 {
		mine := make([]metadata.Extent, 0, len(need))
		for _, e := range need {
			if _, ok := r.Earlier[e]; ok {
				theirs = append(theirs, e)
			} else {
				mine = append(mine, e)
			}
		}
		need = mine
	}
	request := func(es []metadata.Extent) error {
		if s.near {
			s.fetching.take(r.Windows[0].Number)
			defer s.fetching.pass()
		}
		b, err := s.plan.fetch.Fetch(ctx, s.plan.ledger, s.plan.round(round), es)
		if err != nil {
			return err
		}
		have.fetched = append(have.fetched, b)
		count(es)
		return nil
	}
	if err := request(need); err != nil || len(theirs) == 0 {
		return err
	}
	var missing []metadata.Extent
	for _, e := range theirs {
		if err := s.await(ctx, r.Earlier[e]); err != nil {
			return err
		}
		s.mu.Lock()
		b, ok := s.carried[e]
		s.mu.Unlock()
		if !ok { // no row of that read's has needed it
			missing = append(missing, e)
			continue
		}
		if have.carried == nil {
			have.carried = map[metadata.Extent][]byte{}
		}
		have.carried[e] = b
	}
	if len(missing) == 0 {
		return nil
	}
	return request(missing)
}

// cameAlong lists what of a round's needs has come with other extents, and has
// been counted by nobody.
func (s *Scan) cameAlong(ctx context.Context, r *plan.Read, need []metadata.Extent, have *blocks) (out []metadata.Extent, err error) {
	for _, e := range need {
		if _, ok := have.Get(e); !ok || slices.Contains(have.asked, e) {
			continue
		}
		if k, earlier := r.Earlier[e]; earlier {
			if err := s.await(ctx, k); err != nil {
				return nil, err
			}
			s.mu.Lock()
			_, counted := s.carried[e]
			s.mu.Unlock()
			if counted {
				continue
			}
		}
		out = append(out, e)
	}
	return out, nil
}

// await waits until an earlier read has gathered what it needs. Reads begin in
// order, so it is under way.
func (s *Scan) await(ctx context.Context, read int) error {
	select {
	case <-s.gathered[read]:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// carry keeps copies of what later reads may need, and lets go of what none
// needs any more.
func (s *Scan) carry(ctx context.Context, r *plan.Read, have blocks) error {
	for _, k := range r.Earlier {
		if err := s.await(ctx, k); err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for e := range r.Earlier {
		if !r.Later[e] {
			delete(s.carried, e)
		}
	}
	asked := make(map[metadata.Extent]bool, len(have.asked))
	if len(r.Later) > 0 {
		for _, e := range have.asked {
			asked[e] = true
		}
	}
	for e := range r.Later {
		if _, ok := s.carried[e]; ok || !asked[e] {
			continue // what nobody asked for is for the later read to ask for, and to count
		}
		if b, ok := have.Get(e); ok {
			if s.carried == nil {
				s.carried = map[metadata.Extent][]byte{}
			}
			s.carried[e] = bytes.Clone(b)
		}
	}
	return nil
}

// dictionary is what is known of a chunk's dictionary: it was read for the
// plan, or for another window of the row group.
func (s *Scan) dictionary(c *plan.Chunk) *page.Dictionary {
	if c.Dictionary != nil {
		return c.Dictionary
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dictionaries[c]
}

// shareDictionary keeps a dictionary for other windows of its row group. Those
// of other row groups are let go: reads go on in order.
func (s *Scan) shareDictionary(c *plan.Chunk, d *page.Dictionary) {
	if d == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dictionaries == nil {
		s.dictionaries = map[*plan.Chunk]*page.Dictionary{}
	}
	for k := range s.dictionaries {
		if k.RowGroup+1 < c.RowGroup {
			delete(s.dictionaries, k)
		}
	}
	s.dictionaries[c] = d
}

// tested reports whether no condition is left to be tested after a round.
func tested(r *plan.Read, round int) bool {
	for _, w := range r.Windows {
		for _, tests := range w.Tests[round+1:] {
			if len(tests) > 0 {
				return false
			}
		}
	}
	return true
}

// cut leaves the parts only as many rows as the limit still wants. The reads
// before have been handed out.
func (s *Scan) cut(parts []*part) {
	s.mu.Lock()
	left := s.plan.query.Limit - s.counts.returned
	s.mu.Unlock()
	for _, p := range parts {
		p.wanted, p.limited = p.selected().Head(left), true
		left -= p.wanted.Len()
	}
}

// stillNeeded lists what a later round has to bring.
func stillNeeded(parts []*part, r *plan.Read, round int) (out []metadata.Extent) {
	left := make(map[metadata.Extent]bool, len(r.Rounds[round]))
	for _, e := range r.Rounds[round] {
		left[e] = true
	}
	for _, p := range parts {
		for _, e := range p.needs(round, len(r.Rounds), func(e metadata.Extent) bool { return left[e] }) {
			if left[e] {
				delete(left, e)
				out = append(out, e)
			}
		}
	}
	return out
}
