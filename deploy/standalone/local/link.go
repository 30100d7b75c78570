package local

import (
	"net"
	"sync"
)

// A link is the network from one broker node to another: a TCP proxy that can
// be cut. What is on its way while it is cut arrives once it is mended, as after
// a partition of a network.
type link struct {
	ln net.Listener
	to string

	mu     sync.Mutex
	open   chan struct{} // closed while the link forwards
	closed chan struct{}
	conns  map[net.Conn]bool
	ends   sync.WaitGroup
}

func openLink(to string) (*link, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	l := &link{ln: ln, to: to, open: make(chan struct{}), closed: make(chan struct{}), conns: map[net.Conn]bool{}}
	close(l.open)
	l.ends.Go(l.accept)
	return l, nil
}

func (l *link) addr() string { return l.ln.Addr().String() }

// block stops forwarding. Connections stay, and new ones are taken.
func (l *link) block() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if isClosed(l.open) {
		l.open = make(chan struct{})
	}
}

// mend goes on forwarding.
func (l *link) mend() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !isClosed(l.open) {
		close(l.open)
	}
}

func isClosed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func (l *link) close() {
	l.mu.Lock()
	close(l.closed)
	for c := range l.conns {
		_ = c.Close()
	}
	l.mu.Unlock()
	_ = l.ln.Close()
	l.ends.Wait()
}

func (l *link) accept() {
	for {
		near, err := l.ln.Accept()
		if err != nil {
			return
		}
		if !l.keep(near) {
			return
		}
		l.ends.Go(func() { l.connect(near) })
	}
}

// keep has a connection closed together with the link.
func (l *link) keep(c net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if isClosed(l.closed) {
		_ = c.Close()
		return false
	}
	l.conns[c] = true
	return true
}

func (l *link) drop(c net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.conns, c)
	_ = c.Close()
}

func (l *link) connect(near net.Conn) {
	defer l.drop(near)
	if !l.passable() {
		return
	}
	far, err := net.Dial("tcp", l.to)
	if err != nil || !l.keep(far) {
		return
	}
	defer l.drop(far)
	var back sync.WaitGroup
	back.Go(func() { l.relay(near, far) })
	l.relay(far, near)
	back.Wait()
}

// passable waits while the link is cut. It is false once the link is closed.
func (l *link) passable() bool {
	l.mu.Lock()
	open := l.open
	l.mu.Unlock()
	select {
	case <-open:
		return true
	case <-l.closed:
		return false
	}
}

// relay copies until one of the two ends, and then ends the other.
func (l *link) relay(to, from net.Conn) {
	defer to.Close()
	defer from.Close()
	chunk := make([]byte, 64<<10)
	for {
		n, err := from.Read(chunk)
		if n > 0 && l.passable() {
			if _, err := to.Write(chunk[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}
