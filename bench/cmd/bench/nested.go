package main

import (
	"fmt"

	"github.com/apache/arrow-go/v18/parquet/compress"

	"github.com/parequet/pare/bench/orders"
	"github.com/parequet/pare/bench/peer"
)

// nestedGroups is the number of row groups of the nested file. It is odd so that
// the middle of the file is that of a row group.
const nestedGroups = 5

// nestedFile is the file of structs, lists and maps.
func (f files) nestedFile(codec compress.Compression) string {
	return f.must(orders.EnsureNested(f.dir, orders.Nested{Rows: f.nested, GroupLen: f.nested / nestedGroups, Codec: codec}))
}

// nested lists the works on structs, lists and maps. chdb is not asked: its
// structs, lists and maps cannot be null.
func nested(f files) (out []work) {
	task := func(codec compress.Compression, threads int, columns ...string) peer.Task {
		return peer.Task{Kind: peer.Nested, File: f.nestedFile(codec), Columns: columns, Threads: threads}
	}
	two := codecs[:2]
	for _, c := range two {
		out = append(out, work{id: "nested-full-" + c.name, title: "nested, all columns to Arrow, one thread, " + c.name,
			task: task(c.c, 1), structs: true})
	}
	for _, c := range two {
		out = append(out, work{id: "nested-full-2threads-" + c.name, title: "nested, all columns to Arrow, two threads, " + c.name,
			task: task(c.c, 2)})
	}
	for _, c := range two {
		out = append(out, work{id: "nested-items-" + c.name, title: "nested, a list of structs to Arrow, one thread, " + c.name,
			task: task(c.c, 1, "items")})
	}
	for i := range out {
		out[i].without = []string{"chdb"}
	}
	return append(out, nestedRows(f, task)...)
}

// nestedRows lists the works on a few rows in the middle of the file.
func nestedRows(f files, task func(codec compress.Compression, threads int, columns ...string) peer.Task) (out []work) {
	const some = 1000
	for _, c := range codecs[:2] {
		t := task(c.c, 2, "items")
		t.Rows = &peer.Rows{From: int64(f.nested / 2), To: int64(f.nested/2 + some)}
		out = append(out, work{id: "nested-rows-" + c.name, task: t, count: true, without: []string{"chdb"},
			title: fmt.Sprintf("nested, a list of structs in %d rows in the middle of %d, %s", some, f.nested, c.name)})
	}
	return out
}
