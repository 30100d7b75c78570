package standalone_test

import (
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"boardorder/deploy/simulator/shopper"
	"boardorder/pkg/bus/bustest"
)

// viewPage is a page that anybody may look at, and its status.
func (s *system) viewPage(t testing.TB, address string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, data := s.roundTrip(t, req)
	return resp.StatusCode, html.UnescapeString(string(data))
}

var buys = regexp.MustCompile(`href="([^"]*/checkout/[0-9a-f]{64})"`)

// TestBuyLink: a shopper picks quantity and destination, sees the prices and
// pays; a closed link, and one of a declared design, say so.
func TestBuyLink(t *testing.T) {
	t.Parallel()
	s := start(t, busy)
	fetched := 0
	theirs := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { fetched++ }))
	defer theirs.Close()
	upload := s.upload(t, s.sample(t))
	for body, want := range map[string]string{
		`{"project_name":"x"}`: "422 invalid_request",
		fmt.Sprintf(`{"upload_id":%q,"source_url":"javascript:alert(1)"}`, upload):                     "422 invalid_request",
		fmt.Sprintf(`{"upload_id":%q,"source_url":"https://maker.example@evil.example/lamp"}`, upload): "422 invalid_request",
		fmt.Sprintf(`{"upload_id":%q,"source_url":"https://evil.example/\"><script>"}`, upload):        "422 invalid_request",
		fmt.Sprintf(`{"upload_id":%q,"source_url":"https://evil.example/\r\nX: y"}`, upload):           "422 invalid_request",
		fmt.Sprintf(`{"upload_id":%q,"solder_mask":"Pink"}`, upload):                                   "422 invalid_request",
		`{"upload_id":"up_none"}`: "404 upload_not_found",
	} {
		if r := s.call(t, "/v1/buy-links", body); fmt.Sprint(r.status, " ", r.str("error")) != want {
			t.Errorf("buy link of %s: %d %s, want %s", body, r.status, r.text, want)
		}
	}
	r := s.call(t, "/v1/buy-links", fmt.Sprintf(`{"upload_id":%q,"project_name":"Lamp <b>","source_url":%q,"solder_mask":"Blue"}`, upload, theirs.URL+"/lamp"))
	at := r.str("buy_url")
	if r.status != 201 || !strings.HasPrefix(at, s.BaseURL+"/buy/bl_") || !strings.Contains(r.text, "Buy this board") {
		t.Fatalf("buy link: %d %s, want 201 with its address and its HTML", r.status, r.text)
	}
	if status, text := s.viewPage(t, at); status != 200 || !strings.Contains(text, "Lamp <b>") || !strings.Contains(text, theirs.URL+"/lamp") || buys.MatchString(text) {
		t.Errorf("the page: %d %s, want 200 that names the design and its address, without prices", status, text)
	}
	if status, text := s.viewPage(t, at+"?quantity=0&country=XX"); status != 422 || !strings.Contains(text, "whole number") || !strings.Contains(text, "Choose the country") {
		t.Errorf("a wrong choice: %d %s, want 422 that asks for a whole number and a country", status, text)
	}
	status, text := s.viewPage(t, at+"?quantity=7&country=US&postal_code=78701")
	rows := buys.FindAllStringSubmatch(text, -1)
	if status != 200 || len(rows) != 6 || !strings.Contains(text, "$") {
		t.Fatalf("prices: %d, %d rows, want 200, 6 with dollars\n%s", status, len(rows), text)
	}
	if again := buys.FindAllString(func() string { _, text := s.viewPage(t, at+"?quantity=7&country=US&postal_code=78701"); return text }(), -1); len(again) != 6 || again[1] != `href="`+rows[1][1]+`"` {
		t.Errorf("looked at again the prices are %q, want 6, the second %s", again, rows[1][1])
	}
	if res := s.pay(t, rows[1][1], shopper.Pays); res.Status != "paid" {
		t.Errorf("pay %s: %+v, want it paid", rows[1][1], res)
	}
	id := at[strings.LastIndexByte(at, '/')+1:]
	status, told := s.do(t, http.MethodGet, "/v1/events?types=buy_link.ordered&wait_s=60", "", nil)
	if status != 200 || !strings.Contains(string(told), fmt.Sprintf(`"buy_link_id":%q`, id)) || strings.Count(string(told), `"buy_link.ordered"`) != 1 {
		t.Errorf("its account is told: %d %s, want one buy_link.ordered of %s", status, told, id)
	}
	if status, data := s.do(t, http.MethodDelete, "/v1/buy-links/"+id, "", nil); status != 200 {
		t.Errorf("close %s: %d %s, want 200", id, status, data)
	}
	if status, _ := s.do(t, http.MethodDelete, "/v1/buy-links/bl_none", "", nil); status != 404 {
		t.Errorf("close another: %d, want 404", status)
	}
	s.awaitStatus(t, at, http.StatusGone)
	other := s.call(t, "/v1/buy-links", fmt.Sprintf(`{"upload_id":%q}`, upload)).str("buy_url")
	s.awaitStatus(t, other, http.StatusOK)
	if r := s.call(t, "/v1/buy-links", fmt.Sprintf(`{"upload_id":%q,"itar":true}`, upload)); r.status != 422 || r.str("error") != "itar_not_supported" {
		t.Errorf("a declared design: %d %s, want 422 itar_not_supported", r.status, r.text)
	}
	s.awaitStatus(t, other, http.StatusNotFound, http.StatusGone)
	if fetched != 0 {
		t.Errorf("the address that the partner named was fetched %d times, want not at all", fetched)
	}
}

// awaitStatus waits until a page has one of the statuses.
func (s *system) awaitStatus(t testing.TB, address string, want ...int) {
	t.Helper()
	bustest.WaitFor(t, fmt.Sprintf("%s to be %v", address, want), func() bool {
		status, _ := s.viewPage(t, address)
		for _, w := range want {
			if status == w {
				return true
			}
		}
		return false
	})
}
