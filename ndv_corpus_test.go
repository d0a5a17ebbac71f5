package pare_test

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/parequet/pare"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/ndv"
	"github.com/parequet/pare/source"
)

// distinct counts the distinct values of a column, by the values that were read.
func (w *whole) distinct(col *metadata.Column) int64 {
	keys := map[uint64]bool{}
	for _, v := range w.samples[col] {
		keys[ndv.Key(v)] = true
	}
	return int64(len(keys))
}

// TestIntervalsHoldTheTruth: on every column of real files whose statistics are
// honest, at every rung of the ladder.
func TestIntervalsHoldTheTruth(t *testing.T) {
	corpus := os.Getenv("PARE_CORPUS")
	if corpus == "" {
		t.Skip("PARE_CORPUS does not name a corpus")
	}
	errors := map[ndv.Tier][]float64{}
	unknown, columns := map[ndv.Tier]int{}, 0
	for _, name := range lawCorpus(t) {
		w, err := loadWhole(t.Context(), name)
		if err != nil {
			continue
		}
		f, err := pare.Open(t.Context(), source.Memory(w.data), pare.Options{Name: strings.TrimPrefix(name, corpus)})
		if err != nil {
			t.Fatal(err)
		}
		for _, col := range w.columns {
			truth := w.distinct(col)
			columns++
			for tier := ndv.T0; tier <= ndv.T4; tier++ {
				r, err := f.NDV(t.Context(), pare.NDVOptions{Columns: []string{col.Name}, Tier: tier})
				if err != nil {
					t.Errorf("%s, %s: %v", name, col.Name, err)
					break
				}
				a := r.Answers[0]
				if truth < a.Lo || truth > a.Hi || a.Estimate < a.Lo || a.Estimate > a.Hi {
					t.Errorf("%s, %s %s, %v: %d distinct values, not in %d…%d (%v; %v), estimate %d (%s)", name, col.Name, col.TypeName(), tier, truth, a.Lo, a.Hi, a.LoOn, a.HiOn, a.Estimate, a.Route)
				}
				if !a.Known {
					unknown[tier]++
				} else if truth > 0 {
					q := max(float64(a.Estimate)/float64(truth), float64(truth)/float64(max(1, a.Estimate)))
					errors[tier] = append(errors[tier], q)
					if q > 2 && tier < 1 && testing.Verbose() {
						fmt.Printf("%v q %.1f: %d, estimate %d in %d…%d of %d: %s %s %s (%s)\n", tier, q, truth, a.Estimate, a.Lo, a.Hi, a.Values, strings.TrimPrefix(name, corpus), col.Name, col.TypeName(), a.Route)
					}
				}
			}
		}
	}
	for tier := ndv.T0; tier <= ndv.T4; tier++ {
		q := errors[tier]
		slices.Sort(q)
		at := func(p float64) float64 { return q[min(len(q)-1, int(math.Ceil(p*float64(len(q)))))] }
		if len(q) > 0 {
			t.Logf("%v: %d columns, %d unknown; q-error p50 %.3f p90 %.2f p95 %.2f p99 %.2f max %.1f", tier, columns, unknown[tier], at(.5), at(.9), at(.95), at(.99), q[len(q)-1])
		}
	}
}
