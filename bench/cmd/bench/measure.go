package main

import (
	"fmt"
	"math"
	"os"
	"slices"

	"github.com/parequet/pare/bench/peer"
)

// measured is what one reader did with one work.
type measured struct {
	reader string
	err    string // why there is nothing
	ms     []float64
	cpu    []float64
	peak   int64 // bytes
	reads  int64 // -1 if not counted
	bytes  int64
	mapped bool // it maps the file: reads say nothing
	rounds int  // over HTTP
}

func (m measured) median() float64 { return median(m.ms) }

func median(xs []float64) float64 {
	if len(xs) == 0 {
		return math.NaN()
	}
	s := slices.Sorted(slices.Values(xs))
	return s[len(s)/2]
}

// codecAlone is the reader that only decompresses, intoStructs one that makes Go
// structs instead of Arrow arrays.
const (
	codecAlone  = "the codec alone"
	intoStructs = "parquet-go into structs"
)

// of is the task of a reader.
func (w work) of(reader string) peer.Task {
	t := w.task
	switch reader {
	case codecAlone:
		t.Kind = peer.Codec
	case intoStructs:
		t.Structs = true
	}
	return t
}

// variants adds the readers that do the work in a second way.
func (w work) variants(readers []reader) []reader {
	out := slices.Clone(readers)
	for _, r := range readers {
		switch {
		case r.name == "pare" && w.codec:
			r.name = codecAlone
		case r.name == "parquet-go" && w.structs:
			r.name = intoStructs
		default:
			continue
		}
		out = append(out, r)
	}
	return out
}

// slow is the time in ms above which a reader gets but three runs.
const slow = 4000

// measure has a work done by all readers, in turns, runs times after one run
// to warm up whose answer is compared with that of the first reader.
func measure(w work, readers []reader, runs int, server *server) ([]measured, error) {
	var out []measured
	var procs []*process
	var first peer.Result
	readers = w.variants(readers)
	for _, r := range readers {
		m := measured{reader: r.name, err: r.why, reads: -1}
		var p *process
		if m.err == "" && w.skips(r.name) {
			m.err = "not asked"
		}
		if m.err == "" {
			var err error
			if p, err = r.start(w.threads()); err != nil {
				return nil, err
			}
			t := w.of(r.name)
			t.Check = t.Kind != peer.Codec
			got, err := p.run(t)
			switch {
			case err != nil:
				m.err = err.Error()
			case first.Sums == nil:
				first = got
			case r.name == codecAlone:
			default:
				err = same(first, got)
			}
			if err != nil {
				if r.name == "pare" {
					return nil, fmt.Errorf("pare: %w", err)
				}
				m.err = err.Error()
				p.stop()
				p = nil
			} else if w.checkHolds() {
				// The check kept all that was decoded; memory is measured without.
				p.stop()
				if p, err = r.start(w.threads()); err != nil {
					return nil, err
				}
				if _, err = p.run(w.of(r.name)); err != nil {
					return nil, err
				}
			}
			if m.err != "" {
				fmt.Fprintf(os.Stderr, "  %s: %s\n", r.name, m.err)
			}
		}
		out, procs = append(out, m), append(procs, p)
	}
	for i := range runs {
		for k := range readers {
			k = (k + i) % len(readers) // nobody always follows the same neighbour
			p, m := procs[k], &out[k]
			if p == nil || i >= 3 && m.median() > slow {
				continue
			}
			server.reset()
			r, err := p.run(w.of(m.reader))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", m.reader, err)
			}
			m.ms, m.cpu = append(m.ms, r.Millis), append(m.cpu, r.CPU)
			if w.http {
				m.reads, m.bytes, m.rounds = server.counts()
			}
		}
	}
	for k, p := range procs {
		if p != nil {
			out[k].peak = p.peak()
			p.stop()
		}
	}
	if w.count {
		for k, r := range readers {
			if procs[k] != nil {
				countReads(r, w, &out[k])
			}
		}
	}
	return out, nil
}

// same compares answers; sums of floating-point numbers depend on the order.
func same(a, b peer.Result) error {
	if a.Rows != b.Rows {
		return fmt.Errorf("%d rows, pare has %d", b.Rows, a.Rows)
	}
	if len(a.Sums) != len(b.Sums) && b.Sums != nil {
		return fmt.Errorf("%d sums, pare has %d", len(b.Sums), len(a.Sums))
	}
	for i := range min(len(a.Sums), len(b.Sums)) {
		if x, y := a.Sums[i], b.Sums[i]; y != peer.Unknown && math.Abs(x-y) > 1e-9*math.Max(math.Abs(x), math.Abs(y)) {
			return fmt.Errorf("sum %d is %v, pare has %v", i, y, x)
		}
	}
	return nil
}
