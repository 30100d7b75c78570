package checkout_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"boardorder/services/edge/internal/checkout"
)

func TestAssetsAreKeptForEver(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	page := s.do("GET", "/checkout/x", nil)
	paths := regexp.MustCompile(`/assets/[a-z]+-[0-9a-f]{12}\.(css|svg)`).FindAllString(page.body, -1)
	if len(paths) != 3 {
		t.Fatalf("the page loads %q, want 3", paths)
	}
	for _, path := range paths {
		a := s.do("GET", path, nil)
		if a.status != http.StatusOK || !strings.Contains(a.header.Get("Cache-Control"), "immutable") || a.header.Get("ETag") == "" {
			t.Errorf("GET %s = %d, %q, ETag %q; want 200, immutable, some", path, a.status, a.header.Get("Cache-Control"), a.header.Get("ETag"))
		}
		if strings.Contains(a.body, "url(") || strings.Contains(a.body, "@import") {
			t.Errorf("%s loads more", path)
		}
	}
	if style, err := checkout.Stylesheet(); err != nil || !strings.Contains(page.body, style) {
		t.Errorf("Stylesheet() = %q, %v", style, err)
	}
}
