package metadata

// PageHeader is the header of a page. Fields have a meaning for the page types
// named.
type PageHeader struct {
	Type             PageType
	UncompressedSize int32 // of the body
	CompressedSize   int32 // of the body
	CRC              uint32
	HasCRC           bool
	NumValues        int32 // data pages (nulls included), dictionary page
	Encoding         Encoding
	DefEncoding      Encoding // V1
	RepEncoding      Encoding // V1
	NumNulls         int32    // V2
	NumRows          int32    // V2
	DefLength        int32    // V2: bytes of definition levels, never compressed
	RepLength        int32    // V2: bytes of repetition levels, never compressed
	Compressed       bool     // V2: whether the values are; true for all others
	Sorted           bool     // dictionary page
	Statistics       *Statistics
	Length           int // bytes that the header itself takes
}

// ParsePageHeader parses the page header at the start of b. Statistics are
// kept only if wanted: most readers do not look at them.
func ParsePageHeader(b []byte, statistics bool) (PageHeader, error) {
	h := PageHeader{Type: -1, UncompressedSize: -1, CompressedSize: -1, NumValues: -1,
		Encoding: -1, DefEncoding: -1, RepEncoding: -1, Compressed: true}
	r := thriftReader{b: b}
	body := int16(0)
	r.eachField(func(id int16, typ byte) bool {
		switch id {
		case 1:
			return r.i32(typ, (*int32)(&h.Type))
		case 2:
			return r.i32(typ, &h.UncompressedSize)
		case 3:
			return r.i32(typ, &h.CompressedSize)
		case 4:
			var v int64 // an i32 on paper; some writers store it unsigned
			if !r.i64(typ, &v) {
				return false
			}
			// Writers exist that leave the field at zero.
			h.CRC, h.HasCRC = uint32(v), v != 0
			return true
		case 5, 7, 8:
			if typ != tStruct {
				return false
			}
			body = id
			r.eachField(func(f int16, typ byte) bool { return h.bodyField(&r, id, f, typ, statistics) })
			return true
		}
		return false
	})
	h.Length = r.p
	if r.err != nil {
		return h, &FormatError{Piece: "page header", Offset: int64(r.p), Err: r.err}
	}
	want := map[PageType]int16{DataPage: 5, DictionaryPage: 7, DataPageV2: 8}[h.Type]
	switch {
	case h.CompressedSize < 0 || h.UncompressedSize < 0:
		return h, formatErr("page header", -1, "sizes %d and %d", h.CompressedSize, h.UncompressedSize)
	case h.Type == IndexPage:
		return h, nil
	case want == 0:
		return h, formatErr("page header", -1, "unknown page type %d", h.Type)
	case body != want:
		return h, formatErr("page header", -1, "%v without its own header", h.Type)
	case h.NumValues < 0:
		return h, formatErr("page header", -1, "%d values", h.NumValues)
	case h.Type == DataPageV2 && (h.DefLength < 0 || h.RepLength < 0 || int64(h.DefLength)+int64(h.RepLength) > int64(h.CompressedSize)):
		return h, formatErr("page header", -1, "levels of %d and %d bytes in a page of %d", h.RepLength, h.DefLength, h.CompressedSize)
	}
	return h, nil
}

func (h *PageHeader) bodyField(r *thriftReader, body, id int16, typ byte, statistics bool) bool {
	if id == 1 {
		return r.i32(typ, &h.NumValues)
	}
	stats := int16(5)
	switch body {
	case 7:
		if id == 2 {
			return r.i32(typ, (*int32)(&h.Encoding))
		}
		return id == 3 && r.bool(typ, &h.Sorted)
	case 5:
		switch id {
		case 2:
			return r.i32(typ, (*int32)(&h.Encoding))
		case 3:
			return r.i32(typ, (*int32)(&h.DefEncoding))
		case 4:
			return r.i32(typ, (*int32)(&h.RepEncoding))
		}
	case 8:
		stats = 8
		switch id {
		case 2:
			return r.i32(typ, &h.NumNulls)
		case 3:
			return r.i32(typ, &h.NumRows)
		case 4:
			return r.i32(typ, (*int32)(&h.Encoding))
		case 5:
			return r.i32(typ, &h.DefLength)
		case 6:
			return r.i32(typ, &h.RepLength)
		case 7:
			return r.bool(typ, &h.Compressed)
		}
	}
	if id == stats && statistics && typ == tStruct {
		h.Statistics = parseStatistics(r)
		return true
	}
	return false
}
