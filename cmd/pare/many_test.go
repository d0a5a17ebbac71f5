package main

import (
	"context"
	"flag"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/parequet/pare"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/report"
	"github.com/parequet/pare/source"
	"github.com/parequet/pare/source/s3"
	"github.com/parequet/pare/source/s3/s3test"
)

var tableFiles = flag.Int("table-files", 300, "files of TestTableOfManyFiles")

// openCounter counts the objects that are opened.
type openCounter struct {
	source.Store
	opened atomic.Int64
}

func (s *openCounter) Open(ctx context.Context, name string) (source.Source, error) {
	s.opened.Add(1)
	return s.Store.Open(ctx, name)
}

// TestTableOfManyFiles: of a table in a store, partitioned by day, a query for one
// day opens that day's files only; a second one asks for no footer; and what is
// kept of the files stays within bounds.
func TestTableOfManyFiles(t *testing.T) {
	for name, server := range map[string]func(testing.TB) string{"gofakes3": s3test.Fake, "versitygw": s3test.Versity} {
		t.Run(name, func(t *testing.T) {
			s3test.Environment(t)
			tableOfManyFiles(t, server(t))
		})
	}
}

func tableOfManyFiles(t *testing.T, url string) {
	t.Setenv("AWS_ENDPOINT_URL", url)
	small := orderFile(t, "orders-sorted.parquet")
	const days = 30
	objects := map[string][]byte{}
	for i := range *tableFiles {
		objects[fmt.Sprintf("orders/day=2024-03-%02d/part-%05d.parquet", 1+i%days, i)] = small
	}
	s3test.Fill(t, url, "lake", objects)
	client, err := s3.NewClient(t.Context(), s3.Options{})
	if err != nil {
		t.Fatal(err)
	}
	store := &openCounter{Store: client.Bucket("lake")}
	cache, err := pare.NewCache(32<<20, "")
	if err != nil {
		t.Fatal(err)
	}
	where, err := predicate.Parse("day = DATE '2024-03-07' AND order_id = 777")
	if err != nil {
		t.Fatal(err)
	}
	run := func(where predicate.Expr) (rows int64, r report.Receipt) {
		members, err := pare.List(t.Context(), store, "s3://lake/", "orders/")
		if err != nil {
			t.Fatal(err)
		}
		if len(members) != *tableFiles {
			t.Fatalf("%d files are listed, there are %d", len(members), *tableFiles)
		}
		d, err := pare.NewDataset(members, pare.DatasetOptions{File: pare.Options{Cache: cache, Tail: 8 << 10}})
		if err != nil {
			t.Fatal(err)
		}
		s, err := d.Scan(t.Context(), pare.Query{Select: []string{"order_id", "day"}, Where: where})
		if err != nil {
			t.Fatal(err)
		}
		for batch, err := range s.Batches() {
			if err != nil {
				t.Fatal(err)
			}
			rows += batch.NumRows()
			batch.Release()
		}
		return rows, s.Receipt()
	}
	perDay := int64((*tableFiles - 6 + days - 1) / days)
	rows, r := run(where)
	if rows != perDay || store.opened.Load() != perDay || r.Bytes.Footer == 0 {
		t.Errorf("%d rows of %d files, %d are of the day; %+v", rows, store.opened.Load(), perDay, r.Bytes)
	}
	if rows, r = run(where); rows != perDay || r.Bytes.Footer != 0 || r.Bytes.Index != 0 {
		t.Errorf("the second time: %d rows, %+v", rows, r.Bytes)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	any, err := predicate.Parse("order_id = 777")
	if err != nil {
		t.Fatal(err)
	}
	if rows, r = run(any); rows != int64(*tableFiles) {
		t.Errorf("%d rows of all files", rows)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	t.Logf("%d files: %d requests, %.1f MB; %d MiB more in use afterwards", *tableFiles, r.Requests.Total, float64(r.Bytes.Total)/1e6, (int64(after.HeapAlloc)-int64(before.HeapAlloc))>>20)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 64<<20 {
		t.Errorf("%d bytes are kept", grown)
	}
	if strings.Contains(fmt.Sprint(r), s3test.Secret) {
		t.Error("the receipt holds a secret")
	}
}
