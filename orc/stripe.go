package orc

import "fmt"

// StripeFooter tells where the streams of a stripe are and how its columns are
// encoded.
type StripeFooter struct {
	Streams   []Stream
	Encodings []Encoding // of each column
}

// Stream is a stretch of a stripe, behind the ones before it.
type Stream struct {
	Kind           uint64
	Column         int
	Offset, Length int64 // in the file
}

// RowIndex is the kind of a stream of statistics for every so many rows.
const RowIndex = 6

// Encoding is how a column of a stripe is encoded.
type Encoding struct {
	Dictionary bool
	Size       int64 // entries of the dictionary
}

// ParseStripeFooter reads the footer of a stripe.
func (f *File) ParseStripeFooter(s Stripe, b []byte) (out StripeFooter, err error) {
	if b, err = Decompress(f.Codec, f.Block, b); err != nil {
		return out, err
	}
	at := s.Offset
	err = eachField(b, func(x field) error {
		switch x.id {
		case 1:
			var st Stream
			err := eachField(x.bytes, func(y field) error {
				switch y.id {
				case 1:
					st.Kind = y.num
				case 2:
					st.Column = int(min(y.num, 1<<31))
				case 3:
					st.Length = int64(y.num)
				}
				return nil
			})
			if st.Length < 0 || st.Length > s.FooterOffset()-at {
				return fmt.Errorf("a stream of %d bytes overruns its stripe", st.Length)
			}
			st.Offset = at
			at += st.Length
			out.Streams = append(out.Streams, st)
			return err
		case 2:
			var e Encoding
			err := eachField(x.bytes, func(y field) error {
				switch y.id {
				case 1:
					e.Dictionary = y.num == 1 || y.num == 3
				case 2:
					e.Size = int64(y.num)
				}
				return nil
			})
			out.Encodings = append(out.Encodings, e)
			return err
		}
		return nil
	})
	return out, err
}

// ParseRowIndex reads a column's row index: the statistics of every [File].Stride
// rows of its stripe.
func (f *File) ParseRowIndex(b []byte) (out []Statistics, err error) {
	if b, err = Decompress(f.Codec, f.Block, b); err != nil {
		return nil, err
	}
	err = eachField(b, func(x field) error {
		if x.id != 1 {
			return nil
		}
		var s Statistics
		err := eachField(x.bytes, func(y field) (err error) {
			if y.id == 2 {
				s, err = parseStatistics(y.bytes)
			}
			return err
		})
		out = append(out, s)
		return err
	})
	return out, err
}
