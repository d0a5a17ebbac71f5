package main

import (
	"fmt"
	"io"
	"strings"

	"charm.land/lipgloss/v2"
	"charm.land/lipgloss/v2/table"
	"github.com/spf13/cobra"

	"github.com/parequet/pare"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/report"
)

func newInspect() *cobra.Command {
	var columns string
	cmd := &cobra.Command{
		Use:   "inspect FILE [schema|row-groups|pages|index|bloom|sizes]",
		Short: "Show what a file is made of",
		Example: `  pare inspect orders.parquet
  pare inspect orders.parquet index --columns order_date
  pare inspect orders.parquet pages --columns status`,
		ValidArgs: inspectViews,
		Args:      argsNeeded(1, 2, "a FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			view := "schema"
			if len(args) == 2 {
				view = args[1]
			}
			if isORC(args[0]) {
				return inspectORC(cmd, args[0], view, len(args) == 1, columns)
			}
			f, err := open(cmd.Context(), args[0], pare.Options{})
			if err != nil {
				return err
			}
			defer f.Close()
			i := inspector{cmd: cmd, f: f, meta: f.Metadata(), w: cmd.OutOrStdout()}
			if err := i.selectColumns(columns); err != nil {
				return err
			}
			if len(args) == 1 {
				i.overview(redact(args[0]))
			}
			show, ok := map[string]func() error{"schema": i.schema, "row-groups": i.rowGroups, "pages": i.pages, "index": i.index,
				"bloom": i.bloom, "sizes": i.sizes}[view]
			if !ok {
				return usagef("inspect shows %s, not %q", strings.Join(inspectViews, ", "), view)
			}
			return show()
		},
	}
	cmd.Flags().StringVar(&columns, "columns", "", "columns to show, separated by commas (default: all)")
	return cmd
}

var inspectViews = []string{"schema", "row-groups", "pages", "index", "bloom", "sizes"}

// inspector shows views of one file.
type inspector struct {
	cmd  *cobra.Command
	f    *pare.File
	meta *metadata.File
	cols []*metadata.Column
	w    io.Writer
}

// table prints rows under a header; columns whose header starts with > are
// aligned to the right.
func (i *inspector) table(head []string, rows [][]string) error {
	right := make([]bool, len(head))
	for k, h := range head {
		head[k], right[k] = strings.TrimPrefix(h, ">"), strings.HasPrefix(h, ">")
	}
	_, err := fmt.Fprintln(i.w, tableText(head, rows, func(column int) bool { return right[column] }))
	return err
}

// tableText draws a table; the columns that right tells are aligned there.
func tableText(head []string, rows [][]string, right func(column int) bool) string {
	return table.New().Headers(head...).Rows(rows...).Border(lipgloss.NormalBorder()).BorderRow(false).
		StyleFunc(func(row, col int) lipgloss.Style {
			s := lipgloss.NewStyle().Padding(0, 1)
			if right(col) && row != table.HeaderRow {
				s = s.Align(lipgloss.Right)
			}
			return s
		}).String()
}

func (i *inspector) overview(name string) {
	m := i.meta
	fmt.Fprintf(i.w, "%s\n  %s bytes, %s in %s, %s, footer of %s bytes, format version %d\n",
		name, report.Count(m.Size), report.Plural(m.NumRows, "row"), report.Plural(int64(len(m.RowGroups)), "row group"),
		report.Plural(int64(len(m.Schema.Columns)), "column"), report.Count(m.Footer.Length), m.Version)
	if m.CreatedBy != "" {
		fmt.Fprintf(i.w, "  written by %s\n", m.CreatedBy)
	}
	for _, kv := range m.KeyValue {
		fmt.Fprintf(i.w, "  %s: %s bytes of metadata\n", strings.Map(printable, string(kv.Key)), report.Count(int64(len(kv.Value))))
	}
}

// eachChunk calls f for each chunk of the columns shown.
func (i *inspector) eachChunk(f func(g *metadata.RowGroup, c *metadata.Chunk) error) error {
	for _, g := range i.meta.RowGroups {
		for _, col := range i.cols {
			c, err := g.Chunk(col)
			if err != nil {
				return err
			}
			if err := f(g, c); err != nil {
				return err
			}
		}
	}
	return nil
}

func (i *inspector) rowGroups() error {
	var rows [][]string
	err := i.eachChunk(func(g *metadata.RowGroup, c *metadata.Chunk) error {
		z, belief := i.meta.ChunkZone(c)
		bounds := belief.Why
		switch {
		case z.HasLower && z.HasUpper:
			bounds = predicate.FormatValue(c.Column, z.Lower) + " … " + predicate.FormatValue(c.Column, z.Upper)
		case z.AllNull() && z.Rows > 0:
			bounds = "all NULL"
		}
		nulls := "?"
		if z.Nulls >= 0 {
			nulls = report.Count(z.Nulls)
		}
		rows = append(rows, []string{fmt.Sprint(g.Index), report.Count(g.NumRows), c.Column.Name, c.Codec.String(), encodings(c),
			report.Count(c.CompressedSize), report.Count(c.UncompressedSize), nulls, bounds})
		return nil
	})
	if err != nil {
		return err
	}
	return i.table([]string{">group", ">rows", "column", "codec", "encodings", ">bytes", ">uncompressed", ">nulls", "bounds believed"}, rows)
}

func encodings(c *metadata.Chunk) string {
	var names []string
	for _, e := range c.Encodings {
		names = append(names, e.String())
	}
	return strings.Join(names, " ")
}

func (i *inspector) pages() error {
	var rows [][]string
	err := i.eachChunk(func(g *metadata.RowGroup, c *metadata.Chunk) error {
		pages, err := i.f.PageHeaders(i.cmd.Context(), c)
		for k, p := range pages {
			crc := ""
			if p.HasCRC {
				crc = fmt.Sprintf("%08x", p.CRC)
			}
			rows = append(rows, []string{fmt.Sprint(g.Index), c.Column.Name, fmt.Sprint(k), p.Type.String(), p.Encoding.String(),
				report.Count(int64(p.NumValues)), report.Count(p.Offset), report.Count(int64(p.CompressedSize)), report.Count(int64(p.UncompressedSize)), crc})
		}
		return err
	})
	if err != nil {
		return err
	}
	return i.table([]string{">group", "column", ">page", "type", "encoding", ">values", ">offset", ">bytes", ">uncompressed", "crc"}, rows)
}

func (i *inspector) index() error {
	chunks, err := i.f.Indexes(i.cmd.Context(), i.cols)
	if err != nil {
		return err
	}
	var rows [][]string
	for _, x := range chunks {
		group, col := fmt.Sprint(x.Chunk.RowGroup), x.Chunk.Column
		if x.Offsets == nil {
			why := "no offset index"
			if x.Problem != "" {
				why = x.Problem
			}
			rows = append(rows, []string{group, col.Name, "", "", "", "", "", why})
			continue
		}
		for k, p := range x.Offsets.Pages {
			from, to := x.Offsets.Rows(k, i.meta.RowGroups[x.Chunk.RowGroup].NumRows)
			nulls, bounds := "", x.Problem
			if x.Columns != nil && col.Repeated() {
				bounds = "not used: the column is repeated"
			}
			if x.Zones != nil {
				z := x.Zones[k]
				if z.Nulls >= 0 {
					nulls = report.Count(z.Nulls)
				}
				switch {
				case z.HasLower && z.HasUpper:
					bounds = predicate.FormatValue(col, z.Lower) + " … " + predicate.FormatValue(col, z.Upper)
				case z.AllNull() && z.Rows > 0:
					bounds = "all NULL"
				}
			}
			rows = append(rows, []string{group, col.Name, fmt.Sprint(k), report.Count(from), report.Count(to - from),
				report.Count(p.Length), nulls, bounds})
		}
	}
	return i.table([]string{">group", "column", ">page", ">first row", ">rows", ">bytes", ">nulls", "bounds believed"}, rows)
}

func (i *inspector) bloom() error {
	var rows [][]string
	err := i.eachChunk(func(g *metadata.RowGroup, c *metadata.Chunk) error {
		h, ok, err := i.f.BloomHeader(i.cmd.Context(), c)
		if !ok && err == nil {
			return nil
		}
		what := fmt.Sprintf("%s blocks of 32 bytes", report.Count(int64(h.NumBytes/32)))
		if err != nil {
			what = err.Error()
		}
		rows = append(rows, []string{fmt.Sprint(g.Index), c.Column.Name, report.Count(c.BloomOffset), report.Count(c.BloomLength), what})
		return nil
	})
	if err != nil {
		return err
	}
	if len(rows) == 0 {
		_, err := fmt.Fprintln(i.w, "no column has a Bloom filter")
		return err
	}
	return i.table([]string{">group", "column", ">offset", ">length", "filter"}, rows)
}

func (i *inspector) sizes() error {
	type size struct{ compressed, plain, values int64 }
	sums := map[string]*size{}
	var total int64
	err := i.eachChunk(func(_ *metadata.RowGroup, c *metadata.Chunk) error {
		s := sums[c.Column.Name]
		if s == nil {
			s = &size{}
			sums[c.Column.Name] = s
		}
		s.compressed += c.CompressedSize
		s.plain += c.UncompressedSize
		s.values += c.NumValues
		total += c.CompressedSize
		return nil
	})
	if err != nil {
		return err
	}
	var rows [][]string
	for _, col := range i.cols {
		s := sums[col.Name]
		if s == nil {
			continue
		}
		rows = append(rows, []string{col.Name, report.Count(s.compressed), share(s.compressed, total), report.Count(s.plain),
			ratio(s.plain, s.compressed), ratio(s.compressed, s.values)})
	}
	return i.table([]string{"column", ">bytes", ">share", ">uncompressed", ">ratio", ">bytes a value"}, rows)
}

func share(n, of int64) string {
	if of == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of))
}

func ratio(a, b int64) string {
	if b == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", float64(a)/float64(b))
}
