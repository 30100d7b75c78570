package web

import (
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

type metrics struct {
	requests *prometheus.HistogramVec
}

func newMetrics(r prometheus.Registerer) *metrics {
	m := &metrics{requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "boardorder_edge_request_seconds", Help: "Time to answer a request, waiting included.",
		Buckets: prometheus.ExponentialBuckets(0.001, 2.5, 14),
	}, []string{"method", "route", "status"})}
	if r != nil {
		r.MustRegister(m.requests)
	}
	return m
}

func (m *metrics) observe(method, route string, status int, took time.Duration) {
	m.requests.WithLabelValues(methodLabel(method), route, strconv.Itoa(status)).Observe(took.Seconds())
}
