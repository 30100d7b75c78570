package compat_test

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/url"
	"sync"
	"testing"
	"time"

	"boardorder/deploy/compat/peers"
	"boardorder/pkg/projection"
	docopen "boardorder/pkg/projection/open"
	"boardorder/pkg/tlsfiles"
	"boardorder/pkg/tlsfiles/tlstest"
)

// A road leads to a server, and can be cut.
type road struct {
	target string
	mu     sync.Mutex
	cut    bool
	open   []net.Conn
	wait   sync.WaitGroup
}

// newRoad passes what comes to l on to target until the test ends.
func newRoad(t *testing.T, l net.Listener, target string) *road {
	t.Helper()
	r := &road{target: target}
	r.wait.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			r.wait.Go(func() { r.carry(c) })
		}
	})
	t.Cleanup(func() {
		_ = l.Close() // it only listens
		r.set(true)
		r.wait.Wait()
	})
	return r
}

// set cuts the road, connections under way included, or mends it.
func (r *road) set(cut bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cut = cut; cut {
		for _, c := range r.open {
			_ = c.Close()
		}
		r.open = nil
	}
}

// enter notes connections to be cut, unless the road is cut.
func (r *road) enter(conns ...net.Conn) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.cut {
		r.open = append(r.open, conns...)
	}
	return !r.cut
}

func (r *road) carry(client net.Conn) {
	defer client.Close()
	server, err := net.Dial("tcp", r.target)
	if err != nil {
		return
	}
	defer server.Close()
	if !r.enter(client, server) {
		return
	}
	r.wait.Go(func() {
		_, _ = io.Copy(server, client)
		_ = server.Close()
	})
	_, _ = io.Copy(client, server)
}

// roadTo starts a road to the MongoDB that a URL names, and gives the URL of
// its near end.
func roadTo(t *testing.T, target string, config *tls.Config) (*road, string) {
	t.Helper()
	u, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if config != nil {
		l = tls.NewListener(l, config)
	}
	r := newRoad(t, l, u.Host)
	u.Host = l.Addr().String()
	u.RawQuery = "directConnection=true&serverSelectionTimeoutMS=300&connectTimeoutMS=300"
	return r, u.String()
}

var someDocument = projection.Document{Kind: "quote", ID: "a", Seq: 1, At: time.Unix(1, 0).UTC(), Body: []byte(`{}`)}

// TestMongoAway: while the server is away every call says so, and when it is
// back the same store works.
func TestMongoAway(t *testing.T) {
	t.Parallel()
	way, near := roadTo(t, peers.StartMongo(t), nil)
	store, err := docopen.Open(t.Context(), near)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if err := store.Put(t.Context(), someDocument); err != nil {
		t.Fatalf("Put = %v", err)
	}
	way.set(true)
	newer := someDocument
	newer.Seq = 2
	for name, call := range map[string]func() error{
		"Put":   func() error { return store.Put(t.Context(), newer) },
		"Get":   func() error { _, err := store.Get(t.Context(), "quote", "a"); return err },
		"Count": func() error { _, err := store.Count(t.Context(), "quote", "", ""); return err },
		"List": func() error {
			_, _, err := store.List(t.Context(), "quote", "", "", projection.Page{})
			return err
		},
		"Ping": func() error { return store.Ping(t.Context()) },
	} {
		if err := call(); !errors.Is(err, projection.ErrUnavailable) {
			t.Errorf("%s while the server is away = %v, want that it is unavailable", name, err)
		}
	}
	way.set(false)
	for deadline := time.Now().Add(20 * time.Second); ; {
		err := store.Put(t.Context(), newer)
		if err == nil {
			break
		}
		if !errors.Is(err, projection.ErrUnavailable) || time.Now().After(deadline) {
			t.Fatalf("Put when the server is back = %v", err)
		}
	}
	if d, err := store.Get(t.Context(), "quote", "a"); err != nil || d.Seq != 2 {
		t.Errorf("Get = %d, %v; want 2", d.Seq, err)
	}
}

// TestMongoOverTLS: documents go both ways with our root and certificate.
func TestMongoOverTLS(t *testing.T) {
	t.Parallel()
	authority := tlstest.NewAuthority(t)
	_, near := roadTo(t, peers.StartMongo(t), authority.Server(t))
	files := authority.Files(t)
	for name, c := range map[string]struct {
		files tlsfiles.Files
		want  error
	}{
		"ours":              {files, nil},
		"foreign authority": {tlsfiles.Files{CA: tlstest.NewAuthority(t).Files(t).CA, Cert: files.Cert, Key: files.Key}, projection.ErrUnavailable},
		"no certificate":    {tlsfiles.Files{CA: files.CA}, projection.ErrUnavailable},
	} {
		store, err := docopen.Open(t.Context(), near, docopen.TLS(c.files))
		if err != nil {
			t.Fatal(err)
		}
		if err := store.Put(t.Context(), someDocument); !errors.Is(err, c.want) {
			t.Errorf("%s: Put = %v, want %v", name, err, c.want)
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	}
}
