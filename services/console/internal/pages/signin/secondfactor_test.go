package signin

import (
	"bytes"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

var (
	shownSecret   = regexp.MustCompile(`<code class="break">([A-Z2-7 ]+)</code>`)
	shownRecovery = regexp.MustCompile(`<li><code>([a-z0-9-]+)</code></li>`)
)

// TestSecondFactor: it is set up with a first code, then each code and each recovery code
// opens once.
func TestSecondFactor(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.section.NeedFactor = true
	const wrong = "This code is wrong, old, or was used before."
	b := d.newBrowser("10.0.0.1")
	check(t, "the page without a session", b.get("/factor"), http.StatusSeeOther, "/sign-in?back=%2Ffactor", "")
	check(t, "sign-in", b.signIn("ann"), http.StatusSeeOther, "/factor?back=%2F", "")
	check(t, "the front before the factor", b.get("/"), http.StatusSeeOther, "/factor", "")
	w := b.get("/factor?back=//evil.example")
	check(t, "the page that sets it up", w, http.StatusOK, "", `name="back" value=""`)
	found := shownSecret.FindStringSubmatch(w.Body.String())
	if found == nil {
		t.Fatalf("the page is %s, want a secret in it", w.Body)
	}
	shown := strings.ReplaceAll(found[1], " ", "")
	picture := b.get("/factor/picture")
	if kind := picture.Header().Get("Content-Type"); kind != "image/png" || !bytes.HasPrefix(picture.Body.Bytes(), []byte("\x89PNG")) {
		t.Errorf("the picture is %d %s of %d bytes, want a PNG", picture.Code, kind, picture.Body.Len())
	}
	weak := b.copy()
	check(t, "a forged form", b.post("/factor", "code", authenticatorCode(t, shown, d.at), "form_token", "x"), http.StatusForbidden, "", "was not made here")
	check(t, "a wrong first code", b.post("/factor", "code", "wrong"), http.StatusForbidden, "", wrong)
	w = b.post("/factor", "code", authenticatorCode(t, shown, d.at))
	check(t, "a first code", w, http.StatusOK, "", "Your recovery codes")
	recovery := shownRecovery.FindAllStringSubmatch(w.Body.String(), -1)
	if len(recovery) != 10 {
		t.Fatalf("%d recovery codes in %s, want 10", len(recovery), w.Body)
	}
	check(t, "the front with the factor", b.get("/"), http.StatusOK, "", "overview of ann")
	check(t, "the session before the factor", weak.get("/"), http.StatusSeeOther, "/sign-in", "")
	check(t, "the picture when it is set up", b.get("/factor/picture"), http.StatusNotFound, "", "There is no such picture.")
	page := b.get("/factor")
	check(t, "the page when it is set up", page, http.StatusOK, "", "10 recovery codes are left")
	if strings.Contains(page.Body.String(), found[1]) || strings.Contains(page.Body.String(), recovery[0][1]) {
		t.Errorf("the page is %s, want neither the secret nor recovery codes in it", page.Body)
	}

	next := d.at.Add(time.Minute)
	for _, tt := range []struct {
		what, code string
		at         time.Time
		lets       bool
	}{
		{"the code that set it up", authenticatorCode(t, shown, d.at), d.at, false},
		{"the next code", authenticatorCode(t, shown, next), next, true},
		{"the same code", authenticatorCode(t, shown, next), next, false},
		{"an old code", authenticatorCode(t, shown, d.at), next, false},
		{"a recovery code", recovery[3][1], next, true},
		{"the same recovery code", recovery[3][1], next, false},
		{"another recovery code, as people type it", strings.ToUpper(strings.ReplaceAll(recovery[4][1], "-", " ")), next, true},
		{"no code", "", next, false},
	} {
		d.at = tt.at
		b := d.newBrowser("10.0.0.2")
		check(t, tt.what+": sign-in", b.signIn("ann"), http.StatusSeeOther, "/factor?back=%2F", "")
		check(t, tt.what+": the page", b.get("/factor?back=/quotes"), http.StatusOK, "", "One more step")
		if w := b.post("/factor", "code", tt.code, "back", "/quotes"); tt.lets {
			check(t, tt.what, w, http.StatusSeeOther, "/quotes", "")
			check(t, tt.what+": the front", b.get("/"), http.StatusOK, "", "overview of ann")
		} else {
			check(t, tt.what, w, http.StatusForbidden, "", wrong)
			check(t, tt.what+": the front", b.get("/"), http.StatusSeeOther, "/factor", "")
		}
	}
	if !slices.Contains(d.trail, "ann set a second factor up") || !slices.Contains(d.trail, "ann signed in with a second factor") {
		t.Errorf("the trail has %q, want that ann set a factor up and signed in with it", d.trail)
	}
}

// TestGuessesOfCodesAreThrottled: who has the password alone cannot try codes for long.
func TestGuessesOfCodesAreThrottled(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.section.NeedFactor = true
	b := d.newBrowser("10.0.0.1")
	b.signIn("ann")
	found := shownSecret.FindStringSubmatch(b.get("/factor").Body.String())
	if found == nil {
		t.Fatal("the page shows no secret, want one")
	}
	for i := range 5 {
		check(t, fmt.Sprintf("guess %d", i+1), b.post("/factor", "code", "wrong"), http.StatusForbidden, "", "This code is wrong")
	}
	w := b.post("/factor", "code", authenticatorCode(t, strings.ReplaceAll(found[1], " ", ""), d.at))
	check(t, "the right code after five guesses", w, http.StatusTooManyRequests, "", "Too many attempts. Please wait")
	if w.Header().Get("Retry-After") == "" {
		t.Errorf("headers %v, want how long to wait in Retry-After", w.Header())
	}
	check(t, "the front", b.get("/"), http.StatusSeeOther, "/factor", "")
}
