package designcheck

import (
	"testing"
)

// Big work never takes the last place, nor more than half of the memory, so
// that small work goes on beside it.
func TestBigWorkLeavesRoom(t *testing.T) {
	t.Parallel()
	g := newGate(2, 64<<20)
	leaveBig, err := g.enter(t.Context(), 500<<20)
	if err != nil {
		t.Fatal(err)
	}
	waiting := make(chan error, 1)
	go func() {
		leave, err := g.enter(t.Context(), 100<<20)
		if err == nil {
			leave()
		}
		waiting <- err
	}()
	for range 10 {
		leave, err := g.enter(t.Context(), bigBytes)
		if err != nil {
			t.Fatal(err)
		}
		leave()
	}
	select {
	case err := <-waiting:
		t.Errorf("two big ones at once: %v", err)
	default:
	}
	leaveBig()
	if err := <-waiting; err != nil {
		t.Error(err)
	}
}

func TestNobodyEntersAShutGate(t *testing.T) {
	t.Parallel()
	g := newGate(1, 1<<20)
	leave, err := g.enter(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	waiting := make(chan error, 1)
	go func() { _, err := g.enter(t.Context(), 1); waiting <- err }()
	g.shut()
	if err := <-waiting; err == nil {
		t.Error("entered although the gate is shut")
	}
	leave()
	if places := g.places.TryAcquire(1); !places {
		t.Error("who gave up kept a place")
	}
}
