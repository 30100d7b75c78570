// Package trace tells what a request spends its time on, as spans of
// OpenTelemetry, and names the trace in log lines. Package run decides whether
// spans are exported.
package trace

import (
	"context"
	"net/http"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	semconv "go.opentelemetry.io/otel/semconv/v1.37.0"
	"go.opentelemetry.io/otel/trace"
	"go.uber.org/zap"
)

// Context is what travels in headers: traceparent and tracestate of W3C.
var Context = propagation.TraceContext{}

const scope = "boardorder"

// Start begins a span in the trace of ctx. end ends it, with the error that it
// ended with.
func Start(ctx context.Context, name string, about ...attribute.KeyValue) (_ context.Context, end func(error)) {
	return begin(ctx, name, trace.SpanKindInternal, about)
}

// Handle begins the span of a message that is handled, as Start does.
func Handle(ctx context.Context, name string, about ...attribute.KeyValue) (_ context.Context, end func(error)) {
	return begin(ctx, name, trace.SpanKindConsumer, about)
}

func begin(ctx context.Context, name string, kind trace.SpanKind, about []attribute.KeyValue) (context.Context, func(error)) {
	ctx, span := otel.Tracer(scope).Start(ctx, name, trace.WithAttributes(about...), trace.WithSpanKind(kind))
	return ctx, func(err error) { finish(span, err) }
}

// Record enters a span that is over, such as a time in a queue.
func Record(ctx context.Context, name string, from, to time.Time, err error, about ...attribute.KeyValue) {
	if !trace.SpanContextFromContext(ctx).IsSampled() {
		return
	}
	_, span := otel.Tracer(scope).Start(ctx, name, trace.WithTimestamp(from), trace.WithAttributes(about...))
	finish(span, err, trace.WithTimestamp(to))
}

func finish(span trace.Span, err error, opts ...trace.SpanEndOption) {
	if err != nil {
		span.RecordError(err)
		span.SetStatus(codes.Error, err.Error())
	}
	span.End(opts...)
}

// ID names the trace of ctx in a log line.
func ID(ctx context.Context) zap.Field {
	if id := trace.SpanContextFromContext(ctx); id.HasTraceID() {
		return zap.Stringer("trace_id", id.TraceID())
	}
	return zap.Skip()
}

// Transport gives each request to another's server a span that names its method,
// host and status. Path and query may hold what is secret and stay out of it; the
// server is not told the trace.
func Transport(next http.RoundTripper) http.RoundTripper { return transport{next} }

type transport struct{ next http.RoundTripper }

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, span := otel.Tracer(scope).Start(r.Context(), r.Method+" "+r.URL.Hostname(), trace.WithSpanKind(trace.SpanKindClient),
		trace.WithAttributes(semconv.HTTPRequestMethodKey.String(r.Method), semconv.ServerAddress(r.URL.Hostname())))
	resp, err := t.next.RoundTrip(r.WithContext(ctx))
	if err != nil {
		span.SetStatus(codes.Error, "no response") // the error names the whole address
	} else {
		span.SetAttributes(semconv.HTTPResponseStatusCode(resp.StatusCode))
		if resp.StatusCode >= http.StatusInternalServerError {
			span.SetStatus(codes.Error, resp.Status)
		}
	}
	span.End()
	return resp, err
}
