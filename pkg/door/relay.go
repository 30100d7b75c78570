package door

import (
	"errors"
	"io"
	"net/http"
	"sync"
)

// piece is how much of a body is progress: who sends less only holds a place.
const piece = 16 << 10

// Relay is Handler for a server that passes requests on to another one, which knows
// who asks, and answers strangers at once. A connection keeps its place while the
// other has all of the request and the reply has not begun: that is a wait of
// somebody known. While the body comes and while the reply goes out it waits, and
// each piece is progress.
func Relay(h http.Handler) http.Handler {
	return Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		held, ok := r.Context().Value(connKey{}).(*Conn)
		if !ok {
			h.ServeHTTP(w, r)
			return
		}
		p := &passage{held: held}
		if r.ContentLength == 0 {
			p.arrive()
		} else {
			r.Body = &incoming{ReadCloser: r.Body, of: p}
		}
		h.ServeHTTP(&outgoing{ResponseWriter: w, of: p}, r)
	}))
}

// passage is one request on its way.
type passage struct {
	held    *Conn
	mu      sync.Mutex
	replied bool
}

// arrive says that all of the request came.
func (p *passage) arrive() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.replied {
		p.held.Keep()
	}
}

// reply says that the reply begins, perhaps before all of the request came.
func (p *passage) reply() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.replied {
		p.replied = true
		p.held.Wait()
	}
}

// incoming is the body of a request.
type incoming struct {
	io.ReadCloser
	of   *passage
	read int // since the last progress
}

func (b *incoming) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.read += n; b.read >= piece {
		b.read = 0
		b.of.held.Progress()
	}
	if errors.Is(err, io.EOF) {
		b.of.arrive()
	}
	return n, err
}

// outgoing is the reply. That it has what the one below has is found by
// [http.ResponseController].
type outgoing struct {
	http.ResponseWriter
	of *passage
}

func (w *outgoing) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *outgoing) WriteHeader(status int) {
	if status >= http.StatusOK || status == http.StatusSwitchingProtocols {
		w.of.reply()
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *outgoing) Write(p []byte) (int, error) {
	w.of.reply()
	return w.ResponseWriter.Write(p)
}
