// Package ndv estimates how many distinct values a column holds from what the
// metadata of its chunks says: sizes, dictionaries, bounds, page indexes and
// Bloom filters. It works on summaries of chunks, whatever format they come
// from, and reads nothing.
//
// Every answer is an interval that holds the truth as long as the metadata is
// honest, an estimate inside it, the route that led there, and what each bound
// rests on. NULL is no value; NaN is one, whatever its bits; -0 equals +0.
//
// The ladder: T0 takes what a footer says, T1 the page index, T2 the headers
// of dictionary pages, T3 the dictionaries themselves, T4 Bloom filters. The
// method [Paper] is that of "Zero-Cost NDV Estimation from Columnar File
// Metadata" (arXiv:2603.24606), for comparison.
package ndv
