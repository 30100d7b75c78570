package sqlite

import (
	"errors"
	"sync"
)

var errClosed = errors.New("the store is closed")

// deep runs what needs a deep stack, as SQLite does, on a few goroutines of its
// own. Those who ask may be thousands of requests, which then wait for long:
// each of them would keep the stack that its read needed.
type deep struct {
	todo chan func()
	once sync.Once
	end  chan struct{}
}

func newDeep(goroutines int) *deep {
	d := &deep{todo: make(chan func()), end: make(chan struct{})}
	for range goroutines {
		go d.work()
	}
	return d
}

func (d *deep) work() {
	for {
		select {
		case do := <-d.todo:
			do()
		case <-d.end:
			return
		}
	}
}

// run calls do on another goroutine and waits for it. A panic of do is the
// caller's.
func (d *deep) run(do func()) error {
	done := make(chan any, 1)
	job := func() {
		defer func() { done <- recover() }()
		do()
	}
	select {
	case d.todo <- job:
	case <-d.end:
		return errClosed
	}
	if v := <-done; v != nil {
		panic(v)
	}
	return nil
}

// close ends the goroutines; a nil deep has none.
func (d *deep) close() {
	if d != nil {
		d.once.Do(func() { close(d.end) })
	}
}
