package sessions

import (
	"net/http"

	"boardorder/pkg/contract/audits"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/session"
)

type sessionsView struct {
	page.Frame
	Rows []sessionRow
	All  bool // of all operators
}

type sessionRow struct {
	session.Listed
	Operator string
	Here     bool
	Factor   bool // the operator has one
}

// FactorWords says whether a second factor was given. Where none is asked for, a session is whole
// without one.
func (r sessionRow) FactorWords() string {
	switch session.Proof(r.Proof) {
	case session.SecondFactor:
		return "given"
	case session.SingleFactor:
		return "not asked for"
	case session.FirstFactor:
		return "not given yet"
	case session.Provider:
		return "left to the identity provider"
	}
	return "not recorded"
}

// List lists who is signed in: the operator's own, or everybody's for those
// who may manage operators.
func (s *Section) List(c *page.Call) error {
	v := sessionsView{Frame: c.Frame("sessions", "Sessions"), All: c.Can(operator.ManageOperators)}
	names := []string{c.Session.Operator.Name}
	if v.All {
		names = s.Book.Names()
	}
	for _, name := range names {
		found, err := s.Sessions.List(c.R.Context(), name)
		if err != nil {
			return err
		}
		state, err := s.Factors.State(c.R.Context(), name)
		if err != nil {
			return err
		}
		for _, one := range found {
			v.Rows = append(v.Rows, sessionRow{one, name, one.Ref == c.Session.Ref(), state.Enrolled})
		}
	}
	return c.Show(templates, "sessions", v)
}

// End ends one, the operator's own or, for those who may, anybody's.
func (s *Section) End(c *page.Call) error {
	name := c.R.PathValue("name")
	if name != c.Session.Operator.Name && !c.Can(operator.ManageOperators) {
		c.NoteRefusal("refused")
		return page.Problem{Status: http.StatusForbidden, Message: "Your roles do not let you " + string(operator.ManageOperators) + "."}
	}
	if _, known := s.Book.Find(name); !known {
		return page.Missing("operator")
	}
	r := audits.Record{Action: "ended a session", Kind: "name", ID: name}
	err := c.Act(r, func() error {
		there, err := s.Sessions.EndListed(c.R.Context(), name, c.R.PathValue("session"))
		if err == nil && !there {
			return page.Problem{Status: http.StatusNotFound, Message: "This session has ended already."}
		}
		return err
	})
	return c.Finish(err, "/sessions", "ended")
}

// RemoveFactor takes the second factor of an operator away who has lost it. At
// the next sign-in it is set up anew. Nobody does so alone for himself.
func (s *Section) RemoveFactor(c *page.Call) error {
	name := c.R.PathValue("name")
	if _, known := s.Book.Find(name); !known {
		return page.Missing("operator")
	}
	if name == c.Session.Operator.Name {
		return page.Problem{Status: http.StatusConflict, Message: "Another admin must remove your second factor."}
	}
	err := c.Act(audits.Record{Action: "took a second factor away", Kind: "name", ID: name}, func() error {
		return s.Factors.Remove(c.R.Context(), name)
	})
	return c.Finish(err, "/sessions", "factor-removed")
}
