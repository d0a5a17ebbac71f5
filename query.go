package pare

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/parequet/pare/internal/column"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/plan"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/rowrange"
)

// Query says which rows and columns of a file are wanted, and how to get
// them. The zero value wants all rows of all flat columns.
type Query struct {
	// Select names the columns to return, in this order; nil means every flat
	// column. An empty list returns batches without columns, whose row counts
	// are right.
	Select []string
	// Where keeps the rows for which it is true; nil keeps all. Build it with
	// package predicate.
	Where predicate.Expr
	// Text is what Where was parsed from, for error messages. Optional.
	Text string
	// Limit ends the scan after so many rows; 0 means no limit, negative none
	// at all.
	Limit int64
	// Rows restricts the scan to these rows of the file; nil means all. Rows
	// behind the file's end are ignored.
	Rows rowrange.Set
	// Exclude leaves out these rows of the file, as position deletes do.
	Exclude rowrange.Set
	// RowGroups restricts the scan to these row groups; nil means all.
	RowGroups []int
	// RowNumbers, if not empty, names an int64 column of row numbers in the
	// file, counted from 0, that is added at the end.
	RowNumbers string

	// Skip names rungs of the pruning ladder that are not climbed.
	Skip plan.Stages
	// Strict makes malformed metadata an error; otherwise it is not used, and
	// the plan says so.
	Strict bool
	// BatchRows is the largest number of rows of a record batch; 0 means 32,768.
	BatchRows int
	// BatchBytes is about the largest number of bytes of a string or binary
	// column of a record batch; 0 means 256 MiB. A single larger value still
	// makes a batch of its own.
	BatchBytes int
	// ReadBytes is about how many bytes of the file are fetched and decoded
	// together, a few such portions at a time. 0 means what the source's costs
	// make worth it, 4 to 16 MiB. A row group whose pages are not all located is
	// not divided; its long chunks are read piece by piece from a local file, and
	// fetched whole from afar. A scan with a Limit keeps row groups whole, too.
	ReadBytes int64
	// Threads is how many parts of the file are decoded at a time; 0 means one
	// per CPU.
	Threads int
	// DictionaryStrings returns strings as dictionary<int32, utf8>.
	DictionaryStrings bool
	aggregates        map[*metadata.Column]plan.Aggregates // set by an Aggregator

	// Int96Nanos returns INT96 timestamps in nanoseconds instead of
	// microseconds.
	Int96Nanos bool
}

const (
	defaultBatchRows  = 32 << 10
	defaultBatchBytes = 256 << 20
)

// bind resolves a query against a file.
func (f *File) bind(q Query) (*Plan, error) {
	if q.BatchRows <= 0 {
		q.BatchRows = defaultBatchRows
	}
	if q.BatchBytes <= 0 {
		q.BatchBytes = defaultBatchBytes
	}
	if q.Threads <= 0 {
		q.Threads = runtime.GOMAXPROCS(0)
	}
	p := &Plan{file: f, query: q}
	var err error
	if p.where, err = predicate.BindText(q.Where, f.meta.Schema, q.Text); err != nil {
		return nil, err
	}
	if err := p.selectColumns(q.Select); err != nil {
		return nil, err
	}
	h := f.fetch.Hints()
	p.model = plan.Model{Latency: h.Latency.Seconds(), Bandwidth: h.Bandwidth}
	p.prices = p.model
	if f.opt.Gap != 0 {
		// Whoever sets the gap says how many bytes a request is worth.
		p.prices.Latency = float64(max(f.opt.Gap, 0)) / h.Bandwidth
	}
	pq := &plan.Query{Model: p.prices, InHand: f.fetch.InHand, MaxPage: f.opt.MaxPage,
		File: f.meta, Where: p.where, Output: p.distinct(), Rows: p.rows(), Groups: q.RowGroups,
		Aggregates: q.aggregates, Skip: q.Skip, Strict: q.Strict, Limit: -1}
	if q.Limit != 0 {
		pq.Limit = max(q.Limit, 0)
	}
	pq.Divide = p.sizes().Read
	p.planner, err = plan.New(pq)
	return p, err
}

// selectColumns resolves the columns to return and builds the result's schema.
func (p *Plan) selectColumns(names []string) error {
	if names == nil {
		p.output, p.nested = p.file.readable()
	}
	for _, name := range names {
		col, err := predicate.Resolve(p.file.meta.Schema, name)
		if err != nil {
			return err
		}
		if !col.Flat() {
			return &metadata.UnsupportedError{Piece: "column " + col.Name, Msg: "nested columns cannot be read yet"}
		}
		p.output = append(p.output, col)
	}
	p.arrow = column.ArrowOptions{DictionaryStrings: p.query.DictionaryStrings, Int96Nanos: p.query.Int96Nanos}
	fields := make([]arrow.Field, 0, len(p.output)+1)
	for _, col := range p.output {
		if col.Problem != "" {
			return &metadata.UnsupportedError{Piece: "column " + col.Name, Msg: col.Problem}
		}
		fields = append(fields, column.Field(col, p.arrow))
	}
	if name := p.query.RowNumbers; name != "" {
		for _, fd := range fields {
			if fd.Name == name {
				return fmt.Errorf("pare: the file has a column %s, row numbers need another name", name)
			}
		}
		fields = append(fields, arrow.Field{Name: name, Type: arrow.PrimitiveTypes.Int64})
	}
	p.schema = arrow.NewSchema(fields, nil)
	return nil
}

// distinct lists the columns to read, each once.
func (p *Plan) distinct() []*metadata.Column {
	seen := map[*metadata.Column]bool{}
	var out []*metadata.Column
	for _, c := range p.output {
		if !seen[c] {
			seen[c] = true
			out = append(out, c)
		}
	}
	return out
}

// rows is the set of rows that the caller lets through, nil for all.
func (p *Plan) rows() rowrange.Set {
	q := p.query
	switch {
	case q.Exclude != nil && q.Rows != nil:
		return append(rowrange.Set{}, q.Rows.Subtract(q.Exclude)...)
	case q.Exclude != nil:
		return append(rowrange.Set{}, q.Exclude.Complement(p.file.meta.NumRows)...)
	}
	return q.Rows
}

// errNestedOnly explains a SELECT * of which nothing is left.
var errNestedOnly = errors.New("all its columns are nested, which cannot be read yet")
