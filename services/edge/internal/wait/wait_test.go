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

	"boardorder/services/edge/internal/wait"
)

func TestUntilWakesAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		room := wait.NewRoom(10)
		w := room.Join("req_a")
		defer w.Leave()
		began := time.Now()
		var done atomic.Bool
		go func() {
			time.Sleep(time.Second)
			room.Wake("req_b") // somebody else's
			done.Store(true)
			room.Wake("req_a")
		}()
		found, err := w.Until(t.Context(), time.Minute, func(context.Context) (bool, error) { return done.Load(), nil })
		if !found || err != nil || time.Since(began) != time.Second {
			t.Errorf("Until = %v, %v after %v", found, err, time.Since(began))
		}
	})
}

func TestUntilLooksForItself(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := wait.NewRoom(10).Join("req_a")
		defer w.Leave()
		began, looks := time.Now(), 0
		found, err := w.Until(t.Context(), time.Minute, func(context.Context) (bool, error) { looks++; return looks == 4, nil })
		if took := time.Since(began); !found || err != nil || took > 15*time.Second || took < 13*time.Second {
			t.Errorf("Until = %v, %v after %v", found, err, took)
		}
	})
}

func TestUntilEnds(t *testing.T) {
	t.Parallel()
	never := func(context.Context) (bool, error) { return false, nil }
	synctest.Test(t, func(t *testing.T) {
		room := wait.NewRoom(10)
		w := room.Join("req_a")
		defer w.Leave()
		began := time.Now()
		if found, err := w.Until(t.Context(), 7*time.Second, never); found || err != nil || time.Since(began) != 7*time.Second {
			t.Errorf("patience: %v, %v after %v", found, err, time.Since(began))
		}
		broken := errors.New("broken")
		if _, err := w.Until(t.Context(), time.Minute, func(context.Context) (bool, error) { return false, broken }); !errors.Is(err, broken) {
			t.Errorf("error: %v", err)
		}
		began = time.Now()
		go func() { time.Sleep(time.Second); room.Close() }()
		if found, _ := w.Until(t.Context(), time.Minute, never); found || time.Since(began) != time.Second {
			t.Errorf("closing: %v after %v", found, time.Since(began))
		}
		if room.Join("req_b") != nil {
			t.Error("a closed room let somebody in")
		}
	})
}

func TestRoomIsBoundedAndEmpties(t *testing.T) {
	t.Parallel()
	room := wait.NewRoom(2)
	a, b := room.Join("x"), room.Join("x")
	if a == nil || b == nil || room.Join("y") != nil {
		t.Error("the room holds not exactly two")
	}
	a.Leave()
	a.Leave() // harmless
	if c := room.Join("y"); c == nil || room.Waiting() != 2 {
		t.Errorf("%d wait, want 2", room.Waiting())
	}
	var none *wait.Waiter
	looks := 0
	found, err := none.Until(t.Context(), time.Hour, func(context.Context) (bool, error) { looks++; return false, nil })
	if found || err != nil || looks != 1 {
		t.Errorf("without a place: %v, %v, %d looks", found, err, looks)
	}
	none.Leave()
}

func TestManyJoinAndLeave(t *testing.T) {
	t.Parallel()
	room := wait.NewRoom(1000)
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			for n := range 100 {
				w := room.Join(fmt.Sprint("req_", n%7))
				room.Wake(fmt.Sprint("req_", (n+i)%7))
				w.Leave()
			}
		})
	}
	wg.Wait()
	if n := room.Waiting(); n != 0 {
		t.Errorf("%d still wait", n)
	}
}

// Five thousand waiting requests must cost little: an entry and a channel each.
func TestWaitersAreSmall(t *testing.T) {
	const many = 5000
	room := wait.NewRoom(many)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	waiters := make([]*wait.Waiter, many)
	for i := range waiters {
		waiters[i] = room.Join(fmt.Sprintf("req_%026d", i))
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if each := (int64(after.HeapAlloc) - int64(before.HeapAlloc)) / many; each > 1024 {
		t.Errorf("%d bytes for each waiter", each)
	}
	for _, w := range waiters {
		w.Leave()
	}
}
