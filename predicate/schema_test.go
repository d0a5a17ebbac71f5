package predicate

import (
	"testing"

	"github.com/parequet/pare/metadata"
)

// The schema of the tests: a column of every type, named after it. A name
// ends in _r if the column is required.

func testOrder(c *metadata.Column) metadata.Order {
	byteLike := c.Type == metadata.ByteArray || c.Type == metadata.FixedLenByteArray
	switch l := c.Logical; {
	case l.Kind == metadata.Interval:
		return metadata.OrderNone
	case l.Kind == metadata.Float16, c.Type == metadata.Float, c.Type == metadata.Double:
		return metadata.OrderFloat
	case l.Kind == metadata.Decimal && byteLike:
		return metadata.OrderDecimal
	case l.Kind == metadata.Integer && !l.Signed && l.Bits == 64:
		return metadata.OrderUint
	case byteLike:
		return metadata.OrderBytes
	}
	return metadata.OrderInt
}

func column(name string, t metadata.Type, length int32, l metadata.Logical) *metadata.Column {
	c := &metadata.Column{Path: []string{name}, Name: name, Type: t, TypeLength: length, Logical: l,
		Repetition: metadata.Optional, FieldID: -1, MaxDef: 1}
	if n := len(name); n > 2 && name[n-2:] == "_r" {
		c.Repetition, c.MaxDef = metadata.Required, 0
	}
	c.Order = testOrder(c)
	return c
}

func integer(bits int8, signed bool) metadata.Logical {
	return metadata.Logical{Kind: metadata.Integer, Bits: bits, Signed: signed}
}

func decimal(precision, scale int32) metadata.Logical {
	return metadata.Logical{Kind: metadata.Decimal, Precision: precision, Scale: scale}
}

func timed(k metadata.LogicalKind, u metadata.TimeUnit, utc bool) metadata.Logical {
	return metadata.Logical{Kind: k, Unit: u, UTC: utc}
}

func kind(k metadata.LogicalKind) metadata.Logical { return metadata.Logical{Kind: k} }

func schemaOf(cols ...*metadata.Column) *metadata.Schema {
	s := &metadata.Schema{Root: &metadata.Node{Name: "schema"}}
	for i, c := range cols {
		c.Index = i
		s.Columns = append(s.Columns, c)
		s.Root.Children = append(s.Root.Children, &metadata.Node{Name: c.Name, Repetition: c.Repetition, Logical: c.Logical, Column: c})
	}
	return s
}

func typedColumns() []*metadata.Column {
	const i32, i64, blob, fixed = metadata.Int32, metadata.Int64, metadata.ByteArray, metadata.FixedLenByteArray
	none := metadata.Logical{}
	return []*metadata.Column{
		column("i8", i32, 0, integer(8, true)),
		column("i32", i32, 0, none),
		column("i32_r", i32, 0, none),
		column("i64", i64, 0, none),
		column("i64_r", i64, 0, integer(64, true)),
		column("u8", i32, 0, integer(8, false)),
		column("u32", i32, 0, integer(32, false)),
		column("u64", i64, 0, integer(64, false)),
		column("u64_r", i64, 0, integer(64, false)),
		column("f16", fixed, 2, kind(metadata.Float16)),
		column("f32", metadata.Float, 0, none),
		column("f64", metadata.Double, 0, none),
		column("f64_r", metadata.Double, 0, none),
		column("s", blob, 0, kind(metadata.String)),
		column("s_r", blob, 0, kind(metadata.String)),
		column("bin", blob, 0, none),
		column("id", fixed, 16, kind(metadata.UUID)),
		column("b", metadata.Boolean, 0, none),
		column("b_r", metadata.Boolean, 0, none),
		column("d", i32, 0, kind(metadata.Date)),
		column("t_ms", i32, 0, timed(metadata.Time, metadata.Millis, true)),
		column("t_us", i64, 0, timed(metadata.Time, metadata.Micros, true)),
		column("t_ns", i64, 0, timed(metadata.Time, metadata.Nanos, false)),
		column("ts_ms", i64, 0, timed(metadata.Timestamp, metadata.Millis, true)),
		column("ts_us", i64, 0, timed(metadata.Timestamp, metadata.Micros, false)),
		column("ts_ns", i64, 0, timed(metadata.Timestamp, metadata.Nanos, true)),
		column("ts_us_r", i64, 0, timed(metadata.Timestamp, metadata.Micros, true)),
		column("dec9", i32, 0, decimal(9, 2)),
		column("dec18", i64, 0, decimal(18, 2)),
		column("dec38", fixed, 16, decimal(38, 10)),
		column("decb", blob, 0, decimal(20, 0)),
		column("i96", metadata.Int96, 0, none),
		column("iv", fixed, 12, kind(metadata.Interval)),
	}
}

// bindString parses and binds a text and renders what is tested.
func bindString(t *testing.T, text string, schema *metadata.Schema) string {
	t.Helper()
	x, err := Parse(text)
	if err != nil {
		return "parse: " + err.Error()
	}
	b, err := BindText(x, schema, text)
	if err != nil {
		return "bind: " + err.Error()
	}
	return b.String()
}

type bindCase struct{ text, want string }

func runBind(t *testing.T, schema *metadata.Schema, cases []bindCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.text, func(t *testing.T) {
			if got := bindString(t, c.text, schema); got != c.want {
				t.Errorf("\n text %s\n  got %s\n want %s", c.text, got, c.want)
			}
		})
	}
}

func mustBind(t interface {
	Helper()
	Fatalf(format string, args ...any)
}, text string, schema *metadata.Schema) *Bound {
	t.Helper()
	x, err := Parse(text)
	if err != nil {
		t.Fatalf("parsing %s: %v", text, err)
	}
	b, err := BindText(x, schema, text)
	if err != nil {
		t.Fatalf("binding %s: %v", text, err)
	}
	return b
}

// passes evaluates a bound tree on a row by Test and TestNull alone; a nil
// value is NULL.
func passes(n Node, value func(*metadata.Column) *metadata.Value) bool {
	switch n := n.(type) {
	case Const:
		return bool(n)
	case *AndNode:
		for _, k := range n.Kids {
			if !passes(k, value) {
				return false
			}
		}
		return true
	case *OrNode:
		for _, k := range n.Kids {
			if passes(k, value) {
				return true
			}
		}
		return false
	}
	leaf := n.(Leaf)
	if v := value(leaf.Column()); v != nil {
		return leaf.Test(*v)
	}
	return leaf.TestNull()
}
