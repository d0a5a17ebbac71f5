package pare_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parequet/pare"
	"github.com/parequet/pare/ndv"
	"github.com/parequet/pare/orc"
	"github.com/parequet/pare/source"
)

// orcTruth is what testdata/orc/make.py wrote.
var orcTruth = map[string]int64{"id": 6000, "status": 5, "note": 267, "price": 250, "at": 1000, "day": 60, "flag": 2, "score": 91, "nothing": 0, "tags.element": 7}

func orcFixtures(t testing.TB) []string {
	t.Helper()
	names, err := filepath.Glob("testdata/orc/*.orc")
	if err != nil || len(names) != 5 {
		t.Fatalf("%d ORC fixtures: %v", len(names), err)
	}
	return names
}

// TestNDVOfORC: every codec gives the same answers, which hold the truth.
func TestNDVOfORC(t *testing.T) {
	for _, name := range orcFixtures(t) {
		for tier := ndv.T0; tier <= ndv.T2; tier++ {
			f, err := pare.OpenORCFile(t.Context(), name, pare.Options{})
			if err != nil {
				t.Fatal(err)
			}
			r, err := f.NDV(t.Context(), pare.NDVOptions{Tier: tier})
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Answers) != len(orcTruth) || len(r.Doubts) > 0 {
				t.Errorf("%s, %v: %d answers, %v", name, tier, len(r.Answers), r.Doubts)
			}
			for _, a := range r.Answers {
				truth, ok := orcTruth[a.Column]
				if !ok || truth < a.Lo || truth > a.Hi {
					t.Errorf("%s, %v: %s has %d distinct values, not in %d…%d", name, tier, a.Column, truth, a.Lo, a.Hi)
				}
				if exact := a.Column == "flag" || a.Column == "nothing" || a.Column == "day"; exact && a.Estimate != truth {
					t.Errorf("%s, %v: %s is estimated as %d, it has %d", name, tier, a.Column, a.Estimate, truth)
				}
				if a.Column == "status" && tier == ndv.T2 && (a.Tier != ndv.T2 || a.Estimate != 5) {
					t.Errorf("%s: status is estimated as %d at %v: %s", name, a.Estimate, a.Tier, a.Route)
				}
			}
			if tier == ndv.T0 && r.Requests > 2 {
				t.Errorf("%s: %d requests for the tail", name, r.Requests)
			}
			f.Close()
		}
	}
}

// TestORCWrongly: what is no ORC file, or damaged, is one error, without a panic.
func TestORCWrongly(t *testing.T) {
	good, err := os.ReadFile("testdata/orc/zlib.orc")
	if err != nil {
		t.Fatal(err)
	}
	parquet, err := os.ReadFile(ordersPaged)
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{"empty": {}, "cut": good[:len(good)/2], "Parquet": parquet, "a byte": {5}, "zeros": make([]byte, 1000)} {
		if _, err := pare.OpenORC(t.Context(), source.Memory(b), pare.Options{Name: name}); err == nil || !strings.HasPrefix(err.Error(), name) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
	f, err := pare.OpenORC(t.Context(), source.Memory(good), pare.Options{})
	if err != nil {
		t.Fatal(err)
	}
	from := len(good) - int(f.Metadata().Length+f.Metadata().FooterLength+f.Metadata().MetadataLength)
	for at := from; at < len(good); at++ {
		for _, bit := range []byte{1, 0x40} {
			bad := bytes.Clone(good)
			bad[at] ^= bit
			f, err := pare.OpenORC(t.Context(), source.Memory(bad), pare.Options{})
			if err != nil {
				continue
			}
			if r, err := f.NDV(t.Context(), pare.NDVOptions{Tier: ndv.T2}); err == nil {
				for _, a := range r.Answers {
					if a.Lo > a.Hi || a.Estimate < a.Lo || a.Estimate > a.Hi {
						t.Errorf("bit %x at %d: %+v", bit, at, a)
					}
				}
			}
		}
	}
}

// FuzzORC: no bytes make the parsers panic, or take much memory.
func FuzzORC(f *testing.F) {
	for _, name := range orcFixtures(f) {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b[max(0, len(b)-4000):])
	}
	f.Fuzz(func(t *testing.T, tail []byte) {
		p, err := orc.ParsePostScript(tail, int64(len(tail)))
		if err != nil {
			return
		}
		file, err := orc.ParseFooter(p, tail, int64(len(tail)))
		if err != nil {
			return
		}
		for _, s := range file.Stripes {
			footer, err := file.ParseStripeFooter(s, tail[s.FooterOffset():s.FooterOffset()+s.FooterLength])
			if err != nil {
				continue
			}
			for _, st := range footer.Streams {
				file.ParseRowIndex(tail[st.Offset : st.Offset+st.Length])
			}
		}
		o, err := pare.OpenORC(t.Context(), source.Memory(tail), pare.Options{})
		if err != nil {
			t.Fatal(err)
		}
		o.NDV(t.Context(), pare.NDVOptions{Tier: ndv.T2, BatchRows: 10})
	})
}
