package circuit_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"boardorder/pkg/circuit"
	"boardorder/pkg/provider"

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

// TestCallsAreMeasured: an answer that is healthy counts as one, a caller who leaves and a
// call that was not made count as nothing.
func TestCallsAreMeasured(t *testing.T) {
	t.Parallel()
	b := circuit.New[int](circuit.Settings{
		Company: t.Name(), Kind: provider.Fabricator, TripAfter: 2, TripFor: time.Hour,
		Healthy: func(err error) bool { return err == nil || errors.Is(err, errRefused) }, Ignored: func(err error) bool { return errors.Is(err, errLeft) },
	})
	for _, err := range []error{nil, errRefused, errLeft, errDown, errDown, nil} {
		_, _ = b.Do(func() (int, error) { return 0, err })
	}
	b.Exhaust(time.Hour)
	ctx, cancel := context.WithCancel(t.Context())
	reports := store{wrote: cancel, name: t.Name()}
	if err := provider.Process.Publish(ctx, &reports, time.Now); err != nil {
		t.Fatal(err)
	}
	got := provider.Merge(time.Now(), reports.all)
	if len(got) != 1 || got[0].Calls != 4 || got[0].Failures != 2 || got[0].State != provider.Away {
		t.Errorf("measured %+v; want 4 calls of which 2 failed, and that it is away", got)
	}
}

// store keeps the reports of one provider.
type store struct {
	wrote func()
	name  string
	all   []provider.Report
}

// Put implements provider.Store.
func (s *store) Put(_ context.Context, _ string, value []byte) error {
	var r provider.Report
	err := json.Unmarshal(value, &r)
	if r.Name == s.name {
		s.all = append(s.all, r)
		s.wrote()
	}
	return err
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
