package pare

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/apache/arrow-go/v18/arrow"
)

// emit hands a record batch on to whoever waits for it; an error ends the work.
type emit func(arrow.RecordBatch) error

// result is a record batch, or the error that ends the scan.
type result struct {
	batch arrow.RecordBatch
	err   error
}

// send hands a result on, unless nobody waits for it any more.
func send(ctx context.Context, out chan<- result, r result) error {
	select {
	case out <- r:
		return nil
	case <-ctx.Done():
		if r.batch != nil {
			r.batch.Release()
		}
		return ctx.Err()
	}
}

// resultsAhead is how many batches of a job may wait to be handed out. Windows
// have no more than windowBatches where that can be helped, so that they do not
// wait half done; those of streamed columns may be smaller.
const (
	resultsAhead  = 8
	windowBatches = 4
)

// inOrder runs n jobs concurrently, at most ahead of them beside the one whose
// results are being handed out, and emits their results in the order of the
// jobs. It returns the first error in that order, after all jobs have ended.
func inOrder(ctx context.Context, n, ahead int, out emit, job func(ctx context.Context, i int, out emit) error) error {
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	queue := make(chan chan result, ahead)
	wg.Go(func() {
		defer close(queue)
		for i := range n {
			results := make(chan result, resultsAhead)
			select {
			case queue <- results:
			case <-ctx.Done():
				return
			}
			wg.Go(func() {
				defer close(results)
				err := job(ctx, i, func(b arrow.RecordBatch) error { return send(ctx, results, result{batch: b}) })
				if err != nil {
					send(ctx, results, result{err: err})
				}
			})
		}
	})
	for results := range queue {
		for r := range results {
			if r.err != nil {
				drop(results)
				return r.err
			}
			if err := out(r.batch); err != nil {
				cancel()
				drop(results)
				return err
			}
		}
	}
	return ctx.Err()
}

// drop releases what a job still had to hand out.
func drop(results <-chan result) {
	for r := range results {
		if r.batch != nil {
			r.batch.Release()
		}
	}
}

// oneByOne runs jobs one after the other, each when the consumer has taken all
// that the one before it gave, and wants more. A scan with a limit so reads no
// more than it must, and its counts are the same everywhere.
func oneByOne(ctx context.Context, n, _ int, out emit, job func(ctx context.Context, i int, out emit) error) error {
	for i := range n {
		if err := job(ctx, i, out); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// parallel runs n jobs, at most so many at a time, and returns the first
// error in their order. Once one has failed, no more are started.
func parallel(n, threads int, job func(i int) error) error {
	if n == 1 || threads == 1 {
		for i := range n {
			if err := job(i); err != nil {
				return err
			}
		}
		return nil
	}
	errs := make([]error, n)
	slots := make(chan struct{}, threads)
	var failed atomic.Bool
	var wg sync.WaitGroup
	for i := range n {
		slots <- struct{}{}
		if failed.Load() {
			break
		}
		wg.Go(func() {
			if errs[i] = job(i); errs[i] != nil {
				failed.Store(true)
			}
			<-slots
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
