package mongo

import (
	"context"
	"errors"
	"time"

	"go.mongodb.org/mongo-driver/v2/event"
	"go.opentelemetry.io/otel/attribute"

	"boardorder/pkg/trace"
)

// monitor gives each command a span. Its text holds what people wrote and stays
// out of it.
func monitor() *event.CommandMonitor {
	record := func(ctx context.Context, e event.CommandFinishedEvent, err error) {
		now := time.Now()
		trace.Record(ctx, "mongodb "+e.CommandName, now.Add(-e.Duration), now, err, attribute.String("db.system.name", "mongodb"))
	}
	return &event.CommandMonitor{
		Succeeded: func(ctx context.Context, e *event.CommandSucceededEvent) { record(ctx, e.CommandFinishedEvent, nil) },
		Failed: func(ctx context.Context, e *event.CommandFailedEvent) {
			record(ctx, e.CommandFinishedEvent, errors.New("the command failed")) // the server's words may hold values
		},
	}
}
