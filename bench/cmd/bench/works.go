package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/parquet/compress"

	"github.com/parequet/pare/bench/orders"
	"github.com/parequet/pare/bench/peer"
)

// work is a task and what is to be achieved with it.
type work struct {
	id, title string
	task      peer.Task
	http      bool
	count     bool // count reads and bytes, too
	codec     bool // compare with what the codec takes alone, too
	structs   bool // compare with parquet-go's rows in structs of Go, too
	without   []string
	goals     []goal
}

// goal is a ratio of times: that of the best of some readers to pare's.
type goal struct {
	ratio float64
	of    string   // who they are
	names []string // nil means all
}

func (w work) threads() int { return w.task.Threads }

func (w work) skips(reader string) bool { return slices.Contains(w.without, reader) }

// extra reports whether the work is left out of a short run.
func (w work) extra() bool {
	return strings.Contains(w.id, "snappy") || strings.Contains(w.id, "noindex") || strings.Contains(w.id, "shuffled")
}

// checkHolds reports whether checking the answer keeps memory.
func (w work) checkHolds() bool { return w.task.Kind == peer.Arrow || w.task.Kind == peer.Nested }

func best(ratio float64) goal   { return goal{ratio: ratio, of: "the best peer"} }
func duckDB(ratio float64) goal { return goal{ratio: ratio, of: "DuckDB", names: []string{"DuckDB"}} }

// sizes of the data.
type sizes struct {
	rows, small, group                    int
	wideColumns, wideGroups, wideGroupLen int
	nested                                int
}

var (
	fullSizes  = sizes{20_000_000, 100_000, 1_000_000, 1000, 100, 100, 1_000_000}
	shortSizes = sizes{2_000_000, 100_000, 100_000, 1000, 20, 100, 100_000}
)

var (
	fortnight = &peer.Filter{Column: "order_date", Date: true, From: orders.FortnightFrom, To: orders.FortnightTo}
	numbers   = []string{"order_id", "customer_id", "amount"}
	codecs    = []struct {
		name string
		c    compress.Compression
	}{{"zstd", compress.Codecs.Zstd}, {"uncompressed", compress.Codecs.Uncompressed}, {"snappy", compress.Codecs.Snappy}}
)

// files writes what the works need and tells where it is.
type files struct {
	dir string
	sizes
}

func (f files) orders(codec compress.Compression, groupLen int, index, shuffled bool) string {
	return f.must(orders.Ensure(f.dir, orders.Spec{Rows: f.rows, GroupLen: groupLen, Codec: codec, Index: index, Shuffled: shuffled}))
}

// paged is the small file: pages of 8 KiB with a page index.
func (f files) paged() string {
	return f.must(orders.Ensure(f.dir, orders.Spec{Rows: f.small, GroupLen: 0, PageSize: 8 << 10, Codec: compress.Codecs.Snappy, Index: true}))
}

func (f files) wide() string {
	return f.must(orders.EnsureWide(f.dir, orders.Wide{Columns: f.wideColumns, Groups: f.wideGroups, GroupLen: f.wideGroupLen}))
}

func (f files) must(path string, err error) string {
	if err != nil {
		panic(fmt.Sprintf("writing the data: %v", err))
	}
	return path
}

// works lists all of it.
func works(f files, s *server) (out []work) {
	out = append(out, fortnights(f)...)
	out = append(out, lookups(f)...)
	out = append(out, decodes(f)...)
	out = append(out, work{id: "wide", title: fmt.Sprintf("open %d columns × %d row groups, read one column", f.wideColumns, f.wideGroups),
		task:  peer.Task{Kind: peer.Sums, File: f.wide(), Columns: []string{fmt.Sprintf("c%d", f.wideColumns/2)}, Threads: 2},
		count: true,
		goals: []goal{best(4), {ratio: 11, of: "parquet-go", names: []string{"parquet-go"}}, {ratio: 15, of: "arrow-go", names: []string{"arrow-go"}}}})
	out = append(out, nested(f)...)
	return append(out, overHTTP(f, s)...)
}

func fortnights(f files) (out []work) {
	sum := func(file string, threads int) peer.Task {
		return peer.Task{Kind: peer.Sums, File: file, Columns: numbers, Filter: fortnight, Threads: threads}
	}
	one := map[string][]goal{"zstd": {best(2), duckDB(10)}, "uncompressed": {best(3), duckDB(10)}}
	many := map[string][]goal{"zstd": {best(1.3)}, "uncompressed": {best(2)}}
	for _, c := range codecs {
		out = append(out, work{id: "fortnight-1rg-" + c.name, title: "fortnight, one row group with page index, " + c.name,
			task: sum(f.orders(c.c, 0, true, false), 2), count: true, goals: one[c.name]})
	}
	out = append(out, work{id: "fortnight-1rg-zstd-1thread", title: "fortnight, one row group with page index, zstd, one thread",
		task: sum(f.orders(compress.Codecs.Zstd, 0, true, false), 1), goals: []goal{best(1.4)}})
	for _, c := range codecs {
		out = append(out, work{id: "fortnight-20rg-" + c.name, title: fmt.Sprintf("fortnight, %d row groups with page index, %s", f.rows/f.group, c.name),
			task: sum(f.orders(c.c, f.group, true, false), 2), count: true, goals: many[c.name]})
	}
	for _, c := range codecs[:2] {
		out = append(out, work{id: "fortnight-noindex-" + c.name, title: fmt.Sprintf("fortnight, %d row groups without page index, %s", f.rows/f.group, c.name),
			task: sum(f.orders(c.c, f.group, false, false), 2), count: true})
	}
	out = append(out, work{id: "fortnight-paged", title: fmt.Sprintf("fortnight, orders-paged of %d rows, from open to last row", f.small),
		task: sum(f.paged(), 2), count: true,
		goals: []goal{{ratio: 1.3, of: "parquet-go", names: []string{"parquet-go"}}, {ratio: 7, of: "every engine", names: engines}}})
	for _, c := range codecs[:2] {
		out = append(out, work{id: "shuffled-" + c.name, title: "fortnight, shuffled, nothing to prune, " + c.name,
			task: sum(f.orders(c.c, f.group, false, true), 2), goals: []goal{best(1)}})
	}
	return out
}

func lookups(f files) (out []work) {
	point := &peer.Filter{Column: "order_id", From: int64(f.rows) / 20 * 7, To: int64(f.rows)/20*7 + 1}
	for _, l := range []struct {
		name  string
		group int
		index bool
		find  float64
		count float64
	}{{"1rg", 0, true, 5, 35}, {"20rg", f.group, true, 3, 15}} {
		file := f.orders(compress.Codecs.Zstd, l.group, l.index, false)
		groups := "one row group with page index"
		if l.group > 0 {
			groups = fmt.Sprintf("%d row groups with page index", f.rows/l.group)
		}
		out = append(out,
			work{id: "point-" + l.name, title: "point lookup, " + groups, count: true, goals: []goal{best(l.find)},
				task: peer.Task{Kind: peer.Sums, File: file, Columns: numbers, Filter: point, Threads: 2}},
			work{id: "count-" + l.name, title: "count(*) of a fortnight, " + groups, count: true, goals: []goal{best(l.count)},
				task: peer.Task{Kind: peer.Count, File: file, Filter: fortnight, Threads: 2}})
	}
	return out
}

func decodes(f files) (out []work) {
	plain, zstd := f.orders(compress.Codecs.Uncompressed, f.group, false, false), f.orders(compress.Codecs.Zstd, f.group, false, false)
	add := func(id, title, file, column string, dict bool, threads int, goals ...goal) {
		w := work{id: id, title: title, goals: goals, without: []string{"parquet-go"},
			task: peer.Task{Kind: peer.Arrow, File: file, Columns: []string{column}, Dict: dict, Threads: threads}}
		w.codec = file == zstd
		if dict { // the others cannot be asked for dictionaries
			w.without = append(w.without, "DuckDB", "Polars", "DataFusion", "chdb")
		}
		out = append(out, w)
	}
	for _, c := range []struct{ name, column string }{{"INT64", "order_id"}, {"DOUBLE", "amount"}, {"plain string", "comment"}} {
		add("decode-none-"+c.column, "decode to Arrow, uncompressed, one thread: "+c.name, plain, c.column, false, 1, best(1.4))
	}
	add("decode-dict-date", "decode to Arrow, uncompressed, one thread: dictionary dates", plain, "order_date", false, 1, best(2.5))
	add("decode-dict-string", "decode to Arrow, uncompressed, one thread: dictionary strings as strings", plain, "status", false, 1, best(2.5))
	add("decode-dict-dict", "decode to Arrow, uncompressed, one thread: dictionary strings as dictionaries", plain, "status", true, 1, best(2.5))
	for _, c := range []struct{ name, column string }{{"INT64", "order_id"}, {"DOUBLE", "amount"}, {"plain string", "comment"}} {
		add("decode-zstd-"+c.column, "decode to Arrow, zstd, one thread: "+c.name, zstd, c.column, false, 1, best(1))
	}
	one := f.orders(compress.Codecs.Zstd, 0, true, false)
	add("decode-2threads-amount", "one row group decoded on two threads, zstd: DOUBLE", one, "amount", false, 2, best(1.8))
	add("decode-2threads-comment", "one row group decoded on two threads, zstd: plain string", one, "comment", false, 2, best(1.8))
	return out
}

func overHTTP(f files, s *server) []work {
	big := s.url(f.orders(compress.Codecs.Zstd, f.group, true, false))
	sum := func(file string, filter *peer.Filter) peer.Task {
		return peer.Task{Kind: peer.Sums, File: file, Columns: numbers, Filter: filter, Threads: 2}
	}
	// DuckDB's extension for HTTP is a download of its own, DataFusion's Python
	// package takes https only.
	without := []string{"DuckDB", "DataFusion"}
	point := &peer.Filter{Column: "order_id", From: int64(f.rows) / 20 * 7, To: int64(f.rows)/20*7 + 1}
	return []work{
		{id: "http-fortnight", title: "fortnight over HTTP, 20 ms a request", task: sum(big, fortnight), http: true, without: without, goals: []goal{best(1.5)}},
		{id: "http-paged", title: "fortnight over HTTP, 20 ms a request, orders-paged", task: sum(s.url(f.paged()), fortnight), http: true, without: without, goals: []goal{best(1.5)}},
		{id: "http-point", title: "point lookup over HTTP, 20 ms a request", task: sum(big, point), http: true, without: without},
	}
}
