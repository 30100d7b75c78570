package edge_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"boardorder/services/edge/internal/page"
)

// Everything that a page needs comes from the edge itself.
func TestPagesNeedNothingFromElsewhere(t *testing.T) {
	t.Parallel()
	w := start(t)
	link := regexp.MustCompile(`(?:href|src)="([^"]*)"`)
	for _, page := range []string{"/", "/docs", "/docs/quotes", "/docs/errors"} {
		a := w.get(page, "X-API-Key", "")
		if a.status != 200 || !strings.HasPrefix(a.header.Get("Content-Type"), "text/html") || !strings.Contains(a.header.Get("Content-Security-Policy"), "frame-ancestors 'none'") {
			t.Fatalf("GET %s: %d %v, want a page in no frame", page, a.status, a.header)
		}
		for _, m := range link.FindAllStringSubmatch(string(a.body), -1) {
			if strings.HasPrefix(m[1], "#") {
				continue
			}
			if !strings.HasPrefix(m[1], "/") {
				t.Errorf("%s leads to %s, want an address of this server", page, m[1])
				continue
			}
			if b := w.get(m[1], "X-API-Key", "", "Accept-Encoding", "identity"); b.status != 200 || len(b.body) == 0 {
				t.Errorf("%s, from %s = %d with %d bytes, want 200 with some", m[1], page, b.status, len(b.body))
			}
		}
	}
	if a := w.get("/docs/poems"); a.status != 404 || !strings.Contains(string(a.body), "no such page of the reference") {
		t.Errorf("GET /docs/poems: %d %s, want 404 and what is missing", a.status, a.body)
	}
	if a := w.do("HEAD", "/docs", nil); a.status != 200 || len(a.body) != 0 {
		t.Errorf("HEAD = %d, %d bytes; want 200, none", a.status, len(a.body))
	}
}

func TestPackedRepliesUnpackToThePlainOnes(t *testing.T) {
	t.Parallel()
	w := start(t)
	plain := w.get("/docs/quotes", "Accept-Encoding", "identity")
	packed := w.get("/docs/quotes") // the client asks for gzip and unpacks it
	if string(plain.body) != string(packed.body) || plain.header.Get("Vary") != "Accept-Encoding" {
		t.Errorf("%d bytes plain, %d packed, %v; want the same, varying by Accept-Encoding", len(plain.body), len(packed.body), plain.header)
	}
}

func TestSecurityContact(t *testing.T) {
	t.Parallel()
	w := start(t)
	const path = "/.well-known/security.txt"
	sample := w.get(path)
	for _, want := range []string{"# This contact is a sample", "Contact: mailto:security@boardorder.example\n", "\nExpires: 20", "\nCanonical: " + w.url + path, w.url + "/leaked-key\n"} {
		if !strings.Contains(string(sample.body), want) {
			t.Errorf("without a contact it does not say %q:\n%s", want, sample.body)
		}
	}
	w.open(func(c *edgeConfig) { c.SecurityContact = "https://example.com/report" })
	if a := w.get(path); a.status != 200 || !strings.HasPrefix(string(a.body), "Contact: https://example.com/report\n") ||
		a.header.Get("Content-Type") != "text/plain; charset=utf-8" {
		t.Errorf("with a contact: %d %v %s, want 200 with that contact, as text", a.status, a.header, a.body)
	}
	for _, bad := range []string{"security@example.com", "javascript:x", "mailto:a\nContact: mailto:b", "http://example.com"} {
		if page.ValidContact(bad) {
			t.Errorf("%q is taken for a contact", bad)
		}
	}
}

// TestProgramsFindTheInterface: by what a program looks for at an address that it knows nothing of.
func TestProgramsFindTheInterface(t *testing.T) {
	t.Parallel()
	w := start(t)
	const markdown = "text/markdown; charset=utf-8"
	for at, kind := range map[string]string{"/llms.txt": markdown, "/skills/order-boards/SKILL.md": markdown, "/.well-known/api-catalog": `application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"`} {
		r, err := http.NewRequestWithContext(t.Context(), "GET", w.url+at, nil)
		if err != nil {
			t.Fatal(err)
		}
		status, header, body := w.send(r)
		if status != 200 || header.Get("Content-Type") != kind || !strings.Contains(body, w.url+"/openapi.json") && !strings.Contains(body, w.url+"/llms.txt") {
			t.Errorf("%s: %d, %s, %.200s; want 200, %s and the document's address", at, status, header.Get("Content-Type"), body, kind)
		}
		if link := header.Get("Link"); kind != markdown && link != "<"+w.url+at+`>; rel="api-catalog"` {
			t.Errorf("%s: Link is %q, want it to name the catalog", at, link)
		}
	}
}
