package standalone_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"boardorder/pkg/bus/bustest"
)

var (
	mailedDigits = regexp.MustCompile(`(?m)^    (\d{6})$`)
	wholeKey     = regexp.MustCompile(`bo_(live|test)_[0-9A-Za-z]+_[0-9A-Za-z]+`)
)

// TestPortal: a partner signs in by the letter alone, makes a key that opens the API, and
// revokes it; an address that is nobody's gets no letter.
func TestPortal(t *testing.T) {
	t.Parallel()
	const address = "demo@boardorder.example"
	s := start(t, busy)
	o, _ := newOperator(t, s.BaseURL)
	if status, body := o.fill("/portal/sign-in", "/portal/sign-in", map[string]string{"email": "nobody@boardorder.example"}); status != http.StatusOK || !strings.Contains(body, "Enter your code") {
		t.Fatalf("an unknown address: %d %s", status, body)
	}
	if status, body := o.fill("/portal/sign-in", "/portal/sign-in", map[string]string{"email": address}); status != http.StatusOK || !strings.Contains(body, "Enter your code") {
		t.Fatalf("the account's address: %d %s", status, body)
	}
	mailbox := s.Simulator().Mailbox()
	bustest.WaitFor(t, "the letter", func() bool { return len(mailbox.Messages(address)) > 0 })
	letter := mailbox.Messages(address)[0]
	code := mailedDigits.FindStringSubmatch(letter.Text)
	if len(code) != 2 || len(mailbox.Messages("")) != 1 {
		t.Fatalf("%d letters, %s; want one with a code", len(mailbox.Messages("")), letter.Text)
	}
	if status, body := o.fill("/portal/code", "/portal/code", map[string]string{"code": code[1]}); status != http.StatusOK || !strings.Contains(body, "Sign out") {
		t.Fatalf("the code: %d %s", status, body)
	}
	key := o.makeKey(t)
	own := *s
	own.APIKey = key
	bustest.WaitFor(t, "the key opens", func() bool { return own.opens(t) })
	id := strings.Split(key, "_")[2]
	if status, body := o.send(t, "/portal/keys/"+id+"/revoke", url.Values{"sure": {"yes"}}); status != http.StatusOK || !strings.Contains(body, "revoked") {
		t.Fatalf("revoke: %d %s", status, body)
	}
	bustest.WaitFor(t, "the key is revoked", func() bool { return !own.opens(t) })
	if status, data := s.do(t, http.MethodGet, "/v1/key-events", "", nil); status != http.StatusOK || strings.Count(string(data), id) == 0 || strings.Contains(string(data), address) {
		t.Errorf("key events: %d %s; want the key's, without who did it", status, data)
	}
}

// send fills in the form of a page that leads to the same address.
func (o *operator) send(t *testing.T, path string, values url.Values) (int, string) {
	t.Helper()
	_, body := o.page(o.http.Get(o.base + path))
	_, form, _ := strings.Cut(body, `action="`+path+`"`)
	for _, h := range hiddenField.FindAllStringSubmatch(form, -1) {
		values.Set(h[1], html.UnescapeString(h[2]))
	}
	return o.page(o.http.PostForm(o.base+path, values))
}

// makeKey makes a test key in the portal, and gives it.
func (o *operator) makeKey(t *testing.T) string {
	t.Helper()
	status, body := o.send(t, "/portal/keys/new-test", url.Values{"name": {"portal"}, "scope": {"quotes"}})
	key := wholeKey.FindString(body)
	if status != http.StatusCreated || !strings.HasPrefix(key, "bo_test_") {
		t.Fatalf("make a key: %d %s", status, body)
	}
	return key
}
