package main

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// notes explain the figures; they are written by hand.
//
//go:embed notes.md
var notes string

// document is docs/BENCHMARKS.md.
type document struct {
	f        files
	runs     int
	readers  []reader
	goals    []string
	sections []string
	limits   string
	grows    string
}

// add takes a work's results.
func (d *document) add(w work, ms []measured) {
	d.sections = append(d.sections, section(w, ms))
	for _, g := range w.goals {
		if ratio, who := g.reached(ms); who != "" {
			d.goals = append(d.goals, fmt.Sprintf("| %s | ≥ %g × %s | %.2f (%s) | %s |", w.title, g.ratio, g.of, ratio, who, met(ratio >= g.ratio)))
		}
	}
	if share, ok := codecShare(ms); ok {
		d.goals = append(d.goals, fmt.Sprintf("| %s | ≥ 85 %% of the codec's speed | %.0f %% | %s |", w.title, share, met(share >= 85)))
	}
}

// physical measures the machine and the growth of time.
func (d *document) physical(limit, growth bool, s *server) (err error) {
	if limit {
		if d.limits, err = limits(d.f.orders(codecs[1].c, d.f.group, false, false)); err != nil {
			return err
		}
		fmt.Println(d.limits)
	}
	if growth {
		some := slices.DeleteFunc(slices.Clone(d.readers), func(r reader) bool {
			return r.why != "" || !slices.Contains([]string{"pare", "parquet-go", "DataFusion", "chdb", "DuckDB", "Polars"}, r.name)
		})
		if d.grows, err = d.growth(some, s); err != nil {
			return err
		}
		fmt.Println(d.grows)
	}
	return nil
}

// write writes the document beside its place and renames it.
func (d *document) write(path string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Benchmarks\n\nMade by `go run ./cmd/bench` in `bench/` on %s; see [CONTRIBUTING](../CONTRIBUTING.md).\n\n", time.Now().UTC().Format("2 January 2006"))
	fmt.Fprintf(&b, "%s\n", d.machine())
	before, after, _ := strings.Cut(notes, "<!-- goals -->\n")
	b.WriteString(before)
	fmt.Fprintf(&b, "| work | goal | reached | |\n|---|---|---|---|\n%s\n", strings.Join(d.goals, "\n"))
	b.WriteString(after)
	if d.limits != "" {
		fmt.Fprintf(&b, "\n## What the machine can do\n\n%s", d.limits)
	}
	if d.grows != "" {
		fmt.Fprintf(&b, "\n## How time grows\n\n%s", d.grows)
	}
	fmt.Fprintf(&b, "\n## Each work\n\n%s", strings.Join(d.sections, ""))
	tmp, err := os.CreateTemp(filepath.Dir(path), ".benchmarks-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	if _, err := tmp.WriteString(strings.TrimRight(b.String(), "\n") + "\n"); err != nil {
		return err
	}
	if err := tmp.Chmod(0o644); err != nil {
		return err
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}

// machine tells where and with what the figures were made.
func (d *document) machine() string {
	var b strings.Builder
	line := func(what, value string) { fmt.Fprintf(&b, "| %s | %s |\n", what, strings.TrimSpace(value)) }
	fmt.Fprint(&b, "| | |\n|---|---|\n")
	line("processor", fmt.Sprintf("%s, %d processors", procValue("/proc/cpuinfo", "model name"), runtime.NumCPU()))
	line("memory", procValue("/proc/meminfo", "MemTotal"))
	if out, err := exec.Command("uname", "-sr").Output(); err == nil {
		line("system", string(out))
	}
	versions := []string{runtime.Version()}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == "github.com/apache/arrow-go/v18" {
				versions = append(versions, "arrow-go "+m.Version)
			}
		}
	}
	if mod, err := os.ReadFile("go.mod"); err == nil {
		for l := range strings.Lines(string(mod)) {
			f := strings.Fields(strings.TrimPrefix(strings.TrimSpace(l), "require "))
			if len(f) >= 2 && (f[0] == "github.com/parquet-go/parquet-go" || f[0] == "github.com/duckdb/duckdb-go/v2") {
				versions = append(versions, filepath.Base(strings.TrimSuffix(f[0], "/v2"))+" "+f[1])
			}
		}
	}
	if pins, err := os.ReadFile("peers/requirements.txt"); err == nil {
		for _, l := range strings.Fields(string(pins)) {
			versions = append(versions, strings.ReplaceAll(l, "==", " "))
		}
	}
	line("versions", strings.Join(versions, ", "))
	line("data", fmt.Sprintf("%d million orders of six columns; pages of 64 KiB; `orders-paged`: %d orders, pages of 8 KiB, snappy; `nested`: %d rows of structs, lists and maps in %d row groups, pages of 64 KiB", d.f.rows/1e6, d.f.small, d.f.nested, nestedGroups))
	line("runs", fmt.Sprintf("%d of each in turns, after one to warm up; slower ones than %d ms three", d.runs, slow))
	return b.String()
}

// procValue is the value of the first line that starts with a key.
func procValue(path, key string) string {
	b, err := os.ReadFile(path)
	if err != nil {
		return "unknown"
	}
	for l := range strings.Lines(string(b)) {
		if k, v, ok := strings.Cut(l, ":"); ok && strings.TrimSpace(k) == key {
			return strings.Join(strings.Fields(v), " ")
		}
	}
	return "unknown"
}
