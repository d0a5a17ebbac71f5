// Command strategies compares, on a simulated clock, what pare fetches with what
// fixed strategies fetch: whole files, whole columns, pages one by one, and pages
// joined across gaps of up to 1 MiB; for sources of several latencies and
// bandwidths. Nothing is timed: a round of requests takes a latency for each
// turn of those that are in flight together, and its bytes' time.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"text/tabwriter"
	"time"

	"github.com/apache/arrow-go/v18/parquet/compress"

	"github.com/parequet/pare"
	"github.com/parequet/pare/bench/orders"
	"github.com/parequet/pare/plan"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/report"
	"github.com/parequet/pare/source"
)

const concurrency = 16

func main() {
	log.SetFlags(0)
	cache, err := os.UserCacheDir()
	if err != nil {
		log.Fatal(err)
	}
	dir := flag.String("dir", filepath.Join(cache, "pare-bench"), "where the data is kept")
	rows := flag.Int("rows", 20_000_000, "rows of the large file")
	flag.Parse()
	large, err := orders.Ensure(*dir, orders.Spec{Rows: *rows, GroupLen: *rows / 20, Codec: compress.Codecs.Zstd, Index: true})
	if err != nil {
		log.Fatal(err)
	}
	small, err := orders.Ensure(*dir, orders.Spec{Rows: 100_000, GroupLen: 100_000, Codec: compress.Codecs.Snappy, Index: true, PageSize: 8 << 10})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range []string{large, small} {
		if err := compare(f); err != nil {
			log.Fatal(err)
		}
	}
}

// link is what lies between pare and a source.
type link struct {
	latency   time.Duration
	bandwidth float64 // bytes a second

	gauge *source.Gauge // what pare has measured
}

func (l link) hints() source.Hints {
	return source.Hints{Latency: max(l.latency, time.Microsecond), Bandwidth: l.bandwidth, Concurrency: concurrency, MaxRequest: 16 << 20}
}

// takes is the simulated time of a receipt's requests.
func (l link) takes(r report.Receipt) time.Duration {
	total := time.Duration(0)
	l.rounds(r, func(took time.Duration, _, _ int64) { total += took })
	return total
}

// rounds calls f with the time of each round of a receipt, its turns and bytes.
func (l link) rounds(r report.Receipt, f func(took time.Duration, turns, bytes int64)) {
	type round struct{ requests, bytes int64 }
	rounds := make([]round, r.Requests.Rounds)
	for _, q := range r.Reads {
		rounds[q.Round].requests++
		rounds[q.Round].bytes += q.Length
	}
	for _, x := range rounds {
		turns := (x.requests + concurrency - 1) / concurrency
		f(time.Duration(turns)*l.latency+time.Duration(float64(x.bytes)/l.bandwidth*float64(time.Second)), turns, x.bytes)
	}
}

// strategy is a way of fetching: options of pare that make it fetch so.
type strategy struct {
	name  string
	hints func(l link) source.Hints
	opt   func(size int64) pare.Options
	skip  plan.Stages

	measures bool // the link's gauge
}

// fixed are figures by which nothing is weighed: those of a local file.
func fixed(l link) source.Hints {
	h := l.hints()
	h.Latency, h.Bandwidth = 20*time.Microsecond, 2e9
	return h
}

var strategies = []strategy{
	{name: "pare, figures known", hints: link.hints, opt: nothing},
	{name: "pare, first query", hints: measured, opt: nothing, measures: true},
	{name: "pare, second query", hints: measured, opt: nothing, measures: true},
	{name: "pare, third query", hints: measured, opt: nothing, measures: true},
	{name: "whole file", hints: fixed, opt: func(size int64) pare.Options { return pare.Options{Tail: size} }},
	{name: "whole columns", hints: fixed, opt: tail, skip: plan.PageIndex | plan.Bloom | plan.Dictionary},
	{name: "page by page", hints: fixed, opt: func(int64) pare.Options { return pare.Options{Gap: -1, Tail: 64 << 10} }},
	{name: "gaps of 1 MiB", hints: fixed, opt: func(int64) pare.Options { return pare.Options{Gap: 1 << 20, Tail: 64 << 10} }},
}

const ours = 4 // strategies that are pare's

func measured(l link) source.Hints { return l.gauge.Hints() }
func nothing(int64) pare.Options   { return pare.Options{} }
func tail(int64) pare.Options      { return pare.Options{Tail: 64 << 10} }

// compare prints what each strategy takes on each link.
func compare(path string) error {
	where, err := predicate.Parse(orders.Fortnight)
	if err != nil {
		return err
	}
	fmt.Printf("\n%s, the fortnight\n\n", filepath.Base(path))
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "latency\tMB/s\tstrategy\tms\tMB\trequests\trounds\tagainst the best fixed\t")
	for _, latency := range []time.Duration{0, time.Millisecond, 20 * time.Millisecond, 100 * time.Millisecond} {
		for _, bandwidth := range []float64{10e6, 100e6, 1e9} {
			l := link{latency: latency, bandwidth: bandwidth}
			receipts := make([]report.Receipt, len(strategies))
			l.gauge = source.NewGauge(source.RemoteHints())
			best := time.Duration(0)
			for i, s := range strategies {
				if receipts[i], err = s.run(path, l, where); err != nil {
					return fmt.Errorf("%s: %w", s.name, err)
				}
				if s.measures {
					l.rounds(receipts[i], func(took time.Duration, turns, bytes int64) {
						l.gauge.Observe(l.latency, took-time.Duration(turns)*l.latency, bytes)
					})
				}
				if t := l.takes(receipts[i]); i >= ours && (best == 0 || t < best) {
					best = t
				}
			}
			for i, s := range strategies {
				t, r := l.takes(receipts[i]), receipts[i]
				fmt.Fprintf(w, "%v\t%.0f\t%s\t%.1f\t%.2f\t%d\t%d\t%+.0f %%\t\n", latency, bandwidth/1e6, s.name, t.Seconds()*1e3,
					float64(r.Bytes.Total)/1e6, r.Requests.Total, r.Requests.Rounds, 100*(t.Seconds()/best.Seconds()-1))
			}
		}
	}
	return w.Flush()
}

// simulated is a local file of other costs.
type simulated struct {
	*source.File
	hints source.Hints
}

func (s simulated) Hints() source.Hints { return s.hints }

func (s strategy) run(path string, l link, where predicate.Expr) (r report.Receipt, err error) {
	file, err := source.OpenFile(path)
	if err != nil {
		return r, err
	}
	defer file.Close()
	ctx := context.Background()
	size, err := file.Size(ctx)
	if err != nil {
		return r, err
	}
	f, err := pare.Open(ctx, simulated{file, s.hints(l)}, s.opt(size))
	if err != nil {
		return r, err
	}
	scan, err := f.Scan(ctx, pare.Query{Select: []string{"order_id", "customer_id", "amount"}, Where: where, Skip: s.skip})
	if err != nil {
		return r, err
	}
	for batch, err := range scan.Batches() {
		if err != nil {
			return r, err
		}
		batch.Release()
	}
	return scan.Receipt(), nil
}
