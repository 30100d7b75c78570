package browsertest

import (
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// What is published of axe-core 4.14.1 in its list of digests.
const axeReleased = "KTSJmUUM3yhJqOcLeRL8LahahJ2jnA0NU5T1HUqe2Vw="

func TestAxeIsAsReleased(t *testing.T) {
	t.Parallel()
	sum := sha256.Sum256([]byte(axeCore))
	if got := base64.StdEncoding.EncodeToString(sum[:]); got != axeReleased {
		t.Errorf("SHA-256 %s, want %s", got, axeReleased)
	}
}

func TestViolations(t *testing.T) {
	t.Parallel()
	ctx, _ := Open(t)
	const whole = `<!doctype html><html lang="en"><title>A page</title><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<main><h1>Heading</h1><label>Name <input></label></main>`
	for _, tt := range []struct {
		name, page string
		want       []string
	}{
		{"nothing wrong, whatever the page's policy", whole, nil},
		{"A: a field without a label", strings.Replace(whole, "<label>Name <input></label>", "<input>", 1), []string{"label"}},
		{"AA: pale words", strings.Replace(whole, "<main>", `<main><p style="color:#bbb;background:#fff">pale</p>`, 1), []string{"color-contrast"}},
		{"2.2: small and close to the next", strings.Replace(whole, "<main>",
			`<main><button style="font-size:4px;padding:0">a</button><button style="font-size:4px;padding:0">b</button>`, 1), []string{"target-size"}},
		{"good practice: two main parts", strings.Replace(whole, "</main>", "</main><main>other</main>", 1), []string{"landmark-no-duplicate-main", "landmark-unique"}},
	} {
		if err := chromedp.Do(ctx, chromedp.Navigate("data:text/html,"+strings.ReplaceAll(tt.page, "#", "%23"))); err != nil {
			t.Fatal(err)
		}
		found, err := violations(ctx)
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		var rules []string
		for _, v := range found {
			rules = append(rules, v.Rule)
		}
		if !slices.Equal(rules, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, found, tt.want)
		}
	}
}
