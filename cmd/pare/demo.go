package main

import (
	"context"
	"embed"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/parequet/pare"
	"github.com/parequet/pare/plan"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/report"
)

// orders holds a year of 20,000 orders in four layouts; module oracle writes
// the files.
//
//go:embed orders/*.parquet
var orders embed.FS

// The question of the story: a fortnight.
const (
	demoSelect = "order_id, customer_id, amount"
	demoWhere  = "order_date >= DATE '2024-03-01' AND order_date < DATE '2024-03-15'"
)

var demoColumns = []string{"order_id", "customer_id", "amount"}

func newDemo() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Write the orders files and run the whole story on them",
		Example: `  pare demo
  pare demo --dir /tmp/orders`,
		Args: argsNeeded(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error { return demo(cmd.Context(), cmd.OutOrStdout(), dir) },
	}
	cmd.Flags().StringVar(&dir, "dir", "pare-demo", "where to write the files")
	return cmd
}

// layout is one of the files and one way to read it.
type layout struct {
	file string
	how  string
	skip plan.Stages
	opt  pare.Options
}

// exact reads no byte that is not wanted.
var exact = pare.Options{Tail: 8, Gap: -1}

var layouts = []layout{
	{"orders-shuffled.parquet", "by row group", plan.PageIndex, pare.Options{}},
	{"orders-sorted.parquet", "by row group", plan.PageIndex, pare.Options{}},
	{"orders-paged.parquet", "by row group", plan.PageIndex, pare.Options{}},
	{"orders-paged.parquet", "by page", 0, pare.Options{}},
	{"orders-paged.parquet", "by page, exactly", 0, exact},
	{"orders-paged-default.parquet", "by page", 0, pare.Options{}},
	{"orders-paged-default.parquet", "by page, exactly", 0, exact},
}

func demo(ctx context.Context, w io.Writer, dir string) error {
	if err := writeOrders(dir); err != nil {
		return err
	}
	fmt.Fprintf(w, "A year of 20,000 orders, in four layouts, now in %s.\n\n  SELECT %s\n  WHERE %s\n\n", dir, demoSelect, demoWhere)
	fmt.Fprintf(w, "%-30s %-17s %8s %8s %8s %9s %9s\n", "file", "read", "groups", "decoded", "returned", "bytes", "requests")
	where, err := predicate.Parse(demoWhere)
	if err != nil {
		return err
	}
	q := pare.Query{Select: demoColumns, Where: where, Text: demoWhere}
	for _, l := range layouts {
		q.Skip = l.skip
		r, err := demoScan(ctx, filepath.Join(dir, l.file), l.opt, q)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%-30s %-17s %8s %8s %8s %9s %9d\n", l.file, l.how, fmt.Sprintf("%d/%d", r.RowGroups.Read, r.RowGroups.Total),
			report.Count(r.Rows.Decoded), report.Count(r.Rows.Returned), report.Count(r.Bytes.Total), r.Requests.Total)
	}
	fmt.Fprint(w, "\nThe same rows each time. Order lets row groups be skipped, a page index lets pages be\n"+
		"skipped, and a dictionary that nobody needed costs more than all the pages read.\n\nWhy, page by page:\n\n")
	if err := demoExplain(ctx, w, filepath.Join(dir, "orders-paged.parquet"), where); err != nil {
		return err
	}
	paged := filepath.Join(dir, "orders-paged.parquet")
	fmt.Fprintf(w, "\nTry:\n  pare explain %s --where \"amount > 10 AND amount < 5\"\n  pare query \"SELECT count(*) FROM '%s' WHERE status = 'returned'\" --report text\n", paged, paged)
	return nil
}

func demoScan(ctx context.Context, path string, opt pare.Options, q pare.Query) (r report.Receipt, err error) {
	f, err := pare.OpenFile(ctx, path, opt)
	if err != nil {
		return r, err
	}
	defer f.Close()
	s, err := f.Scan(ctx, q)
	if err != nil {
		return r, err
	}
	for batch, err := range s.Batches() {
		if err != nil {
			return r, err
		}
		batch.Release()
	}
	return s.Receipt(), nil
}

func demoExplain(ctx context.Context, w io.Writer, path string, where predicate.Expr) error {
	f, err := pare.OpenFile(ctx, path, pare.Options{})
	if err != nil {
		return err
	}
	defer f.Close()
	p, err := f.Plan(ctx, pare.Query{Select: demoColumns, Where: where})
	if err != nil {
		return err
	}
	return report.Explain(w, headingOf(f, p, path, nil), p.Receipt())
}

// writeOrders writes the embedded files.
func writeOrders(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	names, err := orders.ReadDir("orders")
	if err != nil {
		return err
	}
	for _, n := range names {
		b, err := orders.ReadFile("orders/" + n.Name())
		if err != nil {
			return err
		}
		err = writeFile(filepath.Join(dir, n.Name()), func(w io.Writer) error {
			_, err := w.Write(b)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
