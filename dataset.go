package pare

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/parequet/pare/internal/column"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/predicate"
)

// DatasetOptions tune how a table of many files is opened and read. The zero value
// is useful.
type DatasetOptions struct {
	// File are the options of each file; their Name is not used.
	File Options
	// NoPartitions leaves the key=value folders of paths alone. Otherwise they are
	// columns, and files are ruled out by them before anything is read of them. A
	// column of the same name in the first file that they leave makes them be left
	// alone, too; where some files have it and others do not, a query that needs it is
	// an error.
	NoPartitions bool
	// FileColumn, if not empty, names a column of file names that is added.
	FileColumn string
	// Footers is a file of footers, such as [FindFooters] finds: the files that it
	// names (Member.Path), if their sizes are known, are planned by it, and their own
	// footers are not read. It may be older than they are, which shows only where it
	// does not fit them: rows may be lost by it then. The zero value is none.
	Footers Member
	// Open is how many files are opened at a time; 0 means 16.
	Open int
}

const defaultOpen = 16

// Dataset is a table of many files, in the order of its members. It is safe for
// concurrent use.
type Dataset struct {
	opt        DatasetOptions
	members    []Member
	keys       []string // of partitions, in the order of the first file's folders
	partitions map[string]partition
	values     []map[string]string // of each member, by key
}

// NewDataset makes a table of files. Nothing is read yet.
func NewDataset(members []Member, opt DatasetOptions) (*Dataset, error) {
	if len(members) == 0 {
		return nil, errors.New("pare: a table of no files")
	}
	if opt.Open <= 0 {
		opt.Open = defaultOpen
	}
	d := &Dataset{opt: opt, members: slices.Clone(members), partitions: map[string]partition{}}
	texts := map[string][]string{}
	for _, m := range members {
		keys, values := partitionsOf(m.Path)
		d.values = append(d.values, values)
		if opt.NoPartitions {
			continue
		}
		for _, k := range keys {
			if texts[k] == nil {
				d.keys = append(d.keys, k)
			}
			texts[k] = append(texts[k], values[k])
		}
	}
	for k, vs := range texts {
		d.partitions[k] = partitionType(k, vs)
	}
	return d, nil
}

// Members are the files of the table.
func (d *Dataset) Members() []Member { return slices.Clone(d.members) }

// known is what the path of a member says of a column.
func (d *Dataset) known(member int, name string) (predicate.Known, bool) {
	key, ok := d.key(name)
	if !ok {
		return predicate.Known{}, false
	}
	text, there := d.values[member][key]
	if !there {
		text = hiveNull
	}
	return d.partitions[key].known(text), true
}

// key finds a partition by a column's name: exactly, else without regard to case if
// only one matches that way.
func (d *Dataset) key(name string) (string, bool) {
	if _, ok := d.partitions[name]; ok {
		return name, true
	}
	found := ""
	for k := range d.partitions {
		if strings.EqualFold(k, name) {
			if found != "" {
				return "", false
			}
			found = k
		}
	}
	return found, found != ""
}

// pruned reports whether the path of a member rules it out; own are columns that
// files have themselves, of which paths say nothing.
func (d *Dataset) pruned(member int, q Query, own func(name string) bool) (bool, error) {
	if q.Where == nil || len(d.partitions) == 0 {
		return false, nil
	}
	x, err := predicate.Given(q.Where, q.Text, func(name string) (predicate.Known, bool) {
		if own(name) {
			return predicate.Known{}, false
		}
		return d.known(member, name)
	})
	return err == nil && predicate.Impossible(x), err
}

func (s *DatasetScan) fileOptions(m Member) Options {
	opt := s.data.opt.File.orDefaults()
	opt.figures, opt.beside = &s.figures, min(len(s.parts), s.data.opt.Open)
	opt.Name, opt.Identity, opt.Size, opt.Key = m.Name, m.Identity, m.Size, m.Key
	return opt
}

// open opens a member.
func (s *DatasetScan) open(ctx context.Context, member int) (*File, error) {
	m := s.data.members[member]
	if f, ok, err := s.openListed(ctx, m); ok {
		return f, err
	}
	return s.openMember(ctx, m)
}

// openMember opens a file by its own footer.
func (s *DatasetScan) openMember(ctx context.Context, m Member) (*File, error) {
	src, err := m.Open(ctx)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	f, err := Open(ctx, src, s.fileOptions(m))
	if c, ok := src.(interface{ Close() error }); ok {
		if err != nil {
			return nil, errors.Join(err, c.Close())
		}
		f.close = c.Close
	}
	return f, err
}

// wanted is a column of a table's result.
type wanted struct {
	field arrow.Field
	name  string // to select it of a file
	key   string // of a partition, "" for a column of files
	file  bool   // the names of the files
}

// nodeOf finds what a name selects of a file; nil if there is no such column.
func (f *File) nodeOf(name string) *metadata.Node {
	n, _ := f.meta.Schema.LookupNode(name)
	return n
}

// ambiguous is the error of a name that could be several columns of a file.
func (f *File) ambiguous(name string) error {
	_, several := f.meta.Schema.LookupNode(name)
	if len(several) == 0 {
		return nil
	}
	return f.named(fmt.Errorf("column %s is ambiguous; it may be %s", name, strings.Join(several, " or ")))
}

// mixed is the error of a name that some files have as a column, while of others only
// their paths tell it.
func (d *Dataset) mixed(name string, files []*File) error {
	var with, without *File
	for _, f := range files {
		if f.nodeOf(name) != nil {
			with = f
		} else {
			without = f
		}
	}
	return fmt.Errorf("column %s is in %s itself, but for %s only in its path; leave paths alone, or read these files apart", name, with.opt.Name, without.opt.Name)
}

// own is fieldOf, but for a name that without regard to case is another one of the
// result's columns, which the file has by its very name: then it lacks this one.
func (f *File) own(name string, others []string, opt column.ArrowOptions) (arrow.Field, bool) {
	n := f.nodeOf(name)
	if n != nil && n.Path() != name && slices.Contains(others, n.Path()) {
		return arrow.Field{}, false
	}
	return f.fieldOf(name, opt)
}

// fieldOf is the Arrow field of what a name selects.
func (f *File) fieldOf(name string, opt column.ArrowOptions) (arrow.Field, bool) {
	n := f.nodeOf(name)
	if n == nil {
		return arrow.Field{}, false
	}
	t := column.NewTree(outermost(n), within(n), opt)
	if t == nil {
		return arrow.Field{}, false
	}
	return t.Field, true
}

// columns lists the columns of the result: those asked for, else all of all files
// in the order in which they come up, then those of partitions; and their types.
func (d *Dataset) columns(files []*File, q Query) ([]wanted, error) {
	opt := q.arrow()
	var out []wanted
	names := q.Select
	if names == nil || slices.Contains(names, everyColumn) {
		var all []string
		seen := map[string]bool{}
		for _, f := range files {
			trees, _ := f.trees(opt)
			for _, t := range trees {
				name := t.Field.Name
				inAnotherCase := func(known string) bool {
					// As long as the file has no column of that very name itself.
					return strings.EqualFold(known, name) && f.nodeOf(known) == f.nodeOf(name)
				}
				if !seen[name] && !slices.ContainsFunc(all, inAnotherCase) {
					all = append(all, name)
				}
				seen[name] = true
			}
		}
		for _, k := range d.keys {
			if !slices.ContainsFunc(files, func(f *File) bool { return f.nodeOf(k) != nil }) {
				all = append(all, k)
			}
		}
		if names == nil {
			names = all
		} else if !seen[everyColumn] {
			names = expandAll(names, all)
		}
	}
	for _, name := range names {
		w, err := d.column(files, name, names, opt)
		if err != nil {
			return nil, err
		}
		out = append(out, w)
	}
	if name := d.opt.FileColumn; name != "" {
		for _, w := range out {
			if w.field.Name == name {
				return nil, fmt.Errorf("pare: the table has a column %s, that of file names needs another name", name)
			}
		}
		out = append(out, wanted{field: arrow.Field{Name: name, Type: arrow.BinaryTypes.String}, file: true})
	}
	for i := range out {
		for k := range out {
			if i != k && out[i].field.Name == out[k].field.Name && out[i].name != out[k].name {
				out[i].field.Name = out[i].name
			}
		}
	}
	return out, nil
}

// everyColumn in a list of columns stands for all that the table has, unless one
// is called so.
const everyColumn = "*"

func expandAll(names, all []string) (out []string) {
	for _, n := range names {
		if n == everyColumn {
			out = append(out, all...)
		} else {
			out = append(out, n)
		}
	}
	return out
}

// column unites what the files say of one column. A file's own column comes before
// a partition's of the same name.
// Of others, the names of all columns of the result, see [File.own].
func (d *Dataset) column(files []*File, name string, others []string, opt column.ArrowOptions) (wanted, error) {
	w := wanted{name: name}
	var first *File
	missing := false
	for _, f := range files {
		if err := f.ambiguous(name); err != nil {
			return w, err
		}
		field, ok := f.own(name, others, opt)
		switch {
		case !ok:
			missing = true
		case first == nil:
			first, w.field = f, field
		default:
			both, same := commonField(w.field, field)
			if !same {
				return w, fmt.Errorf("column %s is %v in %s and %v in %s", name, w.field.Type, first.opt.Name, field.Type, f.opt.Name)
			}
			w.field = both
		}
	}
	if _, key := d.key(name); key && first != nil && missing {
		return w, d.mixed(name, files)
	}
	if first != nil {
		w.field.Nullable = w.field.Nullable || missing
		return w, nil
	}
	if key, ok := d.key(name); ok {
		w.key = key
		w.field = column.Field(d.partitions[key].column, opt)
		return w, nil
	}
	_, err := predicate.ResolveNode(files[0].meta.Schema, name)
	if err == nil {
		return w, &metadata.UnsupportedError{Piece: "column " + name, Msg: errNoColumns.Error()}
	}
	return w, files[0].named(err)
}
