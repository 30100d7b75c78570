package console_test

import (
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestConsoleLooksLikeTheShop: it has the shop's mark, and of its colours those of ground,
// ink, accent and focus, in light and dark.
func TestConsoleLooksLikeTheShop(t *testing.T) {
	t.Parallel()
	read := func(name string) string {
		t.Helper()
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	v := start(t).visitor()
	if got := v.get("/assets/icon.svg").body; got != read("../edge/internal/page/assets/mark.svg") {
		t.Errorf("the console's mark is %s, want the shop's", got)
	}
	shop, ours := read("../edge/internal/checkout/style/checkout.css"), v.get("/assets/console.css").body
	for name, as := range map[string]string{"ground": "ground", "ink": "ink", "soft": "dim", "line": "edge", "accent": "link", "focus": "focus", "bad-ink": "bad"} {
		found := regexp.MustCompile(`--`+name+`: (#[0-9a-f]+);`).FindAllStringSubmatch(shop, -1)
		if len(found) < 2 {
			t.Fatalf("the shop's --%s is %v, want one for light and one for dark", name, found)
		}
		if want := "--" + as + ": light-dark(" + found[0][1] + ", " + found[1][1] + ")"; !strings.Contains(ours, want) {
			t.Errorf("the console has no %q", want)
		}
	}
}

// TestRobotsStayAway: whoever is not signed in gets the file, and not the page to sign in.
func TestRobotsStayAway(t *testing.T) {
	t.Parallel()
	a := start(t).visitor().get("/robots.txt")
	if a.status != http.StatusOK || !strings.HasPrefix(a.header.Get("Content-Type"), "text/plain") || a.body != "User-agent: *\nDisallow: /\n" {
		t.Errorf("robots.txt: %d %s %q; want 200 and a plain text that asks all to stay away", a.status, a.header.Get("Content-Type"), a.body)
	}
}
