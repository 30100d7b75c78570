package checkout

import (
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"boardorder/pkg/contract"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

const (
	formLink = "checkout-form" // purpose of the token that a page gives its form
	maxForm  = 64 << 10
)

// token is what a quote's page puts into its form: proof that the form came
// from a page of that quote.
func (p *Pages) token(q contract.Quote) string {
	return p.Secrets.Link(formLink, q.Ref, q.ExpiresAt)
}

// genuine refuses a form that did not come from the quote's own page. The
// quote_id in the address is a secret by itself; the rest keeps out forms that
// other sites send with an address that they learnt.
func (p *Pages) genuine(c *web.Call, ref string, form url.Values) error {
	if !sameSite(c.Header("Sec-Fetch-Site"), c.Header("Origin"), p.origin, c.Header("Host")) {
		return problem.New(contract.Forbidden, "This form was sent from another site.")
	}
	subject, _, err := p.Secrets.OpenLink(formLink, form.Get("token"), p.Now())
	if err != nil || subject != ref {
		return problem.New(contract.Forbidden, "This form is out of date.")
	}
	return nil
}

// sameSite tells whether a form came from our own page, as far as the browser
// says. A page without a referrer sends the origin null, so that proves nothing.
func sameSite(site, origin, ours, host string) bool {
	if site != "" {
		return site == "same-origin" || site == "none"
	}
	if origin == "" || origin == "null" || origin == ours {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && u.Host == host
}

// readForm reads a form as browsers send it.
func readForm(c *web.Call) (url.Values, error) {
	if err := c.PlainBody(); err != nil {
		return nil, err
	}
	if media, _, err := mime.ParseMediaType(c.Header("Content-Type")); err != nil || media != "application/x-www-form-urlencoded" {
		return nil, problem.New(contract.UnsupportedMedia, "The page takes its own form only.")
	}
	body, err := io.ReadAll(io.LimitReader(c.Body(), maxForm+1))
	switch {
	case err != nil:
		return nil, problem.New(contract.InvalidRequest, "The form did not arrive whole. Please send it again.").Answering(http.StatusBadRequest)
	case len(body) > maxForm:
		return nil, problem.New(contract.BodyTooLarge, "The form is too large.")
	}
	form, err := url.ParseQuery(strings.ToValidUTF8(string(body), ""))
	if err != nil {
		return nil, problem.New(contract.InvalidRequest, "The form cannot be read.").Answering(http.StatusBadRequest)
	}
	return form, nil
}
