package edge_test

import (
	"net/http"
	"strings"
	"testing"

	"boardorder/services/edge/internal/web"
)

// browser is what a browser says that it takes where somebody opens an address.
const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"

// TestVisitsAreAnsweredWithPages: who opens an address in a browser reads a page in
// words for people, with the status and the headers that a program gets; a program, a
// picture in a page and whoever sends something get JSON as ever.
func TestVisitsAreAnsweredWithPages(t *testing.T) {
	t.Parallel()
	w := start(t)
	uploadID := w.uploadID()
	upload := w.get("/v1/uploads/" + uploadID).json(t)
	uploadURL, _ := upload["upload_url"].(string)
	if uploadURL == "" {
		t.Fatalf("GET of upload %s has no upload_url: %v", uploadID, upload)
	}
	for name, c := range map[string]struct {
		method, path, accept string
		status               int
		heading, words       string // of the page; none: JSON
	}{
		"nothing there":             {"GET", "/nope", browser, 404, "There is nothing at this address", "Please check that it is complete"},
		"no page of the reference":  {"GET", "/docs/nope", browser, 404, "There is nothing at this address", "no such page of the reference"},
		"an upload's address":       {"GET", uploadURL, browser, 405, "This address is for programs", "design files"},
		"a report's broken link":    {"GET", "/design-checks/broken/report.html", browser, 403, "This address is not valid", "altered or is incomplete"},
		"an API call without a key": {"GET", "/v1/uploads/" + uploadID, browser, 401, "This address needs an API key", ""},
		"only the head":             {"HEAD", "/nope", browser, 404, "", ""},
		"a program":                 {"GET", "/nope", "*/*", 404, "", ""},
		"who says nothing":          {"GET", "/nope", "", 404, "", ""},
		"a picture in a page":       {"GET", "/nope", "image/avif,image/webp,*/*;q=0.8", 404, "", ""},
		"what is sent":              {"POST", "/nope", browser, 404, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			a := w.do(c.method, c.path, nil, "Accept", c.accept, "X-API-Key", "")
			page := strings.HasPrefix(a.header.Get("Content-Type"), "text/html")
			if a.status != c.status || a.header.Get("Cache-Control") != "no-store" {
				t.Errorf("%s %s, accepting %q: %d with Cache-Control %q, want %d with no-store", c.method, c.path, c.accept, a.status, a.header.Get("Cache-Control"), c.status)
			}
			switch {
			case c.method == http.MethodHead:
				if !page || len(a.body) > 0 {
					t.Errorf("HEAD %s: %q with a body of %d bytes, want the header of a page alone", c.path, a.header.Get("Content-Type"), len(a.body))
				}
			case page != (c.heading != ""):
				t.Errorf("%s %s, accepting %q: %q %s, want a page: %v", c.method, c.path, c.accept, a.header.Get("Content-Type"), a.body, c.heading != "")
			case page && (!strings.Contains(string(a.body), "<h1>"+c.heading+"</h1>") || !strings.Contains(string(a.body), c.words) ||
				!strings.Contains(string(a.body), a.header.Get("Request-Id")) || strings.Contains(string(a.body), web.NothingHere)):
				t.Errorf("%s %s: page %s\nwant the heading %q, the words %q and the request's id %q", c.method, c.path, a.body, c.heading, c.words, a.header.Get("Request-Id"))
			case page && (a.header.Get("Vary") != "Accept, Accept-Language, Cookie" || !strings.Contains(a.header.Get("Content-Security-Policy"), "style-src 'self'")):
				t.Errorf("%s %s: headers %v, want it to vary by what is accepted, and a policy that lets the page have its style", c.method, c.path, a.header)
			}
		})
	}
}
