package signin

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"boardorder/pkg/contract"
)

// TestSignInByName: the right password leads to a page of the console and nowhere else; what is
// wrong is told without saying who works here.
func TestSignInByName(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	stranger := d.newBrowser("10.99.0.1")
	stranger.get("/sign-in")
	const wrong, forged = "The name or the password is wrong.", "This form has expired or was not made here"
	for i, tt := range []struct {
		what   string
		pairs  []string
		status int
		to     string
		text   string
	}{
		{"right", []string{"name", "ann", "password", password}, http.StatusSeeOther, "/", ""},
		{"with a page to come back to", []string{"name", "ann", "password", password, "back", "/quotes?x=1"}, http.StatusSeeOther, "/quotes?x=1", ""},
		{"back to another host", []string{"name", "ann", "password", password, "back", "//evil.example"}, http.StatusSeeOther, "/", ""},
		{"back to another site", []string{"name", "ann", "password", password, "back", "https://evil.example/"}, http.StatusSeeOther, "/", ""},
		{"back by a backslash", []string{"name", "ann", "password", password, "back", `/\evil.example`}, http.StatusSeeOther, "/", ""},
		{"wrong password", []string{"name", "ann", "password", "another battery"}, http.StatusForbidden, "", wrong},
		{"no password", []string{"name", "ann"}, http.StatusForbidden, "", wrong},
		{"a name that none has", []string{"name", "eve", "password", password}, http.StatusForbidden, "", wrong},
		{"no name", []string{"password", password}, http.StatusForbidden, "", wrong},
		{"no token", []string{"name", "ann", "password", password, "form_token", ""}, http.StatusForbidden, "", forged},
		{"another visitor's token", []string{"name", "ann", "password", password, "form_token", stranger.token}, http.StatusForbidden, "", forged},
	} {
		b := d.newBrowser(fmt.Sprintf("10.%d.0.1", i))
		check(t, tt.what+": the front", b.get("/"), http.StatusSeeOther, "/sign-in", "")
		check(t, tt.what+": the form", b.get("/sign-in?back=//evil.example"), http.StatusOK, "", `name="back" value=""`)
		before := len(d.trail)
		check(t, tt.what, b.post("/sign-in", tt.pairs...), tt.status, tt.to, tt.text)
		if tt.to == "" {
			check(t, tt.what+": the front afterwards", b.get("/"), http.StatusSeeOther, "/sign-in", "")
			if got := d.trail[before:]; len(got) != 0 {
				t.Errorf("%s: the trail has %q, want nothing", tt.what, got)
			}
			continue
		}
		check(t, tt.what+": the front afterwards", b.get("/"), http.StatusOK, "", "overview of ann")
		check(t, tt.what+": the form afterwards", b.get("/sign-in"), http.StatusSeeOther, "/", "")
		if got := d.trail[before:]; !slices.Equal(got, []string{"ann signed in"}) {
			t.Errorf("%s: the trail has %q, want that ann signed in", tt.what, got)
		}
	}
}

// TestCookiesOfSignIn: no script and no other site gets at them, and none that was there
// before outlives the sign-in.
func TestCookiesOfSignIn(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	b := d.newBrowser("10.0.0.1")
	b.get("/sign-in")
	w := b.post("/sign-in", "name", "ann", "password", password)
	kept := map[string]bool{"__Host-console_session": true, "__Host-console_device": true, "__Host-console_visit": false}
	for _, k := range w.Result().Cookies() {
		want, known := kept[k.Name]
		delete(kept, k.Name)
		if !known || (k.MaxAge >= 0) != want || !k.Secure || !k.HttpOnly || k.SameSite != http.SameSiteStrictMode || k.Path != "/" || k.Domain != "" {
			t.Errorf("cookie %+v; want one of ours (%v) for this host, HTTPS and no script, kept: %v", k, known, want)
		}
	}
	if len(kept) != 0 {
		t.Errorf("the answer sets no %v, want all three", kept)
	}
	if got := w.Header().Get("Cache-Control"); got != "no-store" {
		t.Errorf("Cache-Control %q, want no-store", got)
	}
	stolen := b.copy()
	d.at = d.at.Add(time.Second)
	b.cookies["__Host-console_session"] += "x"
	check(t, "an altered session", b.get("/"), http.StatusSeeOther, "/sign-in", "")
	delete(stolen.cookies, "__Host-console_device")
	check(t, "a session in a browser that is not known", stolen.get("/"), http.StatusSeeOther, "/sign-in", "")
}

// TestGuessesAreThrottled: when too many have failed the right password is not looked at
// either, until the window has passed. Others are let in meanwhile.
func TestGuessesAreThrottled(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	b := d.newBrowser("10.1.0.1")
	b.get("/sign-in")
	for i := range 5 {
		check(t, fmt.Sprintf("guess %d", i+1), b.post("/sign-in", "name", "ann", "password", "a guess"), http.StatusForbidden, "", "is wrong")
	}
	w := b.post("/sign-in", "name", "ann", "password", password)
	check(t, "the right password after five guesses", w, http.StatusTooManyRequests, "", "Too many attempts. Please wait")
	if w.Header().Get("Retry-After") == "" {
		t.Errorf("headers %v, want how long to wait in Retry-After", w.Header())
	}
	check(t, "another operator there", b.copy().signIn("bob"), http.StatusSeeOther, "/", "")
	check(t, "the same operator elsewhere", d.newBrowser("10.2.0.1").signIn("ann"), http.StatusSeeOther, "/", "")
	d.at = d.at.Add(contract.ConsoleAttemptWindow + time.Second)
	check(t, "after the window", b.signIn("ann"), http.StatusSeeOther, "/", "")
}

// TestSignOut: it takes a form of the session, and the cookie is worth nothing afterwards.
func TestSignOut(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	b := d.newBrowser("10.0.0.1")
	b.signIn("ann")
	check(t, "a forged form", b.post("/sign-out", "form_token", "x"), http.StatusForbidden, "", "was not made here")
	check(t, "the front after a forged form", b.get("/"), http.StatusOK, "", "overview of ann")
	b.get("/factor") // has a form of the session
	copied := b.copy()
	check(t, "sign-out", b.post("/sign-out"), http.StatusSeeOther, "/sign-in?done=signed-out", "")
	check(t, "the page that it leads to", b.get("/sign-in?done=signed-out"), http.StatusOK, "", "You are signed out.")
	check(t, "a copy of the cookies", copied.get("/"), http.StatusSeeOther, "/sign-in", "")
	check(t, "sign-out of who is out", b.post("/sign-out"), http.StatusUnauthorized, "", "You are no longer signed in.")
	if got, want := d.trail, []string{"ann signed in", "ann signed out"}; !slices.Equal(got, want) {
		t.Errorf("the trail has %q, want %q", got, want)
	}
}

// TestLink: it signs in once. Opening it uses nothing up.
func TestLink(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	const used, invalid, refused = "This sign-in link has been used.", "This sign-in link is no longer valid.", "has been used, or is no longer valid."
	bob := d.newBrowser("10.1.0.1")
	bob.signIn("bob")
	check(t, "opened by who is signed in", bob.get("/?token="+linkText), http.StatusSeeOther, "/", "")
	b := d.newBrowser("10.0.0.1")
	check(t, "a forged link", b.get("/?token=x"), http.StatusForbidden, "", invalid)
	check(t, "a forged link, sent", b.post("/sign-in/link", "token", "x"), http.StatusForbidden, "", refused)
	check(t, "no token, sent", b.post("/sign-in/link"), http.StatusForbidden, "", refused)
	check(t, "opened", b.get("/?token="+linkText), http.StatusOK, "", "signs you in once, as <b>")
	check(t, "a forged form", b.post("/sign-in/link", "token", linkText, "form_token", "x"), http.StatusForbidden, "", "was not made here")
	late := d.newBrowser("10.2.0.1")
	check(t, "opened a second time", late.get("/?token="+linkText), http.StatusOK, "", linkText)
	d.section.LinkFor = "eve"
	check(t, "for one who works here no more", b.post("/sign-in/link", "token", linkText), http.StatusForbidden, "", "The operator of this link no longer exists.")
	d.section.LinkFor = "ann"
	check(t, "sent", b.post("/sign-in/link", "token", linkText), http.StatusSeeOther, "/", "")
	check(t, "the front afterwards", b.get("/"), http.StatusOK, "", "overview of ann")
	check(t, "sent a second time", late.post("/sign-in/link", "token", linkText), http.StatusForbidden, "", refused)
	check(t, "opened after its use", late.get("/?token="+linkText), http.StatusForbidden, "", used)
	if got, want := d.trail, []string{"bob signed in", "ann signed in by link"}; !slices.Equal(got, want) {
		t.Errorf("the trail has %q, want %q", got, want)
	}
}
