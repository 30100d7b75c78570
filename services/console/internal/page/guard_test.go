package page

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/formal"
	"boardorder/services/console/internal/ask"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/session"

	"go.uber.org/zap"
)

// sessions are those of cookies, all with one form token.
type sessions map[string]session.Session

func (s sessions) Find(_ context.Context, cookie string, _ session.Browser) (session.Session, error) {
	switch cookie {
	case "copied":
		return session.Session{}, session.ErrCopied
	case "broken":
		return session.Session{}, errors.New("the bucket is gone")
	}
	if found, ok := s[cookie]; ok {
		return found, nil
	}
	return session.Session{}, session.ErrNone
}

func (sessions) MatchesSession(_ session.Session, token string) bool { return token == "token" }

// trail keeps records, or fails.
type trail struct {
	records []audits.Record
	err     error
}

func (t *trail) Record(_ context.Context, r audits.Record) error {
	if t.err == nil {
		t.records = append(t.records, r)
	}
	return t.err
}

// TestServeOperator: a page is for whoever has signed in whole and has the permission, a form
// besides for whoever was shown it. All else gets the reason in plain words.
func TestServeOperator(t *testing.T) {
	t.Parallel()
	site := &Site{Ask: &ask.Outcomes{Now: time.Now}, Now: time.Now, Log: zap.NewNop(), Sessions: sessions{
		"admin": *signIn(true, operator.Admin), "viewer": *signIn(true, operator.Viewer), "weak": *signIn(false, operator.Admin),
	}}
	for _, tt := range []struct {
		cookie, method, token string
		before                bool // the page is for whoever has not given the factor yet
		status                int
		to, text              string
	}{
		{"admin", http.MethodGet, "", false, http.StatusOK, "", "the page"},
		{"admin", http.MethodPost, "token", false, http.StatusOK, "", "the page"},
		{"admin", http.MethodPost, "forged", false, http.StatusForbidden, "", "This form has expired or was not made here."},
		{"admin", http.MethodPost, "", false, http.StatusForbidden, "", "This form has expired or was not made here."},
		{"viewer", http.MethodGet, "", false, http.StatusForbidden, "", "Your roles do not let you "},
		{"viewer", http.MethodPost, "token", false, http.StatusForbidden, "", "Your roles do not let you "},
		{"weak", http.MethodGet, "", false, http.StatusSeeOther, "/factor?back=%2Fpage", ""},
		{"weak", http.MethodPost, "token", false, http.StatusForbidden, "", "Please enter your second factor first."},
		{"weak", http.MethodGet, "", true, http.StatusOK, "", "the page"},
		{"weak", http.MethodPost, "forged", true, http.StatusForbidden, "", "This form has expired or was not made here."},
		{"", http.MethodGet, "", false, http.StatusSeeOther, "/sign-in?back=%2Fpage", ""},
		{"", http.MethodPost, "token", true, http.StatusUnauthorized, "", "You are no longer signed in."},
		{"forged", http.MethodGet, "", true, http.StatusSeeOther, "/sign-in?back=%2Fpage", ""},
		{"copied", http.MethodGet, "", false, http.StatusSeeOther, "/sign-in?back=%2Fpage", ""},
		{"broken", http.MethodGet, "", false, http.StatusServiceUnavailable, "", "A part of the system does not answer now."},
	} {
		shown := false
		h := site.Guard(site.ServeOperator(Route{Needs: operator.SeeAudit, BeforeFactor: tt.before, Handle: func(c *Call) error {
			shown = true
			_, err := fmt.Fprint(c.W, "the page")
			return err
		}}))
		r := httptest.NewRequest(tt.method, "/page", strings.NewReader(url.Values{"form_token": {tt.token}}.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.AddCookie(&http.Cookie{Name: SessionCookie, Value: tt.cookie})
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if got := w.Header().Get("Location"); w.Code != tt.status || got != tt.to || !strings.Contains(w.Body.String(), tt.text) || shown != (tt.text == "the page") {
			t.Errorf("%s by %q with token %q, before the factor %v: %d to %q (page shown: %v), %s; want %d to %q with %q",
				tt.method, tt.cookie, tt.token, tt.before, w.Code, got, shown, w.Body, tt.status, tt.to, tt.text)
		}
	}
}

// TestServeVisitorSetsTheCookieAnew: a session that got another cookie is told to the browser.
func TestServeVisitorSetsTheCookieAnew(t *testing.T) {
	t.Parallel()
	for _, want := range []string{"", "fresh"} {
		found := signIn(true)
		found.Cookie, found.Expires = want, time.Now().Add(time.Hour)
		site := &Site{Sessions: sessions{"old": *found}, Secure: true}
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.AddCookie(&http.Cookie{Name: "__Host-" + SessionCookie, Value: "old"})
		w := httptest.NewRecorder()
		site.ServeVisitor(func(*Call) error { return nil }).ServeHTTP(w, r)
		got := ""
		for _, k := range w.Result().Cookies() {
			got += k.Value
		}
		if got != want {
			t.Errorf("the session's cookie is %q: the browser is given %q, want the same", want, got)
		}
	}
}

// TestGuard: every answer has the headers, that of a page that panics too.
func TestGuard(t *testing.T) {
	t.Parallel()
	for _, secure := range []bool{false, true} {
		for what, tt := range map[string]struct {
			handle http.HandlerFunc
			status int
			text   string
		}{
			"a page":  {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "the page") }, http.StatusOK, "the page"},
			"a panic": {func(http.ResponseWriter, *http.Request) { panic("secret") }, http.StatusInternalServerError, "Something went wrong on our side."},
			"a large form": {func(w http.ResponseWriter, r *http.Request) {
				if err := r.ParseForm(); err != nil {
					http.Error(w, "too large", http.StatusRequestEntityTooLarge)
				}
			}, http.StatusRequestEntityTooLarge, "too large"},
		} {
			site := &Site{Log: zap.NewNop(), Secure: secure}
			r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader("a="+strings.Repeat("b", maxForm)))
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			w := httptest.NewRecorder()
			site.Guard(tt.handle).ServeHTTP(w, r)
			if got := w.Body.String(); w.Code != tt.status || !strings.Contains(got, tt.text) || strings.Contains(got, "secret") {
				t.Errorf("%s, secure %v: %d %s; want %d and %q", what, secure, w.Code, got, tt.status, tt.text)
			}
			for header, want := range map[string]string{
				"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "same-origin", "Cache-Control": "no-store",
				"Cross-Origin-Opener-Policy": "same-origin", "Content-Security-Policy": policy,
				"Strict-Transport-Security": map[bool]string{true: "max-age=31536000"}[secure],
			} {
				if got := w.Header().Get(header); got != want {
					t.Errorf("%s, secure %v: %s is %q, want %q", what, secure, header, got, want)
				}
			}
		}
	}
}

// TestAct: the trail says that something is about to be done and how it ended; what it cannot
// keep is not done.
func TestAct(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for _, tt := range []struct {
		what       string
		trail, err error
		done       bool
		outcomes   []string
	}{
		{"done", nil, nil, true, []string{"asked", "done"}},
		{"failed", nil, broken, true, []string{"asked", "failed"}},
		{"refused", nil, contract.Refuse(contract.Conflict, "no"), true, []string{"asked", "refused"}},
		{"not recorded", broken, nil, false, nil},
	} {
		c, _ := newCall(http.MethodPost, "/", signIn(true, operator.Admin))
		kept := &trail{err: tt.trail}
		c.site.Trail = kept
		done := false
		err := c.Act(audits.Record{Action: "open"}, func() error { done = true; return tt.err })
		var outcomes []string
		for _, r := range kept.records {
			outcomes = append(outcomes, r.Outcome)
			if r.Operator != "ann" || r.From == "" {
				t.Errorf("%s: recorded of %q from %q, want of ann from an address", tt.what, r.Operator, r.From)
			}
		}
		if want := errors.Join(tt.trail, tt.err); done != tt.done || !slices.Equal(outcomes, tt.outcomes) || (err == nil) != (want == nil) {
			t.Errorf("%s: done %v, outcomes %q, %v; want %v, %q, %v", tt.what, done, outcomes, err, tt.done, tt.outcomes, want)
		}
		if err := c.RecordAccess(audits.Record{Action: "see"}); !errors.Is(err, tt.trail) {
			t.Errorf("%s: an access gives %v, want %v", tt.what, err, tt.trail)
		}
	}
}

// TestMayOpen: a formal order that is controlled is for US persons.
func TestMayOpen(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		role       operator.Role
		controlled bool
		want       bool
	}{{operator.Admin, false, true}, {operator.Admin, true, false}, {operator.USPerson, true, true}} {
		c, _ := newCall(http.MethodGet, "/", signIn(true, tt.role))
		if got := c.MayOpen(&formal.Order{Form: formal.Form{ITAR: tt.controlled}}); got != tt.want {
			t.Errorf("%s opens an order, controlled %v: %v, want %v", tt.role, tt.controlled, got, tt.want)
		}
		if !tt.controlled {
			continue
		}
		if got, err := c.HidesEntry(audits.Record{Controlled: true}); got == tt.want || err != nil {
			t.Errorf("%s: an entry about what is controlled is hidden: %v, %v; want %v", tt.role, got, err, !tt.want)
		}
	}
}

// TestAsset: what pages use is served with its type, and nothing else is.
func TestAsset(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"console.css": "text/css; charset=utf-8", "console.js": "text/javascript; charset=utf-8", "icon.svg": "image/svg+xml",
		"": "", "nothing.css": "", "../site.go": "", "layout.html": "",
	} {
		r := httptest.NewRequest(http.MethodGet, "/assets/x", nil)
		r.SetPathValue("name", name)
		w := httptest.NewRecorder()
		Asset(w, r)
		got := w.Header().Get("Content-Type")
		if found := w.Code == http.StatusOK; found != (want != "") || found && got != want || found && w.Body.Len() == 0 {
			t.Errorf("asset %q: %d %s of %d bytes, want type %q", name, w.Code, got, w.Body.Len(), want)
		}
	}
}
