package schema

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"github.com/parequet/pare"
	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/source"
)

// differences are the types that differ, with the reason. A key is the column's
// kind, pare's type and arrow-go's.
var differences = map[string]string{
	"ENUM: utf8 / binary": "the names of an enumeration are text",
	"JSON: utf8 / binary": "JSON is text; its name as an extension type is in the field's metadata",
	"UUID: fixed_size_binary[16] / extension<arrow.uuid>":       "the name of the extension type is in the field's metadata, so that nothing has to be registered",
	"INTERVAL: month_day_nano_interval / fixed_size_binary[12]": "Arrow has a type that loses nothing",
	"INTERVAL: month_day_nano_interval / null":                  "some writers put the logical type UNKNOWN beside the converted type INTERVAL; the values are there",
	"INT96: timestamp[us] / timestamp[ns, tz=UTC]":              "nanoseconds end in 2262, and INT96 has no zone; nanoseconds by option",
	"INT32: int32 / null":                                       "converted type 25, which old writers gave to columns of nulls, is none of the format's",
}

// flatField is a flat column in both libraries.
type flatField struct {
	column *metadata.Column
	pare   arrow.Field
	node   *schema.PrimitiveNode
}

// open opens a file in both libraries and pairs their flat columns. ok is
// false if arrow-go does not open the file.
func open(t *testing.T, path string) (fields []flatField, ok bool) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	root := openArrow(data)
	if root == nil {
		return nil, false
	}
	f, err := pare.Open(context.Background(), source.Memory(data), pare.Options{})
	if err != nil {
		t.Logf("%s: pare does not open what arrow-go opens: %v", path, err)
		return nil, false
	}
	children := f.Metadata().Schema.Root.Children
	if root.NumFields() != len(children) {
		t.Errorf("%s: %d fields, arrow-go has %d", path, len(children), root.NumFields())
		return nil, false
	}
	arrows := f.ArrowSchema()
	next := 0 // of the Arrow fields: groups without columns have none
	for i, child := range children {
		at, leaves := next, 0
		child.Leaves(func(*metadata.Column) { leaves++ })
		if leaves > 0 {
			next++
		}
		node, primitive := root.Field(i).(*schema.PrimitiveNode)
		flat := primitive && node.RepetitionType() != parquet.Repetitions.Repeated
		if (child.Column != nil && child.Column.Flat()) != flat {
			t.Errorf("%s: column %s is flat for arrow-go: %v", path, child.Name, flat)
			return nil, false
		}
		if flat {
			fields = append(fields, flatField{child.Column, arrows.Field(at), node})
		}
	}
	if arrows.NumFields() != next {
		t.Errorf("%s: %d Arrow fields for %d columns", path, arrows.NumFields(), next)
	}
	return fields, true
}

// openArrow returns a file's root, or nil if arrow-go cannot open it.
func openArrow(data []byte) (root *schema.GroupNode) {
	defer func() {
		if recover() != nil {
			root = nil // some damaged files panic
		}
	}()
	f, err := file.NewParquetReader(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	return f.MetaData().Schema.Root()
}

// arrowField converts a column on its own, so that another one that arrow-go
// refuses does not hide it.
func (f flatField) arrowField() (field arrow.Field, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	root, err := schema.NewGroupNode("schema", parquet.Repetitions.Required, schema.FieldList{f.node}, -1)
	if err != nil {
		return field, err
	}
	s, err := pqarrow.FromParquet(schema.NewSchema(root), nil, nil)
	if err != nil {
		return field, err
	}
	return s.Field(0), nil
}

// kind names a column's logical type or, without one, its physical type.
func (f flatField) kind() string {
	switch f.column.Logical.Kind {
	case metadata.Enum:
		return "ENUM"
	case metadata.JSON:
		return "JSON"
	case metadata.UUID:
		return "UUID"
	case metadata.Interval:
		return "INTERVAL"
	}
	if f.column.Logical.String() != "" {
		return f.column.Logical.String()
	}
	return f.column.Type.String()
}

// check compares a field and returns the difference that it is an example of.
func (f flatField) check(t *testing.T, path string) (difference string) {
	t.Helper()
	want, err := f.arrowField()
	if err != nil {
		t.Logf("%s: arrow-go refuses column %s (%s): %v", path, f.column.Name, f.column.TypeName(), err)
		return ""
	}
	if f.pare.Name != want.Name || f.pare.Nullable != want.Nullable {
		t.Errorf("%s: field %v, arrow-go has %v", path, f.pare, want)
	}
	if arrow.TypeEqual(f.pare.Type, want.Type) {
		return ""
	}
	difference = fmt.Sprintf("%s: %v / %v", f.kind(), f.pare.Type, want.Type)
	if differences[difference] == "" {
		t.Errorf("%s: column %s (%s): %s", path, f.column.Name, f.column.TypeName(), difference)
	}
	if id := f.pare.Metadata.ToMap()["ARROW:extension:name"]; f.column.Logical.Kind == metadata.UUID && id != "arrow.uuid" {
		t.Errorf("%s: the UUID column %s is the extension type %q", path, f.column.Name, id)
	}
	return difference
}

// checkFile compares all flat columns of a file.
func checkFile(t *testing.T, path string, met map[string]int) (columns int) {
	t.Helper()
	fields, _ := open(t, path)
	for _, f := range fields {
		if d := f.check(t, path); d != "" {
			met[d]++
		}
	}
	return len(fields)
}

func TestFixtures(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/fixtures/*.parquet")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	columns, met := 0, map[string]int{}
	for _, path := range paths {
		columns += checkFile(t, path, met)
	}
	if columns < 300 || len(met) < 4 {
		t.Errorf("only %d columns, differences met: %v", columns, met)
	}
}

// TestCorpus wants every difference of the table to occur.
func TestCorpus(t *testing.T) {
	root := os.Getenv("PARE_CORPUS")
	if root == "" {
		t.Skip("PARE_CORPUS names no folder")
	}
	files, columns, met := 0, 0, map[string]int{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !isParquet(path) {
			return err
		}
		files++
		columns += checkFile(t, path, met)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d files, %d flat columns, differences met: %v", files, columns, met)
	for d, why := range differences {
		if met[d] == 0 {
			t.Errorf("no column is %s (%s)", d, why)
		}
	}
}

// isParquet reports whether a file starts as a Parquet file; not all are named
// so.
func isParquet(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	var magic [4]byte
	_, err = f.Read(magic[:])
	return err == nil && string(magic[:]) == "PAR1"
}
