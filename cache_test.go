package pare_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parequet/pare"
	"github.com/parequet/pare/source"
)

// countingStore counts what is read of the sources that it opens.
type countingStore struct {
	source.Store
	mu   sync.Mutex
	open []*countingSource
}

func (s *countingStore) Open(ctx context.Context, name string) (source.Source, error) {
	src, err := s.Store.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c := &countingSource{Source: src}
	s.open = append(s.open, c)
	return c, nil
}

func (s *countingStore) take() (requests, bytes int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.open {
		requests += c.requests.Load()
		bytes += c.bytes.Load()
	}
	s.open = nil
	return requests, bytes
}

func cachedTable(t *testing.T, cache *pare.Cache, store source.Store) *pare.Dataset {
	t.Helper()
	members, err := pare.List(t.Context(), store, "", "")
	if err != nil {
		t.Fatal(err)
	}
	d, err := pare.NewDataset(members, pare.DatasetOptions{File: pare.Options{Cache: cache, Tail: 8, Gap: -1}})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestCache: a second query reads neither footers nor page indexes, of this process
// or of another with the same folder, and damaged entries are read anew.
func TestCache(t *testing.T) {
	orders, err := os.ReadFile(ordersPaged)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for i := range 5 {
		files[fmt.Sprintf("%d.parquet", i)] = orders
	}
	dir, folder := writeTable(t, files), t.TempDir()
	q := pare.Query{Select: []string{"order_id"}}
	q.Where, q.Text = where(t, "order_date BETWEEN DATE '2024-03-01' AND DATE '2024-03-02'")
	store := &countingStore{Store: source.Dir(dir)}
	run := func(cache *pare.Cache) (rows []string, requests, meta int64) {
		rows, s := tableRows(t, cachedTable(t, cache, store), q)
		r := s.Receipt()
		requests, bytes := store.take()
		if bytes != r.Bytes.Total || requests != int64(r.Requests.Total) {
			t.Errorf("%d bytes in %d requests, the receipt says %d in %d", bytes, requests, r.Bytes.Total, r.Requests.Total)
		}
		return rows, requests, r.Bytes.Footer + r.Bytes.Index
	}
	newCache := func() *pare.Cache {
		c, err := pare.NewCache(0, folder)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	cache := newCache()
	want, cold, meta := run(cache)
	if len(want) == 0 || meta == 0 {
		t.Fatalf("%d rows, %d bytes of metadata", len(want), meta)
	}
	for name, c := range map[string]*pare.Cache{"the same": cache, "another process": newCache()} {
		rows, warm, meta := run(c)
		if !slices.Equal(rows, want) || meta != 0 || warm >= cold {
			t.Errorf("%s: %d rows of %d, %d bytes of metadata, %d requests after %d", name, len(rows), len(want), meta, warm, cold)
		}
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) == 0 {
		t.Fatalf("%d files, %v", len(entries), err)
	}
	for i, e := range entries {
		p := filepath.Join(folder, e.Name())
		b, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		switch i % 3 {
		case 0:
			b = b[:len(b)/2]
		case 1:
			b[len(b)-1] ^= 1
		default:
			b = nil
		}
		if err := os.WriteFile(p, b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if rows, _, meta := run(newCache()); !slices.Equal(rows, want) || meta == 0 {
		t.Errorf("damaged: %d rows of %d, %d bytes of metadata", len(rows), len(want), meta)
	}
}

// TestCacheOfChangedFiles: a file that was written anew is not answered from what
// was kept of the one before.
func TestCacheOfChangedFiles(t *testing.T) {
	dir := writeTable(t, map[string][]byte{"a.parquet": int64File(map[string][]int64{"x": {1, 2}})})
	cache, err := pare.NewCache(0, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, values := range [][]int64{{1, 2}, {7}, {5, 6, 7}} {
		if err := os.WriteFile(filepath.Join(dir, "a.parquet"), int64File(map[string][]int64{"x": values}), 0o644); err != nil {
			t.Fatal(err)
		}
		rows, _ := tableRows(t, cachedTable(t, cache, source.Dir(dir)), pare.Query{})
		if len(rows) != len(values) || rows[0] != fmt.Sprint(values[0]) {
			t.Errorf("%v, right is %v", rows, values)
		}
	}
}

// TestCacheBudget: what is kept stays under the budget, in memory and on disk.
func TestCacheBudget(t *testing.T) {
	folder := t.TempDir()
	const budget = 20_000
	cache, err := pare.NewCache(budget, folder)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for i := range 200 {
		files[fmt.Sprintf("%03d.parquet", i)] = int64File(map[string][]int64{"x": {int64(i)}, "a column of a long name": {1}})
	}
	dir := writeTable(t, files)
	for range 2 {
		rows, _ := tableRows(t, cachedTable(t, cache, source.Dir(dir)), pare.Query{Select: []string{"x"}})
		for i, row := range rows {
			if row != fmt.Sprint(i) {
				t.Fatalf("row %d is %s", i, row)
			}
		}
	}
	size := int64(0)
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			size += info.Size()
		}
	}
	if size == 0 || size > budget*5/4 {
		t.Errorf("%d bytes on disk, the budget is %d", size, budget)
	}
}

// TestCacheKnowsFilesByTheirWholePath: files of one relative name, size and time in
// two directories are two files; and one that took another's place is another one.
func TestCacheKnowsFilesByTheirWholePath(t *testing.T) {
	dir := writeTable(t, map[string][]byte{
		"one/t/a.parquet": int64File(map[string][]int64{"x": {5, 6}}), "two/t/a.parquet": int64File(map[string][]int64{"x": {50, 51}}),
		"one/t/new": int64File(map[string][]int64{"x": {70, 71}}),
	})
	at := time.Unix(1e9, 0)
	for _, name := range []string{"one/t/a.parquet", "two/t/a.parquet", "one/t/new"} {
		if err := os.Chtimes(filepath.Join(dir, name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	cache, err := pare.NewCache(0, filepath.Join(dir, "cache"))
	if err != nil {
		t.Fatal(err)
	}
	read := func(in string) string {
		t.Chdir(filepath.Join(dir, in))
		expr, _ := where(t, "x > 5")
		rows, _ := tableRows(t, openTable(t, ".", "t", pare.DatasetOptions{File: pare.Options{Cache: cache}}), pare.Query{Where: expr})
		return strings.Join(rows, " ")
	}
	if got := read("one") + "; " + read("two") + "; " + read("one"); got != "6; 50 51; 6" {
		t.Error(got)
	}
	if runtime.GOOS != "linux" {
		return // only there is a file's inode looked at
	}
	if err := os.Rename(filepath.Join(dir, "one/t/new"), filepath.Join(dir, "one/t/a.parquet")); err != nil {
		t.Fatal(err)
	}
	if got := read("one"); got != "70 71" {
		t.Error(got)
	}
}
