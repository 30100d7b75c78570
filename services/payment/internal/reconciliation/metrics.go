package reconciliation

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/zap"
)

var (
	missingDesc = prometheus.NewDesc("boardorder_charges_without_order",
		"Charges at the card processor that led neither to an order nor to a refund.", nil, nil)
	comparedDesc = prometheus.NewDesc("boardorder_reconciled_timestamp_seconds",
		"When this process last compared the card processor's payments with our ledger.", nil, nil)
)

// Describe implements prometheus.Collector.
func (s *Reconciliation) Describe(out chan<- *prometheus.Desc) {
	out <- missingDesc
	out <- comparedDesc
}

// Collect implements prometheus.Collector. Before the first comparison there is
// nothing to say.
func (s *Reconciliation) Collect(out chan<- prometheus.Metric) {
	at, found := s.found.snapshot()
	if at.IsZero() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), metricsTimeout)
	defer cancel()
	n := 0
	for intent, r := range found {
		settled, err := s.Payments.IsSettled(ctx, r)
		if err != nil {
			s.Log.Warn("a charge without an order cannot be looked up", zap.String("intent", intent), zap.Error(err))
		}
		if settled {
			s.found.forget(intent)
			continue
		}
		n++
	}
	out <- prometheus.MustNewConstMetric(missingDesc, prometheus.GaugeValue, float64(n))
	out <- prometheus.MustNewConstMetric(comparedDesc, prometheus.GaugeValue, float64(at.UnixMilli())/1000)
}
