package registry

import (
	"cmp"
	"slices"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/buylinks"
	"boardorder/pkg/contract/cases"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/confirmations"
	"boardorder/pkg/contract/customers"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/contract/erasures"
	"boardorder/pkg/contract/feed"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/invoices"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/pricetables"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/savings"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/contract/webhooks"
)

// An Aggregate is all that is declared of one kind of aggregate.
type Aggregate struct {
	Name   contract.Aggregate
	State  any // the zero value of what its events carry
	Events []contract.EventName
	About  string

	Keep     time.Duration // of an event; 0 = for ever
	Versions int           // events kept of each aggregate, the newest; 0 = all
	Load     contract.Load // that its stream is sized for
	// Erasable: every state can be removed, since it tells of a person or of a design. An
	// operation does too, but has one state.
	Erasable  bool
	Followers []Follower // besides the projector, which follows all
	// Internal: clients and shoppers are shown nothing of it, it is the team's and bookkeeping's.
	Internal bool
}

// A Follower is a service that gets an aggregate's events as they are stored, by a
// consumer of its own name.
type Follower struct {
	Service     string
	HeadersOnly bool // without states: few events call for anything, and these by their names
	// ActsOn are the events that call for something. Of an aggregate that has too many
	// versions the others make way first, so that a follower that was away finds these,
	// whatever clients repeated meanwhile.
	ActsOn []contract.EventName
	// Consumer is its name where that is not the service's.
	Consumer string
	// Waits: events come again at a time of their own, and the last of each aggregate decides,
	// which never makes way.
	Waits bool
}

// emailSender follows what customers and the team are written to about.
const emailSender = "notify"

// feedService follows what accounts are told of.
const feedService = "feed"

// feedFollower is how the feed follows an aggregate.
func feedFollower(a contract.Aggregate) Follower {
	return Follower{Service: feedService, ActsOn: feed.ActsOn(a)}
}

// few is more than such an aggregate gets but for repetition.
const few = 16

// aggregates are all that there are, in alphabetical order.
var aggregates = []Aggregate{
	{
		Name: contract.AccountAggregate, State: accounts.Account{}, About: "accounts and their API keys",
		Versions: 200, Internal: true, Load: contract.Load{PerDay: 100, Bytes: 4000},
		Followers: []Follower{feedFollower(contract.AccountAggregate)},
		Events:    accounts.Events,
	},
	{
		Name: contract.AssemblyAggregate, State: assemblies.Assembly{}, About: "boards with their parts: what is bought, where it goes and what assembling costs",
		Keep: assemblies.Retention, Versions: few, Erasable: true, Load: contract.Load{PerDay: 10_500, Bytes: 40_000},
		Events: assemblies.Events,
	},
	{
		Name: contract.AuditAggregate, State: audits.Entry{}, About: "what operators did, each entry chained to the one before",
		Internal: true, Load: contract.Load{PerDay: 2000, Bytes: 900},
		Events: audits.Events,
	},
	{
		Name: contract.BoardAggregate, State: boards.ReadFiles{}, About: "what was read from a set of files, by content digest",
		Keep: boards.Retention, Versions: few, Erasable: true, Load: contract.Load{PerDay: 30_000, Bytes: 6000},
		Events: boards.Events,
	},
	{
		Name: contract.BuyLinkAggregate, State: buylinks.BuyLink{}, About: "boards that partners offer on their pages",
		Versions: 8, Erasable: true, Load: contract.Load{PerDay: 2900, Bytes: 1500},
		Events: buylinks.Events,
	},
	{
		Name: contract.CaseAggregate, State: cases.Case{}, About: "who of the team has a quote or an order, and what waits for a second operator",
		Keep: 400 * contract.Day, Versions: 64, Erasable: true, Internal: true, Load: contract.Load{PerDay: 500, Bytes: 2500},
		Events: cases.Events,
	},
	{
		Name: contract.FormalAggregate, State: formal.Order{}, About: "formal orders: quotes, acceptance, dates",
		Versions: 64, Erasable: true, Load: contract.Load{PerDay: 1040, Bytes: 8000},
		Followers: []Follower{{Service: emailSender, ActsOn: []contract.EventName{
			formal.EventSubmitted, formal.EventQuoted, formal.EventAccepted, formal.EventShipped, formal.EventAsked, formal.EventAnswered,
		}}, feedFollower(contract.FormalAggregate)},
		Events: formal.Events,
	},
	{
		Name: contract.CheckoutAggregate, State: checkouts.Checkout{}, About: "how a quote was paid",
		Versions: 32, Erasable: true, Load: contract.Load{PerDay: 2000, Bytes: 9000},
		Followers: []Follower{{Service: emailSender, ActsOn: []contract.EventName{checkouts.EventDoubled}}},
		Events:    checkouts.Events,
	},
	{
		Name: contract.ConfirmationAggregate, State: confirmations.Confirmation{}, About: "codes that customers were sent, and what they confirmed",
		Keep: quotes.Retention, Versions: 16, Erasable: true, Load: contract.Load{PerDay: 1000, Bytes: 2000},
		Followers: []Follower{{Service: emailSender, ActsOn: []contract.EventName{confirmations.EventRequested}}},
		Events:    confirmations.Events,
	},
	{
		Name: contract.CustomerAggregate, State: customers.Customer{}, About: "customers, and what they had saved",
		Versions: 8, Erasable: true, Load: contract.Load{PerDay: 500, Bytes: 1200},
		Events: customers.Events,
	},
	{
		Name: contract.DesignCheckAggregate, State: designchecks.DesignCheck{}, About: "boards held against fabricators' limits, by content and options",
		Keep: 30 * contract.Day, Versions: few, Erasable: true, Load: contract.Load{PerDay: 20_000, Bytes: 12_000},
		Followers: []Follower{feedFollower(contract.DesignCheckAggregate)},
		Events:    designchecks.Events,
	},
	{
		Name: contract.ErasureAggregate, State: erasures.Erasure{}, About: "that a customer's personal data was removed",
		Versions: 64, Internal: true, Load: contract.Load{PerDay: 10, Bytes: 800},
		Events: erasures.Events,
	},
	{
		Name: contract.InvoiceBookAggregate, State: invoices.Book{}, About: "which numbers invoices and credit notes have",
		Versions: 64, Internal: true, Load: contract.Load{PerDay: 4000, Bytes: 900},
		Events: invoices.Events,
	},
	{
		Name: contract.OperationAggregate, State: contract.Operation{}, About: "outcomes of requests that are about no other aggregate",
		Keep: 14 * contract.Day, Versions: 2, Load: contract.Load{PerDay: 30_000, Bytes: 1200},
		Events: []contract.EventName{
			contract.OperationRefused, contract.OperationCompleted,
		},
	},
	{
		Name: contract.OrderAggregate, State: orders.Order{}, About: "what was paid and must be built",
		Versions: 64, Erasable: true, Load: contract.Load{PerDay: 5000, Bytes: 12_000},
		Followers: []Follower{{Service: emailSender, ActsOn: []contract.EventName{
			orders.EventPaid, orders.EventShipped, orders.EventHeld, orders.EventProgressed, orders.EventInProduction,
			orders.EventCancelled, orders.EventRefunded, orders.EventRefundFailed, orders.EventDisputed,
		}}, feedFollower(contract.OrderAggregate)},
		Events: orders.Events,
	},
	{
		Name: contract.PartCheckAggregate, State: partchecks.PartCheck{}, About: "lists of parts held against what suppliers have",
		Keep: partchecks.Retention, Versions: few, Load: contract.Load{PerDay: 20_000, Bytes: 30_000},
		Followers: []Follower{feedFollower(contract.PartCheckAggregate)},
		Events:    partchecks.Events,
	},
	{
		Name: contract.PriceTableAggregate, State: pricetables.PriceTable{}, About: "prices of a board in several quantities, builds and destinations",
		Keep: pricetables.Retention, Versions: 2, Erasable: true, Load: contract.Load{PerDay: 10_000, Bytes: 60_000},
		Events: pricetables.Events,
	},
	{
		Name: contract.QuoteAggregate, State: quotes.Quote{}, About: "prices and reviews",
		Keep: quotes.Retention, Versions: 32, Erasable: true, Load: contract.Load{PerDay: 110_000, Bytes: 8000},
		Followers: []Follower{{Service: emailSender, HeadersOnly: true, ActsOn: []contract.EventName{
			quotes.EventReviewRequested, quotes.EventReviewPriced, quotes.EventReviewRefused, quotes.EventReviewQuestion, quotes.EventReviewAnswered,
		}}, feedFollower(contract.QuoteAggregate), {Service: feedService, Consumer: feed.ExpiryConsumer, Waits: true}, {Service: quotes.Watch.Service, Consumer: quotes.WatchConsumer, Waits: true}},
		Events: quotes.Events,
	},
	{
		Name: contract.QuoteRequestAggregate, State: quotes.Wait{}, About: "how far a slow quote request is",
		Keep: 7 * contract.Day, Versions: 2, Erasable: true, Load: contract.Load{PerDay: 20_000, Bytes: 900},
		Events: []contract.EventName{quotes.EventWaiting},
	},
	{
		Name: contract.SavingsAggregate, State: savings.Savings{}, About: "what would make quotes cheaper",
		Keep: savings.Retention, Versions: 2, Erasable: true, Load: contract.Load{PerDay: 10_000, Bytes: 6000},
		Events: savings.Events,
	},
	{
		Name: contract.UploadAggregate, State: uploads.Upload{}, About: "uploaded files, until they are deleted",
		Keep: uploads.Retention, Versions: 32, Erasable: true, Load: contract.Load{PerDay: 40_000, Bytes: 6000},
		Followers: []Follower{{Service: emailSender, HeadersOnly: true, ActsOn: []contract.EventName{uploads.EventClosedTo}}, feedFollower(contract.UploadAggregate)},
		Events:    uploads.Events,
	},
	{
		Name: contract.WebhookEndpointAggregate, State: webhooks.Endpoint{}, About: "addresses that accounts have events sent to",
		Versions: 64, Erasable: true, Load: contract.Load{PerDay: 200, Bytes: 1500},
		Followers: []Follower{{Service: emailSender, ActsOn: []contract.EventName{webhooks.EventStopped}}, feedFollower(contract.WebhookEndpointAggregate)},
		Events:    webhooks.Events,
	},
}

// Aggregates lists every kind of aggregate, in alphabetical order.
func Aggregates() []Aggregate { return slices.Clone(aggregates) }

// EventsOfAny are those that every aggregate may have.
func EventsOfAny() []contract.EventName {
	return []contract.EventName{contract.RequestRefused, contract.RequestCompleted, contract.Erased}
}

func aggregateNamed(a contract.Aggregate) Aggregate {
	i := slices.IndexFunc(aggregates, func(one Aggregate) bool { return one.Name == a })
	if i < 0 {
		return Aggregate{}
	}
	return aggregates[i]
}

// stream is where the aggregate's events are stored.
func (a Aggregate) stream() contract.Stream {
	s := contract.Stream{
		Name: contract.EventStream(a.Name), Subject: "evt." + string(a.Name) + ".*.*", Split: true, Keep: a.Keep, Versions: a.Versions, Load: a.Load, About: a.About,
		Overwrites: a.Erasable,
	}
	for _, f := range a.Followers {
		s.Consumers = append(s.Consumers, contract.Consumer{Name: cmp.Or(f.Consumer, f.Service), AckPending: 4096, HeadersOnly: f.HeadersOnly, Waits: f.Waits})
	}
	s.Consumers = append(s.Consumers, contract.Consumer{Name: contract.ProjectorConsumer, AckPending: 4096})
	return s
}

// CallsForSomething reports whether a follower of an aggregate acts on events of a name.
func CallsForSomething(a contract.Aggregate, name contract.EventName) bool {
	return slices.ContainsFunc(aggregateNamed(a).Followers, func(f Follower) bool { return slices.Contains(f.ActsOn, name) })
}

// ActsOn reports whether a service that follows an aggregate acts on its events of a name.
func ActsOn(service string, a contract.Aggregate, name contract.EventName) bool {
	return slices.ContainsFunc(aggregateNamed(a).Followers, func(f Follower) bool {
		return f.Service == service && slices.Contains(f.ActsOn, name)
	})
}

// Overwrites reports whether whoever appends to such an aggregate overwrites what
// it has too many versions of.
func Overwrites(a contract.Aggregate) bool { return aggregateNamed(a).Erasable }

// RetentionOf is how long the last event of an aggregate is kept; 0 is for ever.
func RetentionOf(a contract.Aggregate) time.Duration { return aggregateNamed(a).Keep }

// Subscriptions are the aggregates whose events a service follows.
func Subscriptions(service string) []contract.Aggregate {
	return slices.DeleteFunc(contract.Aggregates(), func(a contract.Aggregate) bool {
		return !slices.ContainsFunc(aggregateNamed(a).Followers, func(f Follower) bool { return f.Service == service })
	})
}

// ClientAggregates are those that clients and shoppers are shown something of.
func ClientAggregates() []contract.Aggregate {
	return slices.DeleteFunc(contract.Aggregates(), func(a contract.Aggregate) bool { return aggregateNamed(a).Internal })
}
