package bus

import (
	"context"
	"time"

	"boardorder/pkg/trace"

	"github.com/nats-io/nats.go"
	"go.opentelemetry.io/otel/attribute"
)

// senderContext is in the trace of whoever sent the message.
func senderContext(ctx context.Context, m *nats.Msg) context.Context {
	return trace.Context.Extract(ctx, carrier(m.Header))
}

// recordQueue enters how long a message lay in its stream until a consumer began with it.
func recordQueue(ctx context.Context, consumer string, m *nats.Msg, begun time.Time) {
	if meta, err := m.Metadata(); err == nil {
		trace.Record(ctx, "queue "+consumer, meta.Timestamp, begun, nil, attribute.Int64("delivery", int64(meta.NumDelivered)))
	}
}
