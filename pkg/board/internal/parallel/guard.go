package parallel

import (
	"runtime/debug"
	"sync"
)

// Guard keeps the first panic of several goroutines for the one that waits.
type Guard struct {
	once   sync.Once
	broken *Panic
}

// Run calls f and keeps what it panics with, if nothing panicked before.
func (g *Guard) Run(f func()) {
	defer func() {
		if v := recover(); v != nil {
			g.once.Do(func() { g.broken = &Panic{Value: v, Stack: debug.Stack()} })
		}
	}()
	f()
}

// Check panics if one of the goroutines, all of which have ended, did.
func (g *Guard) Check() {
	if g.broken != nil {
		panic(g.broken)
	}
}
