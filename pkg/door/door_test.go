package door_test

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"slices"
	"syscall"
	"testing"

	"boardorder/pkg/door"
)

// peer is a connection that somebody made from an address.
type peer struct {
	net.Conn
	from   string
	closed bool
}

func (p *peer) RemoteAddr() net.Addr { return net.TCPAddrFromAddrPort(netip.MustParseAddrPort(p.from)) }
func (p *peer) Close() error         { p.closed = true; return nil }

// script is a listener whose accepts are written down.
type script struct {
	net.Listener
	steps []any // *peer or error
}

func (s *script) Accept() (net.Conn, error) {
	if len(s.steps) == 0 {
		return nil, net.ErrClosed
	}
	step := s.steps[0]
	s.steps = s.steps[1:]
	if err, failed := step.(error); failed {
		return nil, err
	}
	return step.(*peer), nil
}

// TestWhoeverWaitsMakesRoom: w waits, a is being answered and keeps its place, p
// waits and has made progress.
func TestWhoeverWaitsMakesRoom(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		state, next string // of the connections held; the one that comes
		from        []string
		closed      int // which of them is closed: -1 none, len = the one that comes
	}{
		"room":                              {state: "w", from: []string{"192.0.2.1:1"}, next: "192.0.2.1:2", closed: -1},
		"a network has room, one waits":     {state: "aw", from: []string{"192.0.2.1:1", "192.0.2.1:2"}, next: "192.0.2.1:3", closed: -1},
		"a network is full, the first":      {state: "ww", from: []string{"192.0.2.1:1", "192.0.2.1:2"}, next: "192.0.2.1:3", closed: 0},
		"a network of whom all are known":   {state: "aa", from: []string{"192.0.2.1:1", "192.0.2.1:2"}, next: "192.0.2.1:3", closed: -1},
		"a network is full, the slower":     {state: "pw", from: []string{"192.0.2.1:1", "192.0.2.1:2"}, next: "192.0.2.1:3", closed: 1},
		"another network":                   {state: "ww", from: []string{"192.0.2.1:1", "192.0.2.1:2"}, next: "192.0.2.2:3", closed: -1},
		"one /64 is one network":            {state: "ww", from: []string{"[2001:db8::1]:1", "[2001:db8::2]:2"}, next: "[2001:db8::3]:3", closed: 0},
		"two of IPv6":                       {state: "ww", from: []string{"[2001:db8::1]:1", "[2001:db8::2]:2"}, next: "[2001:db8:0:1::3]:3", closed: -1},
		"an address of IPv4, written as v6": {state: "ww", from: []string{"[::ffff:192.0.2.1]:1", "192.0.2.1:2"}, next: "192.0.2.1:3", closed: 0},
		"a proxy brings many":               {state: "ww", from: []string{"192.0.2.9:1", "192.0.2.9:2"}, next: "192.0.2.9:3", closed: -1},
		"all is full, one waits":            {state: "awa", from: []string{"192.0.2.1:1", "192.0.2.2:2", "192.0.2.3:3"}, next: "192.0.2.4:4", closed: 1},
		"all is full, all answered":         {state: "aaa", from: []string{"192.0.2.1:1", "192.0.2.2:2", "192.0.2.3:3"}, next: "192.0.2.4:4", closed: 3},
		"all is full, proxies too":          {state: "www", from: []string{"192.0.2.9:1", "192.0.2.9:2", "192.0.2.9:3"}, next: "192.0.2.9:4", closed: 0},
	} {
		var peers []*peer
		s := &script{}
		for _, from := range append(tt.from, tt.next) {
			p := &peer{from: from}
			peers, s.steps = append(peers, p), append(s.steps, p)
		}
		ln := door.Limit(s, door.Bounds{All: 3, Network: 2, Exempt: func(a netip.Addr) bool { return a == netip.MustParseAddr("192.0.2.9") }})
		var held []*door.Conn
		for i := range tt.from {
			c, err := ln.Accept()
			if err != nil {
				t.Fatalf("%s: connection %d: %v", name, i, err)
			}
			held = append(held, c.(*door.Conn))
			if tt.state[i] == 'a' {
				c.(*door.Conn).Keep()
			}
		}
		for i, c := range held {
			if tt.state[i] == 'p' {
				c.Progress()
			}
		}
		_, err := ln.Accept()
		if refused := tt.closed == len(tt.from); refused != errors.Is(err, net.ErrClosed) {
			t.Errorf("%s: the one that came: %v; want refused %v", name, err, refused)
		}
		for i, p := range peers {
			if p.closed != (i == tt.closed) {
				t.Errorf("%s: connection %d from %s closed = %v; want closed only %d", name, i, p.from, p.closed, tt.closed)
			}
		}
	}
}

// TestPlacesComeBack: what is closed, also twice, is counted no more.
func TestPlacesComeBack(t *testing.T) {
	t.Parallel()
	s := &script{}
	for i := range 100 {
		s.steps = append(s.steps, &peer{from: fmt.Sprintf("192.0.2.1:%d", i+1)})
	}
	ln := door.Limit(s, door.Bounds{All: 2, Network: 1})
	for i := range 100 {
		c, err := ln.Accept()
		if err != nil {
			t.Fatalf("connection %d: %v", i, err)
		}
		held := c.(*door.Conn)
		held.Keep()
		if i%2 == 0 {
			held.Wait()
		}
		_, _ = held.Close(), held.Close()
		held.Wait() // late: it stays closed
	}
}

// TestWhoeverWasAnsweredWaits: that too fills the places of a network.
func TestWhoeverWasAnsweredWaits(t *testing.T) {
	t.Parallel()
	s := &script{}
	var held []*door.Conn
	for i := range 3 {
		s.steps = append(s.steps, &peer{from: fmt.Sprintf("192.0.2.1:%d", i+1)})
	}
	peers := slices.Clone(s.steps)
	ln := door.Limit(s, door.Bounds{All: 9, Network: 1})
	for range 3 {
		c, err := ln.Accept()
		if err != nil {
			t.Fatal(err)
		}
		held = append(held, c.(*door.Conn))
		held[len(held)-1].Keep()
	}
	for _, c := range held {
		c.Wait()
	}
	for i, p := range peers {
		if got, want := p.(*peer).closed, i < 2; got != want {
			t.Errorf("connection %d of 3, with room for 1 to wait: closed = %v, want %v", i, got, want)
		}
	}
}

// TestShortageIsWaitedOut: the system's shortage of descriptors ends nothing, and
// who waits makes room for it; other errors are passed on.
func TestShortageIsWaitedOut(t *testing.T) {
	t.Parallel()
	fail := func(errno syscall.Errno) error {
		return &net.OpError{Op: "accept", Net: "tcp", Err: os.NewSyscallError("accept4", errno)}
	}
	for errno, evicted := range map[syscall.Errno]bool{syscall.EMFILE: true, syscall.ENFILE: true, syscall.ECONNABORTED: false} {
		idle, next := &peer{from: "192.0.2.1:1"}, &peer{from: "192.0.2.2:2"}
		ln := door.Limit(&script{steps: []any{idle, fail(errno), next, fail(syscall.EINVAL)}}, door.Bounds{All: 9, Network: 9})
		if _, err := ln.Accept(); err != nil {
			t.Fatal(err)
		}
		if c, err := ln.Accept(); err != nil || c.RemoteAddr().String() != next.from {
			t.Errorf("after %v: %v, %v; want the connection from %s", errno, c, err, next.from)
		}
		if idle.closed != evicted {
			t.Errorf("after %v: the connection that waits closed = %v, want %v", errno, idle.closed, evicted)
		}
		if _, err := ln.Accept(); !errors.Is(err, syscall.EINVAL) {
			t.Errorf("Accept = %v, want %v", err, syscall.EINVAL)
		}
	}
}
