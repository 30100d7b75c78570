package worker

import "github.com/prometheus/client_golang/prometheus"

type counters struct {
	jobs     prometheus.Counter
	failures *prometheus.CounterVec
	filtered prometheus.Gauge
}

func newCounters(r prometheus.Registerer) counters {
	m := counters{
		jobs: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "boardorder_worker_jobs_total", Help: "Jobs that worker processes were given.",
		}),
		failures: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "boardorder_worker_failures_total", Help: "Jobs that took their worker process with them, by cause.",
		}, []string{"cause"}),
		filtered: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "boardorder_worker_confined", Help: "1 where the system calls of worker processes are filtered.",
		}),
	}
	if r != nil {
		r.MustRegister(m.jobs, m.failures, m.filtered)
	}
	return m
}

func (m counters) setConfined(yes bool) {
	if yes {
		m.filtered.Set(1)
		return
	}
	m.filtered.Set(0)
}
