package encoding

import "unsafe"

// Words are the byte strings of a dictionary, made ready to be looked up.
type Words struct {
	all   *ByteArrays
	short []shortWord // all of them, if none has more than 16 bytes
}

// shortWord is copied whole, whatever its length.
type shortWord struct {
	bytes [16]byte
	size  int64
}

// NewWords prepares values for Gather. They must not change afterwards.
func NewWords(values *ByteArrays) *Words {
	w := &Words{all: values}
	n := values.Len()
	for i := range n {
		if len(values.Value(i)) > 16 {
			return w
		}
	}
	w.short = make([]shortWord, n)
	for i := range n {
		w.short[i].size = int64(copy(w.short[i].bytes[:], values.Value(i)))
	}
	return w
}

// Gather appends the values at the indices, all of which must be in w.
func (b *ByteArrays) Gather(w *Words, indices []uint32) error {
	if len(indices) == 0 {
		return nil // of a page of NULLs, which needs no dictionary
	}
	b.GrowOffsets(len(indices))
	at, end := len(b.Offsets), len(b.Data)
	ends := b.Offsets[at : at+len(indices)]
	if most := 16 * len(indices); w.short != nil && most <= b.limit()-end {
		if err := b.Grow(most); err != nil {
			return err
		}
		end = gatherShort(b.Data[:cap(b.Data)], ends, end, w.short, indices)
		b.Data, b.Offsets = b.Data[:end], b.Offsets[:at+len(indices)]
		return nil
	}
	size, offsets := 0, w.all.Offsets
	for _, i := range indices {
		size += int(offsets[i+1] - offsets[i])
	}
	if err := b.Grow(size); err != nil { // once, or not at all
		return err
	}
	data, words := b.Data[:cap(b.Data)], w.all.Data[:cap(w.all.Data)]
	for k, i := range indices {
		from := int(offsets[i])
		n := int(offsets[i+1]) - from
		copyShort(data[end:], words[from:], n)
		end += n
		ends[k] = int32(end)
	}
	b.Data, b.Offsets = data[:end], b.Offsets[:at+len(indices)]
	return nil
}

// gatherShort copies words one behind the other into data from end on, notes
// where each ends, and returns where the last one does. data has room for 16
// bytes for each index and Overshoot more, and the indices are in the table: that
// has been checked for all of them together, and is not checked for each.
func gatherShort(data []byte, ends []int32, end int, table []shortWord, indices []uint32) int {
	p, t := unsafe.Pointer(unsafe.SliceData(data)), unsafe.Pointer(unsafe.SliceData(table))
	for k, i := range indices {
		w := (*shortWord)(unsafe.Add(t, uintptr(i)*unsafe.Sizeof(shortWord{})))
		*(*[16]byte)(unsafe.Add(p, end)) = w.bytes
		end += int(w.size)
		ends[k] = int32(end)
	}
	return end
}
