package edge_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract/accounts"
	"boardorder/services/edge/internal/limit"
)

// slowly begins an upload that brings nothing of its body.
func (w *world) slowly(key string) *bufio.Reader {
	w.t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(w.url, "http://"))
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
	_, err = io.WriteString(conn, "POST /v1/uploads HTTP/1.1\r\nHost: x\r\nX-API-Key: "+key+
		"\r\nContent-Type: multipart/form-data; boundary=b\r\nExpect: 100-continue\r\nContent-Length: 1000\r\n\r\n")
	if err != nil {
		w.t.Fatal(err)
	}
	return bufio.NewReader(conn)
}

// TestSlowUploadsTakePlacesOfTheirOwnKeyOnly: one key holds as many forms as
// it may; the next gets the time to come again, and another key is served.
func TestSlowUploadsTakePlacesOfTheirOwnKeyOnly(t *testing.T) {
	t.Parallel()
	w := start(t, func(c *edgeConfig) { c.MaxUploads = 12 })
	slow := newKey(w, "acc_slow", accounts.DefaultScopes(), nil)
	for range limit.UploadsInHand.Max {
		// 100 is said once the form has its place.
		if line, err := w.slowly(slow.Text).ReadString('\n'); err != nil || !strings.Contains(line, "100") {
			t.Fatalf("a form that waits for 100: %q, %v; want 100 Continue", line, err)
		}
	}
	resp, err := http.ReadResponse(w.slowly(slow.Text), nil)
	if err != nil || resp.StatusCode != 429 || resp.Header.Get("Retry-After") == "" {
		t.Errorf("one form too many: %v, %v", resp, err)
	} else if body, _ := io.ReadAll(resp.Body); !strings.Contains(string(body), `"retry_after_s":5`) {
		t.Errorf("one form too many: %s, want retry_after_s of 5", body)
	}
	w.upload(file{"board.gbr", "G04*"})
}

func TestUploadsOfAKeyAreCounted(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.key = newKey(w, account, accounts.DefaultScopes(), map[string]int{"uploads": 2, "upload-megabytes": 6})
	up := w.upload(file{"a.gbr", "x"})
	for link := 0; link < 2; link++ { // what comes by a link is no new upload
		body, kind := form(t, file{"b.gbr", "x"})
		if a := w.do("POST", up["upload_url"].(string), body, "Content-Type", kind); a.status != 200 {
			t.Errorf("by link: %d %s, want 200", a.status, a.body)
		}
	}
	large := strings.Repeat("x", 5<<20)
	body, kind := form(t, file{"large.gbr", large})
	a := w.do("POST", "/v1/uploads", body, "Content-Type", kind)
	if a.status != 429 || a.code(t) != "rate_limited" || a.header.Get("Retry-After") != fmt.Sprint(a.json(t)["retry_after_s"]) || !strings.Contains(string(a.body), "MB") {
		t.Errorf("more than the day's bytes: %d %v %s, want 429 rate_limited in MB, with Retry-After as in the body", a.status, a.header, a.body)
	}
	if n := len(w.blobKeys()); n != 3 {
		t.Errorf("%d files are kept, want 3", n)
	}
	if a := w.do("POST", "/v1/uploads", nil); a.status != 429 || !strings.Contains(string(a.body), "2 uploads") {
		t.Errorf("more uploads than there may be: %d %s, want 429 of 2 uploads", a.status, a.body)
	}
}

// TestWaitsOfAKeyAreBounded: whoever lets requests wait holds places of its
// own, and its reply says so.
func TestWaitsOfAKeyAreBounded(t *testing.T) {
	t.Parallel()
	w := start(t)
	id := w.uploadID()
	hold := make(chan struct{})
	w.set(func() { w.hold = hold })
	greedy := newKey(w, account, accounts.DefaultScopes(), map[string]int{"in-hand": 3})
	own := w.key
	w.key = greedy
	done := make(chan int, 3)
	for i := range 3 {
		go func() { done <- w.postOnly("/v1/quotes?wait_s=100", quoteBody(id, fmt.Sprintf(`,"layers":%d`, i+1))) }()
	}
	waitFor(t, "three to wait", func() bool { return w.edge.WaitingForTest() == 3 }) // asking would take a place from them
	a := w.get("/v1/capabilities")
	if a.code(t) != "rate_limited" || a.header.Get("Retry-After") == "" || a.json(t)["retry_after_s"] == nil {
		t.Errorf("one too many: %v %s, want rate_limited with Retry-After and retry_after_s", a.header, a.body)
	}
	w.key = own
	if a := w.get("/v1/capabilities"); a.status != 200 {
		t.Errorf("another key: %d, want 200", a.status)
	}
	close(hold)
	for range 3 {
		if status := <-done; status != 201 {
			t.Errorf("a request that waited: %d, want 201", status)
		}
	}
	w.key = greedy
	waitFor(t, "the places to be free", func() bool { return w.get("/v1/capabilities").status == 200 })
}

// TestPublicAddressesAreCounted: pictures, reports and notices, by network.
func TestPublicAddressesAreCounted(t *testing.T) {
	t.Parallel()
	w := start(t)
	for method, path := range map[string]string{"GET": "/board-images/x.png", "POST": "/webhooks/card"} {
		refused := false
		for range 1300 {
			a := w.do(method, path, nil)
			if refused = a.status == 429 && a.header.Get("Retry-After") != ""; refused {
				break
			}
		}
		if !refused {
			t.Errorf("%s is not counted", path)
		}
	}
}
