package pare_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"go.uber.org/goleak"

	"github.com/parequet/pare"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/plan"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/report"
	"github.com/parequet/pare/source"
)

// blockingSource answers like memory until it is closed off; from then on its
// reads wait for their context to end.
type blockingSource struct {
	source.Memory
	closed  atomic.Bool
	waiting atomic.Int64
}

func (s *blockingSource) ReadAt(ctx context.Context, p []byte, off int64) error {
	if s.closed.Load() {
		s.waiting.Add(1)
		defer s.waiting.Add(-1)
		<-ctx.Done()
		return ctx.Err()
	}
	return s.Memory.ReadAt(ctx, p, off)
}

func openBlocking(t *testing.T, name string) (*pare.File, *blockingSource) {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	src := &blockingSource{Memory: b}
	f, err := pare.Open(t.Context(), src, pare.Options{Name: filepath.Base(name), Tail: 8})
	if err != nil {
		t.Fatal(err)
	}
	return f, src
}

func ordersFiles() []string {
	return []string{"cmd/pare/orders/orders-sorted.parquet", ordersPaged}
}

// drain reads a scan to its end and returns its errors.
func drain(s *pare.Scan) (rows int64, errs []error) {
	for batch, err := range s.Batches() {
		if err != nil {
			errs = append(errs, err)
			continue
		}
		rows += batch.NumRows()
		batch.Release()
	}
	return rows, errs
}

func checkCancelled(t *testing.T, errs []error, want error) {
	t.Helper()
	if len(errs) != 1 || !errors.Is(errs[0], want) || strings.Contains(errs[0].Error(), "\n") {
		t.Errorf("errors %v, want one that is %v", errs, want)
	}
}

func TestCancelledBefore(t *testing.T) {
	defer goleak.VerifyNone(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, name := range ordersFiles() {
		if _, err := pare.OpenFile(ctx, name, pare.Options{}); !errors.Is(err, context.Canceled) {
			t.Errorf("open: %v", err)
		}
		f, _ := openBlocking(t, name)
		p, err := f.Plan(t.Context(), pare.Query{})
		if err != nil {
			t.Fatal(err)
		}
		rows, errs := drain(p.Scan(ctx))
		checkCancelled(t, errs, context.Canceled)
		if rows != 0 {
			t.Errorf("%d rows", rows)
		}
	}
}

// TestCancelledWhilePlanning: the page index never comes.
func TestCancelledWhilePlanning(t *testing.T) {
	defer goleak.VerifyNone(t)
	f, src := openBlocking(t, ordersPaged)
	src.closed.Store(true)
	where, err := predicate.Parse(fortnight)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	started := time.Now()
	if _, err := f.Plan(ctx, pare.Query{Where: where}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	if d := time.Since(started); d > 2*time.Second {
		t.Errorf("took %v", d)
	}
}

// TestCancelledDuring: a read that never ends does, with its context, and
// leaves no goroutine behind.
func TestCancelledDuring(t *testing.T) {
	for _, name := range ordersFiles() {
		for _, threads := range []int{1, 4} {
			t.Run(filepath.Base(name), func(t *testing.T) {
				defer goleak.VerifyNone(t)
				f, src := openBlocking(t, name)
				p, err := f.Plan(t.Context(), pare.Query{Threads: threads})
				if err != nil {
					t.Fatal(err)
				}
				src.closed.Store(true)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				go func() {
					for src.waiting.Load() == 0 {
						time.Sleep(time.Millisecond)
					}
					cancel()
				}()
				started := time.Now()
				_, errs := drain(p.Scan(ctx))
				checkCancelled(t, errs, context.Canceled)
				if d := time.Since(started); d > 2*time.Second {
					t.Errorf("took %v", d)
				}
			})
		}
	}
}

// TestCancelledByTheConsumer: cancelling inside the loop ends it with an
// error, breaking out ends it without.
func TestCancelledByTheConsumer(t *testing.T) {
	defer goleak.VerifyNone(t)
	for _, name := range ordersFiles() {
		f, _ := openBlocking(t, name)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		s, err := f.Scan(ctx, pare.Query{BatchRows: 100, Threads: 3})
		if err != nil {
			t.Fatal(err)
		}
		rows, errs := int64(0), []error(nil)
		for batch, err := range s.Batches() {
			if err != nil {
				errs = append(errs, err)
				continue
			}
			rows += batch.NumRows()
			batch.Release()
			cancel()
		}
		checkCancelled(t, errs, context.Canceled)
		if rows == 0 || rows > 20000-100 {
			t.Errorf("%d rows", rows)
		}
	}
}

func TestBreakingOut(t *testing.T) {
	defer goleak.VerifyNone(t)
	for _, name := range ordersFiles() {
		for _, q := range []pare.Query{{BatchRows: 10}, {BatchRows: 10, Threads: 1}, {BatchRows: 10, Limit: 500}, {Select: []string{}}} {
			f, src := openBlocking(t, name)
			s, err := f.Scan(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			for batch, err := range s.Batches() {
				if err != nil {
					t.Fatal(err)
				}
				src.closed.Store(true) // reads that are under way would never end
				batch.Release()
				break
			}
			if r := s.Receipt(); r.Rows.Returned == 0 || r.Rows.Returned > 65536 {
				t.Errorf("the receipt says %d rows", r.Rows.Returned)
			}
		}
	}
}

// TestPanickingConsumers leave no goroutine behind either.
func TestPanickingConsumers(t *testing.T) {
	defer goleak.VerifyNone(t)
	f, _ := openBlocking(t, ordersPaged)
	s, err := f.Scan(t.Context(), pare.Query{BatchRows: 10})
	if err != nil {
		t.Fatal(err)
	}
	func() {
		defer func() { recover() }()
		for batch := range s.Batches() {
			batch.Release()
			panic("the consumer's own")
		}
	}()
}

// TestLimitStartsNoReadThatItDoesNotNeed: what crosses the source and is decoded
// is the same each time, and all of it is in the receipt.
func TestLimitStartsNoReadThatItDoesNotNeed(t *testing.T) {
	const ordersSorted = "cmd/pare/orders/orders-sorted.parquet"
	w := readWhole(t, ordersSorted)
	undecided := predicate.Col("amount").Func("any", func(metadata.Value) bool { return true })
	var first report.Receipt
	for i := range 200 {
		f, src := w.open(t, exact, source.Hints{})
		p, err := f.Plan(t.Context(), pare.Query{Where: undecided, Limit: 6000 - int64(i%2)*500, BatchRows: 1000, Threads: 2, Skip: plan.AllStages})
		if err != nil {
			t.Fatal(err)
		}
		_, r := collect(t, p, src)
		if i == 0 {
			first = r
		}
		if r.Requests.Total != first.Requests.Total || r.Bytes.Total != first.Bytes.Total || r.Pages.Read != first.Pages.Read || t.Failed() {
			t.Fatalf("scan %d: %d requests for %d bytes, the first had %d for %d", i, r.Requests.Total, r.Bytes.Total, first.Requests.Total, first.Bytes.Total)
		}
	}
}

func TestScanningTwice(t *testing.T) {
	f, _ := openBlocking(t, ordersPaged)
	s, err := f.Scan(t.Context(), pare.Query{Limit: 5})
	if err != nil {
		t.Fatal(err)
	}
	if rows, errs := drain(s); rows != 5 || errs != nil {
		t.Errorf("%d rows, %v", rows, errs)
	}
	if rows, errs := drain(s); rows != 0 || len(errs) != 1 || !strings.Contains(errs[0].Error(), "once") {
		t.Errorf("again: %d rows, %v", rows, errs)
	}
}

// TestBatchesOutliveTheFile: retained batches are right after the scan, after
// other scans and after Close.
func TestBatchesOutliveTheFile(t *testing.T) {
	for _, name := range fixtures(t) {
		f, err := pare.OpenFile(t.Context(), name, pare.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var want table
		s, err := f.Scan(t.Context(), pare.Query{})
		if err != nil {
			t.Fatal(err)
		}
		for batch, err := range s.Batches() {
			if err != nil {
				t.Fatal(err)
			}
			want = appendBatch(want, batch)
			batch.Release()
		}
		var batches []arrow.RecordBatch
		for range 2 {
			s, err := f.Scan(t.Context(), pare.Query{BatchRows: 700})
			if err != nil {
				t.Fatal(err)
			}
			for batch, err := range s.Batches() {
				if err != nil {
					t.Fatal(err)
				}
				batches = append(batches, batch)
			}
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		var got table
		for _, b := range batches {
			got = appendBatch(got, b)
			b.Release()
		}
		if n := len(want); len(got) != 2*n || n > 0 && (!reflect.DeepEqual(got[:n], want) || !reflect.DeepEqual(got[n:], want)) {
			t.Errorf("%s: %s", name, difference(got, append(want[:n:n], want...)))
		}
	}
}

// TestConcurrentScans of one file, with receipts taken all the while.
func TestConcurrentScans(t *testing.T) {
	defer goleak.VerifyNone(t)
	f, _ := openCounted(t, ordersPaged, pare.Options{})
	where, err := predicate.Parse(fortnight)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 8 {
		q, want := pare.Query{BatchRows: 300, Threads: 2}, int64(20000)
		if i%2 == 0 {
			q.Where, want = where, 765
		}
		wg.Go(func() {
			s, err := f.Scan(t.Context(), q)
			if err != nil {
				t.Error(err)
				return
			}
			done := make(chan struct{})
			var watch sync.WaitGroup
			watch.Go(func() { // as a progress bar does
				for last := int64(0); ; {
					n := s.Receipt().Rows.Returned
					if n < last {
						t.Errorf("returned rows fell from %d to %d", last, n)
					}
					last = n
					select {
					case <-done:
						return
					default:
						time.Sleep(time.Microsecond)
					}
				}
			})
			rows, errs := drain(s)
			close(done)
			watch.Wait()
			if rows != want || errs != nil {
				t.Errorf("%d rows, want %d, %v", rows, want, errs)
			}
		})
	}
	wg.Wait()
}

// TestRecordReaders are counted: the last Release ends the scan.
func TestRecordReaders(t *testing.T) {
	defer goleak.VerifyNone(t)
	f, src := openBlocking(t, ordersPaged)
	s, err := f.Scan(t.Context(), pare.Query{Select: []string{"order_id"}, BatchRows: 64})
	if err != nil {
		t.Fatal(err)
	}
	r := s.Reader()
	if r.RecordBatch() != nil || !r.Schema().Equal(s.Schema()) {
		t.Errorf("%v before Next", r.RecordBatch())
	}
	r.Retain()
	if !r.Next() || r.RecordBatch().NumRows() != 64 || r.Err() != nil {
		t.Fatalf("%v, %v", r.RecordBatch(), r.Err())
	}
	r.Release() // one is left
	kept := r.RecordBatch()
	kept.Retain()
	if !r.Next() || r.RecordBatch() == kept {
		t.Fatal("no second batch")
	}
	if got := appendBatch(nil, kept); len(got) != 64 || got[63][0] != "64|" {
		t.Errorf("the retained batch ends with %v", got[len(got)-1])
	}
	kept.Release()
	src.closed.Store(true)
	r.Release()
	if r.Next() || r.RecordBatch() != nil {
		t.Error("there are batches after the last Release")
	}
}

// TestRecordReadersEnd: at the end, at an error, and without a start.
func TestRecordReadersEnd(t *testing.T) {
	defer goleak.VerifyNone(t)
	f, src := openBlocking(t, ordersPaged)
	read := func(ctx context.Context, n int) (int64, error) {
		s, err := f.Scan(t.Context(), pare.Query{Select: []string{"amount"}})
		if err != nil {
			t.Fatal(err)
		}
		if ctx != nil {
			p, err := f.Plan(t.Context(), pare.Query{Select: []string{"amount"}})
			if err != nil {
				t.Fatal(err)
			}
			s = p.Scan(ctx)
		}
		r := s.Reader()
		defer r.Release()
		rows := int64(0)
		for n > 0 && r.Next() {
			rows += r.RecordBatch().NumRows()
		}
		if r.Next() && n > 0 {
			t.Error("there is more after the end")
		}
		return rows, r.Err()
	}
	if rows, err := read(nil, 1); rows != 20000 || err != nil {
		t.Errorf("%d rows, %v", rows, err)
	}
	if _, err := read(nil, 0); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if rows, err := read(ctx, 1); rows != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("%d rows, %v", rows, err)
	}
	src.closed.Store(true)
	ctx, cancel = context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if rows, err := read(ctx, 1); rows != 0 || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%d rows, %v", rows, err)
	}
}
