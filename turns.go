package pare

import "sync"

// turns let only so many decode at a time, and those first whose results are
// due first: what is decoded far ahead would wait, and be waited for.
type turns struct {
	mu      sync.Mutex
	free    int
	waiting []waiter
}

type waiter struct {
	due  int
	turn chan struct{}
}

// take waits for a turn. What is due earlier has it earlier.
func (t *turns) take(due int) {
	t.mu.Lock()
	if t.free > 0 {
		t.free--
		t.mu.Unlock()
		return
	}
	w := waiter{due, make(chan struct{})}
	t.waiting = append(t.waiting, w)
	t.mu.Unlock()
	<-w.turn
}

// pass ends a turn.
func (t *turns) pass() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.waiting) == 0 {
		t.free++
		return
	}
	first := 0
	for i, w := range t.waiting {
		if w.due < t.waiting[first].due {
			first = i
		}
	}
	close(t.waiting[first].turn)
	t.waiting[first] = t.waiting[len(t.waiting)-1]
	t.waiting = t.waiting[:len(t.waiting)-1]
}

// working runs f for a part while it has a turn, so that no more threads decode
// than were asked for.
func (s *Scan) working(p *part, f func() error) error {
	s.turns.take(p.window.Number)
	defer s.turns.pass()
	return f()
}
