package web

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strings"

	"boardorder/pkg/contract/audits"
	"boardorder/services/console/internal/factor"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/session"

	"rsc.io/qr"
)

type factorView struct {
	page
	factor.State
	Secret   string   // to be put into an authenticator; in groups of four
	Codes    []string // recovery codes, shown this once
	Wrong    string
	Back     string
	Required bool
}

// factorPage asks for the second factor, has it set up, or says how it stands.
func (s *Server) factorPage(c *call) error {
	v, err := s.factorView(c)
	if err != nil {
		return err
	}
	return c.show("factor", v)
}

func (s *Server) factorView(c *call) (factorView, error) {
	name := c.session.Operator.Name
	v := factorView{page: c.page("sessions", "Second factor"), Back: localPath(c.r.FormValue("back")), Required: s.NeedFactor}
	state, err := s.Factors.State(c.r.Context(), name)
	v.State = state
	if err != nil || state.Enrolled {
		return v, err
	}
	secret, err := s.Factors.Begin(c.r.Context(), name)
	for i := 0; i < len(secret); i += 4 {
		v.Secret += secret[i:min(i+4, len(secret))] + " "
	}
	v.Secret = strings.TrimSpace(v.Secret)
	return v, err
}

// factorPicture shows the secret that is to be set up as a QR code, to nobody but
// the operator whose it is, and only until it was confirmed.
func (s *Server) factorPicture(c *call) error {
	name := c.session.Operator.Name
	secret, err := s.Factors.Begin(c.r.Context(), name)
	if errors.Is(err, factor.ErrEnrolled) {
		return missing("picture")
	}
	if err != nil {
		return err
	}
	picture, err := qr.Encode(factor.Address(name, secret), qr.M)
	if err != nil {
		return fmt.Errorf("draw QR code: %w", err)
	}
	c.w.Header().Set("Content-Type", "image/png")
	_, _ = bytes.NewReader(picture.PNG()).WriteTo(c.w)
	return nil
}

// giveFactor takes a code: the first of an authenticator that is set up, or the
// one that completes a sign-in.
func (s *Server) giveFactor(c *call) error {
	v, err := s.factorView(c)
	if err != nil {
		return err
	}
	o := c.session.Operator
	attempt := session.Attempt{Address: c.address(), Name: "factor " + o.Name}
	wait, err := s.Attempts.Begin(c.r.Context(), attempt)
	if err != nil {
		return err
	}
	if wait > 0 {
		c.w.Header().Set("Retry-After", fmt.Sprint(int(math.Ceil(wait.Seconds()))))
		v.Wrong = fmt.Sprintf("Too many attempts. Please wait %s.", minutes(wait))
		return c.render(http.StatusTooManyRequests, "factor", v)
	}
	typed := c.r.PostFormValue("code")
	if v.Enrolled {
		err = s.Factors.Check(c.r.Context(), o.Name, typed)
	} else {
		v.Codes, err = s.Factors.Confirm(c.r.Context(), o.Name, typed)
	}
	if errors.Is(err, factor.ErrCode) || errors.Is(err, factor.ErrNone) {
		c.noteRefusal("second factor refused")
		v.Wrong = "This code is wrong, old, or was used before."
		return c.render(http.StatusForbidden, "factor", v)
	}
	if err != nil {
		return err
	}
	_ = s.Attempts.NoteSuccess(c.r.Context(), attempt)
	if len(v.Codes) == 0 {
		return s.begin(c, o, "signed in with a second factor", v.Back, true)
	}
	if err := c.saw(audits.Record{Action: "set a second factor up", Kind: "name", ID: o.Name}); err != nil {
		return err
	}
	if err := s.enter(c, o, true); err != nil { // the codes are shown by the strong session
		return err
	}
	v.page = c.page("sessions", "Recovery codes")
	return c.show("factor", v)
}

type sessionsView struct {
	page
	Rows []sessionRow
	All  bool // of all operators
}

type sessionRow struct {
	session.Listed
	Operator string
	Here     bool
	Factor   bool
}

// sessions lists who is signed in: the operator's own, or everybody's for those
// who may manage operators.
func (s *Server) sessions(c *call) error {
	v := sessionsView{page: c.page("sessions", "Sessions"), All: c.can(operator.ManageOperators)}
	names := []string{c.session.Operator.Name}
	if v.All {
		names = s.Book.Names()
	}
	for _, name := range names {
		found, err := s.Sessions.List(c.r.Context(), name)
		if err != nil {
			return err
		}
		state, err := s.Factors.State(c.r.Context(), name)
		if err != nil {
			return err
		}
		for _, one := range found {
			v.Rows = append(v.Rows, sessionRow{one, name, one.Ref == c.session.Ref(), state.Enrolled})
		}
	}
	return c.show("sessions", v)
}

// endSession ends one, the operator's own or, for those who may, anybody's.
func (s *Server) endSession(c *call) error {
	name := c.r.PathValue("name")
	if name != c.session.Operator.Name && !c.can(operator.ManageOperators) {
		c.noteRefusal("refused")
		return problem{http.StatusForbidden, "Your roles do not let you " + string(operator.ManageOperators) + "."}
	}
	if _, known := s.Book.Find(name); !known {
		return missing("operator")
	}
	r := audits.Record{Action: "ended a session", Kind: "name", ID: name}
	err := c.did(r, func() error {
		there, err := s.Sessions.EndListed(c.r.Context(), name, c.r.PathValue("session"))
		if err == nil && !there {
			return problem{http.StatusNotFound, "This session has ended already."}
		}
		return err
	})
	return c.finish(err, "/sessions", "ended")
}

// removeFactor takes the second factor of an operator away who has lost it. At
// the next sign-in it is set up anew. Nobody does so alone for himself.
func (s *Server) removeFactor(c *call) error {
	name := c.r.PathValue("name")
	if _, known := s.Book.Find(name); !known {
		return missing("operator")
	}
	if name == c.session.Operator.Name {
		return problem{http.StatusConflict, "Another admin has to take your second factor away."}
	}
	err := c.did(audits.Record{Action: "took a second factor away", Kind: "name", ID: name}, func() error {
		return s.Factors.Remove(c.r.Context(), name)
	})
	return c.finish(err, "/sessions", "factor-removed")
}
