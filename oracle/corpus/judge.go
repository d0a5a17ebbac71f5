package corpus

import (
	"errors"
	"fmt"
	"strings"
)

// Oracle names what pare is compared with.
type Oracle string

// The oracles.
const (
	ArrowGo Oracle = "arrow-go"
	Duck    Oracle = "duckdb"
	All     Oracle = "all"  // pare reads what all oracles refuse
	Itself  Oracle = "pare" // pare contradicts itself or panics
)

// Finding is where pare and an oracle disagree about a column.
type Finding struct {
	Path   string
	Column string // "*" for all of the file's columns
	Oracle Oracle
	What   string
}

// Verdict is what the comparison of a file says.
type Verdict struct {
	Path        string
	Rows        int64 // -1 if no reader can tell
	Flat        int
	Nested      int
	Arrow, Duck string // statuses of the comparisons
	Pare        string // what pare does
	Findings    []Finding
}

// Judge compares what pare makes of a file with what the oracles make of it.
// duck is nil where DuckDB must not be asked, and likewise arrow.
func Judge(path string, pare, arrow, duck *Reading) Verdict {
	v := Verdict{Path: path, Rows: -1, Arrow: "not asked", Duck: "not asked"}
	for _, r := range []*Reading{pare, arrow, duck} {
		if r != nil && r.Err == nil {
			v.Rows, v.Flat, v.Nested = r.Rows, len(r.Columns)-r.Nested, r.Nested
			break
		}
	}
	v.Pare = pareStatus(pare)
	if arrow != nil {
		v.Arrow = v.compare(ArrowGo, pare, arrow)
	}
	if duck != nil {
		v.Duck = v.compare(Duck, pare, duck)
	}
	v.judgeAlone(pare, arrow, duck)
	return v
}

func (v *Verdict) find(column string, o Oracle, what string) {
	v.Findings = append(v.Findings, Finding{v.Path, column, o, what})
}

// judgeAlone finds where pare is at odds with itself, and what it reads
// although every oracle refuses it.
func (v *Verdict) judgeAlone(pare, arrow, duck *Reading) {
	if pare.Err != nil {
		if errors.Is(pare.Err, ErrPanic) || errors.Is(pare.Err, errTime) {
			v.find("*", Itself, Short(pare.Err))
		}
		return
	}
	refused := 0
	for _, c := range pare.Columns {
		if c.Err != nil {
			refused++
			if errors.Is(c.Err, ErrPanic) {
				v.find(c.Name, Itself, Short(c.Err))
			}
			continue
		}
		if (refusesAt(arrow, c.At) || arrow == nil) && (refusesAt(duck, c.At) || duck == nil) && (arrow != nil || duck != nil) {
			v.find(c.Name, All, "pare reads "+fmt.Sprint(len(c.Values))+" values")
		}
	}
	if pare.Whole != nil && refused == 0 {
		v.find("*", Itself, "reads each column, but not all at once: "+Short(pare.Whole))
	}
}

func refusesAt(r *Reading, at int) bool {
	if r == nil {
		return false
	}
	if r.Err != nil {
		return true
	}
	c := r.at(at)
	return c == nil || c.Err != nil
}

// pareStatus says what pare does with a file.
func pareStatus(r *Reading) string {
	if r.Err != nil {
		return "refused: " + Short(r.Err)
	}
	var refused []string
	var first error
	for _, c := range r.Columns {
		if c.Err != nil {
			refused = append(refused, c.Name)
			if first == nil {
				first = c.Err
			}
		}
	}
	switch {
	case first != nil && len(refused) == len(r.Columns):
		return "refused: " + Short(first)
	case first != nil:
		return fmt.Sprintf("read but for %s: %s", names(refused), Short(first))
	case r.Whole != nil:
		return "read column by column only: " + Short(r.Whole)
	}
	return "read"
}

// compare compares pare's columns with an oracle's.
func (v *Verdict) compare(o Oracle, pare, oracle *Reading) string {
	switch {
	case oracle.Err != nil:
		return "refused: " + Short(oracle.Err)
	case pare.Err != nil:
		read, first := oracle.read()
		if read == 0 && first != nil {
			return "refused: " + Short(first)
		}
		if read == 0 {
			return "opens it"
		}
		v.find("*", o, fmt.Sprintf("pare refuses the file, %s reads %d columns: %s", o, read, Short(pare.Err)))
		return fmt.Sprintf("reads %d columns", read)
	case len(oracle.Columns) != len(pare.Columns) || oracle.Nested != pare.Nested:
		v.find("*", o, fmt.Sprintf("pare finds %d flat and %d nested columns, %s %d and %d", len(pare.Columns)-pare.Nested, pare.Nested, o, len(oracle.Columns)-oracle.Nested, oracle.Nested))
		return fmt.Sprintf("differs: %d flat and %d nested columns", len(oracle.Columns)-oracle.Nested, oracle.Nested)
	}
	var differ, refused, reads []string
	var difference string
	var refusal error
	for _, c := range pare.Columns {
		d := oracle.at(c.At)
		switch {
		case d == nil:
			v.find(c.Name, o, "no column for "+string(o))
			differ = append(differ, c.Name)
		case d.Err != nil:
			refused = append(refused, c.Name)
			if refusal == nil {
				refusal = d.Err
			}
		case c.Err != nil:
			v.find(c.Name, o, "pare refuses: "+Short(c.Err))
			reads = append(reads, c.Name)
		default:
			if what := Differ(o, c, *d); what != "" {
				v.find(c.Name, o, what)
				if differ = append(differ, c.Name); difference == "" {
					difference = what
				}
			}
		}
	}
	var parts []string
	if len(differ) > 0 {
		parts = append(parts, fmt.Sprintf("differs: %s: %s", names(differ), difference))
	}
	if len(reads) > 0 {
		parts = append(parts, "reads "+names(reads))
	}
	switch n := len(pare.Columns); {
	case len(refused) == n && n > 0:
		return "refused: " + Short(refusal)
	case len(refused) > 0:
		parts = append(parts, fmt.Sprintf("refused: %s: %s", names(refused), Short(refusal)))
	}
	if len(differ)+len(reads)+len(refused) < len(pare.Columns) && len(differ) == 0 || len(pare.Columns) == 0 {
		parts = append([]string{"equal"}, parts...)
	}
	return strings.Join(parts, "; ")
}

// names lists column names, the first few of many.
func names(list []string) string {
	const most = 3
	if len(list) > most {
		return fmt.Sprintf("%s and %d more", names(list[:most]), len(list)-most)
	}
	shown := make([]string, len(list))
	for i, n := range list {
		shown[i] = clean(n, 40)
	}
	return strings.Join(shown, ", ")
}
