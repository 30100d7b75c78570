package signin

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"strings"
	"time"

	"boardorder/pkg/contract/audits"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/session"

	"go.uber.org/zap"
)

type signInView struct {
	page.Frame
	Token string // against forged forms
	Name  string
	Back  string
	Link  string // a sign-in token: a button is all that is needed
	For   string // whom it signs in
	Wrong string
	Empty bool // nobody could sign in by name

	Provider bool // the company has an identity provider
	Entered  bool // signed in just now
}

// Front is the overview; an address with a token is a sign-in link. Opening
// it changes nothing, so that a mail reader's preview does not use it up.
func (s *Section) Front(c *page.Call) error {
	token := c.R.URL.Query().Get("token")
	switch {
	case c.Session != nil && token != "":
		return c.Redirect("/")
	case c.Session != nil && !c.Session.Strong:
		return c.Redirect("/factor")
	case c.Session != nil:
		return s.Home(c)
	case token == "":
		return c.RedirectToSignIn()
	}
	view := s.signInView(c)
	switch err := s.Link.Check(c.R.Context(), token); {
	case err == nil:
		view.Link, view.For = token, s.LinkFor
		return c.Show(templates, "signin", view)
	case errors.Is(err, session.ErrUsed):
		view.Wrong = "This sign-in link has been used. Sign in with name and password."
	case errors.Is(err, session.ErrLink):
		view.Wrong = "This sign-in link is no longer valid. Sign in with name and password."
	default:
		return err
	}
	return c.Render(http.StatusForbidden, templates, "signin", view)
}

// SignInPage asks for name and password.
func (s *Section) SignInPage(c *page.Call) error {
	if c.Session != nil {
		return c.Redirect("/")
	}
	view := s.signInView(c)
	view.Back = localPath(c.R.URL.Query().Get("back"))
	return c.Show(templates, "signin", view)
}

func (s *Section) signInView(c *page.Call) signInView {
	visit := c.Cookie(page.VisitCookie)
	if visit == "" {
		visit = session.NewVisit()
		c.SetCookie(page.VisitCookie, visit, s.Now().Add(session.TTL))
	}
	return signInView{Frame: c.Frame("", "Sign in"), Token: s.Sessions.VisitToken(visit), Empty: s.Book.Empty(), Provider: s.OIDC != nil}
}

func (s *Section) checkFormToken(c *page.Call) error {
	visit := c.Cookie(page.VisitCookie)
	if visit == "" || !s.Sessions.MatchesVisit(visit, c.R.PostFormValue("form_token")) {
		return page.Problem{Status: http.StatusForbidden, Message: "This form has expired or was not made here, or your browser does not store cookies. Please open the page again."}
	}
	return nil
}

// SignIn takes a name and a password.
func (s *Section) SignIn(c *page.Call) error {
	if err := s.checkFormToken(c); err != nil {
		return err
	}
	name := c.R.PostFormValue("name")
	view := s.signInView(c)
	view.Name, view.Back = name, localPath(c.R.PostFormValue("back"))
	attempt := s.attempt(c, name)
	wait, err := s.Attempts.Begin(c.R.Context(), attempt)
	if err != nil {
		return err
	}
	if wait > 0 {
		c.NoteRefusal("sign-in refused: too many attempts", s.operatorField(name))
		c.W.Header().Set("Retry-After", fmt.Sprint(int(math.Ceil(wait.Seconds()))))
		view.Wrong = fmt.Sprintf("Too many attempts. Please wait %s.", minutes(wait))
		return c.Render(http.StatusTooManyRequests, templates, "signin", view)
	}
	o, ok := s.Book.Check(name, c.R.PostFormValue("password"))
	if !ok {
		c.NoteRefusal("sign-in failed", s.operatorField(name))
		view.Wrong = "The name or the password is wrong."
		return c.Render(http.StatusForbidden, templates, "signin", view)
	}
	if err := s.Attempts.NoteSuccess(c.R.Context(), attempt); err != nil {
		s.Log.Warn("sign-in attempts were not reset after a sign-in", zap.Error(err))
	}
	return s.begin(c, o, "signed in", view.Back, session.FirstFactor)
}

// operatorField names an operator in the log; a name that none has is left out: people
// type passwords into the field for it.
func (s *Section) operatorField(name string) zap.Field {
	if _, known := s.Book.Find(name); !known {
		return zap.Skip()
	}
	return zap.String("name", name)
}

// attempt is who tries to sign in. All names that no operator has count as one.
func (s *Section) attempt(c *page.Call, name string) session.Attempt {
	a := session.Attempt{Address: c.Address()}
	if o, known := s.Book.Find(name); known {
		a.Name, a.Device = name, s.Sessions.DeviceID(c.Cookie(page.DeviceCookie), o)
	}
	return a
}

func minutes(d time.Duration) string {
	if n := int(math.Ceil(d.Minutes())); n > 1 {
		return fmt.Sprintf("%d minutes", n)
	}
	return "a minute"
}

// SignInByLink uses a sign-in link up.
func (s *Section) SignInByLink(c *page.Call) error {
	if err := s.checkFormToken(c); err != nil {
		return err
	}
	o, known := s.Book.Find(s.LinkFor)
	if !known {
		return page.Problem{Status: http.StatusForbidden, Message: "The operator of this link no longer exists."}
	}
	switch err := s.Link.Use(c.R.Context(), c.R.PostFormValue("token")); {
	case errors.Is(err, session.ErrUsed), errors.Is(err, session.ErrLink):
		c.NoteRefusal("sign-in link refused")
		return page.Problem{Status: http.StatusForbidden, Message: "This sign-in link has been used, or is no longer valid."}
	case err != nil:
		return err
	}
	return s.begin(c, o, "signed in by link", "", session.FirstFactor)
}

// begin signs an operator in. A first factor is all where no second one is asked for.
func (s *Section) begin(c *page.Call, o operator.Operator, how, back string, proof session.Proof) error {
	state, err := s.Factors.State(c.R.Context(), o.Name)
	if err != nil {
		return err
	}
	if proof == session.FirstFactor && !state.Enrolled && !s.NeedFactor {
		proof = session.SingleFactor
	}
	if err := c.RecordAccess(audits.Record{Operator: o.Name, Action: how, Kind: "name", ID: o.Name}); err != nil {
		return err
	}
	if err := s.enter(c, o, proof); err != nil {
		return err
	}
	if back == "" {
		back = "/"
	}
	if proof == session.FirstFactor {
		return c.Redirect("/factor?back=" + page.Escape(back))
	}
	return c.Redirect(back)
}

// enterByProvider lets whoever the identity provider knows in: it asks for a second
// factor itself, as the company wants it.
func (s *Section) enterByProvider(c *page.Call, o operator.Operator) error {
	if err := c.RecordAccess(audits.Record{Operator: o.Name, Action: "signed in by the identity provider", Kind: "name", ID: o.Name}); err != nil {
		return err
	}
	return s.enter(c, o, session.Provider)
}

// enter begins a session in place of the one before: no id outlives a step of
// signing in.
func (s *Section) enter(c *page.Call, o operator.Operator, proof session.Proof) error {
	if c.Session != nil {
		if err := s.Sessions.End(c.R.Context(), c.Session.ID); err != nil {
			return err
		}
	}
	device, known := s.Sessions.Device(o)
	from := session.Browser{Agent: c.R.UserAgent(), Device: device}
	cookie, expires, err := s.Sessions.Start(c.R.Context(), o, from, c.Address(), proof)
	if err != nil {
		return err
	}
	c.SetCookie(page.SessionCookie, cookie, expires)
	c.SetCookie(page.DeviceCookie, device, known)
	c.SetCookie(page.VisitCookie, "", s.Now())
	if now, err := s.Sessions.Find(c.R.Context(), cookie, from); err == nil {
		c.Session = &now
	}
	return nil
}

// SignOut ends the session.
func (s *Section) SignOut(c *page.Call) error {
	if err := c.RecordAccess(audits.Record{Action: "signed out", Kind: "name", ID: c.Session.Operator.Name}); err != nil {
		return err
	}
	if err := s.Sessions.End(c.R.Context(), c.Session.ID); err != nil {
		return err
	}
	c.SetCookie(page.SessionCookie, "", s.Now())
	return c.Redirect("/sign-in?done=signed-out")
}

// localPath is a path of this console, or nothing: no link leads elsewhere.
func localPath(path string) string {
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.ContainsAny(path, "\\\r\n\t") {
		return ""
	}
	return path
}
