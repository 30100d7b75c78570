package edge_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/secret"

	"github.com/google/go-cmp/cmp"
)

// arriving is a world whose uploads are not unpacked before release is called, and
// whose edges do not wait for them.
func arriving(t *testing.T) (w *world, brief option, release func()) {
	t.Helper()
	brief = func(c *edgeConfig) { c.UploadTimeout = 50 * time.Millisecond }
	w = start(t, brief)
	hold := make(chan struct{})
	w.set(func() { w.unpack = hold })
	return w, brief, func() {
		w.set(func() { w.unpack = nil })
		close(hold)
	}
}

// arrive sends files that are answered before they are unpacked.
func (w *world) arrive(files ...file) (id, link string) {
	w.t.Helper()
	body, kind := form(w.t, files...)
	a := w.do("POST", "/v1/uploads", body, "Content-Type", kind)
	m := a.json(w.t)
	id, _ = m["upload_id"].(string)
	link, _ = m["upload_url"].(string)
	if a.status != 202 || m["status"] != "receiving" || id == "" || link == "" || a.header.Get("Location") != w.url+"/v1/uploads/"+id {
		w.t.Fatalf("POST = %d %s, want 202 receiving, with the upload's id, link and Location", a.status, a.body)
	}
	return id, link
}

// startAnother starts another edge on the same servers and gives the addresses of both.
func (w *world) startAnother(options ...option) []string {
	urls := []string{w.url}
	w.open(options...)
	return append(urls, w.url)
}

// Whoever was given an upload's id finds the upload, on any edge and after a
// restart, though the service that unpacks it has not begun.
func TestUploadIsKnownAsSoonAsItsIDIsGiven(t *testing.T) {
	t.Parallel()
	w, brief, release := arriving(t)
	w.set(func() { w.taken = true })
	id, _ := w.arrive(file{"top.gbr", "G04*"})
	other, test := secret.NewAPIKey(true), secret.NewAPIKey(false)
	w.putKey(other, "acc_other", accounts.DefaultScopes(), nil)
	w.putKey(test, account, accounts.DefaultScopes(), nil)

	edges := w.startAnother(brief)
	w.stop() // the second goes, and comes again on another port
	if err := <-w.stopped; err != nil {
		t.Fatal(err)
	}
	w.stopped <- nil
	w.open(brief)
	edges[1] = w.url
	for i, at := range edges {
		a := w.get(at + "/v1/uploads/" + id)
		m := a.json(t)
		if a.status != 200 || m["status"] != "receiving" || m["upload_id"] != id || m["expires_at"] != nil || !cmp.Equal(m["files"], []any{}) || a.header.Get("Retry-After") != "5" {
			t.Errorf("edge %d: GET = %d %v %s, want 200 receiving, of %s, without files and an end, again after 5 s", i, a.status, a.header, a.body, id)
		}
		if a := w.post(at+"/v1/uploads/"+id+"/revoke-links", ""); a.status != 200 || a.json(t)["status"] != "receiving" {
			t.Errorf("edge %d: new link = %d %s, want 200 receiving", i, a.status, a.body)
		}
		none := w.get(at + "/v1/uploads/" + w.secrets.NewUploadID())
		for _, key := range []secret.APIKey{other, test} {
			if a := w.get(at+"/v1/uploads/"+id, "X-API-Key", key.Text); a.status != 404 || string(a.body) != string(none.body) {
				t.Errorf("edge %d: another account's GET = %d %s; of an id that nobody was given: %s, want 404 and the same body", i, a.status, a.body, none.body)
			}
		}
		for path, body := range map[string]string{
			"/v1/quotes?wait_s=0": quoteBody(id, ""), "/v1/design-checks": fmt.Sprintf(`{"upload_id":%q,"wait_s":0}`, id),
		} {
			if a := w.post(at+path, body); a.status != 503 || a.code(t) != "upload_not_ready" || a.header.Get("Retry-After") != "5" {
				t.Errorf("edge %d: %s = %d %v %s, want 503 upload_not_ready, again after 5 s", i, path, a.status, a.header, a.body)
			}
			if a := w.post(at+path, body, "X-API-Key", test.Text); a.status != 404 || a.code(t) != "upload_not_found" {
				t.Errorf("edge %d: %s of a live upload with a test key = %d %s, want 404 upload_not_found", i, path, a.status, a.body)
			}
		}
	}
	if n := len(w.commandsOf(quotes.Price)) + len(w.commandsOf(designchecks.Check)); n != 0 {
		t.Errorf("%d commands were sent about files that are not there, want none", n)
	}
	release()
	for i, at := range edges { // nobody projects it
		bustest.WaitFor(t, "the upload is open", func() bool { return w.get(at + "/v1/uploads/" + id).json(t)["status"] == "open" })
		if m := w.get(at + "/v1/uploads/" + id).json(t); !cmp.Equal(m["files"], []any{"top.gbr"}) || m["expires_at"] == nil {
			t.Errorf("edge %d: unpacked: %v, want top.gbr, and an end", i, m)
		}
		if a := w.post(at+"/v1/quotes", quoteBody(id, "")); a.status != 201 {
			t.Errorf("edge %d: quote = %d %s, want 201", i, a.status, a.body)
		}
	}
}

// What names an upload whose files are being unpacked waits for them.
func TestFilesThatAreUnpackedAreWaitedFor(t *testing.T) {
	t.Parallel()
	w, brief, release := arriving(t)
	id, link := w.arrive(file{"top.gbr", "G04*"})
	edges := w.startAnother(brief)
	requested := make(chan answer)
	ask := func(what func() answer) { go func() { requested <- what() }() }
	for _, at := range edges {
		ask(func() answer { return w.post(at+"/v1/quotes", quoteBody(id, fmt.Sprintf(`,"project_name":%q`, at))) })
		ask(func() answer { return w.post(at+"/v1/buy-links", fmt.Sprintf(`{"upload_id":%q}`, id)) })
	}
	ask(func() answer {
		body, kind := form(t, file{"bottom.gbr", "G04 b*"})
		return w.do("POST", link, body, "Content-Type", kind, "X-API-Key", "")
	})
	select {
	case a := <-requested:
		t.Fatalf("answered before the files were there: %d %s", a.status, a.body)
	case <-time.After(100 * time.Millisecond): // nothing shall happen
	}
	release()
	got := map[int]int{}
	for range 2*len(edges) + 1 {
		a := <-requested
		got[a.status]++
		if a.status >= 300 {
			t.Errorf("a request while files are unpacked: %d %s, want it taken", a.status, a.body)
		}
	}
	if files := w.get("/v1/uploads/" + id).json(t)["files"]; got[http.StatusCreated] != 2*len(edges) || !cmp.Equal(files, []any{"top.gbr", "bottom.gbr"}) {
		t.Errorf("answers by status: %v; files: %v; want %d of 201, top.gbr and bottom.gbr", got, files, 2*len(edges))
	}
}

// Files that are refused after their upload's id was given are refused to whoever
// asks for it, with the same words as at once.
func TestUploadThatIsRefusedLaterSaysWhy(t *testing.T) {
	t.Parallel()
	w, brief, release := arriving(t)
	id, link := w.arrive(file{"board.bad", "x"})
	edges := w.startAnother(brief)
	release()
	bustest.WaitFor(t, "the files are refused", func() bool { return w.get("/v1/uploads/"+id).status != 200 })
	other := secret.NewAPIKey(true)
	w.putKey(other, "acc_other", accounts.DefaultScopes(), nil)
	for i, at := range edges {
		body, kind := form(t, file{"more.gbr", "G04*"})
		for what, a := range map[string]answer{
			"GET": w.get(at + "/v1/uploads/" + id), "quote": w.post(at+"/v1/quotes", quoteBody(id, "")),
			"design check": w.post(at+"/v1/design-checks", fmt.Sprintf(`{"upload_id":%q}`, id)),
			"link":         w.do("POST", link, body, "Content-Type", kind, "X-API-Key", ""),
		} {
			if a.status != 422 || a.code(t) != "unreadable_archive" {
				t.Errorf("edge %d: %s = %d %s, want 422 unreadable_archive", i, what, a.status, a.body)
			}
		}
		if a := w.get(at+"/v1/uploads/"+id, "X-API-Key", other.Text); a.status != 404 {
			t.Errorf("edge %d: another account's GET = %d %s, want 404", i, a.status, a.body)
		}
	}
}
