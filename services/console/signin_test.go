package console_test

import (
	"boardorder/pkg/door"
	"boardorder/services/console"
	"boardorder/services/console/internal/web"
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func TestSignIn(t *testing.T) {
	t.Parallel()
	w := start(t)
	v := w.visitor()
	first := v.get("/quotes?status=quote_ready")
	first.wants(t, http.StatusOK, "Password")
	if got, want := first.url.RequestURI(), "/sign-in?back=%2Fquotes%3Fstatus%3Dquote_ready"; got != want {
		t.Errorf("sent to %s, want %s", got, want)
	}
	if policy := first.header.Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") {
		t.Errorf("policy %q, want 'none' by default, nothing unsafe", policy)
	}
	for name, want := range map[string]string{
		"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "X-Frame-Options": "DENY", "Referrer-Policy": "same-origin",
	} {
		if got := first.header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	v.post("/sign-in", url.Values{"name": {"ann"}, "password": {password}}).wants(t, http.StatusForbidden, "made here")
	v.fill("/sign-in", "/sign-in", "name", "ann", "password", "wrong").wants(t, http.StatusForbidden, "name or the password is wrong")
	w.awaitAudit("ann", "sign-in failed")
	in := v.fill("/sign-in?back=%2Fquotes", "/sign-in", "name", "ann", "password", password)
	in.wants(t, http.StatusOK, "No matching quotes", "ann", "admin")
	w.awaitAudit("ann", "signed in")
	out := v.fill("/", "/sign-out")
	out.wants(t, http.StatusOK, "You are signed out")
	v.get("/orders").wants(t, http.StatusOK, "Password")
	for _, back := range []string{"//evil.example", "https://evil.example", "/\\evil.example"} {
		if got := w.visitor().fill("/sign-in?back="+url.QueryEscape(back), "/sign-in", "name", "ann", "password", password); got.url.Path != "/" {
			t.Errorf("back to %q led to %s, want /", back, got.url)
		}
	}
}

func TestSignInCookie(t *testing.T) {
	t.Parallel()
	w := start(t)
	v := w.visitor()
	v.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	got := v.fill("/sign-in", "/sign-in", "name", "ann", "password", password)
	cookie := ""
	for _, c := range got.header.Values("Set-Cookie") {
		if strings.HasPrefix(c, "console_session=") {
			cookie = c
		}
	}
	for _, want := range []string{"HttpOnly", "SameSite=Strict", "Path=/", "Expires="} {
		if !strings.Contains(cookie, want) {
			t.Errorf("cookie %q lacks %s", cookie, want)
		}
	}
}

// What is typed into an address or a field for a name may be a secret: the log has
// the route, and names of operators only.
func TestLogHasNothingTyped(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	typed := "416a0eb2c3d4e5f60718293a4b5c6d7e8f9000112233445566778899aabb8044"
	ben := w.signInAs("ben")
	ben.get("/quotes/"+typed+"/picture/top").wants(t, http.StatusForbidden)
	ben.get("/" + typed)
	ben.post("/accounts/"+account+"/keys/"+typed+"/revoke", url.Values{"form_token": {ben.form("/", "/sign-out").Get("form_token")}}).wants(t, http.StatusForbidden)
	w.visitor().fill("/sign-in", "/sign-in", "name", typed, "password", typed).wants(t, http.StatusForbidden)
	ann := w.signInAs("ann")
	formToken := ann.form("/", "/sign-out").Get("form_token")
	for _, r := range web.Routes() {
		method, pattern, _ := strings.Cut(r.Pattern, " ")
		if strings.HasSuffix(pattern, "/live") || pattern == "/sign-out" {
			continue
		}
		to := parameter.ReplaceAllString(strings.Replace(pattern, "{$}", "", 1), typed)
		if method == http.MethodGet {
			ann.get(to + "?status=" + typed + "&q=" + typed + "&back=/" + typed + "&account=" + typed + "&cursor=" + typed)
			continue
		}
		form := url.Values{"form_token": {formToken}}
		for _, field := range []string{"request", "id", "account", "name", "seq", "operator", "email", "decision", "status", "key"} {
			form.Set(field, typed)
		}
		ann.post(to, form)
	}
	w.awaitAudit("ben", "refused")
	routes := map[any]bool{}
	for _, e := range w.log.All() {
		routes[e.ContextMap()["route"]] = true
		if line := fmt.Sprint(e.Message, e.ContextMap()); strings.Contains(line, typed) {
			t.Errorf("the log has what was typed: %s", line)
		}
	}
	if want := "GET /quotes/{ref}/picture/{side}"; !routes[want] {
		t.Errorf("routes in the log: %v, want %s among them", routes, want)
	}
}

func TestGuessingIsSlow(t *testing.T) {
	t.Parallel()
	w := start(t)
	v := w.visitor()
	for range 5 {
		v.fill("/sign-in", "/sign-in", "name", "ann", "password", "wrong").wants(t, http.StatusForbidden)
	}
	got := v.fill("/sign-in", "/sign-in", "name", "ann", "password", password)
	got.wants(t, http.StatusTooManyRequests, "Too many attempts")
	if got.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	w.signInAs("ben") // others are not held up
}

// TestParallelGuessesAreCountedBeforeTheyAreLookedAt: of guesses that are made
// at the same time no more are looked at than of those that come in turn.
func TestParallelGuessesAreCountedBeforeTheyAreLookedAt(t *testing.T) {
	t.Parallel()
	w := start(t)
	v := w.visitor()
	form := v.form("/sign-in", "/sign-in")
	form.Set("name", "ann")
	form.Set("password", "wrong")
	statuses := make(chan int, 120)
	for range cap(statuses) {
		go func() {
			resp, err := v.client.PostForm(w.url+"/sign-in", form)
			if err != nil {
				t.Errorf("send the sign-in form: %v", err)
				statuses <- 0
				return
			}
			_ = resp.Body.Close()
			statuses <- resp.StatusCode
		}()
	}
	got := map[int]int{}
	for range cap(statuses) {
		got[<-statuses]++
	}
	if got[http.StatusForbidden] != 5 || got[http.StatusTooManyRequests] != 115 {
		t.Errorf("answers by status: %v; want 5 looked at, 115 refused", got)
	}
}

// TestStrangersDoNotLockTheOwnerOut: the browser that the owner has signed in
// with is counted by itself.
func TestStrangersDoNotLockTheOwnerOut(t *testing.T) {
	t.Parallel()
	w := start(t)
	ann := w.signInAs("ann")
	ann.fill("/", "/sign-out").wants(t, http.StatusOK, "You are signed out")
	stranger := w.visitor() // from the same address, even
	for range 6 {
		stranger.fill("/sign-in", "/sign-in", "name", "ann", "password", "wrong")
	}
	stranger.fill("/sign-in", "/sign-in", "name", "ann", "password", password).wants(t, http.StatusTooManyRequests)
	ann.fill("/sign-in", "/sign-in", "name", "ann", "password", password).wants(t, http.StatusOK, "Overview")
}

func TestSignInLinkWorksOnce(t *testing.T) {
	t.Parallel()
	w := start(t)
	v := w.visitor()
	v.get("/?token="+token).wants(t, http.StatusOK, "signs you in once", "owner") // looking uses nothing up
	v.fill("/?token="+token, "/sign-in/link").wants(t, http.StatusOK, "Overview", "owner")
	w.awaitAudit("owner", "signed in by link")
	if got := v.get("/?token=" + token); got.url.RequestURI() != "/" || got.status != http.StatusOK {
		t.Errorf("signed in, the link leads to %s: %d, want 200 at /", got.url, got.status)
	}
	w.visitor().get("/?token="+token).wants(t, http.StatusForbidden, "has been used")
	w.visitor().get("/?token=another").wants(t, http.StatusForbidden, "no longer valid")
}

func TestFormsAreOurs(t *testing.T) {
	t.Parallel()
	w := start(t)
	v := w.signInAs("ann")
	v.post("/accounts", url.Values{"name": {"X"}, "request": {"req_x"}}).wants(t, http.StatusForbidden, "made here")
	form := v.form("/accounts", "/accounts")
	form.Set("name", "X")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.url+"/accounts", strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "cross-site")
	v.do(r).wants(t, http.StatusForbidden, "another site")
	other := w.signInAs("ann").form("/accounts", "/accounts") // another session's token
	form.Set("form_token", other.Get("form_token"))
	v.post("/accounts", form).wants(t, http.StatusForbidden, "made here")
}

// TestOperatorsBehindAProxy: who stands behind a proxy that is listed is counted by
// its own address, with attempts to sign in and with connections. What a proxy says that
// is not listed is not believed.
func TestOperatorsBehindAProxy(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		trusted []string
		status  int // of a second client's guess
		served  bool
	}{
		"listed":     {[]string{"127.0.0.0/8"}, http.StatusForbidden, true},
		"not listed": {nil, http.StatusTooManyRequests, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := start(t, func(c *console.Config) { c.TrustedProxies = tt.trusted })
			guess := func(client string) int {
				v := w.visitor()
				form := v.form("/sign-in", "/sign-in")
				form.Set("name", "ann")
				form.Set("password", "wrong")
				r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.url+"/sign-in", strings.NewReader(form.Encode()))
				if err != nil {
					t.Fatal(err)
				}
				r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
				r.Header.Set("X-Forwarded-For", client)
				resp, err := v.client.Do(r)
				if err != nil {
					t.Fatal(err)
				}
				_ = resp.Body.Close()
				return resp.StatusCode
			}
			for guess("198.51.100.7") == http.StatusForbidden {
			}
			if got := guess("198.51.100.8"); got != tt.status {
				t.Errorf("another client's guess: %d, want %d", got, tt.status)
			}
			held := make([]net.Conn, door.Operators.Network+10)
			for i := range held {
				c, err := net.Dial("tcp", strings.TrimPrefix(w.url, "http://"))
				if err != nil {
					t.Fatal(err)
				}
				defer c.Close()
				held[i] = c
			}
			guess("198.51.100.9") // by then all are accepted
			_, err := io.WriteString(held[0], "GET /sign-in HTTP/1.1\r\nHost: x\r\n\r\n")
			reply, _ := bufio.NewReader(held[0]).ReadString('\n')
			if served := err == nil && strings.Contains(reply, " 200 "); served != tt.served {
				t.Errorf("the connection that waited longest is served: %v (%q, %v), want %v", served, reply, err, tt.served)
			}
		})
	}
}
