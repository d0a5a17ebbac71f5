package encoding

// DeltaLength decodes DELTA_LENGTH_BYTE_ARRAY: all lengths, then all bytes.
type DeltaLength struct {
	lengths *Delta
	data    []byte
}

// NewDeltaLength reads delta-encoded lengths and the bytes behind them.
func NewDeltaLength(src []byte) (*DeltaLength, error) {
	lengths, err := NewDelta(src, 8)
	if err != nil {
		return nil, err
	}
	data, err := lengths.rest()
	if err != nil {
		return nil, err
	}
	return &DeltaLength{lengths, data}, nil
}

// each calls f with up to n values, one after the other.
func (d *DeltaLength) each(n int, f func(v []byte) error) error {
	for n > 0 {
		ls, err := d.lengths.next(n)
		if err != nil {
			return err
		}
		for _, l := range ls {
			if l > uint64(len(d.data)) {
				return ErrShort
			}
			if err := f(d.data[:l]); err != nil {
				return err
			}
			d.data = d.data[l:]
		}
		n -= len(ls)
	}
	return nil
}

// Append copies the bytes of many values at once: they lie one behind the other.
func (d *DeltaLength) Append(dst *ByteArrays, n int) error {
	for n > 0 {
		ls, err := d.lengths.next(n)
		if err != nil {
			return err
		}
		size := 0
		room := dst.limit() - len(dst.Data)
		dst.GrowOffsets(len(ls))
		for _, l := range ls {
			if l > uint64(len(d.data)-size) {
				return ErrShort
			}
			if size += int(l); size > room {
				return ErrFull
			}
			dst.Offsets = append(dst.Offsets, int32(len(dst.Data)+size))
		}
		if err := dst.Grow(size); err != nil {
			return err
		}
		dst.Data = append(dst.Data, d.data[:size]...)
		d.data = d.data[size:]
		n -= len(ls)
	}
	return nil
}

func (d *DeltaLength) Skip(n int) error {
	return d.each(n, func([]byte) error { return nil })
}

// DeltaBytes decodes DELTA_BYTE_ARRAY: each value repeats a prefix of the one
// before it. It decodes byte arrays and, where every value has the same
// length, fixed-length ones.
type DeltaBytes struct {
	prefixes *Delta
	suffixes *DeltaLength
	last     []byte
	width    int // of a fixed-length value
}

// NewDeltaBytes reads delta-encoded prefix lengths, then the suffixes. width
// is that of fixed-length values, 0 for byte arrays.
func NewDeltaBytes(src []byte, width int) (*DeltaBytes, error) {
	prefixes, err := NewDelta(src, 8)
	if err != nil {
		return nil, err
	}
	rest, err := prefixes.rest()
	if err != nil {
		return nil, err
	}
	suffixes, err := NewDeltaLength(rest)
	if err != nil {
		return nil, err
	}
	return &DeltaBytes{prefixes: prefixes, suffixes: suffixes, width: width}, nil
}

// maxByteArray bounds a value rebuilt from prefixes, which could otherwise
// grow without reading bytes.
const maxByteArray = 1 << 31

func (d *DeltaBytes) each(n int, f func(v []byte) error) error {
	for n > 0 {
		ps, err := d.prefixes.next(n)
		if err != nil {
			return err
		}
		i := 0
		err = d.suffixes.each(len(ps), func(suffix []byte) error {
			p := ps[i]
			i++
			if p > uint64(len(d.last)) {
				return corrupt("a prefix of %d bytes of a value of %d", p, len(d.last))
			}
			if p+uint64(len(suffix)) > maxByteArray {
				return ErrFull
			}
			d.last = append(d.last[:p], suffix...)
			return f(d.last)
		})
		if err != nil {
			return err
		}
		n -= len(ps)
	}
	return nil
}

func (d *DeltaBytes) Append(dst *ByteArrays, n int) error { return d.each(n, dst.Push) }

func (d *DeltaBytes) Skip(n int) error {
	return d.each(n, func([]byte) error { return nil })
}

// Read decodes fixed-length values.
func (d *DeltaBytes) Read(dst []byte) error {
	return d.each(len(dst)/d.width, func(v []byte) error {
		if len(v) != d.width {
			return corrupt("a value of %d bytes where %d are due", len(v), d.width)
		}
		copy(dst, v)
		dst = dst[d.width:]
		return nil
	})
}
