package console_test

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"boardorder/services/console"
)

// authenticator shows codes as a telephone does: an implementation of its own.
func authenticator(t *testing.T, secret string, at time.Time) string {
	t.Helper()
	key, err := base32.StdEncoding.DecodeString(strings.ReplaceAll(secret, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	var counter [8]byte
	binary.BigEndian.PutUint64(counter[:], uint64(at.Unix()/30))
	mac := hmac.New(sha1.New, key)
	mac.Write(counter[:])
	sum := mac.Sum(nil)
	n := binary.BigEndian.Uint32(sum[sum[19]&15:]) & 0x7fffffff
	return fmt.Sprintf("%06d", n%1_000_000)
}

var (
	shownSecret = regexp.MustCompile(`<code class="break">([A-Z2-7 ]+)</code>`)
	shownCode   = regexp.MustCompile(`<code>([a-z0-9]{5}-[a-z0-9]{5})</code>`)
)

// TestSecondFactor: a password alone opens nothing where a second factor is
// required; it is set up at the first sign-in and asked for at the next.
func TestSecondFactor(t *testing.T) {
	t.Parallel()
	w := start(t, func(c *console.Config) { c.SecondFactor = "required" })
	w.furnish()
	v := w.visitor()
	first := v.fill("/sign-in?back=%2Forders", "/sign-in", "name", "ann", "password", password)
	first.wants(t, http.StatusOK, "Set up a second factor")
	first.lacks(t, "Event streams")
	for _, page := range []string{"/", "/orders", "/events", "/sessions", "/accounts"} {
		if got := v.get(page); got.url.Path != "/factor" {
			t.Errorf("%s opens without a second factor: %s %d, want to be led to /factor", page, got.url, got.status)
		}
	}
	form := v.form("/factor", "/factor")
	v.post("/accounts", form).wants(t, http.StatusForbidden, "second factor first")
	if got := v.get("/factor/picture"); got.header.Get("Content-Type") != "image/png" || !strings.HasPrefix(got.body, "\x89PNG") {
		t.Errorf("picture: %d %v, want a PNG", got.status, got.header)
	}
	secret := shownSecret.FindStringSubmatch(v.get("/factor").body)
	if secret == nil {
		t.Fatal("no secret is shown")
	}
	v.fill("/factor", "/factor", "code", "000000").wants(t, http.StatusForbidden, "This code is wrong")
	code := authenticator(t, secret[1], time.Now())
	made := v.fill("/factor", "/factor", "code", code)
	made.wants(t, http.StatusOK, "Your recovery codes")
	codes := shownCode.FindAllStringSubmatch(made.body, -1)
	if len(codes) != 10 {
		t.Fatalf("%d recovery codes, want 10:\n%s", len(codes), made.body)
	}
	v.get("/orders").wants(t, http.StatusOK, "BO-2345ABCD")
	v.get("/sessions").wants(t, http.StatusOK, `data-label="Factor">given`)
	v.get("/factor/picture").wants(t, http.StatusNotFound)
	if got := v.get("/factor"); shownSecret.MatchString(got.body) {
		t.Error("the secret is shown again")
	}

	next := w.visitor()
	next.fill("/sign-in?back=%2Forders", "/sign-in", "name", "ann", "password", password).wants(t, http.StatusOK, "One more step")
	next.fill("/factor", "/factor", "code", code).wants(t, http.StatusForbidden, "was used before")
	next.get("/orders").wants(t, http.StatusOK, "One more step")
	next.fill("/factor?back=%2Forders", "/factor", "code", codes[0][1]).wants(t, http.StatusOK, "BO-2345ABCD")
	again := w.visitor()
	again.fill("/sign-in", "/sign-in", "name", "ann", "password", password)
	again.fill("/factor", "/factor", "code", codes[0][1]).wants(t, http.StatusForbidden)
	for range 4 {
		again.fill("/factor", "/factor", "code", "000000")
	}
	again.fill("/factor", "/factor", "code", codes[1][1]).wants(t, http.StatusTooManyRequests, "Too many attempts")
	for _, action := range []string{"set a second factor up", "signed in with a second factor"} {
		if len(w.trail(action)) == 0 {
			t.Errorf("the trail does not say: %s", action)
		}
	}
}

// TestSessionsEnd: an operator ends the own sessions, an admin anybody's.
func TestSessionsEnd(t *testing.T) {
	t.Parallel()
	w := start(t)
	here, there, ann := w.signInAs("ben"), w.signInAs("ben"), w.signInAs("ann")
	end := regexp.MustCompile(`/sessions/ben/[a-z0-9]+/end`)
	found := end.FindAllString(here.get("/sessions").body, -1)
	if len(found) != 2 {
		t.Fatalf("sessions: %v, want 2", found)
	}
	rows := strings.Split(here.get("/sessions").body, "</tr>")
	for _, row := range rows {
		if to := end.FindString(row); to != "" && !strings.Contains(row, "this one") {
			here.fill("/sessions", to).wants(t, http.StatusOK, "The session is ended")
		}
	}
	here.get("/orders").wants(t, http.StatusOK, "<h1>Orders")
	there.get("/orders").wants(t, http.StatusOK, "Password")
	ann.get("/sessions").wants(t, http.StatusOK, "ben", "ann", `data-label="Factor">not asked for`) // by the password alone
	ann.get("/sessions").lacks(t, `data-label="Factor">given`)
	here.get("/sessions").lacks(t, "/sessions/ann/")
	mine := end.FindString(ann.get("/sessions").body)
	pia := w.signInAs("pia")
	pia.post(mine, pia.form("/", "/sign-out")).wants(t, http.StatusForbidden, "Your roles do not let you")
	ann.fill("/sessions", mine).wants(t, http.StatusOK, "The session is ended")
	here.get("/orders").wants(t, http.StatusOK, "Password")
	if len(w.trail("ended a session")) != 4 {
		t.Errorf("the trail: %+v, want 4 ends", w.trail("ended a session"))
	}
}
