package pare_test

import (
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"github.com/parequet/pare"
	"github.com/parequet/pare/internal/column"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/report"
)

func aggregate(t testing.TB, f *pare.File, where predicate.Expr, aggs ...pare.Aggregate) ([]string, report.Receipt) {
	t.Helper()
	a, err := pare.NewAggregator(aggs...)
	if err != nil {
		t.Fatal(err)
	}
	r, err := a.Add(t.Context(), f, pare.Query{Where: where})
	if err != nil {
		t.Fatal(err)
	}
	batch, err := a.Result()
	if err != nil {
		t.Fatal(err)
	}
	defer batch.Release()
	return appendBatch(nil, batch)[0], r
}

func parse(t testing.TB, where string) predicate.Expr {
	t.Helper()
	x, err := predicate.Parse(where)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestCountDecodesBoundaryPagesOnly: a quarter of a year begins and ends
// inside a page; all others are counted from the page index.
func TestCountDecodesBoundaryPagesOnly(t *testing.T) {
	where := parse(t, "order_date >= DATE '2024-03-01' AND order_date < DATE '2024-06-01'")
	f, src := openCounted(t, ordersPaged, pare.Options{})
	got, r := aggregate(t, f, where, pare.Aggregate{Func: "count", Star: true})
	if got[0] != "5028|" || r.Pages.Read != 2 || r.Rows.Decoded != 2048 {
		t.Errorf("%v, %d pages, %d rows decoded", got, r.Pages.Read, r.Rows.Decoded)
	}
	if src.bytes.Load() != r.Bytes.Total {
		t.Errorf("%d bytes crossed the source, the receipt says %d", src.bytes.Load(), r.Bytes.Total)
	}
	f, _ = openCounted(t, ordersPaged, exact)
	got, r = aggregate(t, f, nil, pare.Aggregate{Func: "count", Star: true}, pare.Aggregate{Func: "min", Column: "order_date"},
		pare.Aggregate{Func: "max", Column: "order_id"}, pare.Aggregate{Func: "count", Column: "note"})
	if r.Bytes.Total != r.Bytes.Footer || got[0] != "20000|" || got[2] != "20000|" || got[3] != "16987|" {
		t.Errorf("%v took %+v", got, r.Bytes)
	}
}

// TestInexactBoundsAreNotReported: a maximum of a float may be hidden by NaN,
// that of a string be cut short.
func TestInexactBoundsAreNotReported(t *testing.T) {
	for column, function := range map[string]string{"amount": "max", "note": "min"} {
		f, _ := openCounted(t, ordersPaged, exact)
		_, r := aggregate(t, f, nil, pare.Aggregate{Func: function, Column: column})
		if r.Pages.Read != 20 {
			t.Errorf("%s(%s) read %d pages", function, column, r.Pages.Read)
		}
	}
}

// TestAggregatesEqualFoldsOfRows: under random predicates, count, min and max
// are those of the rows that a full read filtered in memory keeps.
func TestAggregatesEqualFoldsOfRows(t *testing.T) {
	for _, name := range fixtures(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			w := readWhole(t, name)
			rapid.Check(t, func(rt *rapid.T) {
				where := w.drawTree(rt, rapid.IntRange(0, 2).Draw(rt, "depth"))
				col := rapid.SampledFrom(w.columns).Draw(rt, "aggregated")
				opt, hints, q := w.drawQuery(rt)
				q.Where = where
				f, src := w.open(t, opt, hints)
				functions := []string{"count", "min", "max"}
				if col.Order == metadata.OrderNone {
					functions = functions[:1]
				}
				aggs := []pare.Aggregate{{Func: "count", Star: true}}
				for _, fn := range functions {
					aggs = append(aggs, pare.Aggregate{Func: fn, Column: col.Name})
				}
				a, err := pare.NewAggregator(aggs...)
				if err != nil {
					rt.Fatal(err)
				}
				p, err := a.Plan(t.Context(), f, q)
				if err != nil {
					rt.Fatalf("%v: %v", where, err)
				}
				planned := p.Receipt()
				r, err := a.Run(t.Context(), p)
				if err != nil {
					rt.Fatalf("%v: %v", where, err)
				}
				checkLaws(t, r, planned, src)
				batch, err := a.Result()
				if err != nil {
					rt.Fatal(err)
				}
				defer batch.Release()
				got := appendBatch(nil, batch)[0]
				want := w.fold(t, restricted(w.matching(p.Where()), q), col, functions)
				for i := range want {
					if got[i] != want[i] {
						rt.Fatalf("%v of %s WHERE %v: %v, right is %v", aggs, col.Name, where, got, want)
					}
				}
			})
		})
	}
}

// fold computes the aggregates of rows one by one.
func (w *whole) fold(t testing.TB, rows []int64, col *metadata.Column, functions []string) []string {
	var count int64
	var lo, hi *metadata.Value
	for _, row := range rows {
		v := w.cells[w.place[col.Name]][row]
		if v == nil {
			continue
		}
		count++
		if lo == nil || v.Compare(*lo) < 0 {
			lo = v
		}
		if hi == nil || v.Compare(*hi) > 0 {
			hi = v
		}
	}
	out := []string{text(t, int64(len(rows))), text(t, count)}
	if len(functions) > 1 {
		out = append(out, cell(t, col, lo), cell(t, col, hi))
	}
	return out
}

func text(t testing.TB, n int64) string {
	t.Helper()
	v := metadata.IntValue(n)
	return cell(t, &metadata.Column{Path: []string{"n"}, Type: metadata.Int64, Order: metadata.OrderInt}, &v)
}

// cell renders a value as a batch does; of the zeros and NaNs one stands for all.
func cell(t testing.TB, col *metadata.Column, val *metadata.Value) string {
	t.Helper()
	if val != nil && val.Order == metadata.OrderFloat && val.Float == 0 {
		zero := metadata.FloatValue(0)
		val = &zero
	}
	v := column.NewVector(col)
	if err := v.Push(val); err != nil {
		t.Fatal(err)
	}
	a, err := column.ToArrow(v, column.Field(col, column.ArrowOptions{}).Type)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Release()
	return cellText(a, 0)
}
