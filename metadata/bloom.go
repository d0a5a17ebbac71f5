package metadata

// BloomHeader is the header of a split-block Bloom filter.
type BloomHeader struct {
	NumBytes int32 // of the bitset that follows
	Length   int   // bytes of the header itself
}

// ParseBloomHeader parses the header at the start of b. A filter of another
// algorithm, hash or compression than the format's only ones is unsupported.
func ParseBloomHeader(b []byte) (BloomHeader, error) {
	h := BloomHeader{NumBytes: -1}
	r := &thriftReader{b: b}
	known := 0 // one bit a union
	r.eachField(func(id int16, typ byte) bool {
		switch id {
		case 1:
			return r.i32(typ, &h.NumBytes)
		case 2, 3, 4: // unions of a single member: BLOCK, XXHASH, UNCOMPRESSED
			if typ != tStruct {
				return false
			}
			r.eachField(func(member int16, typ byte) bool {
				if member == 1 {
					known |= 1 << id
				}
				return false
			})
			return true
		}
		return false
	})
	h.Length = r.p
	switch {
	case r.err != nil:
		return h, &FormatError{Piece: "Bloom filter header", Offset: int64(r.p), Err: r.err}
	case known != 1<<2|1<<3|1<<4:
		return h, &UnsupportedError{Piece: "Bloom filter header", Msg: "an algorithm, hash or compression that the format does not know"}
	case h.NumBytes <= 0 || h.NumBytes%32 != 0:
		return h, formatErr("Bloom filter header", -1, "a bitset of %d bytes is not a number of 32-byte blocks", h.NumBytes)
	}
	return h, nil
}
