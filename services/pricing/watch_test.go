package pricing_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/bus/simbus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/fabricator"
	"boardorder/pkg/flow"
	"boardorder/services/pricing"

	"go.uber.org/zap"
)

// assemblyWithNumbers is an assembly whose parts have numbers.
func assemblyWithNumbers() assemblies.Assembly {
	a := assemblyWith(false, assemblyPart("R1", 40), assemblyPart("U1", 4000))
	for i := range a.Price.Parts {
		a.Price.Parts[i].MPN, a.Price.Parts[i].QuantityPerBoard = "MPN-"+a.Price.Parts[i].Reference, 2
	}
	return a
}

// A market stands for part sourcing and what suppliers have, by number.
type market struct {
	stock  map[string]int64
	usd    map[string]string
	checks []partchecks.CheckData
}

func (m *market) check(log aggregate.Log, now func() time.Time) flow.Handler {
	return func(ctx context.Context, c contract.Command) error {
		data, err := flow.Decode[partchecks.CheckData](c)
		if err != nil {
			return err
		}
		r := &partchecks.Report{}
		for _, l := range data.Parts {
			f := partchecks.Found{Reference: l.Reference, MPN: l.MPN, Verdict: "ok", Bought: 20, CostUSD: m.usd[l.MPN], Supply: &partchecks.Supply{Stock: m.stock[l.MPN], Needed: 20, Source: "fab", At: now()}}
			if m.stock[l.MPN] < 20 {
				f.Verdict, f.Bought, f.CostUSD = "problem", 0, ""
			}
			r.Parts = append(r.Parts, f)
		}
		check := partchecks.PartCheck{ID: data.Check, Account: c.Account, Status: partchecks.Ended, Attempt: len(m.checks) + 1, StartedAt: now(), EndedAt: now(), Report: r}
		_, err = aggregate.At[partchecks.PartCheck](log, contract.PartCheckAggregate, data.Check).Execute(ctx, c, now(), func(aggregate.Snapshot[partchecks.PartCheck]) (*aggregate.Change[partchecks.PartCheck], error) {
			return &aggregate.Change[partchecks.PartCheck]{Event: partchecks.EventChecked, State: check}, nil
		})
		if err == nil {
			m.checks = append(m.checks, data)
		}
		return err
	}
}

func newMarket() *market {
	return &market{stock: map[string]int64{"MPN-R1": 100_000, "MPN-U1": 100_000}, usd: map[string]string{"MPN-R1": "0.40", "MPN-U1": "40.00"}}
}

func (d *desk) service(t *testing.T) *pricing.Service {
	t.Helper()
	s, err := pricing.New(pricing.Config{DefaultCountry: "US", ReadingWait: time.Millisecond, WatchEvery: 6 * time.Hour}, d.Sim, d.keys, pricing.Ports{Fabricators: d.fabricators()}, zap.NewNop(), d.Now)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// quoteAssembled is a quote of numbered parts, with the market as it is.
func (d *desk) quoteAssembled(t *testing.T, m *market) quotes.Quote {
	t.Helper()
	d.reads(t, twoLayers("board"))
	a := assemblyWithNumbers()
	a.Price.At = d.Now()
	d.assembled = []assemblies.Assembly{a}
	request, refusal := d.do(t, quotes.Price, standard(assembly))
	if refusal != nil {
		t.Fatalf("refused: %+v, want it granted", refusal)
	}
	d.Handle(flow.Handlers{partchecks.Check: m.check(d, d.Now)})
	return d.quote(t, request)
}

// watchQuote has a quote's parts asked about, and gives what its events say since.
func (d *desk) watchQuote(t *testing.T, q quotes.Quote, since time.Time) []string {
	t.Helper()
	before := len(d.Events(contract.QuoteAggregate))
	c, err := contract.NewCommand(quotes.Watch, "", q.Account, d.Now(), quotes.WatchData{Quote: q.Ref, Since: since})
	if err != nil {
		t.Fatal(err)
	}
	c.ID = contract.DeriveID("watch", since.String())
	for range 2 { // it is sent again, and changes nothing
		if err := d.Send(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		d.Run(d.Now().Add(10 * time.Minute))
	}
	if len(d.Dead) > 0 {
		t.Fatalf("dead letter: %v", d.Dead[0].Err)
	}
	var out []string
	for _, e := range d.Events(contract.QuoteAggregate)[before:] {
		out = append(out, string(e.Name))
	}
	return out
}

// TestWatch: suppliers are asked sparingly about the parts of an open quote, what changed is
// recorded once, and its price stays.
func TestWatch(t *testing.T) {
	t.Parallel()
	d, m := setup(t), newMarket()
	q := d.quoteAssembled(t, m)
	for i, step := range []struct {
		stock int64
		usd   string
		want  string
	}{
		{100_000, "40.00", ""}, {5, "40.00", "stock_low"}, {5, "40.00", ""}, {100_000, "40.00", "watched"}, {50, "80.00", "stock_low price_moved"}, {100_000, "80.00", "watched"},
	} {
		m.stock["MPN-U1"], m.usd["MPN-U1"] = step.stock, step.usd
		d.Advance(6 * time.Hour)
		if got := strings.Join(d.watchQuote(t, q, d.Now()), " "); got != step.want {
			t.Errorf("step %d, with %d in stock at %s: %q, want %q", i, step.stock, step.usd, got, step.want)
		}
	}
	after := d.loadQuote(t, q.Ref)
	if *after.Reply.TotalCents != *q.Reply.TotalCents || after.Version != q.Version || !after.ExpiresAt.Equal(q.ExpiresAt) || after.Assembly.PartCents != q.Assembly.PartCents {
		t.Errorf("the quote costs %d until %s, want %d until %s as before", *after.Reply.TotalCents, after.ExpiresAt, *q.Reply.TotalCents, q.ExpiresAt)
	}
	if p := after.Watched.Price; p == nil || p.WasCents != *q.Reply.TotalCents || p.TotalCents <= p.WasCents+4000 || p.PartsCents != 8040 {
		t.Errorf("moved to %+v, want from %d by the 4000 of the parts and what tax they bear", p, *q.Reply.TotalCents)
	}
	for _, c := range m.checks {
		if !c.Sparing || c.Since.IsZero() || len(c.Parts) != 2 {
			t.Errorf("suppliers were asked %+v, want sparingly about 2 parts", c)
		}
	}
	if len(m.checks) != 6 {
		t.Errorf("suppliers were asked %d times, want 6", len(m.checks))
	}
}

// TestWatchEnds: nobody is asked about a quote that can be bought no more.
func TestWatchEnds(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*desk, quotes.Quote){
		"expired": func(d *desk, _ quotes.Quote) { d.Advance(quotes.InstantTTL) },
		"paid": func(d *desk, q quotes.Quote) {
			commit(t, d, contract.OrderAggregate, q.Ref, orders.EventPaid, orders.Order{ID: "ord_1", Account: q.Account, Quote: q.Ref})
		},
	} {
		d, m := setup(t), newMarket()
		q := d.quoteAssembled(t, m)
		m.stock["MPN-U1"] = 0
		end(d, q)
		if got := d.watchQuote(t, q, d.Now()); len(got) > 0 || len(m.checks) > 0 {
			t.Errorf("%s: %q after %d checks, want nothing", name, got, len(m.checks))
		}
	}
}

// TestWatchThroughFaults: whatever crashes, is lost or comes twice, each thing is recorded once.
func TestWatchThroughFaults(t *testing.T) {
	t.Parallel()
	crashes := 0
	for seed := range uint64(60) {
		d, m := setup(t), newMarket()
		q := d.quoteAssembled(t, m)
		d.Sim = d.faulty(t, seed+1, m)
		m.stock["MPN-U1"], m.stock["MPN-R1"], m.usd["MPN-U1"] = 30, 3, "99.00"
		since := d.Now()
		c, err := contract.NewCommand(quotes.Watch, "", q.Account, d.Now(), quotes.WatchData{Quote: q.Ref, Since: since})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 3 { // the watcher's events come again, so its commands do
			c.ID = contract.DeriveID("watch", fmt.Sprint(i/2))
			survives(func() error { return d.Send(t.Context(), c) })
			d.Run(d.Now().Add(20 * time.Minute))
		}
		d.Calm()
		c.ID = "the next time"
		if err := d.Send(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		d.Run(d.Now().Add(time.Hour))
		var got []string
		for _, e := range d.Events(contract.QuoteAggregate) {
			if e.Name != quotes.EventPriced {
				got = append(got, string(e.Name))
			}
		}
		if want := []string{"stock_low", "price_moved"}; !slices.Equal(got, want) || len(d.Dead) > 0 {
			t.Fatalf("seed %d: %q and %d dead letters, want %q", seed+1, got, len(d.Dead), want)
		}
		crashes += d.Crashes()
	}
	if crashes == 0 {
		t.Error("nothing crashed: the test tests nothing")
	}
}

// faulty is an event system that has what the desk's has, two replicas, and every fault.
func (d *desk) faulty(t *testing.T, seed uint64, m *market, more ...flow.Handlers) *simbus.Sim {
	t.Helper()
	sim := simbus.New(seed, simbus.Usual())
	sim.Advance(d.Now().Sub(sim.Now()))
	for _, a := range []contract.Aggregate{contract.QuoteAggregate, contract.UploadAggregate} {
		for _, e := range d.Events(a) {
			for !survives(func() error { _, err := sim.Append(t.Context(), e, 0); return err }) {
			}
		}
	}
	for i := range 2 {
		s, err := pricing.New(pricing.Config{DefaultCountry: "US", ReadingWait: time.Millisecond}, sim, d.keys, pricing.Ports{Fabricators: fabricator.List[pricing.Pricer](d.fabricators())}, zap.NewNop(), sim.Now)
		if err != nil {
			t.Fatal(err)
		}
		handlers := append([]flow.Handlers{s.Handlers(), {partchecks.Check: m.check(sim, sim.Now)}}, more...)
		if i == 0 {
			sim.Handle(handlers...)
		} else {
			sim.AddReplica(handlers...)
		}
	}
	return sim
}

// survives reports whether what is done succeeds: a simulated process may die of it.
func survives(do func() error) (ok bool) {
	defer func() { ok = recover() == nil && ok }()
	return do() == nil
}

// TestWatcher: when a quote's event comes again, and what is sent by then.
func TestWatcher(t *testing.T) {
	t.Parallel()
	const every = 6 * time.Hour
	for name, tt := range map[string]struct {
		owner string
		at    time.Duration
		with  func(*desk, *quotes.Quote)
		again time.Duration
		since time.Duration // -1: no command
	}{
		"just priced":                {"acc_1", 0, nil, every, -1},
		"a moment before":            {"acc_1", every - time.Second, nil, time.Second, -1},
		"its time":                   {"acc_1", every, nil, every, every},
		"late":                       {"acc_1", 3*every + time.Hour, nil, every - time.Hour, 3 * every},
		"the last time":              {"acc_1", quotes.InstantTTL - time.Hour, nil, 0, quotes.InstantTTL - every},
		"expired":                    {"acc_1", quotes.InstantTTL, nil, 0, -1},
		"of a test key":              {"acc_1~test", 0, nil, time.Minute, -1},
		"of a test key, a minute":    {"acc_1~test", time.Minute, nil, every - time.Minute, time.Minute},
		"of a test key, hours":       {"acc_1~test", every, nil, every, every},
		"bare boards":                {"acc_1", every, func(_ *desk, q *quotes.Quote) { q.Assembly = nil }, 0, -1},
		"a review that has no price": {"acc_1", every, func(_ *desk, q *quotes.Quote) { q.Status = quotes.SourcingRequested }, 0, -1},
		"priced by the team":         {"acc_1", every, func(_ *desk, q *quotes.Quote) { q.Status = quotes.SourcingQuoted }, every, every},
		"nothing is bought":          {"acc_1", every, func(_ *desk, q *quotes.Quote) { q.Reply.Parts = nil }, 0, -1},
		"paid": {"acc_1", every, func(d *desk, q *quotes.Quote) {
			commit(t, d, contract.OrderAggregate, q.Ref, orders.EventPaid, orders.Order{ID: "ord_1", Quote: q.Ref})
		}, 0, -1},
	} {
		d := setup(t)
		begin := d.Now()
		q := quotes.Quote{Ref: "q1", Account: tt.owner, Status: quotes.Ready, ExpiresAt: begin.Add(quotes.InstantTTL), Assembly: &quotes.QuotedAssembly{Boards: 10, At: begin}, Reply: quotes.Reply{Parts: assemblyWithNumbers().Price.Parts}}
		if tt.with != nil {
			tt.with(d, &q)
		}
		commit(t, d, contract.QuoteAggregate, "q1", quotes.EventPriced, q)
		e, _ := d.LatestEvent(contract.QuoteAggregate, "q1")
		d.Advance(tt.at)
		w := pricing.NewWatcher(d.service(t), d.Sim)
		for range 2 {
			again, err := w.HandleEvents(t.Context(), []contract.Event{e})
			if err != nil || again[0] != tt.again {
				t.Errorf("%s: again after %v, %v; want %s", name, again, err, tt.again)
			}
		}
		c, sent := d.Commands()[quotes.Watch]
		if sent != (tt.since >= 0) {
			t.Errorf("%s: sent %+v, want a command: %t", name, c, tt.since >= 0)
		}
		if data, err := flow.Decode[quotes.WatchData](c); sent && (err != nil || !data.Since.Equal(begin.Add(tt.since)) || data.Quote != "q1" || c.Account != tt.owner) {
			t.Errorf("%s: %+v of %s, want answers since %s", name, data, c.Account, begin.Add(tt.since))
		}
	}
}

// TestWatcherSkips: an event that is not the last calls for nothing, nor does one that nobody can
// read, and with an interval of zero none does.
func TestWatcherSkips(t *testing.T) {
	t.Parallel()
	d := setup(t)
	q := quotes.Quote{Ref: "q1", Account: "acc_1", Status: quotes.Ready, ExpiresAt: d.Now().Add(quotes.InstantTTL), Assembly: &quotes.QuotedAssembly{Boards: 10, At: d.Now()}, Reply: quotes.Reply{Parts: assemblyWithNumbers().Price.Parts}}
	commit(t, d, contract.QuoteAggregate, "q1", quotes.EventPriced, q)
	first, _ := d.LatestEvent(contract.QuoteAggregate, "q1")
	commit(t, d, contract.QuoteAggregate, "q1", quotes.EventStockLow, q)
	last, _ := d.LatestEvent(contract.QuoteAggregate, "q1")
	broken := last
	broken.Data = []byte(`{"state":{"assembly":{},"ref":7}}`)
	d.Advance(7 * time.Hour)
	if again, err := pricing.NewWatcher(d.service(t), d.Sim).HandleEvents(t.Context(), []contract.Event{first, broken}); err != nil || again[0] != 0 || again[1] != 0 || len(d.Dead) != 1 {
		t.Errorf("again %v, %v, %d dead letters; want never, and the unreadable one set aside", again, err, len(d.Dead))
	}
	s, err := pricing.New(pricing.Config{DefaultCountry: "US"}, d.Sim, d.keys, pricing.Ports{Fabricators: d.fabricators()}, zap.NewNop(), d.Now)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := pricing.NewWatcher(s, d.Sim).HandleEvents(t.Context(), []contract.Event{last}); err != nil || again[0] != 0 {
		t.Errorf("without an interval: again %v, %v; want never", again, err)
	}
	if c, sent := d.Commands()[quotes.Watch]; sent {
		t.Errorf("sent %+v, want nothing", c)
	}
}

// TestWatcherThroughTheBroker: the broker keeps a quote's event until it is time, and of two
// replicas one command comes.
func TestWatcherThroughTheBroker(t *testing.T) {
	t.Parallel()
	b := bustest.Start(t)
	d := setup(t)
	q := quotes.Quote{Ref: "q1", Account: "acc_1~test", Status: quotes.Ready, ExpiresAt: time.Now().Add(quotes.InstantTTL), Assembly: &quotes.QuotedAssembly{Boards: 10, At: time.Now().Add(time.Second - time.Minute)}, Reply: quotes.Reply{Parts: assemblyWithNumbers().Price.Parts}}
	_, err := aggregate.At[quotes.Quote](b, contract.QuoteAggregate, "q1").Execute(t.Context(), contract.Command{ID: "priced"}, time.Now(), func(aggregate.Snapshot[quotes.Quote]) (*aggregate.Change[quotes.Quote], error) {
		return &aggregate.Change[quotes.Quote]{Event: quotes.EventPriced, State: q}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	s, err := pricing.New(pricing.Config{DefaultCountry: "US", WatchEvery: time.Hour}, b, d.keys, pricing.Ports{Fabricators: d.fabricators()}, zap.NewNop(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		bustest.Go(t, func(ctx context.Context) error {
			return b.FollowAgain(ctx, quotes.WatchConsumer, contract.QuoteAggregate, pricing.NewWatcher(s, b).HandleEvents)
		})
	}
	m, commands := newMarket(), s.Handlers()
	m.stock["MPN-U1"] = 0
	for service, handlers := range map[string]flow.Handlers{"pricing": {quotes.Watch: commands[quotes.Watch]}, "part-sourcing": {partchecks.Check: m.check(b, time.Now)}} {
		bustest.Go(t, func(ctx context.Context) error {
			return b.Serve(ctx, bus.Work{Service: service, Handlers: handlers, Parallel: 4})
		})
	}
	var last contract.Event
	bustest.WaitFor(t, "the quote to say that a part is scarce", func() bool {
		if last, err = b.Last(t.Context(), contract.QuoteAggregate, "q1"); err != nil {
			t.Fatal(err)
		}
		return last.Name == quotes.EventStockLow
	})
	if last.Version != 2 || last.At.Before(q.Assembly.At.Add(time.Minute)) || len(m.checks) != 1 {
		t.Errorf("version %d at %s after %d checks, want 2, a minute after %s, after one", last.Version, last.At, len(m.checks), q.Assembly.At)
	}
}
