package payment

import (
	"context"
	"maps"
	"sync"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/services/payment/internal/checkout"

	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/zap"
)

const (
	// maxMissing bounds the charges that are looked at when metrics are asked for.
	maxMissing = 1000
	// metricsTimeout bounds one look: whoever asks for metrics does not wait longer.
	metricsTimeout = 5 * time.Second
)

// books are what comparing the processor's books with ours found. Each replica
// compares in turn, so what one found is looked up again when metrics are asked
// for: by then another may have settled it.
type books struct {
	s        *Service
	missing  *prometheus.Desc
	compared *prometheus.Desc

	mu    sync.Mutex
	found map[string]checkout.Receipt // by intent
	at    time.Time                   // of the last comparison here; zero = none yet
}

func newBooks(s *Service) *books {
	return &books{
		s: s, found: map[string]checkout.Receipt{},
		missing:  prometheus.NewDesc("boardorder_charges_without_order", "Charges in the card processor's books that led neither to an order nor to a refund.", nil, nil),
		compared: prometheus.NewDesc("boardorder_reconciled_timestamp_seconds", "When this process last compared the card processor's books with ours.", nil, nil),
	}
}

// Metrics report what comparing the books found.
func (s *Service) Metrics() prometheus.Collector { return s.books }

// note keeps a charge that led to nothing in time.
func (b *books) note(r checkout.Receipt) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.found) < maxMissing {
		b.found[r.Intent] = r
	}
}

func (b *books) noteComparison(at time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.at = at
}

// Describe implements prometheus.Collector.
func (b *books) Describe(out chan<- *prometheus.Desc) {
	out <- b.missing
	out <- b.compared
}

// Collect implements prometheus.Collector. Before the first comparison there is
// nothing to say.
func (b *books) Collect(out chan<- prometheus.Metric) {
	b.mu.Lock()
	at, found := b.at, maps.Clone(b.found)
	b.mu.Unlock()
	if at.IsZero() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), metricsTimeout)
	defer cancel()
	n := 0
	for intent, r := range found {
		settled, err := b.s.isSettled(ctx, r)
		if err != nil {
			b.s.log.Warn("a charge without an order cannot be looked up", zap.String("intent", intent), zap.Error(err))
		}
		if settled {
			b.forget(intent)
			continue
		}
		n++
	}
	out <- prometheus.MustNewConstMetric(b.missing, prometheus.GaugeValue, float64(n))
	out <- prometheus.MustNewConstMetric(b.compared, prometheus.GaugeValue, float64(at.UnixMilli())/1000)
}

func (b *books) forget(intent string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.found, intent)
}

// isSettled tells whether a payment led to an order, or went back.
func (s *Service) isSettled(ctx context.Context, r checkout.Receipt) (bool, error) {
	paid, err := s.checkout(ctx, r.Quote)
	if err != nil {
		return false, err
	}
	switch checkout.Judge(paid.State, r) {
	case checkout.Done:
		return true, nil
	case checkout.Known:
		o, err := aggregate.At[orders.Order](s.events, contract.OrderAggregate, r.Quote).Load(ctx)
		return err == nil && o.Exists(), err
	}
	return false, nil
}
