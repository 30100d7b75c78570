package web

import (
	"errors"
	"net/http"
	"time"

	"boardorder/services/console/internal/oidc"
	"boardorder/services/console/internal/session"

	"go.uber.org/zap"
)

const (
	oidcCookie = "console_oidc"
	// oidcTime is how long a sign-in at the provider may take.
	oidcTime = 10 * time.Minute
)

// sendToProvider sends a visitor to the company's identity provider.
func (s *Server) sendToProvider(c *call) error {
	if s.OIDC == nil {
		return nowhere(c)
	}
	secret := session.NewVisit()
	to, err := s.OIDC.Address(c.r.Context(), oidc.VisitOf(secret))
	if err != nil {
		s.Log.Warn("identity provider", zap.Error(err))
		return problem{http.StatusBadGateway, "The identity provider does not answer now. Please sign in by name and password, or try again."}
	}
	// Lax: the provider sends the browser back from another site.
	http.SetCookie(c.w, &http.Cookie{Name: s.cookieName(oidcCookie), Value: secret, Path: "/", HttpOnly: true, Secure: s.Secure,
		SameSite: http.SameSiteLaxMode, Expires: s.Now().Add(oidcTime)})
	return c.redirect(to)
}

// receiveFromProvider takes whom the provider sends back. The answer is a page: a
// redirect would come from the provider's site, and the session's cookie is not
// sent on those.
func (s *Server) receiveFromProvider(c *call) error {
	if s.OIDC == nil {
		return nowhere(c)
	}
	visit := oidc.VisitOf(c.cookie(oidcCookie))
	query := c.r.URL.Query()
	if c.cookie(oidcCookie) == "" || !visit.Is(query.Get("state")) {
		return problem{http.StatusForbidden, "This sign-in was not begun in this browser, or took too long. Please begin again."}
	}
	c.setCookie(oidcCookie, "", s.Now())
	name, err := s.OIDC.Operator(c.r.Context(), visit, query.Get("code"))
	if err != nil {
		c.noteRefusal("sign-in by the provider refused", zap.Error(err))
		if errors.Is(err, oidc.ErrRefused) {
			return problem{http.StatusForbidden, "The identity provider did not let you in."}
		}
		return problem{http.StatusBadGateway, "The identity provider does not answer now."}
	}
	o, known := s.Book.Find(name)
	if !known {
		c.noteRefusal("sign-in by the provider refused: no such operator", zap.String("name", name))
		return problem{http.StatusForbidden, "You are known to the identity provider, but you are no operator here."}
	}
	if err := s.enterByProvider(c, o); err != nil {
		return err
	}
	view := s.signInView(c)
	view.Entered = true
	return c.show("signin", view)
}
