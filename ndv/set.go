package ndv

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/cespare/xxhash/v2"

	"github.com/parequet/pare/metadata"
)

// Set holds distinct values, as sorted 64-bit keys: the values themselves where
// they fit, else hashes. Two of a million hashes are equal once in 40 million
// sets.
type Set []uint64

// NewSet makes a set of keys, which it sorts.
func NewSet(keys []uint64) Set {
	slices.Sort(keys)
	return slices.Compact(keys)
}

// Key is the key of a value: equal for values that are equal to SQL.
func Key(v metadata.Value) uint64 {
	switch v.Order {
	case metadata.OrderInt, metadata.OrderUint:
		return uint64(v.Int)
	case metadata.OrderFloat:
		switch {
		case v.Float == 0:
			return 0
		case v.IsNaN():
			return nanKey
		}
		return math.Float64bits(v.Float)
	case metadata.OrderDecimal:
		b := v.BigInt()
		if b.IsInt64() {
			return uint64(b.Int64())
		}
		return xxhash.Sum64(b.Bytes()) ^ uint64(b.Sign())
	}
	if len(v.Bytes) <= 7 { // with its length, so that none is lost
		var b [8]byte
		copy(b[:], v.Bytes)
		b[7] = byte(len(v.Bytes)) + 1
		return binary.LittleEndian.Uint64(b[:])
	}
	return xxhash.Sum64(v.Bytes)
}

// nanKey is the key of every NaN.
var nanKey = math.Float64bits(math.NaN())

// count is 1 if a set of floats holds a key, else 0.
func (s Set) count(key uint64, col *Column) int64 {
	if _, found := slices.BinarySearch(s, key); found && col.Order == metadata.OrderFloat {
		return 1
	}
	return 0
}

// union merges sets. O(n log k).
func union(sets []Set) Set {
	switch len(sets) {
	case 0:
		return nil
	case 1:
		return sets[0]
	}
	a, b := union(sets[:len(sets)/2]), union(sets[len(sets)/2:])
	out := make(Set, 0, max(len(a), len(b)))
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			out, a = append(out, a[0]), a[1:]
		case b[0] < a[0]:
			out, b = append(out, b[0]), b[1:]
		default:
			out, a, b = append(out, a[0]), a[1:], b[1:]
		}
	}
	return append(append(out, a...), b...)
}
