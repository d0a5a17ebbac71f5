package encoding

import (
	"encoding/binary"
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"
)

func drawInts(t *rapid.T, narrow bool) []int64 {
	n := drawCount(t)
	lo, hi := int64(math.MinInt64), int64(math.MaxInt64)
	if narrow {
		lo, hi = math.MinInt32, math.MaxInt32
	}
	out := make([]int64, n)
	kind := rapid.SampledFrom([]string{"steps", "small", "any", "extremes"}).Draw(t, "kind")
	step := rapid.Int64Range(-1000, 1000).Draw(t, "step")
	for i := range out {
		switch kind {
		case "steps": // deltas of width 0
			out[i] = int64(i) * step
		case "small":
			out[i] = rapid.Int64Range(-50, 50).Draw(t, "v")
		case "any":
			out[i] = rapid.Int64Range(lo, hi).Draw(t, "v")
		default: // deltas wrap around
			out[i] = rapid.SampledFrom([]int64{lo, hi, lo + 1, hi - 1, 0, -1}).Draw(t, "v")
		}
	}
	return out
}

func intBytes(vs []int64, width int) (out []byte) {
	for _, v := range vs {
		if width == 4 {
			out = binary.LittleEndian.AppendUint32(out, uint32(v))
		} else {
			out = binary.LittleEndian.AppendUint64(out, uint64(v))
		}
	}
	return out
}

func testDelta(t *testing.T, width int) {
	rapid.Check(t, func(t *rapid.T) {
		values := drawInts(t, width == 4)
		// Values of 32 bits may also be written with 64-bit arithmetic.
		narrow := width == 4 && rapid.Bool().Draw(t, "narrow")
		d, err := NewDelta(encodeDelta(values, pickShape(rapidPick(t), narrow)), width)
		if err != nil {
			t.Fatal(err)
		}
		if d.Left() != len(values) {
			t.Fatalf("%d values left of %d", d.Left(), len(values))
		}
		fixedLaw(t, d, intBytes(values, width), width, true)
		if d.Left() != 0 {
			t.Fatalf("%d values left at the end", d.Left())
		}
	})
}

func TestDeltaLaw32(t *testing.T) { testDelta(t, 4) }
func TestDeltaLaw64(t *testing.T) { testDelta(t, 8) }

func TestDeltaOfEveryWidth(t *testing.T) {
	for bits := range 65 {
		values := make([]int64, 40)
		for i := range values[1:] {
			values[i+1] = values[i]
			if i%2 == 0 {
				values[i+1] += int64(^uint64(0) >> (64 - bits)) // 0 for bits 0: a shift by 64
			}
		}
		d, err := NewDelta(encodeDelta(values, usualShape), 8)
		if err != nil {
			t.Fatal(err)
		}
		got := make([]byte, 8*len(values))
		if err := d.Read(got); err != nil || string(got) != string(intBytes(values, 8)) {
			t.Errorf("%d bits: %v, %x", bits, err, got)
		}
	}
}

func TestDeltaHeaderFaults(t *testing.T) {
	head := func(vs ...uint64) (out []byte) {
		for _, v := range vs {
			out = binary.AppendUvarint(out, v)
		}
		return out
	}
	for name, src := range map[string][]byte{
		"nothing":                     nil,
		"a block size only":           head(128),
		"no first value":              head(128, 4, 3),
		"a block of nothing":          head(0, 4, 3, 0),
		"no miniblocks":               head(128, 0, 3, 0),
		"miniblocks that do not fit":  head(128, 3, 3, 0),
		"more miniblocks than values": head(8, 16, 3, 0),
		"miniblocks of four":          head(16, 4, 3, 0),
		"a block of billions":         head(1<<40, 4, 3, 0),
		"more values than a page has": head(128, 4, 1<<40, 0),
		"a varint that does not end":  {0x80, 0x80},
	} {
		if _, err := NewDelta(src, 8); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestDeltaBodyFaults(t *testing.T) {
	whole := encodeDelta([]int64{0, 100, -100, 7, 9, 11, -4}, usualShape)
	for n := range whole {
		d, err := NewDelta(whole[:n], 8)
		if err != nil {
			continue
		}
		err = d.Read(make([]byte, 7*8))
		// Padding may be missing: six deltas of 9 bits take 7 bytes.
		if fits := n >= len(whole)-32*9/8+7; fits != (err == nil) {
			t.Errorf("%d of %d bytes: %v", n, len(whole), err)
		}
	}
	wide := []byte{8, 1, 3, 0, 0, 65}
	d, err := NewDelta(append(wide, make([]byte, 200)...), 8)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Read(make([]byte, 24)); err == nil {
		t.Error("deltas of 65 bits are accepted")
	}
}

func TestDeltaLengthLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawBytes(t)
		d, err := NewDeltaLength(encodeDeltaLength(want, pickShape(rapidPick(t), false)))
		if err != nil {
			t.Fatal(err)
		}
		binaryLaw(t, d, want)
	})
}

func TestDeltaBytesLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawBytes(t)
		d, err := NewDeltaBytes(encodeDeltaBytes(want, pickShape(rapidPick(t), true), rapidPick(t)), 0)
		if err != nil {
			t.Fatal(err)
		}
		binaryLaw(t, d, want)
	})
}

func TestDeltaBytesFixedLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(1, 20).Draw(t, "width")
		want := make([]byte, drawCount(t)*width)
		var values [][]byte
		for i := range want {
			want[i] = rapid.ByteRange(0, 1).Draw(t, "byte")
		}
		for at := 0; at < len(want); at += width {
			values = append(values, want[at:at+width])
		}
		d, err := NewDeltaBytes(encodeDeltaBytes(values, pickShape(rapidPick(t), false), rapidPick(t)), width)
		if err != nil {
			t.Fatal(err)
		}
		fixedLaw(t, d, want, width, true)
	})
}

func TestDeltaBytesFaults(t *testing.T) {
	lengths := func(prefixes, suffixes []int64, data string) []byte {
		return append(append(encodeDelta(prefixes, usualShape), encodeDelta(suffixes, usualShape)...), data...)
	}
	for name, src := range map[string][]byte{
		"nothing":                        nil,
		"prefixes only":                  encodeDelta([]int64{0, 0}, usualShape),
		"a prefix of the first value":    lengths([]int64{1, 0}, []int64{1, 1}, "ab"),
		"a prefix longer than its value": lengths([]int64{0, 2}, []int64{1, 1}, "ab"),
		"a negative prefix":              lengths([]int64{0, -1}, []int64{1, 1}, "ab"),
		"a negative suffix":              lengths([]int64{0, 0}, []int64{1, -1}, "ab"),
		"a suffix beyond the bytes":      lengths([]int64{0, 0}, []int64{1, 2}, "ab"),
		"fewer suffixes than prefixes":   lengths([]int64{0, 0}, []int64{1}, "ab"),
		"fewer prefixes than values":     lengths([]int64{0}, []int64{1, 1}, "ab"),
		"a length that adds up past int": lengths([]int64{0, math.MaxInt64}, []int64{1, math.MaxInt64}, "ab"),
	} {
		for _, skip := range []bool{false, true} {
			d, err := NewDeltaBytes(src, 0)
			if err != nil {
				continue
			}
			if skip {
				err = d.Skip(2)
			} else {
				var dst ByteArrays
				dst.Reset()
				err = d.Append(&dst, 2)
			}
			if err == nil {
				t.Errorf("%s (skip %v): no error", name, skip)
			}
		}
	}
	d, err := NewDeltaBytes(encodeDeltaBytes([][]byte{[]byte("abc"), []byte("ab")}, usualShape, randPick(1)), 3)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Read(make([]byte, 6)); err == nil || errors.Is(err, ErrShort) {
		t.Errorf("a value of two bytes where three are due: %v", err)
	}
}
