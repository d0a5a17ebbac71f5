// Package metadata turns the bytes of a Parquet file's metadata into Go
// values: the footer, page headers, the page index (column index and offset
// index) and Bloom filter headers.
//
//	┌──────┬───────────────┬─────┬──────────────┬──────────────┬────────┬─────┬──────┐
//	│ PAR1 │ column chunks │  …  │ Bloom filters│  page index  │ footer │ len │ PAR1 │
//	└──────┴───────────────┴─────┴──────────────┴──────────────┴────────┴─────┴──────┘
//	         │
//	         └── [dictionary page] data page, data page, …   (each: header, then body)
//
// The package is pure: it is given bytes and gives values. It never reads a
// file, and it never believes a count before it has seen the bytes that could
// hold it. A footer is walked once; the metadata of a column chunk is decoded
// when somebody asks for it, so that a file of ten thousand columns costs a
// query over three of them three decodings per row group.
//
// What a file says about its values is turned into a [Zone] by rules of
// belief (see zone.go and writer.go): whatever is absent, malformed or known
// to be written wrongly by some writer becomes "unknown", never a bound.
//
// Format reference: https://github.com/apache/parquet-format.
package metadata
