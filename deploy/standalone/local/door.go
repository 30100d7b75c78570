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
	"sync"
	"sync/atomic"
	"time"

	"boardorder/deploy/standalone/processes"
	places "boardorder/pkg/door"
)

// A backend is one edge behind the door.
type backend struct {
	addr        string
	probe       string // URL that answers 200 while the edge is ready; empty: not asked
	unavailable atomic.Bool
	// withdrawn: it is going to end, and nothing new is sent to it.
	withdrawn atomic.Bool
}

// A door is the one address in front of several edges, as a load balancer is: it
// hands each request to the next edge that is ready and takes it.
type door struct {
	ln    net.Listener
	srv   *http.Server
	edges []*backend
	next  atomic.Uint64
	stop  context.CancelFunc
	ended sync.WaitGroup
}

func openDoor(addr string, edges []*backend) (*door, error) {
	ln, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	d := &door{ln: ln, edges: edges, stop: stop}
	for _, e := range edges {
		if e.probe != "" {
			d.ended.Go(func() { e.watch(ctx) })
		}
	}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(&url.URL{Scheme: "http", Host: "edge"})
			r.SetXForwarded()
			r.Out.Host = r.In.Host
		},
		// A connection a request: one that is kept may be ended by an edge that stops
		// while a request, which cannot be sent twice, is written to it.
		Transport:     &http.Transport{DialContext: d.dial, DisableKeepAlives: true},
		FlushInterval: -1,
		ErrorHandler:  answerUnavailable,
		ErrorLog:      log.New(io.Discard, "", 0), // an edge that goes away is no news
	}
	d.srv = &http.Server{Handler: places.Relay(proxy), ConnContext: places.ConnContext, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute}
	go d.srv.Serve(places.Limit(ln, places.Usual)) //nolint:errcheck // it ends when it is closed
	return d, nil
}

const (
	watchEvery   = 250 * time.Millisecond
	watchTimeout = time.Second
)

// watch asks an edge whether it is ready until ctx ends.
func (e *backend) watch(ctx context.Context) {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			limited, cancel := context.WithTimeout(ctx, watchTimeout)
			e.unavailable.Store(processes.Probe(limited, e.probe) != nil)
			cancel()
		}
	}
}

// dial connects to the next edge that is ready and answers, or, if none is ready,
// to one that answers.
func (d *door) dial(ctx context.Context, network, _ string) (net.Conn, error) {
	errs := []error{errNoEdge}
	for _, e := range d.order() {
		conn, err := (&net.Dialer{Timeout: 3 * time.Second}).DialContext(ctx, network, e.addr)
		if err == nil {
			return conn, nil
		}
		errs = append(errs, err)
	}
	return nil, errors.Join(errs...)
}

// order is which edges a request is offered to: in turn, those that are ready first. It
// looks at each once: one that becomes ready meanwhile is neither left out nor twice there.
func (d *door) order() (out []*backend) {
	first := int(d.next.Add(1))
	var failing []*backend
	for i := range d.edges {
		switch e := d.edges[(first+i)%len(d.edges)]; {
		case e.withdrawn.Load():
		case e.unavailable.Load():
			failing = append(failing, e)
		default:
			out = append(out, e)
		}
	}
	return append(out, failing...)
}

var errNoEdge = errors.New("no edge takes a request")

// answerUnavailable answers for an edge that went away, perhaps in the middle of a request.
func answerUnavailable(w http.ResponseWriter, _ *http.Request, _ error) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Retry-After", "1")
	w.WriteHeader(http.StatusBadGateway)
	_, _ = w.Write([]byte(`{"ok":false,"error":"service_unavailable","message":"The service is not to be reached. Please send the same request again.","retry_after_s":1}` + "\n"))
}

func (d *door) addr() string { return hostOf(d.ln.Addr()) }

func (d *door) close() {
	_ = d.srv.Close()
	d.stop()
	d.ended.Wait()
}
