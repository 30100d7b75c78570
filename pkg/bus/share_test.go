package bus

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestSharedCallsBeginAfterTheirCallers lets callers come while a call is under way:
// none may be given what was found before it came.
func TestSharedCallsBeginAfterTheirCallers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var s shared[time.Time]
		var begun []time.Time
		call := func(context.Context) (time.Time, error) {
			at := time.Now()
			begun = append(begun, at)
			time.Sleep(10 * time.Millisecond)
			return at, nil
		}
		var callers sync.WaitGroup
		for i := range 100 { // one each millisecond, while each call takes ten
			callers.Go(func() {
				time.Sleep(time.Duration(i) * time.Millisecond)
				came := time.Now()
				if at, err := s.do(t.Context(), "key", call); err != nil || at.Before(came) {
					t.Errorf("caller %d was given what was found %s before it came, %v", i, came.Sub(at), err)
				}
			})
		}
		callers.Wait()
		synctest.Wait()
		if len(begun) > 12 || !slices.IsSortedFunc(begun, time.Time.Compare) {
			t.Errorf("%d calls for 100 callers in 100 ms; want one each 10 ms", len(begun))
		}
		if len(s.busy) > 0 {
			t.Errorf("%d keys are still busy, want none", len(s.busy))
		}
	})
}

func TestSharedCallsOfOtherKeysDoNotWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var s shared[int]
		var callers sync.WaitGroup
		begun := time.Now()
		for _, key := range []string{"a", "b", "c"} {
			callers.Go(func() {
				if v, err := s.do(t.Context(), key, func(context.Context) (int, error) {
					time.Sleep(time.Second)
					return int(key[0]), nil
				}); v != int(key[0]) || err != nil {
					t.Errorf("do(%s) = %d, %v; want %d", key, v, err, key[0])
				}
			})
		}
		callers.Wait()
		if took := time.Since(begun); took != time.Second {
			t.Errorf("took %s; want the time of one", took)
		}
	})
}

// TestSharedCallsOutliveACaller has the first of two that wait give up.
func TestSharedCallsOutliveACaller(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var s shared[int]
		failure := errors.New("no broker")
		slow := func(ctx context.Context) (int, error) {
			select {
			case <-ctx.Done():
				return 0, ctx.Err()
			case <-time.After(time.Second):
				return 0, failure
			}
		}
		short, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer cancel()
		var callers sync.WaitGroup
		callers.Go(func() {
			if _, err := s.do(t.Context(), "key", slow); !errors.Is(err, failure) {
				t.Errorf("the first: %v", err)
			}
		})
		synctest.Wait()
		callers.Go(func() {
			if _, err := s.do(short, "key", slow); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("who gives up: %v", err)
			}
		})
		synctest.Wait()
		callers.Go(func() {
			if _, err := s.do(t.Context(), "key", slow); !errors.Is(err, failure) {
				t.Errorf("who waits: %v; want what the shared call gives", err)
			}
		})
		callers.Wait()
	})
}
