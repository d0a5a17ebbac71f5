package column

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/parequet/pare/internal/page"
	"github.com/parequet/pare/metadata"
)

// Push appends one value that was taken from a column of the same type, or
// NULL if val is nil.
func (v *Vector) Push(val *metadata.Value) error {
	v.Valid = extend(v.Valid, (v.Rows+8)/8)
	v.Rows++
	if val == nil {
		v.Nulls++
		if v.Width < 0 {
			return v.Binary.Push(nil)
		}
		v.Fixed = append(v.Fixed, make([]byte, v.Width)...)
		return nil
	}
	v.Valid[(v.Rows-1)>>3] |= 1 << ((v.Rows - 1) & 7)
	if v.Width < 0 {
		return v.Binary.Push(val.Bytes)
	}
	switch col := v.Column; col.Type {
	case metadata.Boolean:
		v.Fixed = append(v.Fixed, byte(val.Int))
	case metadata.Int32:
		v.Fixed = binary.LittleEndian.AppendUint32(v.Fixed, uint32(val.Int))
	case metadata.Int64:
		v.Fixed = binary.LittleEndian.AppendUint64(v.Fixed, uint64(val.Int))
	case metadata.Int96:
		v.Fixed = appendInt96(v.Fixed, val.Int)
	case metadata.Float:
		v.Fixed = binary.LittleEndian.AppendUint32(v.Fixed, math.Float32bits(float32(val.Float)))
	case metadata.Double:
		v.Fixed = binary.LittleEndian.AppendUint64(v.Fixed, math.Float64bits(val.Float))
	default:
		switch val.Order {
		case metadata.OrderFloat:
			v.Fixed = binary.LittleEndian.AppendUint16(v.Fixed, metadata.ToHalfFloat(val.Float))
		case metadata.OrderDecimal:
			v.Fixed = append(v.Fixed, page.Widen(val.Bytes, v.Width)...)
		default:
			v.Fixed = append(v.Fixed, val.Bytes...)
		}
	}
	return nil
}

// appendInt96 is the inverse of [metadata.Int96Micros].
func appendInt96(b []byte, micros int64) []byte {
	const day, epoch = 86_400_000_000, 2440588
	d := micros / day
	if micros%day < 0 {
		d--
	}
	b = binary.LittleEndian.AppendUint64(b, uint64(micros-d*day)*1000)
	return binary.LittleEndian.AppendUint32(b, uint32(d+epoch))
}

// Clone copies a value so that it outlives the buffer it was taken from.
func Clone(val metadata.Value) *metadata.Value {
	val.Bytes = slices.Clone(val.Bytes)
	return &val
}
