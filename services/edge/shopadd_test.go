package edge_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/uploads"
)

var addAction = regexp.MustCompile(`formaction="([^"]+)"`)

// addForm is where a board's page sends more files to.
func (w *world) addForm(page string) string {
	w.t.Helper()
	a := w.visit("GET", page, nil)
	m := addAction.FindStringSubmatch(string(a.body))
	if m == nil {
		w.t.Fatalf("GET %s: %d %s, want a form for more files", page, a.status, a.body)
	}
	return m[1]
}

// TestShopAddsFiles: more files and the old ones are another upload, whose page has all that was
// chosen; what cannot be taken is named, and the page is as it was.
func TestShopAddsFiles(t *testing.T) {
	t.Parallel()
	w := start(t, openShop(nil))
	page := w.sendToShop()
	w.readBoard(page)
	chosen := url.Values{"quantity": {"30"}, "solder_mask": {"Blue"}, "assembly": {"yes"}, "leave_off": {"R1,R2", "C3"}, "special_notes": {"Two\nlines"}, "postal_code": {""}, "go": {""}}
	send := func(page string, files []file, headers ...string) answer {
		action := w.addForm(page + "?quantity=20&solder_mask=Red&special_requirements=yes")
		w.advance(6 * time.Second)
		body, kind := formBody(t, chosen, files...)
		return w.visit("POST", action, body, append([]string{"Content-Type", kind}, headers...)...)
	}
	one := []file{{"bom.csv", "R1,10k"}}
	a := send(page, one)
	at, err := url.Parse(a.header.Get("Location"))
	if err != nil || a.status != http.StatusSeeOther || !strings.HasPrefix(at.Path, "/order/up_") || at.Path == page {
		t.Fatalf("more files: %d to %q (%v), want 303 to the page of another upload than %s: %s", a.status, a.header.Get("Location"), err, page, a.body)
	}
	want := "assembly=yes&leave_off=R1%2CR2&leave_off=C3&quantity=30&solder_mask=Blue&special_notes=Two%0Alines"
	if at.RawQuery != want {
		t.Errorf("the new page has chosen %s, want %s", at.RawQuery, want)
	}
	sent := w.commandsOf(uploads.AddFiles)
	var d uploads.AddFilesData
	if err := json.Unmarshal(sent[len(sent)-1].Data, &d); err != nil {
		t.Fatal(err)
	}
	old := contract.SecretRef(strings.TrimPrefix(page, "/order/"))
	if d.Base != old || d.Ref != contract.SecretRef(strings.TrimPrefix(at.Path, "/order/")) || d.Existing || len(d.Files) != 1 || d.Files[0].Name != "bom.csv" {
		t.Errorf("asked for %+v, want an upload of bom.csv and the files of %s", d, old)
	}
	hold(t, w.visit("GET", page, nil), 200, "lamp") // as before
	refused := send(page, []file{{"x.bad", "PK"}})
	hold(t, refused, 422, "“x.bad”: It is cut short.", `<title>Error: Your board`, `value="30"`, `value="Blue" selected`, "lamp", `formaction="`+page+`/files?`)
	if back := w.visit("GET", page+"/files?challenge=x&lang=de&quantity=30", nil); back.status != http.StatusSeeOther || back.header.Get("Location") != page+"?lang=de&quantity=30" {
		t.Errorf("the refusal in another language: %d to %q, want 303 to the board", back.status, back.header.Get("Location"))
	}
	hold(t, send(page, nil), 422, "choose the files of your board first", `value="30"`)
	body := send(page, []file{{"x.bad", "PK"}}, "Accept", "application/json").json(t)
	if words, _ := body["message"].(string); !strings.Contains(words, "“x.bad”") {
		t.Errorf("a script is told %v, want the file's name", body)
	}
	if to, _ := send(page, one, "Accept", "application/json").json(t)["location"].(string); !strings.HasPrefix(to, "/order/up_") || !strings.HasSuffix(to, want) {
		t.Errorf("a script is led to %q, want another upload's page with %s", to, want)
	}
}

// TestShopAddsFilesToItsOwn uploads alone, from whoever worked or waited for it.
func TestShopAddsFilesToItsOwn(t *testing.T) {
	t.Parallel()
	w := start(t, openShop(nil))
	page := w.sendToShop()
	one := file{"bom.csv", "R1,10k"}
	for name, tt := range map[string]struct {
		action  func() string
		wait    time.Duration
		headers []string
		status  int
		words   string
	}{
		"at once":       {func() string { return w.addForm(page) }, 0, nil, 403, "too quick for a person"},
		"no challenge":  {func() string { return page + "/files" }, time.Minute, nil, 403, "The form was incomplete"},
		"another site":  {func() string { return w.addForm(page) }, 6 * time.Second, []string{"Origin", "https://evil.example"}, 403, "another site"},
		"of a partner":  {func() string { return strings.Replace(w.addForm(page), page, "/order/"+w.uploadID(), 1) }, 6 * time.Second, nil, 404, "no board at this address"},
		"made up":       {func() string { return strings.Replace(w.addForm(page), page, "/order/up_"+strings.Repeat("a", 48), 1) }, 6 * time.Second, nil, 404, "no board at this address"},
		"a trap filled": {func() string { return w.addForm(page) }, 6 * time.Second, nil, 403, "people do not see"},
	} {
		action, fields := tt.action(), url.Values{"quantity": {"10"}}
		if name == "a trap filled" {
			fields.Set("website", "https://spam.example")
		}
		w.advance(tt.wait)
		kept := len(w.commandsOf(uploads.AddFiles))
		body, kind := formBody(t, fields, one)
		a := w.visit("POST", action, body, append([]string{"Content-Type", kind}, tt.headers...)...)
		if a.status != tt.status || !strings.Contains(string(a.body), tt.words) || len(w.commandsOf(uploads.AddFiles)) != kept {
			t.Errorf("%s: %d, want %d with %q, and no upload:\n%s", name, a.status, tt.status, tt.words, a.body)
		}
	}
	w.advance(6 * time.Hour)
	body, kind := formBody(t, url.Values{"quantity": {"10"}}, one)
	hold(t, w.visit("POST", page+"/files", body, "Content-Type", kind), 410, "These files have been deleted")
}
