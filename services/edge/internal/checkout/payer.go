package checkout

import (
	"crypto/rand"
	"slices"
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/secret"
	"boardorder/services/edge/internal/limit"
	"boardorder/services/edge/internal/web"

	"github.com/gofiber/fiber/v2"
	"go.uber.org/zap"
)

const (
	// payerCookie lets the browser that paid see the order's page as the customer does. It
	// goes to that page alone, and names nobody.
	payerCookie = "paid"
	// browserCookie tells the browsers apart that look at a quote's page to pay for it. It names
	// nobody, goes to that page alone, and ends with the browser.
	browserCookie = "browser"
	// payerLink is the purpose of its token.
	payerLink = "order-payer"
	// payerTTL is how long that browser is known. The links in our e-mails hold longer.
	payerTTL = 30 * 24 * time.Hour
	// payerRetry is how long a browser may ask again with its token: an answer can be lost on its way.
	payerRetry = time.Minute
)

// payerReturns lets each token count once. No page is open for longer than that.
var payerReturns = limit.Policy{Name: "payer-returns", Quota: 1, Window: 24 * time.Hour}

// markBrowser gives a browser that may pay for a quote the cookie by which it is known when it
// comes back.
func (p *Pages) markBrowser(c *web.Call, s record) {
	if c.Fiber.Cookies(browserCookie) != "" {
		return
	}
	p.setCookie(c, s, fiber.Cookie{Name: browserCookie, Value: rand.Text(), SessionOnly: true})
}

// browserOf names a caller's browser without its secret; "" of one that keeps no cookies.
func browserOf(c *web.Call) string {
	secret := c.Fiber.Cookies(browserCookie)
	if secret == "" {
		return ""
	}
	return contract.SecretRef(secret)
}

func (p *Pages) setCookie(c *web.Call, s record, cookie fiber.Cookie) {
	cookie.Path, cookie.HTTPOnly, cookie.Secure, cookie.SameSite = p.self(s.id, ""), true, strings.HasPrefix(p.origin, "https://"), fiber.CookieSameSiteLaxMode
	c.Fiber.Cookie(&cookie)
}

// receivePayer takes the token with which the card processor sends a browser back once it
// has paid, and gives the browser its cookie instead, if it is the one that began the attempt:
// whoever knows the payment page is sent back with the token too. It reports whether it
// did: the token must not stay in the address. It counts once.
func (p *Pages) receivePayer(c *web.Call, s record) bool {
	token, _ := c.Query("paid")
	own := browserAttempt(c, s)
	if own == nil || s.withdrawn || !p.Secrets.IsReturnToken(token, own.Request, s.ref, own.Attempt) || p.Now().After(own.StartedAt.Add(payerReturns.Window)) {
		return false
	}
	payer := payerOf(s, own.Attempt)
	state, err := p.Limiter.Take(c.Context(), payerReturns, contract.SecretRef(token))
	if err != nil { // nothing is lost: the page can be opened by the receipt's link, or asked for again
		c.Log().Warn("a browser that comes back from paying is not known yet", zap.Error(err))
		return false
	}
	known := p.isSigned(payerLink, c.Fiber.Cookies(payerCookie), payer)
	if !known && !state.Allowed && state.Retry < payerReturns.Window-payerRetry {
		return false
	}
	if !known {
		until := p.Now().Add(payerTTL)
		p.setCookie(c, s, fiber.Cookie{Name: payerCookie, Value: p.Secrets.Link(payerLink, payer, until), Expires: until})
	}
	return true
}

// browserAttempt is the attempt to pay that the caller's browser began, or nil.
func browserAttempt(c *web.Call, s record) *checkouts.Checkout {
	browser := browserOf(c)
	if browser == "" {
		return nil
	}
	return attemptOf(s.paying, browser)
}

// attemptOf is the attempt to pay that a browser began, or nil; "" is one that keeps no cookies.
func attemptOf(paying *checkouts.Checkout, browser string) *checkouts.Checkout {
	if paying == nil {
		return nil
	}
	if paying.Browser == browser {
		return paying
	}
	i := slices.IndexFunc(paying.Others, func(o checkouts.Checkout) bool { return o.Browser == browser })
	if i < 0 {
		return nil
	}
	return &paying.Others[i]
}

// payerOf names whoever pays in an attempt.
func payerOf(s record, attempt int) string { return s.ref + "/" + strconv.Itoa(attempt) }

// ownerOf reports whether the caller is the customer: whoever holds the token of one of our
// e-mails about the quote, which it gives for links and forms, or the browser that paid. A
// browser of an attempt other than the one that paid is not: somebody else may have begun it.
func (p *Pages) ownerOf(c *web.Call, token string, s record) (key string, ok bool) {
	if p.isSigned(secret.OrderOwner, token, s.ref) {
		return token, true
	}
	if s.paying == nil || s.order == nil {
		return "", false
	}
	session := s.order.Payment.Session // "" where the charge was heard of before its page
	paid := session == "" || session == s.paying.SessionID
	return "", paid && p.isSigned(payerLink, c.Fiber.Cookies(payerCookie), payerOf(s, s.paying.Attempt))
}

func (p *Pages) isSigned(purpose, token, ref string) bool {
	subject, _, err := p.Secrets.OpenLink(purpose, token, p.Now())
	return err == nil && subject == ref
}
