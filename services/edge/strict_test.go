package edge_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// raw sends bytes and gives all that comes back until the edge closes.
func (w *world) raw(request string) string {
	w.t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(w.url, "http://"))
	if err != nil {
		w.t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
	if _, err := io.WriteString(conn, request); err != nil {
		w.t.Fatal(err)
	}
	all, err := io.ReadAll(conn)
	if err != nil {
		w.t.Fatal(err)
	}
	return string(all)
}

// TestLenientRequestsNeverReachAHandler: nor does what stands behind them on
// the connection, whichever way its bodies are counted.
func TestLenientRequestsNeverReachAHandler(t *testing.T) {
	t.Parallel()
	w := start(t)
	const behind = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
	for name, head := range map[string]string{
		"two lengths":       "POST /v1/quotes HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nContent-Length: 35\r\n\r\n",
		"length and chunks": "POST /v1/quotes HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
		"two hosts":         "GET /readyz HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
		"NUL":               "GET /readyz HTTP/1.1\r\nHost: x\r\nX: \x00\r\n\r\n",
		"folded":            "GET /readyz HTTP/1.1\r\nHost: x\r\nX: y\r\n z\r\n\r\n",
		"body of a GET":     "GET /readyz HTTP/1.1\r\nHost: x\r\nContent-Length: 35\r\n\r\n",
		"lone LF":           "GET /readyz HTTP/1.1\nHost: x\n\n",
	} {
		for place, before := range map[string]string{"first": "", "second": "GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"} {
			got := w.raw(before + head + behind)
			if n := strings.Count(got, "HTTP/1.1 400"); n != 1 || !strings.Contains(got, `"error":"invalid_request"`) || !strings.Contains(got, "\r\nRequest-Id: ") {
				t.Errorf("%s, %s: %d refusals, want one of invalid_request with its id, in %.300q", name, place, n, got)
			}
			if want := strings.Count(before, "HTTP/1.1"); strings.Count(got, "HTTP/1.1 200") != want {
				t.Errorf("%s, %s: %d answers, want %d: %.300q", name, place, strings.Count(got, "HTTP/1.1 200"), want, got)
			}
		}
	}
	if log := w.logText(); strings.Contains(log, "/healthz") || strings.Contains(log, "/readyz") || !strings.Contains(log, "message refused") {
		t.Errorf("log: %s, want messages refused, and no hidden request", log)
	}
}

// TestContinueIsNotSaidToWhoeverIsRefused: the key and the length are looked at
// before a client is asked to send its body.
func TestContinueIsNotSaidToWhoeverIsRefused(t *testing.T) {
	t.Parallel()
	w := start(t)
	for name, tt := range map[string]struct{ headers, status string }{
		"no key":    {"Content-Length: 100\r\n", "401"},
		"bad key":   {"X-API-Key: bo_live_x\r\nTransfer-Encoding: chunked\r\n", "401"},
		"too large": {"X-API-Key: " + w.key.Text + "\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 999999999\r\n", "413"},
	} {
		got := w.raw("POST /v1/uploads HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n" + tt.headers + "\r\n")
		if !strings.HasPrefix(got, "HTTP/1.1 "+tt.status) || strings.Contains(got, "100 Continue") {
			t.Errorf("%s: %.200q, want %s and no 100 Continue", name, got, tt.status)
		}
	}
}

// TestRefusedBeforeTheBody: who has no key is answered although nothing, or too
// little, of what was announced comes.
func TestRefusedBeforeTheBody(t *testing.T) {
	t.Parallel()
	w := start(t)
	for name, message := range map[string]string{
		"long":           "HTTP/1.1\r\nX-API-Key: bo_live_nope\r\nContent-Length: 40000000\r\n\r\n",
		"middling":       "HTTP/1.1\r\nX-API-Key: bo_live_nope\r\nContent-Length: 60000\r\n\r\n",
		"short":          "HTTP/1.1\r\nX-API-Key: bo_live_nope\r\nContent-Length: 10\r\n\r\n",
		"begun":          "HTTP/1.1\r\nX-API-Key: bo_live_nope\r\nContent-Length: 10\r\n\r\nabc",
		"chunks":         "HTTP/1.1\r\nX-API-Key: bo_live_nope\r\nTransfer-Encoding: chunked\r\n\r\n",
		"no key":         "HTTP/1.1\r\nContent-Length: 60000\r\n\r\n",
		"an old version": "HTTP/1.0\r\nX-API-Key: bo_live_nope\r\nContent-Length: 60000\r\n\r\n",
	} {
		if got := w.raw("POST /v1/uploads " + strings.Replace(message, "\r\n", "\r\nHost: x\r\n", 1)); strings.Count(got, "HTTP/1.") != 1 || !strings.Contains(got, " 401 ") {
			t.Errorf("%s: %.200q, want one 401", name, got)
		}
	}
}

// TestBodiesOfKnownLengthAreRead: whole and in pieces, of both versions, and the
// connection stays in step.
func TestBodiesOfKnownLengthAreRead(t *testing.T) {
	t.Parallel()
	w := start(t)
	const body = `{"upload_id": 7}`
	for _, version := range []string{"HTTP/1.1", "HTTP/1.0"} {
		message := "POST /v1/quotes " + version + "\r\nHost: x\r\nConnection: keep-alive\r\nContent-Type: application/json\r\nX-API-Key: " + w.key.Text + fmt.Sprintf("\r\nContent-Length: %d\r\n\r\n", len(body)) + body
		got := w.raw(message + message + "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
		if strings.Count(got, "HTTP/1.1 422") != 2 || strings.Count(got, `"field":"upload_id"`) != 2 || strings.Count(got, "HTTP/1.1 200") != 1 {
			t.Errorf("%s: %q, want two problems of upload_id and one 200", version, got)
		}
	}
}

func TestContinueIsSaidToWhoeverIsWelcome(t *testing.T) {
	t.Parallel()
	w := start(t)
	body, kind := form(t, file{"board.gbr", strings.Repeat("G04*\n", 10_000)})
	data, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", strings.TrimPrefix(w.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
	req, err := http.NewRequestWithContext(t.Context(), "POST", w.url+"/v1/uploads", bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	req.Header = http.Header{"X-Api-Key": {w.key.Text}, "Content-Type": {kind}, "Expect": {"100-continue"}}
	var head bytes.Buffer
	if err := req.Write(&head); err != nil {
		t.Fatal(err)
	}
	end := bytes.Index(head.Bytes(), []byte("\r\n\r\n")) + 4
	r := bufio.NewReader(conn)
	for range 2 { // the connection stays in step
		if _, err := conn.Write(head.Bytes()[:end]); err != nil {
			t.Fatal(err)
		}
		if line, err := r.ReadString('\n'); err != nil || line != "HTTP/1.1 100 Continue\r\n" {
			t.Fatalf("first line %q, %v", line, err)
		}
		_, _ = r.ReadString('\n')
		if _, err := conn.Write(data); err != nil {
			t.Fatal(err)
		}
		resp, err := http.ReadResponse(r, req)
		if err != nil || resp.StatusCode != 201 {
			t.Fatalf("reply %v, %v", resp, err)
		}
		_, _ = io.Copy(io.Discard, resp.Body)
	}
}
