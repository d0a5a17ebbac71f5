// Command ndvbench measures estimates of distinct values and prints the tables
// of docs/NDV-ACCURACY.md.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"slices"

	"github.com/parequet/pare/oracle/ndvbench"
)

func main() {
	rows := flag.Int("rows", 200_000, "rows of a generated file")
	suites := flag.String("suite", "all", "tuning, held-out, real (of PARE_CORPUS) or all")
	worst := flag.Int("worst", 0, "list so many of the worst estimates of -method")
	method := flag.String("method", "pare T0", "whose worst estimates are listed")
	flag.Parse()
	b := ndvbench.NewBoard()
	for _, s := range []struct {
		name  string
		kinds []ndvbench.Kind
	}{{"tuning", ndvbench.Tuning}, {"held-out", ndvbench.HeldOut}} {
		if *suites != "all" && *suites != s.name {
			continue
		}
		if err := b.Run(context.Background(), s.name, s.kinds, *rows, os.Stderr); err != nil {
			fmt.Fprintln(os.Stderr, "ndvbench:", err)
			os.Exit(1)
		}
	}
	if root := os.Getenv("PARE_CORPUS"); root != "" && (*suites == "all" || *suites == "real") {
		if err := b.Real(context.Background(), root, 1000, os.Stderr); err != nil {
			fmt.Fprintln(os.Stderr, "ndvbench:", err)
			os.Exit(1)
		}
	}
	b.Write(os.Stdout)
	if *worst > 0 {
		slices.SortFunc(b.Worst, func(x, y ndvbench.Case) int { return cmp.Compare(y.Q, x.Q) })
		n := 0
		for _, c := range b.Worst {
			if c.Method == *method {
				fmt.Printf("%s q %.2f: %d, estimate %.0f: %s: %s\n", c.Method, c.Q, c.Truth, c.Estimate, c.Column, c.Route)
				if n++; n == *worst {
					break
				}
			}
		}
	}
	for _, m := range b.Misses {
		fmt.Println("MISS", m)
	}
	if len(b.Misses) > 0 {
		os.Exit(1)
	}
}
