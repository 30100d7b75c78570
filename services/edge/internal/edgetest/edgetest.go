// Package edgetest serves single groups of the edge's routes to their tests: the real
// router, a projection and files of their own, and in place of the broker a function
// that says what comes of a command.
package edgetest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"boardorder/pkg/blob/folder"
	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/projection"
	"boardorder/pkg/projection/sqlite"
	"boardorder/pkg/secret"
	"boardorder/services/edge/internal/auth"
	"boardorder/services/edge/internal/dispatch"
	"boardorder/services/edge/internal/idempotency"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/wait"
	"boardorder/services/edge/internal/web"

	"go.uber.org/zap"
)

// Account is who calls unless a request names another in its header AccountHeader.
const (
	Account       = "acc_partner"
	AccountHeader = "Test-Account"
)

// At is the time until a test sets another.
var At = time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)

// ErrNoBroker is what sending gives while [World.Down] is true.
var ErrNoBroker = errors.New("no broker")

// World is what a group of routes works with.
type World struct {
	*dispatch.Client
	Blobs *folder.Store
	// Answer says what comes of a command; nil, or giving nil: nothing in time.
	Answer func(contract.Command) *contract.Operation
	Down   bool // the broker takes nothing

	t    testing.TB
	docs *sqlite.Store
	url  string
	mu   sync.Mutex
	now  time.Time
	sent []contract.Command
	seq  uint64
}

// New makes a world in which nothing is served yet.
func New(t testing.TB) *World {
	t.Helper()
	docs, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "docs.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = docs.Close() })
	blobs, err := folder.Open(t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := secret.New(bytes.Repeat([]byte{7}, 32))
	if err != nil {
		t.Fatal(err)
	}
	w := &World{t: t, docs: docs, Blobs: blobs, now: At}
	w.Client = &dispatch.Client{
		Send: w, Docs: docs, Waiters: wait.New(100, w), Secrets: keys, PublicURL: "https://boards.test", Now: w.time,
		Keys: &idempotency.Keys{Bucket: &Bucket{}, Secrets: keys, Now: w.time},
	}
	return w
}

func (w *World) time() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

// Set has it be a certain time.
func (w *World) Set(at time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = at
}

// WatchChange tells of nothing: tests wake who waits.
func (*World) WatchChange(contract.Aggregate, string, func(*contract.Event)) (stop func(), err error) {
	return func() {}, nil
}

// Send takes a command and projects what comes of it.
func (w *World) Send(_ context.Context, c contract.Command) error {
	if w.Down {
		return ErrNoBroker
	}
	w.mu.Lock()
	w.sent = append(w.sent, c)
	w.mu.Unlock()
	if w.Answer == nil {
		return nil
	}
	if op := w.Answer(c); op != nil {
		w.Put(contract.OperationAggregate, c.Request, op, nil)
		w.Waiters.Wake(wait.Request(c.Request))
	}
	return nil
}

// Commands gives the commands so far, in their order.
func (w *World) Commands() []contract.Command {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.sent)
}

// Put projects a state; keys are what it is listed by.
func (w *World) Put(kind contract.Aggregate, id string, state any, keys map[string]string) {
	w.t.Helper()
	body, err := json.Marshal(state)
	if err != nil {
		w.t.Fatal(err)
	}
	w.mu.Lock()
	w.seq++
	doc := projection.Document{Kind: string(kind), ID: id, Seq: w.seq, At: w.now, Body: body, Keys: keys}
	w.mu.Unlock()
	if err := w.docs.Put(context.Background(), doc); err != nil {
		w.t.Fatalf("project %s %s: %v", kind, id, err)
	}
}

// CloseDocs takes the projection away.
func (w *World) CloseDocs() { _ = w.docs.Close() }

// Serve answers on a free port until the test ends.
func (w *World) Serve(routes ...web.Route) {
	w.t.Helper()
	server, err := web.New(web.Config{Log: zap.NewNop(), Now: w.time, Before: func(c *web.Call) error {
		c.Caller = auth.Caller{Account: Account, Key: accounts.APIKey{ID: "key_1", Scopes: accounts.DefaultScopes(), Live: true}}
		if other := c.Header(AccountHeader); other != "" {
			c.Caller.Account = other
		}
		return nil
	}}, routes)
	if err != nil {
		w.t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		w.t.Fatal(err)
	}
	w.url = "http://" + ln.Addr().String()
	ctx, stop := context.WithCancel(context.Background())
	stopped := make(chan error, 1)
	go func() { stopped <- server.Run(ctx, ln, time.Second) }()
	w.t.Cleanup(func() {
		stop()
		if err := <-stopped; err != nil {
			w.t.Errorf("stop the server: %v", err)
		}
	})
}

// Reply is what a request was answered with.
type Reply struct {
	Status int
	Header http.Header
	Body   []byte
}

// Do sends a request. headers are names and values in turn.
func (w *World) Do(method, path, body string, headers ...string) Reply {
	w.t.Helper()
	var content io.Reader
	if body != "" {
		content = strings.NewReader(body)
	}
	r, err := http.NewRequestWithContext(w.t.Context(), method, w.url+path, content)
	if err != nil {
		w.t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for pair := range slices.Chunk(headers, 2) {
		r.Header.Set(pair[0], pair[1])
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		w.t.Fatalf("%s %s: %v", method, path, err)
	}
	defer res.Body.Close()
	got, err := io.ReadAll(res.Body)
	if err != nil {
		w.t.Fatalf("%s %s: %v", method, path, err)
	}
	return Reply{res.StatusCode, res.Header, got}
}

// Get is Do without a body.
func (w *World) Get(path string, headers ...string) Reply {
	w.t.Helper()
	return w.Do(http.MethodGet, path, "", headers...)
}

// Code is the error code of a reply; "" where it has none.
func (r Reply) Code() contract.Code {
	var body struct {
		Error contract.Code `json:"error"`
	}
	_ = json.Unmarshal(r.Body, &body)
	return body.Error
}

// Fields gives "field problem" of each field that a reply refuses, sorted.
func (r Reply) Fields() []string {
	var body struct {
		Fields []contract.FieldProblem `json:"fields"`
	}
	_ = json.Unmarshal(r.Body, &body)
	out := []string{}
	for _, f := range body.Fields {
		out = append(out, f.Field+" "+f.Problem)
	}
	slices.Sort(out)
	return out
}

// Details gives "place type" of each failure in a reply of the form {detail: […]}.
func (r Reply) Details() []string {
	var body struct {
		Detail []problem.Detail `json:"detail"`
	}
	_ = json.Unmarshal(r.Body, &body)
	out := []string{}
	for _, d := range body.Detail {
		where := ""
		for _, part := range d.Loc {
			if text, ok := part.(string); ok {
				where += "." + text
			}
		}
		out = append(out, strings.TrimPrefix(where, ".")+" "+d.Type)
	}
	return out
}

// Decode reads a reply's JSON.
func Decode[V any](t testing.TB, r Reply) (v V) {
	t.Helper()
	if err := json.Unmarshal(r.Body, &v); err != nil {
		t.Fatalf("decode %s: %v", r.Body, err)
	}
	return v
}

// Part is a part of a form: a file where Name is not empty.
type Part struct{ Field, Name, Content string }

// Form writes a form, and gives it as the body and the header of [World.Do].
func Form(t testing.TB, parts ...Part) (body string, header []string) {
	t.Helper()
	var out bytes.Buffer
	m := multipart.NewWriter(&out)
	for _, p := range parts {
		var to io.Writer
		var err error
		if p.Name != "" {
			to, err = m.CreateFormFile(p.Field, p.Name)
		} else {
			to, err = m.CreateFormField(p.Field)
		}
		if err == nil {
			_, err = io.WriteString(to, p.Content)
		}
		if err != nil {
			t.Fatalf("write field %s: %v", p.Field, err)
		}
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String(), []string{"Content-Type", m.FormDataContentType()}
}

// Bucket is one bucket of the broker, in memory.
type Bucket struct {
	mu     sync.Mutex
	values map[string]entry
	rev    uint64
}

type entry struct {
	value []byte
	rev   uint64
}

// Get gives the value of a key.
func (b *Bucket) Get(_ context.Context, key string) (value []byte, rev uint64, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if e, ok := b.values[key]; ok {
		return e.value, e.rev, nil
	}
	return nil, 0, bus.ErrNoKey
}

// Put sets the value of a key.
func (b *Bucket) Put(_ context.Context, key string, value []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.set(key, value)
	return nil
}

// Create sets a key that has no value.
func (b *Bucket) Create(ctx context.Context, key string, value []byte) (rev uint64, err error) {
	return b.Update(ctx, key, value, 0)
}

// Update sets a key that is at a revision.
func (b *Bucket) Update(_ context.Context, key string, value []byte, rev uint64) (uint64, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.values[key].rev != rev {
		return 0, bus.ErrWrongRevision
	}
	return b.set(key, value), nil
}

// DeleteAt removes a key that is at a revision.
func (b *Bucket) DeleteAt(_ context.Context, key string, rev uint64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.values[key].rev != rev {
		return bus.ErrWrongRevision
	}
	delete(b.values, key)
	return nil
}

func (b *Bucket) set(key string, value []byte) (rev uint64) {
	if b.values == nil {
		b.values = map[string]entry{}
	}
	b.rev++
	b.values[key] = entry{slices.Clone(value), b.rev}
	return b.rev
}
