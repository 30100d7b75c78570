package sqlite

import (
	"errors"
	"sync/atomic"
	"testing"
)

func TestDeepRunsElsewhereUntilItIsClosed(t *testing.T) {
	t.Parallel()
	d := newDeep(2)
	var ran atomic.Int64
	done := make(chan error)
	for range 50 {
		go func() { done <- d.run(func() { ran.Add(1) }) }()
	}
	for range 50 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	func() {
		defer func() {
			if v := recover(); v != "a bug" {
				t.Errorf("the caller got the panic %v", v)
			}
		}()
		_ = d.run(func() { panic("a bug") })
	}()
	d.close()
	d.close()
	if err := d.run(func() {}); !errors.Is(err, errClosed) || ran.Load() != 50 {
		t.Errorf("after close: %v, having run %d", err, ran.Load())
	}
}
