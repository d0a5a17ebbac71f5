package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/parequet/pare"
	"github.com/parequet/pare/ndv"
	"github.com/parequet/pare/report"
)

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

// table names the table as it was asked for.
func (o ndvOutput) table() string {
	shown := make([]string, len(o.args))
	for i, a := range o.args {
		shown[i] = redact(a)
	}
	return strings.Join(shown, " ")
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
			r.Table = o.table()
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
	counted := ""
	if o.exact {
		counted = " for the estimates; the exact counts read the columns, too"
	}
	_, err := fmt.Fprintf(w, "%s\n%s of %s bytes read in %s%s, took %.1f ms\n", tableText(head, rows, func(column int) bool { return right[column] }), report.Count(o.result.Bytes), report.Count(o.size),
		report.Plural(int64(o.result.Requests), "request"), counted, float64(o.took.Microseconds())/1000)
	return err
}
