package page

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"boardorder/services/edge/internal/web"
)

// sampleContact stands for the contact that the operator has not set.
const sampleContact = "mailto:security@boardorder.example"

// securityTTL is how long what security.txt says is good for.
const securityTTL = 180 * 24 * time.Hour

// ValidContact reports whether a contact can stand in security.txt; "" is the
// sample.
func ValidContact(contact string) bool {
	u, err := url.Parse(contact)
	return contact == "" || err == nil && slices.Contains([]string{"mailto", "https", "tel"}, u.Scheme) && !strings.ContainsAny(contact, " \r\n\t")
}

// Security is the route of /.well-known/security.txt (RFC 9116).
func Security(publicURL, contact string, now func() time.Time) web.Route {
	const path = "/.well-known/security.txt"
	return web.Route{Method: http.MethodGet, Path: path, Access: web.Public, Page: true, Handle: func(c *web.Call) error {
		c.Set("Cache-Control", cached)
		return c.Bytes(http.StatusOK, "text/plain; charset=utf-8", securityText(publicURL, path, contact, now()))
	}}
}

func securityText(publicURL, path, contact string, now time.Time) []byte {
	note := ""
	if contact == "" {
		contact, note = sampleContact, "# This contact is a sample: whoever operates this service has not set SECURITY_CONTACT.\n"
	}
	expires := now.UTC().Add(securityTTL).Truncate(24 * time.Hour).Format(time.RFC3339)
	return fmt.Appendf(nil, "%sContact: %s\nExpires: %s\nPreferred-Languages: en\nCanonical: %s\n# A leaked API key is reported, and revoked at once, here: %s/leaked-key\n",
		note, contact, expires, publicURL+path, publicURL)
}
