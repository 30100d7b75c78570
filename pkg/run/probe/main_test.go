package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestAsk(t *testing.T) {
	t.Parallel()
	served := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/readyz" {
			http.Error(w, "broker: no answer", http.StatusServiceUnavailable)
		}
	}))
	defer served.Close()
	if err := ask(served.URL + "/readyz"); err != nil {
		t.Errorf("ready: %v", err)
	}
	if err := ask(served.URL + "/else"); err == nil || !strings.Contains(err.Error(), "broker: no answer") {
		t.Errorf("not ready: %v; want what the service said", err)
	}
	served.Close()
	if err := ask(served.URL + "/readyz"); err == nil {
		t.Error("nobody there: no error")
	}
}
