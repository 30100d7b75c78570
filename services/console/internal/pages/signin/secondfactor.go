package signin

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strings"

	"boardorder/pkg/contract/audits"
	"boardorder/services/console/internal/factor"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/session"

	"rsc.io/qr"
)

type factorView struct {
	page.Frame
	factor.State
	Secret   string   // to be put into an authenticator; in groups of four
	Codes    []string // recovery codes, shown this once
	Wrong    string
	Back     string
	Required bool
}

// FactorPage asks for the second factor, has it set up, or says how it stands.
func (s *Section) FactorPage(c *page.Call) error {
	v, err := s.factorView(c)
	if err != nil {
		return err
	}
	return c.Show(templates, "factor", v)
}

func (s *Section) factorView(c *page.Call) (factorView, error) {
	name := c.Session.Operator.Name
	v := factorView{Frame: c.Frame("sessions", "Second factor"), Back: localPath(c.R.FormValue("back")), Required: s.NeedFactor}
	state, err := s.Factors.State(c.R.Context(), name)
	v.State = state
	if err != nil || state.Enrolled {
		return v, err
	}
	secret, err := s.Factors.Begin(c.R.Context(), name)
	for i := 0; i < len(secret); i += 4 {
		v.Secret += secret[i:min(i+4, len(secret))] + " "
	}
	v.Secret = strings.TrimSpace(v.Secret)
	return v, err
}

// FactorPicture shows the secret that is to be set up as a QR code, to nobody but
// the operator whose it is, and only until it was confirmed.
func (s *Section) FactorPicture(c *page.Call) error {
	name := c.Session.Operator.Name
	secret, err := s.Factors.Begin(c.R.Context(), name)
	if errors.Is(err, factor.ErrEnrolled) {
		return page.Missing("picture")
	}
	if err != nil {
		return err
	}
	picture, err := qr.Encode(factor.Address(name, secret), qr.M)
	if err != nil {
		return fmt.Errorf("draw QR code: %w", err)
	}
	c.W.Header().Set("Content-Type", "image/png")
	_, _ = bytes.NewReader(picture.PNG()).WriteTo(c.W)
	return nil
}

// GiveFactor takes a code: the first of an authenticator that is set up, or the
// one that completes a sign-in.
func (s *Section) GiveFactor(c *page.Call) error {
	v, err := s.factorView(c)
	if err != nil {
		return err
	}
	o := c.Session.Operator
	attempt := session.Attempt{Address: c.Address(), Name: "factor " + o.Name}
	wait, err := s.Attempts.Begin(c.R.Context(), attempt)
	if err != nil {
		return err
	}
	if wait > 0 {
		c.W.Header().Set("Retry-After", fmt.Sprint(int(math.Ceil(wait.Seconds()))))
		v.Wrong = fmt.Sprintf("Too many attempts. Please wait %s.", minutes(wait))
		return c.Render(http.StatusTooManyRequests, templates, "factor", v)
	}
	typed := c.R.PostFormValue("code")
	if v.Enrolled {
		err = s.Factors.Check(c.R.Context(), o.Name, typed)
	} else {
		v.Codes, err = s.Factors.Confirm(c.R.Context(), o.Name, typed)
	}
	if errors.Is(err, factor.ErrCode) || errors.Is(err, factor.ErrNone) {
		c.NoteRefusal("second factor refused")
		v.Wrong = "This code is wrong, old, or was used before."
		return c.Render(http.StatusForbidden, templates, "factor", v)
	}
	if err != nil {
		return err
	}
	_ = s.Attempts.NoteSuccess(c.R.Context(), attempt)
	if len(v.Codes) == 0 {
		return s.begin(c, o, "signed in with a second factor", v.Back, session.SecondFactor)
	}
	if err := c.RecordAccess(audits.Record{Action: "set a second factor up", Kind: "name", ID: o.Name}); err != nil {
		return err
	}
	if err := s.enter(c, o, session.SecondFactor); err != nil { // the codes are shown by the strong session
		return err
	}
	v.Frame = c.Frame("sessions", "Recovery codes")
	return c.Show(templates, "factor", v)
}
