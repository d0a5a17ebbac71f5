package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/parequet/pare/report"
)

// output holds the flags that say where results go and how they look.
type output struct {
	format   string
	file     string
	report   string
	progress bool
}

var formats = []string{"table", "csv", "json", "ndjson", "arrow"}

func (o *output) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.format, "format", "", "table, csv, json, ndjson or arrow (default: table on a terminal, else csv)")
	f.StringVarP(&o.file, "output", "o", "", "write to `FILE`, in the format of its extension")
	f.StringVar(&o.report, "report", "", "write the receipt: text or json to standard error, or to a `FILE`")
	f.BoolVar(&o.progress, "progress", false, "show a bar on a terminal for work over a second")
}

// byExtension is the format that a file's name asks for, or "".
func byExtension(name string) string {
	switch ext := strings.TrimPrefix(strings.ToLower(filepath.Ext(name)), "."); ext {
	case "csv", "json", "ndjson", "arrow":
		return ext
	case "jsonl":
		return "ndjson"
	case "arrows", "ipc", "feather":
		return "arrow"
	case "txt":
		return "table"
	}
	return ""
}

// sink writes record batches somewhere in some format.
type sink struct {
	enc    encoder
	buf    *bufio.Writer
	tmp    *os.File // what is renamed to name at the end; nil for standard output
	name   string
	began  bool
	errOut io.Writer
}

// encoder is a format.
type encoder interface {
	begin(schema *arrow.Schema) error
	write(batch arrow.RecordBatch) error
	end() error
}

func (o *output) open(cmd *cobra.Command) (*sink, error) {
	format := o.format
	terminal := o.file == "" && isTerminal(cmd.OutOrStdout())
	if format == "" && o.file != "" {
		if format = byExtension(o.file); format == "" {
			return nil, usagef("%s: its extension names no format; add --format", o.file)
		}
	}
	most := -1
	if format == "" {
		if format = "csv"; terminal {
			format, most = "table", tableRows
		}
	}
	if !slices.Contains(formats, format) {
		return nil, usagef("--format takes %s, not %q", strings.Join(formats, ", "), format)
	}
	s := &sink{name: o.file, errOut: cmd.ErrOrStderr()}
	w := cmd.OutOrStdout()
	if o.file != "" {
		var err error
		if s.tmp, err = os.CreateTemp(filepath.Dir(o.file), ".pare-*"); err != nil {
			return nil, fmt.Errorf("%s: %w", o.file, err)
		}
		w = s.tmp
	}
	s.buf = bufio.NewWriterSize(w, 64<<10)
	switch format {
	case "table":
		s.enc = &tableEncoder{w: s.buf, most: most, color: terminal}
	case "csv":
		s.enc = &csvEncoder{w: s.buf}
	case "json":
		s.enc = &jsonEncoder{w: s.buf, array: true}
	case "ndjson":
		s.enc = &jsonEncoder{w: s.buf}
	case "arrow":
		s.enc = &arrowEncoder{w: s.buf}
	}
	return s, nil
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

func (s *sink) begin(schema *arrow.Schema) error {
	s.began = true
	return s.enc.begin(schema)
}

func (s *sink) write(batch arrow.RecordBatch) error { return s.enc.write(batch) }

// notice tells people something that is not part of the result.
func (s *sink) notice(text string) { fmt.Fprintln(s.errOut, "pare: note:", text) }

// close ends the output and, if it is a file, puts it in its place.
func (s *sink) close() error {
	if s.began {
		if err := s.enc.end(); err != nil {
			return err
		}
	}
	if err := s.buf.Flush(); err != nil || s.tmp == nil {
		return err
	}
	tmp := s.tmp
	s.tmp = nil
	err := tmp.Chmod(0o644)
	if err == nil {
		err = tmp.Sync()
	}
	if e := tmp.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(tmp.Name(), s.name)
	}
	if err != nil {
		os.Remove(tmp.Name())
	}
	return err
}

// abandon leaves no half-written file behind. After close it does nothing.
func (s *sink) abandon() {
	if s.tmp != nil {
		s.tmp.Close()
		os.Remove(s.tmp.Name())
		s.tmp = nil
	}
}

// writeReport writes the receipt where --report says.
func (o *output) writeReport(cmd *cobra.Command, r report.Receipt) error {
	switch o.report {
	case "":
		return nil
	case "text":
		return report.Text(cmd.ErrOrStderr(), r)
	case "json":
		return r.WriteJSON(cmd.ErrOrStderr())
	}
	return writeFile(o.report, func(w io.Writer) error {
		if strings.EqualFold(filepath.Ext(o.report), ".json") {
			return r.WriteJSON(w)
		}
		return report.Text(w, r)
	})
}

// writeFile writes beside and renames.
func writeFile(name string, write func(io.Writer) error) error {
	tmp, err := os.CreateTemp(filepath.Dir(name), ".pare-*")
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	s := &sink{tmp: tmp, name: name, buf: bufio.NewWriter(tmp)}
	defer s.abandon()
	if err := write(s.buf); err != nil {
		return err
	}
	return s.close()
}
