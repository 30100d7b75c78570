package simulation

import (
	"flag"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"boardorder/pkg/bus/simbus"
	"boardorder/pkg/card"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/contract/erasures"
	"boardorder/pkg/contract/partchecks"
	quotescontract "boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/contract/uploads"
)

var (
	seeds = flag.Int("seeds", 250, "worlds to simulate; a few thousand find what is rare")
	seed  = flag.Uint64("seed", 0, "simulate only this one")
)

// TestSimulation lets some people use the system for two days in which
// everything goes wrong, then gives it quiet weeks to come to rest, and compares
// what it did with the ledger of the companies outside.
func TestSimulation(t *testing.T) {
	t.Parallel()
	first, count := uint64(1), *seeds
	if testing.Short() {
		count = min(count, 100)
	}
	if *seed != 0 {
		first, count = *seed, 1
	}
	var mu sync.Mutex
	var crashes, deliveries, orders int
	work := make(chan uint64)
	var workers sync.WaitGroup
	for range 2 {
		workers.Go(func() {
			for n := range work {
				w, delivered, err := live(n)
				mu.Lock()
				if err != nil {
					t.Errorf("seed %d: %v", n, err)
				} else {
					crashes, deliveries, orders = crashes+w.Crashes(), deliveries+delivered, orders+len(w.fab.orders)
				}
				mu.Unlock()
			}
		})
	}
	for n := range uint64(count) {
		if t.Failed() {
			break
		}
		work <- first + n
	}
	close(work)
	workers.Wait()
	t.Logf("%d worlds: %d deliveries, %d crashes, %d orders", count, deliveries, crashes, orders)
	if *seed == 0 && orders == 0 {
		t.Error("no world had an order: the simulation simulates nothing")
	}
}

func live(n uint64) (*world, int, error) {
	w, err := newWorld(n, simbus.Usual())
	if err != nil {
		return nil, 0, err
	}
	delivered := 0
	w.followEvents()
	w.ask(accounts.Open, accounts.OpenData{ID: account, Name: "Simulated"})
	for range 40 {
		w.happen()
		delivered += w.Run(w.Now().Add(time.Duration(w.Rand().Int64N(int64(90 * time.Minute)))))
		w.Advance(time.Minute)
		if w.Chance(20) {
			w.sweep()
		}
	}
	w.Calm()
	for range 30 {
		w.Advance(24 * time.Hour)
		w.notice()
		w.reconcile()
		w.sweep()
		delivered += w.Run(w.Now().Add(time.Minute))
	}
	return w, delivered, w.check()
}

// happen lets one person do one thing.
func (w *world) happen() {
	switch r := w.Rand().IntN(100); {
	case r < 10 || len(w.uploads) == 0:
		w.upload()
	case r < 31:
		w.quote()
	case r < 37:
		w.checkDesign()
	case r < 55:
		w.choose()
	case r < 68:
		w.checkout()
	case r < 79:
		w.paySaved()
	case r < 94:
		w.payAndTell()
	case r < 96:
		w.giveBack()
	case r < 98:
		w.watchOne()
		w.approveOne()
		w.checkParts(partchecks.CheckData{Boards: pick(w, []int{5, 10}), Parts: []partchecks.Line{{Reference: "R1", Value: "10k"}, {Reference: "U1", MPN: "NE555"}}})
	case r < 99:
		w.ask(erasures.EraseCustomer, erasures.EraseCustomerData{Person: contract.PersonRef(home.Email), Operator: "operator"})
	default:
		w.ask(uploads.DeclareITAR, uploads.Data{Ref: pick(w, w.uploads)})
	}
}

func pick[T any](w *world, from []T) T { return from[w.Rand().IntN(len(from))] }

func (w *world) quote() {
	data := quotescontract.PriceData{Upload: pick(w, w.uploads), Request: quotescontract.Request{
		Quantity: 5 + w.Rand().IntN(50), StandardForUnstated: w.Chance(90), SpecialRequirements: w.Chance(10), Assembly: w.Chance(20),
	}}
	request := w.ask(quotescontract.Price, data)
	if w.Chance(30) { // an edge that joins the same request sends it once more
		w.repeat(request, quotescontract.Price, data)
	}
}

// checkDesign asks for one of a few checks, so that many ask for the same.
func (w *world) checkDesign() {
	data := contract.CheckDesignData{Upload: pick(w, w.uploads), CopperOz: pick(w, []float64{1, 2}), ThicknessMM: 1.6}
	request := w.ask(designchecks.Check, data)
	if w.Chance(20) {
		w.repeat(request, designchecks.Check, data)
	}
}

var home = shipments.ShipTo{
	Name: "Ada", Email: "ada@example.com", Phone: "+1 555 0100", Line1: "1 Main St", City: "Austin", State: "TX", PostalCode: "78701", Country: "US",
}

func (w *world) choose() {
	if quotes := w.views.quotes(); len(quotes) > 0 {
		w.ask(quotescontract.ChooseDelivery, quotescontract.ChooseDeliveryData{Quote: pick(w, quotes).Ref, ShipTo: home, ShippingID: pick(w, []string{"slow", "fast", "", "none"}), Quantity: pick(w, []int{0, 0, 5, 40})})
	}
}

func (w *world) checkout() {
	quotes := w.views.quotes()
	if ready := slices.DeleteFunc(slices.Clone(quotes), func(q quotescontract.Quote) bool { return q.Delivery == nil }); len(ready) > 0 && w.Chance(90) {
		quotes = ready
	}
	if len(quotes) > 0 {
		q := pick(w, quotes)
		w.ask(checkouts.Begin, checkouts.BeginData{Quote: q.Ref, Version: q.Version, SaveDetails: w.Chance(60), Acknowledgement: q.AcknowledgementHash()})
	}
}

func (w *world) open() []*card.Session {
	var open []*card.Session
	for i := range len(w.cards.sessions) {
		if s := w.cards.sessions[fmt.Sprint("cs_", i+1)]; s.Status == card.SessionOpen {
			open = append(open, s)
		}
	}
	return open
}

// payAndTell pays at an open page; the processor's notice comes never, once or
// more often.
func (w *world) payAndTell() {
	open := w.open()
	if len(open) == 0 {
		return
	}
	s := pick(w, open)
	if !w.cards.pay(s.ID) {
		return
	}
	for range w.Rand().IntN(4) {
		w.tell(s)
	}
}

func (w *world) tell(s *card.Session) {
	w.notify(checkouts.CardEventData{
		EventID: "evt_" + s.ID, Type: "checkout.session.completed", Session: s.ID, Intent: s.PaymentIntent, Quote: s.Reference,
	})
}

// notify sends a notice of the processor until it is stored.
func (w *world) notify(data checkouts.CardEventData) {
	c, err := contract.NewCommand(checkouts.CardEvent, "", "", w.Now(), data)
	if err != nil {
		panic(err)
	}
	c.ID = contract.DeriveID("card", data.EventID)
	w.order(c)
}

// notice is the processor's timeout: what was not told is told at last, most
// of the time; the rest is found when the ledgers are compared.
func (w *world) notice() {
	if w.Rand().IntN(2) == 0 {
		return
	}
	for i := range len(w.cards.sessions) {
		if s := w.cards.sessions[fmt.Sprint("cs_", i+1)]; s.Paid && !w.paid[s.ID] {
			w.paid[s.ID] = true
			w.tell(s)
		}
	}
}

func (w *world) reconcile() {
	c, err := contract.NewCommand(checkouts.Reconcile, "", "", w.Now(), checkouts.ReconcileData{Since: w.Now().Add(-90 * 24 * time.Hour)})
	if err != nil {
		panic(err)
	}
	c.ID = contract.DeriveID("reconcile", w.Now().String())
	w.order(c)
}
