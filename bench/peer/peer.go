// Package peer is how the benchmark talks to the readers that it compares:
// each is a process of its own that takes tasks as lines of JSON and answers
// each with a line. So time, processor time and memory are those of one reader
// alone, and readers of any language can take part.
package peer

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"
)

// Task is a piece of work.
type Task struct {
	Kind    string   `json:"kind"`    // see the constants
	File    string   `json:"file"`    // a path or an http URL
	Columns []string `json:"columns"` // to add up or to decode
	Filter  *Filter  `json:"filter"`
	Dict    bool     `json:"dict"`    // strings as Arrow dictionaries, not as plain strings
	Threads int      `json:"threads"` // that may be used
	Check   bool     `json:"check"`   // of "arrow" and "nested": add up, too; outside the time taken or in a run that does not count
	Rows    *Rows    `json:"rows"`    // of "nested": read these alone
	Structs bool     `json:"structs"` // of "nested": rows into structs of Go; of parquet-go alone
}

// Kinds of work.
const (
	Sums  = "sums"  // count the rows that pass and add up the columns
	Count = "count" // count them
	Arrow = "arrow" // decode the columns to Arrow arrays, all rows
	Codec = "codec" // only decompress the pages of the column; of pare alone

	// Nested decodes the columns, all if none are named, to Arrow arrays. To be
	// checked they are added up as sums.Nested does, batch by batch.
	Nested = "nested"
)

// Rows are those from From to before To, counted from 0.
type Rows struct {
	From int64 `json:"from"`
	To   int64 `json:"to"`
}

// Unknown is in a result of "nested" what the reader cannot tell.
const Unknown = -1

// Filter lets rows through whose value is in [From, To).
type Filter struct {
	Column string `json:"column"`
	Date   bool   `json:"date"` // From and To are days since 1970, of a DATE column
	From   int64  `json:"from"`
	To     int64  `json:"to"`
}

// Result is what a task gave. Sums of strings are of their lengths in bytes,
// of dates in days since 1970.
type Result struct {
	Rows   int64     `json:"rows"`
	Sums   []float64 `json:"sums"`
	Millis float64   `json:"ms"`  // wall time
	CPU    float64   `json:"cpu"` // processor time of the process, in ms
	Error  string    `json:"error,omitempty"`
}

// SQL returns the filter as a condition.
func (f Filter) SQL() string {
	lo, hi := fmt.Sprint(f.From), fmt.Sprint(f.To)
	if f.Date {
		day := func(d int64) string { return time.Unix(d*86400, 0).UTC().Format("DATE '2006-01-02'") }
		lo, hi = day(f.From), day(f.To)
	}
	if f.To == f.From+1 {
		return fmt.Sprintf("%s = %s", f.Column, lo)
	}
	return fmt.Sprintf("%s >= %s AND %s < %s", f.Column, lo, f.Column, hi)
}

// columns lists the columns in SQL.
func (t Task) columns() string {
	if len(t.Columns) == 0 {
		return "*"
	}
	return strings.Join(t.Columns, ", ")
}

// SQL returns the task as a query on a table expression, in words that all of
// the engines understand. length is the function for the bytes of a string.
func (t Task) SQL(table, length string) string {
	s := "SELECT count(*)"
	if t.Kind == Arrow || t.Kind == Nested {
		s = "SELECT " + t.columns() + " FROM " + table
		if t.Rows != nil {
			s += fmt.Sprintf(" LIMIT %d OFFSET %d", t.Rows.To-t.Rows.From, t.Rows.From)
		}
		return s
	}
	if t.Kind == Sums {
		for _, c := range t.Columns {
			switch c {
			case "comment", "status":
				s += fmt.Sprintf(", sum(%s(%s))", length, c)
			default:
				s += fmt.Sprintf(", sum(%s)", c)
			}
		}
	}
	s += " FROM " + table
	if t.Filter != nil {
		s += " WHERE " + t.Filter.SQL()
	}
	return s
}

// Answer is a task's answer before the time is known: rows and a function
// that adds up what was decoded, nil if Sums is set already.
type Answer struct {
	Rows  int64
	Sums  []float64
	AddUp func() []float64
}

// Serve answers tasks until standard input ends.
func Serve(run func(Task) (Answer, error)) {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	out := json.NewEncoder(os.Stdout)
	for in.Scan() {
		var t Task
		err := json.Unmarshal(in.Bytes(), &t)
		var r Result
		if err == nil {
			cpu, start := usage(), time.Now()
			var a Answer
			a, err = run(t)
			r = Result{Rows: a.Rows, Sums: a.Sums, Millis: millis(time.Since(start)), CPU: millis(usage() - cpu)}
			if t.Check && a.AddUp != nil {
				r.Sums = a.AddUp()
			}
		}
		if err != nil {
			r.Error = err.Error()
		}
		if err := out.Encode(r); err != nil {
			return
		}
	}
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// usage is the processor time that the process has taken.
func usage() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
