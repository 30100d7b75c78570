package web

import (
	"errors"
	"io"
	"net"
	"time"

	"boardorder/pkg/door/strict"

	"github.com/valyala/fasthttp"
)

const (
	// stall is how long a body may make no progress, and longest how long all of
	// it may take.
	stall   = 30 * time.Second
	longest = 20 * time.Minute
	// slowest is how many bytes a second a body brings at least, on average
	// after a while: who sends more slowly holds a place for too long.
	slowest     = 8 << 10
	slowAllowed = 30 * time.Second
	// drained and drainTime bound what is read of a body that nobody wanted, to
	// keep its connection usable.
	drained   = 256 << 10
	drainTime = 300 * time.Millisecond
)

// ErrStalled says that the client stopped sending.
var ErrStalled = errors.New("the body stopped arriving")

// Body is a request's body, read as it arrives. Both the whole and each part
// of it must come within a bounded time.
type Body struct {
	r      io.Reader // nil: the request has none
	conn   net.Conn
	length int64 // announced; -1 = chunked
	strict *strict.Conn
	ended  bool
	failed bool
	stall  time.Duration
	start  time.Time
	end    time.Time
	got    int64
}

func bodyOf(ctx *fasthttp.RequestCtx) *Body {
	b := &Body{r: ctx.RequestBodyStream(), conn: ctx.Conn(), stall: stall}
	switch conn := b.conn.(type) {
	case *gentleConn:
		b.strict, b.length = &conn.in, conn.in.Body().Length
	case innerConn:
		b.length = conn.length
	}
	if b.r == nil || b.length == 0 {
		b.r, b.ended = nil, true
	}
	return b
}

// due is when the next bytes must have come: soon, before all of the time is
// over, and before the whole body is slower than it may be. The time begins
// with the first read.
func (b *Body) due(now time.Time) time.Time {
	if b.start.IsZero() {
		b.start = now
	}
	if b.end.IsZero() {
		b.end = now.Add(longest)
	}
	next := now.Add(b.stall)
	for _, other := range []time.Time{b.end, b.start.Add(slowAllowed + time.Duration(b.got)*time.Second/slowest)} {
		if other.Before(next) {
			next = other
		}
	}
	return next
}

// Length is what the client announced, or -1.
func (b *Body) Length() int64 {
	if b.r == nil {
		return 0
	}
	return b.length
}

// Empty reports whether the request surely has no body.
func (b *Body) Empty() bool { return b.r == nil }

// SetTimeout bounds the time for all of the body anew.
func (b *Body) SetTimeout(d time.Duration) { b.end = time.Now().Add(d) }

func (b *Body) Read(p []byte) (int, error) {
	if b.ended {
		return 0, io.EOF
	}
	if b.failed {
		return 0, io.ErrUnexpectedEOF
	}
	_ = b.conn.SetReadDeadline(b.due(time.Now()))
	n, err := b.r.Read(p)
	b.got += int64(n)
	switch timeout, ok := errors.AsType[net.Error](err); {
	case err == nil:
	case err == io.EOF:
		b.ended = true // a second read of a chunked body would take the next request for a chunk
	case ok && timeout.Timeout():
		b.failed, err = true, ErrStalled
	default:
		b.failed = true
	}
	return n, err
}

// finish makes the connection fit for the next request, and reports whether it
// is: what is left of a body would be read as a request.
func (b *Body) finish() bool {
	if b.ended {
		return true
	}
	if b.failed || b.length > drained || b.strict != nil && b.strict.Body().Continue {
		return false // a client that still waits to send may send or not
	}
	b.SetTimeout(drainTime)
	n, err := io.Copy(io.Discard, io.LimitReader(b, drained))
	return err == nil && b.ended && n <= drained
}
