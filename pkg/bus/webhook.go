package bus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sort"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract/feed"
	"boardorder/pkg/contract/webhooks"

	"github.com/nats-io/nats.go"
)

// PublicSeqAt gives the sequence after which all public events lie that were stored at a time or
// later.
func (b *Bus) PublicSeqAt(ctx context.Context, at time.Time) (uint64, error) {
	state, err := b.FeedState(ctx)
	if err != nil {
		return 0, err
	}
	s, _, err := b.layout.holding(feed.Stream, "")
	if err != nil {
		return 0, err
	}
	first := max(state.First, 1)
	n := sort.Search(int(state.Last+1-first), func(i int) bool {
		if err != nil {
			return true
		}
		m, failed := b.messageAfter(ctx, s, feed.Subjects, first+uint64(i)-1)
		if errors.Is(failed, aggregate.ErrNone) {
			return true
		}
		if err = failed; err != nil {
			return true
		}
		return !m.Time.Before(at)
	})
	if err != nil {
		return 0, fmt.Errorf("find public events of %s: %w", at, err)
	}
	return first + uint64(n) - 1, nil
}

// LogDelivery writes down what came of an attempt to deliver to an endpoint.
func (b *Bus) LogDelivery(ctx context.Context, endpoint string, d webhooks.Delivery) (err error) {
	defer markUnavailable(ctx, &err)
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	s, _, err := b.layout.holding(webhooks.DeliveryStream, endpoint)
	if err != nil {
		return err
	}
	data, err := json.Marshal(d)
	if err != nil {
		return fmt.Errorf("encode delivery: %w", err)
	}
	h := make(nats.Header, maxHeaders)
	set(h, hSpec, "1.0")
	set(h, hID, fmt.Sprintf("%s.%d", endpoint, d.Number))
	set(h, hType, "webhook.delivery.v1")
	set(h, hSource, "/"+b.cfg.Name)
	set(h, hSubject, "webhook/"+endpoint)
	set(h, hTime, d.At.UTC().Format(timeFormat))
	set(h, hContentType, "application/json")
	if _, err = b.publish(ctx, s, &nats.Msg{Subject: webhooks.DeliverySubject(endpoint, d.Number), Header: h, Data: data}); err != nil {
		return fmt.Errorf("log delivery: %w", err)
	}
	return nil
}

// Deliveries gives the attempts of an endpoint whose numbers are below one, newest first and at most
// limit of them; below 0 stands for all that there are.
func (b *Bus) Deliveries(ctx context.Context, endpoint string, below uint64, limit int) ([]webhooks.Delivery, error) {
	last, err := b.delivery(ctx, endpoint, webhooks.DeliveriesSubject(endpoint))
	if errors.Is(err, aggregate.ErrNone) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	oldest := uint64(1)
	if last.Number > webhooks.DeliveriesKept {
		oldest = last.Number - webhooks.DeliveriesKept + 1
	}
	number := last.Number
	if below > 0 {
		number = min(number, below-1)
	}
	var out []webhooks.Delivery
	for missing := 0; number >= oldest && len(out) < limit && missing < limit; number-- {
		d, err := b.delivery(ctx, endpoint, webhooks.DeliverySubject(endpoint, number))
		if err != nil && !errors.Is(err, aggregate.ErrNone) {
			return nil, err
		}
		if err != nil || d.Number != number { // it was not written down, or has left
			missing++
			continue
		}
		out = append(out, d)
	}
	return out, nil
}

func (b *Bus) delivery(ctx context.Context, endpoint, subject string) (d webhooks.Delivery, err error) {
	m, err := b.latestMessage(ctx, webhooks.DeliveryStream, endpoint, subject)
	if err != nil {
		return d, err
	}
	if err := json.Unmarshal(m.Data, &d); err != nil {
		return d, fmt.Errorf("delivery on %s: %w", subject, err)
	}
	return d, nil
}
