package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
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
	r.output.register(cmd)
	return cmd
}

// run scans the files one after the other and writes their rows as one table.
func (r *request) run(cmd *cobra.Command) error {
	ctx := cmd.Context()
	files, err := expand(r.files)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return usageError{errNoFile}
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
	if aggs != nil {
		receipt, err = r.aggregate(ctx, files, aggs, sink)
	} else {
		receipt, err = r.scanFiles(ctx, files, sink, bar)
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

// scanFiles writes the matching rows of the files, one after the other.
func (r *request) scanFiles(ctx context.Context, files []string, sink *sink, bar *meter) (receipt report.Receipt, err error) {
	var schema *arrow.Schema
	for i, name := range files {
		if r.limit >= 0 && i > 0 && receipt.Rows.Returned >= r.limit {
			break
		}
		one, err := r.scanFile(ctx, name, r.limit-receipt.Rows.Returned, &schema, sink, bar)
		receipt.Add(one)
		if err != nil {
			return receipt, err
		}
	}
	return receipt, nil
}

// scanFile writes the matching rows of one file, at most limit of them.
func (r *request) scanFile(ctx context.Context, name string, limit int64, schema **arrow.Schema, sink *sink, bar *meter) (report.Receipt, error) {
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
	if r.limit >= 0 {
		if q.Limit = limit; limit <= 0 {
			q.Limit = -1
		}
	}
	p, err := f.Plan(ctx, q)
	if err != nil {
		return none, err
	}
	out := rename(p.Schema())
	if len(p.LeftOut()) > 0 && *schema == nil {
		sink.notice("left out, as there is no column in it: " + oneLine(strings.Join(p.LeftOut(), ", ")))
	}
	if *schema == nil {
		*schema = out
		if err := sink.begin(out); err != nil {
			return none, err
		}
	} else if !(*schema).Equal(out) {
		return none, fmt.Errorf("%s: its columns differ from those of the files before it", name)
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
