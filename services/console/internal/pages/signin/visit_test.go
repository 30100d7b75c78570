package signin

import (
	"context"
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/secret"
	"boardorder/services/console/internal/ask"
	"boardorder/services/console/internal/factor"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/session"

	"go.uber.org/zap"
)

const (
	password = "a horse and a battery"
	linkText = "the-token-of-the-link"
)

var passwordHash = sync.OnceValues(func() (string, error) { return operator.HashPassword(password) })

// A desk has the pages of this package, with sessions, links, factors and counts of
// attempts as they are kept in a broker. ann and bob work there.
type desk struct {
	section *Section
	site    *page.Site
	handler http.Handler
	at      time.Time
	trail   []string // who did what
}

func (d *desk) now() time.Time { return d.at }

func (d *desk) Record(_ context.Context, r audits.Record) error {
	d.trail = append(d.trail, r.Operator+" "+r.Action)
	return nil
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	must := func(what string, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
	d := &desk{at: time.Now()}
	hash, err := passwordHash()
	must("hash the password", err)
	book, err := operator.Open("", operator.Operator{Name: "ann", Roles: []operator.Role{operator.Viewer}, Hash: hash},
		operator.Operator{Name: "bob", Roles: []operator.Role{operator.Viewer}, Hash: hash})
	must("open the book of operators", err)
	keys, err := secret.New(make([]byte, secret.MinMaster))
	must("make keys", err)
	b := bustest.Start(t)
	s := &Section{Book: book, LinkFor: "ann", Log: zap.NewNop(), Now: d.now, Secure: true, Home: func(c *page.Call) error {
		_, err := fmt.Fprint(c.W, "overview of ", c.Session.Operator.Name)
		return err
	}}
	s.Sessions, err = session.NewSessions(t.Context(), b, keys, book, d.now)
	must("open sessions", err)
	s.Factors, err = factor.Open(t.Context(), b, keys, d.now)
	must("open factors", err)
	s.Link, err = session.NewLink(t.Context(), b, linkText)
	must("open links", err)
	s.Attempts, err = session.NewAttempts(t.Context(), b, d.now)
	must("open attempts", err)
	d.section = s
	d.site = &page.Site{Sessions: s.Sessions, Ask: &ask.Outcomes{Now: d.now}, Trail: d, Log: zap.NewNop(), Now: d.now, Secure: true}
	mux := http.NewServeMux()
	for pattern, handle := range map[string]func(*page.Call) error{
		"GET /{$}": s.Front, "GET /sign-in": s.SignInPage, "POST /sign-in": s.SignIn, "POST /sign-in/link": s.SignInByLink,
		"GET /sign-in/provider": s.SendToProvider, "GET /sign-in/provider/back": s.ReceiveFromProvider,
	} {
		mux.Handle(pattern, d.site.ServeVisitor(handle))
	}
	for pattern, handle := range map[string]func(*page.Call) error{
		"POST /sign-out": s.SignOut, "GET /factor": s.FactorPage, "POST /factor": s.GiveFactor, "GET /factor/picture": s.FactorPicture,
	} {
		mux.Handle(pattern, d.site.ServeOperator(page.Route{Pattern: pattern, Handle: handle, BeforeFactor: true}))
	}
	d.handler = d.site.Guard(mux)
	return d
}

// A browser keeps cookies, and the token of the form that it was shown last.
type browser struct {
	desk    *desk
	network string
	cookies map[string]string
	token   string
}

func (d *desk) newBrowser(network string) *browser {
	return &browser{desk: d, network: network, cookies: map[string]string{}}
}

func (b *browser) copy() *browser {
	other := *b
	other.cookies = maps.Clone(b.cookies)
	return &other
}

var tokenField = regexp.MustCompile(`name="form_token" value="([^"]+)"`)

func (b *browser) send(r *http.Request) *httptest.ResponseRecorder {
	r.RemoteAddr = b.network + ":5000"
	for name, value := range b.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	w := httptest.NewRecorder()
	b.desk.handler.ServeHTTP(w, r)
	for _, k := range w.Result().Cookies() {
		if b.cookies[k.Name] = k.Value; k.MaxAge < 0 {
			delete(b.cookies, k.Name)
		}
	}
	if found := tokenField.FindStringSubmatch(w.Body.String()); found != nil {
		b.token = found[1]
	}
	return w
}

func (b *browser) get(target string) *httptest.ResponseRecorder {
	return b.send(httptest.NewRequest(http.MethodGet, target, nil))
}

// post sends a form of pairs of a name and a value.
func (b *browser) post(target string, pairs ...string) *httptest.ResponseRecorder {
	form := url.Values{"form_token": {b.token}}
	for i := 0; i < len(pairs); i += 2 {
		form.Set(pairs[i], pairs[i+1])
	}
	r := httptest.NewRequest(http.MethodPost, target, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return b.send(r)
}

// signIn opens the form and sends it with the right password.
func (b *browser) signIn(name string) *httptest.ResponseRecorder {
	b.get("/sign-in")
	return b.post("/sign-in", "name", name, "password", password)
}

// check compares an answer: its status, where it leads, and a part of what it says.
func check(t *testing.T, what string, w *httptest.ResponseRecorder, status int, to, text string) {
	t.Helper()
	if got := w.Header().Get("Location"); w.Code != status || got != to || !strings.Contains(w.Body.String(), text) {
		t.Errorf("%s: %d to %q, %s; want %d to %q with %q", what, w.Code, got, w.Body, status, to, text)
	}
}

// authenticatorCode is what an authenticator shows for a secret in base32 (RFC 6238).
func authenticatorCode(t *testing.T, shown string, at time.Time) string {
	t.Helper()
	key, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(shown)
	if err != nil {
		t.Fatalf("secret %q: %v, want base32", shown, err)
	}
	mac := hmac.New(sha1.New, key)
	_ = binary.Write(mac, binary.BigEndian, at.Unix()/30)
	sum := mac.Sum(nil)
	return fmt.Sprintf("%06d", binary.BigEndian.Uint32(sum[sum[len(sum)-1]&15:])&0x7fffffff%1e6)
}
