package simulation

import (
	"context"
	"maps"
	"slices"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/bus/simbus"
	"boardorder/pkg/contract/accounts"
	webhookscontract "boardorder/pkg/contract/webhooks"
	"boardorder/pkg/flow"
	"boardorder/services/webhooks"

	"go.uber.org/zap"
)

// webhookHandlers is a process that carries out commands about webhook endpoints.
func (w *world) webhookHandlers() flow.Handlers {
	return webhooks.New(webhooks.Config{}, publicFeed{w.Sim}, &progress{w.Sim, map[string][]byte{}}, zap.NewNop(), w.Now).Handlers()
}

// publicFeed tells how far the stream of public events goes.
type publicFeed struct{ *simbus.Sim }

func (f publicFeed) FeedState(context.Context) (bus.FeedState, error) {
	return bus.FeedState{First: 1, Last: uint64(len(f.Public()))}, nil
}

// progress is a bucket in which each key is written once.
type progress struct {
	*simbus.Sim
	values map[string][]byte
}

func (p *progress) Get(_ context.Context, key string) ([]byte, uint64, error) {
	if value, ok := p.values[key]; ok {
		return value, 1, nil
	}
	return nil, 0, bus.ErrNoKey
}

func (p *progress) Create(ctx context.Context, key string, value []byte) (uint64, error) {
	if _, ok := p.values[key]; ok {
		return 0, bus.ErrWrongRevision
	}
	return 1, p.Effect(ctx, "begin endpoint", func() error { p.values[key] = value; return nil })
}

func (p *progress) Update(context.Context, string, []byte, uint64) (uint64, error) {
	return 0, bus.ErrWrongRevision
}

func (p *progress) Delete(_ context.Context, key string) error {
	delete(p.values, key)
	return nil
}

func (p *progress) Keys(context.Context) ([]string, error) {
	return slices.Sorted(maps.Keys(p.values)), nil
}

// watch makes a webhook endpoint and does with it what its account can.
func (w *world) watch() {
	id := webhookscontract.Prefix + "partner1"
	w.ask(webhookscontract.Create, webhookscontract.CreateData{
		Endpoint: id, Key: "sample", Scopes: accounts.DefaultScopes(), Master: w.keys.MasterID(), URL: "https://partner.example/hooks",
		Types: []string{webhookscontract.AllTypes}, Description: "Production", RatePerSecond: webhookscontract.DefaultRate,
	})
	w.pass(time.Second)
	rate, status := 50, webhookscontract.Paused
	w.ask(webhookscontract.Change, webhookscontract.ChangeData{Endpoint: id, RatePerSecond: &rate, Status: &status})
	w.pass(time.Second)
	status = webhookscontract.Enabled
	w.ask(webhookscontract.Change, webhookscontract.ChangeData{Endpoint: id, Status: &status})
	w.ask(webhookscontract.Rotate, webhookscontract.RotateData{Endpoint: id, Master: w.keys.MasterID(), Overlap: webhookscontract.MaxOverlap})
	w.ask(webhookscontract.Test, webhookscontract.Data{Endpoint: id})
	w.ask(webhookscontract.Resend, webhookscontract.ResendData{Endpoint: id, Since: w.Now().Add(-time.Hour)})
	w.pass(time.Second)
	w.command(webhookscontract.Disable, webhookscontract.DisableData{Endpoint: id, Reason: webhookscontract.Failing, FailingSince: w.Now()})
	w.pass(time.Second)
	w.ask(webhookscontract.Delete, webhookscontract.Data{Endpoint: id})
	w.pass(time.Second)
}
