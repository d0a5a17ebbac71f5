package pare

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/parequet/pare/internal/column"
	"github.com/parequet/pare/internal/fetch"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/plan"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/rowrange"
	"github.com/parequet/pare/source"
)

// Query says which rows and columns of a file are wanted, and how to get
// them. The zero value wants all rows and columns.
type Query struct {
	// Select names the columns to return, in this order; nil means all of them.
	// An empty list returns batches without columns, whose row counts are right.
	//
	// A dotted name selects what is in a struct, and reads only that: its column
	// of the result has the last part of the name, or all of it where another one
	// has the same. The name of a part of a list or a map, such as
	// items.list.element.sku, selects the list with that part of its elements.
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
	// not divided; its long chunks are read piece by piece from a local file, and from
	// afar if they would take more than half of Memory. A scan with a Limit keeps row
	// groups whole, too.
	ReadBytes int64
	// Memory is about how many bytes the portions under way may take together; 0
	// means 256 MiB. A portion that takes more goes alone.
	Memory int64
	// Threads is how many parts of the file are decoded at a time; 0 means one
	// per CPU.
	Threads int
	// DictionaryStrings returns strings as dictionary<int32, utf8>.
	DictionaryStrings bool
	aggregates        map[*metadata.Column]plan.Aggregates // set by an Aggregator
	columns           []*metadata.Column                   // instead of Select: names need not be unique

	// Int96Nanos returns INT96 timestamps in nanoseconds instead of
	// microseconds.
	Int96Nanos bool
}

const (
	defaultBatchRows  = 32 << 10
	defaultBatchBytes = 256 << 20
)

func (q Query) arrow() column.ArrowOptions {
	return column.ArrowOptions{DictionaryStrings: q.DictionaryStrings, Int96Nanos: q.Int96Nanos}
}

// bind resolves a query against a file.
func (f *File) bind(q Query) (*Plan, error) {
	if q.BatchRows <= 0 {
		q.BatchRows = defaultBatchRows
	}
	if q.BatchBytes <= 0 {
		q.BatchBytes = defaultBatchBytes
	}
	if q.Memory <= 0 {
		q.Memory = defaultMemory
	}
	q.Memory = max(q.Memory, leastMemory)
	if q.Threads <= 0 {
		q.Threads = runtime.GOMAXPROCS(0)
	}
	p := &Plan{file: f, fetch: f.fetcher(), query: q}
	var err error
	if p.where, err = predicate.BindText(q.Where, f.meta.Schema, q.Text); err != nil {
		return nil, err
	}
	if err := p.selectColumns(q.Select); err != nil {
		return nil, err
	}
	h := p.fetch.Hints()
	p.model = modelOf(h)
	p.prices = p.model
	if f.opt.Gap != 0 {
		// Whoever sets the gap says how many bytes a request is worth.
		p.prices.Latency = float64(max(f.opt.Gap, 0)) / h.Bandwidth
	}
	pq := &plan.Query{Model: p.prices, InHand: f.inHand, MaxPage: f.opt.MaxPage,
		File: f.meta, Where: p.where, Output: p.leaves, Rows: p.rows(), Groups: q.RowGroups,
		Aggregates: q.aggregates, Skip: q.Skip, Strict: q.Strict, Limit: -1}
	if q.Limit != 0 {
		pq.Limit = max(q.Limit, 0)
	}
	pq.Divide = p.sizes().Read
	p.planner, err = plan.New(pq)
	return p, err
}

func modelOf(h source.Hints) plan.Model {
	return plan.Model{Latency: h.Latency.Seconds(), Bandwidth: h.Bandwidth}
}

// fetcher is what a plan reads with. The first plan has the figures that the file was
// opened with: what opening it has measured differs from one time to the next, and
// explaining a query is not to foresee another plan than running it makes. Later
// plans have what has been measured meanwhile.
func (f *File) fetcher() *fetch.Fetcher {
	if !f.planned.Swap(true) {
		return f.fetch
	}
	return f.fetch.Renewed()
}

// selectColumns resolves the columns to return and builds the result's schema.
func (p *Plan) selectColumns(names []string) error {
	p.arrow = p.query.arrow()
	if names == nil && p.query.columns == nil {
		p.output, p.empty = p.file.trees(p.arrow)
	}
	paths := make([]string, 0, len(names))
	for _, c := range p.query.columns {
		root := outermost(p.file.meta.Schema.NodeOf(c))
		p.output = append(p.output, column.NewTree(root, func(x *metadata.Column) bool { return x == c }, p.arrow))
		paths = append(paths, root.Path())
	}
	for _, name := range names {
		n, err := predicate.ResolveNode(p.file.meta.Schema, name)
		if err != nil {
			return err
		}
		root := outermost(n)
		t := column.NewTree(root, within(n), p.arrow)
		if t == nil {
			return &metadata.UnsupportedError{Piece: "column " + name, Msg: errNoColumns.Error()}
		}
		p.output, paths = append(p.output, t), append(paths, root.Path())
	}
	seen := map[*metadata.Column]bool{}
	for _, t := range p.output {
		t.Columns(func(c *metadata.Column) {
			if !seen[c] {
				seen[c] = true
				p.leaves = append(p.leaves, c)
			}
		})
		t.Witnesses(func(c *metadata.Column) {
			if p.levels == nil {
				p.levels = map[*metadata.Column]bool{}
			}
			p.levels[c] = true
		})
	}
	for _, c := range p.leaves {
		if c.Problem != "" {
			return &metadata.UnsupportedError{Piece: "column " + c.Name, Msg: c.Problem}
		}
	}
	return p.makeSchema(paths)
}

// makeSchema makes the schema of the result. Where two columns of it would have
// the same name but are not the same, they get their whole path.
func (p *Plan) makeSchema(paths []string) error {
	fields := make([]arrow.Field, len(p.output), len(p.output)+1)
	for i, t := range p.output {
		fields[i] = t.Field
		for k := range paths {
			if p.output[k].Field.Name == t.Field.Name && paths[k] != paths[i] {
				fields[i].Name = paths[i]
			}
		}
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

// outermost returns a node that is in no list or map, or else the outermost one
// that it is in.
func outermost(n *metadata.Node) *metadata.Node {
	for n.Rep > 1 || n.Rep == 1 && n.Repetition != metadata.Repeated {
		n = n.Parent
	}
	if up := n.Parent; n.Rep == 1 && up.Parent != nil && len(up.Children) == 1 && (up.Logical.Kind == metadata.List || up.Logical.Kind == metadata.Map) {
		return up
	}
	return n
}

// within holds of the columns at or below a node.
func within(n *metadata.Node) func(*metadata.Column) bool {
	in := map[*metadata.Column]bool{}
	n.Leaves(func(c *metadata.Column) { in[c] = true })
	return func(c *metadata.Column) bool { return in[c] }
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

// errNoColumns explains a group, or a SELECT *, of which nothing is left.
var errNoColumns = errors.New("there is no column in it")
