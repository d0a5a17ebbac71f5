package metadata

// Statistics is what a writer says about the values of a column chunk or of a
// page, as written; see [File.ChunkZone] for what is to be believed. Nil
// slices and nil pointers are fields that are absent. Byte slices alias the
// footer.
type Statistics struct {
	Min, Max           []byte // deprecated pair, in signed order
	MinValue, MaxValue []byte // in the column's defined order
	NullCount          *int64
	DistinctCount      *int64
	NaNCount           *int64
	MinExact, MaxExact *bool
}

// bounded reports whether any bound is present.
func (s *Statistics) bounded() bool {
	return len(s.Min)+len(s.Max)+len(s.MinValue)+len(s.MaxValue) > 0
}

func parseStatistics(r *thriftReader) *Statistics {
	s := &Statistics{}
	r.eachField(func(id int16, typ byte) bool {
		switch id {
		case 1:
			return r.presentBinary(typ, &s.Max)
		case 2:
			return r.presentBinary(typ, &s.Min)
		case 3:
			return r.optI64(typ, &s.NullCount)
		case 4:
			return r.optI64(typ, &s.DistinctCount)
		case 5:
			return r.presentBinary(typ, &s.MaxValue)
		case 6:
			return r.presentBinary(typ, &s.MinValue)
		case 7:
			return r.optBool(typ, &s.MaxExact)
		case 8:
			return r.optBool(typ, &s.MinExact)
		case 9:
			return r.optI64(typ, &s.NaNCount)
		}
		return false
	})
	return s
}

// presentBinary keeps "present but empty" (the empty string as a bound) apart
// from absent.
func (r *thriftReader) presentBinary(typ byte, dst *[]byte) bool {
	ok := r.binary(typ, dst)
	if ok && *dst == nil {
		*dst = []byte{}
	}
	return ok
}

func (r *thriftReader) optI64(typ byte, dst **int64) bool {
	var v int64
	if !r.i64(typ, &v) {
		return false
	}
	*dst = &v
	return true
}

func (r *thriftReader) optBool(typ byte, dst **bool) bool {
	var v bool
	if !r.bool(typ, &v) {
		return false
	}
	*dst = &v
	return true
}
