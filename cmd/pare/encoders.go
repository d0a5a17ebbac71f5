package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"strings"

	"charm.land/lipgloss/v2"
	"charm.land/lipgloss/v2/table"
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"

	"github.com/parequet/pare/report"
)

// csvEncoder writes RFC 4180 with a header line. NULL is an empty field, the
// empty string a quoted one.
type csvEncoder struct {
	w   *bufio.Writer
	row []byte
}

func (e *csvEncoder) begin(schema *arrow.Schema) error {
	for i, f := range schema.Fields() {
		e.field(i, f.Name)
	}
	return e.endRow()
}

func (e *csvEncoder) field(i int, s string) {
	if i > 0 {
		e.row = append(e.row, ',')
	}
	if s != "" && !strings.ContainsAny(s, ",\"\r\n") && s[0] != ' ' && s[len(s)-1] != ' ' {
		e.row = append(e.row, s...)
		return
	}
	e.row = append(e.row, '"')
	e.row = append(e.row, strings.ReplaceAll(s, `"`, `""`)...)
	e.row = append(e.row, '"')
}

func (e *csvEncoder) endRow() error {
	e.row = append(e.row, '\n')
	_, err := e.w.Write(e.row)
	e.row = e.row[:0]
	return err
}

func (e *csvEncoder) write(batch arrow.RecordBatch) error {
	cells := cellsOf(batch)
	for row := range int(batch.NumRows()) {
		for i, c := range cells {
			if c.isNull(row) {
				if i > 0 {
					e.row = append(e.row, ',')
				}
				continue
			}
			e.field(i, c.text(row))
		}
		if err := e.endRow(); err != nil {
			return err
		}
	}
	return nil
}

func (e *csvEncoder) end() error { return nil }

// jsonEncoder writes an array of objects, or an object a line.
type jsonEncoder struct {
	w     *bufio.Writer
	array bool
	names [][]byte
	rows  int64
}

func (e *jsonEncoder) begin(schema *arrow.Schema) error {
	for _, f := range schema.Fields() {
		e.names = append(e.names, append(appendString(nil, f.Name), ':'))
	}
	if e.array {
		return e.w.WriteByte('[')
	}
	return nil
}

func (e *jsonEncoder) write(batch arrow.RecordBatch) error {
	cells := cellsOf(batch)
	var line []byte
	for row := range int(batch.NumRows()) {
		line = line[:0]
		if e.array {
			if e.rows > 0 {
				line = append(line, ',')
			}
			line = append(line, '\n', ' ', ' ')
		}
		e.rows++
		line = append(line, '{')
		for i, c := range cells {
			if i > 0 {
				line = append(line, ',')
			}
			line = append(line, e.names[i]...)
			line = c.appendJSON(line, row)
		}
		line = append(line, '}')
		if !e.array {
			line = append(line, '\n')
		}
		if _, err := e.w.Write(line); err != nil {
			return err
		}
	}
	return nil
}

func (e *jsonEncoder) end() error {
	if !e.array {
		return nil
	}
	if e.rows > 0 {
		e.w.WriteByte('\n')
	}
	_, err := e.w.WriteString("]\n")
	return err
}

// appendString appends a JSON string. Printable ASCII, which most strings are,
// is copied as it is.
func appendString(dst []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			return appendEscaped(dst, s)
		}
	}
	dst = append(dst, '"')
	dst = append(dst, s...)
	return append(dst, '"')
}

func appendEscaped(dst []byte, s string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		panic(err) // strings can be encoded
	}
	return append(dst, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
}

// arrowEncoder writes an Arrow IPC stream.
type arrowEncoder struct {
	w      *bufio.Writer
	schema *arrow.Schema
	ipc    *ipc.Writer
}

func (e *arrowEncoder) begin(schema *arrow.Schema) error {
	e.ipc = ipc.NewWriter(e.w, ipc.WithSchema(schema))
	e.schema = schema
	return nil
}

func (e *arrowEncoder) write(batch arrow.RecordBatch) error {
	if !batch.Schema().Equal(e.schema) { // columns with other names
		batch = array.NewRecordBatch(e.schema, batch.Columns(), batch.NumRows())
		defer batch.Release()
	}
	return e.ipc.Write(batch)
}

func (e *arrowEncoder) end() error { return e.ipc.Close() }

// tableRows is how many rows a terminal is shown unless it asks for all.
const tableRows = 200

// tableEncoder draws a table. It has to hold the rows to know their widths.
type tableEncoder struct {
	w     *bufio.Writer
	most  int // rows shown, negative for all
	color bool
	head  []string
	right []bool
	rows  [][]string
	total int64
}

func (e *tableEncoder) begin(schema *arrow.Schema) error {
	for _, f := range schema.Fields() {
		e.head = append(e.head, f.Name)
		e.right = append(e.right, isNumber(f.Type))
	}
	return nil
}

func (e *tableEncoder) write(batch arrow.RecordBatch) error {
	cells := cellsOf(batch)
	e.total += batch.NumRows()
	for row := range int(batch.NumRows()) {
		if e.most >= 0 && len(e.rows) == e.most {
			return nil
		}
		line := make([]string, len(cells))
		for i, c := range cells {
			if line[i] = "NULL"; !c.isNull(row) {
				line[i] = strings.Map(printable, c.text(row))
			}
		}
		e.rows = append(e.rows, line)
	}
	return nil
}

func printable(r rune) rune {
	if r < ' ' || r == 0x7f {
		return ' '
	}
	return r
}

func (e *tableEncoder) end() error {
	t := table.New().Headers(e.head...).Rows(e.rows...).Border(lipgloss.NormalBorder()).BorderRow(false).
		StyleFunc(func(row, col int) lipgloss.Style {
			s := lipgloss.NewStyle().Padding(0, 1)
			if row == table.HeaderRow {
				return s.Bold(e.color)
			}
			if col < len(e.right) && e.right[col] {
				s = s.Align(lipgloss.Right)
			}
			return s
		})
	if len(e.head) > 0 {
		e.w.WriteString(t.String() + "\n")
	}
	note := report.Count(e.total) + " rows"
	if e.total == 1 {
		note = "1 row"
	}
	if shown := int64(len(e.rows)); shown < e.total {
		note += ", the first " + report.Count(shown) + " shown; --format table shows all"
	}
	_, err := e.w.WriteString(note + "\n")
	return err
}
