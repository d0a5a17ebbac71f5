package encoding

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"
)

// Fuzzing: arbitrary bytes, an arbitrary pattern of reads and skips. A decoder
// must not panic, and what it reads between skips must equal the same slice of
// a full read. A byte of the pattern is a number of values (its upper seven
// bits) and whether to skip them.

var patterns = [][]byte{{}, {2, 4, 6}, {3, 2, 5, 8, 255, 254}, {254, 254, 254, 255, 255, 254}, {0, 1, 2}}

const maxPattern = 64 // steps; so at most 8128 values

// fuzzFixed runs the pattern on one decoder and a full read on another.
// lenient decoders may fail on a read where a skip would pass.
func fuzzFixed(t *testing.T, open func() (Fixed, error), width int, pattern []byte, lenient bool) {
	pattern = pattern[:min(len(pattern), maxPattern)]
	total := 0
	for _, s := range pattern {
		total += int(s >> 1)
	}
	full, err := open()
	if err != nil {
		return
	}
	all := make([]byte, total*width)
	fullErr := full.Read(all)

	d, _ := open()
	at := 0
	for _, s := range pattern {
		k := int(s >> 1)
		if s&1 != 0 {
			err = d.Skip(k)
		} else {
			got := bytes.Repeat([]byte{0x5a}, k*width)
			if err = d.Read(got); err == nil && fullErr == nil && !bytes.Equal(got, all[at*width:(at+k)*width]) {
				t.Fatalf("%d values at %d: %x after skips, %x of all", k, at, got, all[at*width:(at+k)*width])
			}
		}
		if err != nil {
			break
		}
		at += k
	}
	if err != nil && fullErr == nil || err == nil && fullErr != nil && !lenient {
		t.Fatalf("%d values: reading all says %v, reading with skips %v", total, fullErr, err)
	}
}

// fuzzBinary is fuzzFixed for byte arrays.
func fuzzBinary(t *testing.T, open func() (Binary, error), pattern []byte) {
	pattern = pattern[:min(len(pattern), maxPattern)]
	total := 0
	for _, s := range pattern {
		total += int(s >> 1)
	}
	full, err := open()
	if err != nil {
		return
	}
	all := ByteArrays{Limit: 1 << 22}
	all.Reset()
	fullErr := full.Append(&all, total)
	if len(all.Data) > all.Limit || all.Len() > total {
		t.Fatalf("%d values, %d bytes of %d", all.Len(), len(all.Data), all.Limit)
	}

	d, _ := open()
	at := 0
	for _, s := range pattern {
		k := int(s >> 1)
		if s&1 != 0 {
			err = d.Skip(k)
		} else {
			got := ByteArrays{Limit: 1 << 22}
			got.Reset()
			if err = d.Append(&got, k); err == nil && fullErr == nil {
				for i := range k {
					if !bytes.Equal(got.Value(i), all.Value(at+i)) {
						t.Fatalf("value %d: %q after skips, %q of all", at+i, got.Value(i), all.Value(at+i))
					}
				}
			}
		}
		if err != nil {
			break
		}
		at += k
	}
	full4M := errors.Is(fullErr, ErrFull) || errors.Is(err, ErrFull)
	if !full4M && (err == nil) != (fullErr == nil) {
		t.Fatalf("%d values: reading all says %v, reading with skips %v", total, fullErr, err)
	}
}

func FuzzHybrid(f *testing.F) {
	values := make([]uint32, 90)
	for i := range values {
		values[i] = uint32(i / 20 * 3)
	}
	for i, p := range patterns {
		for _, width := range []byte{0, 1, 6, 8, 13, 32} {
			in := make([]uint32, len(values))
			for k, v := range values {
				in[k] = v & uint32(1<<width-1)
			}
			f.Add(width, encodeHybrid(in, int(width), false, randPick(uint64(i))), p)
		}
	}
	f.Fuzz(func(t *testing.T, width byte, src, pattern []byte) {
		fuzzFixed(t, func() (Fixed, error) {
			h, err := NewHybrid(src, uint(width))
			return &hybridFixed{h}, err
		}, 4, pattern, false)
		fuzzFixed(t, func() (Fixed, error) {
			h, err := NewIndices(src)
			return &hybridFixed{h}, err
		}, 4, pattern, false)
	})
}

// presenceFixed reads levels as bytes, so that fuzzFixed can drive it.
type presenceFixed struct {
	t *testing.T
	p Levels
}

func (f *presenceFixed) Read(dst []byte) error {
	bitmap := make([]byte, (3+len(dst)+7)/8)
	n, err := f.p.Present(bitmap, 3, len(dst))
	if err != nil {
		return err
	}
	for i := range dst {
		dst[i] = bitmap[(3+i)/8] >> ((3 + i) & 7) & 1
		n -= int(dst[i])
	}
	if n != 0 {
		f.t.Fatalf("the count and the bits of %d levels differ by %d", len(dst), n)
	}
	return nil
}

func (f *presenceFixed) Skip(n int) error {
	q := f.p
	count, err := f.p.Skip(n)
	if err != nil {
		return err
	}
	if read, err := q.Present(make([]byte, n/8+1), 0, n); err != nil || read != count {
		f.t.Fatalf("skip counts %d of %d levels, read %d; %v", count, n, read, err)
	}
	return nil
}

func FuzzPresence(f *testing.F) {
	levels := make([]bool, 90)
	wide := make([]uint32, len(levels))
	for i := range levels {
		if levels[i] = i/9%2 == 0; levels[i] {
			wide[i] = 1
		}
	}
	for i, p := range patterns {
		f.Add(encodeHybrid(wide, 1, true, randPick(uint64(i))), uint16(0), p)
		f.Add(encodeBitPackedMSB(levels), uint16(len(levels)), p)
	}
	f.Fuzz(func(t *testing.T, src []byte, legacy uint16, pattern []byte) {
		fuzzFixed(t, func() (Fixed, error) {
			if legacy > 0 {
				p, _, err := NewLegacyLevels(src, 1, int(legacy))
				return &presenceFixed{t, p}, err
			}
			return &presenceFixed{t, NewLevels(src, 1)}, nil
		}, 1, pattern, false)
	})
}

func FuzzRLEBooleans(f *testing.F) {
	values := bytes.Repeat([]byte{1, 1, 0, 1, 0, 0, 0, 0, 0}, 8)
	for i, p := range patterns {
		f.Add(encodeRLEBooleans(values, randPick(uint64(i))), p)
	}
	f.Fuzz(func(t *testing.T, src, pattern []byte) {
		fuzzFixed(t, func() (Fixed, error) { return NewRLEBooleans(src) }, 1, pattern, false)
	})
}

func fuzzInts() []int64 {
	values := make([]int64, 60)
	for i := range values {
		values[i] = int64(i%50) * int64(i) << (i % 60)
	}
	return values
}

func FuzzDelta(f *testing.F) {
	for i, p := range patterns {
		f.Add(encodeDelta(fuzzInts(), pickShape(randPick(uint64(i)), i%2 == 0)), p)
	}
	// A miniblock of no bits holds any number of values.
	f.Add([]byte{0x80, 0x80, 0x40, 1, 0xff, 0xff, 0xff, 0x7f, 0, 2, 0}, patterns[2])
	f.Fuzz(func(t *testing.T, src, pattern []byte) {
		for _, width := range []int{4, 8} {
			fuzzFixed(t, func() (Fixed, error) { return NewDelta(src, width) }, width, pattern, false)
		}
	})
}

func fuzzStrings() (values [][]byte) {
	for i := range 25 {
		values = append(values, []byte("some/shared/prefix")[:i%19], bytes.Repeat([]byte{byte(i)}, i%5))
	}
	return values
}

func FuzzDeltaLength(f *testing.F) {
	for i, p := range patterns {
		f.Add(encodeDeltaLength(fuzzStrings(), pickShape(randPick(uint64(i)), false)), p)
	}
	f.Fuzz(func(t *testing.T, src, pattern []byte) {
		fuzzBinary(t, func() (Binary, error) { return NewDeltaLength(src) }, pattern)
	})
}

func FuzzDeltaBytes(f *testing.F) {
	fixed := make([][]byte, 40)
	for i := range fixed {
		fixed[i] = binary.BigEndian.AppendUint32(nil, uint32(i*i))
	}
	for i, p := range patterns {
		pick := randPick(uint64(i))
		f.Add(encodeDeltaBytes(fuzzStrings(), pickShape(pick, false), pick), byte(0), p)
		f.Add(encodeDeltaBytes(fixed, pickShape(pick, false), pick), byte(4), p)
	}
	f.Fuzz(func(t *testing.T, src []byte, width byte, pattern []byte) {
		fuzzBinary(t, func() (Binary, error) { return NewDeltaBytes(src, 0) }, pattern)
		if w := int(width); w > 0 {
			// A skip does not look at lengths, a read does.
			fuzzFixed(t, func() (Fixed, error) { return NewDeltaBytes(src, w) }, w, pattern, true)
		}
	})
}

func FuzzPlainBinary(f *testing.F) {
	for _, p := range patterns {
		f.Add(encodePlainBinary(fuzzStrings()), p)
	}
	f.Fuzz(func(t *testing.T, src, pattern []byte) {
		fuzzBinary(t, func() (Binary, error) { return NewPlainBinary(src), nil }, pattern)
	})
}

func FuzzPlainFixed(f *testing.F) {
	for i, p := range patterns {
		f.Add(bytes.Repeat([]byte{1, 2, 3, 4, 5, 6, 7}, 20), byte(i*4), p)
	}
	f.Fuzz(func(t *testing.T, src []byte, width byte, pattern []byte) {
		w := int(width)
		fuzzFixed(t, func() (Fixed, error) { return NewPlainFixed(src, w), nil }, w, pattern, false)
		fuzzFixed(t, func() (Fixed, error) { return NewPlainBooleans(src), nil }, 1, pattern, false)
	})
}

func FuzzByteStreamSplit(f *testing.F) {
	for i, p := range patterns {
		f.Add(make([]byte, 96), []byte{2, 4, 8, 12, 16}[i%5], p)
	}
	f.Fuzz(func(t *testing.T, src []byte, width byte, pattern []byte) {
		fuzzFixed(t, func() (Fixed, error) { return NewByteStreamSplit(src, int(width)) }, int(width), pattern, false)
	})
}
