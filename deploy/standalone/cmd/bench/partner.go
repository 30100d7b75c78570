package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"boardorder/pkg/contract/feed"

	"golang.org/x/sync/errgroup"
)

const (
	// againEach: one quote in so many is priced anew at once, so that there is an order to keep.
	againEach = 10
	// patience is how long the next delivery may take before the rest counts as lost.
	patience = time.Minute
)

// An inbox is what a partner's receiver got, and in which order. It is safe for concurrent use.
type inbox struct {
	mu       sync.Mutex
	last     map[int]uint64 // sequence, by the number of the quote
	got      int
	repeated []string // ids of what came a second time, or after what follows it
	at       time.Time
}

// note takes in a delivery.
func (b *inbox) note(body []byte, at time.Time) error {
	var e feed.Event
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	n := numberOf(string(body))
	if n < 0 {
		return fmt.Errorf("%s is of no quote of this run", e.ID)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if e.Sequence <= b.last[n] {
		b.repeated = append(b.repeated, e.ID)
		return nil
	}
	b.last[n], b.got, b.at = e.Sequence, b.got+1, at
	return nil
}

// check says what is wrong with what came of so many events of so many quotes.
func (b *inbox) check(events, quotes int) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.got != events || len(b.last) != quotes || len(b.repeated) > 0 {
		return fmt.Errorf("%d events of %d quotes came, and %d twice or out of order (%.200q); want %d of %d, each once and in order", b.got, len(b.last), len(b.repeated), b.repeated, events, quotes)
	}
	return nil
}

func (b *inbox) state() (got int, at time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.got, b.at
}

func (b *inbox) ServeHTTP(w http.ResponseWriter, in *http.Request) {
	body, err := io.ReadAll(in.Body)
	if err == nil {
		err = b.note(body, time.Now())
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// partner measures a partner's burst of quotes, of which it hears by a webhook endpoint alone and asks
// for none: that each event comes once, and those of a quote in their order.
func partner(ctx context.Context, program string, quotes int) error {
	w, end, err := startTold(ctx, program)
	if err != nil {
		return err
	}
	defer end()
	a, err := w.openAccount(ctx)
	if err != nil {
		return err
	}
	got := &inbox{last: map[int]uint64{}}
	ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: got, ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(ln) }() // it ends by being closed
	defer server.Close()
	if err := w.subscribe(ctx, a, "http://"+ln.Addr().String()); err != nil {
		return err
	}
	begun := time.Now()
	if err := w.commitBurst(ctx, a, quotes); err != nil {
		return err
	}
	stored, events := time.Since(begun), quotes+(quotes+againEach-1)/againEach
	if err := got.await(ctx, events, quotes); err != nil {
		return err
	}
	_, last := got.state()
	fmt.Printf("a burst of %d quotes, %d events stored in %s: all came to one webhook endpoint, each once and in the order of its quote, in %s (%.0f deliveries a second), without one call for them\n",
		quotes, events, show(stored), show(last.Sub(begun)), float64(events)/last.Sub(begun).Seconds())
	return nil
}

// commitBurst stores quotes as fast as the broker takes them, some of them twice.
func (w *told) commitBurst(ctx context.Context, a account, quotes int) error {
	writers, ctx := errgroup.WithContext(ctx)
	writers.SetLimit(64)
	for i := range quotes {
		writers.Go(func() error {
			seq, err := w.commitVersion(ctx, a, i, 1, 0)
			if err == nil && i%againEach == 0 {
				_, err = w.commitVersion(ctx, a, i, 2, seq)
			}
			return err
		})
	}
	return writers.Wait()
}

// await waits for so many events of so many quotes, and a little longer for any that should not come.
func (b *inbox) await(ctx context.Context, events, quotes int) error {
	for begun := time.Now(); ctx.Err() == nil; {
		got, at := b.state()
		if at.Before(begun) {
			at = begun
		}
		if silent := time.Since(at); silent > patience || got >= events && silent > time.Second {
			return b.check(events, quotes)
		}
		pause(ctx, 50*time.Millisecond)
	}
	return ctx.Err()
}
