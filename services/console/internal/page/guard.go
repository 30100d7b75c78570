package page

import (
	"errors"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"boardorder/pkg/door"
	"boardorder/services/console/internal/session"

	"go.uber.org/zap"
)

// maxForm bounds what a form can hold.
const maxForm = 64 << 10

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// Guard sets what every answer carries and survives panics.
func (s *Site) Guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
		h.Set("Cache-Control", "no-store")
		if s.Secure {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		defer func() {
			p := recover()
			if p == http.ErrAbortHandler { //nolint:errorlint // as net/http compares it
				panic(p)
			}
			if p != nil {
				s.Log.Error("page panicked", zap.Any("panic", p), zap.ByteString("stack", debug.Stack()))
				http.Error(w, "Something went wrong on our side. The log has the details.", http.StatusInternalServerError)
			}
		}()
		next.ServeHTTP(w, r)
	})
}

// ServeVisitor serves whoever comes; the call has a session if the visitor has.
func (s *Site) ServeVisitor(handle func(*Call) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := &Call{W: w, R: r, site: s}
		found, err := s.Sessions.Find(r.Context(), c.Cookie(SessionCookie), c.Browser())
		switch {
		case err == nil:
			c.Session = &found
			if found.Cookie != "" {
				c.SetCookie(SessionCookie, found.Cookie, found.Expires)
			}
		case errors.Is(err, session.ErrCopied):
			c.NoteRefusal("session ended: its cookie was used in two places", zap.String("name", found.Operator.Name))
		case !errors.Is(err, session.ErrNone):
			c.fail(err)
			return
		}
		if err := handle(c); err != nil {
			c.fail(err)
		}
	})
}

// ServeOperator serves operators only, checks what they may, and that forms are ours.
func (s *Site) ServeOperator(route Route) http.Handler {
	return s.ServeVisitor(func(c *Call) error {
		switch {
		case c.Session == nil:
			return c.RedirectToSignIn()
		case !c.Session.Strong && !route.BeforeFactor:
			return c.redirectToFactor()
		case route.Needs != "" && !c.Session.Operator.Can(route.Needs):
			c.NoteRefusal("refused", zap.String("needs", string(route.Needs)))
			return Problem{http.StatusForbidden, "Your roles do not let you " + string(route.Needs) + "."}
		case c.R.Method == http.MethodPost && !s.Sessions.MatchesSession(*c.Session, c.R.PostFormValue("form_token")):
			return Problem{http.StatusForbidden, "This form has expired or was not made here. Please open the page again."}
		}
		door.Keep(c.R.Context())
		return route.Handle(c)
	})
}

// The cookies, without what CookieName puts before them.
const (
	SessionCookie = "console_session"
	VisitCookie   = "console_visit"
	DeviceCookie  = "console_device"
)

// CookieName makes browsers refuse the cookie from elsewhere where they can.
func (c *Call) CookieName(name string) string {
	if c.site.Secure {
		return "__Host-" + name
	}
	return name
}

// Cookie is the value of a cookie of ours; "" where there is none.
func (c *Call) Cookie(name string) string {
	if k, err := c.R.Cookie(c.CookieName(name)); err == nil {
		return k.Value
	}
	return ""
}

// Browser is what the visitor's session is bound to.
func (c *Call) Browser() session.Browser {
	return session.Browser{Agent: c.R.UserAgent(), Device: c.Cookie(DeviceCookie)}
}

// SetCookie sets a cookie of ours, or takes it away where value is "".
func (c *Call) SetCookie(name, value string, expires time.Time) {
	k := &http.Cookie{
		Name: c.CookieName(name), Value: value, Path: "/", HttpOnly: true, Secure: c.site.Secure,
		SameSite: http.SameSiteStrictMode, Expires: expires,
	}
	if value == "" {
		k.MaxAge = -1
	}
	http.SetCookie(c.W, k)
}

// redirectToFactor sends an operator on to the second factor, and back afterwards.
func (c *Call) redirectToFactor() error {
	if c.R.Method != http.MethodGet || strings.Contains(c.R.Header.Get("Accept"), "text/event-stream") {
		return Problem{http.StatusForbidden, "Please enter your second factor first."}
	}
	return c.Redirect("/factor?back=" + Escape(c.R.URL.RequestURI()))
}

// RedirectToSignIn sends a visitor to the sign-in page, and back afterwards.
func (c *Call) RedirectToSignIn() error {
	if c.R.Method != http.MethodGet || strings.Contains(c.R.Header.Get("Accept"), "text/event-stream") {
		return Problem{http.StatusUnauthorized, "You are no longer signed in."}
	}
	to := "/sign-in"
	if back := c.R.URL.RequestURI(); back != "/" {
		to += "?back=" + Escape(back)
	}
	return c.Redirect(to)
}
