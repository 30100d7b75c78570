package bus

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

type metrics struct {
	publishes   *prometheus.HistogramVec
	handles     *prometheus.HistogramVec
	follows     *prometheus.HistogramVec
	followCount *prometheus.CounterVec
	buried      *prometheus.CounterVec
}

// newMetrics registers what the bus counts; with no registry it counts for itself.
func newMetrics(r prometheus.Registerer) *metrics {
	m := &metrics{
		publishes: histogram("bus_publish_seconds", "Time until a publish was stored.", "type", "result"),
		handles:   histogram("bus_handle_seconds", "Time to handle a command.", "command", "verdict"),
		follows:   histogram("bus_follow_seconds", "Time to take in a batch of events.", "durable", "result"),
		followCount: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "bus_followed_events_total", Help: "Events taken in."}, []string{"durable"}),
		buried: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "bus_buried_total", Help: "Commands copied to the dead letters."}, []string{"command"}),
	}
	if r != nil {
		r.MustRegister(m.publishes, m.handles, m.follows, m.followCount, m.buried)
	}
	return m
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

func (m *metrics) followed(durable string, n int, took time.Duration, err error) {
	m.follows.WithLabelValues(durable, result(err)).Observe(took.Seconds())
	if err == nil {
		m.followCount.WithLabelValues(durable).Add(float64(n))
	}
}
