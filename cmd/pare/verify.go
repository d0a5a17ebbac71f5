package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/parequet/pare"
)

// errLies makes the exit status of a file that lies 1; what it lies about has
// been said.
var errLies = errors.New("the file says of itself what its data denies")

func newVerify() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "verify FILE...",
		Short: "Read everything and check that metadata tells the truth",
		Long: `verify reads every column and checks that row-group and page statistics,
the page index, Bloom filters, encodings and checksums tell the truth. It names
each lie with its place; its exit status is 1 if there is one.`,
		Example: `  pare verify orders.parquet
  pare verify lake/ --json`,
		Args: argsNeeded(1, -1, "a FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			files, err := listFiles(cmd.Context(), args)
			if err != nil {
				return err
			}
			lies := 0
			for _, m := range files {
				n, err := verifyFile(cmd, m, asJSON)
				if err != nil {
					return err
				}
				lies += n
			}
			if lies > 0 {
				return errLies
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object a file")
	return cmd
}

// verified is what verify --json prints of a file.
type verified struct {
	File     string         `json:"file"`
	Findings []pare.Finding `json:"findings"`
	pare.Verification
}

func verifyFile(cmd *cobra.Command, m pare.Member, asJSON bool) (lies int, err error) {
	name := m.Name
	f, done, err := openWith(cmd.Context(), m, pare.Open)
	if err != nil {
		return 0, err
	}
	defer done()
	out := cmd.OutOrStdout()
	v := verified{File: name, Findings: []pare.Finding{}}
	v.Verification, err = f.Verify(cmd.Context(), func(x pare.Finding) {
		lies++
		if asJSON {
			v.Findings = append(v.Findings, x)
		} else {
			fmt.Fprintf(out, "%s: %s\n", name, oneLine(x.String()))
		}
	})
	if err != nil {
		return lies, err
	}
	if asJSON {
		e := json.NewEncoder(out)
		e.SetIndent("", "  ")
		return lies, e.Encode(v)
	}
	for _, s := range v.Skipped {
		fmt.Fprintf(out, "%s: not verified: %s\n", name, oneLine(s))
	}
	_, err = fmt.Fprintf(out, "%s: %s\n", name, v.Summary(lies))
	return lies, err
}
