package orc

import (
	"errors"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// errWire says that bytes are no message.
var errWire = errors.New("malformed protocol buffer")

// field is one field of a message: num for varints and fixed numbers, bytes for
// the rest.
type field struct {
	id    protowire.Number
	typ   protowire.Type
	num   uint64
	bytes []byte
}

func (f field) zigzag() int64  { return protowire.DecodeZigZag(f.num) }
func (f field) float() float64 { return math.Float64frombits(f.num) }

// eachField calls f for every field of a message, in its order.
func eachField(b []byte, f func(field) error) error {
	for len(b) > 0 {
		id, typ, n := protowire.ConsumeTag(b)
		if n < 0 {
			return errWire
		}
		b = b[n:]
		x := field{id: id, typ: typ}
		switch typ {
		case protowire.VarintType:
			x.num, n = protowire.ConsumeVarint(b)
		case protowire.Fixed64Type:
			x.num, n = protowire.ConsumeFixed64(b)
		case protowire.Fixed32Type:
			var v uint32
			v, n = protowire.ConsumeFixed32(b)
			x.num = uint64(v)
		case protowire.BytesType:
			x.bytes, n = protowire.ConsumeBytes(b)
		default:
			n = protowire.ConsumeFieldValue(id, typ, b)
		}
		if n < 0 {
			return errWire
		}
		b = b[n:]
		if err := f(x); err != nil {
			return err
		}
	}
	return nil
}

// varints appends a repeated integer, packed or not.
func varints(to []uint64, f field) ([]uint64, error) {
	if f.typ == protowire.VarintType {
		return append(to, f.num), nil
	}
	for b := f.bytes; len(b) > 0; {
		v, n := protowire.ConsumeVarint(b)
		if n < 0 {
			return to, errWire
		}
		to, b = append(to, v), b[n:]
	}
	return to, nil
}
