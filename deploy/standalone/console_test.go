package standalone_test

import (
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"boardorder/deploy/standalone/infra"
	"boardorder/pkg/bus/bustest"

	"github.com/nats-io/nats.go"
)

// operator is a browser at the console.
type operator struct {
	t    *testing.T
	base string
	http *http.Client
}

func newOperator(t *testing.T, consoleURL string) (*operator, string) {
	t.Helper()
	u, err := url.Parse(consoleURL)
	if err != nil {
		t.Fatal(err)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	o := &operator{t, "http://" + u.Host, &http.Client{Jar: jar, Timeout: 30 * time.Second}}
	t.Cleanup(o.http.CloseIdleConnections)
	return o, u.RequestURI()
}

func (o *operator) page(resp *http.Response, err error) (int, string) {
	o.t.Helper()
	if err != nil {
		o.t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		o.t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

var hiddenField = regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)">`)

// fill fills the last form of a page in, and sends it to action.
func (o *operator) fill(path, action string, values map[string]string) (int, string) {
	o.t.Helper()
	_, body := o.page(o.http.Get(o.base + path))
	form := url.Values{}
	for _, h := range hiddenField.FindAllStringSubmatch(body, -1) {
		form.Set(h[1], html.UnescapeString(h[2]))
	}
	for name, value := range values {
		form.Set(name, value)
	}
	return o.page(o.http.PostForm(o.base+action, form))
}

// TestConsole signs in by the link of the start, makes a key that opens the API
// and revokes it: within five seconds it opens nothing any more.
func TestConsole(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := startIn(t, dir, nil)
	o, link := newOperator(t, s.ConsoleURL)
	if status, body := o.fill(link, "/sign-in/link", nil); status != http.StatusOK || !strings.Contains(body, "<h1>Overview") {
		t.Fatalf("signing in by %s: %d %s, want 200 and the overview", s.ConsoleURL, status, body)
	}
	if status, _ := o.page(http.Get(s.ConsoleURL)); status != http.StatusForbidden {
		t.Errorf("the used link answers %d, want 403", status)
	}
	account := "/accounts/acc_demo"
	_, body := o.fill(account, account+"/keys", map[string]string{"name": "robot", "mode": "live", "scope": "quotes"})
	key := regexp.MustCompile(`bo_live_(\w{12})_\w{49}`).FindStringSubmatch(body)
	if key == nil {
		t.Fatalf("no key on the page: %s", body)
	}
	check := func() int {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.BaseURL+"/auth/check", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-API-Key", key[0])
		resp, err := s.http.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		return resp.StatusCode
	}
	if status := check(); status != http.StatusOK {
		t.Fatalf("the new key answers %d, want 200", status)
	}
	revoke := account + "/keys/" + key[1] + "/revoke"
	if status, body := o.fill(revoke, revoke, map[string]string{"sure": "yes"}); status != http.StatusOK || !strings.Contains(body, "is revoked") {
		t.Fatalf("revoke at %s: %d %s; want 200 and a page that says so", revoke, status, body)
	}
	for end := time.Now().Add(5 * time.Second); check() != http.StatusUnauthorized; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the key still opens the API five seconds after it was revoked")
		}
	}
	bustest.WaitFor(t, "the first page to say how each provider does", func() bool {
		_, body := o.page(o.http.Get(o.base + "/"))
		for _, want := range []string{">ECB</a>", ">card processor</a>", "supplier of parts", "mail server", "fabricator", "works"} {
			if !strings.Contains(body, want) {
				return false
			}
		}
		return true
	})
	password, err := os.ReadFile(filepath.Join(dir, infra.PasswordFile))
	if err != nil {
		t.Fatal(err)
	}
	again, _ := newOperator(t, s.ConsoleURL)
	if status, body := again.fill("/sign-in", "/sign-in", map[string]string{"name": "owner", "password": string(password)}); status != http.StatusOK || !strings.Contains(body, "<h1>Overview") {
		t.Errorf("signing in by password: %d %s, want 200 and the overview", status, body)
	}
}

// TestBrokerOfTheSystemAsksForItsToken: other users of the machine neither
// read events nor send commands, such as one that makes an API key.
func TestBrokerOfTheSystemAsksForItsToken(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	token, address, found := strings.Cut(strings.TrimPrefix(s.NATSURL, "nats://"), "@")
	if !found || len(token) < 32 {
		t.Fatalf("address %s has no token", s.NATSURL)
	}
	if nc, err := nats.Connect("nats://" + address); err == nil {
		nc.Close()
		t.Error("the broker takes anyone")
	}
	if banner := s.Ready.Banner(s.dir); strings.Contains(banner, token) || !strings.Contains(banner, address) {
		t.Errorf("the banner, want the address %s and not the token:\n%s", address, banner)
	}
}
