package streams

import (
	"strings"

	"boardorder/pkg/bus"
	"boardorder/services/console/internal/format"
)

// Lag is how far one service is behind.
type Lag struct {
	Stream string
	bus.ConsumerState
}

// Lags is how far every consumer is behind.
func Lags(states []bus.StreamState) []Lag {
	var all []Lag
	for _, s := range states {
		for _, c := range s.Consumers {
			all = append(all, Lag{s.Name, c})
		}
	}
	return all
}

// Kind is what a stream holds, in words.
func (l Lag) Kind() string {
	return format.Words(strings.ToLower(strings.TrimPrefix(l.Stream, "EVENTS_")))
}
