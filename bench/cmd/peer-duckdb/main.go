//go:build duckdb_arrow

// Command peer-duckdb runs the tasks of the benchmark with DuckDB.
package main

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/duckdb/duckdb-go/v2"

	"github.com/parequet/pare/bench/peer"
	"github.com/parequet/pare/bench/peer/sums"
)

func main() {
	connector, err := duckdb.NewConnector("", nil)
	if err != nil {
		panic(err)
	}
	db := sql.OpenDB(connector)
	peer.Serve(func(t peer.Task) (peer.Answer, error) {
		for _, set := range []string{fmt.Sprintf("SET threads = %d", t.Threads), "SET enable_external_file_cache = false"} {
			if _, err := db.Exec(set); err != nil {
				return peer.Answer{}, err
			}
		}
		q := t.SQL(fmt.Sprintf("read_parquet('%s')", t.File), "strlen")
		if t.Kind == peer.Arrow {
			return toArrow(connector, q, t)
		}
		return one(db, q, len(t.Columns))
	})
}

// one runs a query that gives one row of numbers.
func one(db *sql.DB, q string, columns int) (a peer.Answer, err error) {
	a.Sums = make([]float64, columns)
	into := []any{&a.Rows}
	for i := range a.Sums {
		into = append(into, &sql.NullFloat64{})
		_ = i
	}
	rows, err := db.Query(q)
	if err != nil {
		return a, err
	}
	defer rows.Close()
	cols, err := rows.Columns()
	if err != nil {
		return a, err
	}
	if !rows.Next() {
		return a, rows.Err()
	}
	if err := rows.Scan(into[:len(cols)]...); err != nil {
		return a, err
	}
	for i := range len(cols) - 1 {
		a.Sums[i] = into[1+i].(*sql.NullFloat64).Float64
	}
	return a, nil
}

func toArrow(c driver.Connector, q string, t peer.Task) (a peer.Answer, err error) {
	ctx := context.Background()
	conn, err := c.Connect(ctx)
	if err != nil {
		return a, err
	}
	defer conn.Close()
	ar, err := duckdb.NewArrowFromConn(conn)
	if err != nil {
		return a, err
	}
	rr, err := ar.QueryContext(ctx, q)
	if err != nil {
		return a, err
	}
	defer rr.Release()
	a.Sums = make([]float64, len(t.Columns))
	var kept []arrow.RecordBatch
	for rr.Next() {
		rec := rr.RecordBatch()
		a.Rows += rec.NumRows()
		if t.Check {
			rec.Retain()
			kept = append(kept, rec)
		}
	}
	a.AddUp = func() []float64 {
		for _, rec := range kept {
			for i := range a.Sums {
				x, _ := sums.Of(rec.Column(i), nil)
				a.Sums[i] += x
			}
		}
		return a.Sums
	}
	return a, rr.Err()
}
