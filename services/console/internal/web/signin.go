package web

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"strings"
	"time"

	"boardorder/pkg/contract/audits"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/session"

	"go.uber.org/zap"
)

type signInView struct {
	page
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

// front is the overview; an address with a token is a sign-in link. Opening
// it changes nothing, so that a mail reader's preview does not use it up.
func (s *Server) front(c *call) error {
	token := c.r.URL.Query().Get("token")
	switch {
	case c.session != nil && token != "":
		return c.redirect("/")
	case c.session != nil && !c.session.Strong:
		return c.redirect("/factor")
	case c.session != nil:
		return s.overview(c)
	case token == "":
		return c.redirectToSignIn()
	}
	view := s.signInView(c)
	switch err := s.Link.Check(c.r.Context(), token); {
	case err == nil:
		view.Link, view.For = token, s.LinkFor
		return c.show("signin", view)
	case errors.Is(err, session.ErrUsed):
		view.Wrong = "This sign-in link has been used. Sign in with name and password."
	case errors.Is(err, session.ErrLink):
		view.Wrong = "This sign-in link is not valid any more. Sign in with name and password."
	default:
		return err
	}
	return c.render(http.StatusForbidden, "signin", view)
}

func (s *Server) signInPage(c *call) error {
	if c.session != nil {
		return c.redirect("/")
	}
	view := s.signInView(c)
	view.Back = localPath(c.r.URL.Query().Get("back"))
	return c.show("signin", view)
}

func (s *Server) signInView(c *call) signInView {
	visit := c.cookie(visitCookie)
	if visit == "" {
		visit = session.NewVisit()
		c.setCookie(visitCookie, visit, s.Now().Add(session.Life))
	}
	return signInView{page: c.page("", "Sign in"), Token: s.Sessions.VisitToken(visit), Empty: s.Book.Empty(), Provider: s.OIDC != nil}
}

func (s *Server) checkFormToken(c *call) error {
	visit := c.cookie(visitCookie)
	if visit == "" || !s.Sessions.MatchesVisit(visit, c.r.PostFormValue("form_token")) {
		return problem{http.StatusForbidden, "This form is too old or was not made here, or the browser keeps no cookies. Please open the page again."}
	}
	return nil
}

// signIn takes a name and a password.
func (s *Server) signIn(c *call) error {
	if err := s.checkFormToken(c); err != nil {
		return err
	}
	name := c.r.PostFormValue("name")
	view := s.signInView(c)
	view.Name, view.Back = name, localPath(c.r.PostFormValue("back"))
	attempt := s.attempt(c, name)
	wait, err := s.Attempts.Begin(c.r.Context(), attempt)
	if err != nil {
		return err
	}
	if wait > 0 {
		c.noteRefusal("sign-in refused: too many attempts", s.operatorField(name))
		c.w.Header().Set("Retry-After", fmt.Sprint(int(math.Ceil(wait.Seconds()))))
		view.Wrong = fmt.Sprintf("Too many attempts. Please wait %s.", minutes(wait))
		return c.render(http.StatusTooManyRequests, "signin", view)
	}
	o, ok := s.Book.Check(name, c.r.PostFormValue("password"))
	if !ok {
		c.noteRefusal("sign-in failed", s.operatorField(name))
		view.Wrong = "The name or the password is wrong."
		return c.render(http.StatusForbidden, "signin", view)
	}
	if err := s.Attempts.NoteSuccess(c.r.Context(), attempt); err != nil {
		s.Log.Warn("attempts of who signed in are still counted", zap.Error(err))
	}
	return s.begin(c, o, "signed in", view.Back, false)
}

// operatorField names an operator in the log; a name that none has is left out: people
// type passwords into the field for it.
func (s *Server) operatorField(name string) zap.Field {
	if _, known := s.Book.Find(name); !known {
		return zap.Skip()
	}
	return zap.String("name", name)
}

// attempt is who tries to sign in. All names that no operator has count as one.
func (s *Server) attempt(c *call, name string) session.Attempt {
	a := session.Attempt{Address: c.address()}
	if o, known := s.Book.Find(name); known {
		a.Name, a.Device = name, s.Sessions.DeviceID(c.cookie(deviceCookie), o)
	}
	return a
}

func minutes(d time.Duration) string {
	if n := int(math.Ceil(d.Minutes())); n > 1 {
		return fmt.Sprintf("%d minutes", n)
	}
	return "a minute"
}

// signInByLink uses a sign-in link up.
func (s *Server) signInByLink(c *call) error {
	if err := s.checkFormToken(c); err != nil {
		return err
	}
	o, known := s.Book.Find(s.LinkFor)
	if !known {
		return problem{http.StatusForbidden, "There is no operator for this link any more."}
	}
	switch err := s.Link.Use(c.r.Context(), c.r.PostFormValue("token")); {
	case errors.Is(err, session.ErrUsed), errors.Is(err, session.ErrLink):
		c.noteRefusal("sign-in link refused")
		return problem{http.StatusForbidden, "This sign-in link has been used, or is not valid any more."}
	case err != nil:
		return err
	}
	return s.begin(c, o, "signed in by link", "", false)
}

// begin signs an operator in. strong says that nothing more is asked for.
func (s *Server) begin(c *call, o operator.Operator, how, back string, strong bool) error {
	state, err := s.Factors.State(c.r.Context(), o.Name)
	if err != nil {
		return err
	}
	strong = strong || !state.Enrolled && !s.NeedFactor
	if err := c.saw(audits.Record{Operator: o.Name, Action: how, Kind: "name", ID: o.Name}); err != nil {
		return err
	}
	if err := s.enter(c, o, strong); err != nil {
		return err
	}
	if back == "" {
		back = "/"
	}
	if !strong {
		return c.redirect("/factor?back=" + escape(back))
	}
	return c.redirect(back)
}

// enterByProvider lets whoever the identity provider knows in: it asks for a second
// factor itself, as the company wants it.
func (s *Server) enterByProvider(c *call, o operator.Operator) error {
	if err := c.saw(audits.Record{Operator: o.Name, Action: "signed in by the identity provider", Kind: "name", ID: o.Name}); err != nil {
		return err
	}
	return s.enter(c, o, true)
}

// enter begins a session in place of the one before: no id outlives a step of
// signing in.
func (s *Server) enter(c *call, o operator.Operator, strong bool) error {
	if c.session != nil {
		if err := s.Sessions.End(c.r.Context(), c.session.ID); err != nil {
			return err
		}
	}
	device, known := s.Sessions.Device(o)
	from := session.Browser{Agent: c.r.UserAgent(), Device: device}
	cookie, expires, err := s.Sessions.Start(c.r.Context(), o, from, c.address(), strong)
	if err != nil {
		return err
	}
	c.setCookie(sessionCookie, cookie, expires)
	c.setCookie(deviceCookie, device, known)
	c.setCookie(visitCookie, "", s.Now())
	if now, err := s.Sessions.Find(c.r.Context(), cookie, from); err == nil {
		c.session = &now
	}
	return nil
}

func (s *Server) signOut(c *call) error {
	if err := c.saw(audits.Record{Action: "signed out", Kind: "name", ID: c.session.Operator.Name}); err != nil {
		return err
	}
	if err := s.Sessions.End(c.r.Context(), c.session.ID); err != nil {
		return err
	}
	c.setCookie(sessionCookie, "", s.Now())
	return c.redirect("/sign-in?done=signed-out")
}

// localPath is a path of this console, or nothing: no link leads elsewhere.
func localPath(path string) string {
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.ContainsAny(path, "\\\r\n\t") {
		return ""
	}
	return path
}
