// Package door bounds the connections that a server holds, in all and by
// network. Where there is no room, the connection of that network, or of all,
// that has waited longest makes room: who is known and is being answered keeps
// its place, and who only holds one loses it.
//
// What libraries have does not do that. netutil.LimitListener stops accepting
// once it is full, so that who came first keeps all others out; fasthttp's
// MaxConnsPerIP and Concurrency turn the newest away, count each address of an
// IPv6 network by itself, and know no proxies; and net/http has no bound.
package door

import (
	"container/list"
	"errors"
	"net"
	"net/netip"
	"sync"
	"syscall"
	"time"
)

// Bounds are the most connections that are held at once.
type Bounds struct {
	All int
	// Network bounds those of one address, or of one /64 of IPv6, that wait: who is
	// known has bounds of another kind.
	Network int
	// Exempt tells addresses that Network does not hold for, such as proxies,
	// which bring the connections of many; nil: none.
	Exempt func(netip.Addr) bool
}

// Usual are the bounds of a server whose clients may be anybody, and Operators
// those of one for a team.
var (
	Usual     = Bounds{All: 12_000, Network: 512}
	Operators = Bounds{All: 1_000, Network: 128}
)

// shortage is how long an accept waits for the system to have descriptors again.
const shortage = 20 * time.Millisecond

// A Listener accepts connections within its bounds.
type Listener struct {
	net.Listener
	bounds Bounds
	mu     sync.Mutex
	open   int
	of     map[netip.Prefix]*queue
	all    list.List // of *Conn that wait, the longest first
}

// queue is what one network holds.
type queue struct {
	open    int
	waiting list.List // of *Conn, the longest first
}

// Limit puts the bounds around ln.
func Limit(ln net.Listener, b Bounds) *Listener {
	if most := descriptors() / 3; most > 0 {
		b.All = min(b.All, most) // files, stores, the broker and a second listener need some too
	}
	return &Listener{Listener: ln, bounds: b, of: map[netip.Prefix]*queue{}}
}

// SetDeadline bounds how long Accept waits, where the listener can.
func (l *Listener) SetDeadline(t time.Time) error {
	if ln, ok := l.Listener.(interface{ SetDeadline(time.Time) error }); ok {
		return ln.SetDeadline(t)
	}
	return errors.ErrUnsupported
}

// Accept gives the next connection that there is room for. That the system has
// no descriptors left, or that a client left before it was accepted, is no end.
func (l *Listener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		switch {
		case errors.Is(err, syscall.ECONNABORTED):
		case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
			l.mu.Lock()
			evict(&l.all)
			l.mu.Unlock()
			time.Sleep(shortage)
		case err != nil:
			return nil, err
		default:
			limitSilence(c)
			if held := l.admit(c); held != nil {
				return held, nil
			}
			_ = c.Close()
		}
	}
}

// admit counts a connection, if there is room or some can be made.
func (l *Listener) admit(c net.Conn) *Conn {
	at, err := netip.ParseAddrPort(c.RemoteAddr().String())
	addr, network := at.Addr().Unmap(), Network(at.Addr())
	bounded := err == nil && (l.bounds.Exempt == nil || !l.bounds.Exempt(addr.WithZone("")))
	l.mu.Lock()
	defer l.mu.Unlock()
	q := l.of[network]
	if q == nil {
		q = &queue{}
	}
	if l.open >= l.bounds.All && !evict(&l.all) {
		return nil
	}
	l.of[network] = q
	q.open++
	l.open++
	held := &Conn{Conn: c, of: l, network: network, queue: q, bounded: bounded}
	held.wait()
	return held
}

// evict closes the first of the connections that wait. Its place is free at
// once: who reads from it finds it closed.
func evict(waiting *list.List) bool {
	first := waiting.Front()
	if first == nil {
		return false
	}
	c := first.Value.(*Conn)
	c.leave()
	_ = c.Conn.Close()
	return true
}

// A Conn is a connection that is counted.
type Conn struct {
	net.Conn
	of        *Listener
	network   netip.Prefix
	queue     *queue
	bounded   bool          // by network
	all, mine *list.Element // where it waits; nil while it keeps its place
	left      bool
}

// Wait says that nothing is in hand for the connection: it may be closed to make
// room, after all that have waited longer.
func (c *Conn) Wait() {
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	c.keep()
	c.wait()
}

// Keep says that somebody known is being answered: the connection keeps its place.
func (c *Conn) Keep() {
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	c.keep()
}

// Progress says that something came whole or went out: a connection that waits
// does so from now on.
func (c *Conn) Progress() {
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	if c.all != nil {
		c.of.all.MoveToBack(c.all)
		c.queue.waiting.MoveToBack(c.mine)
	}
}

// Write is progress: who reads what it is sent does not only hold a place.
func (c *Conn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	if n > 0 {
		c.Progress()
	}
	return n, err
}

// Close gives the place back.
func (c *Conn) Close() error {
	c.of.mu.Lock()
	c.leave()
	c.of.mu.Unlock()
	return c.Conn.Close()
}

// CloseWrite ends what is sent to the client, where the connection can.
func (c *Conn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

func (c *Conn) wait() {
	if c.left {
		return
	}
	c.all, c.mine = c.of.all.PushBack(c), c.queue.waiting.PushBack(c)
	if c.bounded && c.queue.waiting.Len() > c.of.bounds.Network {
		evict(&c.queue.waiting)
	}
}

func (c *Conn) keep() {
	if c.all == nil {
		return
	}
	c.of.all.Remove(c.all)
	c.queue.waiting.Remove(c.mine)
	c.all, c.mine = nil, nil
}

func (c *Conn) leave() {
	if c.left {
		return
	}
	c.keep()
	c.left = true
	c.of.open--
	if c.queue.open--; c.queue.open == 0 {
		delete(c.of.of, c.network)
	}
}
