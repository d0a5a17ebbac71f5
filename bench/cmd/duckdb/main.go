// Command duckdb runs the tasks of the benchmark with DuckDB.
package main

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/duckdb/duckdb-go/v2"

	"github.com/parequet/pare/bench/peer"
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
func one(db *sql.DB, q string, sums int) (a peer.Answer, err error) {
	a.Sums = make([]float64, sums)
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
		sums := make([]float64, len(t.Columns))
		for _, rec := range kept {
			for i := range sums {
				sums[i] += sum(rec.Column(i))
			}
		}
		return sums
	}
	return a, rr.Err()
}

func sum(a arrow.Array) (x float64) {
	switch a := a.(type) {
	case *array.Int64:
		n := int64(0)
		for _, v := range a.Int64Values() {
			n += v
		}
		return float64(n)
	case *array.Date32:
		for _, v := range a.Date32Values() {
			x += float64(v)
		}
	case *array.Float64:
		for _, v := range a.Float64Values() {
			x += v
		}
	case *array.String:
		for i := range a.Len() {
			x += float64(a.ValueLen(i))
		}
	}
	return x
}
