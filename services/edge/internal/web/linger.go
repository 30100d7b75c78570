package web

import (
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"boardorder/pkg/door"
	"boardorder/pkg/door/strict"
)

const (
	lingerBytes = 128 << 20
	lingerTime  = 10 * time.Second
	maxLinger   = 512 // connections lingering at once

	// lastAccepts is how long after the last connection a server that stops still
	// takes those that were made to it; maxLast, how long in all.
	lastAccepts = 20 * time.Millisecond
	maxLast     = 500 * time.Millisecond
)

// lingering wraps a listener so that a connection which is closed while its
// client still sends is closed gently: otherwise the system resets it, and the
// client may never see the reply that asked it to stop.
//
// It also puts the strict reader between each connection and the library.
type lingering struct {
	*door.Listener
	refuse func(*strict.Refusal) []byte
	slots  chan struct{}
	mu     sync.Mutex // of ended: nothing begins to linger while wait waits
	ended  bool
	wg     sync.WaitGroup
	open   sync.Map                  // of *gentleConn
	until  atomic.Pointer[time.Time] // a server that stops takes no connection after this
	closed atomic.Bool
}

func linger(ln *door.Listener, refuse func(*strict.Refusal) []byte) *lingering {
	return &lingering{Listener: ln, refuse: refuse, slots: make(chan struct{}, maxLinger)}
}

// wait returns when no connection lingers; none that closes later does.
func (l *lingering) wait() {
	l.mu.Lock()
	l.ended = true
	l.mu.Unlock()
	l.wg.Wait()
}

// begin starts to drain a connection, unless too many are or the server has ended.
func (l *lingering) begin(c *gentleConn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return false
	}
	select {
	case l.slots <- struct{}{}:
	default:
		return false
	}
	l.wg.Go(func() {
		defer func() { <-l.slots }()
		c.drain()
	})
	return true
}

// closeAll closes what is still open, at once.
func (l *lingering) closeAll() {
	l.open.Range(func(c, _ any) bool {
		_ = c.(*gentleConn).Conn.Close()
		return true
	})
}

// finish lets Accept end once nobody is left who connected: a client whose
// connection the system has made knows nothing of whether it was accepted, and
// would see it reset. It says whether Accept will end by itself.
func (l *lingering) finish() bool {
	until := time.Now().Add(maxLast)
	l.until.Store(&until)
	return l.setTimeout(lastAccepts) == nil
}

func (l *lingering) setTimeout(d time.Duration) error {
	return l.SetDeadline(time.Now().Add(d))
}

// accept takes the next connection. When the server stops it gives net.ErrClosed
// once a whole wait for one was in vain.
func (l *lingering) accept() (net.Conn, error) {
	for whole := false; ; whole = true {
		c, err := l.Listener.Accept()
		until := l.until.Load()
		if until == nil || !errors.Is(err, os.ErrDeadlineExceeded) {
			return c, err
		}
		if whole || time.Now().After(*until) {
			_ = l.Close() // at once: nobody connects in between
			return nil, net.ErrClosed
		}
		if err := l.setTimeout(lastAccepts); err != nil {
			return nil, err
		}
	}
}

// Close closes the listener, once.
func (l *lingering) Close() error {
	if l.closed.Swap(true) {
		return nil
	}
	return l.Listener.Close()
}

func (l *lingering) Accept() (net.Conn, error) {
	c, err := l.accept()
	if err != nil {
		return nil, err
	}
	place := c.(*door.Conn)
	g := &gentleConn{Conn: c, place: place, of: l, in: strict.Conn{Conn: c, Head: place.Progress}}
	g.in.Reply = func(r *strict.Refusal) []byte {
		sending(g)
		return l.refuse(r)
	}
	l.open.Store(g, nil)
	return g, nil
}

type gentleConn struct {
	net.Conn
	place  *door.Conn
	in     strict.Conn
	of     *lingering
	gently atomic.Bool
	once   sync.Once
}

func (c *gentleConn) Read(p []byte) (int, error) { return c.in.Read(p) }

// SetWriteDeadline hides that the connection has been closed: the library takes
// that for a defect of its own and panics. Writing then says so.
func (c *gentleConn) SetWriteDeadline(t time.Time) error {
	if err := c.Conn.SetWriteDeadline(t); !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}

// sending notes that the client may still be sending when we close.
func sending(c net.Conn) {
	if g, ok := c.(*gentleConn); ok {
		g.gently.Store(true)
	}
}

func (c *gentleConn) Close() error {
	if !c.gently.Load() {
		c.of.open.Delete(c)
		return c.Conn.Close()
	}
	c.once.Do(func() {
		if !c.of.begin(c) {
			c.of.open.Delete(c)
			_ = c.Conn.Close()
		}
	})
	return nil
}

func (c *gentleConn) drain() {
	defer c.Conn.Close()
	defer c.of.open.Delete(c)
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite()
	}
	_ = c.Conn.SetReadDeadline(time.Now().Add(lingerTime))
	_, _ = io.CopyN(io.Discard, c.Conn, lingerBytes)
}
