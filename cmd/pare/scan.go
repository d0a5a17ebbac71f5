package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/parequet/pare/report"
)

func newScan() *cobra.Command {
	var r request
	var columns, where string
	cmd := &cobra.Command{
		Use:   "scan FILE...",
		Short: "Read the rows that match, by flags",
		Example: `  pare scan orders.parquet --select order_id,amount --where "order_date >= DATE '2024-03-01'" --limit 10
  pare scan 'day=*.parquet' --where "status = 'returned'" -o returned.csv --report text`,
		Args: argsNeeded(1, -1, "a FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			r.files = args
			if err := r.parseSelectList(columns); err != nil {
				return err
			}
			if err := r.parseWhere(where); err != nil {
				return err
			}
			return r.run(cmd)
		},
	}
	cmd.Flags().StringVar(&columns, "select", "", "columns to return, separated by commas; also count(*) (default: all)")
	cmd.Flags().StringVar(&where, "where", "", "rows to keep, as in SQL")
	cmd.Flags().Int64Var(&r.limit, "limit", -1, "stop after so many rows")
	r.tuning.register(cmd)
	r.table.register(cmd)
	r.output.register(cmd)
	return cmd
}

func newQuery() *cobra.Command {
	var r request
	cmd := &cobra.Command{
		Use:   "query SELECT",
		Short: "Read the rows that match, by a SELECT",
		Example: `  pare query "SELECT order_id, amount FROM 'orders.parquet' WHERE order_date >= DATE '2024-03-01' LIMIT 10"
  pare query "SELECT count(*) FROM 'https://example.com/orders.parquet' WHERE status = 'returned'" --report json
  pare query "SELECT id, address.city, items FROM 'customers.parquet' WHERE address.country = 'NL'" --format ndjson`,
		Args: argsNeeded(1, 1, "a SELECT"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := r.parseSelect(args[0]); err != nil {
				return err
			}
			return r.run(cmd)
		},
	}
	r.tuning.register(cmd)
	r.table.register(cmd)
	r.output.register(cmd)
	return cmd
}

// run scans a file, or the files of a table, and writes the rows as one table.
func (r *request) run(cmd *cobra.Command) error {
	ctx := cmd.Context()
	if len(r.files) == 0 {
		return usageError{errNoFile}
	}
	many := r.table.isTable(r.files)
	if !many {
		var err error
		if r.files, err = expand(r.files); err != nil { // it refuses what is no file
			return err
		}
	}
	aggs, err := r.aggregates()
	if err != nil {
		return err
	}
	sink, err := r.output.open(cmd)
	if err != nil {
		return err
	}
	defer sink.abandon()
	bar := startMeter(cmd, r.output.progress)
	defer bar.stop()
	var receipt report.Receipt
	switch {
	case many && aggs != nil:
		receipt, err = r.aggregateTable(ctx, aggs, sink)
	case many:
		receipt, err = r.scanTable(ctx, sink, bar)
	case aggs != nil:
		receipt, err = r.aggregate(ctx, r.files[0], aggs, sink)
	default:
		receipt, err = r.scanFile(ctx, r.files[0], sink, bar)
	}
	if err != nil {
		return err
	}
	bar.stop()
	if err := sink.close(); err != nil {
		return err
	}
	return r.output.writeReport(cmd, receipt)
}

// scanFile writes the matching rows of one file.
func (r *request) scanFile(ctx context.Context, name string, sink *sink, bar *meter) (report.Receipt, error) {
	var none report.Receipt
	opt, err := r.tuning.options()
	if err != nil {
		return none, err
	}
	f, err := open(ctx, name, opt)
	if err != nil {
		return none, err
	}
	defer f.Close()
	q, rename, err := r.queryFor(f)
	if err != nil {
		return none, err
	}
	p, err := f.Plan(ctx, q)
	if err != nil {
		return none, err
	}
	if len(p.LeftOut()) > 0 {
		sink.notice("left out, as there is no column in it: " + oneLine(strings.Join(p.LeftOut(), ", ")))
	}
	if err := sink.begin(rename(p.Schema())); err != nil {
		return none, err
	}
	s := p.Scan(ctx)
	planned := p.Receipt().Bytes.Total
	bar.watch(func() float64 { return float64(s.Receipt().Bytes.Total) / float64(max(planned, 1)) })
	for batch, err := range s.Batches() {
		if err != nil {
			return s.Receipt(), err
		}
		bar.add(batch.NumRows())
		err = sink.write(batch)
		batch.Release()
		if err != nil {
			return s.Receipt(), err
		}
	}
	return s.Receipt(), nil
}
