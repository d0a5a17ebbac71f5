package metadata

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"pgregory.net/rapid"
)

func walk(b []byte) (end int, err error) {
	r := &thriftReader{b: b}
	r.eachField(func(int16, byte) bool { return false })
	return r.p, r.err
}

func TestThriftSkipsEveryType(t *testing.T) {
	b := fields(func(w *crafter) { w.junk() })
	if end, err := walk(b); err != nil || end != len(b) {
		t.Fatalf("ended at %d of %d: %v", end, len(b), err)
	}
	// The same as an element of a list, through the fast walk.
	r := &thriftReader{b: b}
	r.skipStruct(0)
	if r.err != nil || r.p != len(b) {
		t.Fatalf("ended at %d of %d: %v", r.p, len(b), r.err)
	}
	for n := range b {
		if _, err := walk(b[:n]); err == nil {
			t.Errorf("%d of %d bytes are no error", n, len(b))
		}
	}
}

func TestThriftFieldIDs(t *testing.T) {
	ids := []int16{1, 2, 17, 32, 33, 32767, -32768, -1, 0, 15, 14}
	b := fields(func(w *crafter) {
		for _, id := range ids {
			w.i32(id, int32(id))
		}
	})
	r := &thriftReader{b: b}
	i := 0
	r.eachField(func(id int16, typ byte) bool {
		var v int32
		if !r.i32(typ, &v) || i >= len(ids) || id != ids[i] || v != int32(ids[i]) {
			t.Errorf("field %d is %d with value %d", i, id, v)
		}
		i++
		return true
	})
	if r.err != nil || i != len(ids) {
		t.Fatalf("%d fields: %v", i, r.err)
	}
	long := append([]byte{tI32}, binary.AppendVarint(nil, 32768)...)
	if _, err := walk(append(long, 0, 0)); !errors.Is(err, errThriftID) {
		t.Errorf("a field id of 32768: %v", err)
	}
}

func TestThriftFaults(t *testing.T) {
	eleven := bytes.Repeat([]byte{0xff}, 11)
	for name, c := range map[string]struct {
		b    []byte
		want error
	}{
		"nothing":                       {nil, errThriftShort},
		"a varint of eleven bytes":      {append([]byte{0x15}, eleven...), errThriftVarint},
		"a varint that does not end":    {[]byte{0x15, 0x80}, errThriftShort},
		"a string beyond the end":       {[]byte{0x18, 5, 'a'}, errThriftShort},
		"a string of 2^63 bytes":        {append([]byte{0x18}, binary.AppendUvarint(nil, 1<<63)...), errThriftShort},
		"half a double":                 {[]byte{0x17, 1, 2, 3, 4}, errThriftShort},
		"half a UUID":                   {[]byte{0x1d, 1, 2, 3, 4}, errThriftShort},
		"a wire type of 14":             {[]byte{0x1e, 0, 0}, errThriftType},
		"a list of 2^40":                {append(append([]byte{0x19, 0xf5}, binary.AppendUvarint(nil, 1<<40)...), 0), errThriftList},
		"a list of more than there is":  {[]byte{0x19, 0xe5, 0, 0}, errThriftList},
		"doubles of more than there is": {[]byte{0x19, 0x27, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0}, errThriftShort},
		"a map of 2^40":                 {append(append([]byte{0x1b}, binary.AppendUvarint(nil, 1<<40)...), 0x55, 0), errThriftList},
		"a map of bad types":            {[]byte{0x1b, 1, 0xef, 0, 0}, errThriftType},
		"a list of bad types":           {[]byte{0x19, 0x1e, 0, 0}, errThriftType},
		"a list of stops":               {[]byte{0x19, 0x10, 0, 0}, errThriftType},
	} {
		if _, err := walk(c.b); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

func TestThriftDepth(t *testing.T) {
	nested := func(open []byte, n int) []byte {
		b := bytes.Repeat(open, n)
		return append(b, make([]byte, n+1)...)
	}
	for name, open := range map[string][]byte{
		"structs": {0x1c}, "lists of a list": {0x19}, "maps": {0x1b, 1, 0x3b},
	} {
		if name == "structs" {
			if _, err := walk(nested(open, maxThriftDepth)); err != nil {
				t.Errorf("%d %s: %v", maxThriftDepth, name, err)
			}
		}
		if _, err := walk(nested(open, 100_000)); err == nil {
			t.Errorf("100000 %s are no error", name)
		}
	}
}

func TestThriftWrongTypeLeavesFieldAbsent(t *testing.T) {
	b := fields(func(w *crafter) {
		w.str(1, "five")
		w.i32(2, 7)
		w.double(3, 1)
		w.bool(4, true)
		w.i64(5, 99)
	})
	r := &thriftReader{b: b}
	var n int32
	var s []byte
	var yes bool
	var last int64
	var list []int64
	r.eachField(func(id int16, typ byte) bool {
		switch id {
		case 1:
			return r.i32(typ, &n)
		case 2:
			return r.binary(typ, &s)
		case 3:
			return r.bool(typ, &yes)
		case 4:
			return r.i64List(typ, &list)
		case 5:
			return r.i64(typ, &last)
		}
		return false
	})
	if r.err != nil || n != 0 || s != nil || yes || list != nil || last != 99 {
		t.Fatalf("%v: %d %q %v %v %d", r.err, n, s, yes, list, last)
	}
}

func TestThriftBooleanLists(t *testing.T) {
	for _, no := range []byte{0, 2} {
		for _, et := range []byte{tTrue, tFalse} {
			b := []byte{0x40 | et, 1, no, no, 1}
			r := &thriftReader{b: b}
			var got []bool
			if !r.boolList(tList, &got) || r.err != nil || len(got) != 4 || !got[0] || got[1] || got[2] || !got[3] {
				t.Errorf("false as %d, element type %d: %v, %v", no, et, got, r.err)
			}
		}
	}
}

func TestThriftIntegersOutOfRange(t *testing.T) {
	for _, v := range []int64{1 << 31, -1<<31 - 1, 1 << 62} {
		r := &thriftReader{b: binary.AppendVarint(nil, v)}
		var n int32
		if r.i32(tI32, &n); r.err == nil {
			t.Errorf("%d is taken for the int32 %d", v, n)
		}
	}
}

func TestThriftErrorsStick(t *testing.T) {
	r := &thriftReader{b: []byte{0x80}}
	r.uvarint()
	at := r.p
	if r.byte() != 0 || r.bytes() != nil || r.double() != 0 || r.zigzag() != 0 || r.p != at {
		t.Error("a reader goes on after a fault")
	}
}

// Whatever the bytes, a walk ends inside them, and the walk that skips a whole
// struct ends where the one that looks at each field does.
func TestThriftWalkLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Most bytes start no valid field; these more often do.
		likely := rapid.SampledFrom([]byte{0, 0x15, 0x16, 0x18, 0x19, 0x1c, 0x11, 0x12, 1, 2, 0x26})
		checkWalks(t, rapid.SliceOfN(rapid.OneOf(rapid.Byte(), likely, likely), 0, 60).Draw(t, "bytes"))
	})
}

func checkWalks(t rapid.TB, b []byte) {
	end, err := walk(b)
	r := &thriftReader{b: b}
	r.skipStruct(0)
	if end > len(b) || r.p > len(b) {
		t.Fatalf("ended at %d and %d of %d", end, r.p, len(b))
	}
	if errors.Is(err, errThriftID) || errors.Is(err, errThriftDepth) {
		return // skipping a whole struct is laxer on ids and counts depth otherwise
	}
	if (err == nil) != (r.err == nil) || err == nil && end != r.p {
		t.Fatalf("%x: by field the struct ends at %d (%v), as a whole at %d (%v)", b, end, err, r.p, r.err)
	}
}

// A field header of type 0 that is not the byte 0 is no end of a struct.
func TestThriftStopWithAnID(t *testing.T) {
	for _, h := range []byte{0x10, 0xf0} {
		b := []byte{0x15, 2, h, 0x15, 2, 0}
		if _, err := walk(b); !errors.Is(err, errThriftType) {
			t.Errorf("a field header of %02x: %v", h, err)
		}
		checkWalks(t, b)
	}
}
