package wait_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"boardorder/pkg/contract"
	"boardorder/services/edge/internal/wait"
)

// none is a broker that reports no changes.
type none struct{}

func (none) WatchChange(contract.Aggregate, string, func(*contract.Event)) (func(), error) {
	return func() {}, nil
}

func TestUntilWakesAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		waiters := wait.New(10, none{})
		w := waiters.Join(wait.Request("req_a"))
		defer w.Leave()
		began := time.Now()
		var done atomic.Bool
		go func() {
			time.Sleep(time.Second)
			waiters.Wake(wait.Request("req_b")) // somebody else's
			done.Store(true)
			waiters.Wake(wait.Request("req_a"))
		}()
		found, err := w.Await(t.Context(), time.Minute, func(context.Context) (bool, error) { return done.Load(), nil })
		if !found || err != nil || time.Since(began) != time.Second {
			t.Errorf("Await = %v, %v after %v; want true, no error, 1 s", found, err, time.Since(began))
		}
	})
}

func TestUntilLooksForItself(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := wait.New(10, none{}).Join(wait.Request("req_a"))
		defer w.Leave()
		began, looks := time.Now(), 0
		found, err := w.Await(t.Context(), time.Minute, func(context.Context) (bool, error) { looks++; return looks == 4, nil })
		if took := time.Since(began); !found || err != nil || took > 15*time.Second || took < 13*time.Second {
			t.Errorf("Await = %v, %v after %v; want true, no error, 13 to 15 s", found, err, took)
		}
	})
}

func TestUntilEnds(t *testing.T) {
	t.Parallel()
	never := func(context.Context) (bool, error) { return false, nil }
	synctest.Test(t, func(t *testing.T) {
		waiters := wait.New(10, none{})
		w := waiters.Join(wait.Request("req_a"))
		defer w.Leave()
		began := time.Now()
		if found, err := w.Await(t.Context(), 7*time.Second, never); found || err != nil || time.Since(began) != 7*time.Second {
			t.Errorf("timeout: %v, %v after %v; want false, no error, 7 s", found, err, time.Since(began))
		}
		broken := errors.New("broken")
		if _, err := w.Await(t.Context(), time.Minute, func(context.Context) (bool, error) { return false, broken }); !errors.Is(err, broken) {
			t.Errorf("error: %v", err)
		}
		began = time.Now()
		go func() { time.Sleep(time.Second); waiters.Close() }()
		if found, _ := w.Await(t.Context(), time.Minute, never); found || time.Since(began) != time.Second {
			t.Errorf("closing: %v after %v; want false, 1 s", found, time.Since(began))
		}
		if waiters.Join(wait.Request("req_b")) != nil {
			t.Error("a closed set let somebody in")
		}
	})
}

func TestWaitersAreBoundedAndLeave(t *testing.T) {
	t.Parallel()
	waiters := wait.New(2, none{})
	a, b := waiters.Join(wait.Request("x")), waiters.Join(wait.Request("x"))
	if a == nil || b == nil || waiters.Join(wait.Request("y")) != nil {
		t.Error("the set holds not exactly two")
	}
	a.Leave()
	a.Leave() // harmless
	if c := waiters.Join(wait.Request("y")); c == nil || waiters.Waiting() != 2 {
		t.Errorf("%d wait, want 2", waiters.Waiting())
	}
	var none *wait.Waiter
	looks := 0
	found, err := none.Await(t.Context(), time.Hour, func(context.Context) (bool, error) { looks++; return false, nil })
	if found || err != nil || looks != 1 {
		t.Errorf("without a place: %v, %v, %d looks; want false, no error, 1", found, err, looks)
	}
	none.Leave()
}

func TestManyJoinAndLeave(t *testing.T) {
	t.Parallel()
	waiters := wait.New(1000, none{})
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			for n := range 100 {
				w := waiters.Join(wait.Request(fmt.Sprint("req_", n%7)))
				waiters.Wake(wait.Request(fmt.Sprint("req_", (n+i)%7)))
				w.Leave()
			}
		})
	}
	wg.Wait()
	if n := waiters.Waiting(); n != 0 {
		t.Errorf("%d still wait, want none", n)
	}
}

// Five thousand waiting requests must cost little: an entry and a channel each.
func TestWaitersAreSmall(t *testing.T) {
	const many = 5000
	waiters := wait.New(many, none{})
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	joined := make([]*wait.Waiter, many)
	for i := range joined {
		joined[i] = waiters.Join(wait.Request(fmt.Sprintf("req_%026d", i)))
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if each := (int64(after.HeapAlloc) - int64(before.HeapAlloc)) / many; each > 1024 {
		t.Errorf("%d bytes for each waiter, want 1024 at most", each)
	}
	for _, w := range joined {
		w.Leave()
	}
}
