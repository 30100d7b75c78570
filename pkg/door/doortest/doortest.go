// Package doortest is what tests of a server's door are written with: strangers who
// hold connections, and honest clients meanwhile. Networks are parts of 127.0.0.0/8,
// which Linux has whole.
package doortest

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// holders are what strangers send to hold places, the first of them nothing.
var holders = []string{
	"",
	"POST /v1/orders HTTP/1.1\r\nHost: x\r\nX-Long: " + strings.Repeat("y", 4_000),
	"POST /v1/orders HTTP/1.1\r\nHost: x\r\nX-API-Key: bad\r\nContent-Length: 40000000\r\n\r\n",
	"POST /v1/orders HTTP/1.1\r\nHost: x\r\nX-API-Key: bad\r\nContent-Length: 60000\r\n\r\nabc",
	"POST /v1/orders HTTP/1.1\r\nHost: x\r\nX-API-Key: bad\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
	"POST /form HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\na=",
	"GET /v1/here HTTP/1.1\r\nHost: x\r\n\r\n",
}

// unread asks for a long reply, of which nothing is read. The system keeps much
// of it, so few do that.
const unread = "GET /long HTTP/1.1\r\nHost: x\r\n\r\n"

// A Flood is connections of strangers to a server that answers GET /v1/here and a
// POST of 100,000 bytes to /v1/orders, with the key good, with a text that Answers takes.
type Flood struct {
	Addr        string
	Connections int
	Networks    int // that they come from
	Answers     func(text string) bool
	Between     func() // when honest clients were answered; nil: nothing
}

// Run makes the connections, which stay, and fails the test when an honest client,
// of the first network or of another, is not answered meanwhile.
func (f Flood) Run(t *testing.T) {
	t.Helper()
	url := "http://" + f.Addr
	near, far := Client(t, 0, 0), Client(t, 9, 2)
	for i := range f.Connections {
		sent := holders[i%len(holders)]
		if i%100 == 99 {
			sent = unread
		}
		_, _ = io.WriteString(Dial(t, f.Addr, i%f.Networks, 0), sent) // that it was closed meanwhile is as good
		if i%50 != 0 {
			continue
		}
		for who, c := range map[string]*http.Client{"who is of the first network": near, "who is of none of them": far, "who comes anew": Client(t, 9, 3)} {
			if err := Ask(t, c, "GET", url+"/v1/here", "", f.Answers); err != nil {
				t.Fatalf("after %d connections of %d: %s: %v", i+1, f.Connections, who, err)
			}
		}
		if err := Ask(t, far, "POST", url+"/v1/orders", strings.Repeat("x", 100_000), f.Answers); err != nil {
			t.Fatalf("after %d connections of %d: an order: %v", i+1, f.Connections, err)
		}
		if f.Between != nil {
			f.Between()
		}
	}
}

// Source is an address of this machine: networks differ in the middle of it.
func Source(network, host int) *net.TCPAddr {
	return &net.TCPAddr{IP: net.IPv4(127, byte(10+network/250), byte(network%250), byte(1+host))}
}

func dialer(network, host int) *net.Dialer {
	return &net.Dialer{LocalAddr: Source(network, host), Timeout: time.Minute}
}

// Dial connects from an address; the connection is closed at the end of the test.
func Dial(t testing.TB, addr string, network, host int) net.Conn {
	t.Helper()
	conn, err := dialer(network, host).DialContext(t.Context(), "tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// Client comes from an address of its own, keeps its connections and has a minute for
// each request.
func Client(t testing.TB, network, host int) *http.Client {
	t.Helper()
	transport := &http.Transport{DialContext: dialer(network, host).DialContext}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: time.Minute}
}

// Ask sends a request with the key good. A reply that answers does not take is an error.
func Ask(t testing.TB, c *http.Client, method, url, body string, answers func(text string) bool) error {
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("X-API-Key", "good")
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	got, err := io.ReadAll(resp.Body)
	if err == nil && !answers(string(got)) {
		err = fmt.Errorf("not what was wanted")
	}
	if err != nil {
		return fmt.Errorf("%s %.100q: %w", resp.Status, got, err)
	}
	return nil
}
