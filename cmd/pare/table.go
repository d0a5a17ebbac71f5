package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/spf13/cobra"

	"github.com/parequet/pare"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/report"
	"github.com/parequet/pare/source"
)

// tableFlags say what FILE arguments stand for where they are not one plain file: the
// files of folders and patterns, and columns that come from their paths.
type tableFlags struct {
	hive  bool
	file  string // name of a column of file names
	cache string // folder of the cache

	footers bool // by the folder's _metadata
}

func (t *tableFlags) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&t.hive, "hive", true, "take columns from folders named key=value below a directory or pattern")
	f.StringVar(&t.file, "file-column", "", "add a column of this `NAME` with the file that each row is from")
	f.StringVar(&t.cache, "cache", "", "keep footers and page indexes in this `DIR` for the next time")
	f.BoolVar(&t.footers, "use-metadata", false, "plan by the directory's file _metadata instead of each file's footer; rows can be lost if it is older than they are")
}

// single returns the one file that is named, if the arguments name just that.
func single(args []string) (string, bool) {
	if len(args) != 1 {
		return "", false
	}
	a := args[0]
	if st, err := os.Stat(a); err == nil {
		return a, !st.IsDir()
	}
	if scheme(a) != "" {
		return a, !isFolder(a)
	}
	return a, !strings.ContainsAny(a, "*?[")
}

// isTable reports whether the arguments have to be listed.
func (t *tableFlags) isTable(args []string) bool {
	_, one := single(args)
	return !one || t.file != "" || t.cache != "" || t.footers
}

// members lists the files that the arguments stand for.
func members(ctx context.Context, args []string) (out []pare.Member, err error) {
	for _, a := range args {
		list := localMembers
		if scheme(a) != "" || a == "-" {
			list = remoteMembers
		}
		some, err := list(ctx, a)
		if err != nil {
			return nil, err
		}
		out = append(out, some...)
	}
	return out, nil
}

// localMembers lists a file, a folder or a pattern. Partitions are looked for below
// the folder, or what of the pattern has no wildcard.
func localMembers(ctx context.Context, arg string) ([]pare.Member, error) {
	store, root, name, err := localFolder(arg)
	if err != nil {
		return nil, err
	}
	return pare.List(ctx, store, root, name)
}

// localFolder is the store that a path lies in, its own path, and the name in it.
func localFolder(arg string) (store source.Store, root, name string, err error) {
	arg = filepath.ToSlash(arg)
	root, name = path.Split(arg)
	st, err := os.Stat(arg)
	switch {
	case err == nil && st.IsDir():
		root, name = strings.TrimSuffix(arg, "/")+"/", ""
	case err == nil:
	case strings.ContainsAny(arg, "*?["):
		i := strings.LastIndexByte(arg[:strings.IndexAny(arg, "*?[")], '/') + 1
		root, name = arg[:i], arg[i:]
	default:
		var pe *os.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return nil, "", "", fmt.Errorf("%s: %w", arg, err)
	}
	dir := root
	if dir == "" {
		dir = "."
	}
	return source.Dir(dir), root, name, nil
}

// place is that of a path or a URL.
func place(ctx context.Context, arg string) (store source.Store, root, name string, err error) {
	if open := folders[scheme(arg)]; open != nil {
		return open(ctx, arg)
	}
	if scheme(arg) != "" {
		return nil, "", "", usagef("%s: a web server does not list its files", arg)
	}
	return localFolder(arg)
}

// dataset opens the table that the arguments stand for.
func (r *request) dataset(ctx context.Context) (*pare.Dataset, error) {
	list, err := members(ctx, r.files)
	if err != nil {
		return nil, err
	}
	opt := pare.DatasetOptions{NoPartitions: !r.table.hive, FileColumn: r.table.file}
	if opt.File, err = r.tuning.options(); err != nil {
		return nil, err
	}
	if r.table.cache != "" {
		if opt.File.Cache, err = pare.NewCache(0, r.table.cache); err != nil {
			return nil, err
		}
	}
	if r.table.footers {
		if opt.Footers, err = findFooters(ctx, r.files); err != nil {
			return nil, err
		}
	}
	return pare.NewDataset(list, opt)
}

// tableQuery resolves the SELECT list against a table. rename gives the result's
// columns their aliases.
func (r *request) tableQuery() (q pare.Query, rename func(*arrow.Schema) *arrow.Schema, err error) {
	q, err = r.query()
	rename = func(s *arrow.Schema) *arrow.Schema { return s }
	if err != nil || r.items == nil || len(r.items) == 1 && r.items[0].Star {
		return q, rename, err
	}
	for _, item := range r.items {
		if item.Star {
			q.Select = append(q.Select, "*")
		} else {
			q.Select = append(q.Select, item.Column)
		}
	}
	return q, func(s *arrow.Schema) *arrow.Schema {
		fields, at := s.Fields(), 0
		for _, item := range r.items {
			switch {
			case item.Star:
				at += r.columnsOfStar(len(fields))
			default:
				if item.Alias != "" {
					fields[at].Name = item.Alias
				}
				at++
			}
		}
		return arrow.NewSchema(fields, nil)
	}, nil
}

// columnsOfStar is how many of a result's columns a * of the list stands for.
func (r *request) columnsOfStar(fields int) int {
	stars := 0
	for _, item := range r.items {
		if item.Star {
			stars++
		} else {
			fields--
		}
	}
	if r.table.file != "" {
		fields--
	}
	return fields / stars
}

// scanTable writes the matching rows of a table.
func (r *request) scanTable(ctx context.Context, sink *sink, bar *meter) (receipt report.Receipt, err error) {
	d, err := r.dataset(ctx)
	if err != nil {
		return receipt, err
	}
	q, rename, err := r.tableQuery()
	if err != nil {
		return receipt, err
	}
	s, err := d.Scan(ctx, q)
	if err != nil {
		return receipt, r.listed(err)
	}
	defer s.Close()
	if err := sink.begin(rename(s.Schema())); err != nil {
		return receipt, err
	}
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

// listed gives an error about a column of the SELECT list its place in it.
func (r *request) listed(err error) error {
	var e *predicate.Error
	if !errors.As(err, &e) || e.Text != "" {
		return err
	}
	for _, item := range r.items {
		if item.Column != "" && strings.HasSuffix(e.Msg, "column "+item.Column) {
			return r.placed(item, e)
		}
	}
	return err
}

// aggregateTable folds the matching rows of a table and writes the one row of
// results.
func (r *request) aggregateTable(ctx context.Context, aggs []pare.Aggregate, sink *sink) (receipt report.Receipt, err error) {
	d, err := r.dataset(ctx)
	if err != nil {
		return receipt, err
	}
	q, err := r.query()
	if err != nil {
		return receipt, err
	}
	batch, receipt, err := d.Aggregate(ctx, q, slices.Clone(aggs)...)
	if err != nil {
		return receipt, r.listed(err)
	}
	defer batch.Release()
	if err := sink.begin(batch.Schema()); err != nil || r.limit == 0 {
		return receipt, err
	}
	return receipt, sink.write(batch)
}

// explainTable explains the plan of each file that paths do not rule out.
func (r *request) explainTable(ctx context.Context, aggs []pare.Aggregate, each func(*pare.File, *pare.Plan, func() (report.Receipt, error)) error) (*pare.DatasetScan, error) {
	d, err := r.dataset(ctx)
	if err != nil {
		return nil, err
	}
	var s *pare.DatasetScan
	if len(aggs) > 0 {
		q, queryErr := r.query()
		if queryErr != nil {
			return nil, queryErr
		}
		s, err = d.ScanAggregates(ctx, q, aggs...)
	} else {
		q, _, queryErr := r.tableQuery()
		if queryErr != nil {
			return nil, queryErr
		}
		s, err = d.Scan(ctx, q)
	}
	if err != nil {
		return nil, r.listed(err)
	}
	defer s.Close()
	return s, s.Each(ctx, each)
}
