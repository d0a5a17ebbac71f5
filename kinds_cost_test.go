package pare_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/parequet/pare"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/plan"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/report"
	"github.com/parequet/pare/source"
)

// costWheres makes conditions of every shape from values that occur.
func costWheres(w *whole, r *rand.Rand) (out []predicate.Expr) {
	var cols []*metadata.Column
	for _, col := range w.columns {
		if len(w.samples[col]) > 0 && col.Order != metadata.OrderNone {
			cols = append(cols, col)
		}
	}
	pick := func() (predicate.Column, *metadata.Column, func(step int) any) {
		col := cols[r.IntN(len(cols))]
		vs := w.samples[col]
		return predicate.Col(col.Name), col, func(step int) any { return goValue(col, vs[r.IntN(len(vs))], step) }
	}
	leaf := func(kind int) predicate.Expr {
		c, col, v := pick()
		switch kind % 8 {
		case 0:
			return c.Eq(v(0))
		case 1:
			return c.In(v(0), v(1), v(-1))
		case 2:
			return c.Ge(v(0))
		case 3:
			return c.Lt(v(0))
		case 4:
			return c.Func("few", func(x metadata.Value) bool { return x.Compare(w.samples[col][0]) == 0 })
		case 5:
			return c.IsNull()
		case 6:
			return c.Ne(v(0))
		}
		return c.Eq(v(1))
	}
	for k := range 20 {
		switch {
		case k < 8:
			out = append(out, leaf(k))
		case k < 14:
			out = append(out, predicate.And(leaf(k), leaf(r.IntN(8))))
		default:
			out = append(out, predicate.Or(leaf(k), leaf(r.IntN(8))))
		}
	}
	return out
}

// modelled is what a plan takes by the model, in milliseconds.
func modelled(r report.Receipt, h source.Hints) float64 {
	return 1000 * (float64(r.Requests.Rounds)*h.Latency.Seconds() + float64(r.Bytes.Total)/h.Bandwidth)
}

// costs is what a query takes by the model: the whole, and its evidence.
type costs struct {
	total, evidence float64 // milliseconds
	dataRounds      int
	r               report.Receipt
}

// plannedCosts plans a query on a file whose opening is accounted for.
func plannedCosts(t *testing.T, f *pare.File, q pare.Query, h source.Hints) costs {
	t.Helper()
	p, err := f.Plan(t.Context(), q)
	if err != nil {
		t.Fatalf("%v: %v", q.Where, err)
	}
	r, planning := p.Receipt(), p.Scan(t.Context()).Receipt() // nothing is scanned yet
	// Bloom filters without a length are two rounds: their headers come first.
	rounds := float64(min(max(planning.Requests.Rounds, 1), 2))
	return costs{modelled(r, h), 1000 * (rounds*h.Latency.Seconds() + float64(planning.Bytes.Total)/h.Bandwidth), r.Requests.Rounds - planning.Requests.Rounds, r}
}

// TestDefaultCostsNoMoreThanARungAboveTheBest: of all sets of rungs, the
// default's modelled time is the best one's, or above it by at most what one
// round of evidence costs.
func TestDefaultCostsNoMoreThanARungAboveTheBest(t *testing.T) {
	if testing.Short() {
		t.Skip("plans tens of thousands of times")
	}
	local, remote := source.LocalHints(), source.RemoteHints()
	local.Latency = 20 * time.Microsecond
	names := append(fixtures(t), bloomPaged, bloomSorted)
	plans, worst := 0, 0.0
	for i, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		w := readWhole(t, name)
		wheres := costWheres(w, rand.New(rand.NewPCG(uint64(i), 7)))
		for _, h := range []source.Hints{local, remote} {
			for _, tail := range []int64{0, 8 << 10} {
				f, err := pare.Open(t.Context(), hinted{source.Memory(data), h}, pare.Options{Tail: tail})
				if err != nil {
					t.Fatal(err)
				}
				for k, x := range append([]predicate.Expr{nil}, wheres...) { // the first plan accounts for opening the file
					q := pare.Query{Where: x}
					if k%2 == 1 {
						q.Select = []string{w.columns[k%len(w.columns)].Name}
					}
					var best, def costs
					of := plan.AllStages
					for i := range plan.AllStages + 1 {
						q.Skip = plan.AllStages - i
						def = plannedCosts(t, f, q, h)
						plans++
						if i == 0 || def.total < best.total {
							best, of = def, q.Skip
						}
					}
					if k == 0 {
						continue
					}
					// Whether the data come in one round or two, and what is read
					// between pieces to join requests, is no rung's doing.
					price := def.evidence + 1000*h.Latency.Seconds()*float64(max(0, def.dataRounds-best.dataRounds)) + 1000*float64(def.r.Bytes.Gap)/h.Bandwidth
					over := def.total - best.total
					worst = max(worst, over/price)
					if over > price*1.0001 {
						t.Errorf("%s, latency %v, tail %d, WHERE %v, SELECT %v: default %.4f ms (%d rounds, %d bytes), best %.4f ms by skip %d; one rung costs %.4f ms%s",
							filepath.Base(name), h.Latency, tail, x, q.Select, def.total, def.r.Requests.Rounds, def.r.Bytes.Total, best.total, of, price, prunedBy(def.r))
					}
				}
			}
		}
	}
	t.Logf("%d plans; at worst %.2f rungs above the best", plans, worst)
}
