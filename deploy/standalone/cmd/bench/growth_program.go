package main

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"
	"time"
)

// growthClients is how many clients ask at once: enough to keep the program busy.
const growthClients = 32

// A growing program is asked for quotes part by part, and started again after
// each, on all that it has stored.
type growing struct {
	program  string
	quotes   int          // that are asked for, in all
	filled   int          // more that are stored after the first part, as if they had been asked for
	parts    int          // how many times it stops to look
	kills    map[int]bool // after which parts, counted from 1, it is killed too
	progress io.Writer    // for whoever waits
}

func (g growing) run(ctx context.Context, show func(stage)) error {
	vars, err := g.environment()
	if err != nil {
		return err
	}
	s, err := startSystem(ctx, g.program, growthClients, vars...)
	if err != nil {
		return err
	}
	defer s.stop() //nolint:errcheck // a temporary folder at the worst
	b, err := newBurst(ctx, s)
	if err != nil {
		return err
	}
	for part := range g.parts {
		now, err := g.grow(ctx, s, b, part)
		if err != nil {
			return err
		}
		if err := g.restart(ctx, s, part, vars, &now); err != nil {
			return err
		}
		show(now)
		if part == 0 {
			if err := s.roomLeft(ctx, g.parts); err != nil {
				return err
			}
			if err := s.fill(ctx, g.filled); err != nil {
				return err
			}
		}
	}
	return nil
}

// grow asks for one part of the quotes and looks at the program.
func (g growing) grow(ctx context.Context, s *system, b *burst, part int) (stage, error) {
	n := g.quotes / g.parts
	f, err := g.ask(ctx, s, b, part, n)
	if err != nil {
		return stage{}, err
	}
	now := stage{stored: (part + 1) * n, figure: f}
	if part > 0 {
		now.stored += g.filled
	}
	if now.resident, err = resident(s.PID); err != nil {
		return now, err
	}
	now.heap, err = s.heap(ctx)
	return now, err
}

// restart ends the program and starts it: as a crash ends it where that is wanted,
// while nothing of this part has been put in order for an end; then as it
// is asked to.
func (g growing) restart(ctx context.Context, s *system, part int, vars []string, now *stage) (err error) {
	if g.kills[part+1] {
		s.kill()
		if now.killed, err = s.startAgain(ctx, g.program, vars); err != nil {
			return fmt.Errorf("after it was killed: %w", err)
		}
	}
	begun := time.Now()
	if err := s.end(); err != nil {
		return err
	}
	now.stop = time.Since(begun)
	if now.disk, err = size(s.data()); err != nil {
		return err
	}
	now.restart, err = s.startAgain(ctx, g.program, vars)
	return err
}

// startAgain starts the program on its data and says how long it takes until
// it is ready.
func (s *system) startAgain(ctx context.Context, program string, vars []string) (time.Duration, error) {
	begun := time.Now()
	err := s.start(ctx, program, vars...)
	return time.Since(begun), err
}

func (g growing) ask(ctx context.Context, s *system, b *burst, part, n int) (figure, error) {
	var requests atomic.Int64
	more := func() bool { return requests.Add(1) <= int64(n) }
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go g.report(ctx, part, n, &requests)
	return loadWhile(ctx, growthClients, more, timeOf(s.PID), b.quotes(newAsker(s, growthClients)))
}

// reportEvery is how often whoever waits is told how far it is.
const reportEvery = 10 * time.Second

// report says how far a part is until ctx ends.
func (g growing) report(ctx context.Context, part, n int, requests *atomic.Int64) {
	tick := time.NewTicker(reportEvery)
	defer tick.Stop()
	var before int64
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			now := min(requests.Load(), int64(n))
			fmt.Fprintf(g.progress, "  %s  %s\n", time.Now().Format(time.TimeOnly), g.progressLine(part, n, now, before))
			before = now
		}
	}
}

// progressLine is one line of the report: of part, counted from 0, that has n quotes.
func (g growing) progressLine(part, n int, now, before int64) string {
	return fmt.Sprintf("part %d of %d: %d of %d quotes, %.0f a second", part+1, g.parts, now, n, float64(now-before)/reportEvery.Seconds())
}

// times says yes n times, to all who ask together.
func times(n int) (more func() bool) {
	var requests atomic.Int64
	return func() bool { return requests.Add(1) <= int64(n) }
}
