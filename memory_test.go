package pare_test

import (
	"runtime"
	"slices"
	"testing"

	"github.com/parequet/pare"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/source"
)

// TestMemoryIsBounded: a scan from afar, which would have some 100 MiB under way,
// stays near what it is allowed.
func TestMemoryIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("it writes 128 MiB")
	}
	page := kindPage{values: make([][]byte, 128<<10)}
	for i := range page.values {
		page.values[i] = i64(int64(i))
	}
	many, one := kindColumn{name: "x", typ: metadata.Int64, noIndex: true}, kindColumn{name: "x", typ: metadata.Int64, noIndex: true}
	for range 128 {
		many.groups = append(many.groups, []kindPage{page})
	}
	one.groups = [][]kindPage{slices.Repeat([]kindPage{page}, 128)}
	for name, column := range map[string]kindColumn{"many row groups": many, "one row group": one} {
		data := kindFile{columns: []kindColumn{column}}.bytes()
		t.Run(name, func(t *testing.T) { checkMemory(t, data) })
	}
}

func checkMemory(t *testing.T, data []byte) {
	for _, memory := range []int64{4 << 20, 16 << 20} {
		src := &countingSource{Source: source.Memory(data), hints: source.RemoteHints()}
		f, err := pare.Open(t.Context(), src, pare.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s, err := f.Scan(t.Context(), pare.Query{Memory: memory, Threads: 4})
		if err != nil {
			t.Fatal(err)
		}
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		before, most, rows := m.HeapAlloc, uint64(0), int64(0)
		for batch, err := range s.Batches() {
			if err != nil {
				t.Fatal(err)
			}
			if rows += batch.NumRows(); rows%(1<<20) == 0 {
				runtime.GC()
				runtime.ReadMemStats(&m)
				most = max(most, m.HeapAlloc)
			}
			batch.Release()
		}
		if used := int64(most - min(before, most)); rows != 128*128<<10 || used > 2*memory+8<<20 {
			t.Errorf("%d rows with %d bytes in use, %d are allowed", rows, used, memory)
		} else {
			t.Logf("%d MiB of %d in use", used>>20, memory>>20)
		}
	}
}

// TestGapsTakeMemory: what lies between wanted pages and is fetched with them counts.
func TestGapsTakeMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("it writes 68 MB")
	}
	x, note := kindColumn{name: "x", typ: metadata.Int64}, kindColumn{name: "note", typ: metadata.ByteArray}
	long := []kindPage{{values: [][]byte{make([]byte, 170<<10)}}}
	for i := range 400 {
		x.groups, note.groups = append(x.groups, []kindPage{{values: [][]byte{i64(int64(i))}}}), append(note.groups, long)
	}
	data := kindFile{columns: []kindColumn{x, note}}.bytes()
	const memory = 4 << 20
	f, err := pare.Open(t.Context(), hinted{source.Memory(data), source.RemoteHints()}, pare.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := f.Scan(t.Context(), pare.Query{Select: []string{"x"}, Memory: memory})
	if err != nil {
		t.Fatal(err)
	}
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	before, most, rows := m.HeapAlloc, uint64(0), int64(0)
	for batch, err := range s.Batches() {
		if err != nil {
			t.Fatal(err)
		}
		if rows += batch.NumRows(); rows%20 == 0 {
			runtime.GC()
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapAlloc)
		}
		batch.Release()
	}
	if used := int64(most - min(before, most)); rows != 400 || used > 2*memory+8<<20 {
		t.Errorf("%d rows with %d bytes in use, %d are allowed; %+v", rows, used, memory, s.Receipt().Requests)
	} else {
		t.Logf("%d MiB of %d in use, %d requests", used>>20, memory>>20, s.Receipt().Requests.Total)
	}
}
