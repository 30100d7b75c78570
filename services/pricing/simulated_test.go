package pricing_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"boardorder/deploy/simulator"
	"boardorder/deploy/simulator/fabricator"
	"boardorder/deploy/simulator/fault"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract/quotes"
	fabs "boardorder/pkg/fabricator"
	"boardorder/pkg/fabricator/openfab"
	"boardorder/services/pricing"
)

// repriced is a fabricator whose boards and freight cost otherwise, in cents.
type repriced struct {
	pricing.Pricer
	boards, freight int64
}

func (r repriced) Price(ctx context.Context, s fabs.Spec) (fabs.Price, error) {
	p, err := r.Pricer.Price(ctx, s)
	if err != nil {
		return p, err
	}
	p = p.Clone()
	p.Lines[0].Cents += r.boards
	for i := range p.Shipping {
		p.Shipping[i].Cents += r.freight
	}
	return p, nil
}

// TestSimulatedFabricators: over the fabricator's own protocol one is away, one does not answer
// in its time, one has cheaper boards and dearer freight, and the fourth builds.
func TestSimulatedFabricators(t *testing.T) {
	t.Parallel()
	d := setup(t)
	d.rule = "cheapest"
	simulate := func(name string, wait time.Duration, faults ...fault.Fault) pricing.Fabricator {
		sim, err := simulator.New(simulator.Config{DataDir: t.TempDir(), Now: d.Now}, nil)
		if err != nil {
			t.Fatal(err)
		}
		bustest.Go(t, sim.Run)
		if err := sim.Faults().Add(faults...); err != nil {
			t.Fatal(err)
		}
		calls := http.DefaultTransport.(*http.Transport).Clone()
		t.Cleanup(calls.CloseIdleConnections)
		adapter, err := openfab.New(openfab.Config{
			Name: name, Transport: calls, URL: sim.FabricatorURL(), AppID: fabricator.AppID, AccessKey: fabricator.AccessKey, SecretKey: fabricator.SecretKey, PerSecond: 10000, Now: d.Now,
		})
		if err != nil {
			t.Fatal(err)
		}
		return pricing.Fabricator{Name: name, Country: "CN", Wait: wait, Adapter: adapter}
	}
	away := simulate("away", time.Minute, fault.Fault{Kind: fault.ErrorBefore, Times: -1})
	slow := simulate("slow", 50*time.Millisecond, fault.Fault{Kind: fault.Delay, DelayMS: 1000, Times: -1})
	dear, plain := simulate("dear", time.Minute), simulate("plain", time.Minute)
	dear.Adapter = repriced{dear.Adapter, -100, 2000}
	d.serve(t, away, slow, dear, plain)
	d.reads(t, twoLayers("board"))
	q := d.price(t, standard(nil))
	if got := offersOf(q); q.Terms.Fabricator != "plain" || got != "away away, slow slow, dear priced, plain chosen" {
		t.Fatalf("of %s: %s; want of plain, the others passed over", q.Terms.Fabricator, got)
	}
	offers := q.FabricatorChoice.Offers
	if more := offers[2].TotalCents - offers[3].TotalCents; more <= 0 || offers[3].TotalCents != *q.Reply.TotalCents || offers[3].Status != quotes.OfferChosen {
		t.Errorf("offers %+v, want plain at the quote's total, %d, and dear above it", offers, *q.Reply.TotalCents)
	}
}
