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
		switch t.Kind {
		case peer.Arrow:
			return toArrow(connector, q, t)
		case peer.Nested:
			return nested(connector, q, t.Check)
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
	a.Sums = make([]float64, len(t.Columns))
	var kept []arrow.RecordBatch
	err = eachBatch(c, q, func(rec arrow.RecordBatch) error {
		a.Rows += rec.NumRows()
		if t.Check {
			rec.Retain()
			kept = append(kept, rec)
		}
		return nil
	})
	a.AddUp = func() []float64 {
		for _, rec := range kept {
			for i := range a.Sums {
				x, _ := sums.Of(rec.Column(i), nil)
				a.Sums[i] += x
			}
		}
		return a.Sums
	}
	return a, err
}

// nested reads nested columns.
func nested(c driver.Connector, q string, check bool) (a peer.Answer, err error) {
	var all sums.Nested
	err = eachBatch(c, q, func(rec arrow.RecordBatch) error {
		a.Rows += rec.NumRows()
		if !check {
			return nil
		}
		return all.Batch(rec)
	})
	a.Sums = all.Sums
	return a, err
}

// eachBatch runs a query and calls f with its result, batch by batch.
func eachBatch(c driver.Connector, q string, f func(arrow.RecordBatch) error) error {
	ctx := context.Background()
	conn, err := c.Connect(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	ar, err := duckdb.NewArrowFromConn(conn)
	if err != nil {
		return err
	}
	rr, err := ar.QueryContext(ctx, q)
	if err != nil {
		return err
	}
	defer rr.Release()
	for rr.Next() {
		if err := f(rr.RecordBatch()); err != nil {
			return err
		}
	}
	return rr.Err()
}
