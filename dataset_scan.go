package pare

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/parequet/pare/internal/column"
	"github.com/parequet/pare/internal/fetch"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/report"
)

// DatasetScan is a query of a table of many files. Range over Batches once.
type DatasetScan struct {
	data    *Dataset
	ctx     context.Context
	query   Query
	parts   []*datasetPart // files that paths did not rule out
	columns []wanted
	schema  *arrow.Schema
	pruned  int
	figures fetch.Figures // of the sources, for all files
	footers *footers
	started time.Time

	mu      sync.Mutex
	receipt []report.Receipt
	scanned bool
	ended   time.Time

	folds    *Aggregator               // nil for rows
	together int                       // files that are scanned at a time
	nodes    map[string]*metadata.Node // what names select in any file
}

// datasetPart is a file of a table while it is being read.
type datasetPart struct {
	member int
	file   *File
	query  Query // of the file
	size   int64 // of the file, in bytes
	near   bool  // its source is
	from   []int // for each column of the result its place among the file's; -1 if it is missing
}

// Scan rules files out by their paths, opens the footers of the others, unites
// their columns by name, and plans the query. A column that a file lacks is NULL in
// its rows; "*" in Select stands for all columns of the table. Data is read when
// Batches is ranged over. Of the query, RowGroups, Rows
// and Exclude are not used.
func (d *Dataset) Scan(ctx context.Context, q Query) (*DatasetScan, error) {
	s := &DatasetScan{data: d, ctx: ctx, query: q, started: time.Now()}
	q.Rows, q.Exclude, q.RowGroups = nil, nil, nil
	if err := s.openFooters(ctx); err != nil {
		s.Close()
		return nil, err
	}
	if err := s.prune(ctx, d); err != nil {
		s.Close()
		return nil, err
	}
	if err := s.openAll(ctx); err != nil {
		s.Close()
		return nil, err
	}
	if err := s.bind(); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// prune chooses the files that are to be opened; at least one, whose columns are
// those of the result. The first one is opened to see whether it has columns of
// the partitions' names itself: then paths do not rule out by these.
func (s *DatasetScan) prune(ctx context.Context, d *Dataset) error {
	if err := s.choose(d, func(string) bool { return false }); err != nil {
		return err
	}
	if s.pruned == 0 {
		return nil
	}
	first := s.parts[0]
	f, err := s.open(ctx, first.member)
	if err != nil {
		return err
	}
	own := func(name string) bool { return f.nodeOf(name) != nil }
	if again := slices.ContainsFunc(d.keys, own); again {
		if err = s.choose(d, own); err != nil {
			return errors.Join(err, f.Close())
		}
	}
	for _, p := range s.parts {
		if p.member == first.member {
			p.file = f
		}
	}
	return nil
}

// choose lists the files that paths do not rule out.
func (s *DatasetScan) choose(d *Dataset, own func(name string) bool) error {
	s.parts, s.pruned = nil, 0
	for i := range d.members {
		out, err := d.pruned(i, s.query, own)
		if err != nil {
			return err
		}
		if out {
			s.pruned++
			continue
		}
		s.parts = append(s.parts, &datasetPart{member: i})
	}
	if len(s.parts) == 0 {
		s.parts, s.pruned = []*datasetPart{{member: 0}}, s.pruned-1
	}
	return nil
}

// mostTails is how many bytes of the files' ends are kept until the files are read:
// with them comes the page index and, of small files, all.
const mostTails = 64 << 20

// openAll opens the footers of the files.
func (s *DatasetScan) openAll(ctx context.Context) error {
	var held atomic.Int64
	return parallel(len(s.parts), s.data.opt.Open, func(i int) (err error) {
		p := s.parts[i]
		if p.file == nil {
			p.file, err = s.open(ctx, p.member)
		}
		if err != nil {
			return err
		}
		p.size, p.near = p.file.Size(), p.file.near()
		if held.Add(int64(len(p.file.fetch.Tail()))) > mostTails {
			held.Add(-int64(len(p.file.fetch.Tail())))
			p.file.fetch.Forget()
		}
		return nil
	})
}

func (s *DatasetScan) arrow() column.ArrowOptions { return s.query.arrow() }

// Pruned is how many files their paths rule out.
func (s *DatasetScan) Pruned() int { return s.pruned }

// Close closes the files. A scan that has ended has closed them.
func (s *DatasetScan) Close() {
	for _, p := range s.parts {
		if p.file != nil {
			p.file.Close()
			p.file = nil
		}
	}
	if s.footers != nil {
		s.footers.file.Close()
	}
}

// bind makes the query of each file.
func (s *DatasetScan) bind() error {
	files := make([]*File, len(s.parts))
	for i, p := range s.parts {
		files[i] = p.file
	}
	var err error
	if s.columns, err = s.data.columns(files, s.query); err != nil {
		return err
	}
	fields := make([]arrow.Field, len(s.columns))
	for i, w := range s.columns {
		fields[i] = w.field
	}
	if s.query.RowNumbers != "" {
		fields = append(fields, arrow.Field{Name: s.query.RowNumbers, Type: arrow.PrimitiveTypes.Int64})
	}
	s.schema = arrow.NewSchema(fields, nil)
	s.nodes, s.together = map[string]*metadata.Node{}, s.howMany()
	for _, p := range s.parts {
		if err := s.bindPart(p, files); err != nil {
			return err
		}
	}
	return nil
}

// bindPart makes the query of one file: what its path says, and what it lacks, is
// put into the condition.
func (s *DatasetScan) bindPart(p *datasetPart, files []*File) error {
	p.query = s.query
	p.query.Select = []string{}
	if p.query.Memory <= 0 {
		p.query.Memory = defaultMemory
	}
	p.query.Memory /= int64(s.together)
	for _, w := range s.columns {
		at := -1
		if !w.file && w.key == "" {
			if _, ok := p.file.fieldOf(w.name, column.ArrowOptions{}); ok {
				at = len(p.query.Select)
				p.query.Select = append(p.query.Select, w.name)
			}
		}
		p.from = append(p.from, at)
	}
	if s.query.Where == nil {
		return nil
	}
	var err error
	p.query.Where, err = predicate.Given(s.query.Where, s.query.Text, func(name string) (predicate.Known, bool) {
		if p.file.nodeOf(name) != nil {
			return predicate.Known{}, false
		}
		if n := s.anywhere(files, name); n != nil {
			return predicate.Known{Column: nullOf(n, name)}, true
		}
		return s.data.known(p.member, name)
	})
	if err == nil { // what is wrong with it shows now, not when the file's turn has come
		_, err = predicate.BindText(p.query.Where, p.file.meta.Schema, p.query.Text)
	}
	return p.file.named(err)
}

// anywhere finds what a name selects in the first of the files that has it; nil if
// none has.
func (s *DatasetScan) anywhere(files []*File, name string) *metadata.Node {
	n, known := s.nodes[name]
	for i := 0; !known && n == nil && i < len(files); i++ {
		n = files[i].nodeOf(name)
	}
	s.nodes[name] = n
	return n
}

// nullOf is a column that is NULL in every row, as one that another file has.
func nullOf(n *metadata.Node, name string) *metadata.Column {
	if n.Column != nil && n.Rep == 0 {
		return metadata.NewColumn(name, n.Column.Type, n.Column.Logical)
	}
	return metadata.NewColumn(name, metadata.Int32, metadata.Logical{})
}

// Schema is the Arrow schema of the batches.
func (s *DatasetScan) Schema() *arrow.Schema { return s.schema }

// Batches yields the matching rows, file after file in the order of the members,
// as record batches that the consumer releases, or one error, after which nothing
// follows. The files behind the one whose rows are handed out are planned and
// fetched meanwhile.
func (s *DatasetScan) Batches() iter.Seq2[arrow.RecordBatch, error] {
	return func(yield func(arrow.RecordBatch, error) bool) {
		if s.scanned {
			yield(nil, errScannedTwice)
			return
		}
		s.scanned = true
		defer s.Close()
		defer s.account()
		s.receipt = make([]report.Receipt, len(s.parts))
		if s.folds != nil {
			s.fold(yield)
			return
		}
		left := s.query.Limit
		if left < 0 {
			return
		}
		out := func(batch arrow.RecordBatch) error {
			if left > 0 {
				if batch.NumRows() > left {
					whole := batch
					batch = whole.NewSlice(0, left)
					whole.Release()
				}
				left -= batch.NumRows()
			}
			if !yield(batch, nil) || s.query.Limit > 0 && left == 0 {
				return errEnough
			}
			return nil
		}
		run := inOrder
		if s.query.Limit > 0 {
			run = oneByOne
		}
		err := run(s.ctx, len(s.parts), s.together-1, out, func(ctx context.Context, i int, out emit) error {
			p := s.parts[i]
			p.query.Limit = left // exact where files are read one by one
			return s.read(ctx, i, out)
		})
		if err != nil && err != errEnough {
			yield(nil, err)
		}
	}
}

// read reads one file.
func (s *DatasetScan) read(ctx context.Context, i int, out emit) error {
	p := s.parts[i]
	defer func() {
		p.file.Close()
	}()
	plan, err := p.file.Plan(ctx, p.query)
	if err != nil {
		return err
	}
	scan := plan.Scan(ctx)
	defer func() {
		s.mu.Lock()
		s.receipt[i] = scan.Receipt()
		s.mu.Unlock()
	}()
	for batch, err := range scan.Batches() {
		if err != nil {
			return err
		}
		whole, err := s.adapt(p, batch)
		batch.Release()
		if err != nil {
			return p.file.named(err)
		}
		if err := out(whole); err != nil {
			return err
		}
	}
	return nil
}

// adapt gives a file's batch the columns of the result.
func (s *DatasetScan) adapt(p *datasetPart, batch arrow.RecordBatch) (arrow.RecordBatch, error) {
	n := int(batch.NumRows())
	cols := make([]arrow.Array, 0, len(s.columns)+1)
	defer func() {
		for _, c := range cols {
			c.Release()
		}
	}()
	for i, w := range s.columns {
		var a arrow.Array
		var err error
		switch {
		case w.file:
			a = repeatText(s.data.members[p.member].Name, n)
		case w.key != "":
			a, err = s.partitionArray(p, w, n)
		case p.from[i] < 0:
			a = array.MakeArrayOfNull(memory.DefaultAllocator, w.field.Type, n)
		default:
			a, err = widen(batch.Column(p.from[i]), w.field.Type)
		}
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", w.name, err)
		}
		cols = append(cols, a)
	}
	if s.query.RowNumbers != "" {
		numbers := batch.Column(int(batch.NumCols()) - 1)
		numbers.Retain()
		cols = append(cols, numbers)
	}
	return array.NewRecordBatch(s.schema, cols, int64(n)), nil
}

// partitionArray repeats the value of a partition column.
func (s *DatasetScan) partitionArray(p *datasetPart, w wanted, n int) (arrow.Array, error) {
	k, _ := s.data.known(p.member, w.key)
	v := column.NewVector(k.Column)
	for range n {
		if err := v.Push(k.Value); err != nil {
			return nil, err
		}
	}
	return column.ToArrow(v, w.field.Type)
}

func repeatText(text string, n int) arrow.Array {
	b := array.NewStringBuilder(memory.DefaultAllocator)
	defer b.Release()
	b.Reserve(n)
	b.ReserveData(n * len(text))
	for range n {
		b.Append(text)
	}
	return b.NewArray()
}

// account ends the account: files that were opened and whose turn did not come, as a
// limit was reached or the consumer stopped, have had their footers read.
func (s *DatasetScan) account() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = time.Now()
	for i, p := range s.parts {
		if s.receipt[i].Files.Total == 0 && p.file != nil {
			s.receipt[i] = p.file.opening()
		}
	}
}

// Receipt accounts for what the scan has read so far; once Batches has ended, for
// all of it.
func (s *DatasetScan) Receipt() report.Receipt {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.Sum(s.receipt)
	r.Model.ActualMS = 0
	if !s.ended.IsZero() {
		r.Model.ActualMS = float64(s.ended.Sub(s.started).Microseconds()) / 1000
	}
	return r
}

// Sum makes one receipt of those of the files, as planned or as read, in their
// order. Footers are read and files are scanned a few at a time, so the waits of
// the table are fewer than those of its files together.
func (s *DatasetScan) Sum(files []report.Receipt) report.Receipt {
	var r report.Receipt
	opened, scanned := 0, 0
	for _, one := range files {
		if one.Files.Total == 0 {
			continue // it has not been read
		}
		r.Add(one)
		scanned += one.Requests.Rounds
		if one.Bytes.Footer > 0 {
			opened++
			scanned--
		}
	}
	r.Files.Total += s.pruned
	r.Files.Pruned += s.pruned
	waits := 0
	if s.footers != nil {
		r.Add(s.footers.read)
		waits += s.footers.read.Requests.Rounds
	}
	if opened > 0 && s.pruned > 0 {
		waits, opened = waits+1, opened-1 // the first is opened before the others
	}
	r.Requests.Rounds = waits + ceilDiv(opened, s.data.opt.Open) + ceilDiv(scanned, s.together)
	r.Model.PredictedMS = float64(r.Requests.Rounds)*r.Model.LatencyMS + 1000*float64(r.Bytes.Total)/max(r.Model.Bandwidth, 1)
	return r
}

// How many files are scanned at a time at least, and what a byte of a file takes of
// memory, about, where all of it is read.
const (
	filesTogether = 3
	memoryPerByte = 4
)

// howMany files are scanned at a time: from afar, where each of them
// waits for its rounds, as many as are opened together, if they are small.
func (s *DatasetScan) howMany() int {
	if s.query.Limit > 0 {
		return 1
	}
	largest, near := int64(1), true
	for _, p := range s.parts {
		largest = max(largest, p.size)
		near = near && p.near
	}
	memory := s.query.Memory
	if memory <= 0 {
		memory = defaultMemory
	}
	if near {
		return filesTogether
	}
	return int(min(max(memory/(memoryPerByte*largest), filesTogether), int64(max(s.data.opt.Open, filesTogether))))
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }
