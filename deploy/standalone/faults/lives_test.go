package faults_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/customers"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/contract/invoices"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/pricetables"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/registry"
	"boardorder/pkg/contract/savings"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/contract/webhooks"
)

// legal says which event may follow on which; "" is the beginning.
var legal = map[contract.Aggregate]map[contract.EventName][]contract.EventName{
	contract.AccountAggregate: {"": {accounts.EventOpened}, accounts.EventOpened: {accounts.EventKeyCreated}, accounts.EventKeyCreated: {accounts.EventKeyCreated}},
	contract.BoardAggregate:   {"": {boards.EventRead}, boards.EventRead: {boards.EventCompleted}},
	// A stage each: its files are read, its parts looked up, its price asked for.
	contract.QuoteRequestAggregate: {"": {quotes.EventWaiting}, quotes.EventWaiting: {quotes.EventWaiting}},
	contract.PriceTableAggregate:   {"": {pricetables.EventPriced}},
	contract.SavingsAggregate:      {"": {savings.EventFound}},
	// What runs for longer than it should is begun anew: with a clock an hour ahead, at any point.
	contract.DesignCheckAggregate: {
		"": {designchecks.EventStarted}, designchecks.EventStarted: {designchecks.EventStarted, designchecks.EventProgressed, designchecks.EventChecked},
		designchecks.EventProgressed: {designchecks.EventProgressed, designchecks.EventChecked, designchecks.EventStarted},
	},
	contract.PartCheckAggregate: {
		"": {partchecks.EventStarted}, partchecks.EventStarted: {partchecks.EventStarted, partchecks.EventProgressed, partchecks.EventChecked},
		partchecks.EventProgressed: {partchecks.EventChecked, partchecks.EventStarted}, partchecks.EventChecked: {partchecks.EventStarted},
	},
	contract.AssemblyAggregate: {
		"":                         {assemblies.EventStarted},
		assemblies.EventStarted:    {assemblies.EventStarted, assemblies.EventPlanned, assemblies.EventRefused},
		assemblies.EventPlanned:    {assemblies.EventProgressed, assemblies.EventSourced, assemblies.EventStarted},
		assemblies.EventProgressed: {assemblies.EventSourced, assemblies.EventStarted},
		assemblies.EventSourced:    {assemblies.EventStarted}, assemblies.EventRefused: {assemblies.EventStarted},
	},
	contract.OperationAggregate: {"": {contract.OperationRefused, contract.OperationCompleted}},
	contract.UploadAggregate:    {"": {uploads.EventCreated, uploads.EventFilesAdded}, uploads.EventCreated: {uploads.EventFilesAdded}},
	contract.QuoteAggregate: {
		"": {quotes.EventPriced}, quotes.EventPriced: {quotes.EventDeliveryChosen},
		quotes.EventDeliveryChosen: {quotes.EventDeliveryChosen},
	},
	contract.CheckoutAggregate: {
		"":                     {checkouts.EventBegun},
		checkouts.EventBegun:   {checkouts.EventOpened, checkouts.EventClosed, checkouts.EventPaid},
		checkouts.EventOpened:  {checkouts.EventClosed, checkouts.EventPaid},
		checkouts.EventClosed:  {checkouts.EventBegun, checkouts.EventPaid},
		checkouts.EventPaid:    {checkouts.EventDoubled},
		checkouts.EventDoubled: {checkouts.EventDoubled},
	},
	contract.OrderAggregate: {
		"":                       {orders.EventPaid},
		orders.EventPaid:         {orders.EventScreened, orders.EventPlacing, orders.EventPostponed},
		orders.EventScreened:     {orders.EventScreened, orders.EventPlacing, orders.EventPostponed},
		orders.EventPostponed:    {orders.EventScreened, orders.EventPlacing, orders.EventPostponed, orders.EventPlaced},
		orders.EventPlacing:      {orders.EventPlacing, orders.EventPlaced, orders.EventPostponed},
		orders.EventPlaced:       {orders.EventInProduction, orders.EventProgressed, orders.EventShipped},
		orders.EventInProduction: {orders.EventProgressed, orders.EventShipped},
		orders.EventProgressed:   {orders.EventProgressed, orders.EventInProduction, orders.EventShipped},
	},
	contract.WebhookEndpointAggregate: {
		"": {webhooks.EventCreated}, webhooks.EventCreated: {webhooks.EventChanged, webhooks.EventDeleted}, webhooks.EventChanged: {webhooks.EventChanged, webhooks.EventDeleted},
	},
	contract.CustomerAggregate: {
		"": {customers.EventOpened, customers.EventSaved}, customers.EventOpened: {customers.EventSaved},
		customers.EventSaved: {customers.EventSaved},
	},
	contract.InvoiceBookAggregate: {
		"":                     {invoices.EventNumbered}, // of several orders at once
		invoices.EventNumbered: {invoices.EventFiled, invoices.EventNumbered}, invoices.EventFiled: {invoices.EventNumbered, invoices.EventFiled},
	},
}

// anytime are events that may come between any two others and lead nowhere.
var anytime = []contract.EventName{contract.RequestRefused, contract.RequestCompleted, boards.EventNeeded, boards.EventChecked, checkouts.EventDeclined, orders.EventInvoiced, quotes.EventStockLow, quotes.EventPriceMoved, quotes.EventWatched, quotes.EventApprovalAsked, quotes.EventPartsApproved, quotes.EventPartsDeclined}

// remade are events that another version of a service may let follow on an outcome, since
// it reads or measures otherwise: by names, before and after, what says which version an
// event's state is of.
var remade = map[contract.Aggregate]struct {
	outcomes []contract.EventName
	anew     contract.EventName
	maker    func(state json.RawMessage) string
}{
	contract.BoardAggregate: {[]contract.EventName{boards.EventRead, boards.EventCompleted}, boards.EventRead, func(state json.RawMessage) string {
		return decodeOrZero[boards.ReadFiles](state).Reader
	}},
	contract.DesignCheckAggregate: {[]contract.EventName{designchecks.EventChecked}, designchecks.EventStarted, func(state json.RawMessage) string {
		d := decodeOrZero[designchecks.DesignCheck](state)
		return cmp.Or(d.Versions, d.BegunBy) // what the last release begins has its versions at once
	}},
}

func decodeOrZero[S any](state json.RawMessage) (s S) {
	_ = json.Unmarshal(state, &s) // checkEvents finds what is none
	return s
}

// checkLives holds each aggregate's events to their order.
func (r *rig) checkLives(h *history) {
	for key, life := range h.lives {
		for _, fault := range lifeFaults(life) {
			r.t.Errorf("%s: %s", key, fault)
		}
		r.remade += countRemade(life)
	}
}

// countRemade counts what another version made anew.
func countRemade(life []contract.Event) (n int) {
	life = slices.DeleteFunc(slices.Clone(life), func(e contract.Event) bool { return slices.Contains(anytime, e.Name) })
	for i := 1; i < len(life); i++ {
		if isRemade(life[i-1], life[i]) {
			n++
		}
	}
	return n
}

// lifeFaults says what is wrong with the events of one aggregate: versions have no gaps and
// none comes twice, all are there of which the stream keeps all, and each may follow on the
// one before.
func lifeFaults(life []contract.Event) (faults []string) {
	blame := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	begun := contract.Event{}
	if first := life[0]; first.Version > 1 { // its beginning is not kept
		// One less is there where room was made for an event that lost to another, or was not sent again.
		if kept := versionsKept(first.Aggregate); kept == 0 || len(life) < kept-1 {
			blame("begins with version %d and has %d events, want the first of the %d that are kept", first.Version, len(life), kept)
		}
		begun, life = first, life[1:]
	}
	version := begun.Version
	for _, e := range life {
		if e.Version != version+1 {
			blame("version %d after %d, want %d", e.Version, version, version+1)
		}
		version = e.Version
		if slices.Contains(anytime, e.Name) {
			continue
		}
		if !slices.Contains(anytime, begun.Name) && !mayFollow(begun, e) {
			blame("%s (version %d) after %q (version %d), want one of %q", e.Name, e.Version, begun.Name, begun.Version, legal[e.Aggregate][begun.Name])
		}
		begun = e
	}
	return faults
}

func mayFollow(before, e contract.Event) bool {
	return slices.Contains(legal[e.Aggregate][before.Name], e.Name) || isRemade(before, e)
}

// isRemade reports whether e begins anew what another version had ended.
func isRemade(before, e contract.Event) bool {
	again, ok := remade[e.Aggregate]
	return ok && e.Name == again.anew && slices.Contains(again.outcomes, before.Name) && again.maker(stateOf(before)) != again.maker(stateOf(e))
}

func stateOf(e contract.Event) json.RawMessage {
	return decodeOrZero[contract.Body[json.RawMessage]](e.Data).State
}

// versionsKept is how many events of an aggregate its stream keeps; 0 = all.
func versionsKept(name contract.Aggregate) int {
	for _, a := range registry.Aggregates() {
		if a.Name == name {
			return a.Versions
		}
	}
	return 0
}

// TestLifeFaults: what may be wrong with an aggregate's events is found.
func TestLifeFaults(t *testing.T) {
	t.Parallel()
	const check, board, audit, customer = contract.DesignCheckAggregate, contract.BoardAggregate, contract.AuditAggregate, contract.CustomerAggregate
	event := func(a contract.Aggregate, version uint64, name contract.EventName, state string) contract.Event {
		return contract.Event{Aggregate: a, AggregateID: "x", Version: version, Name: name, Data: []byte(`{"state":` + state + `}`)}
	}
	saved := func(from, to uint64) (life []contract.Event) {
		for v := from; v <= to; v++ {
			life = append(life, event(customer, v, customers.EventSaved, "{}"))
		}
		return life
	}
	const begunByA, byA, byB = `{"begun_by":"a"}`, `{"versions":"a"}`, `{"versions":"b"}`
	for name, c := range map[string]struct {
		life []contract.Event
		want string // in the only fault; "": there is none
	}{
		"whole":              {[]contract.Event{event(check, 1, designchecks.EventStarted, begunByA), event(check, 2, designchecks.EventChecked, byA), event(check, 3, contract.RequestCompleted, byA)}, ""},
		"a gap":              {[]contract.Event{event(check, 1, designchecks.EventStarted, begunByA), event(check, 3, designchecks.EventChecked, byA)}, "version 3 after 1"},
		"twice":              {[]contract.Event{event(check, 1, designchecks.EventStarted, begunByA), event(check, 1, designchecks.EventStarted, begunByA)}, "version 1 after 1"},
		"a gap of anytime":   {[]contract.Event{event(check, 1, designchecks.EventStarted, begunByA), event(check, 3, contract.RequestCompleted, byA)}, "version 3 after 1"},
		"out of order":       {[]contract.Event{event(check, 1, designchecks.EventChecked, byA)}, `checked (version 1) after ""`},
		"anew by the same":   {[]contract.Event{event(check, 1, designchecks.EventStarted, begunByA), event(check, 2, designchecks.EventChecked, byA), event(check, 3, designchecks.EventStarted, begunByA)}, `started (version 3) after "checked"`},
		"anew by another":    {[]contract.Event{event(check, 1, designchecks.EventStarted, begunByA), event(check, 2, designchecks.EventChecked, byA), event(check, 3, designchecks.EventStarted, byB)}, ""},
		"read by the same":   {[]contract.Event{event(board, 1, boards.EventRead, `{"reader":"1"}`), event(board, 2, boards.EventCompleted, `{"reader":"1"}`), event(board, 3, boards.EventRead, `{"reader":"1"}`)}, `read (version 3) after "completed"`},
		"read by another":    {[]contract.Event{event(board, 1, boards.EventRead, `{"reader":"1"}`), event(board, 2, boards.EventRead, `{"reader":"2"}`)}, ""},
		"the last of many":   {saved(5, 12), ""},
		"room for the next":  {saved(5, 11), ""},
		"too few of many":    {saved(5, 10), "begins with version 5 and has 6 events"},
		"not from the first": {[]contract.Event{event(audit, 2, "entered", "{}")}, "begins with version 2"},
	} {
		got := lifeFaults(c.life)
		if c.want == "" && len(got) > 0 || c.want != "" && (len(got) != 1 || !strings.Contains(got[0], c.want)) {
			t.Errorf("%s: %q, want one with %q", name, got, c.want)
		}
	}
}
