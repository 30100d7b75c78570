package run

import (
	"context"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// pingTimeout bounds one look at what a process works with: whoever asks for
// metrics does not wait longer.
const pingTimeout = 3 * time.Second

// availability reports, when metrics are asked for, whether this process reaches
// what it works with.
type availability struct {
	pings map[string]func(context.Context) error
	desc  *prometheus.Desc
}

// Availability gives the gauge boardorder_dependency_up of a process: 1 where
// broker, documents and files answer it, 0 where they do not.
func Availability(d Deps) prometheus.Collector {
	return newAvailability(map[string]func(context.Context) error{"broker": d.Bus.Ready, "documents": d.Docs.Ping, "files": d.Blobs.Ping})
}

func newAvailability(pings map[string]func(context.Context) error) availability {
	return availability{
		pings: pings,
		desc:  prometheus.NewDesc("boardorder_dependency_up", "1 while this process reaches broker, documents or files, 0 while it does not.", []string{"dependency"}, nil),
	}
}

// Describe implements prometheus.Collector.
func (a availability) Describe(out chan<- *prometheus.Desc) { out <- a.desc }

// Collect implements prometheus.Collector.
func (a availability) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), pingTimeout)
	defer cancel()
	var group sync.WaitGroup
	for name, ping := range a.pings {
		group.Go(func() {
			up := 1.0
			if ping(ctx) != nil {
				up = 0
			}
			out <- prometheus.MustNewConstMetric(a.desc, prometheus.GaugeValue, up, name)
		})
	}
	group.Wait()
}
