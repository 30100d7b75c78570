package local

import (
	"bufio"
	"errors"
	"io"
	"net"
	"os"
	"testing"
	"time"
)

// echo answers every line with itself.
func echo(t *testing.T) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ln.Close() })
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			go func() { defer c.Close(); _, _ = io.Copy(c, c) }()
		}
	}()
	return ln.Addr().String()
}

func dial(t *testing.T, addr string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func say(t *testing.T, c net.Conn, line string) {
	t.Helper()
	if _, err := io.WriteString(c, line+"\n"); err != nil {
		t.Fatal(err)
	}
}

func TestLinkCutHoldsBackAndMendDelivers(t *testing.T) {
	t.Parallel()
	l, err := openLink(echo(t))
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	c := dial(t, l.addr())
	in := bufio.NewReader(c)
	say(t, c, "before")
	if got, err := in.ReadString('\n'); err != nil || got != "before\n" {
		t.Fatalf("the other end reads %q, %v; want %q", got, err, "before\n")
	}
	l.block()
	l.block() // once more is nothing
	say(t, c, "while cut")
	fresh := dial(t, l.addr())
	say(t, fresh, "a new connection")
	if err := c.SetReadDeadline(time.Now().Add(50 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if got, err := in.ReadString('\n'); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatalf("a cut link forwarded %q, %v", got, err)
	}
	if err := c.SetReadDeadline(time.Time{}); err != nil {
		t.Fatal(err)
	}
	l.mend()
	if got, err := in.ReadString('\n'); err != nil || got != "while cut\n" {
		t.Errorf("after mending: %q, %v", got, err)
	}
	if got, err := bufio.NewReader(fresh).ReadString('\n'); err != nil || got != "a new connection\n" {
		t.Errorf("the new connection after mending: %q, %v", got, err)
	}
}

func TestLinkEndsWhatItConnects(t *testing.T) {
	t.Parallel()
	l, err := openLink(echo(t))
	if err != nil {
		t.Fatal(err)
	}
	c := dial(t, l.addr())
	say(t, c, "line")
	if _, err := bufio.NewReader(c).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	l.block()
	say(t, c, "held back")
	l.close()
	if _, err := c.Read(make([]byte, 1)); err == nil {
		t.Error("a closed link keeps its connections")
	}
}
