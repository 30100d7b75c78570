package client

import (
	"archive/zip"
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestUploadPaths(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		full := filepath.Join(dir, filepath.FromSlash(name))
		err := os.MkdirAll(filepath.Dir(full), 0o755)
		if err == nil {
			err = os.WriteFile(full, []byte(text), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		return full
	}
	a, b := write("a/top.gbr", "a"), write("b/top.gbr", "b")
	write("c/board.gtl", "c")
	write("c/.env", "secret")
	if err := os.Symlink(write("secret", "secret"), filepath.Join(dir, "c", "link.gbr")); err != nil {
		t.Skipf("skipped: no symbolic links here: %v", err)
	}
	sent := map[string][]byte{}
	var order []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		form, err := r.MultipartReader()
		for err == nil {
			part, next := form.NextPart()
			if next != nil {
				break
			}
			sent[part.FileName()], err = io.ReadAll(part)
			order = append(order, part.FileName())
		}
		w.WriteHeader(http.StatusCreated)
		io.WriteString(w, `{"ok":true,"upload_id":"up_1"}`) //nolint:errcheck // a test's reply
	}))
	t.Cleanup(server.Close)
	c, err := New(server.URL, "bo_test_1")
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(dir, "c")
	upload, err := c.UploadPaths(t.Context(), []string{a, b, folder, folder})
	if want := []string{"top.gbr", "top-2.gbr", "design.zip", "design-2.zip"}; err != nil || upload.UploadID != "up_1" || !slices.Equal(order, want) || string(sent["top-2.gbr"]) != "b" {
		t.Fatalf("%v, %v, sent %q; want %q", upload, err, order, want)
	}
	if !bytes.Equal(sent["design.zip"], sent["design-2.zip"]) {
		t.Error("the same folder is packed into other bytes")
	}
	packed, err := zip.NewReader(bytes.NewReader(sent["design.zip"]), int64(len(sent["design.zip"])))
	if err != nil || len(packed.File) != 1 || packed.File[0].Name != "board.gtl" {
		t.Errorf("the folder is packed as %+v, %v; want board.gtl alone", packed, err)
	}
	if _, err := c.UploadPaths(t.Context(), []string{filepath.Join(dir, "none")}); err == nil {
		t.Error("a path that is not there is sent")
	}
}

func TestKeysGoNowhereInTheClear(t *testing.T) {
	t.Parallel()
	for address, fine := range map[string]bool{
		"https://api.example.com": true, "https://api.example.com/base/": true, "http://127.0.0.1:8080": true, "http://[::1]:1": true, "http://localhost": true,
		"http://api.example.com": false, "http://127.0.0.1.example.com": false, "https://user:password@api.example.com": false, "ftp://x": false, "api.example.com": false, "": false, "https://x?y=1": false,
	} {
		if _, err := New(address, "bo_test_1"); (err == nil) != fine {
			t.Errorf("New(%q): %v, want it taken: %v", address, err, fine)
		}
	}
	for _, key := range []string{"", " ", "a\nb", "ключ"} {
		if _, err := New("https://api.example.com", key); err == nil {
			t.Errorf("the key %q is taken", key)
		}
	}
}

// A redirect is not followed: the key would go along.
func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { t.Errorf("the redirect was followed with %v", r.Header) }))
	t.Cleanup(elsewhere.Close)
	server := httptest.NewServer(http.RedirectHandler(elsewhere.URL, http.StatusTemporaryRedirect))
	t.Cleanup(server.Close)
	c, err := New(server.URL, "bo_test_1")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.CheckKey(t.Context()); classOfError(err) != string(Protocol) {
		t.Errorf("a redirect: %v, want the class protocol", err)
	}
}
