package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/parequet/pare"
	"github.com/parequet/pare/report"
)

func newExplain() *cobra.Command {
	var r request
	var columns, where, format string
	var analyze bool
	cmd := &cobra.Command{
		Use:   "explain FILE... | SELECT",
		Short: "Show what would be read and why, before any data page is read",
		Example: `  pare explain orders.parquet --select order_id,amount --where "order_date >= DATE '2024-03-01'"
  pare explain "SELECT order_id FROM 'orders.parquet' WHERE status = 'returned'" --analyze
  pare explain orders.parquet --where "amount > 100" --format json`,
		Args: argsNeeded(1, -1, "a FILE or a SELECT"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return usagef("--format takes text or json, not %q", format)
			}
			r.files = args
			if isSelect(args) {
				if columns != "" || where != "" {
					return usagef("--select and --where go with FILE, not with a SELECT")
				}
				if err := r.parseSelect(args[0]); err != nil {
					return err
				}
			} else {
				if err := r.parseSelectList(columns); err != nil {
					return err
				}
				if err := r.parseWhere(where); err != nil {
					return err
				}
			}
			return r.explain(cmd, format == "json", analyze)
		},
	}
	f := cmd.Flags()
	f.StringVar(&columns, "select", "", "columns to return, separated by commas (default: all)")
	f.StringVar(&where, "where", "", "rows to keep, as in SQL")
	f.Int64Var(&r.limit, "limit", -1, "stop after so many rows")
	f.StringVar(&format, "format", "text", "text or json, the receipt's JSON")
	f.BoolVar(&analyze, "analyze", false, "also run it, and compare")
	r.tuning.register(cmd)
	r.table.register(cmd)
	return cmd
}

// isSelect tells a SELECT from a file name.
func isSelect(args []string) bool {
	return len(args) == 1 && len(args[0]) > 7 && strings.EqualFold(args[0][:6], "SELECT") && strings.ContainsRune(" \t\n*", rune(args[0][6]))
}

func (r *request) explain(cmd *cobra.Command, asJSON, analyze bool) error {
	aggs, err := r.aggregates()
	if err != nil {
		return err
	}
	var plans, runs []report.Receipt
	explain := func(x explained, err error) error {
		if err != nil {
			return err
		}
		if len(plans) >= detailedFiles {
			x.planned.Steps, x.actual.Steps = nil, nil // the sum has no room for them
		}
		plans, runs = append(plans, x.planned), append(runs, x.actual)
		if asJSON || len(plans) > explainedFiles {
			return nil
		}
		w := cmd.OutOrStdout()
		if err := report.Explain(w, x.heading, x.planned); err != nil {
			return err
		}
		if analyze {
			return report.Compare(w, x.planned, x.actual)
		}
		return nil
	}
	sum := sumOfFiles
	if r.table.isTable(r.files) {
		s, err := r.explainTable(cmd.Context(), aggs, func(f *pare.File, p *pare.Plan, run func() (report.Receipt, error)) error {
			x := explained{heading: headingOf(f, p, f.Name(), aggs), planned: p.Receipt()}
			x.planned.OfFile(f.Name())
			var err error
			if analyze {
				x.actual, err = run()
			}
			return explain(x, err)
		})
		if err != nil {
			return err
		}
		sum = s.Sum
		if !asJSON {
			if n := len(plans) - explainedFiles; n > 0 {
				fmt.Fprintf(cmd.OutOrStdout(), "\n… and %s\n", report.Plural(int64(n), "more file"))
			}
			fmt.Fprintln(cmd.OutOrStdout())
			if err := report.Table(cmd.OutOrStdout(), s.Sum(plans)); err != nil {
				return err
			}
			if analyze {
				if err := report.Compare(cmd.OutOrStdout(), s.Sum(plans), s.Sum(runs)); err != nil {
					return err
				}
			}
		}
		if n := s.Pruned(); !asJSON && n > 0 {
			fmt.Fprintf(cmd.OutOrStdout(), "\n%s ruled out by %s\n", werePlural(n), theirPaths(n))
		}
		if n := s.FootersUsed(); !asJSON && n > 0 {
			fmt.Fprintf(cmd.OutOrStdout(), "\n%s planned by _metadata, whose reading took %s bytes\n", werePlural(n), report.Count(s.Sum(nil).Bytes.Total))
		}
	} else {
		files, err := expand(r.files)
		if err != nil {
			return err
		}
		for _, name := range files {
			if err := explain(r.explainFile(cmd.Context(), name, aggs, analyze)); err != nil {
				return err
			}
		}
	}
	if !asJSON {
		return nil
	}
	planned := sum(plans)
	if !analyze {
		return planned.WriteJSON(cmd.OutOrStdout())
	}
	return writeAnalyzed(cmd.OutOrStdout(), planned, sum(runs))
}

// detailedFiles is how many files of a table have their steps in its receipt.
const detailedFiles = 256

// explainedFiles is how many files of a table are explained one by one; all of them
// are summed up.
const explainedFiles = 10

// sumOfFiles adds up receipts of files that are read one after the other.
func sumOfFiles(files []report.Receipt) (r report.Receipt) {
	for _, one := range files {
		r.Add(one)
	}
	return r
}

func theirPaths(files int) string {
	if files == 1 {
		return "its path"
	}
	return "their paths"
}

func werePlural(files int) string {
	if files == 1 {
		return "1 file was"
	}
	return report.Count(int64(files)) + " files were"
}

// writeAnalyzed writes the actual receipt with the planned one inside it.
func writeAnalyzed(w io.Writer, planned, actual report.Receipt) error {
	var text strings.Builder
	if err := planned.WriteJSON(&text); err != nil {
		return err
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	actual.Version = report.Version
	return e.Encode(struct {
		report.Receipt
		Planned json.RawMessage `json:"planned"`
	}{actual, json.RawMessage(text.String())})
}

type explained struct {
	heading         report.Heading
	planned, actual report.Receipt
}

func (r *request) explainFile(ctx context.Context, name string, aggs []pare.Aggregate, analyze bool) (x explained, err error) {
	opt, err := r.tuning.options()
	if err != nil {
		return x, err
	}
	f, err := open(ctx, name, opt)
	if err != nil {
		return x, err
	}
	defer f.Close()
	if len(aggs) > 0 {
		return r.explainAggregates(ctx, f, redact(name), aggs, analyze)
	}
	q, _, err := r.queryFor(f)
	if err != nil {
		return x, err
	}
	p, err := f.Plan(ctx, q)
	if err != nil {
		return x, err
	}
	return explainPlan(ctx, f, p, redact(name), analyze)
}

func explainPlan(ctx context.Context, f *pare.File, p *pare.Plan, name string, analyze bool) (x explained, err error) {
	x.heading = headingOf(f, p, name, nil)
	x.planned = p.Receipt()
	if !analyze {
		return x, nil
	}
	s := p.Scan(ctx)
	for batch, err := range s.Batches() {
		if err != nil {
			return x, err
		}
		batch.Release()
	}
	x.actual = s.Receipt()
	return x, nil
}

func (r *request) explainAggregates(ctx context.Context, f *pare.File, name string, aggs []pare.Aggregate, analyze bool) (x explained, err error) {
	if err := r.checkAggregates(f.Metadata().Schema); err != nil {
		return x, err
	}
	a, err := pare.NewAggregator(aggs...)
	if err != nil {
		return x, err
	}
	q, err := r.query()
	if err != nil {
		return x, err
	}
	p, err := a.Plan(ctx, f, q)
	if err != nil {
		return x, err
	}
	x.heading = headingOf(f, p, name, aggs)
	x.planned = p.Receipt()
	if analyze {
		x.actual, err = a.Run(ctx, p)
	}
	return x, err
}

func headingOf(f *pare.File, p *pare.Plan, name string, aggs []pare.Aggregate) report.Heading {
	h := report.Heading{File: name, Writer: f.Metadata().CreatedBy, Where: p.Asked(), Tested: p.Where().String(), LeftOut: p.LeftOut()}
	for _, g := range aggs {
		h.Select = append(h.Select, g.String())
	}
	if len(aggs) > 0 {
		return h
	}
	for _, field := range p.Schema().Fields() {
		h.Select = append(h.Select, field.Name)
	}
	return h
}
