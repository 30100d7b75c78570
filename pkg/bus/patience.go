package bus

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/zap"
)

// setupPause is between two attempts to set something up.
const setupPause = 250 * time.Millisecond

// setUp declares something to the broker, as often as it takes while the broker
// is away: services and broker may start, and start again, in any order. What
// the broker refuses is an error at once.
func setUp[T any](ctx context.Context, b *Bus, what string, do func() (T, error)) (T, error) {
	for told := false; ; {
		v, err := do()
		if err == nil || !away(err) || ctx.Err() != nil {
			return v, err
		}
		if !told {
			b.log.Warn("the broker is waited for", zap.String("to_set_up", what), zap.Error(err))
			told = true
		}
		pause(ctx, setupPause)
	}
}

// away tells whether the broker gave no answer, or that it is not ready yet.
func away(err error) bool {
	if api, ok := errors.AsType[*jetstream.APIError](err); ok {
		return api.Code == http.StatusServiceUnavailable && api.ErrorCode != jetstream.JSErrCodeJetStreamNotEnabled &&
			api.ErrorCode != jetstream.JSErrCodeJetStreamNotEnabledForAccount
	}
	for _, silence := range []error{
		context.DeadlineExceeded, nats.ErrTimeout, nats.ErrNoResponders, nats.ErrDisconnected, nats.ErrConnectionReconnecting,
		nats.ErrReconnectBufExceeded, nats.ErrStaleConnection,
	} {
		if errors.Is(err, silence) {
			return true
		}
	}
	return false
}

func (b *Bus) consumer(ctx context.Context, stream string, cfg jetstream.ConsumerConfig) (jetstream.Consumer, error) {
	return setUp(ctx, b, "consumer "+cfg.Durable, func() (jetstream.Consumer, error) {
		return b.js.CreateOrUpdateConsumer(ctx, stream, cfg)
	})
}
