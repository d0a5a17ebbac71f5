package encoding

import (
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// hybridFixed lets fixedLaw drive a Hybrid.
type hybridFixed struct{ h Hybrid }

func (f *hybridFixed) Read(dst []byte) error {
	vs := make([]uint32, len(dst)/4)
	if err := f.h.Read(vs); err != nil {
		return err
	}
	for i, v := range vs {
		binary.LittleEndian.PutUint32(dst[4*i:], v)
	}
	return nil
}

func (f *hybridFixed) Skip(n int) error { return f.h.Skip(n) }

func drawUints(t *rapid.T, n, width int) []uint32 {
	top := uint32(1<<width - 1)
	return runs(t, n, rapid.OneOf(rapid.Uint32Range(0, top), rapid.SampledFrom([]uint32{0, top})))
}

func uint32Bytes(vs []uint32) (out []byte) {
	for _, v := range vs {
		out = binary.LittleEndian.AppendUint32(out, v)
	}
	return out
}

func TestHybridLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(0, 32).Draw(t, "width")
		want := drawUints(t, drawCount(t), width)
		h, err := NewHybrid(encodeHybrid(want, width, false, rapidPick(t)), uint(width))
		if err != nil {
			t.Fatal(err)
		}
		fixedLaw(t, &hybridFixed{h}, uint32Bytes(want), 4, false)
	})
}

func TestIndicesLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(0, 20).Draw(t, "width")
		want := drawUints(t, drawCount(t), width)
		src := append([]byte{byte(width)}, encodeHybrid(want, width, false, rapidPick(t))...)
		h, err := NewIndices(src)
		if err != nil {
			t.Fatal(err)
		}
		fixedLaw(t, &hybridFixed{h}, uint32Bytes(want), 4, false)
	})
}

func TestIndicesOfWidthZeroNeedNoRuns(t *testing.T) {
	h, err := NewIndices([]byte{0})
	if err != nil {
		t.Fatal(err)
	}
	got := []uint32{7, 7, 7}
	if err := h.Read(got); err != nil || slices.Max(got) != 0 {
		t.Fatalf("read %v, %v", got, err)
	}
	if err := h.Skip(1 << 30); err != nil {
		t.Fatal(err)
	}
}

func TestIndicesOfAnEmptyPage(t *testing.T) {
	h, err := NewIndices(nil)
	if err != nil {
		t.Fatalf("a page without values may leave the width out: %v", err)
	}
	if err := h.Skip(0); err != nil {
		t.Fatal(err)
	}
	if err := h.Read(make([]uint32, 1)); !errors.Is(err, ErrShort) {
		t.Fatalf("a value of an empty page: %v", err)
	}
}

func TestHybridRejectsWideWidths(t *testing.T) {
	for _, width := range []byte{33, 64, 255} {
		if _, err := NewIndices([]byte{width, 2, 0, 0, 0, 0}); err == nil {
			t.Errorf("a width of %d is accepted", width)
		}
	}
}

func TestHybridFaults(t *testing.T) {
	for name, src := range map[string][]byte{
		"nothing":                      {},
		"a header without a payload":   {8},
		"half of a payload":            {8, 1},
		"a header that does not end":   {0x80},
		"a header of eleven bytes":     {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1},
		"a packed run without bytes":   {3},
		"only empty runs":              {0, 0, 0, 1, 1, 1, 0, 0, 0},
		"a packed run of half a value": {3, 0xff},
	} {
		for _, skip := range []bool{false, true} {
			h, err := NewHybrid(src, 9)
			if err != nil {
				t.Fatal(err)
			}
			if skip {
				err = h.Skip(1)
			} else {
				err = h.Read(make([]uint32, 1))
			}
			if err == nil {
				t.Errorf("%s (skip %v): no error", name, skip)
			}
		}
	}
}

// A packed run that claims more groups than its bytes hold gives the values
// that are there and no more.
func TestHybridCutOffRun(t *testing.T) {
	src := append(binary.AppendUvarint(nil, 1<<40|1), packLSB([]uint64{1, 2, 3, 4, 5}, 5)...)
	h, _ := NewHybrid(src, 5)
	got := make([]uint32, 5)
	if err := h.Read(got); err != nil || !slices.Equal(got, []uint32{1, 2, 3, 4, 5}) {
		t.Fatalf("read %v, %v", got, err)
	}
	if err := h.Skip(5); err == nil {
		t.Fatal("values beyond the bytes are no error")
	}
}

func TestHybridHugeRunIsCheap(t *testing.T) {
	src := append(binary.AppendUvarint(nil, 1<<62), 0x2a)
	h, _ := NewHybrid(src, 6)
	if err := h.Skip(1 << 30); err != nil {
		t.Fatal(err)
	}
	got := make([]uint32, 3)
	if err := h.Read(got); err != nil || !slices.Equal(got, []uint32{42, 42, 42}) {
		t.Fatalf("read %v, %v", got, err)
	}
}

func TestRLEBooleansLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := runs(t, drawCount(t), rapid.ByteRange(0, 1))
		d, err := NewRLEBooleans(append(encodeRLEBooleans(want, rapidPick(t)), 0xee))
		if err != nil {
			t.Fatal(err)
		}
		fixedLaw(t, d, want, 1, false)
	})
}

// Some writers fill the whole payload byte of a run of true.
func TestRLEBooleansPayloadFF(t *testing.T) {
	d, err := NewRLEBooleans([]byte{4, 0, 0, 0, 5 << 1, 0xff, 2 << 1, 0x00})
	if err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 7)
	if err := d.Read(got); err != nil || !slices.Equal(got, []byte{1, 1, 1, 1, 1, 0, 0}) {
		t.Fatalf("read %v, %v", got, err)
	}
}

func TestLengthPrefixed(t *testing.T) {
	b, rest, err := LengthPrefixed([]byte{2, 0, 0, 0, 'a', 'b', 'c'})
	if err != nil || string(b) != "ab" || string(rest) != "c" {
		t.Fatalf("%q, %q, %v", b, rest, err)
	}
	for _, src := range [][]byte{nil, {1, 0, 0}, {1, 0, 0, 0}, {0xff, 0xff, 0xff, 0xff, 0}, {0, 0, 0, 0x80, 0}} {
		if _, _, err := LengthPrefixed(src); !errors.Is(err, ErrShort) {
			t.Errorf("%x: %v", src, err)
		}
		if _, err := NewRLEBooleans(src); !errors.Is(err, ErrShort) {
			t.Errorf("booleans %x: %v", src, err)
		}
	}
}
