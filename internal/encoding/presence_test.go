package encoding

import (
	"bytes"
	"errors"
	"testing"

	"pgregory.net/rapid"
)

// presenceLaw compares a Presence with a naive model: one bool a level.
func presenceLaw(t *rapid.T, p Presence, levels []bool) {
	for at := 0; at < len(levels); {
		k := stepSize(t, len(levels)-at)
		due := 0
		for _, l := range levels[at : at+k] {
			if l {
				due++
			}
		}
		if rapid.Bool().Draw(t, "skip") {
			got, err := p.Skip(k)
			if err != nil || got != due {
				t.Fatalf("skip %d levels at %d: %d values, want %d; %v", k, at, got, due, err)
			}
		} else {
			readInto(t, &p, levels[at:at+k], due)
		}
		at += k
	}
}

// readInto reads levels into a bitmap at any offset; bits before it must stay.
func readInto(t *rapid.T, p *Presence, levels []bool, due int) {
	offset := rapid.IntRange(0, 40).Draw(t, "offset")
	before := rapid.Byte().Draw(t, "bits before")
	bitmap := make([]byte, (offset+len(levels)+7)/8)
	want := make([]byte, len(bitmap))
	for i := range offset {
		b := before >> (i & 7) & 1
		bitmap[i/8] |= b << (i & 7)
		want[i/8] |= b << (i & 7)
	}
	for i, l := range levels {
		if l {
			want[(offset+i)/8] |= 1 << ((offset + i) & 7)
		}
	}
	got, err := p.Read(bitmap, offset, len(levels))
	if err != nil || got != due || !bytes.Equal(bitmap, want) {
		t.Fatalf("read %d levels into bit %d: %d values, want %d; %v\n got %08b\nwant %08b", len(levels), offset, got, due, err, bitmap, want)
	}
}

func drawLevels(t *rapid.T) []bool { return runs(t, drawCount(t), rapid.Bool()) }

func TestPresenceLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		levels := drawLevels(t)
		wide := make([]uint32, len(levels))
		for i, l := range levels {
			if l {
				wide[i] = 1
			}
		}
		presenceLaw(t, NewPresence(encodeHybrid(wide, 1, true, rapidPick(t))), levels)
	})
}

func TestLegacyPresenceLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		levels := drawLevels(t)
		p, rest, err := NewLegacyPresence(append(encodeBitPackedMSB(levels), "rest"...), len(levels))
		if err != nil || string(rest) != "rest" {
			t.Fatalf("rest %q, %v", rest, err)
		}
		presenceLaw(t, p, levels)
	})
}

func TestAllPresentLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		levels := make([]bool, drawCount(t))
		for i := range levels {
			levels[i] = true
		}
		presenceLaw(t, AllPresent(), levels)
	})
}

func TestPresenceFaults(t *testing.T) {
	for name, src := range map[string][]byte{
		"nothing": {}, "a header only": {8}, "a packed run without bytes": {3}, "three levels": {6, 1},
		"a header that does not end": {0x80, 0x80},
	} {
		p := NewPresence(src)
		if _, err := p.Read(make([]byte, 4), 0, 9); err == nil {
			t.Errorf("read %s: no error", name)
		}
		p = NewPresence(src)
		if _, err := p.Skip(9); err == nil {
			t.Errorf("skip %s: no error", name)
		}
	}
}

func TestLegacyPresenceFaults(t *testing.T) {
	if _, _, err := NewLegacyPresence([]byte{1}, 9); !errors.Is(err, ErrShort) {
		t.Errorf("nine levels in one byte: %v", err)
	}
	p, _, err := NewLegacyPresence([]byte{0x80}, 8)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := p.Skip(9); !errors.Is(err, ErrShort) {
		t.Errorf("a ninth level: %d, %v", n, err)
	}
}

// Levels of a page without any: reading one must fail, whatever the slice.
func TestLegacyPresenceOfNoLevels(t *testing.T) {
	for _, src := range [][]byte{nil, {}} {
		p, _, err := NewLegacyPresence(src, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Skip(5); !errors.Is(err, ErrShort) {
			t.Errorf("nil source %v: five levels of none: %v", src == nil, err)
		}
	}
}

func TestPresenceOfBillionsOfNulls(t *testing.T) {
	p := NewPresence([]byte{0xfe, 0xff, 0xff, 0xff, 0x0f, 0})
	if n, err := p.Skip(1<<31 - 1); n != 0 || err != nil {
		t.Fatalf("%d values, %v", n, err)
	}
	if _, err := p.Skip(1); err == nil {
		t.Fatal("a level beyond the run is no error")
	}
}
