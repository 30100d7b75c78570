package mcp

import (
	"net/url"
	"strings"
	"testing"
)

// FuzzResourceURI: whatever a client names, what is read lies where pictures and reports do, and
// carries no query of theirs.
func FuzzResourceURI(f *testing.F) {
	for _, uri := range []string{
		"board://quote-requests/req_01M8RNMVPYM97B73TW6SV46E8M/top.png", "board://design-checks/a-b-0.tpq.26c2.Ni9U/report.json",
		"board://design-checks/../../v1/key-events/report.json", "board://quote-requests/req_01M8RNMVPYM97B73TW6SV46E8M%2f../top.png", "board://design-checks/a?x=1/report.json", "file:///etc/passwd",
	} {
		f.Add(uri)
	}
	f.Fuzz(func(t *testing.T, uri string) {
		for below, at := range map[string][]string{"/v1/quote-requests/": pictureURI.FindStringSubmatch(uri), "/design-checks/": reportURI.FindStringSubmatch(uri)} {
			if at == nil {
				continue
			}
			u, err := url.Parse(below + at[1])
			if err != nil || u.Path != below+at[1] || u.RawQuery != "" || strings.ContainsAny(at[1], "/%#\r\n") || strings.Trim(at[1], ".") == "" {
				t.Errorf("%q reads %q, %v; want one thing below %s", uri, u, err, below)
			}
		}
	})
}
