package column

import (
	"encoding/binary"
	"fmt"
	"math"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/parequet/pare/internal/membuf"
	"github.com/parequet/pare/metadata"
)

// ToArrow turns a vector into an Arrow array of the given type, which
// [Field] chose. The array takes over the vector's memory and gives it back
// when it is released: the vector is empty afterwards.
func ToArrow(v *Vector, dt arrow.DataType) (arrow.Array, error) {
	defer v.Forget()
	if dt.ID() == arrow.NULL {
		return array.NewNull(v.Rows), nil
	}
	if t, ok := dt.(*arrow.DictionaryType); ok {
		return toDictionary(v, t)
	}
	buffers := []*memory.Buffer{nil, nil}
	if v.Nulls > 0 {
		buffers[0] = owned(v.Valid)
	}
	switch dt.ID() {
	case arrow.STRING, arrow.BINARY:
		offsets, data, err := byteArrays(v)
		if err != nil {
			return nil, err
		}
		buffers = []*memory.Buffer{buffers[0], owned(arrow.Int32Traits.CastToBytes(offsets)), owned(data)}
	default:
		values, err := fixedValues(v, dt)
		if err != nil {
			return nil, err
		}
		buffers[1] = owned(values)
		if unsafe.SliceData(values) != unsafe.SliceData(v.Fixed) {
			membuf.Put(v.Fixed)
		}
	}
	if v.Nulls == 0 {
		membuf.Put(v.Valid)
	}
	return arrayOf(dt, v, buffers, nil), nil
}

// owned is a buffer that gives its memory back when it is released.
func owned(b []byte) *memory.Buffer { return memory.NewBufferWithAllocator(b, membuf.Allocator{}) }

// arrayOf makes an array that holds the only references to its buffers.
func arrayOf(dt arrow.DataType, v *Vector, buffers []*memory.Buffer, dictionary arrow.ArrayData) arrow.Array {
	var data *array.Data
	if dictionary == nil {
		data = array.NewData(dt, v.Rows, buffers, nil, v.Nulls, 0)
	} else {
		data = array.NewDataWithDictionary(dt, v.Rows, buffers, v.Nulls, 0, dictionary.(*array.Data))
	}
	defer data.Release()
	for _, b := range buffers {
		if b != nil {
			b.Release()
		}
	}
	return array.MakeFromData(data)
}

// byteArrays returns values as offsets and bytes, also those of fixed length.
func byteArrays(v *Vector) ([]int32, []byte, error) {
	if v.Width < 0 {
		return v.Binary.Offsets, v.Binary.Data, nil
	}
	if int64(v.Rows)*int64(v.Width) > math.MaxInt32 {
		return nil, nil, fmt.Errorf("pare: %d strings of %d bytes do not fit into one batch", v.Rows, v.Width)
	}
	offsets := membuf.GrowOf[int32](nil, v.Rows+1)[:v.Rows+1]
	for i := range offsets {
		offsets[i] = int32(i * v.Width)
	}
	return offsets, v.Fixed, nil
}

// fixedValues returns values in the layout of a fixed-width Arrow type.
func fixedValues(v *Vector, dt arrow.DataType) ([]byte, error) {
	switch dt.ID() {
	case arrow.BOOL:
		return packBits(v.Fixed), nil
	case arrow.INT8, arrow.UINT8:
		return narrow(v.Fixed, 1), nil
	case arrow.INT16, arrow.UINT16:
		return narrow(v.Fixed, 2), nil
	case arrow.INTERVAL_MONTH_DAY_NANO:
		return intervals(v.Fixed), nil
	case arrow.DECIMAL128:
		return decimals(v, 16)
	case arrow.DECIMAL256:
		return decimals(v, 32)
	}
	if v.Column.Type == metadata.Int96 {
		return timestamps(v.Fixed, dt.(*arrow.TimestampType).Unit), nil
	}
	return v.Fixed, nil
}

func packBits(bools []byte) []byte {
	out := make([]byte, (len(bools)+7)/8)
	for i, b := range bools {
		out[i>>3] |= b & 1 << (i & 7)
	}
	return out
}

// narrow keeps the low width bytes of 4-byte integers.
func narrow(b []byte, width int) []byte {
	n := len(b) / 4
	out := b[:n*width] // in place: it never overtakes the reading
	for i := range n {
		copy(out[i*width:(i+1)*width], b[4*i:])
	}
	return out
}

// timestamps converts INT96 values.
func timestamps(b []byte, unit arrow.TimeUnit) []byte {
	n := len(b) / 12
	convert := metadata.Int96Micros
	if unit == arrow.Nanosecond {
		convert = metadata.Int96Nanos
	}
	for i := range n { // in place
		binary.LittleEndian.PutUint64(b[8*i:], uint64(convert(b[12*i:12*i+12])))
	}
	return b[:8*n]
}

// intervals converts months, days and milliseconds to Arrow's months, days
// and nanoseconds.
func intervals(b []byte) []byte {
	n := len(b) / 12
	out := make([]byte, 16*n)
	for i := range n {
		copy(out[16*i:16*i+8], b[12*i:])
		millis := binary.LittleEndian.Uint32(b[12*i+8:])
		binary.LittleEndian.PutUint64(out[16*i+8:], uint64(millis)*1e6)
	}
	return out
}

// decimals converts integers of any layout to little-endian two's complement
// of width bytes. A value that does not fit is an error.
func decimals(v *Vector, width int) ([]byte, error) {
	out := make([]byte, v.Rows*width)
	for i := range v.Rows {
		dst := out[i*width : (i+1)*width]
		src := v.bytes(i)
		switch v.Column.Type {
		case metadata.Int32, metadata.Int64:
			copy(dst, src)
			signExtend(dst[len(src):], src[len(src)-1])
		default: // big-endian
			if !v.IsValid(i) || len(src) == 0 {
				continue
			}
			for len(src) > width {
				if sign := byte(int8(src[1]) >> 7); src[0] != sign {
					return nil, &metadata.FormatError{Piece: "column " + v.Column.Name, Offset: -1,
						Msg: fmt.Sprintf("a decimal of %d bytes exceeds %v", len(src), v.Column.Logical)}
				}
				src = src[1:]
			}
			for k, b := range src {
				dst[len(src)-1-k] = b
			}
			signExtend(dst[len(src):], src[0])
		}
	}
	return out, nil
}

// signExtend fills dst with the sign of the byte below it.
func signExtend(dst []byte, top byte) {
	if top&0x80 != 0 {
		for i := range dst {
			dst[i] = 0xff
		}
	}
}
