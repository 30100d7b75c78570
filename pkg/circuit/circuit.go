// Package circuit stops calling an external provider that fails again and again, for
// a while, and tells the metrics whose circuits are open.
package circuit

import (
	"errors"
	"time"

	"boardorder/pkg/provider"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/sony/gobreaker/v2"
)

// A Breaker stands before one company. It is safe for concurrent use.
type Breaker[T any] struct {
	b        *gobreaker.CircuitBreaker[T]
	meter    *provider.Meter // nil: it is not measured
	settings Settings
}

// Settings say when a circuit opens.
type Settings struct {
	Company   string           // as the metrics name it
	Kind      provider.Kind    // what it does for us; empty: its calls are not measured
	TripAfter uint32           // failures in a row that open the circuit
	TripFor   time.Duration    // how long nobody asks then; one call tries afterwards
	Healthy   func(error) bool // whether a call that ended so says that the company works; nil errors included
	Ignored   func(error) bool // whether a call that ended so says nothing about the company
}

// open counts the circuits of this process that are not closed. What is tried
// again after its time counts until a call has succeeded.
var open = prometheus.NewGaugeVec(prometheus.GaugeOpts{
	Name: "boardorder_circuits_open", Help: "Circuits of this process that are open because calls of an external provider failed one after another.",
}, []string{"company"})

// Metrics reports the circuits of this process.
func Metrics() prometheus.Collector { return open }

// New makes a closed circuit.
func New[T any](s Settings) *Breaker[T] {
	gauge := open.WithLabelValues(s.Company)
	b := &Breaker[T]{settings: s}
	if s.Kind != "" {
		b.meter = provider.Process.Open(s.Kind, s.Company, int(s.TripAfter))
	}
	b.b = gobreaker.NewCircuitBreaker[T](gobreaker.Settings{
		Name:         s.Company,
		Timeout:      s.TripFor,
		ReadyToTrip:  func(n gobreaker.Counts) bool { return n.ConsecutiveFailures >= s.TripAfter },
		IsSuccessful: s.Healthy,
		IsExcluded:   s.Ignored,
		OnStateChange: func(_ string, from, to gobreaker.State) {
			switch {
			case from == gobreaker.StateClosed:
				gauge.Inc()
			case to == gobreaker.StateClosed:
				gauge.Dec()
			}
		},
	})
	return b
}

// Do makes a call, unless the circuit is open: see IsOpen.
func (b *Breaker[T]) Do(call func() (T, error)) (T, error) {
	began := time.Now()
	out, err := b.b.Execute(call)
	b.record(began, err)
	return out, err
}

// record measures a call that was made and says something about the company.
func (b *Breaker[T]) record(began time.Time, err error) {
	ignored := b.settings.Ignored != nil && err != nil && b.settings.Ignored(err)
	if b.meter == nil || ignored || IsOpen(err) {
		return
	}
	healthy := err == nil || b.settings.Healthy != nil && b.settings.Healthy(err)
	now := time.Now()
	b.meter.Record(now, now.Sub(began), healthy)
}

// Exhaust notes that the company allows no more calls for a while.
func (b *Breaker[T]) Exhaust(wait time.Duration) {
	if b.meter != nil {
		now := time.Now()
		b.meter.Exhaust(now, now.Add(wait))
	}
}

// Open reports whether nobody may ask now.
func (b *Breaker[T]) Open() bool { return b.b.State() == gobreaker.StateOpen }

// IsOpen reports whether an error of Do means that no call was made.
func IsOpen(err error) bool {
	return errors.Is(err, gobreaker.ErrOpenState) || errors.Is(err, gobreaker.ErrTooManyRequests)
}
