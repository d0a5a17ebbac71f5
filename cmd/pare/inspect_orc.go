package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/parequet/pare/orc"
	"github.com/parequet/pare/report"
)

// inspectORC shows the columns of an ORC file and what its statistics say, or
// its stripes, which are ORC's row groups.
func inspectORC(cmd *cobra.Command, name, view string, overview bool, columns string) error {
	f, err := openORC(cmd.Context(), name)
	if err != nil {
		return err
	}
	defer f.Close()
	m, w := f.Metadata(), cmd.OutOrStdout()
	if overview {
		fmt.Fprintf(w, "%s\n  %s bytes, %s in %s, %s, tail of %s bytes, %v\n", redact(name), report.Count(m.Size), report.Plural(m.Rows, "row"),
			report.Plural(int64(len(m.Stripes)), "stripe"), report.Plural(int64(len(m.Columns)-1), "column"),
			report.Count(m.Length+m.FooterLength+m.MetadataLength), m.Codec)
		if m.Software != "" {
			fmt.Fprintf(w, "  written by %s\n", oneLine(m.Software))
		}
	}
	i := inspector{cmd: cmd, w: w}
	switch view {
	case "schema":
		wanted := strings.Split(columns, ",")
		var rows [][]string
		for id, c := range m.Columns[1:] {
			if columns != "" && !containsTrimmed(wanted, c.Name) {
				continue
			}
			values := ""
			if k := id + 1; k < len(m.Statistics) && c.Leaf() && m.Statistics[k].Values >= 0 {
				values = report.Count(m.Statistics[k].Values)
			}
			rows = append(rows, []string{fmt.Sprint(id + 1), oneLine(c.Name), orcType(c), values})
		}
		return i.table([]string{">#", "column", "type", ">values"}, rows)
	case "row-groups":
		var rows [][]string
		for k, s := range m.Stripes {
			rows = append(rows, []string{fmt.Sprint(k), report.Count(s.Rows), report.Count(s.Offset), report.Count(s.IndexLength), report.Count(s.DataLength), report.Count(s.FooterLength)})
		}
		return i.table([]string{">stripe", ">rows", ">offset", ">index", ">data", ">footer"}, rows)
	}
	return usagef("of ORC files inspect shows schema and row-groups, not %q", view)
}

func orcType(c orc.Column) string {
	if c.Kind == orc.Decimal {
		return fmt.Sprintf("decimal(%d,%d)", c.Precision, c.Scale)
	}
	return c.Kind.String()
}

func containsTrimmed(names []string, name string) bool {
	for _, n := range names {
		if strings.TrimSpace(n) == name {
			return true
		}
	}
	return false
}
