package cli

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"boardorder/pkg/client"

	webhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// TestWhatFailsIsForwardedAgain: an event is sent until it is taken, at the stated pauses and a bounded number of times, before the next
// one is; each try is told.
func TestWhatFailsIsForwardedAgain(t *testing.T) {
	for name, tt := range map[string]struct {
		answers []int // of the first event; the second is taken at once
		after   time.Duration
		tries   int
		last    string
	}{
		"taken":               {[]int{204}, 0, 1, "204 No Content"},
		"taken at the third":  {[]int{500, 404, 200}, 3 * time.Second, 3, "200 OK"},
		"redirects are not":   {[]int{302, 200}, time.Second, 2, "200 OK"},
		"given up and passed": {[]int{500, 500, 500, 500, 500, 500, 500}, 30 * time.Second, 6, "500 Internal Server Error  (given up)"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var ids []string
				receive := receiver
				receiver = &http.Client{CheckRedirect: receive.CheckRedirect, Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
					ids = append(ids, r.Header.Get(webhooks.HeaderWebhookID))
					rec := httptest.NewRecorder()
					rec.WriteHeader(200)
					if r.Header.Get(webhooks.HeaderWebhookID) == "evt_1" {
						rec = httptest.NewRecorder()
						rec.WriteHeader(tt.answers[len(ids)-1])
					}
					return rec.Result(), nil
				})}
				defer func() { receiver = receive }()
				signer, err := webhooks.NewWebhook(newSecret())
				if err != nil {
					t.Fatal(err)
				}
				var out bytes.Buffer
				s := &session{Env: Env{Out: &out}}
				begun := time.Now()
				s.sendUntilTaken(t.Context(), signer, "http://127.0.0.1:9/hooks", client.Event{ID: "evt_1", Type: "quote.priced"}, []byte("{}"))
				took := time.Since(begun)
				s.sendUntilTaken(t.Context(), signer, "http://127.0.0.1:9/hooks", client.Event{ID: "evt_2", Type: "quote.priced"}, []byte("{}"))
				want := append(slices.Repeat([]string{"evt_1"}, tt.tries), "evt_2")
				lines := strings.Split(strings.TrimSpace(out.String()), "\n")
				if took != tt.after || !slices.Equal(ids, want) || len(lines) != len(want) || !strings.HasSuffix(lines[tt.tries-1], tt.last) {
					t.Errorf("sent %v within %v, said\n%s\nwant %v, %v, at last %q", ids, took, out.String(), want, tt.after, tt.last)
				}
			})
		})
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
