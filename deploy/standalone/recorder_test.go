package standalone_test

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"boardorder/deploy/standalone/internal/described"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// theDocument is shared: it is only read.
var theDocument = sync.OnceValues(described.Load)

// A recorder holds every message of a system to the AsyncAPI document, from when it
// is there until the test ends. A message that is not described fails the test.
type recorder struct {
	t    testing.TB
	doc  *described.Document
	nc   *nats.Conn
	mu   sync.Mutex
	seen map[string]int // by the message's name
	bad  map[string]int // what was said of messages that are not as described
}

// record watches a broker. The test waits at its end until all that was published
// by then was looked at.
func record(t testing.TB, url string) *recorder {
	t.Helper()
	doc, err := theDocument()
	if err != nil {
		t.Fatal(err)
	}
	nc, err := nats.Connect(url, nats.Name("recorder"))
	if err != nil {
		t.Fatal(err)
	}
	r := &recorder{t: t, doc: doc, nc: nc, seen: map[string]int{}, bad: map[string]int{}}
	sub, err := nc.Subscribe(">", func(m *nats.Msg) { r.take(m.Subject, m.Header, m.Data) })
	if err == nil {
		err = sub.SetPendingLimits(-1, -1)
	}
	if err == nil {
		err = nc.Flush()
	}
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	sub.SetClosedHandler(func(string) { close(done) })
	t.Cleanup(func() {
		if err := sub.Drain(); err == nil {
			<-done
		}
		nc.Close()
		r.report()
	})
	return r
}

// take looks at a message. What belongs to the broker's own protocols, buckets and
// replies is none of ours to describe; what a consumer is given without its body was
// seen with it when it was published.
func (r *recorder) take(subject string, header nats.Header, data []byte) {
	if subject[0] == '$' || strings.HasPrefix(subject, "_INBOX.") || header.Get("Nats-Msg-Size") != "" {
		return
	}
	flat := map[string]string{}
	for name := range header {
		flat[name] = header.Get(name)
		if v := header[name]; len(v) > 0 {
			flat[name] = v[0]
		}
	}
	name, err := r.doc.Check(described.Message{Subject: subject, Headers: flat, Data: data})
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		r.bad[err.Error()]++
		return
	}
	r.seen[name]++
}

// takeStored looks at all that the streams keep, such as what was published before the
// recorder was there, and timers that the broker itself moved when they fell due.
func (r *recorder) takeStored() {
	r.t.Helper()
	js, err := jetstream.New(r.nc, jetstream.WithDefaultTimeout(time.Minute)) // a busy machine is no fault
	if err != nil {
		r.t.Fatal(err)
	}
	list := js.ListStreams(r.t.Context())
	for info := range list.Info() {
		s, err := js.Stream(r.t.Context(), info.Config.Name)
		if err != nil {
			r.t.Fatal(err)
		}
		for seq := info.State.FirstSeq; seq > 0 && seq <= info.State.LastSeq; seq++ {
			if m, err := s.GetMsg(r.t.Context(), seq); err == nil { // else it was removed
				r.take(m.Subject, m.Header, m.Data)
			}
		}
	}
	if err := list.Err(); err != nil {
		r.t.Fatal(err)
	}
}

// names are those of all messages that were seen.
func (r *recorder) names() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Sorted(maps.Keys(r.seen))
}

func (r *recorder) report() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, what := range slices.Sorted(maps.Keys(r.bad)) {
		r.t.Errorf("%d messages are not as the AsyncAPI document says: %s", r.bad[what], what)
	}
}
