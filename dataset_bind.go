package pare

import (
	"cmp"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/parequet/pare/internal/column"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/predicate"
)

func (s *DatasetScan) arrow() column.ArrowOptions { return s.query.arrow() }

// bind makes the query of each file.
func (s *DatasetScan) bind() error {
	var files []*File // the first of each schema
	seen := map[*metadata.Schema]bool{}
	for _, p := range s.parts {
		if !seen[p.file.meta.Schema] {
			seen[p.file.meta.Schema] = true
			files = append(files, p.file)
		}
	}
	s.schemaFiles = files
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
	s.selections = map[*metadata.Schema]selection{}
	for _, p := range s.parts {
		if err := s.bindPart(p, files); err != nil {
			return err
		}
	}
	return nil
}

// selection is what of a result's columns files of one schema have.
type selection struct {
	names []string
	from  []int // for each column of the result its place among names; -1 if it is missing
}

// selectFrom finds out which columns of the result a file has. What it returns is
// shared.
func (s *DatasetScan) selectFrom(f *File) (selected []string, from []int) {
	if x, ok := s.selections[f.meta.Schema]; ok {
		return x.names, x.from
	}
	var names []string
	for _, w := range s.columns {
		names = append(names, w.name)
	}
	x := selection{names: []string{}}
	for _, w := range s.columns {
		at := -1
		if !w.file && w.key == "" {
			if _, ok := f.own(w.name, names, column.ArrowOptions{}); ok {
				at = len(x.names)
				x.names = append(x.names, w.name)
			}
		}
		x.from = append(x.from, at)
	}
	s.selections[f.meta.Schema] = x
	return x.names, x.from
}

// bindPart makes the query of one file: what its path says, and what it lacks, is
// put into the condition.
func (s *DatasetScan) bindPart(p *datasetPart, files []*File) error {
	p.query = s.query
	if p.query.Memory <= 0 {
		p.query.Memory = defaultMemory
	}
	p.query.Memory = max(p.query.Memory/int64(s.together), leastMemory)
	p.query.Select, p.from = s.selectFrom(p.file)
	if s.query.Where == nil {
		return nil
	}
	var err, wrong error
	p.query.Where, err = predicate.Given(s.query.Where, s.query.Text, func(name string) (predicate.Known, bool) {
		if n := p.file.nodeOf(name); n != nil {
			return predicate.Known{Double: true}, n.Column != nil && n.Column.Type == metadata.Float && s.isDouble(files, name)
		}
		if wrong = cmp.Or(wrong, p.file.ambiguous(name)); wrong != nil {
			return predicate.Known{}, false
		}
		if n := s.anywhere(files, name); n != nil {
			if _, key := s.data.key(name); key {
				wrong = s.data.mixed(name, files)
			}
			return predicate.Known{Column: nullOf(n, name)}, true
		}
		return s.data.known(p.member, name)
	})
	if wrong != nil {
		return wrong
	}
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

// isDouble reports whether a column of FLOATs is one of DOUBLEs in the table.
func (s *DatasetScan) isDouble(files []*File, name string) bool {
	return slices.ContainsFunc(files, func(f *File) bool {
		n := f.nodeOf(name)
		return n != nil && n.Column != nil && n.Column.Type == metadata.Double
	})
}

// nullOf is a column that is NULL in every row, as one that another file has.
func nullOf(n *metadata.Node, name string) *metadata.Column {
	if n.Column != nil && n.Rep == 0 {
		return metadata.NewColumn(name, n.Column.Type, n.Column.Logical)
	}
	return metadata.NewColumn(name, metadata.Int32, metadata.Logical{})
}
