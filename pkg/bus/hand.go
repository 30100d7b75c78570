package bus

import (
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// InHand is a command that this process holds.
type InHand struct {
	Command  string    `json:"command"`
	ID       string    `json:"id"`
	Request  string    `json:"request,omitempty"`
	Since    time.Time `json:"since"`               // it is in this process
	Delivery uint64    `json:"delivery"`            // above 1: it was given back before, or a process died
	Runs     int       `json:"runs"`                // in this process
	State    string    `json:"state"`               // running or waiting
	Changed  time.Time `json:"state_since"`         // what it does now it does since then
	WaitsFor string    `json:"waits_for,omitempty"` // an aggregate whose change ends the wait
	Until    time.Time `json:"until,omitzero"`      // the wait ends in any case
}

const (
	stateRunning = "running"
	stateWaiting = "waiting"
)

// hand is what this process holds.
type hand struct {
	mu   sync.Mutex
	held map[*delivery]*InHand
	now  func() time.Time
}

func (h *hand) take(d *delivery, number uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.held[d] = &InHand{Command: d.command.Name.String(), ID: d.command.ID, Request: d.command.Request, Since: h.now(), Delivery: number}
}

func (h *hand) drop(d *delivery) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.held, d)
}

func (h *hand) running(d *delivery) {
	h.mu.Lock()
	defer h.mu.Unlock()
	e := h.held[d]
	e.State, e.Changed, e.WaitsFor, e.Until = stateRunning, h.now(), "", time.Time{}
	e.Runs++
}

func (h *hand) waiting(d *delivery, what string, after time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	e := h.held[d]
	e.State, e.Changed, e.WaitsFor, e.Until = stateWaiting, h.now(), what, h.now().Add(after)
}

// CommandsInHand lists the commands that this process holds, those that it has held longest first.
func (b *Bus) CommandsInHand() []InHand {
	b.hand.mu.Lock()
	defer b.hand.mu.Unlock()
	out := make([]InHand, 0, len(b.hand.held))
	for _, e := range b.hand.held {
		out = append(out, *e)
	}
	slices.SortFunc(out, func(x, y InHand) int { return x.Since.Compare(y.Since) })
	return out
}

var oldest = prometheus.NewDesc("boardorder_in_hand_oldest_seconds",
	"How long the command has run or waited that does so longest, of those that this process holds.", []string{"command", "state"}, nil)

// Describe implements prometheus.Collector.
func (h *hand) Describe(out chan<- *prometheus.Desc) { out <- oldest }

// Collect implements prometheus.Collector.
func (h *hand) Collect(out chan<- prometheus.Metric) {
	h.mu.Lock()
	defer h.mu.Unlock()
	most := map[[2]string]time.Duration{}
	for _, e := range h.held {
		of := [2]string{e.Command, e.State}
		most[of] = max(most[of], h.now().Sub(e.Changed))
	}
	for of, d := range most {
		out <- prometheus.MustNewConstMetric(oldest, prometheus.GaugeValue, d.Seconds(), of[:]...)
	}
}
