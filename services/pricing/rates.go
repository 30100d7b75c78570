package pricing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract/prices"
	"boardorder/services/pricing/internal/exchange"
)

// A publisher lets other services read the last exchange rates that were fetched, for
// as long as no later ones come.
type publisher struct {
	store interface {
		Get(ctx context.Context, key string) ([]byte, uint64, error)
		Put(ctx context.Context, key string, value []byte) error
	}
}

// publish writes rates down unless what is there is as new.
func (p publisher) publish(ctx context.Context, r exchange.Rates) error {
	var there prices.Rates
	value, _, err := p.store.Get(ctx, prices.RatesKey)
	if err == nil && json.Unmarshal(value, &there) != nil {
		there = prices.Rates{} // what cannot be read is written anew
	}
	if err != nil && !errors.Is(err, bus.ErrNoKey) {
		return fmt.Errorf("read published exchange rates: %w", err)
	}
	if there.Date >= r.Date {
		return nil
	}
	if value, err = json.Marshal(prices.Rates{Date: r.Date, PerEUR: r.PerEUR}); err != nil {
		return fmt.Errorf("publish exchange rates: %w", err)
	}
	return p.store.Put(ctx, prices.RatesKey, value)
}
