package column

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/parequet/pare/internal/membuf"
)

// toDictionary returns strings as an Arrow dictionary array: with the chunk's
// own dictionary if the vector holds indices, which may have values that no row
// of the batch has; else with the distinct values of the batch.
func toDictionary(v *Vector, t *arrow.DictionaryType) (arrow.Array, error) {
	if v.dict != nil {
		return v.withDictionary(t), nil
	}
	offsets, data, err := byteArrays(v)
	if err != nil {
		return nil, err
	}
	b := array.NewDictionaryBuilder(memory.DefaultAllocator, t).(*array.BinaryDictionaryBuilder)
	defer b.Release()
	b.Reserve(v.Rows)
	for i := range v.Rows {
		if !v.IsValid(i) {
			b.AppendNull()
		} else if err := b.Append(data[offsets[i]:offsets[i+1]]); err != nil {
			return nil, err
		}
	}
	membuf.Put(data)
	membuf.PutOf(offsets)
	membuf.Put(v.Valid)
	return b.NewArray(), nil
}

// withDictionary hands the indices on. The dictionary's values are shared by
// the arrays of all batches.
func (v *Vector) withDictionary(t *arrow.DictionaryType) arrow.Array {
	if v.values == nil || v.valuesOf != v.dict {
		if v.values != nil {
			v.values.Release()
		}
		words := &v.dict.Binary // it outlives the scan: the garbage collector has it
		data := array.NewData(t.ValueType, v.dict.N, []*memory.Buffer{nil, memory.NewBufferBytes(arrow.Int32Traits.CastToBytes(words.Offsets)), memory.NewBufferBytes(words.Data)}, nil, 0, 0)
		v.values, v.valuesOf = array.MakeFromData(data), v.dict
		data.Release()
	}
	buffers := []*memory.Buffer{nil, owned(arrow.Uint32Traits.CastToBytes(v.indices))}
	v.indices = nil
	if v.Nulls > 0 {
		buffers[0] = owned(v.Valid)
	} else {
		membuf.Put(v.Valid)
	}
	return arrayOf(t, v, buffers, v.values.Data())
}
