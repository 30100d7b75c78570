package parallel_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"boardorder/pkg/board/internal/parallel"
)

func TestEach(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var got []int
	err := parallel.Run(t.Context(), 1000, func(i int) {
		mu.Lock()
		defer mu.Unlock()
		got = append(got, i)
	})
	slices.Sort(got)
	if err != nil || len(got) != 1000 || got[0] != 0 || got[999] != 999 {
		t.Errorf("%d calls, %v; want each of 1000 once", len(got), err)
	}
}

func TestEachEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	var mu sync.Mutex
	calls := 0
	err := parallel.Run(ctx, 1_000_000, func(int) {
		mu.Lock()
		defer mu.Unlock()
		if calls++; calls == 10 {
			stop()
		}
	})
	if !errors.Is(err, context.Canceled) || calls < 10 || calls > 1000 {
		t.Errorf("%d calls, %v; want 10 to 1000 and %v", calls, err, context.Canceled)
	}
}

func TestPanicComesBack(t *testing.T) {
	t.Parallel()
	defer func() {
		p, ok := recover().(*parallel.Panic)
		if !ok || p.Value != "broken" || !strings.Contains(p.Error(), "parallel_test.go") {
			t.Errorf("recovered %v, want broken, and where", p)
		}
	}()
	_ = parallel.Run(t.Context(), 100, func(i int) {
		if i == 50 {
			panic("broken")
		}
	})
	t.Error("the panic was lost")
}
