package main

import (
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// rowJSON appends the JSON of a row that is not null.
type rowJSON func(dst []byte, row int) []byte

// cellsOfParts renders a column whose arrays hold other arrays.
func cellsOfParts(col arrow.Array, field arrow.Field) cells {
	switch a := col.(type) {
	case *array.Dictionary: // none of its values is null
		values := cellsOfColumn(a.Dictionary(), arrow.Field{Type: field.Type.(*arrow.DictionaryType).ValueType, Metadata: field.Metadata})
		return cells{array: col, bare: values.bare, text: func(i int) string { return values.text(a.GetValueIndex(i)) }}
	case array.ExtensionArray:
		t := field.Type.(arrow.ExtensionType)
		return cellsOfColumn(a.Storage(), arrow.Field{Type: t.StorageType(), Metadata: arrow.NewMetadata([]string{extensionName}, []string{t.ExtensionName()})})
	}
	c := cells{array: col, json: nestedJSON(col, field.Type)}
	var buf []byte
	c.text = func(i int) string {
		buf = c.json(buf[:0], i)
		return string(buf)
	}
	return c
}

// nestedJSON writes a column of structs, lists or maps as compact JSON. What is
// inside has the form that it has in a column of its own.
func nestedJSON(col arrow.Array, t arrow.DataType) rowJSON {
	switch a := col.(type) {
	case *array.Struct:
		return structJSON(a, t.(*arrow.StructType))
	case *array.Map: // is ListLike, too
		return mapJSON(a, t.(*arrow.MapType))
	}
	return listJSON(col.(array.ListLike), t.(arrow.ListLikeType).ElemField())
}

func structJSON(a *array.Struct, t *arrow.StructType) rowJSON {
	fields := make([]cells, t.NumFields())
	names := make([][]byte, len(fields))
	for i := range fields {
		fields[i] = cellsOfColumn(a.Field(i), t.Field(i))
		names[i] = append(appendString(nil, t.Field(i).Name), ':')
	}
	return func(dst []byte, row int) []byte {
		dst = append(dst, '{')
		for i, f := range fields {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(dst, names[i]...)
			dst = f.appendJSON(dst, row)
		}
		return append(dst, '}')
	}
}

func listJSON(a array.ListLike, element arrow.Field) rowJSON {
	elements := cellsOfColumn(a.ListValues(), element)
	return func(dst []byte, row int) []byte {
		dst = append(dst, '[')
		from, to := a.ValueOffsets(row)
		for i := from; i < to; i++ {
			if i > from {
				dst = append(dst, ',')
			}
			dst = elements.appendJSON(dst, int(i))
		}
		return append(dst, ']')
	}
}

// mapJSON writes a map as an object if its keys are strings, else as an array of
// objects of a key and a value. So is a single map in which a key occurs twice:
// readers of JSON keep one of two members of the same name and say nothing.
func mapJSON(a *array.Map, t *arrow.MapType) rowJSON {
	entries := a.ListValues().(*array.Struct)
	key, value := cellsOfColumn(entries.Field(0), t.KeyField()), cellsOfColumn(entries.Field(1), t.ItemField())
	named := isText(t.KeyType())
	seen := keySet{}
	return func(dst []byte, row int) []byte {
		from, to := a.ValueOffsets(row)
		object := named && seen.distinct(key, int(from), int(to))
		ends := "[]"
		if object {
			ends = "{}"
		}
		dst = append(dst, ends[0])
		for i := int(from); i < int(to); i++ {
			if i > int(from) {
				dst = append(dst, ',')
			}
			if object {
				dst = append(key.appendJSON(dst, i), ':')
				dst = value.appendJSON(dst, i)
				continue
			}
			dst = key.appendJSON(append(dst, `{"key":`...), i)
			dst = value.appendJSON(append(dst, `,"value":`...), i)
			dst = append(dst, '}')
		}
		return append(dst, ends[1])
	}
}

func isText(t arrow.DataType) bool {
	if d, ok := t.(*arrow.DictionaryType); ok {
		t = d.ValueType
	}
	return t.ID() == arrow.STRING || t.ID() == arrow.LARGE_STRING || t.ID() == arrow.STRING_VIEW
}

// keySet is the keys of one map. It is used again for the next.
type keySet map[string]struct{}

// fewKeys are compared pair by pair, which is cheaper than hashing them.
const fewKeys = 8

// distinct reports whether the keys of the rows in [from, to) can be the names
// of an object. Keys that are not UTF-8 cannot: JSON writes what differs in them
// as the same replacement character.
func (s keySet) distinct(key cells, from, to int) bool {
	clear(s)
	for i := from; i < to; i++ {
		if key.isNull(i) {
			return false
		}
		k := key.text(i)
		if !utf8.ValidString(k) {
			return false
		}
		if to-from > fewKeys {
			if _, ok := s[k]; ok {
				return false
			}
			s[k] = struct{}{}
			continue
		}
		for j := from; j < i; j++ {
			if key.text(j) == k {
				return false
			}
		}
	}
	return true
}
