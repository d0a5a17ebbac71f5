package pare

import (
	"iter"
	"sync/atomic"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// Reader runs the scan as an Arrow record reader. Releasing it ends the scan.
func (s *Scan) Reader() array.RecordReader {
	next, stop := iter.Pull2(s.Batches())
	r := &recordReader{scan: s, next: next, stop: stop}
	r.refs.Store(1)
	return r
}

type recordReader struct {
	scan *Scan
	next func() (arrow.RecordBatch, error, bool)
	stop func()
	refs atomic.Int64
	cur  arrow.RecordBatch
	err  error
}

func (r *recordReader) Retain() { r.refs.Add(1) }

func (r *recordReader) Release() {
	if r.refs.Add(-1) == 0 {
		r.drop()
		r.stop()
	}
}

func (r *recordReader) drop() {
	if r.cur != nil {
		r.cur.Release()
		r.cur = nil
	}
}

func (r *recordReader) Schema() *arrow.Schema { return r.scan.Schema() }

// Next moves to the next batch, which is valid until the one after unless it
// is retained.
func (r *recordReader) Next() bool {
	r.drop()
	if r.err != nil {
		return false
	}
	batch, err, ok := r.next()
	if !ok || err != nil {
		r.err = err
		return false
	}
	r.cur = batch
	return true
}

func (r *recordReader) RecordBatch() arrow.RecordBatch { return r.cur }

// Record is the older name of RecordBatch.
func (r *recordReader) Record() arrow.RecordBatch { return r.cur }

func (r *recordReader) Err() error { return r.err }
