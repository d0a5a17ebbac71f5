package bench

import (
	"context"
	"os"
	"testing"
	"strings"

	"github.com/parequet/pare"
	"github.com/parequet/pare/predicate"
)

func BenchmarkProf(b *testing.B) {
	q := pare.Query{}
	if c := os.Getenv("COLS"); c == "-" { q.Select = []string{} } else if c != "" { q.Select = strings.Split(c, ",") }
	if os.Getenv("DICT") != "" { q.DictionaryStrings = true }
	if w := os.Getenv("WHERE"); w != "" { q.Where, _ = predicate.Parse(w) }
	b.ReportAllocs()
	for b.Loop() {
		f, err := pare.OpenFile(context.Background(), os.Getenv("FILE"), pare.Options{})
		if err != nil { b.Fatal(err) }
		s, err := f.Scan(context.Background(), q)
		if err != nil { b.Fatal(err) }
		for batch, err := range s.Batches() {
			if err != nil { b.Fatal(err) }
			batch.Release()
		}
		f.Close()
	}
}
