package standalone_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"

	"boardorder/pkg/bus/bustest"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// receiver is a webhook endpoint of a partner's on this machine: it judges what comes by the
// specification's own library.
type receiver struct {
	mu    sync.Mutex
	judge *standardwebhooks.Webhook
	types []string
	wrong []error
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, in *http.Request) {
	body, err := io.ReadAll(in.Body)
	r.mu.Lock()
	defer r.mu.Unlock()
	var event struct{ Type string }
	if err == nil && r.judge == nil { // the reply with the secret is on its way
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	if err == nil {
		err = r.judge.Verify(body, in.Header)
	}
	if err == nil {
		err = json.Unmarshal(body, &event)
	}
	if err != nil {
		r.wrong = append(r.wrong, err)
	}
	r.types = append(r.types, event.Type)
	w.WriteHeader(http.StatusNoContent)
}

func (r *receiver) has(types ...string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return !slices.ContainsFunc(types, func(want string) bool { return !slices.Contains(r.types, want) })
}

// watchEvents has a webhook endpoint of the account on this machine, which a test event has
// reached.
func (s *searched) watchEvents(t *testing.T) (*receiver, string) {
	t.Helper()
	r := &receiver{}
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	made := s.call(t, "/v1/webhook-endpoints", fmt.Sprintf(`{"url":%q,"types":["*"]}`, server.URL))
	endpoint, _ := made.m["endpoint"].(map[string]any)
	judge, err := standardwebhooks.NewWebhook(made.str("secret"))
	if err != nil || endpoint == nil {
		t.Fatalf("make a webhook endpoint: %d %s, %v", made.status, made.text, err)
	}
	r.mu.Lock()
	r.judge = judge
	r.mu.Unlock()
	id := fmt.Sprint(endpoint["endpoint_id"])
	s.call(t, "/v1/webhook-endpoints/"+id+"/test", `{}`)
	bustest.WaitFor(t, "the test event", func() bool { return r.has("webhook_endpoint.test") })
	return r, id
}

// checkEvents holds what came to a webhook endpoint to what was done.
func (s *searched) checkEvents(t *testing.T, r *receiver, id string) {
	t.Helper()
	bustest.WaitFor(t, "all that was done to be told", func() bool {
		return r.has("quote.priced", "order.paid", "order.placed", "order.shipped", "order.refunded", "design_check.finished", "formal_order.accepted")
	})
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, err := range r.wrong {
		t.Errorf("the specification's library refused a delivery: %v", err)
	}
	list, _ := s.getObject(t, "/v1/webhook-endpoints/"+id+"/deliveries")["deliveries"].([]any)
	if len(list) == 0 {
		t.Error("no delivery is listed")
	}
}
