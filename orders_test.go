package pare_test

import (
	"fmt"
	"testing"

	"github.com/parequet/pare"
	"github.com/parequet/pare/plan"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/report"
)

const fortnight = "order_date >= DATE '2024-03-01' AND order_date < DATE '2024-03-15'"

var exact = pare.Options{Tail: 8, Gap: -1}

// scanWhere runs a query on a file and checks the laws of every scan.
func scanWhere(t testing.TB, name string, opt pare.Options, where string, q pare.Query) (table, report.Receipt) {
	t.Helper()
	f, src := openCounted(t, name, opt)
	if where != "" {
		var err error
		if q.Where, err = predicate.Parse(where); err != nil {
			t.Fatal(err)
		}
	}
	p, err := f.Plan(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return collect(t, p, src)
}

func TestOrdersStory(t *testing.T) {
	q := pare.Query{Select: []string{"order_id", "customer_id", "amount"}}
	byGroup := q
	byGroup.Skip = plan.PageIndex
	for _, c := range []struct {
		layout          string
		q               pare.Query
		opt             pare.Options
		groups          int
		decoded         int64
		bytes, requests int64 // at most; 0 means not asked
	}{
		{"sorted", q, pare.Options{}, 2, 4000, 0, 4},
		{"shuffled", q, pare.Options{}, 10, 20000, 0, 0},
		{"paged", q, pare.Options{}, 1, 1024, 0, 4},
		{"paged", q, exact, 1, 1024, 20000, 0},
		{"paged", byGroup, pare.Options{}, 1, 20000, 0, 0},
		{"paged-default", q, pare.Options{}, 1, 1024, 0, 0},
	} {
		t.Run(fmt.Sprintf("%s skip=%d tail=%d", c.layout, c.q.Skip, c.opt.Tail), func(t *testing.T) {
			rows, r := scanWhere(t, "cmd/pare/orders/orders-"+c.layout+".parquet", c.opt, fortnight, c.q)
			if len(rows) != 765 || r.RowGroups.Read != c.groups || r.Rows.Decoded != c.decoded {
				t.Errorf("%d rows, %d row groups read, %d rows decoded", len(rows), r.RowGroups.Read, r.Rows.Decoded)
			}
			if c.bytes > 0 && r.Bytes.Total > c.bytes || c.requests > 0 && int64(r.Requests.Total) > c.requests {
				t.Errorf("%d bytes in %d requests", r.Bytes.Total, r.Requests.Total)
			}
		})
	}
}

func TestContradictionsReadNoDataPage(t *testing.T) {
	for _, layout := range []string{"sorted", "shuffled", "paged", "paged-default"} {
		for _, where := range []string{"amount > 10 AND amount < 5", "quantity > 3 AND quantity < 4", "order_date IS NULL", "order_date = NULL"} {
			for _, skip := range []plan.Stages{0, plan.AllStages} {
				rows, r := scanWhere(t, "cmd/pare/orders/orders-"+layout+".parquet", exact, where, pare.Query{Skip: skip})
				if len(rows) != 0 || r.Bytes.Total != r.Bytes.Footer {
					t.Errorf("%s, %s: %d rows, bytes %+v", layout, where, len(rows), r.Bytes)
				}
			}
		}
	}
}

func TestNegationPlansTheSamePages(t *testing.T) {
	not := "NOT (order_date < DATE '2024-03-01' OR order_date >= DATE '2024-03-15')"
	_, a := scanWhere(t, ordersPaged, exact, fortnight, pare.Query{})
	_, b := scanWhere(t, ordersPaged, exact, not, pare.Query{})
	if fmt.Sprint(a.Reads) != fmt.Sprint(b.Reads) || a.Rows != b.Rows {
		t.Errorf("%v\n%v", a.Reads, b.Reads)
	}
}

// TestRowsThatMustMatchAreNotFiltered: pages of order_date wholly inside the
// range are not fetched when the column is not projected.
func TestRowsThatMustMatchAreNotFiltered(t *testing.T) {
	rows, r := scanWhere(t, ordersPaged, exact, "order_date >= DATE '2024-03-01'", pare.Query{Select: []string{"order_id"}})
	if len(rows) != 20000-3279 {
		t.Errorf("%d rows", len(rows))
	}
	for _, c := range r.Columns {
		if c.Name == "order_date" && c.PagesRead != 1 {
			t.Errorf("%d pages of order_date were read, one lies on the boundary", c.PagesRead)
		}
	}
	if r.Pages.Always != 16 {
		t.Errorf("%d pages need no filter, want 16", r.Pages.Always)
	}
}

func TestCountDecodesNothingWithoutWhere(t *testing.T) {
	rows, r := scanWhere(t, ordersPaged, exact, "", pare.Query{Select: []string{}})
	if len(rows) != 20000 || r.Bytes.Total != r.Bytes.Footer || r.RowGroups.FromMetadata != 1 {
		t.Errorf("%d rows, %+v, %+v", len(rows), r.Bytes, r.RowGroups)
	}
	rows, r = scanWhere(t, ordersPaged, exact, fortnight, pare.Query{Select: []string{}})
	if len(rows) != 765 || r.Pages.Read != 1 {
		t.Errorf("%d rows, %d pages", len(rows), r.Pages.Read)
	}
}
