package metadata

import "runtime"

// allocated returns how many bytes f allocates in all.
func allocated(f func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}

// allocLimit is what parsing n bytes may allocate: a struct of some words for
// each byte at worst (an empty Thrift struct takes one byte), and growth.
func allocLimit(n int) int64 { return 1<<20 + 512*int64(n) }
