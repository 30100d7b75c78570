package page

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
	casescontract "boardorder/pkg/contract/cases"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/ask"
	"boardorder/services/console/internal/cases"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/session"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// Call is one request of one visitor.
type Call struct {
	W       http.ResponseWriter
	R       *http.Request
	site    *Site
	Session *session.Session // nil: not signed in
	names   map[string]string
	hidden  map[string]bool // formal orders, by key, that are not shown
}

// Problem is an answer that is no page: what went wrong, for people.
type Problem struct {
	Status  int
	Message string
}

// Error is the message.
func (p Problem) Error() string { return p.Message }

// Nowhere answers that there is no such page.
func Nowhere(*Call) error { return Problem{http.StatusNotFound, "There is no such page."} }

// Missing is the answer about something that there is not.
func Missing(what string) error {
	return Problem{http.StatusNotFound, "There is no such " + what + "."}
}

// Can tells whether who calls has signed in whole and has a permission.
func (c *Call) Can(p operator.Permission) bool {
	return c.Session != nil && c.Session.Strong && c.Session.Operator.Can(p)
}

// Frame is what every page shows.
type Frame struct {
	Title   string
	Session *session.Session
	Notice  string // what was done
	Refresh int    // seconds until a live part is fetched again; 0 = never
	FormID  string // names the request that the forms of this page make
	Menu    []Entry
}

// Frame is what a page shows that belongs to an entry of the menu.
func (c *Call) Frame(entry, title string) Frame {
	f := Frame{Title: title, Session: c.Session, Notice: notices[c.R.URL.Query().Get("done")], FormID: c.site.Ask.NewRequest()}
	for _, r := range c.site.Menu {
		if f.HasMenu() && (r.Needs == "" || c.Can(r.Needs)) {
			e := r.Menu
			e.Here = e.Name == entry
			f.Menu = append(f.Menu, e)
		}
	}
	return f
}

// HasMenu is for templates: who has signed in sees the menu.
func (p Frame) HasMenu() bool { return p.Session != nil && p.Session.Strong }

// Can is for templates.
func (p Frame) Can(permission string) bool {
	return p.Session != nil && p.Session.Strong && p.Session.Operator.Can(operator.Permission(permission))
}

// notices are what can have been done, by the word in the address.
var notices = map[string]string{
	"priced":           "The price is set; the customer is told by e-mail.",
	"drawn":            "The layers are drawn.",
	"issued":           "The quote is issued; the customer is told by e-mail where there is an address.",
	"reviewed":         "The review is recorded.",
	"reported":         "The order has been changed.",
	"refunded":         "The refund is written down, and the card processor is asked for it. Under Payment stands whether it has confirmed it; then the customer is told by e-mail.",
	"cancelled":        "The order is cancelled, and the card processor is asked to give back what was paid. Under Payment stands whether it has confirmed that. The customer is told by e-mail.",
	"replayed":         "The command was replayed.",
	"discarded":        "The dead letter is discarded.",
	"opened":           "The account is open.",
	"saved":            "The address is saved.",
	"fabricators":      "The rule is saved. It holds for quotes from now on.",
	"changed":          "The key is changed. The change takes effect within five seconds.",
	"revoked":          "The key is revoked. It stops working within five seconds.",
	"taken":            "Who has this case has changed.",
	"noted":            "The note is written down.",
	"approval":         "Another operator must approve it first. Nothing has been done yet.",
	"approved":         "It is approved and done.",
	"approved-refund":  "It is approved, and the card processor is asked for the refund. Under Payment stands whether it has confirmed it; then the customer is told by e-mail.",
	"approved-cancel":  "It is approved: the order is cancelled, and the card processor is asked to give back what was paid. Under Payment stands whether it has confirmed that.",
	"declined":         "It is declined. Nothing was done.",
	"picked":           "The part is chosen; what it costs is in the lines.",
	"asked-formal":     "The question is asked; the customer is told by e-mail where there is an address.",
	"answered-formal":  "The customer’s answer is written down.",
	"asked":            "The question goes to the customer by e-mail.",
	"declined-review":  "The review is refused; the customer is told by e-mail.",
	"erased":           "The customer’s data is being removed; the record of it stands among the erasures.",
	"ended":            "The session is ended.",
	"endpoint-stopped": "Nothing is sent to the endpoint any more.",
	"endpoint-started": "The endpoint is sent what happened meanwhile, and what happens from now on.",
	"sessions-ended":   "The member is signed out of the portal, everywhere.",
	"member-removed":   "The member is removed, and signed out of the portal.",
	"said":             "It stands on the status page within seconds.",
	"taken-back":       "The incident is no longer on the status page.",
	"factor-removed":   "The second factor is removed; a new one is set up at the next sign-in.",
	"signed-out":       "You are signed out.",
	"slow":             "The command is stored, but it has not been carried out yet. Check again in a moment.",
}

// Render answers with the page of that name. A form that is refused has the focus where it
// is wrong.
func (c *Call) Render(status int, from Templates, name string, data any) error {
	t := from[name]
	if t == nil {
		return fmt.Errorf("there is no page %q", name)
	}
	var out bytes.Buffer
	if err := t.ExecuteTemplate(&out, "layout", data); err != nil {
		return err
	}
	text := out.Bytes()
	if status == http.StatusUnprocessableEntity {
		text = focusProblem(text)
	}
	c.W.Header().Set("Content-Type", "text/html; charset=utf-8")
	c.W.WriteHeader(status)
	_, _ = c.W.Write(untrusted.IsolatePage(text))
	return nil
}

// focusProblem gives the focus to the first field at fault, or else to the first words about
// it. Quotes that stand in texts of others are escaped, so they do not look like attributes.
func focusProblem(text []byte) []byte {
	field, words := []byte(` aria-invalid="true"`), []byte(` role="alert"`)
	if bytes.Contains(text, field) {
		return bytes.Replace(text, field, append([]byte(" autofocus"), field...), 1)
	}
	return bytes.Replace(text, words, append([]byte(` tabindex="-1" autofocus`), words...), 1)
}

// Show answers 200 with the page of that name.
func (c *Call) Show(from Templates, name string, data any) error {
	return c.Render(http.StatusOK, from, name, data)
}

// Redirect sends the visitor on.
func (c *Call) Redirect(to string) error {
	http.Redirect(c.W, c.R, to, http.StatusSeeOther)
	return nil
}

// fail answers with what went wrong. What people cannot mend is in the log only.
func (c *Call) fail(err error) {
	p, ok := errors.AsType[Problem](err)
	refusal := contract.RefusalIn(err)
	switch {
	case ok:
	case refusal != nil:
		p = Problem{http.StatusConflict, refusal.Message}
	case errors.Is(err, ask.ErrSlow):
		p = Problem{http.StatusAccepted, notices["slow"]}
	case errors.Is(err, projection.ErrCursor):
		p = Problem{http.StatusBadRequest, "This position in the list no longer exists. Please start from the top."}
	case c.R.Context().Err() != nil: // the visitor has left
		return
	default:
		c.site.Log.Error("a page cannot be shown", zap.String("route", c.R.Pattern), zap.Error(err))
		p = Problem{http.StatusServiceUnavailable, "A part of the system does not answer now. Please try again."}
	}
	data := struct {
		Frame
		Status  int
		Message string
	}{c.Frame("", http.StatusText(p.Status)), p.Status, p.Message}
	if err := c.Render(p.Status, templates, "problem", data); err != nil {
		c.site.Log.Error("a page cannot be shown", zap.Error(err))
		http.Error(c.W, p.Message, p.Status)
	}
}

// NoteRefusal writes down what somebody was not let do.
func (c *Call) NoteRefusal(action string, fields ...zap.Field) {
	c.note(zap.WarnLevel, action, fields...)
}

// note logs what somebody did, by route: what stands in a path may be secret.
func (c *Call) note(level zapcore.Level, action string, fields ...zap.Field) {
	who := ""
	if c.Session != nil {
		who = c.Session.Operator.Name
	}
	c.site.Log.Log(level, "operator", append([]zap.Field{
		zap.String("operator", who), zap.String("action", action), zap.String("route", c.R.Pattern), zap.String("from", c.Address()),
	}, fields...)...)
}

// Address is where the request comes from.
func (c *Call) Address() string {
	return c.site.Proxies.Client(c.R.RemoteAddr, c.R.Header.Values("X-Forwarded-For"))
}

// Escape makes a text fit to stand in a query.
func Escape(s string) string { return url.QueryEscape(s) }

// Finish sends the operator on after a command. An outcome that is slow to come
// is no failure.
func (c *Call) Finish(err error, to, word string) error {
	if errors.Is(err, ask.ErrSlow) {
		word, err = "slow", nil
	}
	if err != nil {
		return err
	}
	return c.Redirect(to + "?done=" + word)
}

// Controller sets the deadlines of the answer and flushes it.
func (c *Call) Controller() *http.ResponseController { return http.NewResponseController(c.W) }

// MayDecide is for templates.
func (p Frame) MayDecide(k casescontract.ApprovalKind) bool {
	return p.Session != nil && p.Session.Operator.Can(cases.Permission(k))
}
