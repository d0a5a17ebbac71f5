package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/source"
)

func object(n int) source.Memory {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i>>8) ^ byte(i*7)
	}
	return b
}

func extent(off, n int64) metadata.Extent {
	return metadata.Extent{Offset: off, Length: n, Piece: metadata.Piece{Kind: metadata.PiecePage, Page: int(off)}}
}

func open(t testing.TB, src source.Source, opt Options) (*Fetcher, *Ledger) {
	t.Helper()
	l := &Ledger{}
	f, err := Open(context.Background(), src, opt, l)
	if err != nil {
		t.Fatal(err)
	}
	return f, l
}

// layout renders requests as "[off,end)wanted/pieces".
func layout(rs []Request) string {
	var parts []string
	for _, r := range rs {
		parts = append(parts, fmt.Sprintf("[%d,%d)%d/%d", r.Offset, r.Offset+r.Length, r.Wanted, r.Pieces))
	}
	return strings.Join(parts, " ")
}

func TestExtentsAreJoinedByGap(t *testing.T) {
	es := []metadata.Extent{extent(500, 50), extent(0, 100), extent(100, 20), extent(150, 50), extent(510, 10)}
	for _, c := range []struct {
		gap  int64
		want string
	}{
		{0, "[0,120)120/2 [150,200)50/1 [500,550)50/2"},
		{29, "[0,120)120/2 [150,200)50/1 [500,550)50/2"},
		{30, "[0,200)170/3 [500,550)50/2"},
		{1000, "[0,550)220/5"},
	} {
		f, _ := open(t, object(2000), Options{Gap: c.gap, Tail: 8})
		if got := layout(f.Requests(1, es)); got != c.want {
			t.Errorf("gap %d: %s, want %s", c.gap, got, c.want)
		}
	}
}

func TestTailIsNotAskedForAgain(t *testing.T) {
	f, l := open(t, object(2000), Options{Gap: 0, Tail: 500})
	es := []metadata.Extent{extent(1600, 100), extent(1400, 200), extent(1500, 50)}
	b, err := f.Fetch(context.Background(), l, 1, es)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range es {
		p, ok := b.Get(e)
		if !ok || !bytes.Equal(p, object(2000)[e.Offset:e.End()]) {
			t.Errorf("%v: wrong bytes", e)
		}
	}
	if got := layout(l.Requests()); got != "[1500,2000)0/0 [1400,1500)100/1" {
		t.Error(got)
	}
	tot := l.Totals()
	if tot.Total != 600 || tot.Kind[metadata.PiecePage] != 300 || tot.Gap != 300 || tot.Rounds != 2 {
		t.Errorf("%+v", tot)
	}
}

type small struct{ source.Memory }

func (small) Hints() source.Hints { return source.Hints{MaxRequest: 100, Concurrency: 3} }

func TestLargeRunsAreSplit(t *testing.T) {
	f, l := open(t, small{object(2000)}, Options{Gap: 0, Tail: 8})
	b, err := f.Fetch(context.Background(), l, 1, []metadata.Extent{extent(10, 250)})
	if err != nil {
		t.Fatal(err)
	}
	if got := layout(l.Requests()[1:]); got != "[10,110)100/1 [110,210)100/0 [210,260)50/0" {
		t.Error(got)
	}
	if p, ok := b.Get(extent(10, 250)); !ok || !bytes.Equal(p, object(2000)[10:260]) {
		t.Error("wrong bytes")
	}
}

// TestFetchLaw: any extents come back right, what was foreseen is what was
// asked for, wanted bytes cross once, and the ledger adds up.
func TestFetchLaw(t *testing.T) {
	const size = 3000
	obj := object(size)
	rapid.Check(t, func(rt *rapid.T) {
		f, l := open(t, obj, Options{
			Gap:  rapid.Int64Range(-1, 400).Draw(rt, "gap"),
			Tail: rapid.Int64Range(-1, size+10).Draw(rt, "tail"),
		})
		for round := 1; round <= 2; round++ {
			es := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) metadata.Extent {
				off := rapid.Int64Range(0, size).Draw(t, "off")
				return extent(off, rapid.Int64Range(0, size-off).Draw(t, "len"))
			}), 0, 8).Draw(rt, "extents")
			foreseen := layout(f.Requests(round, es))
			b, err := f.Fetch(context.Background(), l, round, es)
			if err != nil {
				rt.Fatal(err)
			}
			for _, e := range es {
				if p, ok := b.Get(e); e.Length > 0 && (!ok || !bytes.Equal(p, obj[e.Offset:e.End()])) {
					rt.Fatalf("%v: wrong bytes", e)
				}
			}
			var did []Request
			for _, r := range l.Requests() {
				if r.Round == round {
					did = append(did, r)
				}
			}
			if got := layout(did); got != foreseen {
				rt.Fatalf("foreseen %s, asked for %s", foreseen, got)
			}
			seen := map[int64]bool{}
			for _, r := range did {
				for i := r.Offset; i < r.Offset+r.Length; i++ {
					if seen[i] {
						rt.Fatalf("byte %d was asked for twice in a round", i)
					}
					seen[i] = true
				}
			}
			b.Release()
		}
		tot := l.Totals()
		sum := tot.Gap
		for _, n := range tot.Kind {
			sum += n
		}
		if sum != tot.Total || tot.Gap < 0 {
			rt.Fatalf("%+v", tot)
		}
	})
}

func TestExtentsOutsideAreAnError(t *testing.T) {
	f, l := open(t, object(1000), Options{Tail: 8})
	for _, e := range []metadata.Extent{extent(990, 20), extent(-1, 5), extent(0, -1), extent(2000, 1)} {
		if _, err := f.Fetch(context.Background(), l, 1, []metadata.Extent{e}); err == nil {
			t.Errorf("%v was fetched", e)
		}
	}
}

// flaky fails some reads before it succeeds.
type flaky struct {
	source.Memory
	fail      func(read int64) error
	reads     atomic.Int64
	mu        sync.Mutex
	most, now int
}

func (f *flaky) ReadAt(ctx context.Context, p []byte, off int64) error {
	f.mu.Lock()
	f.now++
	f.most = max(f.most, f.now)
	f.mu.Unlock()
	defer func() { f.mu.Lock(); f.now--; f.mu.Unlock() }()
	if err := f.fail(f.reads.Add(1)); err != nil {
		return err
	}
	return f.Memory.ReadAt(ctx, p, off)
}

func TestPassingFaultsAreTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		src := &flaky{Memory: object(1000), fail: func(n int64) error {
			if n == 2 || n == 3 {
				return &source.Temporary{Err: errors.New("busy")}
			}
			return nil
		}}
		f, l := open(t, src, Options{Tail: 8})
		start := time.Now()
		if _, err := f.Fetch(t.Context(), l, 1, []metadata.Extent{extent(0, 10)}); err != nil {
			t.Fatal(err)
		}
		if d := time.Since(start); d < 150*time.Millisecond || d > 300*time.Millisecond {
			t.Errorf("two pauses took %v", d)
		}
		if tot := l.Totals(); tot.Retries != 2 || tot.Requests != 2 {
			t.Errorf("%+v", tot)
		}
	})
}

func TestLastingFaultsAreNot(t *testing.T) {
	for _, c := range []struct {
		err   error
		tries int64
	}{{errors.New("forbidden"), 1}, {&source.Temporary{Err: errors.New("busy")}, 1 + 4}} {
		synctest.Test(t, func(t *testing.T) {
			src := &flaky{Memory: object(1000), fail: func(n int64) error {
				if n > 1 {
					return c.err
				}
				return nil
			}}
			f, l := open(t, src, Options{Tail: 8})
			_, err := f.Fetch(t.Context(), l, 1, []metadata.Extent{extent(0, 10)})
			if !errors.Is(err, c.err) || src.reads.Load()-1 != c.tries {
				t.Errorf("%v after %d tries, want %d", err, src.reads.Load()-1, c.tries)
			}
		})
	}
}

func TestCancellationStopsRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		src := &flaky{Memory: object(1000), fail: func(n int64) error {
			if n > 1 {
				return &source.Temporary{Err: errors.New("busy")}
			}
			return nil
		}}
		f, l := open(t, src, Options{Tail: 8})
		ctx, cancel := context.WithTimeout(t.Context(), 25*time.Millisecond)
		defer cancel()
		start := time.Now()
		_, err := f.Fetch(ctx, l, 1, []metadata.Extent{extent(0, 10), extent(100, 10)})
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 50*time.Millisecond {
			t.Errorf("%v after %v", err, time.Since(start))
		}
	})
}

func TestRequestsInFlightAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		src := &flaky{Memory: object(1000), fail: func(int64) error { time.Sleep(time.Second); return nil }}
		f, l := open(t, src, Options{Tail: 8, Concurrency: 3})
		var es []metadata.Extent
		for i := range int64(12) {
			es = append(es, extent(i*50, 10))
		}
		start := time.Now()
		if _, err := f.Fetch(t.Context(), l, 1, es); err != nil {
			t.Fatal(err)
		}
		if src.most != 3 || time.Since(start) != 4*time.Second {
			t.Errorf("%d in flight, %v", src.most, time.Since(start))
		}
	})
}

// TestGapsAddNoRequests: extents far apart are not joined by requests for what lies
// between them, however dear a request is.
func TestGapsAddNoRequests(t *testing.T) {
	const max = 100 // of small's requests
	for _, c := range []struct {
		at   []int64
		want []int64 // lengths of the requests
	}{
		{[]int64{0, 50, 95}, []int64{100}},
		{[]int64{0, 290}, []int64{5, 5}},
		{[]int64{0, 102}, []int64{5, 5}},
		{[]int64{0, 150, 290}, []int64{5, 5, 5}},
		{[]int64{0, 99}, []int64{5, 5}},
		{[]int64{0, 90}, []int64{95}},
	} {
		f, _ := open(t, small{object(1000)}, Options{Tail: 8, Gap: 1000})
		var es []metadata.Extent
		for _, at := range c.at {
			es = append(es, extent(at, 5))
		}
		var got []int64
		for _, r := range f.Requests(0, es) {
			if r.Length > max {
				t.Errorf("a request of %d bytes", r.Length)
			}
			got = append(got, r.Length)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v: requests of %v bytes, should be %v", c.at, got, c.want)
		}
	}
}
