package edge_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/secret"
)

// TestMasterKeyIsReplacedWhileAllGoesOn: quotes, links and pictures of the key
// before hold beside the new one, new ones are the new key's, and once the old
// one is removed its links end.
func TestMasterKeyIsReplacedWhileAllGoesOn(t *testing.T) {
	t.Parallel()
	w := start(t)
	up := w.upload(file{"board.gbr", "G04*"})
	id, _ := up["upload_id"].(string)
	link, _ := up["upload_url"].(string)
	quote := w.post("/v1/quotes?wait_s=30", quoteBody(id, "")).json(t)
	old := w.url
	replace := func(keys ...string) {
		t.Helper()
		ring, err := secret.Parse(strings.Join(keys, "\n"))
		if err != nil {
			t.Fatal(err)
		}
		w.set(func() { w.secrets = ring })
		w.open()
	}
	first, second := hex.EncodeToString(bytes.Repeat([]byte{7}, 32)), "next:"+strings.Repeat("0b", 32)
	add := func(link string) int {
		body, kind := form(t, file{"more.gbr", "G04*"})
		return w.do("POST", strings.Replace(link, old, w.url, 1), body, "Content-Type", kind, "X-API-Key", "").status
	}
	path := func(name string) string { s, _ := quote[name].(string); return strings.TrimPrefix(s, old) }

	replace(second, first)
	again := w.get("/v1/quote-requests/" + quote["request_id"].(string)).json(t)
	if again["quote_id"] != quote["quote_id"] {
		t.Errorf("the quote is %v, want %v as before", again["quote_id"], quote["quote_id"])
	}
	if a := w.get("/v1/quotes/" + quote["quote_id"].(string)); a.status != 200 {
		t.Errorf("its status: %d %s, want 200", a.status, a.body)
	}
	if a := w.get(path("checkout_url")); a.status != 200 {
		t.Errorf("its page: %d, want 200", a.status)
	}
	if a := w.get(path("board_image_url")); a.status != 404 { // no such file here: the link is good
		t.Errorf("its picture: %d %s, want 404", a.status, a.body)
	}
	if status := add(link); status != 200 {
		t.Errorf("the link of before: %d, want 200", status)
	}
	fresh, _ := w.get("/v1/uploads/" + id).json(t)["upload_url"].(string)
	if !strings.Contains(fresh, ".next.") {
		t.Errorf("a new link is not the new key's: %s", fresh)
	}
	now := w.post("/v1/quotes?wait_s=30", quoteBody(id, `,"layers":4`)).json(t)
	request, _ := now["request_id"].(string)
	if now["quote_id"] != w.secrets.QuoteID(request) {
		t.Errorf("a new quote is not the new key's: %v, want %s", now, w.secrets.QuoteID(request))
	}

	replace(second)
	if status := add(link); status != 403 {
		t.Errorf("the old key's link without the old key: %d, want 403", status)
	}
	if status := add(fresh); status != 200 {
		t.Errorf("the new key's link: %d, want 200", status)
	}
}

func TestLinksAreRevoked(t *testing.T) {
	t.Parallel()
	w := start(t)
	up := w.upload(file{"board.gbr", "G04*"})
	id, _ := up["upload_id"].(string)
	add := func(link any) answer {
		body, kind := form(t, file{"more.gbr", "G04*"})
		return w.do("POST", link.(string), body, "Content-Type", kind, "X-API-Key", "")
	}
	if a := add(up["upload_url"]); a.status != 200 {
		t.Fatalf("before: %d %s, want 200", a.status, a.body)
	}
	theirs := w.key
	w.key = newKey(w, "acc_other", accounts.DefaultScopes(), nil)
	if a := w.post("/v1/uploads/"+id+"/revoke-links", ""); a.status != 404 {
		t.Errorf("somebody else revokes: %d, want 404", a.status)
	}
	w.key = theirs
	a := w.post("/v1/uploads/"+id+"/revoke-links", "")
	if a.status != 200 {
		t.Fatalf("revoke: %d %s, want 200", a.status, a.body)
	}
	if b := add(up["upload_url"]); b.status != 410 || b.code(t) != "link_expired" {
		t.Errorf("the revoked link: %d %s, want 410 link_expired", b.status, b.body)
	}
	if b := add(a.json(t)["upload_url"]); b.status != 200 {
		t.Errorf("the new link: %d %s, want 200", b.status, b.body)
	}
	if b := add(w.get("/v1/uploads/" + id).json(t)["upload_url"]); b.status != 200 {
		t.Errorf("a link given later: %d %s, want 200", b.status, b.body)
	}
}

// TestLinksToWhatWasMadeAreRevoked: who revokes an upload's links ends those to its
// pictures and reports too, and has new ones by asking again.
func TestLinksToWhatWasMadeAreRevoked(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.set(func() { w.check = aCheck(designchecks.Warning) })
	for _, key := range []string{"pictures/board.png", "boards/d/checks/0.png", "boards/d/checks/report.html"} {
		if _, err := w.blobs.Put(t.Context(), key, strings.NewReader("made"), -1, ""); err != nil {
			t.Fatal(err)
		}
	}
	id, other := w.uploadID(), w.uploadID()
	links := func(id string) []string {
		t.Helper()
		quote := w.post("/v1/quotes", quoteBody(id, "")).json(t)
		check := w.post("/v1/design-checks", fmt.Sprintf(`{"upload_id":%q}`, id)).json(t)
		finding, _ := check["findings"].([]any)[0].(map[string]any)
		data := strings.Replace(check["report_url"].(string), ".html", ".json", 1)
		return []string{quote["board_image_url"].(string), check["report_url"].(string), finding["image_url"].(string), data}
	}
	expect := func(when string, links []string, status int) {
		t.Helper()
		for _, link := range links {
			a := w.get(link, "X-API-Key", "")
			if a.status != status || status == 410 && a.code(t) != "link_expired" {
				t.Errorf("%s: GET %s = %d %s, want %d", when, link, a.status, a.body, status)
			}
		}
	}
	before, others := links(id), links(other)
	expect("before", before, 200)
	if again := links(id); !slices.Equal(again, before) {
		t.Errorf("the same upload's links are %v, want %v as before", again, before)
	}
	owner := w.key
	w.key = newKey(w, "acc_other", accounts.DefaultScopes(), nil)
	w.post("/v1/uploads/"+id+"/revoke-links", "")
	w.key = owner
	expect("somebody else revoked", before, 200)
	if a := w.post("/v1/uploads/"+id+"/revoke-links", ""); a.status != 200 {
		t.Fatalf("revoke: %d %s, want 200", a.status, a.body)
	}
	expect("revoked", before, 410)
	expect("another upload's", others, 200)
	expect("given since", links(id), 200)
}
