package encoding

import (
	"bytes"
	"errors"
	"math/bits"
	"testing"

	"pgregory.net/rapid"
)

// presenceLaw compares Levels of one bit with a naive model: one bool a level.
func presenceLaw(t *rapid.T, p Levels, levels []bool) {
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
func readInto(t *rapid.T, p *Levels, levels []bool, due int) {
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
	got, err := p.Present(bitmap, offset, len(levels))
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
		presenceLaw(t, NewLevels(encodeHybrid(wide, 1, true, rapidPick(t)), 1), levels)
	})
}

func TestLegacyPresenceLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		levels := drawLevels(t)
		p, rest, err := NewLegacyLevels(append(encodeBitPackedMSB(levels), "rest"...), 1, len(levels))
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
		presenceLaw(t, NoLevels(), levels)
	})
}

func TestPresenceFaults(t *testing.T) {
	for name, src := range map[string][]byte{
		"nothing": {}, "a header only": {8}, "a packed run without bytes": {3}, "three levels": {6, 1},
		"a header that does not end": {0x80, 0x80},
	} {
		p := NewLevels(src, 1)
		if _, err := p.Present(make([]byte, 4), 0, 9); err == nil {
			t.Errorf("read %s: no error", name)
		}
		p = NewLevels(src, 1)
		if _, err := p.Skip(9); err == nil {
			t.Errorf("skip %s: no error", name)
		}
	}
}

func TestLegacyPresenceFaults(t *testing.T) {
	if _, _, err := NewLegacyLevels([]byte{1}, 1, 9); !errors.Is(err, ErrShort) {
		t.Errorf("nine levels in one byte: %v", err)
	}
	p, _, err := NewLegacyLevels([]byte{0x80}, 1, 8)
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
		p, _, err := NewLegacyLevels(src, 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Skip(5); !errors.Is(err, ErrShort) {
			t.Errorf("nil source %v: five levels of none: %v", src == nil, err)
		}
	}
}

func TestPresenceOfBillionsOfNulls(t *testing.T) {
	p := NewLevels([]byte{0xfe, 0xff, 0xff, 0xff, 0x0f, 0}, 1)
	if n, err := p.Skip(1<<31 - 1); n != 0 || err != nil {
		t.Fatalf("%d values, %v", n, err)
	}
	if _, err := p.Skip(1); err == nil {
		t.Fatal("a level beyond the run is no error")
	}
}

// wideLaw compares Levels with the plain list of them.
func wideLaw(t *rapid.T, l Levels, levels []uint32, most int) {
	for at := 0; at < len(levels); {
		k := stepSize(t, len(levels)-at)
		count := func(v int) (n int) {
			for _, x := range levels[at : at+k] {
				if int(x) == v {
					n++
				}
			}
			return n
		}
		switch rapid.IntRange(0, 3).Draw(t, "way") {
		case 0:
			got := make([]uint8, k)
			if err := l.Read(got); err != nil {
				t.Fatal(err)
			}
			for i, v := range got {
				if uint32(v) != levels[at+i] {
					t.Fatalf("level %d is %d, want %d", at+i, v, levels[at+i])
				}
			}
		case 1:
			there := make([]bool, k)
			for i, v := range levels[at : at+k] {
				there[i] = int(v) == most
			}
			readInto(t, &l, there, count(most))
		case 2:
			if n, err := l.Skip(k); err != nil || n != count(most) {
				t.Fatalf("skip %d levels at %d: %d values, want %d; %v", k, at, n, count(most), err)
			}
		default:
			if n, err := l.CountZeros(k); err != nil || n != count(0) {
				t.Fatalf("%d levels at %d: %d zeros, want %d; %v", k, at, n, count(0), err)
			}
		}
		at += k
	}
}

func TestWideLevelsLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.OneOf(rapid.IntRange(1, 8), rapid.IntRange(1, 255)).Draw(t, "highest level")
		levels := runs(t, drawCount(t), rapid.OneOf(rapid.Uint32Range(0, uint32(most)), rapid.Just(uint32(most))))
		width := bits.Len(uint(most))
		wideLaw(t, NewLevels(encodeHybrid(levels, width, false, rapidPick(t)), most), levels, most)
		var all []bool // most significant bit first
		for _, v := range levels {
			for b := width - 1; b >= 0; b-- {
				all = append(all, v>>b&1 != 0)
			}
		}
		l, rest, err := NewLegacyLevels(append(encodeBitPackedMSB(all), "rest"...), most, len(levels))
		if err != nil || string(rest) != "rest" {
			t.Fatalf("rest %q, %v", rest, err)
		}
		wideLaw(t, l, levels, most)
	})
}

func TestLevelsAboveTheHighest(t *testing.T) {
	levels := []uint32{0, 3, 1, 0, 0, 0, 0, 0}
	for name, src := range map[string][]byte{"packed": encodeHybrid(levels, 2, false, func(int) int { return 1 }), "a run": {16, 3}} {
		for what, read := range map[string]func(l *Levels) error{
			"read":    func(l *Levels) error { return l.Read(make([]uint8, 8)) },
			"present": func(l *Levels) error { _, err := l.Present(make([]byte, 1), 0, 8); return err },
			"skip":    func(l *Levels) error { _, err := l.Skip(8); return err },
			"zeros":   func(l *Levels) error { _, err := l.CountZeros(8); return err },
		} {
			l := NewLevels(src, 2)
			if err := read(&l); err == nil {
				t.Errorf("%s, %s: a level of 3 where 2 is the highest is no error", name, what)
			}
		}
	}
}
