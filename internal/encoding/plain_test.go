package encoding

import (
	"encoding/binary"
	"errors"
	"testing"

	"pgregory.net/rapid"
)

func TestPlainFixedLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.SampledFrom([]int{1, 2, 4, 8, 12, 16, 31}).Draw(t, "width")
		want := make([]byte, drawCount(t)*width)
		for i := range want {
			want[i] = byte(i * 7)
		}
		fixedLaw(t, NewPlainFixed(want, width), want, width, true)
	})
}

func TestPlainFixedOfWidthZero(t *testing.T) {
	p := NewPlainFixed(nil, 0)
	if err := p.Read(nil); err != nil {
		t.Fatal(err)
	}
	if err := p.Skip(1000); err != nil {
		t.Fatal(err)
	}
}

func TestPlainBooleansLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := runs(t, drawCount(t), rapid.ByteRange(0, 1))
		fixedLaw(t, NewPlainBooleans(encodePlainBooleans(want)), want, 1, len(want)%8 == 0)
	})
}

func TestPlainBinaryLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawBytes(t)
		binaryLaw(t, NewPlainBinary(encodePlainBinary(want)), want)
	})
}

func TestPlainBinaryFaults(t *testing.T) {
	for name, src := range map[string][]byte{
		"nothing": nil, "half of a length": {1, 0}, "a value cut short": {3, 0, 0, 0, 'a', 'b'},
		"a length of 4 GB": {0xff, 0xff, 0xff, 0xff, 'a'}, "a length of 2 GB": {0, 0, 0, 0x80, 'a'},
	} {
		var dst ByteArrays
		dst.Reset()
		if err := NewPlainBinary(src).Append(&dst, 1); !errors.Is(err, ErrShort) {
			t.Errorf("append %s: %v", name, err)
		}
		if err := NewPlainBinary(src).Skip(1); !errors.Is(err, ErrShort) {
			t.Errorf("skip %s: %v", name, err)
		}
	}
}

func TestByteStreamSplitLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.SampledFrom([]int{1, 2, 4, 8, 12, 16}).Draw(t, "width")
		want := make([]byte, drawCount(t)*width)
		for i := range want {
			want[i] = byte(i*31 + i>>8)
		}
		d, err := NewByteStreamSplit(encodeByteStreamSplit(want, width), width)
		if err != nil {
			t.Fatal(err)
		}
		fixedLaw(t, d, want, width, true)
	})
}

func TestByteStreamSplitFaults(t *testing.T) {
	if _, err := NewByteStreamSplit(make([]byte, 9), 4); err == nil {
		t.Error("nine bytes are taken for values of four")
	}
	if _, err := NewByteStreamSplit(nil, 0); err == nil {
		t.Error("a width of zero is accepted")
	}
	if d, err := NewByteStreamSplit(nil, 4); err != nil || d.Skip(1) == nil {
		t.Errorf("no values: %v", err)
	}
}

// limited returns every binary decoder of the same values.
func limited(t *testing.T, values [][]byte) map[string]Binary {
	dl, err := NewDeltaLength(encodeDeltaLength(values, usualShape))
	if err != nil {
		t.Fatal(err)
	}
	db, err := NewDeltaBytes(encodeDeltaBytes(values, usualShape, randPick(3)), 0)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]Binary{"PLAIN": NewPlainBinary(encodePlainBinary(values)), "DELTA_LENGTH": dl, "DELTA": db}
}

func TestLimitIsReachedExactly(t *testing.T) {
	values := [][]byte{[]byte("abcd"), {}, []byte("efgh"), []byte("ij"), {}}
	for name, d := range limited(t, values) {
		dst := ByteArrays{Limit: 10}
		dst.Reset()
		if err := d.Append(&dst, 5); err != nil {
			t.Errorf("%s: ten bytes do not fit into ten: %v", name, err)
			continue
		}
		checkArrays(t, &dst, values)
	}
}

func TestLimitStopsWithErrFull(t *testing.T) {
	values := [][]byte{[]byte("abcd"), {}, []byte("efgh"), []byte("ijk"), []byte("lmno")}
	for name, d := range limited(t, values) {
		dst := ByteArrays{Limit: 10}
		dst.Reset()
		if err := d.Append(&dst, 3); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err := d.Append(&dst, 2); !errors.Is(err, ErrFull) {
			t.Errorf("%s: eleven bytes into ten: %v", name, err)
		}
		// What was appended is still whole.
		checkArrays(t, &dst, values[:3])
	}
	for name, d := range limited(t, values) {
		if err := d.Skip(5); err != nil {
			t.Errorf("%s: a skip has no limit: %v", name, err)
		}
	}
}

func TestLimitOfByteArrays(t *testing.T) {
	for _, limit := range []int{0, -1, 1 << 40} {
		b := ByteArrays{Limit: limit}
		b.Reset()
		if err := b.Push(make([]byte, 1<<16)); err != nil {
			t.Errorf("limit %d: %v", limit, err)
		}
	}
	b := ByteArrays{Limit: 1}
	b.Reset()
	if err := b.Push([]byte("ab")); !errors.Is(err, ErrFull) || b.Len() != 0 {
		t.Errorf("two bytes into one: %v, %d values", err, b.Len())
	}
	if err := b.Push(nil); err != nil || b.Len() != 1 {
		t.Errorf("nothing into one: %v, %d values", err, b.Len())
	}
}

// A value that repeats long prefixes grows without reading bytes; the limit
// must stop it before memory does.
func TestLimitStopsGrowingPrefixes(t *testing.T) {
	const n, long = 1 << 20, 1 << 16
	prefixes := make([]int64, n)
	suffixes := make([]int64, n)
	for i := range n - 1 {
		prefixes[i+1] = long
	}
	suffixes[0] = long
	src := append(encodeDelta(prefixes, usualShape), encodeDelta(suffixes, usualShape)...)
	d, err := NewDeltaBytes(append(src, make([]byte, long)...), 0)
	if err != nil {
		t.Fatal(err)
	}
	dst := ByteArrays{Limit: 1 << 22}
	dst.Reset()
	if err := d.Append(&dst, n); !errors.Is(err, ErrFull) {
		t.Fatalf("64 GB into 4 MB: %v", err)
	}
	if cap(dst.Data) > 1<<24 {
		t.Errorf("%d bytes were held for a limit of %d", cap(dst.Data), dst.Limit)
	}
}

// TestPlainBinaryOfFewerValues: a page that claims more values than it holds
// fails whatever the lengths of those it holds.
func TestPlainBinaryOfFewerValues(t *testing.T) {
	for _, n := range []int{2, 60, 1000} {
		for _, size := range []int{0, 1, 15, 16, 17, 31, 32, 33, 300, 5000} {
			src := append(binary.LittleEndian.AppendUint32(nil, uint32(size)), make([]byte, size)...)
			var dst ByteArrays
			dst.Reset()
			if err := NewPlainBinary(src).Append(&dst, n); err != ErrShort {
				t.Errorf("%d values where one of %d bytes is: %v", n, size, err)
			}
		}
	}
}
