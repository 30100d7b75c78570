package web

import (
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"boardorder/services/edge/internal/strict"
)

const (
	lingerBytes = 128 << 20
	lingerTime  = 10 * time.Second
	lingerMost  = 512 // connections lingering at once
)

// lingering wraps a listener so that a connection which is closed while its
// client still sends is closed gently: otherwise the system resets it, and the
// client may never see the reply that asked it to stop.
//
// It also puts the strict reader between each connection and the library.
type lingering struct {
	net.Listener
	refuse func(*strict.Refusal) []byte
	slots  chan struct{}
	wg     *sync.WaitGroup
	open   *sync.Map // of *gentleConn
}

func linger(ln net.Listener, refuse func(*strict.Refusal) []byte) *lingering {
	return &lingering{Listener: ln, refuse: refuse, slots: make(chan struct{}, lingerMost), wg: &sync.WaitGroup{}, open: &sync.Map{}}
}

// cut closes what is still open, at once.
func (l *lingering) cut() {
	l.open.Range(func(c, _ any) bool {
		_ = c.(*gentleConn).Conn.Close()
		return true
	})
}

func (l *lingering) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	g := &gentleConn{Conn: c, of: l, in: strict.Conn{Conn: c}}
	g.in.Reply = func(r *strict.Refusal) []byte {
		sending(g)
		return l.refuse(r)
	}
	l.open.Store(g, nil)
	return g, nil
}

type gentleConn struct {
	net.Conn
	in     strict.Conn
	of     *lingering
	gently atomic.Bool
	once   sync.Once
}

func (c *gentleConn) Read(p []byte) (int, error) { return c.in.Read(p) }

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
		select {
		case c.of.slots <- struct{}{}:
			c.of.wg.Go(func() {
				defer func() { <-c.of.slots }()
				c.drain()
			})
		default:
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
