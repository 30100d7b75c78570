package main

import (
	"bufio"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"boardorder/pkg/door/doortest"
)

var flood = flag.Int("flood", 1_200, "connections that TestFlood makes from one network, and from a thousand")

const (
	all, network = 6_000, 512 // of the Caddyfile

	// perPlace is the memory that SECURITY.md states for a place of Caddy, and resting
	// what Caddy needs without any.
	perPlace, resting = 80 << 10, 96 << 20
)

// edge is as the edges are to Caddy: it answers strangers at once, and lets who is
// known wait.
type edge struct {
	waiting, release chan struct{}
	long             []byte
}

func (e *edge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	known := r.Header.Get("X-API-Key") == "good"
	switch {
	case r.URL.Path == "/v1/here":
	case r.URL.Path == "/long":
		_, _ = w.Write(e.long)
		return
	case r.URL.Path == "/form":
		_, _ = io.Copy(io.Discard, r.Body)
		return
	case !known:
		w.Header().Set("Connection", "close")
		w.WriteHeader(http.StatusUnauthorized)
		return
	case r.URL.Path == "/v1/wait":
		close(e.waiting)
		select {
		case <-e.release:
		case <-r.Context().Done():
			return
		}
	default:
		if n, err := io.Copy(io.Discard, r.Body); err != nil || n != r.ContentLength {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
	}
	fmt.Fprintf(w, "here %s", r.Header["X-Forwarded-For"])
}

// actual is the address that Caddy says it has where it was given none.
var actual = regexp.MustCompile(`"actual_address":"([^"]+)"`)

// run starts Caddy with the shipped configuration before one edge, and with something
// else in some places of it.
func run(t *testing.T, h http.Handler, pairs ...string) (addr string, pid int) {
	t.Helper()
	behind := httptest.NewServer(h)
	t.Cleanup(behind.Close)
	text := caddyfile(t)
	from := strings.Index(text, "dynamic a {")
	pairs = append(pairs, text[from:from+strings.Index(text[from:], "}")+1], "to "+behind.Listener.Addr().String())
	c := start(t, "run", strings.Replace(editCaddyfile(t, pairs...), ":8080 {", ":0 {", 1))
	stderr, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	ready := []string{"serving initial configuration"}
	for lines := bufio.NewScanner(stderr); len(ready) > 0; {
		if !lines.Scan() {
			t.Fatalf("Caddy did not say %q", ready)
		}
		if at := actual.FindStringSubmatch(lines.Text()); at != nil {
			addr = "127.0.0.1" + port(at[1])
		}
		ready = slices.DeleteFunc(ready, func(s string) bool { return strings.Contains(lines.Text(), s) })
		if strings.Contains(lines.Text(), `"level":"error"`) {
			t.Log(lines.Text())
		}
	}
	go func() { _, _ = io.Copy(io.Discard, stderr) }()
	return addr, c.Process.Pid
}

// TestFlood: whoever holds connections keeps nobody else out, has no more places than
// there are, and costs the memory that is stated for them. It runs alone, for the sake
// of that count.
func TestFlood(t *testing.T) {
	for name, networks := range map[string]int{"one network": 1, "a thousand": 1_000} {
		t.Run(name, func(t *testing.T) {
			places := min(all, *flood*3/5)
			e := &edge{make(chan struct{}), make(chan struct{}), make([]byte, 4<<20)}
			addr, pid := run(t, e, fmt.Sprintf("all %d", all), fmt.Sprintf("all %d", places))
			url := "http://" + addr
			patient := make(chan error, 1)
			waiter := doortest.Client(t, 9, 1)
			waiter.Timeout = 0 // as long as the flood takes
			go func() { patient <- ask(t, waiter, "GET", url+"/v1/wait", "") }()
			<-e.waiting
			slow := upload(t, addr)
			most, ofOne := 0, 0
			doortest.Flood{Addr: addr, Connections: *flood, Networks: networks, Answers: answers, Between: func() {
				slow.send(t)
				held := clientsOf(t, addr)
				most, ofOne = max(most, len(held)), max(ofOne, count(held, doortest.Source(0, 0).IP))
			}}.Run(t)
			// One may have been accepted for which room is being made.
			if most > places+1 || ofOne > network+1 {
				t.Errorf("Caddy held %d connections, %d of the first network; want %d and %d at most", most, ofOne, places, network)
			}
			if full := min(places, network*networks); *flood > full && most < full*9/10 {
				t.Errorf("Caddy held %d connections, want %d at least: nothing was full", most, full*9/10)
			}
			used, stated := memory(t, pid), resting+places*perPlace
			t.Logf("%d places, at most %d held, %d MiB", places, most, used>>20)
			if used > stated {
				t.Errorf("Caddy has used %d MiB, want %d at most", used>>20, stated>>20)
			}
			slow.end(t)
			close(e.release)
			if err := <-patient; err != nil {
				t.Errorf("who waited for a reply all the time: %v", err)
			}
		})
	}
}

// TestMemoryIsStated: SECURITY.md names what all places cost, as the flood holds it.
func TestMemoryIsStated(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	mib := (resting + all*perPlace + 1<<20 - 1) >> 20
	want := fmt.Sprintf("A place costs Caddy %d KiB at most, so all of them and Caddy itself %d MiB.", perPlace>>10, mib)
	if !strings.Contains(strings.Join(strings.Fields(string(text)), " "), want) {
		t.Errorf("SECURITY.md does not say %q", want)
	}
}

// TestInterruptedRequestsAreNoFailures: whoever breaks requests off does not have Caddy
// take the edges for dead.
func TestInterruptedRequestsAreNoFailures(t *testing.T) {
	t.Parallel()
	begun, ended := make(chan struct{}), make(chan struct{})
	addr, _ := run(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			_, _ = io.ReadFull(r.Body, make([]byte, 3))
			begun <- struct{}{}
			_, _ = io.Copy(io.Discard, r.Body)
			ended <- struct{}{}
		}
		_, _ = io.WriteString(w, "here")
	}))
	honest := doortest.Client(t, 9, 6)
	for name, leave := range map[string]func(*net.TCPConn) error{
		"resets the connection": func(c *net.TCPConn) error { _ = c.SetLinger(0); return c.Close() },
		"closes it":             (*net.TCPConn).Close,
		"sends no more":         (*net.TCPConn).CloseWrite,
	} {
		c := doortest.Dial(t, addr, 9, 5)
		if _, err := io.WriteString(c, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nabc"); err != nil {
			t.Fatal(err)
		}
		<-begun
		if err := leave(c.(*net.TCPConn)); err != nil {
			t.Fatal(err)
		}
		<-ended
		for range 100 {
			if err := ask(t, honest, "GET", "http://"+addr+"/", ""); err != nil {
				t.Fatalf("after a client that %s: %v", name, err)
			}
		}
	}
}

// TestClientsAreNotBelieved: the edges are told the address that a request came from,
// whatever it says itself.
func TestClientsAreNotBelieved(t *testing.T) {
	t.Parallel()
	addr, _ := run(t, &edge{})
	for _, name := range []string{"X-Forwarded-For", "x-forwarded-for", "X-Real-IP", "Forwarded"} {
		req, err := http.NewRequestWithContext(t.Context(), "GET", "http://"+addr+"/v1/here", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set(name, "192.0.2.7")
		resp, err := doortest.Client(t, 9, 4).Do(req)
		if err != nil {
			t.Fatal(err)
		}
		got, _ := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if want := fmt.Sprintf("here [%s]", doortest.Source(9, 4).IP); string(got) != want {
			t.Errorf("with %s: %q, want %q", name, got, want)
		}
	}
}

// answers takes what edge says to whoever is known.
func answers(text string) bool { return strings.HasPrefix(text, "here") }

func ask(t *testing.T, c *http.Client, method, url, body string) error {
	return doortest.Ask(t, c, method, url, body, answers)
}

// A sender uploads a file in pieces, slowly.
type sender struct {
	net.Conn
	sent int
}

const (
	uploaded = 64 << 20
	part     = 64 << 10
)

func upload(t *testing.T, addr string) *sender {
	t.Helper()
	s := &sender{Conn: doortest.Dial(t, addr, 9, 5)}
	fmt.Fprintf(s, "POST /v1/uploads HTTP/1.1\r\nHost: x\r\nX-API-Key: good\r\nContent-Length: %d\r\n\r\n", uploaded)
	return s
}

func (s *sender) send(t *testing.T) {
	t.Helper()
	n, err := s.Write(make([]byte, min(part, uploaded-s.sent)))
	if err != nil {
		t.Fatalf("a slow upload, after %d bytes: %v", s.sent, err)
	}
	s.sent += n
}

// end sends the rest and has the reply.
func (s *sender) end(t *testing.T) {
	t.Helper()
	for s.sent < uploaded {
		s.send(t)
	}
	_ = s.SetReadDeadline(time.Now().Add(time.Minute))
	if line, err := bufio.NewReader(s).ReadString('\n'); err != nil || line != "HTTP/1.1 200 OK\r\n" {
		t.Errorf("a slow upload: %q, %v", line, err)
	}
}

// clientsOf are the addresses of the connections that a server has accepted, as the
// system says.
func clientsOf(t *testing.T, addr string) (clients []net.IP) {
	t.Helper()
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		t.Fatal(err)
	}
	number, err := strconv.Atoi(port)
	if err != nil {
		t.Fatal(err)
	}
	suffix := fmt.Sprintf(":%04X", number)
	for _, file := range []string{"/proc/self/net/tcp", "/proc/self/net/tcp6"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			const local, remote, state, inode = 1, 2, 3, 9
			f := strings.Fields(line)
			if len(f) > inode && strings.HasSuffix(f[local], suffix) && f[state] == "01" && f[inode] != "0" {
				clients = append(clients, hexIP(f[remote]))
			}
		}
	}
	return clients
}

// hexIP reads an address as /proc writes it: words of four bytes, each the other way round.
func hexIP(s string) net.IP {
	words, _, _ := strings.Cut(s, ":")
	b, _ := hex.DecodeString(words)
	for i := 0; i+3 < len(b); i += 4 {
		b[i], b[i+1], b[i+2], b[i+3] = b[i+3], b[i+2], b[i+1], b[i]
	}
	return net.IP(b)
}

func count(clients []net.IP, of net.IP) (n int) {
	for _, c := range clients {
		if c.Equal(of) {
			n++
		}
	}
	return n
}

// memory is the most that a process has had of the machine's.
func memory(t *testing.T, pid int) (bytes int) {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); f[0] == "VmHWM:" {
			kib, err := strconv.Atoi(f[1])
			if err != nil {
				t.Fatal(err)
			}
			return kib << 10
		}
	}
	t.Fatal("the system does not say what a process uses")
	return 0
}

// TestPlacesUnderTLS: with TLS, too, connections of a network that say nothing make room
// for each other, and who waits for a reply keeps the place.
func TestPlacesUnderTLS(t *testing.T) {
	t.Parallel()
	e := &edge{waiting: make(chan struct{}), release: make(chan struct{})}
	addr, _ := run(t, e, "network 512", "network 2", "auto_https disable_redirects", "auto_https disable_redirects\n\tskip_install_trust",
		":8080 {", "https://localhost:8080 {", "reverse_proxy {", "tls internal\n\treverse_proxy {")
	url, known, patient := "https://localhost"+port(addr), doortest.Client(t, 0, 0), make(chan error, 1)
	known.Transport.(*http.Transport).TLSClientConfig = clientTLS()
	// Caddy takes connections before it has made its certificate.
	for end := time.Now().Add(time.Minute); ; {
		err := ask(t, known, "GET", url+"/v1/here", "")
		if err == nil {
			break
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
	go func() { patient <- ask(t, known, "GET", url+"/v1/wait", "") }()
	select {
	case <-e.waiting:
	case err := <-patient:
		t.Fatal(err)
	}
	var silent []net.Conn
	for range 4 {
		silent = append(silent, doortest.Dial(t, addr, 0, 0))
	}
	for i, c := range silent {
		if i < 2 { // is closed: two of them may wait
			_ = c.SetReadDeadline(time.Now().Add(time.Minute))
			if _, err := c.Read(make([]byte, 1)); !isClosed(err) {
				t.Errorf("connection %d: %v, want it closed", i, err)
			}
		}
	}
	for i, c := range silent[2:] {
		if err := tls.Client(c, clientTLS()).HandshakeContext(t.Context()); err != nil {
			t.Errorf("connection %d of two that may wait: %v", i, err)
		}
	}
	close(e.release)
	if err := <-patient; err != nil {
		t.Errorf("who waited for a reply: %v", err)
	}
}

func isClosed(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) }

func clientTLS() *tls.Config {
	return &tls.Config{ServerName: "localhost", InsecureSkipVerify: true} //nolint:gosec // of a certificate made for this test
}

// port of an address, after its colon.
func port(addr string) string { return addr[strings.LastIndexByte(addr, ':'):] }
