// Package pagetest serves single pages of the console to their tests: the real guard
// and frame over a projection of their own, operators who are signed in by name, and
// in place of the broker a function that says what comes of a command.
package pagetest

import (
	"context"
	"encoding/json"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/projection"
	"boardorder/pkg/projection/sqlite"
	"boardorder/services/console/internal/ask"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/session"

	"go.uber.org/zap"
)

// At is the time of all tests.
var At = time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)

// Now is At.
func Now() time.Time { return At }

// formToken is what forms of these tests are known by.
const formToken = "token"

// Desk is what pages work with.
type Desk struct {
	Docs *sqlite.Store
	Ask  *ask.Outcomes
	// Answer refuses a command; nil, or giving nil: it is carried out.
	Answer func(contract.Command) *contract.Refusal

	t     testing.TB
	site  *page.Site
	mu    sync.Mutex
	sent  []contract.Command
	trail []audits.Record
	seq   uint64
}

// New makes a desk of routes.
func New(t testing.TB) *Desk {
	t.Helper()
	docs, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "docs.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = docs.Close() })
	d := &Desk{Docs: docs, t: t}
	d.Ask = &ask.Outcomes{Bus: broker{d}, Docs: docs, Now: Now}
	d.site = &page.Site{Docs: docs, Sessions: sessions{}, Ask: d.Ask, Trail: trail{d}, Log: zap.NewNop(), Now: Now}
	return d
}

// Put projects a state; keys are what it is listed by.
func (d *Desk) Put(kind contract.Aggregate, id string, state any, keys map[string]string) {
	d.t.Helper()
	if err := d.put(kind, id, state, keys); err != nil {
		d.t.Fatalf("project %s %s: %v", kind, id, err)
	}
}

func (d *Desk) put(kind contract.Aggregate, id string, state any, keys map[string]string) error {
	body, err := json.Marshal(state)
	if err != nil {
		return err
	}
	d.mu.Lock()
	d.seq++
	doc := projection.Document{Kind: string(kind), ID: id, Seq: d.seq, At: At.Add(time.Duration(d.seq) * time.Second), Body: body, Keys: keys}
	d.mu.Unlock()
	return d.Docs.Put(context.Background(), doc)
}

// Commands gives the commands so far.
func (d *Desk) Commands() []contract.Command {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.sent)
}

// Trail gives what the audit trail holds so far.
func (d *Desk) Trail() []audits.Record {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.trail)
}

// Operator is one who is signed in, with the second factor given.
func Operator(name string, roles ...operator.Role) operator.Operator {
	return operator.Operator{Name: name, Roles: roles}
}

// Get has somebody open a page.
func (d *Desk) Get(who operator.Operator, r page.Route, target string) *httptest.ResponseRecorder {
	return d.do(who, r, httptest.NewRequest(http.MethodGet, target, nil))
}

// Post has somebody send a form.
func (d *Desk) Post(who operator.Operator, r page.Route, target string, form url.Values) *httptest.ResponseRecorder {
	values := url.Values{"form_token": {formToken}, "request": {d.Ask.NewRequest()}}
	for name, v := range form {
		values[name] = v
	}
	req := httptest.NewRequest(http.MethodPost, target, strings.NewReader(values.Encode()))
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return d.do(who, r, req)
}

func (d *Desk) do(who operator.Operator, r page.Route, req *http.Request) *httptest.ResponseRecorder {
	name, err := json.Marshal(who)
	if err != nil {
		d.t.Fatal(err)
	}
	req.AddCookie(&http.Cookie{Name: page.SessionCookie, Value: url.QueryEscape(string(name))})
	mux := http.NewServeMux()
	mux.Handle(r.Pattern, d.site.ServeOperator(r))
	w := httptest.NewRecorder()
	d.site.Guard(mux).ServeHTTP(w, req)
	return w
}

var older = regexp.MustCompile(`<p class="more"><a href="([^"]+)">Older`)

// Older is where a list goes on to older things; "" where there are none.
func Older(list string) string {
	if found := older.FindStringSubmatch(list); found != nil {
		return html.UnescapeString(found[1])
	}
	return ""
}

// sessions are those whose cookie is an operator.
type sessions struct{}

func (sessions) Find(_ context.Context, cookie string, _ session.Browser) (session.Session, error) {
	var o operator.Operator
	text, err := url.QueryUnescape(cookie)
	if err != nil || json.Unmarshal([]byte(text), &o) != nil || o.Name == "" {
		return session.Session{}, session.ErrNone
	}
	return session.Session{Operator: o, Strong: true, Token: formToken}, nil
}

func (sessions) MatchesSession(s session.Session, token string) bool { return token == s.Token }

type trail struct{ d *Desk }

func (t trail) Record(_ context.Context, r audits.Record) error {
	t.d.mu.Lock()
	defer t.d.mu.Unlock()
	t.d.trail = append(t.d.trail, r)
	return nil
}

type broker struct{ d *Desk }

func (b broker) Send(_ context.Context, c contract.Command) error {
	b.d.mu.Lock()
	b.d.sent = append(b.d.sent, c)
	b.d.mu.Unlock()
	op := contract.Operation{Request: c.Request, Account: c.Account}
	if b.d.Answer != nil {
		op.Refusal = b.d.Answer(c)
	}
	return b.d.put(contract.OperationAggregate, c.Request, op, nil)
}

func (broker) WatchChange(contract.Aggregate, string, func(*contract.Event)) (stop func(), err error) {
	return func() {}, nil
}

// NoHistory is a log in which nothing is kept.
type NoHistory struct{}

// History gives nothing.
func (NoHistory) History(context.Context, contract.Aggregate, string, uint64, int) ([]bus.Headline, error) {
	return nil, nil
}

// NoLetters is a box without e-mails.
type NoLetters struct{}

// Get finds nothing.
func (NoLetters) Get(context.Context, string) ([]byte, uint64, error) { return nil, 0, bus.ErrNoKey }
