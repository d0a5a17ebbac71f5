package pare_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parequet/pare"
	"github.com/parequet/pare/plan"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/source"
)

var (
	mutantFiles = flag.Int("mutant-files", 40, "files of the corpus that TestCorpusMutants changes")
	mutants     = flag.Int("mutants", 5, "mutants of each file")
)

// TestCorpusMutants flips bytes anywhere in real files: footers, indexes, page
// headers and pages. No mutant may panic, hang, or take memory without bound,
// and one whose metadata still tells the truth loses no row by pruning.
func TestCorpusMutants(t *testing.T) {
	corpus := os.Getenv("PARE_CORPUS")
	if corpus == "" {
		t.Skip("PARE_CORPUS does not name a corpus")
	}
	rng := rand.New(rand.NewPCG(7, uint64(*mutantFiles)))
	files := corpusFiles(t, corpus)
	rng.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
	compared := 0
	for _, name := range files[:min(*mutantFiles, len(files))] {
		good, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for range *mutants {
			bad := bytes.Clone(good)
			at := mutantOffset(rng, len(bad))
			bad[at] ^= 1 << rng.IntN(8)
			what := fmt.Sprintf("%s, bit flipped at %d of %d", filepath.Base(name), at, len(bad))
			for _, q := range hostileQueries(t, good) {
				if err := scanHostile(bad, q); err != nil {
					t.Errorf("%s, WHERE %v: %v", what, q.Where, err)
				}
				for _, opt := range []pare.Options{{}, exact} {
					if same, ok := prunedEqualsFull(t, bad, opt, q); ok {
						compared++
						if !same {
							t.Errorf("%s, WHERE %v, %+v: pruning changes the rows, and nothing in the metadata lies", what, q.Where, opt)
						}
					}
				}
			}
		}
	}
	t.Logf("%d scans of truthful mutants were compared", compared)
}

// corpusFiles lists the Parquet files of a corpus, without those that are
// damaged on purpose.
func corpusFiles(t testing.TB, corpus string) (out []string) {
	err := filepath.WalkDir(corpus, func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.Contains(path, ".parq") && !strings.Contains(path, "fuzz") && !d.IsDir() {
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(out)
	return out
}

// mutantOffset prefers the end of the file, where the metadata is.
func mutantOffset(rng *rand.Rand, n int) int {
	if rng.IntN(3) > 0 {
		return max(0, n-1-rng.IntN(max(1, min(n, 4096))))
	}
	return rng.IntN(n)
}

// hostileQueries asks for the whole file, and for a value of its first column
// that can be compared.
func hostileQueries(t testing.TB, good []byte) []pare.Query {
	out := []pare.Query{{}}
	f, err := pare.Open(t.Context(), source.Memory(good), pare.Options{})
	if err != nil {
		return out
	}
	for _, field := range f.ArrowSchema().Fields() {
		col := predicate.Col(field.Name)
		for _, x := range []predicate.Expr{col.Gt(5), col.Ge("b"), col.IsNull()} {
			if _, err := predicate.Bind(x, f.Metadata().Schema); err == nil {
				out = append(out, pare.Query{Select: []string{field.Name}, Where: x, RowNumbers: "row number"})
				break
			}
		}
		if len(out) == 3 {
			break
		}
	}
	return out
}

// prunedEqualsFull compares a pruned scan with an unpruned one. ok is false
// where either fails or the metadata lies, by what Verify finds.
func prunedEqualsFull(t testing.TB, b []byte, opt pare.Options, q pare.Query) (same, ok bool) {
	if q.Where == nil {
		return true, false
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	f, err := pare.Open(ctx, source.Memory(b), opt)
	if err != nil {
		return true, false
	}
	lies := 0
	if _, err := f.Verify(ctx, func(pare.Finding) { lies++ }); err != nil || lies > 0 {
		return true, false
	}
	full := q
	full.Skip = plan.AllStages
	want, err := scanRows(ctx, f, full)
	if err != nil {
		return true, false
	}
	got, err := scanRows(ctx, f, q)
	return err == nil && reflect.DeepEqual(got, want), true
}

func scanRows(ctx context.Context, f *pare.File, q pare.Query) (rows table, err error) {
	s, err := f.Scan(ctx, q)
	if err != nil {
		return nil, err
	}
	for batch, err := range s.Batches() {
		if err != nil {
			return nil, err
		}
		rows = appendBatch(rows, batch)
		batch.Release()
	}
	return rows, nil
}
