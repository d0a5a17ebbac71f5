// Package orc turns the metadata of ORC files into Go values: postscript,
// footer, stripe statistics, stripe footers and row indexes, as far as they tell
// what columns hold. It takes bytes, gives values and reads nothing, as package
// metadata does for Parquet.
//
// https://orc.apache.org/specification/ORCv1/
package orc
