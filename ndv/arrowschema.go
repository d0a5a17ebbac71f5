package ndv

import (
	"encoding/base64"
	"strings"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/parequet/pare/metadata"
)

// arrowSchemaKey is where Arrow's writers keep the schema of what they wrote, as
// an encapsulated IPC message in base64.
const arrowSchemaKey = "ARROW:schema"

// arrowDictionary reports whether a top-level column was an Arrow dictionary:
// such columns are written with the whole dictionary in every row group, used or
// not.
func arrowDictionary(f *metadata.File, c *metadata.Column) (is bool) {
	if !c.Flat() {
		return false
	}
	for _, kv := range f.KeyValue {
		if string(kv.Key) != arrowSchemaKey {
			continue
		}
		b, err := base64.StdEncoding.DecodeString(string(kv.Value))
		if err != nil || len(b) < 12 {
			return true // it cannot be told
		}
		return dictionaryField(b, c.Name)
	}
	// Arrow's writers need not keep the schema; texts may be categories then.
	app := f.Writer.App
	return c.Type == metadata.ByteArray && (strings.HasPrefix(app, "parquet-cpp-arrow") || app == "parquet-go")
}

// dictionaryField looks a field up in a message: Message.header is the Schema,
// Schema.fields are the Fields, Field.dictionary is set for dictionaries. What
// cannot be read may be one.
func dictionaryField(b []byte, name string) (is bool) {
	defer func() {
		if recover() != nil { // offsets outside the buffer
			is = true
		}
	}()
	if flatbuffers.GetUint32(b) == 0xffffffff { // the continuation mark
		b = b[4:]
	}
	b = b[4:] // the length of the metadata
	table := func(t flatbuffers.Table, slot flatbuffers.VOffsetT) (flatbuffers.Table, bool) {
		o := t.Offset(slot)
		if o == 0 {
			return t, false
		}
		return flatbuffers.Table{Bytes: t.Bytes, Pos: t.Indirect(t.Pos + flatbuffers.UOffsetT(o))}, true
	}
	schema, ok := table(flatbuffers.Table{Bytes: b, Pos: flatbuffers.GetUOffsetT(b)}, 8)
	if !ok {
		return true
	}
	o := schema.Offset(6)
	if o == 0 {
		return false
	}
	fields := schema.Vector(flatbuffers.UOffsetT(o))
	for i := range schema.VectorLen(flatbuffers.UOffsetT(o)) {
		field := flatbuffers.Table{Bytes: b, Pos: schema.Indirect(fields + flatbuffers.UOffsetT(4*i))}
		if o := field.Offset(4); o != 0 && field.String(field.Pos+flatbuffers.UOffsetT(o)) == name {
			return field.Offset(12) != 0
		}
	}
	return false
}
