package provider

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// How often reports are written: soon where something happened, and now and then where
// nothing did, so that it is known that somebody still looks.
const (
	publishEvery = 5 * time.Second
	repeatEvery  = 5 * time.Minute
)

// A Store keeps the reports of all processes, each below its own key.
type Store interface {
	Put(ctx context.Context, key string, value []byte) error
}

// Publish writes what the meters of a set have counted, until ctx ends. What could not be
// written is written with what comes next.
func (s *Set) Publish(ctx context.Context, to Store, now func() time.Time) error {
	w := writer{set: s, store: to, now: now, written: map[*Meter]written{}}
	every := time.NewTicker(publishEvery)
	defer every.Stop()
	for {
		w.write(ctx)
		select {
		case <-ctx.Done():
			return nil
		case <-every.C:
		}
	}
}

type writer struct {
	set     *Set
	store   Store
	now     func() time.Time
	written map[*Meter]written
}

type written struct {
	changes int
	at      time.Time
}

// write writes the reports that have changed, or were written long ago.
func (w *writer) write(ctx context.Context) {
	now := w.now().UTC()
	for _, m := range w.set.list() {
		r, changes := m.read()
		last, ever := w.written[m]
		if ever && last.changes == changes && now.Sub(last.at) < repeatEvery {
			continue
		}
		r.At = now
		body, err := json.Marshal(r)
		if err == nil && w.store.Put(ctx, Key(r, w.set.id), body) == nil {
			w.written[m] = written{changes, now}
		}
	}
}

// Key is what the report of a process about a provider is kept by.
func Key(r Report, process string) string {
	return fmt.Sprintf("%s.%s", strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' {
			return c
		}
		return '-'
	}, strings.ToLower(string(r.Kind)+" "+r.Name)), process)
}
