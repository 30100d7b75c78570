package door

import (
	"net"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestSilentClientsAreGivenUp: the system gives up each connection that is accepted once its client has
// acknowledged nothing for a minute.
func TestSilentClientsAreGivenUp(t *testing.T) {
	t.Parallel()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	limited := Limit(ln, Usual)
	t.Cleanup(func() { _ = limited.Close() })
	client, err := net.Dial("tcp", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	c, err := limited.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	raw, err := c.(*Conn).Conn.(*net.TCPConn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	var ms int
	var failed error
	if err := raw.Control(func(fd uintptr) { ms, failed = unix.GetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT) }); err != nil || failed != nil {
		t.Fatal(err, failed)
	}
	if got := time.Duration(ms) * time.Millisecond; got != silence {
		t.Errorf("a client may acknowledge nothing for %s, want %s", got, silence)
	}
}
