package simulation

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus/simbus"
	"boardorder/pkg/card"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/contract/erasures"
	orderscontract "boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"
)

// check compares the streams with the ledger outside.
func (w *world) check() error {
	return errors.Join(w.checkPermissions(), w.checkDead(), w.checkOutcomes(), w.checkMoney(), w.checkEvents(), w.checkFiles(), w.checkChecks(), w.checkPartChecks(), w.checkErased(), w.checkFeed(), w.checkWatches(), w.checkApprovals(), errors.Join(w.blobs.wrong...))
}

// checkPermissions finds services that tried what their users of the broker may not.
func (w *world) checkPermissions() error {
	if len(w.Violations) > 0 {
		return fmt.Errorf("permissions violation: %v", slices.Sorted(maps.Keys(w.Violations)))
	}
	return nil
}

func (w *world) checkDead() error {
	if len(w.Dead) > 0 {
		return fmt.Errorf("%d dead letters, the first %s: %w", len(w.Dead), w.Dead[0].Command.Name, w.Dead[0].Err)
	}
	return nil
}

// checkOutcomes: every accepted request has exactly one outcome.
func (w *world) checkOutcomes() error {
	outcomes := map[string]int{}
	for _, a := range contract.Aggregates() {
		for _, e := range w.Events(a) {
			if e.Operation != "" {
				outcomes[e.Operation]++
			}
		}
	}
	for _, e := range w.Purges() { // an erasure takes the outcome with it
		if e.Operation != "" {
			outcomes[e.Operation]++
		}
	}
	for request, name := range w.requests {
		// An ITAR declaration is answered by the edge itself, as is one that
		// names an upload that has gone.
		if n := outcomes[request]; n > 1 || n != 1 && name != uploads.DeclareITAR {
			return fmt.Errorf("request %s (%s) has %d outcomes", request, name, n)
		}
		delete(outcomes, request)
	}
	for request := range outcomes {
		return fmt.Errorf("request %s has an outcome, and nobody made it", request)
	}
	return nil
}

// checkMoney: every charge that was kept has exactly one order, every order
// exactly one at the fabricator, and the sums agree.
func (w *world) checkMoney() error {
	orders, err := simbus.States[orderscontract.Order](w.Sim, contract.OrderAggregate)
	if err != nil {
		return err
	}
	unknown := map[string]*card.Payment{}
	for _, p := range w.cards.payments {
		unknown[p.ID] = p
	}
	references := map[string]bool{}
	for quote, o := range orders {
		p := unknown[o.Payment.Intent]
		if p == nil || p.Cents != o.TotalCents {
			return fmt.Errorf("order of quote %s for %d cents has payment %+v", quote, o.TotalCents, p)
		}
		delete(unknown, o.Payment.Intent)
		references[o.Fabricator.Reference] = true
		if err := errors.Join(w.checkBuilt(o), checkReturned(o, p)); err != nil {
			return err
		}
	}
	for id, p := range unknown {
		nothing := p.Status == card.PaymentCanceled || p.Status == card.PaymentOpen // was taken
		if p.RefundedCents != p.Cents && !nothing {
			return fmt.Errorf("payment %s of %d cents has no order, and %d were given back", id, p.Cents, p.RefundedCents)
		}
	}
	for reference := range w.fab.orders {
		if !references[reference] {
			return fmt.Errorf("the fabricator has an order %s that we do not know", reference)
		}
	}
	return nil
}

// checkBuilt: an order that goes on is one at the fabricator, one that was
// cancelled is none.
func (w *world) checkBuilt(o orderscontract.Order) error {
	n := len(w.fab.orders[o.Fabricator.Reference])
	switch o.Status {
	case orderscontract.Shipped:
		if n == 1 {
			return nil
		}
	case orderscontract.Held:
		if n <= 1 {
			return nil
		}
	case orderscontract.Cancelled:
		if n == 0 {
			return nil
		}
	default:
		return fmt.Errorf("order %s came to rest as %s", o.Ref, o.Status)
	}
	return fmt.Errorf("order %s (%s, held %q) is %d orders at the fabricator", o.Ref, o.Status, o.Held, n)
}

// checkReturned: what went back is the same in both ledgers, nothing is on its way
// for ever, and a cancelled order keeps no money.
func checkReturned(o orderscontract.Order, p *card.Payment) error {
	back := int64(0)
	for _, r := range o.Refunds {
		if r.Status == orderscontract.RefundDone {
			back += r.Cents
		}
	}
	switch {
	case back != p.RefundedCents:
		return fmt.Errorf("order %s: %d cents went back, %d by the processor's ledger: %+v", o.Ref, back, p.RefundedCents, o.Refunds)
	case o.Money != "":
		return fmt.Errorf("order %s: money is on its way for ever: %+v", o.Ref, o.Refunds)
	case o.Status == orderscontract.Cancelled && back != p.Cents:
		return fmt.Errorf("order %s is cancelled, and %d of %d cents went back", o.Ref, back, p.Cents)
	}
	return nil
}

// rank is the order in which an order's statuses may follow each other; held
// may come and go.
var rank = map[orderscontract.Status]int{
	orderscontract.Paid: 1, orderscontract.Placing: 2, orderscontract.Placed: 3,
	orderscontract.InProduction: 4, orderscontract.Shipped: 5,
}

// checkEvents: no event twice, no order backwards, at most one payment a quote.
func (w *world) checkEvents() error {
	seen := map[string]bool{}
	for _, a := range contract.Aggregates() {
		for _, e := range w.Events(a) {
			if seen[e.ID] {
				return fmt.Errorf("event %s of %s %s is stored twice", e.ID, a, e.AggregateID)
			}
			seen[e.ID] = true
		}
	}
	last := map[string]int{}
	for _, e := range w.Events(contract.OrderAggregate) {
		snap, err := aggregate.Decode[orderscontract.Order](e)
		if err != nil {
			return err
		}
		r := rank[snap.State.Status]
		if r != 0 && r < last[e.AggregateID] {
			return fmt.Errorf("order %s went back to %s", e.AggregateID, snap.State.Status)
		}
		last[e.AggregateID] = max(r, last[e.AggregateID])
	}
	return nil
}

// checkFiles: nothing of an upload is left once it has expired.
func (w *world) checkFiles() error {
	for key := range w.blobs.kept {
		if strings.HasPrefix(key, uploads.Prefix) || strings.HasPrefix(key, uploads.StagingPrefix) {
			return fmt.Errorf("%s outlived its upload", key)
		}
	}
	return nil
}

// checkChecks: every design check came to rest, and what is kept of it is kept
// for as long as it is known.
func (w *world) checkChecks() error {
	checks, err := simbus.States[designchecks.DesignCheck](w.Sim, contract.DesignCheckAggregate)
	if err != nil {
		return err
	}
	named := map[string]bool{}
	for id, d := range checks {
		if d.Status == designchecks.Running {
			return fmt.Errorf("check %s of attempt %d never ended", id, d.Attempt)
		}
		if d.Report == "" {
			continue
		}
		named[d.Report] = true
		if _, ok := w.blobs.kept[d.Report]; !ok {
			return fmt.Errorf("check %s (%s) lost its report %s", id, d.Status, d.Report)
		}
	}
	for key := range w.blobs.kept {
		if strings.Contains(key, "/checks/") && !named[key] {
			return fmt.Errorf("%s outlived its check", key)
		}
	}
	return nil
}

// checkPartChecks: every list was looked up to its end.
func (w *world) checkPartChecks() error {
	checks, err := simbus.States[partchecks.PartCheck](w.Sim, contract.PartCheckAggregate)
	if err != nil {
		return err
	}
	for id, c := range checks {
		if c.Status == partchecks.Running {
			return fmt.Errorf("part check %s of attempt %d never ended", id, c.Attempt)
		}
	}
	return nil
}

// checkErased: every erasure was carried out by all who keep something.
func (w *world) checkErased() error {
	erasures, err := simbus.States[erasures.Erasure](w.Sim, contract.ErasureAggregate)
	if err != nil {
		return err
	}
	orders, err := simbus.States[orderscontract.Order](w.Sim, contract.OrderAggregate)
	if err != nil {
		return err
	}
	held := 0 // they wait for people, of whom there are none in these worlds
	var waiting []string
	for ref, o := range orders {
		if o.Status == orderscontract.Held {
			held++
		}
		waiting = append(waiting, fmt.Sprintf("%s %s %s", ref, o.Status, o.Held))
	}
	for person, e := range erasures {
		if e.PassedAt.Before(e.Requests[len(e.Requests)-1].At) || e.Waiting > held {
			return fmt.Errorf("erasure of %s: passed at %s with %d orders waiting; asked %+v; orders %v", person, e.PassedAt, e.Waiting, e.Requests, waiting)
		}
	}
	return nil
}

// watchOne has suppliers asked again about the parts of a quote, after R1 is sold out.
func (w *world) watchOne() {
	ids := map[string]bool{}
	for _, e := range w.Events(contract.QuoteAggregate) {
		ids[e.AggregateID] = true
	}
	if len(ids) == 0 {
		return
	}
	w.soldOut = true
	w.command(quotes.Watch, quotes.WatchData{Quote: pick(w, slices.Sorted(maps.Keys(ids))), Since: w.Now()})
}

// checkWatches: that R1 is sold out is told of once for a quote.
func (w *world) checkWatches() error {
	told := map[string]int{}
	for _, e := range append(w.Purges(), w.Events(contract.QuoteAggregate)...) {
		if e.Name == quotes.EventStockLow {
			if told[e.AggregateID]++; told[e.AggregateID] > 1 {
				return fmt.Errorf("it was told twice that a part of quote %s is scarce", e.AggregateID)
			}
		}
	}
	return nil
}

// approveOne has the customer of a quote asked about its parts, and answered from two tabs.
func (w *world) approveOne() {
	ids := map[string]bool{}
	for _, e := range w.Events(contract.QuoteAggregate) {
		ids[e.AggregateID] = true
	}
	if len(ids) == 0 {
		return
	}
	quote := pick(w, slices.Sorted(maps.Keys(ids)))
	w.ask(quotes.AskApproval, quotes.AskApprovalData{Quote: quote, Approval: quotes.ApprovalPrefix + "1"})
	w.Run(w.Now().Add(time.Minute))
	w.answerParts(quote, "NE555DR")
	w.answerParts(quote, "")
}

// checkApprovals: a customer answers once, and the trail has each answer once.
func (w *world) checkApprovals() error {
	answered, noted := map[string]int{}, 0
	for _, e := range append(w.Purges(), w.Events(contract.QuoteAggregate)...) {
		if e.Name == quotes.EventPartsApproved || e.Name == quotes.EventPartsDeclined {
			if answered[e.AggregateID]++; answered[e.AggregateID] > 1 {
				return fmt.Errorf("the customer of quote %s answered twice about its parts", e.AggregateID)
			}
		}
	}
	for _, e := range w.Events(contract.AuditAggregate) {
		if strings.Contains(string(e.Data), "ed parts") {
			noted++
		}
	}
	if noted > len(answered) {
		return fmt.Errorf("the trail has %d answers about parts, and customers gave %d", noted, len(answered))
	}
	return nil
}
