package fulfilment

import (
	"context"
	"encoding/json"
	"errors"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/trace"

	"go.uber.org/zap"
)

// Rates holds the last exchange rates that were published, by prices.RatesKey.
type Rates interface {
	Get(ctx context.Context, key string) (value []byte, revision uint64, err error)
}

// loadRates gives the last rates that were published, whatever their day; none where
// they cannot be read: an order that was paid does not wait for them.
func (s *Orders) loadRates(ctx context.Context) (rates prices.Rates) {
	if s.Rates == nil {
		return rates
	}
	value, _, err := s.Rates.Get(ctx, prices.RatesKey)
	if err == nil {
		err = json.Unmarshal(value, &rates)
	}
	if err != nil && !errors.Is(err, bus.ErrNoKey) {
		s.Log.Warn("exchange rates cannot be read; an order goes on by its quote's", zap.Error(err), trace.ID(ctx))
		return prices.Rates{}
	}
	return rates
}
