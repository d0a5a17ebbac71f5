// Package engines asks pare and DuckDB the same question: which rows does the
// text of a WHERE clause select?
package engines

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow/array"
	_ "github.com/duckdb/duckdb-go/v2" // the driver

	"github.com/parequet/pare"
	"github.com/parequet/pare/predicate"
	"github.com/parequet/pare/source"
)

// DuckDB is a database in memory that uses no statistics for filters and whose
// times without a zone are UTC.
type DuckDB struct{ *sql.DB }

// OpenDuckDB opens a database. Close it.
func OpenDuckDB() (DuckDB, error) {
	db, err := sql.Open("duckdb", "?threads=1")
	if err != nil {
		return DuckDB{}, err
	}
	db.SetMaxOpenConns(1) // the settings belong to a connection
	for _, s := range []string{
		"SET threads=1",
		"SET disabled_optimizers='filter_pushdown,statistics_propagation'",
		"SET TimeZone='UTC'",
	} {
		if _, err := db.Exec(s); err != nil {
			return DuckDB{}, errors.Join(err, db.Close())
		}
	}
	return DuckDB{db}, nil
}

// Rows returns, in order, the numbers of the rows of table t that match: t has
// a column file_row_number.
func (db DuckDB) Rows(where string) ([]int64, error) {
	rows, err := db.Query("SELECT file_row_number FROM t WHERE " + where)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []int64
	for rows.Next() {
		var n int64
		if err := rows.Scan(&n); err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	slices.Sort(out)
	return out, rows.Err()
}

// Count returns the number of rows of table t that match, at most limit of
// them if it is not negative.
func (db DuckDB) Count(where string, limit int64) (n int64, err error) {
	q := "SELECT 1 FROM t WHERE " + where
	if limit >= 0 {
		q += fmt.Sprintf(" LIMIT %d", limit)
	}
	err = db.QueryRow("SELECT count(*) FROM (" + q + ")").Scan(&n)
	return n, err
}

// rowNumber is the name of the column of row numbers in pare's batches.
const rowNumber = "number of the row"

// PareRows returns the numbers of the rows of a file that pare finds, in the
// order in which they come.
func PareRows(data []byte, where string, opt pare.Options, q pare.Query) (rows []int64, err error) {
	if q.Where, err = predicate.Parse(where); err != nil {
		return nil, err
	}
	q.Text, q.RowNumbers = where, rowNumber
	err = scan(data, opt, q, func(numbers *array.Int64, _ int64) { rows = append(rows, numbers.Int64Values()...) })
	return rows, err
}

// PareCount returns the number of rows that pare finds when it is asked for no
// column.
func PareCount(data []byte, where string, opt pare.Options, q pare.Query) (n int64, err error) {
	if q.Where, err = predicate.Parse(where); err != nil {
		return 0, err
	}
	q.Text, q.Select = where, []string{}
	err = scan(data, opt, q, func(_ *array.Int64, rows int64) { n += rows })
	return n, err
}

// scan runs a query and hands out the row numbers, if they are asked for, and
// the size of each batch.
func scan(data []byte, opt pare.Options, q pare.Query, each func(numbers *array.Int64, rows int64)) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	ctx := context.Background()
	f, err := pare.Open(ctx, source.Memory(data), opt)
	if err != nil {
		return err
	}
	s, err := f.Scan(ctx, q)
	if err != nil {
		return err
	}
	for batch, err := range s.Batches() {
		if err != nil {
			return err
		}
		var numbers *array.Int64
		if q.RowNumbers != "" {
			numbers = batch.Column(int(batch.NumCols()) - 1).(*array.Int64)
		}
		each(numbers, batch.NumRows())
		batch.Release()
	}
	return nil
}

// QuoteName writes a name so that it means itself in both engines.
func QuoteName(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

// QuoteText writes a string literal.
func QuoteText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
