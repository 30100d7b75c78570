package worker

import "time"

// WaitBusy returns once a worker of the pool has been given a job.
func WaitBusy(p *Pool) {
	for {
		p.mu.Lock()
		busy := len(p.slots) > 0 && len(p.all) > len(p.idle)
		p.mu.Unlock()
		if busy {
			return
		}
		pause()
	}
}

// WaitGone returns once an idle worker of the pool has ended.
func WaitGone(p *Pool) {
	for {
		p.mu.Lock()
		for _, w := range p.idle {
			if w.isGone() {
				p.mu.Unlock()
				return
			}
		}
		p.mu.Unlock()
		pause()
	}
}

// WaitQuiet returns how many workers there are once nothing goes on any more.
func WaitQuiet(p *Pool) int {
	p.group.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.all)
}

func pause() { <-time.After(time.Millisecond) }

// ReasonUnfiltered is why system calls of the pool's workers are not filtered, once
// there is one.
func ReasonUnfiltered(p *Pool) string {
	for {
		p.mu.Lock()
		for w := range p.all {
			p.mu.Unlock()
			return w.confined.Without
		}
		p.mu.Unlock()
		pause()
	}
}
