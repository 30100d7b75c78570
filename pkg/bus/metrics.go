package bus

import (
	"time"

	"boardorder/pkg/contract"

	"github.com/prometheus/client_golang/prometheus"
)

type metrics struct {
	publishes *prometheus.HistogramVec
	handles   *prometheus.HistogramVec
	outcomes  *prometheus.HistogramVec
	follows   *prometheus.HistogramVec
	events    *prometheus.CounterVec
	setAside  *prometheus.CounterVec
	dead      *prometheus.CounterVec
	running   *prometheus.GaugeVec
	skew      prometheus.Gauge
}

// newMetrics registers what the bus counts; with no registry it counts for itself.
func newMetrics(r prometheus.Registerer) *metrics {
	m := &metrics{
		publishes: histogram("boardorder_publish_seconds", "Time until a publish was stored.", "type", "result"),
		handles:   histogram("boardorder_handle_seconds", "Time of one run of a command.", "command", "verdict"),
		outcomes:  histogram("boardorder_outcome_seconds", "Time from a client's request to its stored outcome: queue, waits, retries and all runs included.", "command"),
		follows:   histogram("boardorder_follow_seconds", "Time to take in a batch of events.", "consumer", "result"),
		events:    counter("boardorder_followed_events_total", "Events taken in.", "consumer"),
		setAside:  counter("boardorder_events_dead_lettered_total", "Events that could not be read or stored.", "consumer"),
		dead:      counter("boardorder_dead_letters_total", "Commands and events copied to the dead letters.", "command"),
		running: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "boardorder_consumer_running", Help: "1 while this process consumes from a consumer, 0 while it cannot."}, []string{"stream", "consumer"}),
		skew: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "boardorder_clock_wrong_seconds", Help: "How far the broker's clock is ahead of this machine's, where that is more than two seconds; else 0."}),
	}
	if r != nil {
		r.MustRegister(m.publishes, m.handles, m.outcomes, m.follows, m.events, m.setAside, m.dead, m.running, m.skew)
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

func (m *metrics) notePublish(kind string, took time.Duration, err error) {
	m.publishes.WithLabelValues(kind, result(err)).Observe(took.Seconds())
}

func (m *metrics) noteHandle(command, verdict string, took time.Duration) {
	m.handles.WithLabelValues(command, verdict).Observe(took.Seconds())
}

// noteOutcome notes how long a client's request waited for its outcome. Commands
// between services are nobody's to wait for.
func (m *metrics) noteOutcome(c contract.Command, at time.Time) {
	if c.Completes() != "" {
		m.outcomes.WithLabelValues(c.Name.String()).Observe(at.Sub(c.At).Seconds())
	}
}

func (m *metrics) noteFollow(consumer string, n int, took time.Duration, err error) {
	m.follows.WithLabelValues(consumer, result(err)).Observe(took.Seconds())
	if err == nil {
		m.events.WithLabelValues(consumer).Add(float64(n))
	}
}
