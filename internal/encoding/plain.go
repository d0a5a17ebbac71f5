package encoding

import "encoding/binary"

// PlainFixed decodes PLAIN values of a fixed width other than booleans.
type PlainFixed struct {
	src   []byte
	width int
}

// NewPlainFixed reads values of width bytes.
func NewPlainFixed(src []byte, width int) *PlainFixed { return &PlainFixed{src, width} }

func (p *PlainFixed) Read(dst []byte) error {
	if len(dst) > len(p.src) {
		return ErrShort
	}
	copy(dst, p.src)
	p.src = p.src[len(dst):]
	return nil
}

func (p *PlainFixed) Skip(n int) error {
	if p.width > 0 && n > len(p.src)/p.width {
		return ErrShort
	}
	p.src = p.src[n*p.width:]
	return nil
}

// PlainBooleans decodes PLAIN booleans, bits least significant first, as
// bytes 0 and 1.
type PlainBooleans struct {
	src []byte
	pos int
}

// NewPlainBooleans reads bits.
func NewPlainBooleans(src []byte) *PlainBooleans { return &PlainBooleans{src: src} }

func (p *PlainBooleans) Read(dst []byte) error {
	if p.pos+len(dst) > len(p.src)*8 {
		return ErrShort
	}
	for i := range dst {
		q := p.pos + i
		dst[i] = p.src[q>>3] >> (q & 7) & 1
	}
	p.pos += len(dst)
	return nil
}

func (p *PlainBooleans) Skip(n int) error {
	if p.pos+n > len(p.src)*8 {
		return ErrShort
	}
	p.pos += n
	return nil
}

// PlainBinary decodes PLAIN byte arrays: a 4-byte length before each.
type PlainBinary struct{ src []byte }

// NewPlainBinary reads length-prefixed values.
func NewPlainBinary(src []byte) *PlainBinary { return &PlainBinary{src} }

// Of values in at most nearBinary bytes as many bytes are reserved, and the values
// copied one by one; of longer ones walkBinary lengths are added up first, so that
// no more is reserved than there is. So are those of all values that are wanted of
// what lies behind them, where to reserve so much would move what is there.
const (
	nearBinary = 1 << 20
	walkBinary = 512
)

func (p *PlainBinary) Append(dst *ByteArrays, n int) error {
	for n > 0 {
		k, most := n, len(p.src)-4*n
		far := most > nearBinary || most > dst.limit()-len(dst.Data)
		if far || len(dst.Data) > 0 && most+Overshoot > cap(dst.Data)-len(dst.Data) {
			if far {
				k = min(n, walkBinary)
			}
			size, err := p.size(k, dst.limit()-len(dst.Data))
			if err != nil {
				return err
			}
			most = size
		}
		if most < 0 {
			return ErrShort
		}
		if err := p.append(dst, k, most); err != nil {
			return err
		}
		n -= k
	}
	return nil
}

// size adds up the lengths of the next n values, of which there must be room for
// limit bytes.
func (p *PlainBinary) size(n, limit int) (sum int, err error) {
	src := p.src
	for range n {
		if len(src) < 4 {
			return 0, ErrShort
		}
		size := int(binary.LittleEndian.Uint32(src))
		if size > len(src)-4 {
			return 0, ErrShort
		}
		if sum += size; sum > limit {
			return 0, ErrFull
		}
		src = src[4+size:]
	}
	return sum, nil
}

// append adds n values that have at most so many bytes together.
func (p *PlainBinary) append(dst *ByteArrays, n, most int) error {
	dst.GrowOffsets(n)
	if err := dst.Grow(most); err != nil {
		return err
	}
	at, end := len(dst.Offsets), len(dst.Data)
	ends := dst.Offsets[at : at+n]
	src, data := p.src, dst.Data[:cap(dst.Data)]
	last := end + most
	for i := range ends {
		if len(src) < 4 {
			return ErrShort
		}
		size := int(binary.LittleEndian.Uint32(src))
		src = src[4:]
		if size > len(src) || size > last-end { // if the lengths of the others have no room, values are missing
			return ErrShort
		}
		copyShort(data[end:], src, size)
		src = src[size:]
		end += size
		ends[i] = int32(end)
	}
	p.src, dst.Data, dst.Offsets = src, data[:end], dst.Offsets[:at+n]
	return nil
}

func (p *PlainBinary) Skip(n int) error {
	src := p.src
	for range n {
		if len(src) < 4 {
			return ErrShort
		}
		size := int(binary.LittleEndian.Uint32(src))
		if size > len(src)-4 {
			return ErrShort
		}
		src = src[4+size:]
	}
	p.src = src
	return nil
}

// ByteStreamSplit decodes BYTE_STREAM_SPLIT: byte k of every value lies in
// stream k.
type ByteStreamSplit struct {
	src    []byte
	width  int
	stride int // values in the page
	pos    int
}

// NewByteStreamSplit reads values of width bytes.
func NewByteStreamSplit(src []byte, width int) (*ByteStreamSplit, error) {
	if width <= 0 || len(src)%width != 0 {
		return nil, corrupt("%d bytes are not streams of values of %d bytes", len(src), width)
	}
	return &ByteStreamSplit{src: src, width: width, stride: len(src) / width}, nil
}

func (s *ByteStreamSplit) Read(dst []byte) error {
	n := len(dst) / s.width
	if n > s.stride-s.pos {
		return ErrShort
	}
	for k := range s.width {
		stream := s.src[k*s.stride+s.pos:][:n]
		for i, v := range stream {
			dst[i*s.width+k] = v
		}
	}
	s.pos += n
	return nil
}

func (s *ByteStreamSplit) Skip(n int) error {
	if n > s.stride-s.pos {
		return ErrShort
	}
	s.pos += n
	return nil
}
