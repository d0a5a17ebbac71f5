// Package plan decides which rows and pages of a file may hold a match, and
// says why. It is a ladder of rungs: row-group statistics, then Bloom filters,
// dictionaries and the page index. A [Stage] names the bytes it needs by
// extent, and narrows the rows of a row group once they are there; none of
// them reads. The needs of all stages and all row groups that are worth their
// price are fetched together, in one round of requests.
//
// A plan carries two sets of rows for each row group: those that may match and
// those that must. Only rows that may but need not match are filtered.
//
// A wrong "may" costs bytes, a wrong "never" a user's data: whatever is absent,
// malformed or doubted leaves rows in.
package plan

import (
	"slices"
	"sort"

	"github.com/parequet/pare/internal/page"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/rowrange"
)

// Stages is a set of rungs of the ladder.
type Stages uint8

const (
	Statistics Stages = 1 << iota
	Bloom
	Dictionary
	PageIndex

	AllStages = Statistics | Bloom | Dictionary | PageIndex
)

// Query is what a scan asks of one file.
type Query struct {
	File   *metadata.File
	Where  *predicate.Bound
	Output []*metadata.Column // columns to return, each once
	Rows   rowrange.Set       // rows of the file to look at; nil means all
	Groups []int              // row groups to look at; nil means all
	// Aggregates are wanted of the output columns instead of their values.
	Aggregates map[*metadata.Column]Aggregates
	Divide     int64  // bytes from which a row group is read in portions, if its pages are located; 0 means never
	Skip       Stages // rungs that are not climbed
	Model      Model  // what requests cost; the zero Model means a local file's
	// InHand reports whether an extent's bytes are there already, so that
	// asking for it costs nothing. Nil means never.
	InHand  func(metadata.Extent) bool
	MaxPage int   // largest decompressed dictionary page that is looked into
	Strict  bool  // malformed metadata is an error instead of a doubt
	Limit   int64 // rows wanted; negative means all
}

// Stage is a rung of the ladder above the statistics.
type Stage interface {
	Name() string
	// Needs returns the extents that could change what is read of g, or why
	// there are none; neither if nothing is left to be decided.
	Needs(q *Query, g *Group) (need []metadata.Extent, why string)
	// Narrow looks at the bytes that Needs asked for and narrows the rows of
	// g. It may ask for more, and is then called again; have holds whatever
	// was fetched.
	Narrow(q *Query, g *Group, have metadata.Bytes) (more []metadata.Extent)
}

// Group is the plan of one row group. Row numbers are counted from the row
// group's first row.
type Group struct {
	RowGroup  *metadata.RowGroup
	Filter    []*Chunk // chunks of the columns that the predicate tests
	Output    []*Chunk // chunks of the columns to return; shared with Filter where both
	May       rowrange.Set
	Must      rowrange.Set // a subset of May
	PrunedBy  string       // the stage that left no row, or ""
	PastLimit bool         // not needed to reach the limit
	Steps     []Step
	Doubts    []Doubt

	indexed    bool // its page index was in hand and has been looked at
	bloomAsked bool // the Bloom stage was worth its price
	bloomTwice bool // it takes two rounds: a filter does not say its length

	decided map[predicate.Leaf]decided  // leaves that evidence has settled
	nodes   map[predicate.Node]nodeRows // by node of the predicate, once the ladder is climbed
	// verdicts are what the zones of its column's pages decide for a leaf.
	verdicts map[predicate.Leaf][]predicate.Decision
	ordered  map[*predicate.AndNode][]predicate.Node
}

// Chunk is a column chunk that a query reads, and what the plan knows of it.
type Chunk struct {
	*metadata.Chunk
	Zone   metadata.Zone
	Belief metadata.Belief       // why the chunk's statistics were not used
	Index  *metadata.OffsetIndex // where its pages are; nil if not known
	Zones  []metadata.Zone       // of each page; nil if not known
	Why    string                // why the pages' bounds were not used

	// Streamed says that the chunk is read piece by piece while it is decoded.
	Streamed bool

	// Need are the rows that a filter column has to be read for to test them.
	Need rowrange.Set

	// Answered are rows whose share of the aggregates is in Answers, so that
	// the column is not read for them.
	Answered rowrange.Set
	Answers  []metadata.Zone

	Dictionary *page.Dictionary // its values, if the dictionary stage read them
	walk       *walk            // while page headers are stepped over
	dataAt     int64            // where the data pages begin, if Dictionary is set
	// runsOn says that a page's last row may go on on the page behind it, which
	// has to be looked at, too.
	runsOn bool
}

// Step says what one stage did to one row group.
type Step struct {
	Stage       string
	Asked       bool
	Reason      string // what was found, or why the stage was not asked
	RowsBefore  int64
	RowsAfter   int64
	PagesBefore int64 // data pages of the columns read; -1 if not known
	PagesAfter  int64
	Units       []Unit
}

// Unit is the verdict on a run of pages of one column.
type Unit struct {
	Column      string
	First, Last int
	Decision    predicate.Decision
	Why         string
}

// Doubt is a piece of metadata that was found wrong or suspect and not used.
type Doubt struct {
	RowGroup int
	Column   string
	What     string
	Why      string
}

// step records what a stage did.
func (g *Group) step(s Step, before rowrange.Set) {
	s.RowsBefore, s.RowsAfter = before.Len(), g.May.Len()
	s.PagesBefore, s.PagesAfter = g.pages(before), g.pages(g.May)
	g.Steps = append(g.Steps, s)
	if g.May.Empty() {
		g.Must = nil // whatever the page index said
	}
	if g.May.Empty() && g.PrunedBy == "" {
		g.PrunedBy = s.Stage
	}
}

// doubt records metadata that was not believed.
func (g *Group) doubt(c *Chunk, what, why string) {
	d := Doubt{g.RowGroup.Index, c.Column.Name, what, why}
	if !slices.Contains(g.Doubts, d) {
		g.Doubts = append(g.Doubts, d)
	}
}

// Chunks returns the chunks that the query reads, each once.
func (g *Group) Chunks() []*Chunk {
	out := append([]*Chunk(nil), g.Filter...)
	for _, c := range g.Output {
		if !slices.Contains(g.Filter, c) {
			out = append(out, c)
		}
	}
	return out
}

// pages counts the data pages, over the chunks that the query reads, that
// hold any of the rows; -1 if the pages of a chunk are not known.
func (g *Group) pages(rows rowrange.Set) int64 {
	n := int64(0)
	for _, c := range g.Chunks() {
		if c.Index == nil {
			return -1
		}
		c.EachPage(g.RowGroup.NumRows, rows, func(int, int64, int64) { n++ })
	}
	return n
}

// RunsOn reports whether rows may go on on the page behind the one on which they
// begin.
func (c *Chunk) RunsOn() bool { return c.runsOn }

// EachPage calls f for every located page of the chunk that holds any of the
// rows, or may hold what is left of one that begins on the page before it, with
// the range of the rows that begin on it. O(log pages) and the pages between the first
// row and the last.
func (c *Chunk) EachPage(groupRows int64, rows rowrange.Set, f func(page int, from, to int64)) {
	if rows.Empty() {
		return
	}
	if c.runsOn {
		rows = rows.Lengthen(1)
	}
	pages := c.Index.Pages
	first := sort.Search(len(pages), func(i int) bool {
		_, to := c.Index.Rows(i, groupRows)
		return to > rows[0].From
	})
	end := rows[len(rows)-1].To
	for i := first; i < len(pages) && pages[i].FirstRow < end; i++ {
		from, to := c.Index.Rows(i, groupRows)
		if rows.Overlaps(from, to) {
			f(i, from, to)
		}
	}
}
