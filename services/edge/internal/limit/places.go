package limit

import "sync"

// Places counts what is under way at once, by whoever it is for. Each replica
// counts its own.
type Places struct {
	mu   sync.Mutex
	held map[string]int
}

// NewPlaces counts nothing yet.
func NewPlaces() *Places { return &Places{held: map[string]int{}} }

// Enter takes a place unless who has as many as it may; then ok is false.
// Otherwise leave must be called, once.
func (p *Places) Enter(who string, limit int) (leave func(), ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held[who] >= limit {
		return nil, false
	}
	p.held[who]++
	return func() { p.leave(who) }, true
}

func (p *Places) leave(who string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held[who]--; p.held[who] == 0 {
		delete(p.held, who)
	}
}
