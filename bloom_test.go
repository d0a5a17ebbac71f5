package pare_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"

	"github.com/parequet/pare"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/plan"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/report"
)

// The orders with Bloom filters: one row group with a page index by a writer
// that gives the filters' lengths, and ten without either.
const (
	bloomPaged  = "testdata/orders/orders-paged-bloom.parquet"
	bloomSorted = "testdata/orders/orders-sorted-bloom.parquet"
)

// bitsets returns the Bloom bitset of a column in each row group.
func bitsets(t testing.TB, name, column string) (out [][]byte, headers []int) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	f, _ := openBytes(t, name, data, pare.Options{})
	col, _ := f.Metadata().Schema.Lookup(column)
	for _, g := range f.Metadata().RowGroups {
		c, err := g.Chunk(col)
		if err != nil {
			t.Fatal(err)
		}
		h, err := metadata.ParseBloomHeader(data[c.BloomOffset:])
		if err != nil {
			t.Fatal(err)
		}
		from := int(c.BloomOffset) + h.Length
		out, headers = append(out, data[from:from+int(h.NumBytes)]), append(headers, h.Length)
	}
	return out, headers
}

func TestBloomPointReadsOnePageOfEachColumn(t *testing.T) {
	rows, r := scanWhere(t, bloomPaged, exact, "order_id = 12345", pare.Query{})
	if len(rows) != 1 || !strings.HasPrefix(rows[0][0], "12345|") {
		t.Errorf("rows %v", rows)
	}
	_, headers := bitsets(t, bloomPaged, "order_id")
	if r.Bytes.Bloom != int64(headers[0]+32) {
		t.Errorf("%d bytes of the filter were read, its header has %d", r.Bytes.Bloom, headers[0])
	}
	for _, c := range r.Columns {
		if c.PagesRead != 1 {
			t.Errorf("%d pages of %s were read", c.PagesRead, c.Name)
		}
	}
}

func TestBloomBeyondTheBoundsReadsTheFooter(t *testing.T) {
	for _, name := range []string{bloomPaged, bloomSorted} {
		rows, r := scanWhere(t, name, exact, "order_id = 99999999", pare.Query{})
		if len(rows) != 0 || r.Bytes.Total != r.Bytes.Footer || r.RowGroups.Pruned.Statistics != r.RowGroups.Total {
			t.Errorf("%s: %d rows, bytes %+v", name, len(rows), r.Bytes)
		}
	}
}

// TestBloomAbsentInsideTheBounds: a header and a block of each row group, no
// data page; where the filter errs, the row group is read.
func TestBloomAbsentInsideTheBounds(t *testing.T) {
	for _, c := range []struct {
		name   string
		header int64 // bytes that finding the filter's header takes
	}{{bloomPaged, 32}, {bloomSorted, 64}} {
		sets, _ := bitsets(t, c.name, "amount")
		for _, amount := range []float64{10.005, 123.456, 77.777, 499.001} {
			held := 0
			for _, bits := range sets {
				if bloomHolds(bits, xxhash.Sum64(f64(amount))) {
					held++
				}
			}
			for _, opt := range []pare.Options{{}, exact} {
				rows, r := scanWhere(t, c.name, opt, fmt.Sprintf("amount = %v", amount), pare.Query{})
				if len(rows) != 0 || r.RowGroups.Read != held || r.RowGroups.Pruned.Bloom != len(sets)-held || len(r.Doubts) > 0 {
					t.Errorf("%s, %v, tail %d: %d rows, row groups %+v, %d filters hold it, doubts %v", c.name, amount, opt.Tail, len(rows), r.RowGroups, held, r.Doubts)
				}
				if held == 0 && (r.Bytes.Data > 0 || r.Bytes.Dictionary > 0) || r.Bytes.Bloom > int64(len(sets))*(c.header+32) {
					t.Errorf("%s, %v: bytes %+v", c.name, amount, r.Bytes)
				}
			}
			x, _ := predicate.Parse(fmt.Sprintf("amount = %v", amount))
			f, _ := openCounted(t, c.name, exact)
			if _, err := f.Plan(t.Context(), pare.Query{Where: x, Strict: true}); err != nil {
				t.Errorf("%s is in order: %v", c.name, err)
			}
		}
	}
}

// TestBloomAgreesWithItsOwnProbe on random values inside the bounds.
func TestBloomAgreesWithItsOwnProbe(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	sets, _ := bitsets(t, bloomPaged, "amount")
	f, _ := openCounted(t, bloomPaged, pare.Options{})
	for range 400 {
		v := math.Round((6+480*r.Float64())*1000) / 1000
		p, err := f.Plan(t.Context(), pare.Query{Where: predicate.Col("amount").Eq(v), Skip: plan.PageIndex})
		if err != nil {
			t.Fatal(err)
		}
		if held := bloomHolds(sets[0], xxhash.Sum64(f64(v))); held == (p.Groups()[0].PrunedBy == "bloom") {
			t.Errorf("%v is in the filter: %v; the plan's row group is pruned by %q", v, held, p.Groups()[0].PrunedBy)
		}
	}
}

// evidenceWheres are conditions that some rung above the statistics may answer.
var evidenceWheres = []string{
	"order_id = 12345", "order_id IN (5, 12345, 30000)", "order_id IN (-1, 99999999)", "amount = 10.005", "amount IN (10.005, 20.005)", "amount = 0.0", "amount = -0.0", "amount = 'nan'",
	"amount = 42.42", "amount IN (42.42, 42.425, NULL)", "status = 'lost'", "status = 'pending'", "status IN ('lost', 'found')", "status LIKE '%lost%'", "status LIKE '%end%'", "status NOT LIKE '%e%'",
	"customer_id = 7", "customer_id IN (990, 991, 992)", "customer_id = 2000", "customer_id = 1.5", "quantity = 11", "quantity IN (3, 4)", "NOT (quantity <> 3)", "NOT status = 'lost'", "NOT (status = 'lost' OR amount = 10.005)",
	"order_id = 12345 OR status = 'lost'", "order_id = 99999999 OR amount = 10.005", "order_id = 12345 AND amount = 10.005", "order_id = 12345 AND status = 'lost'", "amount = 10.005 OR quantity > 100",
	"(status = 'lost' AND customer_id = 7) OR (amount = 10.005 AND note IS NULL)", "note IS NULL AND status = 'pending'", "note IS NULL OR status = 'lost'", "note = 'nosuch'", "note LIKE '%bell%(shop 00%'",
	"order_date = DATE '2024-03-01'", "order_date IN (DATE '2024-03-01', DATE '2023-01-01')", "status = 'returned' AND customer_id <= 3 AND amount BETWEEN 100 AND 110",
}

// TestBloomOrdersAtEverySetOfRungs: whatever is skipped and however it is
// fetched, the rows are those of a full read, and receipts conserve.
func TestBloomOrdersAtEverySetOfRungs(t *testing.T) {
	fn := func(v metadata.Value) bool { return bytes.Contains(v.Bytes, []byte("ed")) && v.Bytes[0] != 's' }
	exprs := []predicate.Expr{predicate.Col("status").Func("ed", fn), predicate.And(predicate.Col("status").Func("ed", fn), predicate.Col("amount").Eq(10.005)),
		predicate.Or(predicate.Col("status").Func("none", func(metadata.Value) bool { return false }), predicate.Col("order_id").Eq(4)), predicate.Not(predicate.Col("status").Func("ed", fn))}
	for _, where := range evidenceWheres {
		x, err := predicate.Parse(where)
		if err != nil {
			t.Fatal(err)
		}
		exprs = append(exprs, x)
	}
	sel := []string{"order_id", "status"}
	for _, name := range []string{bloomPaged, bloomSorted} {
		for _, x := range exprs {
			var want table
			for i := range plan.AllStages + 1 {
				skip := plan.AllStages - i
				if testing.Short() && i%5 != 0 {
					continue
				}
				opt := []pare.Options{{}, exact}[i%2]
				f, src := openCounted(t, name, opt)
				p, err := f.Plan(t.Context(), pare.Query{Select: sel, Where: x, Skip: skip})
				if err != nil {
					t.Fatalf("%v: %v", x, err)
				}
				rows, r := collect(t, p, src)
				checkEvidence(t, r, skip)
				if i == 0 {
					want = rows
				} else if !reflect.DeepEqual(rows, want) {
					t.Errorf("%s, WHERE %v, skip %d: %d rows, %d are right", name, x, skip, len(rows), len(want))
				}
				if len(r.Doubts) > 0 {
					t.Errorf("%s, WHERE %v, skip %d: %d doubts, %+v", name, x, skip, len(r.Doubts), r.Doubts[0])
				}
				if t.Failed() {
					t.Fatalf("%s, WHERE %v, skip %d", name, x, skip)
				}
			}
		}
	}
}

// checkEvidence: what is switched off is neither asked nor read.
func checkEvidence(t testing.TB, r report.Receipt, skip plan.Stages) {
	t.Helper()
	for _, s := range r.Steps {
		off := map[string]plan.Stages{"statistics": plan.Statistics, "bloom": plan.Bloom, "dictionary": plan.Dictionary, "page_index": plan.PageIndex}[s.Stage]
		if s.Asked && skip&off != 0 {
			t.Errorf("skip %d: %s was asked", skip, s.Stage)
		}
		if s.Reason == "" || s.RowsAfter > s.RowsBefore {
			t.Errorf("skip %d: step %+v", skip, s)
		}
	}
	if skip&plan.Bloom != 0 && r.Bytes.Bloom > 0 || skip&plan.PageIndex != 0 && r.Bytes.Index > 0 {
		t.Errorf("skip %d: bytes %+v", skip, r.Bytes)
	}
}

// TestBloomReasonsNameWhatWasFound: the filter that may hold a value is named,
// not the one that does not.
func TestBloomReasonsNameWhatWasFound(t *testing.T) {
	for _, where := range []string{"order_id = 12345 OR status = 'lost'", "status = 'lost' OR order_id = 12345"} {
		_, r := scanWhere(t, bloomPaged, exact, where, pare.Query{})
		for _, s := range r.Steps {
			if s.Stage == "bloom" && (strings.Contains(s.Reason, "filter of status may hold") || !strings.Contains(s.Reason, "order_id")) {
				t.Errorf("%s: %s", where, s.Reason)
			}
		}
	}
}

// TestBloomGoldenRequests holds the requests of some scans against reviewed text.
func TestBloomGoldenRequests(t *testing.T) {
	for where, want := range map[string]string{
		"amount = 10.005":     "0:tail 1:footer 2:Bloom filter 2:Bloom filter",
		"order_id = 99999999": "0:tail 1:footer",
	} {
		_, r := scanWhere(t, bloomPaged, pare.Options{Tail: 8, Gap: -1}, where, pare.Query{Skip: plan.PageIndex})
		var got []string
		for _, q := range r.Reads {
			got = append(got, fmt.Sprintf("%d:%s", q.Round, q.Purpose))
			if q.Wanted > q.Length || q.Length <= 0 {
				t.Errorf("%s: %+v", where, q)
			}
		}
		if g := strings.Join(got, " "); g != want {
			t.Errorf("%s: requests %s", where, g)
		}
	}
}

// TestBloomManyPoints: an IN list reads blocks or the filter, each byte once,
// and no more than is worth it.
func TestBloomManyPoints(t *testing.T) {
	sets, headers := bitsets(t, bloomPaged, "order_id")
	for _, n := range []int{1, 10, 100, 1000, 3000, 9_999, 10_001} {
		ids := make([]any, n)
		blocks := map[uint64]bool{}
		for i := range ids {
			id := int64(1 + i*2)
			ids[i] = id
			blocks[xxhash.Sum64(binary.LittleEndian.AppendUint64(nil, uint64(id)))>>32*uint64(len(sets[0])/32)>>32] = true
		}
		f, src := openCounted(t, bloomPaged, exact)
		p, err := f.Plan(t.Context(), pare.Query{Select: []string{"order_id"}, Where: predicate.Col("order_id").In(ids...)})
		if err != nil {
			t.Fatal(err)
		}
		rows, r := collect(t, p, src)
		if len(rows) != min(n, 10_000) {
			t.Errorf("%d of %d rows", len(rows), n)
		}
		if most := int64(headers[0] + min(2*len(blocks)*32, len(sets[0]))); r.Bytes.Bloom > most {
			t.Errorf("%d points: %d bytes of the filter, %d hold the blocks", n, r.Bytes.Bloom, most)
		}
	}
}

// TestBloomNeighbouringPoints: a list of integers or days that follow each
// other is as finite as any other.
func TestBloomNeighbouringPoints(t *testing.T) {
	c := odds("c", 0)
	c.groups[0][0].values = slices.DeleteFunc(c.groups[0][0].values, func(v []byte) bool { return v[0] == 11 && v[1] == 1 }) // 267
	file(c).check(t, rowsWhere("c IN (266, 267, 268)").reads(0), rowsWhere("c BETWEEN 266 AND 268").reads(0), rowsWhere("c > 266 AND c <= 268").reads(0), rowsWhere("c IN (264, 265, 266)", 132))
}
