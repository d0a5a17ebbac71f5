package orc

// Statistics are those of a column in a file, a stripe or a row group.
type Statistics struct {
	Values   int64 // that are not null; -1 if absent
	HasNull  bool
	Bytes    int64 // of all strings or binaries; -1 if absent
	TrueBits int64 // of booleans; -1 if absent

	Int       *IntRange // integers and dates (days)
	Double    *DoubleRange
	Text      *TextRange // strings and, as text, decimals
	Timestamp *IntRange  // milliseconds, UTC
}

// IntRange is a minimum and a maximum.
type IntRange struct {
	Min, Max       int64
	HasMin, HasMax bool
}

// DoubleRange is a minimum and a maximum.
type DoubleRange struct {
	Min, Max       float64
	HasMin, HasMax bool
}

// TextRange is a minimum and a maximum, or bounds that were cut short.
type TextRange struct {
	Min, Max       []byte
	HasMin, HasMax bool
	MinCut, MaxCut bool
}

func parseStatistics(b []byte) (s Statistics, err error) {
	s.Values, s.Bytes, s.TrueBits = -1, -1, -1
	err = eachField(b, func(x field) error {
		switch x.id {
		case 1:
			s.Values = int64(x.num)
		case 2:
			s.Int = &IntRange{}
			return s.Int.parse(x.bytes, 1, 2)
		case 3:
			s.Double = &DoubleRange{}
			return eachField(x.bytes, func(y field) error {
				switch y.id {
				case 1:
					s.Double.Min, s.Double.HasMin = y.float(), true
				case 2:
					s.Double.Max, s.Double.HasMax = y.float(), true
				}
				return nil
			})
		case 4, 6:
			s.Text = &TextRange{}
			return s.Text.parse(x.bytes, x.id == 4, &s.Bytes)
		case 5:
			return eachField(x.bytes, func(y field) error {
				counts, err := varints(nil, y)
				if err == nil && y.id == 1 && len(counts) > 0 {
					s.TrueBits = int64(counts[0])
				}
				return err
			})
		case 7:
			s.Int = &IntRange{}
			return s.Int.parse(x.bytes, 1, 2)
		case 8:
			return eachField(x.bytes, func(y field) error {
				if y.id == 1 {
					s.Bytes = y.zigzag()
				}
				return nil
			})
		case 9:
			s.Timestamp = &IntRange{}
			return s.Timestamp.parse(x.bytes, 3, 4)
		case 10:
			s.HasNull = x.num != 0
		}
		return nil
	})
	s.Values = max(s.Values, -1)
	return s, err
}

func (r *IntRange) parse(b []byte, lo, hi int) error {
	return eachField(b, func(y field) error {
		switch int(y.id) {
		case lo:
			r.Min, r.HasMin = y.zigzag(), true
		case hi:
			r.Max, r.HasMax = y.zigzag(), true
		}
		return nil
	})
}

func (r *TextRange) parse(b []byte, text bool, sum *int64) error {
	return eachField(b, func(y field) error {
		switch {
		case y.id == 1:
			r.Min, r.HasMin, r.MinCut = y.bytes, true, false
		case y.id == 2:
			r.Max, r.HasMax, r.MaxCut = y.bytes, true, false
		case y.id == 3 && text:
			*sum = y.zigzag()
		case y.id == 4 && text && !r.HasMin:
			r.Min, r.HasMin, r.MinCut = y.bytes, true, true
		case y.id == 5 && text && !r.HasMax:
			r.Max, r.HasMax, r.MaxCut = y.bytes, true, true
		}
		return nil
	})
}
