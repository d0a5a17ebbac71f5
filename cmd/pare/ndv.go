package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"charm.land/lipgloss/v2"
	"charm.land/lipgloss/v2/table"
	"github.com/spf13/cobra"

	"github.com/parequet/pare"
	"github.com/parequet/pare/ndv"
	"github.com/parequet/pare/report"
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
of a table, all Parquet or all ORC, are combined.

--tier says what may be read: the footer alone; the page index; the headers of
dictionary pages (64 bytes a chunk); dictionaries (up to 64 KiB a chunk and 1 MiB
a column); Bloom filters. auto reads dictionaries where the footer leaves a wide
interval. Each tier includes those before it.`,
		Example: `  pare ndv orders.parquet
  pare ndv 'lake/*.parquet' --columns customer_id,status --tier footer
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
	names, err := expandTables(args)
	if err != nil {
		return err
	}
	r, size, err := estimateFiles(cmd.Context(), names, opt)
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
func estimateFiles(ctx context.Context, names []string, opt pare.NDVOptions) (r *pare.NDVResult, size int64, err error) {
	var files []*pare.File
	var orcs []*pare.ORCFile
	defer func() {
		for _, f := range files {
			f.Close()
		}
		for _, f := range orcs {
			f.Close()
		}
	}()
	for _, name := range names {
		if isORC(name) {
			f, err := openORC(ctx, name)
			if err != nil {
				return nil, 0, err
			}
			orcs, size = append(orcs, f), size+f.Metadata().Size
			continue
		}
		f, err := open(ctx, name, pare.Options{})
		if err != nil {
			return nil, 0, err
		}
		files, size = append(files, f), size+f.Size()
	}
	switch {
	case len(orcs) == 0:
		r, err = pare.NDV(ctx, files, opt)
	case len(files) == 0:
		r, err = pare.NDVOfORC(ctx, orcs, opt)
	default:
		err = usagef("ndv takes Parquet or ORC files, not both at once")
	}
	return r, size, err
}

// expandTables is expand, for which a directory stands for the Parquet files
// below it.
func expandTables(args []string) (out []string, err error) {
	for _, a := range args {
		if st, err := os.Stat(a); err != nil || !st.IsDir() {
			names, err := expand([]string{a})
			if err != nil {
				return nil, err
			}
			out = append(out, names...)
			continue
		}
		before := len(out)
		err := filepath.WalkDir(a, func(path string, d os.DirEntry, err error) error {
			base := filepath.Base(path)
			if err == nil && d.IsDir() && path != a && (strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")) {
				return filepath.SkipDir
			}
			if err == nil && !d.IsDir() && (strings.HasSuffix(base, ".parquet") || isORC(base)) && !strings.HasPrefix(base, ".") && !strings.HasPrefix(base, "_") {
				out = append(out, path)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		if len(out) == before {
			return nil, fmt.Errorf("%s: no file in this directory ends in .parquet or .orc", a)
		}
	}
	return out, nil
}

// ndvOutput is what is printed.
type ndvOutput struct {
	args   []string
	names  []string // of the files
	exact  bool     // the columns were counted, too
	size   int64
	result *pare.NDVResult
	took   time.Duration
}

// ndvRow is a column's answer in JSON.
type ndvRow struct {
	File        string    `json:"file,omitempty"`
	Table       string    `json:"table,omitempty"`
	Column      string    `json:"column"`
	Rows        int64     `json:"rows"`
	Nulls       *int64    `json:"nulls"`
	Lower       int64     `json:"lower"`
	Estimate    int64     `json:"estimate"`
	Upper       int64     `json:"upper"`
	Tier        string    `json:"tier"`
	Route       string    `json:"route"`
	Assumptions []string  `json:"assumptions"`
	Proven      bool      `json:"proven"` // nothing is trusted but the format's own statements
	Bytes       int64     `json:"bytes"`
	Requests    int       `json:"requests"`
	Exact       *int64    `json:"exact,omitempty"`
	Batch       *ndvBatch `json:"batch,omitempty"`
}

type ndvBatch struct {
	Rows            int64 `json:"rows"`
	Distinct        int64 `json:"distinct"`
	DictionaryBytes int64 `json:"dictionary_bytes"`
	IndexBytes      int64 `json:"index_bytes"`
}

// rows are the answers; bytes and requests are those of the whole command.
func (o ndvOutput) rows() []ndvRow {
	out := []ndvRow{}
	for _, a := range o.result.Answers {
		r := ndvRow{Column: a.Column, Rows: a.Rows, Lower: a.Lo, Estimate: a.Estimate, Upper: a.Hi, Tier: ndvTierName(a.Tier), Route: a.Route,
			Assumptions: []string{}, Proven: (a.LoOn | a.HiOn).Proven(), Bytes: o.result.Bytes, Requests: o.result.Requests, Exact: a.Exact}
		if len(o.names) == 1 {
			r.File = o.names[0]
		} else {
			r.Table = strings.Join(o.args, " ")
		}
		if a.Nulls >= 0 {
			r.Nulls = &a.Nulls
		}
		if on := (a.LoOn | a.HiOn).String(); on != "" {
			r.Assumptions = strings.Split(on, ", ")
		}
		if b := a.Batch; b != nil {
			r.Batch = &ndvBatch{b.Rows, int64(math.Round(b.Distinct)), int64(math.Round(b.DictionaryBytes)), int64(math.Round(b.IndexBytes))}
		}
		out = append(out, r)
	}
	return out
}

func ndvTierName(t ndv.Tier) string {
	for name, x := range ndvTiers {
		if x == t {
			return name
		}
	}
	return t.String()
}

func writeNDVJSON(w io.Writer, o ndvOutput) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(o.rows())
}

func writeNDVCSV(w io.Writer, o ndvOutput) error {
	c := csv.NewWriter(w)
	head := []string{"column", "rows", "nulls", "lower", "estimate", "upper", "tier", "route"}
	for i, r := range o.rows() {
		row := []string{r.Column, fmt.Sprint(r.Rows), number(r.Nulls), fmt.Sprint(r.Lower), fmt.Sprint(r.Estimate), fmt.Sprint(r.Upper), r.Tier, r.Route}
		if r.Batch != nil {
			row = append(row, fmt.Sprint(r.Batch.Distinct), fmt.Sprint(r.Batch.DictionaryBytes), fmt.Sprint(r.Batch.IndexBytes))
		}
		if o.exact {
			row = append(row, number(r.Exact))
		}
		if i == 0 {
			if r.Batch != nil {
				head = append(head, "batch distinct", "batch dictionary bytes", "batch index bytes")
			}
			if o.exact {
				head = append(head, "exact")
			}
			c.Write(head)
		}
		c.Write(row)
	}
	c.Flush()
	return c.Error()
}

func number(n *int64) string {
	if n == nil {
		return ""
	}
	return strconv.FormatInt(*n, 10)
}

// barWidth is that of the bar for an interval, from 1 to the number of rows on
// a logarithmic scale.
const barWidth = 24

func ndvBar(r ndvRow) string {
	at := func(n int64) int {
		if n <= 1 || r.Rows <= 1 {
			return 0
		}
		return min(barWidth-1, int(math.Log(float64(n))/math.Log(float64(r.Rows))*(barWidth-1)+0.5))
	}
	bar := []rune(strings.Repeat("·", barWidth))
	for i := at(r.Lower); i <= at(r.Upper); i++ {
		bar[i] = '─'
	}
	if r.Route != ndv.NoEvidence {
		bar[at(r.Estimate)] = '●'
	}
	return string(bar)
}

func writeNDVTable(w io.Writer, o ndvOutput) error {
	head := []string{"column", "estimate", "interval", "1 … rows", "tier", "route"}
	right := map[int]bool{1: true, 2: true}
	var rows [][]string
	for i, r := range o.rows() {
		interval := report.Count(r.Lower)
		if r.Upper != r.Lower {
			interval += " … " + report.Count(r.Upper)
		}
		estimate := report.Count(r.Estimate)
		if r.Route == ndv.NoEvidence {
			estimate = "?"
		}
		row := []string{oneLine(r.Column), estimate, interval, ndvBar(r), r.Tier, r.Route}
		if b := r.Batch; b != nil {
			if i == 0 {
				head = append(head, fmt.Sprintf("in %s rows", report.Count(b.Rows)), "dictionary", "indices")
			}
			for k := len(row); k < len(row)+3; k++ {
				right[k] = true
			}
			row = append(row, report.Count(b.Distinct), report.Count(b.DictionaryBytes), report.Count(b.IndexBytes))
		}
		if o.exact {
			if i == 0 {
				head = append(head, "exact")
			}
			right[len(row)] = true
			row = append(row, number(r.Exact))
		}
		rows = append(rows, row)
	}
	t := table.New().Headers(head...).Rows(rows...).Border(lipgloss.NormalBorder()).BorderRow(false).
		StyleFunc(func(row, col int) lipgloss.Style {
			s := lipgloss.NewStyle().Padding(0, 1)
			if right[col] && row != table.HeaderRow {
				s = s.Align(lipgloss.Right)
			}
			return s
		})
	_, err := fmt.Fprintf(w, "%s\n%s of %s bytes read in %s, took %.1f ms\n", t.String(), report.Count(o.result.Bytes), report.Count(o.size),
		report.Plural(int64(o.result.Requests), "request"), float64(o.took.Microseconds())/1000)
	return err
}
