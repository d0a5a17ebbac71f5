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
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"
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
	out := flag.String("o", "", "write the regrets as a page to this file, docs/STRATEGIES.md")
	flag.Parse()
	large, err := orders.Ensure(*dir, orders.Spec{Rows: *rows, GroupLen: *rows / 20, Codec: compress.Codecs.Zstd, Index: true})
	if err != nil {
		log.Fatal(err)
	}
	small, err := orders.Ensure(*dir, orders.Spec{Rows: 100_000, GroupLen: 100_000, Codec: compress.Codecs.Snappy, Index: true, PageSize: 8 << 10})
	if err != nil {
		log.Fatal(err)
	}
	var doc strings.Builder
	doc.WriteString(intro)
	for _, path := range []string{large, small} {
		all, err := compare(path)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("\n%s, the fortnight\n\n", filepath.Base(path))
		if err := printAll(os.Stdout, all); err != nil {
			log.Fatal(err)
		}
		st, err := os.Stat(path)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Fprintf(&doc, "\n## A file of %.1f MB\n\n", float64(st.Size())/1e6)
		document(&doc, all)
	}
	if *out != "" {
		if err := os.WriteFile(*out, []byte(doc.String()), 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

// intro is the page's beginning.
const intro = `# What pare fetches, beside fixed strategies

Written by bench/cmd/strategies, on a simulated clock: a round of requests takes a latency for each sixteen of them, and its bytes' time.
The query is a fortnight of a year of orders, three columns. Fixed strategies: the whole file; whole columns; page by page; pages joined
across gaps of up to 1 MiB. In brackets, what pare takes more (+) or less (−) than the best of the four.

Figures are known to a second query: the first one has measured them. The first query of a process goes by 30 ms and 100 MB/s, whatever
the link is; that costs most where a small file is taken whole over a slow link.
`

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

// result is what a strategy took on a link.
type result struct {
	took    time.Duration
	receipt report.Receipt
}

// outcome is what all strategies took on a link.
type outcome struct {
	link
	results []result // by strategy
}

// bestFixed is the fixed strategy that takes the least.
func (o outcome) bestFixed() int {
	best := ours
	for i := range o.results[ours:] {
		if o.results[ours+i].took < o.results[best].took {
			best = ours + i
		}
	}
	return best
}

// regret is what a strategy takes more than the best fixed one, in percent.
func (o outcome) regret(i int) float64 {
	return 100 * (o.results[i].took.Seconds()/o.results[o.bestFixed()].took.Seconds() - 1)
}

var (
	latencies  = []time.Duration{0, time.Millisecond, 20 * time.Millisecond, 100 * time.Millisecond}
	bandwidths = []float64{10e6, 100e6, 1e9}
)

// compare runs each strategy on each link.
func compare(path string) (out []outcome, err error) {
	where, err := predicate.Parse(orders.Fortnight)
	if err != nil {
		return nil, err
	}
	for _, latency := range latencies {
		for _, bandwidth := range bandwidths {
			o := outcome{link: link{latency: latency, bandwidth: bandwidth, gauge: source.NewGauge(source.RemoteHints())}}
			for _, s := range strategies {
				r, err := s.run(path, o.link, where)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", s.name, err)
				}
				if s.measures {
					o.rounds(r, func(took time.Duration, turns, bytes int64) {
						o.gauge.Observe(o.latency, took-time.Duration(turns)*o.latency, bytes)
					})
				}
				o.results = append(o.results, result{o.takes(r), r})
			}
			out = append(out, o)
		}
	}
	return out, nil
}

// printAll prints what each strategy took.
func printAll(w io.Writer, all []outcome) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "latency\tMB/s\tstrategy\tms\tMB\trequests\trounds\tagainst the best fixed\t")
	for _, o := range all {
		for i, s := range strategies {
			r := o.results[i]
			fmt.Fprintf(t, "%v\t%.0f\t%s\t%.1f\t%.2f\t%d\t%d\t%+.0f %%\t\n", o.latency, o.bandwidth/1e6, s.name, r.took.Seconds()*1e3,
				float64(r.receipt.Bytes.Total)/1e6, r.receipt.Requests.Total, r.receipt.Requests.Rounds, o.regret(i))
		}
	}
	return t.Flush()
}

// document writes the regrets as a table in Markdown.
func document(w io.Writer, all []outcome) {
	fmt.Fprintln(w, "| latency | MB/s | best fixed strategy | ms | pare, figures known | first query | second query |")
	fmt.Fprintln(w, "|--:|--:|---|--:|--:|--:|--:|")
	for _, o := range all {
		cell := func(i int) string {
			return fmt.Sprintf("%.1f (%+.0f %%)", o.results[i].took.Seconds()*1e3, o.regret(i))
		}
		best := o.bestFixed()
		fmt.Fprintf(w, "| %v | %.0f | %s | %.1f | %s | %s | %s |\n", o.latency, o.bandwidth/1e6, strategies[best].name,
			o.results[best].took.Seconds()*1e3, cell(0), cell(1), cell(2))
	}
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
