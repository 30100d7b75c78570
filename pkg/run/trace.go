package run

import (
	"context"
	"fmt"
	"os"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"
	semconv "go.opentelemetry.io/otel/semconv/v1.37.0"
)

// Tracing lets every request and command carry a trace from edge to projector,
// whose spans package trace makes.
// Spans are exported by OTLP when OTEL_EXPORTER_OTLP_ENDPOINT is set, sampled as
// OTEL_TRACES_SAMPLER says; otherwise only the ids travel. The function that it
// gives sends what is left.
func Tracing(ctx context.Context, service string) (end func(context.Context) error, err error) {
	otel.SetTextMapPropagator(propagation.NewCompositeTextMapPropagator(propagation.TraceContext{}, propagation.Baggage{}))
	opts := []trace.TracerProviderOption{
		trace.WithResource(resource.NewSchemaless(semconv.ServiceName(service))),
	}
	if os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT") == "" {
		opts = append(opts, trace.WithSampler(trace.NeverSample()))
	} else {
		exporter, err := otlptracehttp.New(ctx)
		if err != nil {
			return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_ENDPOINT: %w", err)
		}
		opts = append(opts, trace.WithBatcher(exporter))
	}
	provider := trace.NewTracerProvider(opts...)
	otel.SetTracerProvider(provider)
	return provider.Shutdown, nil
}
