package web

import (
	"net/url"

	"boardorder/pkg/contract"
	"boardorder/pkg/language"
	"boardorder/services/edge/internal/problem"
)

// RefuseForeign refuses a form that a page of another site sent, as far as the browser says;
// ours is the origin of our pages.
func (c *Call) RefuseForeign(ours string) error {
	if isSameSite(c.Header("Sec-Fetch-Site"), c.Header("Origin"), ours, c.Header("Host")) {
		return nil
	}
	return problem.New(contract.Forbidden, "%s", language.Key("This form was sent from another site."))
}

// isSameSite reports whether a form came from our own page, as far as the browser
// says. A page without a referrer sends the origin null, so that proves nothing.
func isSameSite(site, origin, ours, host string) bool {
	if site != "" {
		return site == "same-origin" || site == "none"
	}
	if origin == "" || origin == "null" || origin == ours {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && u.Host == host
}
