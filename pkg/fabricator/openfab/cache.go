package openfab

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"sync"
	"time"

	"boardorder/pkg/fabricator"
)

// maxCached bounds the cache's memory: about a kilobyte each.
const maxCached = 4096

// A priceCache holds prices until their stated time and never a moment longer.
type priceCache struct {
	mu      sync.Mutex
	entries map[string]cachedPrice
}

type cachedPrice struct {
	price fabricator.Price
	until time.Time
}

func (pc *priceCache) get(key string, now time.Time) (fabricator.Price, bool) {
	pc.mu.Lock()
	defer pc.mu.Unlock()
	e, ok := pc.entries[key]
	if !ok || !now.Before(e.until) {
		return fabricator.Price{}, false
	}
	return e.price, true
}

func (pc *priceCache) put(key string, p fabricator.Price, now time.Time) {
	pc.mu.Lock()
	defer pc.mu.Unlock()
	if len(pc.entries) >= maxCached {
		pc.prune(now)
	}
	pc.entries[key] = cachedPrice{price: p, until: p.ValidUntil}
}

// prune drops what has expired and, if that is nothing, all of it.
func (pc *priceCache) prune(now time.Time) {
	for k, e := range pc.entries {
		if !now.Before(e.until) {
			delete(pc.entries, k)
		}
	}
	if len(pc.entries) >= maxCached {
		clear(pc.entries)
	}
}

// specKey is equal for equal specs only.
func specKey(s fabricator.Spec) (string, error) {
	data, err := json.Marshal(s) // sorts the options by key
	if err != nil {
		return "", &fabricator.Error{Kind: fabricator.Internal, Message: "encode the spec", Err: err}
	}
	sum := sha256.Sum256(data)
	return string(sum[:]), nil
}

// Price asks what the boards of s cost. The answer holds for the configured
// lifetime, and an equal spec within it gets the same answer; equal specs that
// are asked for at the same time are asked once.
func (c *Client) Price(ctx context.Context, s fabricator.Spec) (fabricator.Price, error) {
	key, err := specKey(s)
	if err != nil {
		return fabricator.Price{}, err
	}
	if p, ok := c.prices.get(key, c.cfg.Now()); ok {
		return p.Clone(), nil
	}
	flight := c.flights.DoChan(key, func() (any, error) {
		// It serves all who wait, so it outlives the one who came first.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*c.cfg.Timeout)
		defer cancel()
		p, err := c.ask(ctx, s)
		if err == nil {
			c.prices.put(key, p, c.cfg.Now())
		}
		return p, err
	})
	select {
	case r := <-flight:
		if r.Err != nil {
			return fabricator.Price{}, r.Err
		}
		return r.Val.(fabricator.Price).Clone(), nil
	case <-ctx.Done():
		return fabricator.Price{}, &fabricator.Error{Kind: fabricator.Unavailable, Message: "no price in time", Err: ctx.Err()}
	}
}
