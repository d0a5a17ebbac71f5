package pare_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/parequet/pare"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/plan"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/report"
	"github.com/parequet/pare/source"
)

// scanRounds returns the rounds that a query plans beyond the footer's, its
// receipt and its rows, at a latency in bytes that a wait would bring.
func scanRounds(t *testing.T, name, where string, latency float64) (rounds int, r report.Receipt, rows table) {
	t.Helper()
	h := source.LocalHints()
	h.Latency, h.Bandwidth = time.Millisecond, latency*1000
	f, src := readWhole(t, name).open(t, pare.Options{Tail: 64 << 10}, h)
	x, err := predicate.Parse(where)
	if err != nil {
		t.Fatal(err)
	}
	p, err := f.Plan(t.Context(), pare.Query{Select: []string{"order_id"}, Where: x, Skip: plan.Bloom | plan.Dictionary})
	if err != nil {
		t.Fatal(err)
	}
	planned := p.Receipt()
	rounds = planned.Requests.Rounds - 1
	rows, r = collect(t, p, src)
	if after := p.Receipt(); !reflect.DeepEqual(after, planned) {
		t.Errorf("the plan's receipt changes with the scan: %+v, before %+v", after.Bytes, planned.Bytes)
	}
	return rounds, r, rows
}

// TestConditionsAreFetchedInTheirOrder: the columns of a condition wait for the
// one before it where that may save more than a round, and the pages of rows
// that have failed are not read.
func TestConditionsAreFetchedInTheirOrder(t *testing.T) {
	const shuffled = "cmd/pare/orders/orders-shuffled.parquet"
	for _, c := range []struct {
		name, where string
		latency     float64 // in bytes
		rounds      int
	}{
		{"each condition and the output", "amount = 10.01 AND note LIKE '%gift%'", 1000, 3},
		{"all at once", "amount = 10.01 AND note LIKE '%gift%'", 1e9, 1},
		{"an OR is one condition", "amount = 10.01 OR note LIKE '%gift%'", 1000, 2},
		{"nearly all rows pass", "customer_id >= 2 AND amount >= 5.02", 1000, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			rounds, r, rows := scanRounds(t, shuffled, c.where, c.latency)
			_, once, want := scanRounds(t, shuffled, c.where, 1e9)
			if rounds != c.rounds {
				t.Errorf("%d rounds are planned, want %d", rounds, c.rounds)
			}
			if !reflect.DeepEqual(rows, want) {
				t.Errorf("%d rows, in one round %d", len(rows), len(want))
			}
			if c.rounds > 2 && r.Bytes.Total*2 > once.Bytes.Total {
				t.Errorf("%d bytes were read, in one round %d", r.Bytes.Total, once.Bytes.Total)
			}
		})
	}
}

// TestColumnsBothTestedAndReturned: of every pair of columns, in rounds of
// their own, one is tested at a bound that decides most of its pages, the other
// from some row on; pages that only the output wants come in the round that was
// planned for them.
func TestColumnsBothTestedAndReturned(t *testing.T) {
	for _, name := range []string{ordersPaged, "cmd/pare/orders/orders-paged-default.parquet", "testdata/fixtures/arrow-misaligned.parquet"} {
		w := readWhole(t, name)
		rounds := 0
		for _, col := range w.columns {
			vs := w.samples[col]
			for _, other := range w.columns {
				if len(vs) == 0 || len(w.samples[other]) == 0 || col == other || col.Order == metadata.OrderNone {
					continue
				}
				for at := range 2 {
					// A bound that nearly all rows pass is tested last.
					v := goValue(col, vs[len(vs)/[]int{200, 400}[at]], 0)
					k := w.samples[other][len(w.samples[other])/[]int{4, 10}[at]]
					where := predicate.And(predicate.Col(col.Name).Ge(v), predicate.Col(other.Name).Func("after", func(x metadata.Value) bool { return x.Compare(k) > 0 }))
					bound, err := predicate.Bind(where, w.schema)
					if err != nil {
						t.Fatal(err)
					}
					for _, out := range []string{col.Name, other.Name} {
						q := pare.Query{Select: []string{out}, Where: where, Skip: plan.Bloom | plan.Dictionary, RowNumbers: "n"}
						f, src := w.open(t, exact, source.Hints{Latency: 1, Bandwidth: 1e6})
						p, err := f.Plan(t.Context(), q)
						if err != nil {
							t.Fatal(err)
						}
						rounds = max(rounds, p.Receipt().Requests.Rounds)
						got, _ := collect(t, p, src)
						if d := w.compare(got, w.matching(bound), q); d != "" {
							t.Fatalf("%v: %s", where, d)
						}
					}
				}
			}
		}
		t.Logf("%s: up to %d rounds", name, rounds)
	}
}
