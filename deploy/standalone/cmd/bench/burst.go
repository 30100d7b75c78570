package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
)

// A burst is what a partner asks for: several boards in the quantities, and for the
// destinations, of its customers. Every request of it is a new one. It is safe for
// concurrent use.
type burst struct {
	uploads []string

	mu       sync.Mutex
	dice     *rand.Rand
	requests int
	priced   map[item]bool
}

// An item is what the fabricator names a price for.
type item struct{ board, quantity, place int }

const (
	burstBoards   = 8
	burstQuantity = 2000 // at most
)

// burstPlaces are where the boards of a burst go.
var burstPlaces = []string{
	`"country":"US","postal_code":"10001"`, `"country":"DE","postal_code":"10115"`, `"country":"GB","postal_code":"EC1A 1BB"`, `"country":"FR","postal_code":"75001"`,
	`"country":"CA","postal_code":"K1A 0B1"`, `"country":"AU","postal_code":"2000"`, `"country":"JP","postal_code":"100-0001"`, `"country":"CH","postal_code":"8001"`,
}

// newBurst uploads the boards of a burst, and has the price of each once, so that its
// files are read.
func newBurst(ctx context.Context, s *system) (*burst, error) {
	b := &burst{dice: rand.New(rand.NewPCG(1, 2)), priced: map[item]bool{}}
	for i := range burstBoards {
		upload, err := s.upload(ctx, i)
		if err != nil {
			return nil, err
		}
		b.uploads = append(b.uploads, upload)
		first := fmt.Appendf(nil, `{"upload_id":%q,"quantity":%d,"standard_for_unstated":true}`, upload, burstQuantity+1)
		if err := newAsker(s, 1).quote(first); err != nil {
			return nil, fmt.Errorf("board %d: %w", i+1, err)
		}
	}
	return b, nil
}

// quotes is what each client does: it asks for one more quote and waits for its price.
func (b *burst) quotes(by *asker) func(context.Context, int, int) error {
	return func(context.Context, int, int) error { return by.quote(b.requestBody()) }
}

// requestBody is the body of one more request.
func (b *burst) requestBody() []byte {
	b.mu.Lock()
	i := item{b.dice.IntN(len(b.uploads)), 1 + b.dice.IntN(burstQuantity), b.dice.IntN(len(burstPlaces))}
	b.requests++
	b.priced[i] = true
	n := b.requests
	b.mu.Unlock()
	return fmt.Appendf(nil, `{"upload_id":%q,"quantity":%d,"standard_for_unstated":true,"ship_to":{%s},"project_name":"bench %d"}`,
		b.uploads[i.board], i.quantity, burstPlaces[i.place], n)
}

// repeatShare is the share of requests for what had been asked for before: the most that
// a price which still held can have answered without the fabricator.
func (b *burst) repeatShare() float64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return 1 - float64(len(b.priced))/float64(max(b.requests, 1))
}
