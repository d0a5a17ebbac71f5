package page

import (
	"github.com/parequet/pare/internal/encoding"
	"github.com/parequet/pare/metadata"
)

// Dictionary holds the values of a dictionary page. It has memory of its own.
type Dictionary struct {
	Column *metadata.Column
	N      int
	Width  int                 // of a value in Fixed, -1 if values are in Binary
	Fixed  []byte              // N × Width bytes
	Binary encoding.ByteArrays // values of byte arrays
	Words  *encoding.Words     // the same, ready to be looked up
	Left   int                 // bytes behind the last value, which there should not be
}

// maxEmpty bounds a dictionary of values of no bytes, all of which are the same.
const maxEmpty = 1 << 16

// NewDictionary decodes n PLAIN values, as many as src can hold.
func NewDictionary(col *metadata.Column, n int, src []byte) (*Dictionary, error) {
	d := &Dictionary{Column: col, N: n, Width: col.Width()}
	switch {
	case d.Width < 0:
		if n > len(src)/4 {
			return nil, encoding.ErrShort
		}
		d.Binary.Offsets = make([]int32, 1, n+1)
		d.Binary.Data = make([]byte, 0, len(src)-4*n+encoding.Overshoot)
		err := encoding.NewPlainBinary(src).Append(&d.Binary, n)
		d.Left = len(src) - 4*n - len(d.Binary.Data)
		d.Words = encoding.NewWords(&d.Binary)
		return d, err
	case col.Type == metadata.Boolean:
		if n > 8*len(src) {
			return nil, encoding.ErrShort
		}
		d.Fixed = make([]byte, n)
		return d, encoding.NewPlainBooleans(src).Read(d.Fixed)
	case d.Width > 0 && n > len(src)/d.Width, d.Width == 0 && n > maxEmpty:
		return nil, encoding.ErrShort
	}
	d.Fixed = make([]byte, n*d.Width)
	d.Left = len(src) - n*d.Width
	return d, encoding.NewPlainFixed(src, d.Width).Read(d.Fixed)
}

// Value returns value i; its Bytes are a view.
func (d *Dictionary) Value(i int) metadata.Value {
	b := d.Fixed
	if d.Width < 0 {
		b = d.Binary.Value(i)
	} else {
		b = b[i*d.Width : (i+1)*d.Width]
	}
	v, _ := d.Column.Value(b)
	return v
}

// Widen sign-extends a big-endian two's complement integer to width bytes.
func Widen(b []byte, width int) []byte {
	out := make([]byte, width)
	if len(b) > 0 && b[0]&0x80 != 0 {
		for i := range out {
			out[i] = 0xff
		}
	}
	n := min(width, len(b))
	copy(out[width-n:], b[len(b)-n:])
	return out
}
