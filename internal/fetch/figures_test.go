package fetch

import (
	"context"
	"net/http/httptrace"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/source"
)

// measured is an object behind a link of 2 ms and 50 MB/s.
type measured struct {
	source.Memory
	gauge *source.Gauge
}

func (m measured) Gauge() *source.Gauge { return m.gauge }

func (m measured) ReadAt(ctx context.Context, p []byte, off int64) error {
	time.Sleep(2 * time.Millisecond)
	httptrace.ContextClientTrace(ctx).GotFirstResponseByte()
	time.Sleep(time.Duration(len(p)) * 20)
	return m.Memory.ReadAt(ctx, p, off)
}

// A fetcher's figures stay the same while those of its source are being measured;
// one that is renewed has the new ones, unless it is one of a table.
func TestFiguresAreMeasuredAndFrozen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		src := measured{object(1 << 20), source.NewGauge(source.RemoteHints())}
		var table Figures
		f, l := open(t, src, Options{Tail: 8, Gap: -1})
		ofTable, _ := open(t, src, Options{Tail: 8, Gap: -1, Figures: &table})
		want := []metadata.Extent{extent(0, 1000), extent(100_000, 1000)}
		before := len(f.Requests(1, want))
		for i := range 20 {
			b, err := f.Fetch(t.Context(), l, i, []metadata.Extent{extent(0, 10), extent(1<<19, int64(i)*20_000)})
			if err != nil {
				t.Fatal(err)
			}
			b.Release()
		}
		if f.Hints() != source.RemoteHints() || len(f.Requests(1, want)) != before || before != 1 {
			t.Error("the fetcher changed its mind:", f.Hints())
		}
		r := f.Renewed()
		if h := r.Hints(); h.Latency < time.Millisecond || h.Latency > 3*time.Millisecond || len(r.Requests(1, want)) != 2 {
			t.Errorf("renewed: %v, %d requests", h, len(r.Requests(1, want)))
		}
		if h := ofTable.Hints(); h == r.Hints() || ofTable.Renewed().Hints() != h {
			t.Error("that of a table changed its mind")
		}
		if other, _ := open(t, src, Options{Tail: 8, Figures: &table}); other.inFlight != ofTable.inFlight || other.inFlight == f.inFlight {
			t.Error("requests of one table are not limited together")
		}
		other, _ := open(t, src, Options{Tail: 8, Figures: &table})
		if other.Hints() != ofTable.Hints() {
			t.Error("two files of one table differ")
		}
		if other, _ = open(t, src, Options{Tail: 8}); other.Hints() != r.Hints() {
			t.Error("a file opened later starts anew")
		}
	})
}
