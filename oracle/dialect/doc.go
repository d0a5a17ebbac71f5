// Package dialect holds pare's SQL text against DuckDB's: which texts of a
// WHERE clause each of them accepts, and whether they mean the same by those
// that both accept.
//
// Where the two differ on purpose, a table says so, with the reason.
package dialect
