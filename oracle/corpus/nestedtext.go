package corpus

import (
	"fmt"
	"hash/maphash"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// The text form of nested values: [a, b] for lists and maps, whose elements are
// structs of a key and a value, {x: a, y: b} for structs. A null inside is NULL.

// inside renders a value in a list or struct.
func inside(text string) string {
	switch {
	case text == "":
		return "NULL"
	case text[0] == '\'':
		return strconv.Quote(text[1:])
	}
	return text
}

// listText joins the elements from..to of a list.
func listText(from, to int, element func(i int) string) string {
	var b strings.Builder
	b.WriteByte('[')
	for i := from; i < to; i++ {
		if i > from {
			b.WriteString(", ")
		}
		b.WriteString(inside(element(i)))
	}
	b.WriteByte(']')
	return shortened(b.String())
}

// longestNested is the most bytes of a nested value that are kept as they are.
const longestNested = 512

// shortened keeps the start of a long text, its length and a hash.
func shortened(text string) string {
	if len(text) <= longestNested {
		return text
	}
	return fmt.Sprintf("%s… #%d#%016x", strings.ToValidUTF8(text[:longestNested], ""), len(text), maphash.String(seed, text))
}

// structText joins the fields of a struct.
func structText(names []string, field func(k int) string) string {
	var b strings.Builder
	b.WriteByte('{')
	for k, name := range names {
		if k > 0 {
			b.WriteString(", ")
		}
		b.WriteString(name + ": " + inside(field(k)))
	}
	b.WriteByte('}')
	return shortened(b.String())
}

// nestedKind is the kind of a list or struct of some kinds. DuckDB has no
// instants of every unit, and which times are instants is compared in flat
// columns.
func nestedKind(form string, of ...Kind) Kind {
	parts := make([]string, len(of))
	for i, k := range of {
		if parts[i] = string(k); k == TimestampTZ {
			parts[i] = string(Timestamp)
		}
	}
	return Kind(form + "(" + strings.Join(parts, ", ") + ")")
}

// arrowNestedText is arrowText for lists, maps and structs.
func arrowNestedText(a arrow.Array) (text func(i int) string, kind Kind, err error) {
	switch a := a.(type) {
	case *array.Struct:
		names, kinds := make([]string, a.NumField()), make([]Kind, a.NumField())
		texts := make([]func(i int) string, a.NumField())
		for k := range names {
			names[k] = a.DataType().(*arrow.StructType).Field(k).Name
			if texts[k], kinds[k], err = arrowText(a.Field(k)); err != nil {
				return nil, "", err
			}
			texts[k] = nullable(a.Field(k), texts[k])
		}
		return func(i int) string {
			return structText(names, func(k int) string { return texts[k](i) })
		}, nestedKind("struct", kinds...), nil
	case array.ListLike:
		values := a.ListValues()
		if _, ok := a.(*array.Map); ok { // whatever the fields of its entries are called
			values = a.(*array.Map).ListValues()
			typ := arrow.StructOf(arrow.Field{Name: "key", Type: a.(*array.Map).Keys().DataType()}, arrow.Field{Name: "value", Type: a.(*array.Map).Items().DataType()})
			d := values.Data()
			values = array.NewStructData(array.NewData(typ, d.Len(), d.Buffers(), d.Children(), d.NullN(), d.Offset()))
		}
		element, kind, err := arrowText(values)
		if err != nil {
			return nil, "", err
		}
		element = nullable(values, element)
		return func(i int) string {
			from, to := a.ValueOffsets(i)
			return listText(int(from), int(to), element)
		}, nestedKind("list", kind), nil
	case array.ExtensionArray:
		return arrowText(a.Storage())
	}
	return nil, "", fmt.Errorf("no text form of Arrow's %v", a.DataType())
}

// nullable renders nulls, too.
func nullable(a arrow.Array, text func(i int) string) func(i int) string {
	return func(i int) string {
		if a.IsNull(i) {
			return ""
		}
		return text(i)
	}
}
