package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/parequet/pare"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/ndv"
)

// ndvFlags are the flags of pare ndv.
type ndvFlags struct {
	columns, tier, method, format string
	batchRows                     int64
	exact                         bool
}

// ndvTiers are the values of --tier, apart from auto.
var ndvTiers = map[string]ndv.Tier{"footer": ndv.T0, "index": ndv.T1, "headers": ndv.T2, "dictionaries": ndv.T3, "bloom": ndv.T4}

func newNDV() *cobra.Command {
	var fl ndvFlags
	cmd := &cobra.Command{
		Use:   "ndv FILE...",
		Short: "Estimate distinct values from metadata",
		Long: `ndv estimates how many distinct values each column holds, without scanning it:
an interval that holds the truth, an estimate, and how it was found. The files
of a table (those of directories and patterns, too), all Parquet or all ORC, are
combined. Of columns in lists and maps,
values are counted in place of rows.

--tier says what may be read: the footer alone; the page index; the headers of
dictionary pages (64 bytes a chunk); dictionaries (up to 64 KiB a chunk and 1 MiB
a column); Bloom filters. auto reads dictionaries where the footer leaves a wide
interval. Each tier includes those before it.`,
		Example: `  pare ndv orders.parquet
  pare ndv 's3://bucket/lake/' --columns customer_id,status --tier footer
  pare ndv orders.parquet --batch-rows 65536 --format json`,
		Args: argsNeeded(1, -1, "a FILE"),
		RunE: func(cmd *cobra.Command, args []string) error { return fl.run(cmd, args) },
	}
	f := cmd.Flags()
	f.StringVar(&fl.columns, "columns", "", "columns, separated by commas (default: all)")
	f.StringVar(&fl.tier, "tier", "auto", "footer, index, headers, dictionaries, bloom or auto")
	f.StringVar(&fl.method, "method", "pare", "pare, or paper: the method of arXiv:2603.24606")
	f.StringVar(&fl.format, "format", "", "table, json or csv (default: table on a terminal, else csv)")
	f.Int64Var(&fl.batchRows, "batch-rows", 0, "predict dictionaries of batches of so many rows")
	f.BoolVar(&fl.exact, "exact", false, "read the columns, too, and count")
	return cmd
}

func (fl *ndvFlags) options() (opt pare.NDVOptions, err error) {
	tier, ok := ndvTiers[fl.tier]
	opt = pare.NDVOptions{Tier: tier, Auto: fl.tier == "auto", Paper: fl.method == "paper", BatchRows: fl.batchRows, Exact: fl.exact}
	switch {
	case !ok && !opt.Auto:
		return opt, usagef("--tier takes footer, index, headers, dictionaries, bloom or auto, not %q", fl.tier)
	case fl.method != "pare" && !opt.Paper:
		return opt, usagef("--method takes pare or paper, not %q", fl.method)
	case fl.batchRows < 0:
		return opt, usagef("--batch-rows takes a number of rows, not %d", fl.batchRows)
	}
	if fl.columns != "" {
		for _, name := range strings.Split(fl.columns, ",") {
			if name = strings.TrimSpace(name); name != "" {
				opt.Columns = append(opt.Columns, name)
			}
		}
	}
	return opt, nil
}

func (fl *ndvFlags) run(cmd *cobra.Command, args []string) error {
	started := time.Now()
	opt, err := fl.options()
	if err != nil {
		return err
	}
	format := fl.format
	if format == "" {
		format = "csv"
		if isTerminal(cmd.OutOrStdout()) {
			format = "table"
		}
	}
	write, ok := map[string]func(io.Writer, ndvOutput) error{"table": writeNDVTable, "json": writeNDVJSON, "csv": writeNDVCSV}[format]
	if !ok {
		return usagef("--format takes table, json or csv, not %q", fl.format)
	}
	list, err := listFiles(cmd.Context(), args)
	if err != nil {
		return err
	}
	sparingly(list)
	names := make([]string, len(list))
	for i, m := range list {
		names[i] = m.Name
	}
	r, size, err := estimateFiles(cmd.Context(), list, opt)
	if err != nil {
		return err
	}
	for _, d := range r.Doubts {
		fmt.Fprintln(cmd.ErrOrStderr(), "pare: not used:", oneLine(d))
	}
	return write(cmd.OutOrStdout(), ndvOutput{args: args, names: names, exact: opt.Exact, size: size, result: r, took: time.Since(started)})
}

// estimateFiles opens the files of a table, all Parquet or all ORC, and
// estimates.
func estimateFiles(ctx context.Context, list []pare.Member, opt pare.NDVOptions) (r *pare.NDVResult, size int64, err error) {
	files, orcs, done := make([]*pare.File, len(list)), make([]*pare.ORCFile, len(list)), make([]func(), len(list))
	defer func() {
		for _, f := range done {
			if f != nil {
				f()
			}
		}
	}()
	group, opened := errgroup.WithContext(ctx)
	group.SetLimit(opening)
	for i, m := range list {
		group.Go(func() (err error) {
			if isORC(m.Name) {
				orcs[i], done[i], err = openWith(opened, m, pare.OpenORC)
			} else {
				files[i], done[i], err = openWith(opened, m, pare.Open)
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, 0, err
	}
	files = slices.DeleteFunc(files, func(f *pare.File) bool { return f == nil })
	orcs = slices.DeleteFunc(orcs, func(f *pare.ORCFile) bool { return f == nil })
	for _, f := range files {
		size += f.Size()
	}
	for _, f := range orcs {
		size += f.Metadata().Size
	}
	switch {
	case len(orcs) == 0:
		if len(files) > 0 {
			opt.Columns = leafNames(files[0].Metadata().Schema, opt.Columns)
		}
		r, err = pare.NDV(ctx, files, opt)
	case len(files) == 0:
		r, err = pare.NDVOfORC(ctx, orcs, opt)
	default:
		err = usagef("ndv takes Parquet or ORC files, not both at once")
	}
	return r, size, err
}

// leafNames puts the columns in a struct, a list or a map in its place. Names
// that are wrong stay.
func leafNames(schema *metadata.Schema, names []string) (out []string) {
	for _, name := range names {
		n, _ := schema.LookupNode(name)
		if col, _ := schema.Lookup(name); col != nil || n == nil {
			out = append(out, name)
			continue
		}
		n.Leaves(func(c *metadata.Column) { out = append(out, c.Name) })
	}
	return out
}
