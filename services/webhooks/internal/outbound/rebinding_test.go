package outbound

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"

	"boardorder/pkg/contract/webhooks"

	"golang.org/x/net/dns/dnsmessage"
)

// nameServer answers each question with one address, which may be changed between two of them.
type nameServer struct {
	net.PacketConn
	address atomic.Pointer[netip.Addr]
	answers atomic.Int64
}

func startNameServer(t *testing.T) *nameServer {
	t.Helper()
	conn, err := (&net.ListenConfig{}).ListenPacket(t.Context(), "udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s, ended := &nameServer{PacketConn: conn}, make(chan struct{})
	go func() {
		defer close(ended)
		for p := make([]byte, 512); ; {
			n, from, err := conn.ReadFrom(p)
			if err != nil {
				return
			}
			if reply, err := s.answer(p[:n]); err != nil {
				t.Errorf("a question of %d bytes: %v", n, err)
			} else {
				_, _ = conn.WriteTo(reply, from)
			}
		}
	}()
	t.Cleanup(func() { _ = conn.Close(); <-ended })
	return s
}

func (s *nameServer) answer(question []byte) ([]byte, error) {
	var m dnsmessage.Message
	if err := m.Unpack(question); err != nil {
		return nil, err
	}
	m.Response, m.Authoritative, m.Additionals = true, true, nil
	address := *s.address.Load()
	header := dnsmessage.ResourceHeader{Name: m.Questions[0].Name, Class: dnsmessage.ClassINET} // a TTL of 0: asked for anew each time
	switch {
	case m.Questions[0].Type == dnsmessage.TypeA && address.Is4():
		m.Answers = []dnsmessage.Resource{{Header: header, Body: &dnsmessage.AResource{A: address.As4()}}}
	case m.Questions[0].Type == dnsmessage.TypeAAAA && address.Is6():
		m.Answers = []dnsmessage.Resource{{Header: header, Body: &dnsmessage.AAAAResource{AAAA: address.As16()}}}
	}
	s.answers.Add(int64(len(m.Answers)))
	return m.Pack()
}

// resolver asks nobody but the server.
func (s *nameServer) resolver() *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", s.LocalAddr().String())
	}}
}

// TestNameServersThatChangeTheirAnswer: a name that stood for a public address a moment ago, and at the
// connection for one inside, is refused there; whichever form the address has.
func TestNameServersThatChangeTheirAnswer(t *testing.T) {
	t.Parallel()
	var reached atomic.Bool
	receiver := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Store(true) }))
	t.Cleanup(receiver.Close)
	_, port, err := net.SplitHostPort(receiver.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	for _, inside := range []string{"127.0.0.1", "169.254.169.254", "10.0.0.1", "::1", "::ffff:10.0.0.1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a00:1", "2002:7f00:1::", "fd00:ec2::254"} {
		s := startNameServer(t)
		say := func(text string) netip.Addr {
			address := netip.MustParseAddr(text)
			s.address.Store(&address)
			return address
		}
		say("93.184.216.34")
		found, err := s.resolver().LookupNetIP(t.Context(), "ip", "rebind.example.com.")
		if err != nil || len(found) != 1 || !webhooks.MayReach(found[0], false) {
			t.Fatalf("the first answer: %v, %v; want a public address", found, err)
		}
		say(inside)
		before := s.answers.Load()
		c := newClient(&net.Dialer{Resolver: s.resolver()}, false, certPool(receiver))
		r := c.Post(t.Context(), "https://rebind.example.com.:"+port+"/", http.Header{}, []byte("{}"))
		if r.Status != 0 || !strings.Contains(r.Problem, "not of the public internet") || s.answers.Load() == before {
			t.Errorf("a name that stands for %s by then: %+v after %d answers, want it refused at the connection", inside, r, s.answers.Load()-before)
		}
	}
	if reached.Load() {
		t.Error("the receiver inside was reached")
	}
}
