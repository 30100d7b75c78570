package standalone_test

import (
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardorder/pkg/bus/bustest"
)

// listBlobs lists the blobs under a prefix, straight from the folder.
func (s *system) listBlobs(t testing.TB, prefix string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(filepath.Join(s.dir, "files", prefix), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			out = append(out, path)
		}
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return out
}

// TestUploadsExpire: when its time is over an upload cannot be used, its files
// are gone, and what a live quote needs of them is not.
func TestUploadsExpire(t *testing.T) {
	t.Parallel()
	if os.Getenv("S3_URL") != "" {
		t.Skip("looks into the embedded store")
	}
	// Ten seconds are for a quote's package, which follows the price and is made of the files.
	s := start(t, map[string]string{"UPLOAD_RETENTION": "10s", "DEMO_REQUESTS_PER_MINUTE": "1000000"})
	quoted, bare := s.upload(t, s.sample(t)), s.upload(t, s.sample(t))
	q := s.quote(t, fmt.Sprintf(`{"upload_id":%q,"quantity":5,"standard_for_unstated":true}`, quoted), http.StatusCreated)
	if len(s.listBlobs(t, "uploads")) == 0 {
		t.Fatal("the files of an upload are nowhere: the test looks in the wrong place")
	}
	for _, id := range []string{quoted, bare} {
		bustest.WaitFor(t, "410", func() bool {
			status, _ := s.do(t, http.MethodGet, "/v1/uploads/"+id, "", nil)
			return status == http.StatusGone
		})
		body := fmt.Sprintf(`{"upload_id":%q,"quantity":6,"standard_for_unstated":true}`, id)
		if status, reply := s.post(t, "/v1/quotes?wait_s=60", "application/json", strings.NewReader(body)); status != http.StatusGone {
			t.Errorf("quote of an expired upload: %d %s, want 410", status, reply)
		}
	}
	bustest.WaitFor(t, "files gone", func() bool { return len(s.listBlobs(t, "uploads"))+len(s.listBlobs(t, "staging")) == 0 })
	if len(s.listBlobs(t, "boards")) == 0 {
		t.Error("the package of a live quote is gone")
	}
	s.pay(t, q.CheckoutURL, "4242424242424242")
	var now orderState
	bustest.WaitFor(t, "ordered after the upload expired", func() bool {
		s.get(t, "/v1/quotes/"+q.QuoteID, &now)
		return now.Status == "in_production" || now.Status == "shipped"
	})
}

// TestITARDeclared: a design that is declared ITAR is refused before anything
// is looked at, and its files are gone at once.
func TestITARDeclared(t *testing.T) {
	t.Parallel()
	if os.Getenv("S3_URL") != "" {
		t.Skip("looks into the embedded store")
	}
	s := start(t, map[string]string{"DEMO_REQUESTS_PER_MINUTE": "1000000"})
	upload := s.upload(t, s.sample(t))
	ask := func(itar bool) (int, string) {
		body := fmt.Sprintf(`{"upload_id":%q,"quantity":5,"standard_for_unstated":true,"itar":%v}`, upload, itar)
		status, reply := s.post(t, "/v1/quotes?wait_s=60", "application/json", strings.NewReader(body))
		return status, string(reply)
	}
	if status, reply := ask(true); status != http.StatusUnprocessableEntity || !strings.Contains(reply, "itar_not_supported") {
		t.Errorf("ITAR quote: %d %s, want 422 itar_not_supported", status, reply)
	}
	bustest.WaitFor(t, "files gone", func() bool {
		return len(s.listBlobs(t, "uploads"))+len(s.listBlobs(t, "boards"))+len(s.listBlobs(t, "staging")) == 0
	})
	if status, reply := ask(false); status != http.StatusUnprocessableEntity || !strings.Contains(reply, "itar_not_supported") {
		t.Errorf("later quote of the same upload: %d %s, want 422 itar_not_supported", status, reply)
	}
}
