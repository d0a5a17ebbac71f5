package rowrange

// Rest is what is left of a set that is used up from its front, without a copy of
// it: fragmented sets are long.
type Rest struct {
	set  Set
	from int64 // rows before it are used up
}

// Rest starts with all rows of the set, which must not be changed meanwhile.
func (s Set) Rest() Rest {
	if len(s) == 0 {
		return Rest{}
	}
	return Rest{s, s[0].From}
}

// Empty reports whether no row is left.
func (r *Rest) Empty() bool { return len(r.set) == 0 }

// Head returns the first n rows that are left, as far as they lie less than span
// behind the first. It uses the memory of into.
func (r *Rest) Head(into Set, n, span int64) Set {
	into = into[:0]
	for i := 0; i < len(r.set) && n > 0; i++ {
		from := max(r.set[i].From, r.from)
		room := span
		if len(into) > 0 {
			room -= from - into[0].From
		}
		if room <= 0 {
			break
		}
		to := min(r.set[i].To, from+min(room, n))
		into = into.Append(from, to)
		n -= to - from
	}
	return into
}

// Use uses up the rows before row.
func (r *Rest) Use(row int64) {
	for len(r.set) > 0 && r.set[0].To <= row {
		r.set = r.set[1:]
	}
	r.from = row
}
