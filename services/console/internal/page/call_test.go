package page

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/ask"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/session"

	"go.uber.org/zap"
)

func newCall(method, target string, s *session.Session) (*Call, *httptest.ResponseRecorder) {
	w := httptest.NewRecorder()
	site := &Site{Ask: &ask.Outcomes{Now: time.Now}, Now: time.Now, Log: zap.NewNop(), Menu: []Route{
		{Pattern: "GET /a", Menu: Entry{Name: "a", To: "/a", Text: "All see this"}},
		{Pattern: "GET /b", Needs: operator.SeeAudit, Menu: Entry{Name: "b", To: "/b", Text: "Few see this"}},
	}}
	return &Call{W: w, R: httptest.NewRequest(method, target, nil), site: site, Session: s}, w
}

func signIn(strong bool, roles ...operator.Role) *session.Session {
	return &session.Session{Operator: operator.Operator{Name: "ann", Roles: roles}, Strong: strong}
}

// TestMenu: an entry is there for whoever may open what it leads to.
func TestMenu(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		session *session.Session
		want    []string
	}{
		{"a stranger", nil, nil}, {"an admin without the second factor", signIn(false, operator.Admin), nil},
		{"a viewer", signIn(true, operator.Viewer), []string{"a here"}}, {"an admin", signIn(true, operator.Admin), []string{"a here", "b"}},
	} {
		c, _ := newCall(http.MethodGet, "/a", tt.session)
		var got []string
		for _, e := range c.Frame("a", "A").Menu {
			if e.Here {
				e.Name += " here"
			}
			got = append(got, e.Name)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s sees %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestFrame(t *testing.T) {
	t.Parallel()
	c, _ := newCall(http.MethodGet, "/a?done=priced", signIn(true, operator.Viewer))
	f := c.Frame("a", "A")
	if f.Notice != notices["priced"] || f.FormID == "" || f.FormID == c.Frame("a", "A").FormID {
		t.Errorf("notice %q, form %q; want %q and a form of its own each time", f.Notice, f.FormID, notices["priced"])
	}
	if odd, _ := newCall(http.MethodGet, "/a?done=%3Cscript%3E", nil); odd.Frame("", "").Notice != "" {
		t.Errorf("an unknown word gives the notice %q, want none", odd.Frame("", "").Notice)
	}
	for _, tt := range []struct {
		session *session.Session
		want    bool
	}{{nil, false}, {signIn(false, operator.Admin), false}, {signIn(true, operator.Viewer), false}, {signIn(true, operator.Admin), true}} {
		c, _ := newCall(http.MethodGet, "/", tt.session)
		if got := c.Can(operator.SeeAudit); got != tt.want || c.Frame("", "").Can(string(operator.SeeAudit)) != tt.want {
			t.Errorf("%+v: may %v, want %v", tt.session, got, tt.want)
		}
	}
}

// TestFail: what somebody can mend is told, the rest is in the log only.
func TestFail(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		err    error
		status int
		text   string
	}{
		{Missing("quote"), http.StatusNotFound, "There is no such quote."},
		{fmt.Errorf("x: %w", Problem{http.StatusConflict, "Decided already."}), http.StatusConflict, "Decided already."},
		{contract.Refuse(contract.Conflict, "An order cannot become this."), http.StatusConflict, "An order cannot become this."},
		{ask.ErrSlow, http.StatusAccepted, "it has not been carried out yet"},
		{fmt.Errorf("list: %w", projection.ErrCursor), http.StatusBadRequest, "start from the top"},
		{errors.New("password of the database"), http.StatusServiceUnavailable, "try again"},
	} {
		c, w := newCall(http.MethodGet, "/", nil)
		c.fail(tt.err)
		if got := w.Body.String(); w.Code != tt.status || !strings.Contains(got, tt.text) || strings.Contains(got, "database") {
			t.Errorf("fail(%v): %d %s; want %d and %q", tt.err, w.Code, got, tt.status, tt.text)
		}
	}
}

func TestFinish(t *testing.T) {
	t.Parallel()
	refused := contract.Refuse(contract.Conflict, "no")
	for _, tt := range []struct {
		err  error
		to   string
		want error
	}{{nil, "/orders?done=reported", nil}, {fmt.Errorf("x: %w", ask.ErrSlow), "/orders?done=slow", nil}, {refused, "", refused}} {
		c, w := newCall(http.MethodPost, "/", nil)
		err := c.Finish(tt.err, "/orders", "reported")
		if got := w.Header().Get("Location"); got != tt.to || !errors.Is(err, tt.want) {
			t.Errorf("Finish(%v) leads to %q, %v; want %q, %v", tt.err, got, err, tt.to, tt.want)
		}
	}
}

// TestSignInComesFirst: a page is come back to, a form or a live view is not.
func TestSignInComesFirst(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ method, target, accept, to, factor string }{
		{http.MethodGet, "/", "", "/sign-in", "/factor?back=%2F"},
		{http.MethodGet, "/quotes?status=x", "", "/sign-in?back=%2Fquotes%3Fstatus%3Dx", "/factor?back=%2Fquotes%3Fstatus%3Dx"},
		{http.MethodPost, "/quotes", "", "", ""}, {http.MethodGet, "/events/live", "text/event-stream", "", ""},
	} {
		for want, redirect := range map[string]func(*Call) error{tt.to: (*Call).RedirectToSignIn, tt.factor: (*Call).redirectToFactor} {
			c, w := newCall(tt.method, tt.target, nil)
			c.R.Header.Set("Accept", tt.accept)
			err := redirect(c)
			if got := w.Header().Get("Location"); got != want || (err == nil) != (want != "") {
				t.Errorf("%s %s leads to %q, %v; want %q", tt.method, tt.target, got, err, want)
			}
		}
	}
}

func TestCookies(t *testing.T) {
	t.Parallel()
	for secure, want := range map[bool]string{true: "__Host-console_session", false: "console_session"} {
		c, w := newCall(http.MethodGet, "/", nil)
		c.site.Secure = secure
		c.SetCookie(SessionCookie, "value", time.Now().Add(time.Hour))
		got := w.Result().Cookies()[0]
		if got.Name != want || got.Secure != secure || !got.HttpOnly || got.SameSite != http.SameSiteStrictMode {
			t.Errorf("secure %v: %+v, want %s", secure, got, want)
		}
		c.R.AddCookie(got)
		if value := c.Cookie(SessionCookie); value != "value" {
			t.Errorf("secure %v: read %q, want value", secure, value)
		}
		c, w = newCall(http.MethodGet, "/", nil)
		c.SetCookie(SessionCookie, "", time.Now())
		if gone := w.Result().Cookies()[0]; gone.MaxAge >= 0 {
			t.Errorf("a cookie that is taken away: %+v, want one that has ended", gone)
		}
	}
}

func TestOutcomeWord(t *testing.T) {
	t.Parallel()
	for want, err := range map[string]error{
		"done": nil, "refused": fmt.Errorf("x: %w", contract.Refuse(contract.Conflict, "no")), "slow": ask.ErrSlow, "failed": errors.New("broken"),
	} {
		if got := outcomeWord(err); got != want {
			t.Errorf("outcomeWord(%v) = %q, want %q", err, got, want)
		}
	}
}

// TestControlled: what is controlled is there for US persons who have signed in whole.
func TestControlled(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		session *session.Session
		sees    bool
	}{{nil, false}, {signIn(true, operator.Admin), false}, {signIn(false, operator.USPerson), false}, {signIn(true, operator.USPerson), true}} {
		c, _ := newCall(http.MethodGet, "/", tt.session)
		if got := !c.Hides(contract.Labels{contract.ControlledLabel}); got != tt.sees {
			t.Errorf("%+v sees what is controlled: %v, want %v", tt.session, got, tt.sees)
		}
		if c.Hides(contract.Labels{}) {
			t.Errorf("%+v does not see what is not controlled", tt.session)
		}
	}
}

// TestRefusedFormHasTheFocus where it is wrong: at the first field at fault, or else at the
// words about it.
func TestRefusedFormHasTheFocus(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ page, want string }{
		{`<p role="alert">no</p><input name="a"><input name="b" aria-invalid="true"><input aria-invalid="true">`,
			`<p role="alert">no</p><input name="a"><input name="b" autofocus aria-invalid="true"><input aria-invalid="true">`},
		{`<input><p class="wrong" role="alert">no</p>`, `<input><p class="wrong" tabindex="-1" autofocus role="alert">no</p>`},
		{`<p> aria-invalid=&#34;true&#34;</p>`, `<p> aria-invalid=&#34;true&#34;</p>`},
	} {
		if got := string(focusProblem([]byte(tt.page))); got != tt.want {
			t.Errorf("focusProblem(%s) = %s, want %s", tt.page, got, tt.want)
		}
	}
}
