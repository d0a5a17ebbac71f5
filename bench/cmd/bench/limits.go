package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/parequet/pare/bench/orders"
	"github.com/parequet/pare/bench/peer"
)

// leastOf returns the least time of n runs.
func leastOf(n int, f func()) time.Duration {
	least := time.Duration(1 << 62)
	for range n {
		start := time.Now()
		f()
		least = min(least, time.Since(start))
	}
	return least
}

func gigabytes(n int, d time.Duration) float64 { return float64(n) / d.Seconds() / 1e9 }

// limits measures what the machine can do at best, on one thread.
func limits(file string) (string, error) {
	var b strings.Builder
	fmt.Fprint(&b, "| limit, one thread | GB/s |\n|---|--:|\n")
	row := func(what string, gb float64) { fmt.Fprintf(&b, "| %s | %.1f |\n", what, gb) }
	small, other := make([]byte, 256<<10), make([]byte, 256<<10)
	row("memory copy, 256 KiB to 256 KiB", gigabytes(len(small)*1000, leastOf(5, func() {
		for range 1000 {
			copy(small, other)
		}
	})))
	const large = 256 << 20
	from, to := make([]byte, large), make([]byte, large)
	for i := 0; i < large; i += 4096 {
		from[i], to[i] = 1, 1
	}
	row("memory copy, 256 MiB to 256 MiB", gigabytes(large, leastOf(5, func() { copy(to, from) })))
	from, to = nil, nil
	runtime.GC()
	row("first touch of fresh memory", gigabytes(large, leastOf(1, func() {
		fresh := make([]byte, large)
		for i := 0; i < large; i += 64 {
			fresh[i] = 1
		}
		runtime.KeepAlive(fresh)
	})))
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	buf, total := make([]byte, 1<<20), 0
	d := leastOf(3, func() {
		total = 0
		for {
			n, err := f.ReadAt(buf, int64(total))
			total += n
			if err != nil {
				if err != io.EOF {
					panic(err)
				}
				return
			}
		}
	})
	row("read from the page cache, 1 MiB at a time", gigabytes(total, d))
	return b.String(), nil
}

// growth measures time against what is selected, and against the file's size.
func (d *document) growth(readers []reader, s *server) (string, error) {
	var b strings.Builder
	table := func(head string, rows []string, of func(i int) work) error {
		fmt.Fprintf(&b, "| %s |", head)
		for _, r := range readers {
			fmt.Fprintf(&b, " %s |", r.name)
		}
		fmt.Fprintf(&b, "\n|---|%s\n", strings.Repeat("--:|", len(readers)))
		for i, name := range rows {
			ms, err := measure(of(i), readers, d.runs, s)
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, "| %s |", name)
			for _, m := range ms {
				if m.err != "" {
					fmt.Fprint(&b, " |")
				} else {
					fmt.Fprintf(&b, " %s |", number(m.median()))
				}
			}
			b.WriteByte('\n')
		}
		b.WriteByte('\n')
		return nil
	}
	for _, c := range codecs[:2] {
		file := d.f.orders(c.c, 0, true, false)
		shares := []float64{0.0001, 0.001, 0.01, 0.1, 0.5, 1}
		var names []string
		for _, share := range shares {
			names = append(names, fmt.Sprintf("%g %%", share*100))
		}
		fmt.Fprintf(&b, "Time in ms against the share of rows selected by `order_id`, %d million rows in one row group with page index, %s, two threads:\n\n", d.f.rows/1e6, c.name)
		err := table("selected", names, func(i int) work {
			n := int64(float64(d.f.rows) * shares[i])
			from := (int64(d.f.rows) - n) / 2
			return work{task: peer.Task{Kind: peer.Sums, File: file, Columns: numbers, Threads: 2, Filter: &peer.Filter{Column: "order_id", From: from + 1, To: from + n + 1}}}
		})
		if err != nil {
			return "", err
		}
	}
	sizes := []int{d.f.rows / 20, d.f.rows / 4, d.f.rows}
	for _, l := range []struct {
		what   string
		filter *peer.Filter
	}{{"the order with number 300,000", &peer.Filter{Column: "order_id", From: 300_000, To: 300_001}}, {"100,000 orders", &peer.Filter{Column: "order_id", From: 300_000, To: 400_000}}} {
		fmt.Fprintf(&b, "Time in ms against the file's size for %s, zstd, one row group with page index:\n\n", l.what)
		var names []string
		for _, n := range sizes {
			names = append(names, fmt.Sprintf("%g million", float64(n)/1e6))
		}
		err := table("rows", names, func(i int) work {
			file := d.f.must(orders.Ensure(d.f.dir, orders.Spec{Rows: sizes[i], Codec: codecs[0].c, Index: true}))
			return work{task: peer.Task{Kind: peer.Sums, File: file, Columns: numbers, Threads: 2, Filter: l.filter}}
		})
		if err != nil {
			return "", err
		}
	}
	return b.String(), nil
}
