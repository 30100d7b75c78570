package projector

import (
	"context"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/projection"

	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/zap"
)

// gauges report how things stand when metrics are asked for. All replicas report
// the same: take the highest, not the sum.
type gauges struct {
	bus  *bus.Bus
	docs projection.Store
	log  *zap.Logger

	messages, bytes, maxBytes *prometheus.Desc // of each stream
	offlineReplicas           *prometheus.Desc
	pending, ackPending       *prometheus.Desc // of each consumer
	held, requested           *prometheus.Desc
}

func newGauges(b *bus.Bus, docs projection.Store, log *zap.Logger) *gauges {
	stream, consumer := []string{"stream"}, []string{"stream", "consumer"}
	return &gauges{
		bus: b, docs: docs, log: log,
		messages:        prometheus.NewDesc("boardorder_stream_messages", "Messages in a stream.", stream, nil),
		bytes:           prometheus.NewDesc("boardorder_stream_bytes", "Size of a stream.", stream, nil),
		maxBytes:        prometheus.NewDesc("boardorder_stream_max_bytes", "Size at which a stream takes no more.", stream, nil),
		offlineReplicas: prometheus.NewDesc("boardorder_stream_replicas_offline", "Replicas of a stream that are offline or not current.", stream, nil),
		pending:         prometheus.NewDesc("boardorder_consumer_pending", "Messages not delivered yet.", consumer, nil),
		ackPending:      prometheus.NewDesc("boardorder_consumer_ack_pending", "Messages delivered and not acknowledged.", consumer, nil),
		held:            prometheus.NewDesc("boardorder_orders_held", "Orders that wait for the operator's team.", nil, nil),
		requested:       prometheus.NewDesc("boardorder_quotes_in_review", "Quotes that wait for the operator's team.", nil, nil),
	}
}

// Describe implements prometheus.Collector.
func (g *gauges) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{g.messages, g.bytes, g.maxBytes, g.offlineReplicas, g.pending, g.ackPending, g.held, g.requested} {
		out <- d
	}
}

// gaugeTimeout bounds one look: whoever asks for metrics does not wait longer.
const gaugeTimeout = 5 * time.Second

// Collect implements prometheus.Collector. What cannot be found out now is left
// out, so that the rest can be read; an alert on absence reports it.
func (g *gauges) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), gaugeTimeout)
	defer cancel()
	g.streams(ctx, out)
	g.count(ctx, out, g.held, contract.OrderAggregate, string(orders.Held))
	g.count(ctx, out, g.requested, contract.QuoteAggregate, string(quotes.SourcingRequested))
}

func (g *gauges) streams(ctx context.Context, out chan<- prometheus.Metric) {
	states, err := g.bus.States(ctx)
	if err != nil {
		g.log.Warn("streams cannot be measured", zap.Error(err))
		return
	}
	send := func(d *prometheus.Desc, v float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	for _, s := range states {
		send(g.messages, float64(s.Messages), s.Name)
		send(g.bytes, float64(s.Bytes), s.Name)
		if s.MaxBytes > 0 {
			send(g.maxBytes, float64(s.MaxBytes), s.Name)
		}
		send(g.offlineReplicas, float64(s.OfflineReplicas), s.Name)
		for _, c := range s.Consumers {
			send(g.pending, float64(c.Pending), s.Name, c.Name)
			send(g.ackPending, float64(c.AckPending), s.Name, c.Name)
		}
	}
}

// count counts the documents of one status.
func (g *gauges) count(ctx context.Context, out chan<- prometheus.Metric, d *prometheus.Desc, a contract.Aggregate, status string) {
	n, err := g.docs.Count(ctx, string(a), "status", status)
	if err != nil {
		g.log.Warn("documents cannot be counted", zap.String("kind", string(a)), zap.Error(err))
		return
	}
	out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, float64(n))
}
