package corpus

import (
	"context"
	"errors"
	"fmt"
	"strings"

	bindings "github.com/duckdb/duckdb-go-bindings"
)

// DuckDB reads files with a DuckDB in this process. It goes through the C API
// because the database/sql driver loses what its Go types cannot hold, such as
// times of more than a day, and has no type for times in nanoseconds.
type DuckDB struct{ session *session }

// session is a database in memory and a connection to it.
type session struct {
	db   bindings.Database
	conn bindings.Connection
	path string // of the file that is being read
}

// OpenDuckDB opens a database. Its pushdown of filters is off: it makes wrong
// use of some files' statistics.
func OpenDuckDB() (*DuckDB, error) {
	d := &DuckDB{session: &session{}}
	return d, d.session.open()
}

// Close closes the database.
func (d *DuckDB) Close() {
	bindings.Disconnect(&d.session.conn)
	bindings.Close(&d.session.db)
}

// Read reads a file: all columns in one query and, if that fails, each
// in a query of its own.
func (d *DuckDB) Read(path string) *Reading {
	s := d.session
	s.path = path
	r := bounded(path, func(ctx context.Context) *Reading { return s.read(ctx) })
	if errors.Is(r.Err, errTime) { // the session may still be at it
		d.session = &session{}
		r.Err = errors.Join(r.Err, d.session.open())
	}
	return r
}

func (s *session) open() error {
	if bindings.Open(":memory:", &s.db) != bindings.StateSuccess || bindings.Connect(s.db, &s.conn) != bindings.StateSuccess {
		return errors.New("DuckDB does not open")
	}
	for _, sql := range []string{
		"SET threads=1",
		"SET memory_limit='2GB'",
		"SET temp_directory=''",
		"SET disabled_optimizers='filter_pushdown,statistics_propagation'",
	} {
		if err := s.query(context.Background(), sql, nil); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) read(ctx context.Context) *Reading {
	// Without hive_partitioning=false the folders of the path become columns.
	from := " FROM read_parquet('" + strings.ReplaceAll(s.path, "'", "''") + "', hive_partitioning=false)"
	r := &Reading{}
	var exprs []string
	describe := func(name, typ string) {
		at := len(r.Columns)
		if nestedType(typ) {
			r.Nested++
		}
		r.Columns = append(r.Columns, Column{At: at, Name: name})
		exprs = append(exprs, `"`+strings.ReplaceAll(name, `"`, `""`)+`"`)
	}
	// To describe a query is less than to prepare it, which looks at statistics
	// and fails where those of any column are malformed.
	if err := s.query(ctx, "SELECT column_name, column_type FROM (DESCRIBE SELECT *"+from+")", fetchPairs(describe)); err != nil {
		return &Reading{Err: err}
	}
	if len(exprs) == 0 {
		return r
	}
	from += fmt.Sprintf(" LIMIT %d", MaxRows+1)
	if s.query(ctx, "SELECT "+strings.Join(exprs, ", ")+from, fetchInto(r.Columns)) != nil {
		for i := range r.Columns {
			c := &r.Columns[i]
			c.Kind, c.Values = "", nil
			c.Err = s.query(ctx, "SELECT "+exprs[i]+from, fetchInto(r.Columns[i:i+1]))
		}
	}
	for _, c := range r.Columns {
		r.Rows = max(r.Rows, int64(len(c.Values)))
	}
	return r
}

// query runs a statement and hands its result to use. The context interrupts
// it.
func (s *session) query(ctx context.Context, sql string, use func(*bindings.Result) error) error {
	if ctx.Err() != nil {
		return errTime
	}
	conn := s.conn
	stop := context.AfterFunc(ctx, func() { bindings.Interrupt(conn) })
	defer stop()
	var p bindings.PreparedStatement
	defer bindings.DestroyPrepare(&p)
	if bindings.Prepare(conn, sql, &p) != bindings.StateSuccess {
		return s.failed(ctx, bindings.PrepareError(p))
	}
	// A streaming result does not hold all rows at once: some files unpack to
	// gigabytes.
	var res bindings.Result
	state := bindings.ExecutePreparedStreaming(p, &res)
	defer bindings.DestroyResult(&res)
	if state != bindings.StateSuccess {
		return s.failed(ctx, bindings.ResultError(&res))
	}
	if use == nil {
		return nil
	}
	if err := use(&res); err != nil {
		return err
	}
	if msg := bindings.ResultError(&res); msg != "" {
		return s.failed(ctx, msg)
	}
	return nil
}

// failed turns DuckDB's message into an error.
func (s *session) failed(ctx context.Context, msg string) error {
	if strings.HasPrefix(msg, "FATAL") || strings.HasPrefix(msg, "INTERNAL") {
		// The database answers nothing more after such an error. What is left
		// of it is not closed: its statement is still in use.
		if err := s.open(); err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return errTime
	}
	msg = strings.NewReplacer(`"`+s.path+`"`, "it", "'"+s.path+"'", "it", s.path, "it").Replace(msg)
	return errors.New(msg)
}
