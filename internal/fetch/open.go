package fetch

import (
	"context"
	"errors"
	"time"

	"github.com/parequet/pare/metadata"
	"github.com/parequet/pare/source"
)

// minTail and maxTail bound the automatic tail read.
const (
	minTail  = 16 << 10
	maxTail  = 1 << 20
	mostTail = 1 << 30 // that is asked for before the size is known
	// farLatency is that of sources which wait, instead of working.
	farLatency = time.Millisecond
	// maxWhole is the largest object that is read whole on suspicion.
	maxWhole = 16 << 20
)

// Resume is Open of an object whose size and last bytes are known, so that nothing
// is read.
func Resume(src source.Source, size int64, tail []byte, opt Options) *Fetcher {
	f := newFetcher(src, opt)
	f.size, f.tail = size, block{off: size - int64(len(tail)), data: tail}
	return f
}

// Identity is the version of the object that the source says it reads; "" if it does
// not say so.
func (f *Fetcher) Identity() string {
	if i, ok := f.src.(source.Identifier); ok {
		return i.Identity()
	}
	return ""
}

// From is the fetcher with another source of the same version of the object. It fails
// if the source knows already that it has another one.
func (f *Fetcher) From(src source.Source, identity string) (*Fetcher, error) {
	t := *f.target
	t.src, t.meant = src, identity
	again := &Fetcher{&t, f.hints, f.gap}
	return again, again.isMeant()
}

// Open learns the object's size and reads its end in one request, which is
// recorded as round 0.
func Open(ctx context.Context, src source.Source, opt Options, l *Ledger) (*Fetcher, error) {
	f := newFetcher(src, opt)
	perRequest := f.perRequest()
	if f.hints.Latency >= farLatency {
		perRequest /= int64(max(opt.Beside, 1)) // they wait together, and share the bandwidth
	}
	if tr, ok := src.(source.TailReader); ok {
		n := opt.Tail
		switch {
		case n < 0 && worthWhole(opt.Size, perRequest):
			n = opt.Size
		case n < 0:
			n = min(max(perRequest/4, minTail), maxTail)
		}
		if err := f.openTail(ctx, tr, max(n, metadata.TailLength), l); errors.Is(err, source.ErrTailRefused) {
			l.record(Request{Round: refusedRound, Purpose: "tail, refused"})
		} else if !errors.Is(err, source.ErrNoTail) {
			return f, err
		}
	}
	size, err := f.sizeOf(ctx, opt, l)
	if err != nil {
		return nil, err
	}
	f.size = size
	n := opt.Tail
	if n < 0 && worthWhole(size, perRequest) {
		n = size
	}
	if n < 0 {
		// A file's index grows with it; what a request more would cost bounds
		// what is read of it on suspicion.
		n = min(max(perRequest/4, size/1024, minTail), max(perRequest, 4*minTail), maxTail)
	}
	n = min(max(n, metadata.TailLength), size)
	f.tail = block{off: size - n, data: make([]byte, n)}
	if n == 0 {
		return f, nil
	}
	return f, f.read(ctx, request{off: f.tail.off, dst: f.tail.data}, Request{Purpose: "tail"}, l)
}

// worthWhole reports whether an object of this size, if it is known, is read whole:
// that takes little longer than the wait that another request would cost, which brings
// a part of it besides.
func worthWhole(size, perRequest int64) bool {
	return size > 0 && size <= min(perRequest*5/4, maxWhole)
}

// sizeOf is the object's size: if that is not known, of a remote source, it takes a
// request.
func (f *Fetcher) sizeOf(ctx context.Context, opt Options, l *Ledger) (size int64, err error) {
	if opt.Size > 0 {
		return opt.Size, nil
	}
	retries, err := f.retry(ctx, func(ctx context.Context) (n int, err error) {
		size, err = f.src.Size(ctx)
		return 0, err
	})
	if err == nil && f.gauge != nil {
		l.record(Request{Round: sizeRound, Purpose: "size", Retries: retries})
	}
	return size, err
}

// Rounds before the open's.
const (
	sizeRound    = -1
	refusedRound = -2
)

func (f *Fetcher) openTail(ctx context.Context, tr source.TailReader, n int64, l *Ledger) error {
	if opt := f.asked; opt.Size > 0 {
		n = min(n, max(opt.Size, metadata.TailLength))
	}
	p := make([]byte, min(n, mostTail))
	var got int
	retries, err := f.retry(ctx, func(ctx context.Context) (int, error) {
		var err error
		got, f.size, err = tr.ReadTail(ctx, p)
		return got, err
	})
	if err == nil {
		err = f.isMeant()
	}
	if err != nil {
		return err
	}
	f.tail = block{off: f.size - int64(got), data: p[len(p)-got:]}
	l.record(Request{Purpose: "tail", Offset: f.tail.off, Length: int64(got), Retries: retries})
	return nil
}
