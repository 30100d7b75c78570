package edge_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/uploads"

	"github.com/google/go-cmp/cmp"
)

func TestUploadIsStoredAndShown(t *testing.T) {
	t.Parallel()
	w := start(t)
	up := w.upload(file{"top.gbr", "G04*"}, file{`C:\Users\me\board.zip`, "zip"}, file{"", ""})
	if diff := cmp.Diff([]any{"top.gbr", "board.zip"}, up["files"]); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	id, _ := up["upload_id"].(string)
	if len(id) > 64 || !strings.HasPrefix(id, "up_") || up["ok"] != true || up["expires_in_minutes"] != 120.0 {
		t.Errorf("upload = %v, want an id of up_ and 64 characters at most, ok, 120 minutes", up)
	}
	for _, name := range []string{"expires_at", "quote_takes", "command", "upload_url"} {
		if s, _ := up[name].(string); s == "" {
			t.Errorf("%s is empty", name)
		}
	}
	shown := w.get("/v1/uploads/" + id)
	if m := shown.json(t); shown.status != 200 || m["reading"] != true || m["upload_id"] != id {
		t.Errorf("GET = %d %s, want 200, being read, %s", shown.status, shown.body, id)
	}
	up2 := w.commandsOf(uploads.AddFiles)[0]
	var digest string
	for _, doc := range []string{contract.SecretRef(id)} {
		d, err := w.docs.Get(t.Context(), "upload", doc)
		if err != nil {
			t.Fatal(err)
		}
		digest = textBetween(string(d.Body), `"digest":"`, `"`)
	}
	w.put(contract.BoardAggregate, digest, boards.ReadFiles{Digest: digest, Files: []boards.FileClass{{Name: "top.gbr", Role: "copper", Why: "its name", Confidence: 0.9}}})
	m := w.get("/v1/uploads/" + id).json(t)
	if m["reading"] != false || len(m["classified"].([]any)) != 1 {
		t.Errorf("after reading: %v, want it read, one file classified", m)
	}
	if strings.Contains(string(up2.Data), id) {
		t.Error("the command holds the secret upload_id")
	}
}

func textBetween(s, before, after string) string {
	_, s, _ = strings.Cut(s, before)
	s, _, _ = strings.Cut(s, after)
	return s
}

func TestUploadWithoutFilesGivesTheLink(t *testing.T) {
	t.Parallel()
	w := start(t)
	a := w.do("POST", "/v1/uploads", nil)
	m := a.json(t)
	if a.status != 201 || len(m["files"].([]any)) != 0 {
		t.Fatalf("POST without files = %d %s, want 201 without files", a.status, a.body)
	}
	if n := len(w.commandsOf(uploads.Create)); n != 1 {
		t.Errorf("%d uploads created, want 1", n)
	}
	body, kind := form(t, file{"late.gbr", "G04*"})
	added := w.do("POST", m["upload_url"].(string), body, "Content-Type", kind, "X-API-Key", "")
	r := added.json(t)
	if added.status != 200 || r["upload_id"] != nil || r["upload_url"] != nil || r["command"] != nil || !cmp.Equal(r["files"], []any{"late.gbr"}) {
		t.Errorf("POST upload_url = %d %s, want 200 with late.gbr, and neither id, link nor command", added.status, added.body)
	}
	if added.header.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("Access-Control-Allow-Origin is %q, want *: browsers send files to the link", added.header.Get("Access-Control-Allow-Origin"))
	}
}

// The link takes files; it must not show what else the upload holds.
func TestLinkTellsOnlyOfWhatItTook(t *testing.T) {
	t.Parallel()
	w := start(t)
	url := w.upload(file{"secret-project.gbr", "G04*"})["upload_url"].(string)
	body, kind := form(t, file{"more.gbr", "G04*"})
	a := w.do("POST", url, body, "Content-Type", kind, "X-API-Key", "")
	if a.status != 200 || strings.Contains(string(a.body), "secret-project") || !strings.Contains(string(a.body), "more.gbr") {
		t.Errorf("POST upload_url = %d %s, want 200 with more.gbr alone", a.status, a.body)
	}
	if got := w.get(url); got.status != 405 || !strings.Contains(got.header.Get("Allow"), "POST") {
		t.Errorf("GET upload_url = %d, Allow %q, want 405, POST", got.status, got.header.Get("Allow"))
	}
	if got := w.do("OPTIONS", url, nil); got.status != 204 || got.header.Get("Access-Control-Allow-Methods") == "" {
		t.Errorf("OPTIONS upload_url = %d, methods %q; want 204, some", got.status, got.header.Get("Access-Control-Allow-Methods"))
	}
}

func TestLinksEnd(t *testing.T) {
	t.Parallel()
	w := start(t)
	url := w.upload(file{"a.gbr", "x"})["upload_url"].(string)
	post := func(url string) answer {
		body, kind := form(t, file{"b.gbr", "x"})
		return w.do("POST", url, body, "Content-Type", kind)
	}
	other := "AA"
	if strings.HasSuffix(url, other) {
		other = "BA"
	}
	if a := post(url[:len(url)-2] + other); a.status != 403 || a.code(t) != "link_invalid" {
		t.Errorf("altered link = %d %s, want 403 link_invalid", a.status, a.body)
	}
	w.advance(2*time.Hour - time.Minute)
	if a := post(url); a.status != 200 {
		t.Errorf("a link of nearly two hours = %d %s, want 200", a.status, a.body)
	}
	w.advance(time.Minute + time.Second)
	if a := post(url); a.status != 410 || a.code(t) != "link_expired" {
		t.Errorf("old link = %d %s, want 410 link_expired", a.status, a.body)
	}
}

func TestUploadRefusals(t *testing.T) {
	t.Parallel()
	w := start(t)
	many := make([]file, 21)
	for i := range many {
		many[i] = file{fmt.Sprint(i, ".gbr"), "x"}
	}
	plain := func(field, value string) (string, string) {
		return "--b\r\nContent-Disposition: form-data; name=\"" + field + "\"\r\n\r\n" + value + "\r\n--b--\r\n", "multipart/form-data; boundary=b"
	}
	tests := map[string]struct {
		status int
		code   string
		body   func() (string, string)
	}{
		"21 files":       {422, "too_many_files", func() (string, string) { return read(form(t, many...)) }},
		"one over 50 MB": {413, "upload_too_large", func() (string, string) { return read(form(t, file{"big", strings.Repeat("x", 50<<20+1)})) }},
		"not a form":     {415, "unsupported_media_type", func() (string, string) { return "{}", "application/json" }},
		"no boundary":    {415, "unsupported_media_type", func() (string, string) { return "x", "multipart/form-data" }},
		"cut short":      {400, "invalid_request", func() (string, string) { b, k := read(form(t, file{"a", "xxxx"})); return b[:len(b)-30], k }},
		"endless header": {400, "invalid_request", func() (string, string) {
			return "--b\r\nX: " + strings.Repeat("y", 1<<20), "multipart/form-data; boundary=b"
		}},
		"other field": {422, "invalid_request", func() (string, string) {
			b, k := read(form(t, file{"a", "x"}))
			return strings.Replace(b, `name="files"`, `name="upload"`, 1), k
		}},
		"nameless file":    {422, "invalid_request", func() (string, string) { return read(form(t, file{"", "content"})) }},
		"files as text":    {422, "invalid_request", func() (string, string) { return plain("files", "content") }},
		"ITAR in the form": {422, "itar_not_supported", func() (string, string) { return plain("itar", "true") }},
		"refused behind":   {422, "unreadable_archive", func() (string, string) { return read(form(t, file{"a.bad", "x"})) }},
	}
	for name, tt := range tests {
		body, kind := tt.body()
		a := w.do("POST", "/v1/uploads", strings.NewReader(body), "Content-Type", kind)
		if a.status != tt.status || a.code(t) != tt.code || a.json(t)["ok"] != false {
			t.Errorf("%s: %d %s; want %d %s", name, a.status, a.body, tt.status, tt.code)
		}
	}
	left := w.blobKeys()
	if len(left) != 1 { // the one that went behind is the other service's to remove
		t.Errorf("left in the store: %v, want one", left)
	}
}

func read(r io.Reader, kind string) (string, string) {
	b, _ := io.ReadAll(r)
	return string(b), kind
}

func TestUploadOfOthersIsUnknown(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.put(contract.UploadAggregate, contract.SecretRef("up_theirs"), uploads.Upload{Account: "acc_other", Status: uploads.Open, ExpiresAt: w.now().Add(time.Hour)})
	theirs, none := w.get("/v1/uploads/up_theirs"), w.get("/v1/uploads/up_none")
	if theirs.status != 404 || string(theirs.body) != string(none.body) {
		t.Errorf("another's upload = %d %s, want 404 and as one that is not there: %s", theirs.status, theirs.body, none.body)
	}
}

func TestExpiredUploadIsGone(t *testing.T) {
	t.Parallel()
	w := start(t)
	id := w.uploadID()
	w.advance(6*time.Hour + time.Second)
	if a := w.get("/v1/uploads/" + id); a.status != 410 || a.code(t) != "upload_expired" {
		t.Errorf("GET = %d %s, want 410 upload_expired", a.status, a.body)
	}
	a := w.post("/v1/quotes", `{"upload_id":"`+id+`","quantity":5}`)
	if a.status != 410 || a.code(t) != "upload_expired" {
		t.Errorf("quote = %d %s, want 410 upload_expired", a.status, a.body)
	}
}

// The command is pasted into a shell by people: it must work as it stands.
func TestCommandWorksInAShell(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"sh", "tar", "curl"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("needs " + tool)
		}
	}
	w := start(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "it's a board.gbr"), []byte("G04*"), 0o600); err != nil {
		t.Fatal(err)
	}
	up := w.do("POST", "/v1/uploads", nil).json(t)
	cmd := exec.CommandContext(t.Context(), "sh", "-c", up["command"].(string))
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), `"files":["design.tgz"]`) {
		t.Fatalf("%s\n%v\n%s\nwant one file, design.tgz", up["command"], err, out)
	}
}

// However large the files, the edge only passes them on.
func TestLargeUploadsStreamThrough(t *testing.T) {
	t.Parallel()
	w := start(t)
	r, pw := io.Pipe()
	const size = 40 << 20
	go func() {
		for i := range 2 {
			fmt.Fprintf(pw, "--b\r\nContent-Disposition: form-data; name=\"files\"; filename=\"f%d\"\r\n\r\n", i)
			for range size >> 20 {
				_, _ = pw.Write(make([]byte, 1<<20))
			}
			fmt.Fprint(pw, "\r\n")
		}
		fmt.Fprint(pw, "--b--\r\n")
		_ = pw.Close()
	}()
	a := w.do("POST", "/v1/uploads", r, "Content-Type", "multipart/form-data; boundary=b")
	if a.status != 201 {
		t.Errorf("POST = %d %s, want 201", a.status, a.body)
	}
}

func TestUploadTooLargeInAllIsRefusedWithoutReadingIt(t *testing.T) {
	t.Parallel()
	w := start(t)
	r, pw := io.Pipe()
	go func() {
		fmt.Fprint(pw, "--b\r\nContent-Disposition: form-data; name=\"files\"; filename=\"f\"\r\n\r\n")
		for {
			if _, err := pw.Write(make([]byte, 1<<20)); err != nil {
				return
			}
		}
	}()
	defer pw.Close()
	req, err := http.NewRequestWithContext(t.Context(), "POST", w.url+"/v1/uploads", r)
	if err != nil {
		t.Fatal(err)
	}
	req.ContentLength = 200 << 20
	req.Header.Set("X-API-Key", w.key.Text)
	req.Header.Set("Content-Type", "multipart/form-data; boundary=b")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	if resp.StatusCode != 413 || !strings.Contains(string(body), "upload_too_large") {
		t.Errorf("POST = %d %s, want 413 upload_too_large", resp.StatusCode, body)
	}
}

func waitFor(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if ok() {
			return
		}
	}
	t.Fatalf("waited in vain for %s", what)
}
