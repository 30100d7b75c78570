package webhooks

import (
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract/webhooks"
)

// TestDeliveriesAreSignedByKey: an endpoint that wants it so has deliveries signed by ed25519 as the
// specification says, by the old pair too while that is replaced, and by no secret.
func TestDeliveriesAreSignedByKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	type delivery struct {
		header http.Header
		body   string
	}
	came := make(chan delivery, 10)
	s := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		body, err := io.ReadAll(in.Body)
		if err != nil {
			t.Error(err)
		}
		came <- delivery{in.Header, string(body)}
		out.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	w.start()
	id := w.create(s.URL, func(d *webhooks.CreateData) { d.Signature = webhooks.Ed25519 })
	// verified are the generations of the pairs of which a signature of the next delivery is.
	verified := func() (generations []int, signatures int) {
		t.Helper()
		w.tell(owner, "o")
		d := <-came
		text := fmt.Sprintf("%s.%s.%s", d.header.Get("Webhook-Id"), d.header.Get("Webhook-Timestamp"), d.body)
		all := strings.Fields(d.header.Get("Webhook-Signature"))
		for generation := 1; generation <= 3; generation++ {
			pair, ok := w.secrets.WebhookSigningKey(w.secrets.MasterID(), id, generation)
			if !ok {
				t.Fatalf("there is no pair %d", generation)
			}
			for _, one := range all {
				version, code, _ := strings.Cut(one, ",")
				signature, err := base64.StdEncoding.DecodeString(code)
				if version == "v1a" && err == nil && ed25519.Verify(pair.Public().(ed25519.PublicKey), []byte(text), signature) {
					generations = append(generations, generation)
				}
			}
		}
		return generations, len(all)
	}
	rotate := func(overlap time.Duration) {
		t.Helper()
		if err := w.command(webhooks.Rotate, owner, webhooks.RotateData{Endpoint: id, Master: w.secrets.MasterID(), Overlap: overlap}); err != nil {
			t.Fatal(err)
		}
	}
	if got, n := verified(); !slices.Equal(got, []int{1}) || n != 1 {
		t.Errorf("signed by the pairs %v with %d signatures, want the first alone", got, n)
	}
	rotate(time.Hour)
	bustest.WaitFor(t, "both pairs", func() bool { got, n := verified(); return slices.Equal(got, []int{1, 2}) && n == 2 })
	rotate(0)
	bustest.WaitFor(t, "the third pair alone", func() bool { got, n := verified(); return slices.Equal(got, []int{3}) && n == 1 })
}
