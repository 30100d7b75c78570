package main

import (
	"context"
	"fmt"
	"time"
)

// A comparison is the bare line beside the pipeline.
type comparison struct {
	bare, quotes figure
	ratios       []float64 // of the rates, round by round
	remembered   float64   // share of the quotes whose price had been asked for before
}

// compare measures both for n clients, each for a time in all, turn by turn.
func compare(ctx context.Context, program string, n int, each time.Duration) (comparison, error) {
	l, stop, err := openBare(ctx)
	if err != nil {
		return comparison{}, fmt.Errorf("bare: %w", err)
	}
	defer stop()
	s, b, err := openQuotes(ctx, program, n)
	if err != nil {
		return comparison{}, fmt.Errorf("quotes: %w", err)
	}
	defer s.stop() //nolint:errcheck // a temporary folder at the worst
	ask := b.quotes(newAsker(s, n))
	for _, once := range []func(context.Context, int, int) error{l.roundTrip, ask} {
		if _, err := load(ctx, min(n, 8), time.Second, cpuTime, once); err != nil {
			return comparison{}, fmt.Errorf("warming up: %w", err)
		}
	}
	var c comparison
	for range rounds {
		bare, err := load(ctx, n, each/rounds, cpuTime, l.roundTrip)
		if err != nil {
			return c, fmt.Errorf("bare: %w", err)
		}
		quotes, err := load(ctx, n, each/rounds, timeOf(s.PID), ask)
		if err != nil {
			return c, fmt.Errorf("quotes: %w", err)
		}
		c.bare, c.quotes, c.ratios = c.bare.combine(bare), c.quotes.combine(quotes), append(c.ratios, quotes.rate/bare.rate)
	}
	c.remembered = b.repeatShare()
	return c, nil
}
