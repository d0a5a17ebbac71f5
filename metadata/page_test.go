package metadata

import (
	"strings"
	"testing"
)

// pageV1 crafts a V1 data page header.
func pageV1(more func(w *crafter)) []byte {
	return fields(func(w *crafter) {
		w.i32(1, int32(DataPage))
		w.i32(2, 100)
		w.i32(3, 50)
		w.sub(5, func(w *crafter) {
			w.i32(1, 10)
			w.i32(2, int32(RLEDictionary))
			w.i32(3, int32(RLE))
			w.i32(4, int32(BitPacked))
			if more != nil {
				more(w)
			}
		})
	})
}

func TestPageHeaderV1(t *testing.T) {
	b := pageV1(func(w *crafter) {
		w.sub(5, Statistics{MinValue: []byte{}, NullCount: ptr(int64(3))}.craft)
		w.junk()
	})
	h, err := ParsePageHeader(append(b, "body"...), true)
	if err != nil || h.Length != len(b) || h.Type != DataPage || h.UncompressedSize != 100 || h.CompressedSize != 50 || h.HasCRC ||
		h.NumValues != 10 || h.Encoding != RLEDictionary || h.DefEncoding != RLE || h.RepEncoding != BitPacked || !h.Compressed {
		t.Fatalf("%+v, %v", h, err)
	}
	if s := h.Statistics; s == nil || s.MinValue == nil || s.MaxValue != nil || *s.NullCount != 3 {
		t.Errorf("statistics %+v", s)
	}
	if h, err = ParsePageHeader(b, false); err != nil || h.Statistics != nil || h.Length != len(b) {
		t.Errorf("statistics that were not wanted: %+v, %v", h, err)
	}
	for n := range b {
		if _, err := ParsePageHeader(b[:n], true); err == nil {
			t.Errorf("%d of %d bytes are enough", n, len(b))
		}
	}
}

func TestPageHeaderV2(t *testing.T) {
	for _, compressed := range []*bool{nil, ptr(true), ptr(false)} {
		b := fields(func(w *crafter) {
			w.i32(1, int32(DataPageV2))
			w.i32(2, 100)
			w.i32(3, 50)
			w.i32(4, -2)
			w.sub(8, func(w *crafter) {
				w.i32(1, 10)
				w.i32(2, 4)
				w.i32(3, 9)
				w.i32(4, int32(DeltaByteArray))
				w.i32(5, 20)
				w.i32(6, 30)
				if compressed != nil {
					w.bool(7, *compressed)
				}
				w.sub(8, Statistics{NullCount: ptr(int64(4))}.craft)
			})
		})
		h, err := ParsePageHeader(b, true)
		if err != nil || h.NumValues != 10 || h.NumNulls != 4 || h.NumRows != 9 || h.Encoding != DeltaByteArray || h.DefLength != 20 || h.RepLength != 30 ||
			!h.HasCRC || h.CRC != 0xfffffffe || h.Compressed != (compressed == nil || *compressed) || h.Statistics == nil {
			t.Errorf("%+v, %v", h, err)
		}
	}
}

func TestPageHeaderOfADictionary(t *testing.T) {
	b := fields(func(w *crafter) {
		w.i32(1, int32(DictionaryPage))
		w.i32(2, 0)
		w.i32(3, 0)
		w.i64(4, 0xdeadbeef) // stored unsigned by some writers
		w.sub(7, func(w *crafter) { w.i32(1, 0); w.i32(2, int32(PlainDictionary)); w.bool(3, true) })
	})
	h, err := ParsePageHeader(b, false)
	if err != nil || h.NumValues != 0 || h.Encoding != PlainDictionary || !h.Sorted || h.CRC != 0xdeadbeef {
		t.Errorf("%+v, %v", h, err)
	}
}

func TestPageHeaderFaults(t *testing.T) {
	page := func(typ PageType, full, size int32, body int16, f func(w *crafter)) []byte {
		return fields(func(w *crafter) {
			w.i32(1, int32(typ))
			w.i32(2, full)
			w.i32(3, size)
			if body > 0 {
				w.sub(body, f)
			}
		})
	}
	values := func(n int32) func(w *crafter) { return func(w *crafter) { w.i32(1, n); w.i32(2, 0); w.i32(4, 0) } }
	levels := func(def, rep int32) func(w *crafter) {
		return func(w *crafter) {
			w.i32(1, 1)
			w.i32(2, 0)
			w.i32(3, 1)
			w.i32(4, 0)
			w.i32(5, def)
			w.i32(6, rep)
		}
	}
	for name, b := range map[string][]byte{
		"nothing":                            {},
		"an empty struct":                    {0},
		"a negative size":                    page(DataPage, 10, -1, 5, values(1)),
		"a negative uncompressed size":       page(DataPage, -1, 10, 5, values(1)),
		"no body":                            page(DataPage, 10, 10, 0, nil),
		"the body of a V2 page":              page(DataPage, 10, 10, 8, values(1)),
		"the body of a V1 page in V2":        page(DataPageV2, 10, 10, 5, values(1)),
		"a dictionary's body in a data page": page(DataPage, 10, 10, 7, values(1)),
		"negative values":                    page(DataPage, 10, 10, 5, values(-1)),
		"no values":                          page(DataPage, 10, 10, 5, nil),
		"an unknown type":                    page(4, 10, 10, 5, values(1)),
		"a negative type":                    page(-1, 10, 10, 5, values(1)),
		"levels longer than the page":        page(DataPageV2, 10, 10, 8, levels(6, 5)),
		"negative definition levels":         page(DataPageV2, 10, 10, 8, levels(-1, 5)),
		"negative repetition levels":         page(DataPageV2, 10, 10, 8, levels(5, -1)),
		"levels that add up past int32":      page(DataPageV2, 1<<31-1, 1<<31-1, 8, levels(1<<31-1, 1<<31-1)),
		"a size beyond int32": fields(func(w *crafter) {
			w.i32(1, 0)
			w.i64(2, 1<<31)
			w.i32(3, 1)
			w.sub(5, values(1))
		}),
		"a size of the wrong type": fields(func(w *crafter) {
			w.i32(1, 0)
			w.i32(2, 1)
			w.str(3, "ten")
			w.sub(5, values(1))
		}),
		"text": []byte("PAR1 is not a page header"),
	} {
		if h, err := ParsePageHeader(b, true); err == nil {
			t.Errorf("%s: %+v", name, h)
		} else if !strings.Contains(err.Error(), "page header") {
			t.Errorf("%s: the error does not name the piece: %v", name, err)
		}
	}
}

func TestPageHeaderOfAnIndexPage(t *testing.T) {
	b := fields(func(w *crafter) { w.i32(1, int32(IndexPage)); w.i32(2, 3); w.i32(3, 3); w.sub(6, nil) })
	if h, err := ParsePageHeader(b, true); err != nil || h.CompressedSize != 3 {
		t.Errorf("an index page can be passed over: %+v, %v", h, err)
	}
}

// The encoding is a required field: without it the values must not be taken
// for PLAIN.
func TestPageHeaderWithoutEncoding(t *testing.T) {
	for name, f := range map[string]func(w *crafter){
		"absent":   func(w *crafter) { w.i32(1, 10); w.i32(3, int32(RLE)); w.i32(4, int32(RLE)) },
		"a string": func(w *crafter) { w.i32(1, 10); w.str(2, "DELTA"); w.i32(3, int32(RLE)); w.i32(4, int32(RLE)) },
	} {
		b := fields(func(w *crafter) { w.i32(1, 0); w.i32(2, 9); w.i32(3, 9); w.sub(5, f) })
		if h, err := ParsePageHeader(b, false); err == nil && h.Encoding == Plain {
			t.Errorf("encoding %s: the page is taken for PLAIN", name)
		}
	}
}

func bloomHeader(n int32, algorithm, hash, compression int16) []byte {
	return fields(func(w *crafter) {
		w.i32(1, n)
		for i, member := range []int16{algorithm, hash, compression} {
			w.sub(int16(i+2), func(w *crafter) {
				if member > 0 {
					w.sub(member, nil)
				}
			})
		}
	})
}

func TestBloomHeader(t *testing.T) {
	b := bloomHeader(1024, 1, 1, 1)
	h, err := ParseBloomHeader(append(b, make([]byte, 1024)...))
	if err != nil || h.NumBytes != 1024 || h.Length != len(b) {
		t.Fatalf("%+v, %v", h, err)
	}
	for n := range b {
		if _, err := ParseBloomHeader(b[:n]); err == nil {
			t.Errorf("%d of %d bytes are enough", n, len(b))
		}
	}
	for name, b := range map[string][]byte{
		"no blocks": bloomHeader(0, 1, 1, 1), "half a block": bloomHeader(16, 1, 1, 1), "negative": bloomHeader(-32, 1, 1, 1),
		"another algorithm": bloomHeader(32, 2, 1, 1), "another hash": bloomHeader(32, 1, 2, 1), "compression": bloomHeader(32, 1, 1, 2),
		"empty unions": bloomHeader(32, 0, 0, 0), "no unions": fields(func(w *crafter) { w.i32(1, 32) }), "nothing": {},
	} {
		if h, err := ParseBloomHeader(b); err == nil {
			t.Errorf("%s: %+v", name, h)
		}
	}
}

// A member that occurs twice in one union does not stand for another union.
func TestBloomHeaderNeedsEveryUnion(t *testing.T) {
	b := fields(func(w *crafter) {
		w.i32(1, 32)
		w.sub(2, func(w *crafter) { w.sub(1, nil); w.b = append(w.b, tStruct, 2, 0) }) // id 1 once more
		w.sub(3, func(w *crafter) { w.sub(7, nil) })                                   // another hash
		w.sub(4, func(w *crafter) { w.sub(1, nil) })
	})
	if h, err := ParseBloomHeader(b); err == nil {
		t.Errorf("a filter of an unknown hash is accepted: %+v", h)
	}
}
