// Command pare reads only the Parquet pages that may hold a match, and says
// exactly what it read and why.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/parequet/pare/predicate"
)

// Exit statuses: the input or the network failed; the command line is wrong.
const (
	exitFailed = 1
	exitUsage  = 2
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run is the whole program, so that tests can call it in their own process.
func run(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	cmd := newRoot()
	cmd.SetArgs(args)
	cmd.SetOut(stdout)
	cmd.SetErr(stderr)
	err := cmd.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	if errors.Is(err, syscall.EPIPE) {
		return 0 // whoever read our output has had enough
	}
	if ctx.Err() != nil {
		err = errors.New("interrupted")
	}
	fmt.Fprintf(stderr, "pare: %s\n", oneLine(mask(err.Error())))
	var pe *predicate.Error
	if errors.As(err, &pe) {
		shown := *pe
		shown.Text = mask(pe.Text) // before it is cut
		if x := shown.Excerpt(); x != "" {
			fmt.Fprintln(stderr, x)
		}
		return exitUsage
	}
	var ue usageError
	if errors.As(err, &ue) {
		return exitUsage
	}
	return exitFailed
}

// usageError is a fault in the command line.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

func (u usageError) Unwrap() error { return u.error }

// oneLine makes a message printable on one line, whatever a file put into it.
func oneLine(s string) string {
	s = strings.ToValidUTF8(strings.ReplaceAll(s, "\n", "; "), "�")
	return strings.Join(strings.Fields(strings.Map(printable, s)), " ")
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "pare",
		Short: "Read only the Parquet pages that may hold a match",
		Long: `pare reads only the Parquet pages that may hold a match, says exactly what it
read and why, and answers what it can from metadata alone.`,
		Example: `  pare demo
  pare query "SELECT order_id, amount FROM 'orders.parquet' WHERE order_date >= DATE '2024-03-01' LIMIT 10"
  pare explain orders.parquet --where "status = 'returned'"`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("unknown command %q; pare --help lists the commands", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.AddCommand(newQuery(), newScan(), newExplain(), newInspect(), newVerify(), newNDV(), newDemo())
	return root
}

// version is the module's version, if the program was built from a released
// one, else the commit.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return "devel-" + s.Value[:12]
		}
	}
	return "devel"
}

// argsNeeded checks the number of arguments and says what is missing.
func argsNeeded(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least {
			return usagef("%s is missing; pare %s --help shows examples", what, cmd.Name())
		}
		if most >= 0 && len(args) > most {
			return usagef("unexpected argument %q", args[most])
		}
		return nil
	}
}
