package standalone_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/bus/bustest"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
)

// TestOneTraceShowsAQuote: whoever asks where a quote's time went finds it in the one
// trace of its request, with each step below the one that led to it.
func TestOneTraceShowsAQuote(t *testing.T) {
	t.Parallel()
	spans := tracetest.NewInMemoryExporter()
	otel.SetTracerProvider(trace.NewTracerProvider(trace.WithSyncer(spans), trace.WithSampler(trace.ParentBased(trace.NeverSample()))))
	s := start(t, busy)
	upload := s.upload(t, s.sample(t))
	// The upload's own reading may be over before the quote looks. One with an answer
	// is asked for by the quote, which waits for it.
	const id = "0af7651916cd43dd8448eb211c80319c"
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.BaseURL+"/v1/quotes?wait_s=60", strings.NewReader(fmt.Sprintf(`{"upload_id":%q,"quantity":10,"standard_for_unstated":true,"file_answers":{"outline":"blinker-Edge_Cuts.gbr"}}`, upload)))
	if err != nil {
		t.Fatal(err)
	}
	req.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + s.APIKey}, "Traceparent": {"00-" + id + "-b7ad6b7169203331-01"}}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, _ := io.ReadAll(resp.Body); resp.StatusCode != http.StatusCreated {
		t.Fatalf("quote: %s %s, want 201", resp.Status, body)
	}
	// Each step, and what it lies below.
	steps := map[string]string{
		"POST /v1/quotes":           "",
		"send pricing.quote":        "POST /v1/quotes",
		"wait for operation":        "POST /v1/quotes",
		"queue pricing":             "send pricing.quote",
		"pricing.quote":             "send pricing.quote",
		"load upload":               "pricing.quote",
		"append quote.priced.v1":    "pricing.quote",
		"wait":                      "send pricing.quote",
		"POST 127.0.0.1":            "pricing.quote", // the fabricator
		"queue projector":           "append quote.priced.v1",
		"projector quote.priced.v1": "append quote.priced.v1",
	}
	below := func() map[string][]string {
		names, parents := map[string]string{}, map[string][]string{}
		all := slices.DeleteFunc(spans.GetSpans(), func(s tracetest.SpanStub) bool { return s.SpanContext.TraceID().String() != id })
		for _, s := range all {
			names[s.SpanContext.SpanID().String()] = s.Name
		}
		for _, s := range all {
			parents[s.Name] = append(parents[s.Name], names[s.Parent.SpanID().String()])
		}
		return parents
	}
	bustest.WaitFor(t, "the projector's span", func() bool { return len(below()["projector quote.priced.v1"]) > 0 })
	got := below()
	for step, parent := range steps {
		if !slices.Contains(got[step], parent) {
			t.Errorf("%q lies below %q, want %q", step, got[step], parent)
		}
	}
	if t.Failed() {
		t.Logf("all spans and what they lie below: %v", got)
	}
}
