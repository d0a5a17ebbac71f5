package metadata

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// TestShapesSkipAsWalkingDoes: whatever follows a struct whose shape is known,
// skipping by shape ends where walking ends, or fails as it does.
func TestShapesSkipAsWalkingDoes(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	same := 0
	for range 20000 {
		first := randomStruct(rng, 3)
		second := bytes.Clone(first)
		switch rng.IntN(3) {
		case 0:
			second = randomStruct(rng, 3)
		default: // change some bytes or bits: numbers, or the structure itself
			for range 1 + rng.IntN(3) {
				second[rng.IntN(len(second))] ^= byte(1 << rng.IntN(8))
			}
		}
		tail := make([]byte, rng.IntN(60))
		for i := range tail {
			tail[i] = byte(rng.Uint32())
		}
		b := bytes.Join([][]byte{first, second, tail}, nil)
		walk := &thriftReader{b: b}
		walk.skipStruct(0)
		if walk.err != nil || walk.p != len(first) {
			t.Fatalf("walking over %d bytes: %d, %v", len(first), walk.p, walk.err)
		}
		walk.skipStruct(0)
		var known shapes
		r := &thriftReader{b: b}
		known.skip(r, 0)
		hit := known[0].follows(b, r.p)
		known.skip(r, rng.IntN(2)) // the same chunk of the next row group, or the next chunk
		if (r.err == nil) != (walk.err == nil) || r.err == nil && r.p != walk.p {
			t.Fatalf("% x, then % x, by shape (%v): %d, %v; walking: %d, %v", first, second, hit, r.p, r.err, walk.p, walk.err)
		}
		if hit {
			same++
		}
	}
	if same < 2000 {
		t.Errorf("only %d had the same shape", same)
	}
}

// randomStruct writes a struct of the compact protocol.
func randomStruct(rng *rand.Rand, depth int) []byte {
	var b []byte
	uvarint := func(v uint64) {
		for v >= 0x80 {
			b = append(b, byte(v)|0x80)
			v >>= 7
		}
		b = append(b, byte(v))
	}
	var value func(typ byte, depth int)
	value = func(typ byte, depth int) {
		switch typ {
		case tByte:
			b = append(b, byte(rng.Uint32()))
		case tI16, tI32, tI64:
			uvarint(rng.Uint64() >> rng.IntN(64))
		case tDouble:
			b = append(b, make([]byte, 8)...)
		case tBinary:
			n := rng.IntN(20)
			uvarint(uint64(n))
			for range n {
				b = append(b, byte(rng.Uint32()))
			}
		case tList:
			n, et := rng.IntN(20), []byte{tTrue, tByte, tI32, tBinary, tStruct}[rng.IntN(5)]
			if depth <= 1 && et == tStruct {
				et = tI64
			}
			if n < 15 {
				b = append(b, byte(n)<<4|et)
			} else {
				b = append(b, 0xf0|et)
				uvarint(uint64(n))
			}
			for range n {
				if et == tTrue {
					b = append(b, byte(1+rng.IntN(2)))
				} else {
					value(et, depth-1)
				}
			}
		case tStruct:
			b = append(b, randomStruct(rng, depth-1)...)
		}
	}
	for range rng.IntN(6) {
		typ := []byte{tTrue, tFalse, tByte, tI16, tI32, tI64, tDouble, tBinary, tList, tStruct}[rng.IntN(10)]
		if depth <= 0 && (typ == tStruct || typ == tList) {
			typ = tI32
		}
		if rng.IntN(8) == 0 {
			b = append(b, typ)
			uvarint(uint64(rng.IntN(1000)) << 1)
		} else {
			b = append(b, byte(1+rng.IntN(15))<<4|typ)
		}
		value(typ, depth)
	}
	return append(b, tStop)
}

// FuzzShapes holds skipping by shape against walking: of a struct, and of what
// follows it.
func FuzzShapes(f *testing.F) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 10 {
		b := randomStruct(rng, 3)
		f.Add(bytes.Join([][]byte{b, b, make([]byte, 40)}, nil))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		walk, skip := &thriftReader{b: b}, &thriftReader{b: b}
		var known shapes
		for i := range 5 {
			walk.skipStruct(0)
			known.skip(skip, i%2)
			if (walk.err == nil) != (skip.err == nil) || walk.err == nil && walk.p != skip.p {
				t.Fatalf("struct %d: by shape %d, %v; walking %d, %v", i, skip.p, skip.err, walk.p, walk.err)
			}
		}
	})
}
