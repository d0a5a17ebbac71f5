// Package property holds the rows that pare finds against those that DuckDB
// finds, for random predicates on every fixture, and count, min and max of them.
//
// Its tests draw the text of a WHERE clause and random options, give the text
// to both engines, and compare the numbers of the rows that match. DuckDB gets
// the files as tables, so none of its own reading by statistics takes part.
// What the two engines mean differently on purpose is not drawn; it stands,
// with both answers, in a table of its own.
//
// More cases than the usual few thousand:
//
//	GOWORK=off go test ./property -rapid.checks=10000
package property
