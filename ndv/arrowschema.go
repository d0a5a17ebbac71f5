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

// arrowDictionaries tells which top-level columns of a file were Arrow
// dictionaries: such columns are written with the whole dictionary in every row
// group, used or not.
func arrowDictionaries(f *metadata.File) func(c *metadata.Column) bool {
	for _, kv := range f.KeyValue {
		if string(kv.Key) != arrowSchemaKey {
			continue
		}
		names, ok := map[string]bool{}, false
		if b, err := base64.StdEncoding.DecodeString(string(kv.Value)); err == nil && len(b) >= 12 {
			ok = dictionaryFields(b, names)
		}
		return func(c *metadata.Column) bool { return c.Flat() && (names[c.Name] || !ok) } // if it cannot be told, it may be one
	}
	// Arrow's writers need not keep the schema; texts may be categories then.
	app := f.Writer.App
	arrow := strings.HasPrefix(app, "parquet-cpp-arrow") || app == "parquet-go"
	return func(c *metadata.Column) bool { return arrow && c.Flat() && c.Type == metadata.ByteArray }
}

// dictionaryFields names the fields of a message that are dictionaries:
// Message.header is the Schema, Schema.fields are the Fields, Field.dictionary is
// set for dictionaries. It reports whether all of that could be read.
func dictionaryFields(b []byte, names map[string]bool) (ok bool) {
	defer func() {
		if recover() != nil { // offsets outside the buffer
			ok = false
		}
	}()
	if flatbuffers.GetUint32(b) == 0xffffffff { // the continuation mark
		b = b[4:]
	}
	b = b[4:] // the length of the metadata
	message := flatbuffers.Table{Bytes: b, Pos: flatbuffers.GetUOffsetT(b)}
	header := message.Offset(8)
	if header == 0 {
		return false
	}
	schema := flatbuffers.Table{Bytes: b, Pos: message.Indirect(message.Pos + flatbuffers.UOffsetT(header))}
	o := flatbuffers.UOffsetT(schema.Offset(6))
	if o == 0 {
		return true
	}
	fields := schema.Vector(o)
	for i := range schema.VectorLen(o) {
		field := flatbuffers.Table{Bytes: b, Pos: schema.Indirect(fields + flatbuffers.UOffsetT(4*i))}
		name := field.Offset(4)
		if name == 0 {
			return false
		}
		if field.Offset(12) != 0 {
			names[field.String(field.Pos+flatbuffers.UOffsetT(name))] = true
		}
	}
	return true
}
