package metadata

import (
	"strings"
	"testing"
)

// element is one entry of a crafted schema list.
type element func(w *crafter)

func group(name string, children int32, rep Repetition) element {
	return func(w *crafter) { w.i32(3, int32(rep)); w.str(4, name); w.i32(5, children) }
}

func leaf(name string, typ Type, rep Repetition) element {
	return columnSpec{name: name, typ: typ, rep: rep}.schema
}

func parseSchema(elems ...element) (*Schema, error) {
	f, err := ParseFooter(fields(func(w *crafter) {
		w.list(2, tStruct, len(elems))
		for _, e := range elems {
			w.elem(e)
		}
	}), 1<<30)
	if err != nil {
		return nil, err
	}
	return f.Schema, nil
}

func TestSchemaTree(t *testing.T) {
	s, err := parseSchema(group("root", 3, Required),
		leaf("id", Int64, Required),
		group("list", 1, Optional), group("element", 2, Repeated), leaf("x", Double, Optional), leaf("y", ByteArray, Required),
		leaf("tags", ByteArray, Repeated))
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		name     string
		def, rep int
		flat     bool
	}{{"id", 0, 0, true}, {"list.element.x", 3, 1, false}, {"list.element.y", 2, 1, false}, {"tags", 1, 1, false}}
	if len(s.Columns) != len(want) || len(s.Root.Children) != 3 {
		t.Fatalf("%d columns, %d children", len(s.Columns), len(s.Root.Children))
	}
	for i, w := range want {
		c := s.Columns[i]
		if c.Index != i || c.Name != w.name || c.MaxDef != w.def || c.MaxRep != w.rep || c.Flat() != w.flat || c.FieldID != -1 {
			t.Errorf("%+v, want %+v", c, w)
		}
	}
}

// Sibling paths must not share memory.
func TestSchemaPathsAreApart(t *testing.T) {
	s, err := parseSchema(group("root", 1, Required), group("g", 3, Required), leaf("a", Int32, Required), leaf("b", Int32, Required), leaf("c", Int32, Required))
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"a", "b", "c"} {
		if c := s.Columns[i]; strings.Join(c.Path, ".") != "g."+name {
			t.Errorf("path %v of column %s", c.Path, name)
		}
	}
}

func TestSchemaErrors(t *testing.T) {
	deep := []element{group("root", 1, Required)}
	for range maxSchemaDepth + 1 {
		deep = append(deep, group("g", 1, Required))
	}
	for name, elems := range map[string][]element{
		"nothing":                     {},
		"children that are not there": {group("root", 2, Required), leaf("a", Int32, Required)},
		"a billion children":          {group("root", 1<<30, Required), leaf("a", Int32, Required)},
		"negative children":           {group("root", -1, Required)},
		"a group without children":    {group("root", 1, Required), group("g", 1, Required)},
		"an unknown repetition":       {group("root", 1, Required), leaf("a", Int32, 3)},
		"a negative repetition":       {group("root", 1, Required), leaf("a", Int32, -1)},
		"too deep":                    append(deep, leaf("a", Int32, Required)),
	} {
		if _, err := parseSchema(elems...); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestSchemaLenience(t *testing.T) {
	for name, elems := range map[string][]element{
		"elements left over":       {group("root", 1, Required), leaf("a", Int32, Required), leaf("b", Int32, Required)},
		"a root with a repetition": {group("root", 1, Repeated), leaf("a", Int32, Required)},
		"a root with a type": {func(w *crafter) { w.i32(1, 0); w.str(4, "root"); w.i32(5, 1) },
			leaf("a", Int32, Required)},
	} {
		s, err := parseSchema(elems...)
		if err != nil || len(s.Columns) != 1 || s.Columns[0].Name != "a" || s.Columns[0].MaxDef != 0 {
			t.Errorf("%s: %v, %v", name, s, err)
		}
	}
	s, err := parseSchema(group("root", 2, Required), group("empty", 0, Optional), leaf("a", Int32, Required))
	if err != nil || len(s.Columns) != 1 {
		t.Errorf("an empty group: %v, %v", s, err)
	}
	s, err = parseSchema(group("root", 0, Required))
	if err != nil || len(s.Columns) != 0 {
		t.Errorf("no columns: %v, %v", s, err)
	}
}

// A column of an unknown type spoils itself, not the file.
func TestSchemaProblemsStayInTheirColumn(t *testing.T) {
	logical := func(member int16, f func(w *crafter)) func(w *crafter) {
		return func(w *crafter) { w.sub(10, func(w *crafter) { w.sub(member, f) }) }
	}
	decimal := func(scale, precision int32) func(w *crafter) {
		return logical(5, func(w *crafter) { w.i32(1, scale); w.i32(2, precision) })
	}
	unit := func(member int16, of int16) func(w *crafter) {
		return logical(member, func(w *crafter) { w.bool(1, true); w.sub(2, func(w *crafter) { w.sub(of, nil) }) })
	}
	integer := func(bits byte) func(w *crafter) {
		return logical(10, func(w *crafter) { w.byteField(1, bits); w.bool(2, true) })
	}
	bad := []columnSpec{
		{name: "type 8", typ: 8}, {name: "type -2", typ: -2}, {name: "length -1", typ: FixedLenByteArray, length: -1},
		{name: "string of INT32", typ: Int32, element: logical(1, nil)},
		{name: "date of INT64", typ: Int64, element: logical(6, nil)},
		{name: "timestamp of INT32", typ: Int32, element: unit(8, 2)},
		{name: "timestamp without a unit", typ: Int64, element: logical(8, nil)},
		{name: "timestamp of unit 4", typ: Int64, element: unit(8, 4)},
		{name: "time of millis in INT64", typ: Int64, element: unit(7, 1)},
		{name: "time of micros in INT32", typ: Int32, element: unit(7, 2)},
		{name: "INT(64) in INT32", typ: Int32, element: integer(64)}, {name: "INT(8) in INT64", typ: Int64, element: integer(8)},
		{name: "INT(7)", typ: Int32, element: integer(7)}, {name: "INT(0)", typ: Int32, element: integer(0)},
		{name: "decimal of 10 digits in INT32", typ: Int32, element: decimal(0, 10)},
		{name: "decimal of 19 digits in INT64", typ: Int64, element: decimal(0, 19)},
		{name: "decimal of no digits", typ: Int64, element: decimal(0, 0)},
		{name: "decimal of scale 5 of 4", typ: Int64, element: decimal(5, 4)},
		{name: "decimal of negative scale", typ: Int64, element: decimal(-1, 4)},
		{name: "decimal of DOUBLE", typ: Double, element: decimal(1, 4)},
		{name: "decimal of no bytes", typ: FixedLenByteArray, element: decimal(1, 4)},
		{name: "UUID of 15 bytes", typ: FixedLenByteArray, length: 15, element: logical(14, nil)},
		{name: "FLOAT16 of 4 bytes", typ: FixedLenByteArray, length: 4, element: logical(15, nil)},
		{name: "FLOAT16 of FLOAT", typ: Float, element: logical(15, nil)},
		{name: "INTERVAL of 8 bytes", typ: FixedLenByteArray, length: 8, element: func(w *crafter) { w.i32(6, 21) }},
	}
	f := parseCrafted(t, fileSpec{columns: append(bad, columnSpec{name: "good", typ: Int32}), rows: 1})
	for _, col := range f.Schema.Columns[:len(bad)] {
		if col.Problem == "" {
			t.Errorf("%s has no problem", col.Name)
		}
		if _, err := f.RowGroups[0].Chunk(col); err == nil {
			t.Errorf("%s has a chunk", col.Name)
		}
	}
	if _, err := f.RowGroups[0].Chunk(f.Schema.Columns[len(bad)]); err != nil {
		t.Error(err)
	}
}

func TestSchemaLogicalTypes(t *testing.T) {
	logical := func(member int16, f func(w *crafter)) func(w *crafter) {
		return func(w *crafter) { w.sub(10, func(w *crafter) { w.sub(member, f) }) }
	}
	converted := func(c int32) func(w *crafter) { return func(w *crafter) { w.i32(6, c); w.i32(7, 2); w.i32(8, 9) } }
	for _, c := range []struct {
		col   columnSpec
		want  string
		order Order
	}{
		{columnSpec{typ: Int32}, "INT32", OrderInt},
		{columnSpec{typ: ByteArray, element: logical(1, nil)}, "BYTE_ARRAY STRING", OrderBytes},
		{columnSpec{typ: ByteArray, element: logical(99, nil)}, "BYTE_ARRAY", OrderBytes},
		{columnSpec{typ: ByteArray, element: converted(0)}, "BYTE_ARRAY STRING", OrderBytes},
		{columnSpec{typ: Int32, element: converted(5)}, "INT32 DECIMAL(9,2)", OrderInt},
		{columnSpec{typ: ByteArray, element: converted(5)}, "BYTE_ARRAY DECIMAL(9,2)", OrderDecimal},
		{columnSpec{typ: FixedLenByteArray, length: 5, element: converted(5)}, "FIXED_LEN_BYTE_ARRAY(5) DECIMAL(9,2)", OrderDecimal},
		{columnSpec{typ: Int32, element: converted(7)}, "INT32 TIME(MILLIS,UTC)", OrderInt},
		{columnSpec{typ: Int64, element: converted(10)}, "INT64 TIMESTAMP(MICROS,UTC)", OrderInt},
		{columnSpec{typ: Int32, element: converted(11)}, "INT32 UINT(8)", OrderInt},
		{columnSpec{typ: Int64, element: converted(14)}, "INT64 UINT(64)", OrderUint},
		{columnSpec{typ: Int32, element: converted(16)}, "INT32 INT(16)", OrderInt},
		{columnSpec{typ: FixedLenByteArray, length: 12, element: converted(21)}, "FIXED_LEN_BYTE_ARRAY(12) INTERVAL", OrderNone},
		{columnSpec{typ: FixedLenByteArray, length: 2, element: logical(15, nil)}, "FIXED_LEN_BYTE_ARRAY(2) FLOAT16", OrderFloat},
		{columnSpec{typ: FixedLenByteArray, length: 16, element: logical(14, nil)}, "FIXED_LEN_BYTE_ARRAY(16) UUID", OrderBytes},
		{columnSpec{typ: Int64, element: logical(8, func(w *crafter) { w.bool(1, false); w.sub(2, func(w *crafter) { w.sub(3, nil) }) })},
			"INT64 TIMESTAMP(NANOS,local)", OrderInt},
		{columnSpec{typ: Int32, element: logical(10, func(w *crafter) { w.byteField(1, 32); w.bool(2, false) })}, "INT32 UINT(32)", OrderInt},
	} {
		c.col.name = "a"
		col := parseCrafted(t, fileSpec{columns: []columnSpec{c.col}, rows: 1}).Schema.Columns[0]
		if col.TypeName() != c.want || col.Order != c.order || col.Problem != "" {
			t.Errorf("%s of order %d, %q; want %s of order %d", col.TypeName(), col.Order, col.Problem, c.want, c.order)
		}
	}
}

// parquet-mr writes INTERVAL as the logical type UNKNOWN beside the converted
// type INTERVAL. Such a column holds intervals.
func TestSchemaUnknownBesideIntervalIsInterval(t *testing.T) {
	col := parseCrafted(t, fileSpec{rows: 1, columns: []columnSpec{{name: "a", typ: FixedLenByteArray, length: 12, rep: Optional, element: func(w *crafter) {
		w.i32(6, 21)
		w.sub(10, func(w *crafter) { w.sub(11, nil) })
	}}}}).Schema.Columns[0]
	if col.Logical.Kind != Interval {
		t.Errorf("the column is %s", col.TypeName())
	}
}

func TestLookup(t *testing.T) {
	s, err := parseSchema(group("root", 4, Required), leaf("Name", Int32, Required), leaf("NAME", Int32, Required), leaf("Straße", Int32, Required), leaf("x", Int32, Required))
	if err != nil {
		t.Fatal(err)
	}
	if c, _ := s.Lookup("NAME"); c == nil || c.Index != 1 {
		t.Errorf("an exact name: %v", c)
	}
	if c, many := s.Lookup("name"); c != nil || len(many) != 2 {
		t.Errorf("two names without regard to case: %v, %v", c, many)
	}
	if c, _ := s.Lookup("X"); c == nil || c.Index != 3 {
		t.Errorf("one name without regard to case: %v", c)
	}
	if c, many := s.Lookup("nothing"); c != nil || many != nil {
		t.Errorf("no name: %v, %v", c, many)
	}
}

// A name is repeated in every leaf below it. A small footer must not make
// gigabytes of them.
func TestSchemaNamesDoNotMultiply(t *testing.T) {
	const leaves = 3000
	elems := []element{group("root", 1, Required), group(strings.Repeat("n", 20_000), leaves, Required)}
	for range leaves {
		elems = append(elems, func(w *crafter) { w.i32(1, 1) })
	}
	raw := fields(func(w *crafter) {
		w.list(2, tStruct, len(elems))
		for _, e := range elems {
			w.elem(e)
		}
	})
	if held := allocated(func() { _, _ = ParseFooter(raw, 1<<30) }); held > allocLimit(len(raw)) {
		t.Errorf("%d bytes allocated for a footer of %d", held, len(raw))
	}
}
