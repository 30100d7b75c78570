package portal

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/session"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"

	"github.com/gofiber/fiber/v2"
)

// A call is one request of a member who is signed in.
type call struct {
	*web.Call
	session session.Session
	account accounts.Account
	member  accounts.Member
	form    url.Values // of a POST
}

// serve lets members in only, holds them to their role and to a fresh code, and takes
// forms only that were made for their session.
func (p *Portal) serve(r row) func(*web.Call) error {
	return func(c *web.Call) error {
		m, err := p.identify(c)
		if errors.Is(err, session.ErrNone) {
			return p.sendToSignIn(c)
		}
		if err != nil {
			return problem.Unavailable(err)
		}
		if r.method == http.MethodPost {
			if err := m.readForm(p); err != nil {
				return err
			}
		}
		if r.needs != "" && !m.member.Role.May(r.needs) {
			return p.refuse(m, "Your role does not let you "+string(r.needs)+". An owner of the account can change that.")
		}
		if r.fresh && p.Now().Sub(m.session.ProvedAt) >= recent {
			return redirect(c, root+"/confirm?back="+url.QueryEscape(string(c.Fiber.Request().URI().Path())))
		}
		return r.handle(m)
	}
}

// identify finds who is signed in, session.ErrNone if nobody is.
func (p *Portal) identify(c *web.Call) (*call, error) {
	m := &call{Call: c}
	bind := func(ctx context.Context, name string) (string, bool, error) {
		account, member := accounts.ReadSession(name)
		var err error
		if m.account, err = p.load(ctx, account); err != nil {
			return "", false, err
		}
		var known bool
		m.member, known = m.account.Member(member)
		_, bound := m.account.Session(m.member)
		return bindTo(c, bound), known, nil
	}
	found, err := p.Sessions.Find(c.Context(), p.cookie(c, sessionCookie), bind)
	if err != nil {
		return nil, err
	}
	m.session = found
	if found.Cookie != "" {
		p.setCookie(c, sessionCookie, found.Cookie, found.Expires)
	}
	return m, nil
}

// bindTo binds a session to the browser that began it, too.
func bindTo(c *web.Call, bound string) string { return c.Header("User-Agent") + "\x00" + bound }

// readForm reads a form that was made for this session.
func (c *call) readForm(p *Portal) (err error) {
	if err := c.RefuseForeign(p.origin()); err != nil {
		return err
	}
	if c.form, err = c.Form(); err != nil {
		return err
	}
	if !p.Sessions.IsToken(c.session, c.form.Get("form_token")) {
		return refuseForm()
	}
	return nil
}

// origin is the scheme and host of the public address.
func (p *Portal) origin() string {
	u, err := url.Parse(p.PublicURL)
	if err != nil {
		return p.PublicURL
	}
	return u.Scheme + "://" + u.Host
}

// sendToSignIn sends a visitor to the sign-in page, and back afterwards.
func (p *Portal) sendToSignIn(c *web.Call) error {
	to := root + "/sign-in"
	if path := string(c.Fiber.Request().URI().Path()); string(c.Fiber.Request().Header.Method()) == http.MethodGet && path != root {
		to += "?back=" + url.QueryEscape(path)
	}
	return redirect(c, to)
}

// safeBack is an address of the portal to go back to; anything else is the first page.
func safeBack(back string) string {
	if back == root || strings.HasPrefix(back, root+"/") && !strings.ContainsAny(back, "\\\r\n?#") && !strings.Contains(back, "..") {
		return back
	}
	return root
}

func redirect(c *web.Call, to string) error {
	c.Set("Cache-Control", "no-store")
	return c.Fiber.Redirect(to, http.StatusSeeOther)
}

// The cookies, without what stands before them where only HTTPS is spoken.
const (
	sessionCookie = "portal"
	visitCookie   = "portal_visit"
	codeCookie    = "portal_code"
)

// cookieName makes browsers refuse the cookie from elsewhere where they can.
func (p *Portal) cookieName(name string) string {
	if p.Secure {
		return "__Host-" + name
	}
	return name
}

func (p *Portal) cookie(c *web.Call, name string) string { return c.Fiber.Cookies(p.cookieName(name)) }

// setCookie sets a cookie of ours, or takes it away where value is "".
func (p *Portal) setCookie(c *web.Call, name, value string, expires time.Time) {
	if value == "" {
		expires = time.Unix(1, 0)
	}
	c.Fiber.Cookie(&fiber.Cookie{
		Name: p.cookieName(name), Value: value, Path: "/", Expires: expires, HTTPOnly: true, Secure: p.Secure, SameSite: fiber.CookieSameSiteStrictMode,
	})
}
