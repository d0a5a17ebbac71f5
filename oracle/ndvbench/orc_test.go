package ndvbench

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/parequet/pare"
	"github.com/parequet/pare/ndv"
)

// TestIntervalsOfORC: on the top-level columns of the corpus's ORC files, whose
// distinct values another reader has counted.
func TestIntervalsOfORC(t *testing.T) {
	root := os.Getenv("PARE_CORPUS")
	if root == "" {
		t.Skip("PARE_CORPUS does not name a corpus")
	}
	text, err := os.ReadFile("../testdata/orc-distinct.tsv")
	if err != nil {
		t.Fatal(err)
	}
	scores := map[ndv.Tier]*Score{ndv.T0: {}, ndv.T1: {}, ndv.T2: {}}
	files := map[string]*pare.ORCFile{}
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if strings.HasPrefix(line, "#") || len(fields) != 3 {
			continue
		}
		f := files[fields[0]]
		if f == nil {
			if f, err = pare.OpenORCFile(t.Context(), filepath.Join(root, fields[0]), pare.Options{Name: fields[0]}); err != nil {
				t.Error(err)
				continue
			}
			defer f.Close()
			files[fields[0]] = f
		}
		truth, err := strconv.ParseInt(fields[2], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		for tier, s := range scores {
			r, err := f.NDV(t.Context(), pare.NDVOptions{Columns: []string{fields[1]}, Tier: tier})
			if err != nil {
				t.Errorf("%s: %v", fields[0], err)
				break
			}
			a := r.Answers[0]
			if truth < a.Lo || truth > a.Hi {
				t.Errorf("%s, %s, %v: %d distinct values, not in %d…%d, estimate %d (%s)", fields[0], fields[1], tier, truth, a.Lo, a.Hi, a.Estimate, a.Route)
			}
			s.add(Guess{Estimate: float64(a.Estimate), Known: a.Known, Lo: a.Lo, Hi: a.Hi}, truth)
		}
	}
	for tier := ndv.T0; tier <= ndv.T2; tier++ {
		s := scores[tier]
		t.Logf("%v: %d columns of %d files, %d without evidence; q-error p50 %.3f p90 %.2f p95 %.2f max %.1f", tier, s.Columns, len(files), s.Unknown, s.At(.5), s.At(.9), s.At(.95), s.At(1))
	}
}
