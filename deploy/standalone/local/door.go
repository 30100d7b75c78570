package local

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync/atomic"
	"time"
)

// A door is the one address in front of several edges: it hands each new
// connection to the next edge that takes it.
type door struct {
	ln    net.Listener
	srv   *http.Server
	edges []string
	next  atomic.Uint64
}

func openDoor(addr string, edges []string) (*door, error) {
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	d := &door{ln: ln, edges: edges}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(&url.URL{Scheme: "http", Host: "edge"})
			r.SetXForwarded()
			r.Out.Host = r.In.Host
		},
		Transport:     &http.Transport{DialContext: d.dial, MaxIdleConnsPerHost: 256, IdleConnTimeout: 30 * time.Second},
		FlushInterval: -1,
		ErrorHandler:  away,
		ErrorLog:      log.New(io.Discard, "", 0), // an edge that goes away is no news
	}
	d.srv = &http.Server{Handler: proxy, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute}
	go d.srv.Serve(ln) //nolint:errcheck // it ends when it is closed
	return d, nil
}

// dial connects to the next edge that answers.
func (d *door) dial(ctx context.Context, network, _ string) (net.Conn, error) {
	var errs []error
	first := d.next.Add(1)
	for i := range d.edges {
		conn, err := (&net.Dialer{Timeout: 3 * time.Second}).DialContext(ctx, network, d.edges[(int(first)+i)%len(d.edges)])
		if err == nil {
			return conn, nil
		}
		errs = append(errs, err)
	}
	return nil, errors.Join(errs...)
}

// away answers for an edge that went away, perhaps in the middle of a request.
func away(w http.ResponseWriter, _ *http.Request, _ error) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Retry-After", "1")
	w.WriteHeader(http.StatusBadGateway)
	_, _ = w.Write([]byte(`{"ok":false,"error":"service_unavailable","message":"The service is not to be reached. Please send the same request again.","retry_after_s":1}` + "\n"))
}

func (d *door) addr() string { return hostOf(d.ln.Addr()) }

func (d *door) close() { _ = d.srv.Close() }
