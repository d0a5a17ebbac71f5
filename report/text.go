package report

import (
	"fmt"
	"io"
	"strings"
)

// Heading says what a receipt is about.
type Heading struct {
	File    string
	Writer  string
	Where   string   // the predicate as it was asked, "" for none
	Tested  string   // the predicate as it is tested, after merging
	Select  []string // columns returned
	LeftOut []string // groups without columns, which are not
}

// maxUnits is how many runs of pages of a row group the text shows.
const maxUnits = 24

// Explain writes what a plan decided, unit by unit and with its reasons, and
// what it will read.
func Explain(w io.Writer, h Heading, r Receipt) error {
	t := &text{}
	t.heading(h, r)
	t.steps(r)
	t.line("")
	t.summary("plan", r)
	t.reads(r)
	t.doubts(r)
	return t.flush(w)
}

// Text writes a receipt for people.
func Text(w io.Writer, r Receipt) error {
	t := &text{}
	t.summary("read", r)
	t.columns(r)
	t.doubts(r)
	return t.flush(w)
}

// Table writes the plan of a table, its files taken together.
func Table(w io.Writer, r Receipt) error {
	t := &text{}
	t.line("table   %s, %d of them ruled out", Plural(int64(r.Files.Total), "file"), r.Files.Pruned)
	t.summary("plan", r)
	return t.flush(w)
}

// Compare writes a plan's receipt beside the actual one.
func Compare(w io.Writer, planned, actual Receipt) error {
	t := &text{}
	t.line("")
	t.line("%-22s %14s %14s", "", "planned", "actual")
	row := func(name string, a, b int64) {
		note := ""
		if a != b {
			note = fmt.Sprintf("  saved %s", Count(a-b))
		}
		t.line("%-22s %14s %14s%s", name, Count(a), Count(b), note)
	}
	row("bytes", planned.Bytes.Total, actual.Bytes.Total)
	row("requests", int64(planned.Requests.Total), int64(actual.Requests.Total))
	row("rounds", int64(planned.Requests.Rounds), int64(actual.Requests.Rounds))
	row("data pages", planned.Pages.Read, actual.Pages.Read)
	row("rows decoded", planned.Rows.Decoded, actual.Rows.Decoded)
	row("rows returned", planned.Rows.Returned, actual.Rows.Returned)
	t.line("%-22s %11.2f ms %11.2f ms", "time", actual.Model.PredictedMS, actual.Model.ActualMS)
	return t.flush(w)
}

type text struct{ b strings.Builder }

func (t *text) line(format string, args ...any) {
	line := strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' ' // names come from files
		}
		return r
	}, fmt.Sprintf(format, args...))
	t.b.WriteString(strings.TrimRight(line, " "))
	t.b.WriteByte('\n')
}

func (t *text) flush(w io.Writer) error {
	_, err := io.WriteString(w, t.b.String())
	return err
}

func (t *text) heading(h Heading, r Receipt) {
	if h.File != "" {
		t.line("%s", h.File)
	}
	t.line("  %s bytes, %s rows in %s", Count(r.Bytes.File), Count(r.Rows.Total), Plural(int64(r.RowGroups.Total), "row group"))
	if h.Writer != "" {
		t.line("  written by %s", h.Writer)
	}
	t.line("")
	if h.Where != "" {
		t.line("where   %s", h.Where)
	}
	if h.Where != "" && h.Tested != h.Where {
		t.line("tested  %s", h.Tested)
	}
	t.line("select  %s", orNothing(h.Select))
	if len(h.LeftOut) > 0 {
		t.line("        left out, having no columns: %s", strings.Join(h.LeftOut, ", "))
	}
}

func orNothing(names []string) string {
	if len(names) == 0 {
		return "no column, rows are only counted"
	}
	return strings.Join(names, ", ")
}

// maxGroups is how many row groups, or runs of them, the text shows.
const maxGroups = 40

// steps writes the ladder row group by row group. Neighbours of which the same
// is to be said are joined.
func (t *text) steps(r Receipt) {
	type block struct {
		first, last int
		rows        int64
		verdict     string
		body        string
	}
	var blocks []block
	for i := 0; i < len(r.Steps); {
		j := i
		body := &text{}
		for ; j < len(r.Steps) && r.Steps[j].RowGroup == r.Steps[i].RowGroup && r.Steps[j].File == r.Steps[i].File; j++ {
			body.step(r.Steps[j])
		}
		first, last := r.Steps[i], r.Steps[j-1]
		b := block{first.RowGroup, first.RowGroup, first.RowsBefore, "read " + rowsOf(last.RowsAfter, first.RowsBefore), body.b.String()}
		if last.RowsAfter == 0 {
			b.verdict = "skipped"
		}
		if n := len(blocks); n > 0 && blocks[n-1].last == b.first-1 && blocks[n-1].verdict == b.verdict && blocks[n-1].body == b.body {
			blocks[n-1].last = b.last
			blocks[n-1].rows += b.rows
		} else {
			blocks = append(blocks, b)
		}
		i = j
	}
	for i, b := range blocks {
		t.line("")
		if i == maxGroups {
			t.line("… %d more", len(blocks)-i)
			break
		}
		name := fmt.Sprintf("row group %d", b.first)
		if b.last > b.first {
			name = fmt.Sprintf("row groups %d–%d", b.first, b.last)
		}
		t.line("%s   %s, %s", name, Plural(b.rows, "row"), b.verdict)
		t.b.WriteString(b.body)
	}
}

func rowsOf(n, of int64) string {
	if n == of {
		return "all"
	}
	return Count(n)
}

func (t *text) step(s Step) {
	name := strings.ReplaceAll(s.Stage, "_", " ")
	verdict := "kept"
	switch {
	case !s.Asked && s.RowsAfter > 0:
		verdict = "not asked"
	case s.RowsAfter == 0:
		verdict = "never"
	case s.RowsAfter < s.RowsBefore:
		verdict = "narrowed"
	}
	t.line("  %-12s %-10s %s", name, verdict, s.Reason)
	if s.PagesAfter != nil && s.PagesBefore != nil && s.Asked {
		t.line("  %-12s %-10s %s of %s data pages of the columns read", "", "", Count(*s.PagesAfter), Count(*s.PagesBefore))
	}
	for i, u := range s.Units {
		if i == maxUnits {
			t.line("  %-12s %-10s … %d more runs of pages", "", "", len(s.Units)-i)
			break
		}
		pages := fmt.Sprintf("page %d", u.FirstPage)
		if u.LastPage > u.FirstPage {
			pages = fmt.Sprintf("pages %d–%d", u.FirstPage, u.LastPage)
		}
		t.line("    %-12s %-8s %s", pages, u.Decision, u.Why)
	}
}

func (t *text) summary(title string, r Receipt) {
	pages := fmt.Sprintf("%s data pages", Count(r.Pages.Read))
	if r.Pages.Total != nil {
		pages = fmt.Sprintf("%s of %s data pages", Count(r.Pages.Read), Count(*r.Pages.Total))
	}
	t.line("%-7s %s of %s rows, %s, %d of %s", title, Count(r.Rows.Planned), Count(r.Rows.Total), pages,
		r.RowGroups.Read, Plural(int64(r.RowGroups.Total), "row group"))
	if title == "read" {
		t.line("        %s rows decoded, %s returned", Count(r.Rows.Decoded), Count(r.Rows.Returned))
	}
	b := r.Bytes
	t.line("bytes   %s of %s (footer %s, index %s, Bloom %s, dictionary %s, data %s, gap %s)", Count(b.Total), Count(b.File),
		Count(b.Footer), Count(b.Index), Count(b.Bloom), Count(b.Dictionary), Count(b.Data), Count(b.Gap))
	retries := ""
	if r.Requests.Retries > 0 {
		retries = fmt.Sprintf(", %d retries", r.Requests.Retries)
	}
	t.line("asked   %s in %s%s", Plural(int64(r.Requests.Total), "request"), Plural(int64(r.Requests.Rounds), "round"), retries)
	actual := ""
	if r.Model.ActualMS > 0 {
		actual = fmt.Sprintf(", took %.2f ms", r.Model.ActualMS)
	}
	t.line("model   %.2f ms%s, at %g ms a round and %s MB/s", r.Model.PredictedMS, actual, r.Model.LatencyMS, Count(int64(r.Model.Bandwidth/1e6)))
}

func (t *text) reads(r Receipt) {
	for i, q := range r.Reads {
		if i == 0 {
			t.line("")
			t.line("requests")
		}
		if i == maxUnits {
			t.line("  … %d more", len(r.Reads)-i)
			break
		}
		t.line("  round %-2d %12s bytes at %-14s %s%s", q.Round, Count(q.Length), Count(q.Offset), q.Purpose, piecesNote(q))
	}
}

func piecesNote(q Read) string {
	if q.Pieces > 1 {
		return fmt.Sprintf(", %d pieces", q.Pieces)
	}
	return ""
}

func (t *text) columns(r Receipt) {
	for i, c := range r.Columns {
		if i == 0 {
			t.line("")
			t.line("%-24s %-8s %12s %12s %14s", "column", "role", "pages", "of", "bytes")
		}
		total := "?"
		if c.PagesTotal != nil {
			total = Count(*c.PagesTotal)
		}
		t.line("%-24s %-8s %12s %12s %14s", c.Name, c.Role, Count(c.PagesRead), total, Count(c.Bytes))
	}
}

func (t *text) doubts(r Receipt) {
	for i, d := range r.Doubts {
		if i == 0 {
			t.line("")
			t.line("not believed")
		}
		if i == maxUnits {
			t.line("  … %d more", len(r.Doubts)-i)
			break
		}
		t.line("  row group %d, %s, %s: %s", d.RowGroup, d.Column, d.What, d.Why)
	}
}

// Count renders an integer with commas between thousands.
func Count(n int64) string {
	s := fmt.Sprint(n)
	start := 0
	if n < 0 {
		start = 1
	}
	for i := len(s) - 3; i > start; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Plural renders a count and what is counted.
func Plural(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return Count(n) + " " + what + "s"
}
