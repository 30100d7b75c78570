package peers

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/stripe/stripe-mock/embedded"
	"github.com/stripe/stripe-mock/server"
)

// StartStripe returns the address of stripe-mock, which holds every call against
// Stripe's OpenAPI description and answers with samples: it keeps nothing.
func StartStripe(t testing.TB) string {
	t.Helper()
	mock, err := stripeMock()
	if err != nil {
		t.Fatalf("start stripe-mock: %v", err)
	}
	s := httptest.NewServer(http.HandlerFunc(mock.HandleRequest))
	t.Cleanup(s.Close)
	return s.URL
}

var stripeMock = sync.OnceValues(func() (*server.StubServer, error) {
	spec, err := server.LoadSpec(embedded.OpenAPISpec, "")
	if err != nil {
		return nil, err
	}
	fixtures, err := server.LoadFixtures(embedded.OpenAPIFixtures, "")
	if err != nil {
		return nil, err
	}
	return server.NewStubServer(fixtures, spec, false, false)
})
