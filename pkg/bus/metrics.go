package bus

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

type metrics struct {
	publishes *prometheus.HistogramVec
	handles   *prometheus.HistogramVec
	follows   *prometheus.HistogramVec
	events    *prometheus.CounterVec
	setAside  *prometheus.CounterVec
	dead      *prometheus.CounterVec
	running   *prometheus.GaugeVec
}

// newMetrics registers what the bus counts; with no registry it counts for itself.
func newMetrics(r prometheus.Registerer) *metrics {
	m := &metrics{
		publishes: histogram("boardorder_publish_seconds", "Time until a publish was stored.", "type", "result"),
		handles:   histogram("boardorder_handle_seconds", "Time of one run of a command.", "command", "verdict"),
		follows:   histogram("boardorder_follow_seconds", "Time to take in a batch of events.", "consumer", "result"),
		events:    counter("boardorder_followed_events_total", "Events taken in.", "consumer"),
		setAside:  counter("boardorder_events_set_aside_total", "Events that could not be read or stored.", "consumer"),
		dead:      counter("boardorder_dead_letters_total", "Commands and events copied to the dead letters.", "command"),
		running: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "boardorder_consumer_running", Help: "1 while this process consumes from a consumer, 0 while it cannot."}, []string{"stream", "consumer"}),
	}
	if r != nil {
		r.MustRegister(m.publishes, m.handles, m.follows, m.events, m.setAside, m.dead, m.running)
	}
	return m
}

func counter(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
}

func histogram(name, help string, labels ...string) *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: name, Help: help, Buckets: prometheus.ExponentialBuckets(0.0005, 2.5, 14),
	}, labels)
}

func result(err error) string {
	if err != nil {
		return "error"
	}
	return "ok"
}

func (m *metrics) published(kind string, took time.Duration, err error) {
	m.publishes.WithLabelValues(kind, result(err)).Observe(took.Seconds())
}

func (m *metrics) handled(command, verdict string, took time.Duration) {
	m.handles.WithLabelValues(command, verdict).Observe(took.Seconds())
}

func (m *metrics) followed(consumer string, n int, took time.Duration, err error) {
	m.follows.WithLabelValues(consumer, result(err)).Observe(took.Seconds())
	if err == nil {
		m.events.WithLabelValues(consumer).Add(float64(n))
	}
}
