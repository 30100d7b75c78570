package bus_test

import (
	"context"
	"testing"

	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/flow"

	"go.opentelemetry.io/otel/trace"
)

// TestTraceTravels: what a handler does belongs to the trace of whoever sent
// the command.
func TestTraceTravels(t *testing.T) {
	t.Parallel()
	b := bustest.Start(t)
	seen := make(chan trace.TraceID, 1)
	bustest.Go(t, func(ctx context.Context) error {
		return b.Serve(ctx, bus.Work{Service: "upload", Handlers: flow.Handlers{name: func(ctx context.Context, _ contract.Command) error {
			seen <- trace.SpanContextFromContext(ctx).TraceID()
			return nil
		}}})
	})
	sent := trace.NewSpanContext(trace.SpanContextConfig{TraceID: trace.TraceID{1, 2, 3}, SpanID: trace.SpanID{4}, TraceFlags: trace.FlagsSampled})
	if err := b.Send(trace.ContextWithSpanContext(t.Context(), sent), command("traced")); err != nil {
		t.Fatal(err)
	}
	if got := <-seen; got != sent.TraceID() {
		t.Errorf("handled in trace %s, want that in which it was sent, %s", got, sent.TraceID())
	}
}
