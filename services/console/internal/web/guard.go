package web

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

// guard sets what every answer carries and survives panics.
func (s *Server) guard(next http.Handler) http.Handler {
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
				http.Error(w, "Something went wrong here. The log says what.", http.StatusInternalServerError)
			}
		}()
		next.ServeHTTP(w, r)
	})
}

// serveVisitor serves whoever comes; the call has a session if the visitor has.
func (s *Server) serveVisitor(handle func(*call) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := &call{w: w, r: r, s: s}
		found, err := s.Sessions.Find(r.Context(), c.cookie(sessionCookie), c.browser())
		switch {
		case err == nil:
			c.session = &found
			if found.Cookie != "" {
				c.setCookie(sessionCookie, found.Cookie, found.Expires)
			}
		case errors.Is(err, session.ErrCopied):
			c.noteRefusal("session ended: its cookie was used in two places", zap.String("name", found.Operator.Name))
		case !errors.Is(err, session.ErrNone):
			c.fail(err)
			return
		}
		if err := handle(c); err != nil {
			c.fail(err)
		}
	})
}

// serveOperator serves operators only, checks what they may, and that forms are ours.
func (s *Server) serveOperator(route route) http.Handler {
	return s.serveVisitor(func(c *call) error {
		switch {
		case c.session == nil:
			return c.redirectToSignIn()
		case !c.session.Strong && !route.weak():
			return c.redirectToFactor()
		case route.needs != "" && !c.session.Operator.Can(route.needs):
			c.noteRefusal("refused", zap.String("needs", string(route.needs)))
			return problem{http.StatusForbidden, "Your roles do not let you " + string(route.needs) + "."}
		case c.r.Method == http.MethodPost && !s.Sessions.MatchesSession(*c.session, c.r.PostFormValue("form_token")):
			return problem{http.StatusForbidden, "This form is too old or was not made here. Please open the page again."}
		}
		door.Keep(c.r.Context())
		return route.handle(c)
	})
}

const (
	sessionCookie = "console_session"
	visitCookie   = "console_visit"
	deviceCookie  = "console_device"
)

// cookieName makes browsers refuse the cookie from elsewhere where they can.
func (s *Server) cookieName(name string) string {
	if s.Secure {
		return "__Host-" + name
	}
	return name
}

func (c *call) cookie(name string) string {
	if k, err := c.r.Cookie(c.s.cookieName(name)); err == nil {
		return k.Value
	}
	return ""
}

// browser is what the visitor's session is bound to.
func (c *call) browser() session.Browser {
	return session.Browser{Agent: c.r.UserAgent(), Device: c.cookie(deviceCookie)}
}

func (c *call) setCookie(name, value string, expires time.Time) {
	k := &http.Cookie{
		Name: c.s.cookieName(name), Value: value, Path: "/", HttpOnly: true, Secure: c.s.Secure,
		SameSite: http.SameSiteStrictMode, Expires: expires,
	}
	if value == "" {
		k.MaxAge = -1
	}
	http.SetCookie(c.w, k)
}

// weak tells which pages are for whoever has not given the second factor yet.
func (r route) weak() bool {
	switch r.pattern {
	case "GET /factor", "POST /factor", "GET /factor/picture", "POST /sign-out":
		return true
	}
	return false
}

// redirectToFactor sends an operator on to the second factor, and back afterwards.
func (c *call) redirectToFactor() error {
	if c.r.Method != http.MethodGet || strings.Contains(c.r.Header.Get("Accept"), "text/event-stream") {
		return problem{http.StatusForbidden, "Please give your second factor first."}
	}
	return c.redirect("/factor?back=" + escape(c.r.URL.RequestURI()))
}

// redirectToSignIn sends a visitor to the sign-in page, and back afterwards.
func (c *call) redirectToSignIn() error {
	if c.r.Method != http.MethodGet || strings.Contains(c.r.Header.Get("Accept"), "text/event-stream") {
		return problem{http.StatusUnauthorized, "You are not signed in any more."}
	}
	to := "/sign-in"
	if back := c.r.URL.RequestURI(); back != "/" {
		to += "?back=" + escape(back)
	}
	return c.redirect(to)
}
