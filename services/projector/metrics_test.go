package projector_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/flow"
	"boardorder/pkg/projection"
	"boardorder/pkg/run"
	"boardorder/services/projector"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	"go.uber.org/zap"
)

// series gives the value of each series: its name, then its labels' values.
func series(t *testing.T, g prometheus.Gatherer) map[string]float64 {
	t.Helper()
	families, err := g.Gather()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]float64{}
	for _, f := range families {
		for _, m := range f.Metric {
			out[seriesName(f.GetName(), m)] = m.GetGauge().GetValue()
		}
	}
	return out
}

func seriesName(name string, m *dto.Metric) string {
	for _, l := range m.Label {
		name += " " + l.GetValue()
	}
	return name
}

func TestGauges(t *testing.T) {
	t.Parallel()
	b, docs, _ := start(t)
	metrics := prometheus.NewPedanticRegistry()
	p := projector.New(projector.Config{}, run.Deps{Bus: b, Docs: docs, Log: zap.NewNop(), Metrics: metrics, Now: time.Now})
	openAccount(t, b, "acc_1", "req_1")
	bustest.Go(t, p.Run)
	// A service that is busy for as long as the test looks.
	release, begun := make(chan struct{}), make(chan struct{})
	defer close(release)
	name := contract.CommandName{Service: "pricing", Verb: "quote"}
	bustest.Go(t, func(ctx context.Context) error {
		return b.Serve(ctx, bus.Work{Service: "pricing", Parallel: 1, Handlers: flow.Handlers{
			name: func(context.Context, contract.Command) error { close(begun); <-release; return nil },
		}})
	})
	if err := b.Send(t.Context(), contract.Command{ID: "cmd_1", Name: name, At: time.Now().UTC()}); err != nil {
		t.Fatal(err)
	}
	<-begun
	bustest.WaitFor(t, "the account to be projected", func() bool {
		_, err := docs.Get(t.Context(), "operation", "req_1")
		return err == nil
	})
	got := series(t, metrics)
	for name, want := range map[string]float64{
		"boardorder_stream_messages COMMANDS":              1,
		"boardorder_stream_messages EVENTS_ACCOUNT":        1,
		"boardorder_consumer_ack_pending pricing COMMANDS": 1,
		"boardorder_consumer_pending pricing COMMANDS":     0,
		"boardorder_orders_held":                           0,
		"boardorder_quotes_in_review":                      0,
	} {
		if v, ok := got[name]; !ok || v != want {
			t.Errorf("%s = %v (present: %t), want %v", name, v, ok, want)
		}
	}
	if got["boardorder_stream_bytes COMMANDS"] <= 0 || got["boardorder_stream_max_bytes COMMANDS"] <= got["boardorder_stream_bytes COMMANDS"] {
		t.Errorf("stream COMMANDS has %v of %v bytes, want more than 0 of more", got["boardorder_stream_bytes COMMANDS"], got["boardorder_stream_max_bytes COMMANDS"])
	}
}

// TestGaugesCountAll: however many there are.
func TestGaugesCountAll(t *testing.T) {
	t.Parallel()
	b, docs, _ := start(t)
	metrics := prometheus.NewPedanticRegistry()
	projector.New(projector.Config{}, run.Deps{Bus: b, Docs: docs, Log: zap.NewNop(), Metrics: metrics, Now: time.Now})
	held := make([]projection.Document, projection.MaxLimit+5)
	for i := range held {
		held[i] = projection.Document{
			Kind: string(contract.OrderAggregate), ID: fmt.Sprint("order", i), Seq: 1, At: time.Now(), Body: []byte(`{}`),
			Keys: map[string]string{"status": string(orders.Held)},
		}
	}
	held[0].Keys["status"] = string(orders.Placed)
	if err := docs.Put(t.Context(), held...); err != nil {
		t.Fatal(err)
	}
	if got, want := series(t, metrics)["boardorder_orders_held"], float64(len(held)-1); got != want {
		t.Errorf("orders_held = %v, want %v", got, want)
	}
}
