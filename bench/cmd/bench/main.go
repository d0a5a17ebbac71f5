// Command bench compares pare with other readers of Parquet: the same work in
// turns, in one run, the answers compared. It writes docs/BENCHMARKS.md.
//
//	cd bench && GOWORK=off go run ./cmd/bench          # all, a quarter of an hour
//	cd bench && GOWORK=off go run ./cmd/bench -short   # two and a half minutes, prints only
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

func main() {
	log.SetFlags(0)
	short := flag.Bool("short", false, "smaller data, fewer runs; nothing is written unless -out says where")
	only := flag.String("only", "", "run the works whose ids match this regular expression")
	peers := flag.String("peers", "", "compare with these readers only, separated by commas; pare always runs")
	runs := flag.Int("runs", 0, "runs of each, 0 means 7, or 3 of -short")
	out := flag.String("out", "", "the document to write; by default ../docs/BENCHMARKS.md for a whole run")
	dir := flag.String("dir", "", "where data and programs are kept, by default in the user's cache")
	list := flag.Bool("list", false, "list the works")
	flag.Parse()
	f := files{dir: *dir, sizes: fullSizes}
	if f.dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			log.Fatal(err)
		}
		f.dir = filepath.Join(cache, "pare-bench")
	}
	if *short {
		f.sizes = shortSizes
	}
	if *runs == 0 {
		*runs = 7
		if *short {
			*runs = 3
		}
	}
	if *out == "" && !*short && *only == "" && *peers == "" {
		*out = "../docs/BENCHMARKS.md"
	}
	pattern, err := regexp.Compile(*only)
	if err != nil {
		log.Fatal(err)
	}
	srv, err := serve(20 * time.Millisecond)
	if err != nil {
		log.Fatal(err)
	}
	all := works(f, srv)
	if *list {
		for _, w := range all {
			fmt.Printf("%-28s %s\n", w.id, w.title)
		}
		return
	}
	readers, err := build(f.dir)
	if err != nil {
		log.Fatal(err)
	}
	if *peers != "" {
		readers = slices.DeleteFunc(readers, func(r reader) bool {
			return r.name != "pare" && !slices.Contains(strings.Split(*peers, ","), r.name)
		})
	}
	d := &document{f: f, runs: *runs, readers: readers}
	for _, w := range all {
		if !pattern.MatchString(w.id) || *short && *only == "" && w.extra() {
			continue
		}
		fmt.Fprintf(os.Stderr, "%s\n", w.id)
		ms, err := measure(w, readers, *runs, srv)
		if err != nil {
			log.Fatalf("%s: %v", w.id, err)
		}
		fmt.Print(section(w, ms))
		d.add(w, ms)
	}
	if err := d.physical(pattern.MatchString("limits"), pattern.MatchString("growth") && (!*short || *only != ""), srv); err != nil {
		log.Fatal(err)
	}
	if *out != "" {
		if err := d.write(*out); err != nil {
			log.Fatal(err)
		}
	}
}
