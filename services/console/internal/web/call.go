package web

import (
	"bytes"
	"errors"
	"net/http"
	"net/url"

	"boardorder/pkg/contract"
	"boardorder/pkg/foreigntext"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/ask"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/session"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// call is one request of one visitor.
type call struct {
	w       http.ResponseWriter
	r       *http.Request
	s       *Server
	session *session.Session // nil: not signed in
	names   map[string]string
	hidden  map[string]bool // formal orders, by key, that are not shown
}

// problem is an answer that is no page: what went wrong, for people.
type problem struct {
	status  int
	message string
}

func (p problem) Error() string { return p.message }

func nowhere(*call) error { return problem{http.StatusNotFound, "There is no such page."} }

func missing(what string) error {
	return problem{http.StatusNotFound, "There is no such " + what + "."}
}

func (c *call) can(p operator.Permission) bool {
	return c.session != nil && c.session.Strong && c.session.Operator.Can(p)
}

// page is what every page shows.
type page struct {
	Title   string
	Nav     string // the entry of the menu that this page belongs to
	Session *session.Session
	Notice  string // what was done
	Refresh int    // seconds until a live part is fetched again; 0 = never
	FormID  string // names the request that the forms of this page make
}

func (c *call) page(nav, title string) page {
	return page{Title: title, Nav: nav, Session: c.session, Notice: notices[c.r.URL.Query().Get("done")], FormID: c.s.Ask.NewRequest()}
}

// HasMenu is for templates: who has signed in sees the menu.
func (p page) HasMenu() bool { return p.Session != nil && p.Session.Strong }

// Can is for templates.
func (p page) Can(permission string) bool {
	return p.Session != nil && p.Session.Strong && p.Session.Operator.Can(operator.Permission(permission))
}

// notices are what can have been done, by the word in the address.
var notices = map[string]string{
	"priced":          "The price is set; the customer is told by e-mail.",
	"drawn":           "The layers are drawn.",
	"issued":          "The quote is issued; the customer is told by e-mail where there is an address.",
	"reviewed":        "The review is recorded.",
	"reported":        "The order has been changed.",
	"refunded":        "The money goes back; the customer is told by e-mail.",
	"cancelled":       "The order is cancelled; the customer is told by e-mail.",
	"replayed":        "The command was sent again.",
	"discarded":       "The dead letter is gone.",
	"opened":          "The account is open.",
	"changed":         "The key is changed. It counts within five seconds.",
	"revoked":         "The key is revoked. It opens nothing any more within five seconds.",
	"taken":           "Who has this case has changed.",
	"approval":        "Another operator has to approve it first. Nothing was done yet.",
	"approved":        "It is approved and done.",
	"declined":        "It is declined. Nothing was done.",
	"picked":          "The part is chosen; what it costs is in the lines.",
	"asked":           "The question goes to the customer by e-mail.",
	"declined-review": "The review is refused; the customer is told by e-mail.",
	"erased":          "The customer’s data is being removed; the record of it stands among the erasures.",
	"ended":           "The session is ended.",
	"factor-removed":  "The second factor is taken away; it is set up anew at the next sign-in.",
	"signed-out":      "You are signed out.",
	"slow":            "The command is stored, but nobody has carried it out yet. Look again in a moment.",
}

func (c *call) render(status int, name string, data any) error {
	var out bytes.Buffer
	if err := c.s.pages[name].ExecuteTemplate(&out, "layout", data); err != nil {
		return err
	}
	c.w.Header().Set("Content-Type", "text/html; charset=utf-8")
	c.w.WriteHeader(status)
	_, _ = c.w.Write(foreigntext.IsolatePage(out.Bytes()))
	return nil
}

func (c *call) show(name string, data any) error { return c.render(http.StatusOK, name, data) }

func (c *call) redirect(to string) error {
	http.Redirect(c.w, c.r, to, http.StatusSeeOther)
	return nil
}

// fail answers with what went wrong. What people cannot mend is in the log only.
func (c *call) fail(err error) {
	p, ok := errors.AsType[problem](err)
	refusal := contract.RefusalIn(err)
	switch {
	case ok:
	case refusal != nil:
		p = problem{http.StatusConflict, refusal.Message}
	case errors.Is(err, ask.ErrSlow):
		p = problem{http.StatusAccepted, notices["slow"]}
	case errors.Is(err, projection.ErrCursor):
		p = problem{http.StatusBadRequest, "This place in the list is not known any more. Please begin at the top."}
	case c.r.Context().Err() != nil: // the visitor has left
		return
	default:
		c.s.Log.Error("page", zap.String("route", c.r.Pattern), zap.Error(err))
		p = problem{http.StatusServiceUnavailable, "A part of the system does not answer now. Please try again."}
	}
	data := struct {
		page
		Status  int
		Message string
	}{c.page("", http.StatusText(p.status)), p.status, p.message}
	if err := c.render(p.status, "problem", data); err != nil {
		c.s.Log.Error("page", zap.Error(err))
		http.Error(c.w, p.message, p.status)
	}
}

// noteRefusal writes down what somebody was not let do.
func (c *call) noteRefusal(action string, fields ...zap.Field) {
	c.note(zap.WarnLevel, action, fields...)
}

// note logs what somebody did, by route: what stands in a path may be secret.
func (c *call) note(level zapcore.Level, action string, fields ...zap.Field) {
	who := ""
	if c.session != nil {
		who = c.session.Operator.Name
	}
	c.s.Log.Log(level, "operator", append([]zap.Field{
		zap.String("operator", who), zap.String("action", action), zap.String("route", c.r.Pattern), zap.String("from", c.address()),
	}, fields...)...)
}

// address is where the request comes from.
func (c *call) address() string {
	return c.s.Proxies.Client(c.r.RemoteAddr, c.r.Header.Values("X-Forwarded-For"))
}

func escape(s string) string { return url.QueryEscape(s) }

// finish sends the operator on after a command. An outcome that is slow to come
// is no failure.
func (c *call) finish(err error, to, word string) error {
	if errors.Is(err, ask.ErrSlow) {
		word, err = "slow", nil
	}
	if err != nil {
		return err
	}
	return c.redirect(to + "?done=" + word)
}

func (c *call) controller() *http.ResponseController { return http.NewResponseController(c.w) }
