package main

import (
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/parequet/pare"
	"github.com/parequet/pare/plan"
	"github.com/parequet/pare/predicate"
)

// request is a query as the command line gives it.
type request struct {
	files  []string
	items  []predicate.Item // nil: every column
	where  predicate.Expr
	list   string // what items were parsed from
	text   string // what where was parsed from
	limit  int64  // -1: none
	tuning tuning
	table  tableFlags
	output output
}

// tuning holds the flags that change how a query is run, never its answer.
type tuning struct {
	prune       string
	strict      bool
	gap         string
	tail        string
	concurrency int
	threads     int
	batchRows   int
	memory      string
}

func (t *tuning) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&t.prune, "prune", "all", "rungs to climb: all, none, or a list of statistics,bloom,dictionary,page-index")
	f.BoolVar(&t.strict, "strict", false, "fail on malformed metadata instead of not using it")
	f.StringVar(&t.gap, "gap", "auto", "join requests if at most so many `BYTES` lie between them")
	f.StringVar(&t.tail, "tail", "auto", "`BYTES` of the file's end that the first request takes; 8 reads the footer exactly")
	f.IntVar(&t.concurrency, "concurrency", 0, "requests in flight (default: what the source is worth)")
	f.IntVar(&t.threads, "threads", 0, "parts decoded at a time (default: one per CPU)")
	f.StringVar(&t.memory, "memory", "256M", "about how many `BYTES` the parts under way may take together")
	f.IntVar(&t.batchRows, "batch-rows", 0, "rows of a batch (default 32768)")
}

// sizes reads a size with an optional K, M or G (powers of 1,024).
func parseSize(flag, s string) (int64, error) {
	num, unit := strings.ToUpper(strings.TrimSpace(s)), int64(1)
	num = strings.TrimSuffix(strings.TrimSuffix(num, "B"), "I")
	for suffix, u := range map[string]int64{"K": 1 << 10, "M": 1 << 20, "G": 1 << 30} {
		if strings.HasSuffix(num, suffix) {
			num, unit = strings.TrimSuffix(num, suffix), u
		}
	}
	n, err := strconv.ParseInt(num, 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64/unit {
		return 0, usagef("--%s takes auto or a number of bytes, not %q", flag, s)
	}
	return n * unit, nil
}

// options are the settings that a file is opened with.
func (t *tuning) options() (pare.Options, error) {
	o := pare.Options{Concurrency: t.concurrency}
	if t.gap != "auto" {
		n, err := parseSize("gap", t.gap)
		if err != nil {
			return o, err
		}
		if o.Gap = n; n == 0 {
			o.Gap = -1
		}
	}
	if t.tail != "auto" {
		n, err := parseSize("tail", t.tail)
		if err != nil {
			return o, err
		}
		o.Tail = max(n, 8)
	}
	return o, nil
}

var stageNames = map[string]plan.Stages{
	"statistics": plan.Statistics, "bloom": plan.Bloom, "dictionary": plan.Dictionary, "page-index": plan.PageIndex,
}

// skipped returns the rungs that are not climbed.
func (t *tuning) skipped() (plan.Stages, error) {
	switch t.prune {
	case "all":
		return 0, nil
	case "none":
		return plan.AllStages, nil
	}
	skip := plan.AllStages
	for _, name := range strings.Split(t.prune, ",") {
		s, ok := stageNames[strings.TrimSpace(name)]
		if !ok {
			return 0, usagef("--prune takes all, none or a list of statistics,bloom,dictionary,page-index, not %q", name)
		}
		skip &^= s
	}
	return skip, nil
}

// query builds the library's query.
func (r *request) query() (pare.Query, error) {
	skip, err := r.tuning.skipped()
	q := pare.Query{Where: r.where, Text: r.text, Skip: skip, Strict: r.tuning.strict,
		Threads: r.tuning.threads, BatchRows: r.tuning.batchRows}
	if err == nil {
		q.Memory, err = parseSize("memory", r.tuning.memory)
	}
	switch {
	case r.limit == 0:
		q.Limit = -1
	case r.limit > 0:
		q.Limit = r.limit
	}
	return q, err
}

// parseWhere parses a --where.
func (r *request) parseWhere(text string) (err error) {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	r.text = text
	r.where, err = predicate.Parse(text)
	return err
}

// parseSelectList parses a --select: names separated by commas.
func (r *request) parseSelectList(text string) error {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	const before = "SELECT "
	s, err := predicate.ParseSelect(before + text + " FROM f")
	if err != nil {
		return usagef("--select: %s", err.(*predicate.Error).Msg)
	}
	if s.Where != nil || s.Limit >= 0 {
		return usagef("--select takes a list of columns")
	}
	for i := range s.Items {
		s.Items[i].Pos -= len(before)
	}
	r.items, r.list = s.Items, text
	return nil
}

// parseSelect parses a whole SELECT.
func (r *request) parseSelect(text string) error {
	s, err := predicate.ParseSelect(text)
	if err != nil {
		return err
	}
	r.files, r.items, r.where, r.limit = []string{s.From}, s.Items, s.Where, s.Limit
	r.list, r.text = s.Text, s.Text
	return nil
}
