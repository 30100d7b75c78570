package trace_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"boardorder/pkg/trace"

	"go.opentelemetry.io/otel"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	oteltrace "go.opentelemetry.io/otel/trace"
)

// TestTransport: a call of another's server is seen, its path, its query and what it
// answers are not, and the server is not told the trace.
func TestTransport(t *testing.T) {
	spans := tracetest.NewInMemoryExporter()
	otel.SetTracerProvider(sdk.NewTracerProvider(sdk.WithSyncer(spans)))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Traceparent") != "" || r.Header.Get("Baggage") != "" {
			t.Errorf("the server is told %v, want no trace and no baggage", r.Header)
		}
		w.WriteHeader(map[string]int{"/down": http.StatusBadGateway}[r.URL.Path] + map[string]int{"/up/s3cret": http.StatusOK}[r.URL.Path])
	}))
	t.Cleanup(server.Close)
	client := http.Client{Transport: trace.Transport(http.DefaultTransport)}
	for path, failed := range map[string]bool{"/up/s3cret?key=s3cret": false, "/down?key=s3cret": true} {
		spans.Reset()
		resp, err := client.Get(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		got := spans.GetSpans()
		if len(got) != 1 || got[0].Name != "GET 127.0.0.1" || (got[0].Status.Code.String() == "Error") != failed {
			t.Errorf("GET %s: spans %v, want one of GET 127.0.0.1, failed %t", path, got, failed)
		}
		for _, a := range got[0].Attributes {
			if strings.Contains(a.Value.String(), "s3cret") || strings.Contains(a.Value.String(), "/") {
				t.Errorf("GET %s: attribute %s = %q, want nothing of the address", path, a.Key, a.Value.String())
			}
		}
	}
	spans.Reset()
	server.Close()
	if _, err := client.Get(server.URL + "/up?key=s3cret"); err == nil {
		t.Fatal("a server that is gone answered")
	}
	for _, s := range spans.GetSpans() {
		if s.Status.Code.String() != "Error" || strings.Contains(s.Status.Description, "s3cret") || len(s.Events) > 0 {
			t.Errorf("a server that is gone: %v %v, want an error without the address", s.Status, s.Events)
		}
	}
}

func TestID(t *testing.T) {
	t.Parallel()
	sent := oteltrace.NewSpanContext(oteltrace.SpanContextConfig{TraceID: oteltrace.TraceID{0xab}, SpanID: oteltrace.SpanID{1}})
	if f := trace.ID(oteltrace.ContextWithSpanContext(t.Context(), sent)); f.Key != "trace_id" || !strings.HasPrefix(f.Interface.(interface{ String() string }).String(), "ab00") {
		t.Errorf("ID in trace %s = %v, want trace_id of it", sent.TraceID(), f)
	}
	if f := trace.ID(context.Background()); f.Key != "" {
		t.Errorf("ID outside of a trace = %v, want none", f)
	}
}
