package pare_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parequet/pare"
	"github.com/parequet/pare/source"
)

// distant is an object whose requests take a while on the test's clock.
type distant struct {
	source.Memory
	wait time.Duration
}

func (d distant) Hints() source.Hints { return source.RemoteHints() }

func (d distant) ReadAt(ctx context.Context, p []byte, off int64) error {
	time.Sleep(d.wait)
	return d.Memory.ReadAt(ctx, p, off)
}

// distantTable is a table of files of two rows each, in which x counts up from 0.
func distantTable(t *testing.T, files int, wait time.Duration) *pare.Dataset {
	t.Helper()
	var members []pare.Member
	for i := range files {
		data := int64File(map[string][]int64{"x": {int64(2 * i), int64(2*i + 1)}})
		members = append(members, pare.Member{Name: fmt.Sprint(i), Size: -1, Open: func(context.Context) (source.Source, error) {
			return distant{source.Memory(data), wait}, nil
		}})
	}
	d, err := pare.NewDataset(members, pare.DatasetOptions{File: pare.Options{Tail: 8}})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestAggregatesWaitTogether: the files of an aggregate are read together, too.
func TestAggregatesWaitTogether(t *testing.T) {
	const files, wait = 96, 20 * time.Millisecond
	d := distantTable(t, files, wait)
	synctest.Test(t, func(t *testing.T) {
		started := time.Now()
		batch, r, err := d.Aggregate(t.Context(), pare.Query{}, pare.Aggregate{Func: "max", Column: "x"}, pare.Aggregate{Func: "count", Star: true})
		if err != nil {
			t.Fatal(err)
		}
		defer batch.Release()
		if got := cellText(batch.Column(0), 0) + cellText(batch.Column(1), 0); got != "191|192|" {
			t.Error(got)
		}
		if waits := int(time.Since(started) / wait); waits > 3*files/16+3 || r.Requests.Rounds > 3*files/16+3 {
			t.Errorf("%d waits, the receipt has %+v", waits, r.Requests)
		}
	})
}

// TestSmallFilesWaitTogether: of 96 small files from afar sixteen are under way at a
// time, to open them and to scan them; their rows come in order.
func TestSmallFilesWaitTogether(t *testing.T) {
	const files, wait = 96, 20 * time.Millisecond
	d := distantTable(t, files, wait)
	synctest.Test(t, func(t *testing.T) {
		started := time.Now()
		s, err := d.Scan(t.Context(), pare.Query{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for batch, err := range s.Batches() {
			if err != nil {
				t.Fatal(err)
			}
			for i := range int(batch.NumRows()) {
				got = append(got, cellText(batch.Column(0), i))
			}
			batch.Release()
		}
		took := time.Since(started)
		if len(got) != 2*files || !slices.IsSortedFunc(got, func(a, b string) int { return len(a) - len(b) }) {
			t.Errorf("%v", got)
		}
		// A tail of 8 bytes, the footer behind it, and the data: three waits a file.
		if waits := took / wait; waits < 3*files/16 || waits > 3*files/16+3 {
			t.Errorf("%d waits", waits)
		}
		if r := s.Receipt().Requests; r.Total != 3*files || r.Rounds < 3*files/16-3 || r.Rounds > 3*files/16+3 {
			t.Errorf("%+v", r)
		}
	})
}
