package pare_test

import (
	"bytes"
	"encoding/binary"
	"math"

	"github.com/parequet/pare/metadata"
)

func bloomHeader(numBytes int) []byte {
	return thriftStruct(func(w *thriftWriter) {
		w.i32(1, int32(numBytes))
		for id := int16(2); id <= 4; id++ {
			w.sub(id, func(w *thriftWriter) { w.sub(1, nil) })
		}
	})
}

// bloomInsert sets the bits of a hash, straight from the format's text.
func bloomInsert(bits []byte, h uint64) {
	salts := [8]uint32{0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31}
	blocks := uint64(len(bits) / 32)
	block := bits[(h>>32)*blocks>>32*32:]
	for i, salt := range salts {
		bit := uint32(h) * salt >> 27
		block[4*i+int(bit/8)] |= 1 << (bit % 8)
	}
}

// bloomHolds probes by inserting: nothing changes if the hash is there.
func bloomHolds(bits []byte, h uint64) bool {
	with := bytes.Clone(bits)
	bloomInsert(with, h)
	return bytes.Equal(with, bits)
}

// Values as PLAIN stores them.

func i32(v int32) []byte   { return binary.LittleEndian.AppendUint32(nil, uint32(v)) }
func i64(v int64) []byte   { return binary.LittleEndian.AppendUint64(nil, uint64(v)) }
func f32(v float32) []byte { return binary.LittleEndian.AppendUint32(nil, math.Float32bits(v)) }
func f64(v float64) []byte { return binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)) }
func txt(v string) []byte  { return []byte(v) }
func byInt32(a, b []byte) int {
	return metadata.IntValue(int64(int32(binary.LittleEndian.Uint32(a)))).Compare(metadata.IntValue(int64(int32(binary.LittleEndian.Uint32(b)))))
}
func byInt64(a, b []byte) int {
	return metadata.IntValue(int64(binary.LittleEndian.Uint64(a))).Compare(metadata.IntValue(int64(binary.LittleEndian.Uint64(b))))
}
func byFloat32(a, b []byte) int {
	return metadata.FloatValue(float64(math.Float32frombits(binary.LittleEndian.Uint32(a)))).Compare(metadata.FloatValue(float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))))
}
func byFloat64(a, b []byte) int {
	return metadata.FloatValue(math.Float64frombits(binary.LittleEndian.Uint64(a))).Compare(metadata.FloatValue(math.Float64frombits(binary.LittleEndian.Uint64(b))))
}

// each makes a page of values.
func each[T any](f func(T) []byte, vs ...T) kindPage {
	var p kindPage
	for _, v := range vs {
		p.values = append(p.values, f(v))
	}
	return p
}

// span makes a page of the numbers from lo to hi.
func span[T int32 | int64](f func(T) []byte, lo, hi T) kindPage {
	var p kindPage
	for v := lo; v <= hi; v++ {
		p.values = append(p.values, f(v))
	}
	return p
}

// nulls adds NULLs to a page, coded encodes it by dictionary.
func (p kindPage) nulls(n int) kindPage {
	p.values = append(append([][]byte{}, p.values...), make([][]byte, n)...)
	return p
}

func (p kindPage) coded() kindPage {
	p.dict = true
	return p
}
