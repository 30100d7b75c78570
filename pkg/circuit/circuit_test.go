package circuit_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"boardorder/pkg/circuit"

	"github.com/prometheus/client_golang/prometheus"
)

var (
	errDown    = errors.New("down")
	errRefused = errors.New("refused")
	errLeft    = errors.New("the caller left")
)

// A circuit opens after failures in a row, lets one call try when its time is
// over, and closes when that call succeeds; the metrics follow.
func TestCircuit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := circuit.New[int](circuit.Settings{
			Company: t.Name(), TripAfter: 2, TripFor: time.Minute,
			Healthy: func(err error) bool { return err == nil || errors.Is(err, errRefused) },
			Ignored: func(err error) bool { return errors.Is(err, errLeft) },
		})
		for i, step := range []struct {
			after  time.Duration
			ends   error // of the call
			called bool
			open   float64
		}{
			{ends: errDown, called: true},
			{ends: errRefused, called: true},
			{ends: errDown, called: true},
			{ends: errLeft, called: true},
			{ends: errDown, called: true, open: 1},
			{ends: nil, called: false, open: 1},
			{after: time.Minute + time.Second, ends: errDown, called: true, open: 1},
			{ends: nil, called: false, open: 1},
			{after: time.Minute + time.Second, ends: nil, called: true, open: 0},
			{ends: nil, called: true, open: 0},
		} {
			time.Sleep(step.after)
			called := false
			_, err := b.Do(func() (int, error) { called = true; return 0, step.ends })
			if called != step.called || circuit.IsOpen(err) == step.called {
				t.Errorf("step %d: called %t (%v), want %t", i, called, err, step.called)
			}
			if got := openCircuits(t, t.Name()); got != step.open {
				t.Errorf("step %d: %v circuits open, want %v", i, got, step.open)
			}
			if want := step.open == 1; b.Open() != want {
				t.Errorf("step %d: open %t, want %t", i, b.Open(), want)
			}
		}
	})
}

// While one call tries whether the company works again, the others do not ask.
func TestOneCallTries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := circuit.New[int](circuit.Settings{Company: "tried", TripAfter: 1, TripFor: time.Second})
		_, _ = b.Do(func() (int, error) { return 0, errDown })
		time.Sleep(2 * time.Second)
		_, err := b.Do(func() (int, error) {
			_, err := b.Do(func() (int, error) { t.Error("a second call was made"); return 0, nil })
			if !circuit.IsOpen(err) {
				t.Errorf("the second call: %v", err)
			}
			return 0, nil
		})
		if err != nil || b.Open() {
			t.Errorf("after a success: %v, open %t; want no error, false", err, b.Open())
		}
	})
}

// openCircuits is how many circuits of a company are open, as metrics have it.
func openCircuits(t *testing.T, company string) float64 {
	t.Helper()
	r := prometheus.NewPedanticRegistry()
	r.MustRegister(circuit.Metrics())
	families, err := r.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if m.GetLabel()[0].GetValue() == company {
				return m.GetGauge().GetValue()
			}
		}
	}
	t.Fatalf("no metric of %q", company)
	return 0
}
