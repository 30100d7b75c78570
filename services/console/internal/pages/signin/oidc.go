package signin

import (
	"errors"
	"net/http"
	"time"

	"boardorder/services/console/internal/oidc"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/session"

	"go.uber.org/zap"
)

const (
	oidcCookie = "console_oidc"
	// oidcTime is how long a sign-in at the provider may take.
	oidcTime = 10 * time.Minute
)

// SendToProvider sends a visitor to the company's identity provider.
func (s *Section) SendToProvider(c *page.Call) error {
	if s.OIDC == nil {
		return page.Nowhere(c)
	}
	secret := session.NewVisit()
	to, err := s.OIDC.Address(c.R.Context(), oidc.VisitOf(secret))
	if err != nil {
		s.Log.Warn("sign-in with the identity provider failed", zap.Error(err))
		return page.Problem{Status: http.StatusBadGateway, Message: "The identity provider does not answer now. Please sign in by name and password, or try again."}
	}
	// Lax: the provider sends the browser back from another site.
	http.SetCookie(c.W, &http.Cookie{Name: c.CookieName(oidcCookie), Value: secret, Path: "/", HttpOnly: true, Secure: s.Secure,
		SameSite: http.SameSiteLaxMode, Expires: s.Now().Add(oidcTime)})
	return c.Redirect(to)
}

// ReceiveFromProvider takes whom the provider sends back. The answer is a page: a
// redirect would come from the provider's site, and the session's cookie is not
// sent on those.
func (s *Section) ReceiveFromProvider(c *page.Call) error {
	if s.OIDC == nil {
		return page.Nowhere(c)
	}
	visit := oidc.VisitOf(c.Cookie(oidcCookie))
	query := c.R.URL.Query()
	if c.Cookie(oidcCookie) == "" || !visit.Is(query.Get("state")) {
		return page.Problem{Status: http.StatusForbidden, Message: "This sign-in was not begun in this browser, or took too long. Please begin again."}
	}
	c.SetCookie(oidcCookie, "", s.Now())
	name, err := s.OIDC.Operator(c.R.Context(), visit, query.Get("code"))
	if err != nil {
		c.NoteRefusal("sign-in by the provider refused", zap.Error(err))
		if errors.Is(err, oidc.ErrRefused) {
			return page.Problem{Status: http.StatusForbidden, Message: "The identity provider did not let you in."}
		}
		return page.Problem{Status: http.StatusBadGateway, Message: "The identity provider does not answer now."}
	}
	o, known := s.Book.Find(name)
	if !known {
		c.NoteRefusal("sign-in by the provider refused: no such operator", zap.String("name", name))
		return page.Problem{Status: http.StatusForbidden, Message: "The identity provider knows you, but you are not an operator here."}
	}
	if err := s.enterByProvider(c, o); err != nil {
		return err
	}
	view := s.signInView(c)
	view.Entered = true
	return c.Show(templates, "signin", view)
}
