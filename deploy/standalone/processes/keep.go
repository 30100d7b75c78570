package processes

import (
	"context"
	"time"
)

const (
	firstPause = 200 * time.Millisecond
	maxPause   = 10 * time.Second
	steady     = time.Minute // after which a program's troubles count as over
)

// Keep starts the program again whenever it ends by itself, with growing
// pauses, until ctx ends. It calls report each time.
func (p *Process) Keep(ctx context.Context, report func(error)) {
	pause := firstPause
	for {
		begun := time.Now()
		select {
		case <-ctx.Done():
			return
		case <-p.EndChannel():
		}
		why := p.Failure()
		if why == nil || ctx.Err() != nil {
			return // it was asked to end
		}
		report(why)
		if time.Since(begun) > steady {
			pause = firstPause
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		pause = min(2*pause, maxPause)
		if err := p.Start(); err != nil {
			report(err)
			return
		}
	}
}
