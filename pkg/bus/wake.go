package bus

import (
	"context"
	"fmt"
	"strconv"

	"boardorder/pkg/contract"

	"github.com/nats-io/nats.go"
	"golang.org/x/sync/errgroup"
)

// Wake tells all who wait that the projection now holds sequence seq of an
// aggregate. It is a hint and may be lost.
func (b *Bus) Wake(a contract.Aggregate, id string, seq uint64) error {
	if err := b.nc.Publish(contract.WakeSubject(a, id), strconv.AppendUint(nil, seq, 10)); err != nil {
		return fmt.Errorf("wake %s %s: %w", a, id, err)
	}
	return nil
}

// Wakes calls do for every wake-up call for aggregates of some kinds, until ctx
// ends. do must not block.
func (b *Bus) Wakes(ctx context.Context, of []contract.Aggregate, do func(a contract.Aggregate, id string, seq uint64)) error {
	group, ctx := errgroup.WithContext(ctx)
	for _, a := range of {
		group.Go(func() error {
			return b.listen(ctx, contract.WakeSubject(a, "*"), func(m *nats.Msg) {
				a, id, ok := contract.ParseWake(m.Subject)
				if seq, err := strconv.ParseUint(string(m.Data), 10, 64); ok && err == nil {
					do(a, id, seq)
				}
			})
		})
	}
	return group.Wait()
}

// Hear calls do whenever the projection has taken in an event of the aggregate,
// until the returned function is called: a hint that it can be loaded anew.
func (b *Bus) Hear(a contract.Aggregate, id string, do func()) (stop func(), err error) {
	sub, err := b.nc.Subscribe(contract.WakeSubject(a, id), func(*nats.Msg) { do() })
	if err != nil {
		return nil, fmt.Errorf("hear %s %s: %w", a, id, err)
	}
	return func() { _ = sub.Unsubscribe() }, nil
}

func (b *Bus) listen(ctx context.Context, subject string, do func(*nats.Msg)) error {
	sub, err := b.nc.Subscribe(subject, do)
	if err != nil {
		return fmt.Errorf("subscribe %s: %w", subject, err)
	}
	if err := sub.SetPendingLimits(-1, 64<<20); err != nil {
		return fmt.Errorf("subscribe %s: %w", subject, err)
	}
	<-ctx.Done()
	_ = sub.Unsubscribe()
	return nil
}
