package registry

import (
	"slices"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"
)

// Services lists the services that take commands.
func Services() []string {
	return []string{"central", "console", "design-check", "notify", "part-sourcing", "payment", "pricing", "upload"}
}

// Streams lists every stream. The rates are those of a business with a hundred
// thousand quotes and five hundred orders a day; all sizes follow from them.
func Streams() []contract.Stream {
	commands := contract.Stream{Name: contract.CommandStream, Subject: "cmd.*.*.*", Split: true, WorkQueue: true, Keep: contract.CommandsKept,
		Load:  contract.Load{PerDay: 150_000, Bytes: 1200},
		About: "what clients and services ask for; one durable consumer a service"}
	for _, service := range Services() {
		commands.Consumers = append(commands.Consumers, contract.Consumer{Name: service, Filter: "cmd." + service + ".>", AckPending: 20_000})
	}
	streams := []contract.Stream{
		commands,
		{Name: contract.RequestStream, Subject: "req.*.*.*.*", Split: true, Keep: 7 * contract.Day, Load: contract.Load{PerDay: 100_000, Bytes: 800},
			Consumers: []contract.Consumer{{Name: quotes.Price.Service, Filter: "req." + quotes.Price.Service + ".>", AckPending: 20_000}},
			About:     "what clients asked for, by a key of its content; known also once it was carried out"},
		{Name: contract.DeadLetterStream, Subject: "dead.>", Keep: 90 * contract.Day, Load: contract.Load{PerDay: 200, Bytes: 4000},
			About: "commands that could not be handled, with their reason and trail"},
		{Name: contract.TimerStream, Subject: "timer.>", Schedules: true, Load: contract.Load{PerDay: 60_000, Bytes: 800}, Keep: 0,
			Consumers: []contract.Consumer{{Name: contract.TimerConsumer, Filter: "timer.*.*.*.due", AckPending: 1000}},
			About:     "schedules, and what of them fell due"},
	}
	for _, s := range eventStreams() {
		s.Consumers = append(s.Consumers, contract.Consumer{Name: contract.ProjectorConsumer, AckPending: 4096})
		streams = append(streams, s)
	}
	return streams
}

func eventStreams() []contract.Stream {
	events := func(a contract.Aggregate, keep time.Duration, versions int, load contract.Load, about string) contract.Stream {
		return contract.Stream{Name: contract.EventStream(a), Subject: "evt." + string(a) + ".*.*", Split: true, Keep: keep, Versions: versions, Load: load, About: about}
	}
	notified := contract.Consumer{Name: contract.NotifyConsumer, AckPending: 4096}
	const few = 16 // more than such an aggregate gets but for repetition
	streams := []contract.Stream{
		events(contract.AccountAggregate, 0, 200, contract.Load{PerDay: 100, Bytes: 4000}, "accounts and their API keys"),
		events(contract.AssemblyAggregate, assemblies.Kept, few, contract.Load{PerDay: 10_000, Bytes: 40_000}, "boards with their parts: what is bought, where it goes and what assembling costs"),
		events(contract.AuditAggregate, 0, 0, contract.Load{PerDay: 2000, Bytes: 900}, "what operators did, each entry chained to the one before"),
		events(contract.BoardAggregate, boards.Kept, few, contract.Load{PerDay: 30_000, Bytes: 6000}, "what was read from a set of files, by content digest"),
		events(contract.BuyLinkAggregate, 0, 8, contract.Load{PerDay: 2800, Bytes: 1500}, "boards that partners offer on their pages"),
		events(contract.CaseAggregate, 400*contract.Day, 64, contract.Load{PerDay: 500, Bytes: 2500}, "who of the team has a quote or an order, and what waits for a second operator"),
		events(contract.CentralAggregate, 0, 64, contract.Load{PerDay: 1000, Bytes: 8000}, "formal orders: quotes, acceptance, dates"),
		events(contract.CheckoutAggregate, 0, 32, contract.Load{PerDay: 2000, Bytes: 9000}, "how a quote was paid"),
		events(contract.ConfirmationAggregate, quotes.Kept, 16, contract.Load{PerDay: 1000, Bytes: 2000}, "codes that customers were sent, and what they confirmed"),
		events(contract.CustomerAggregate, 0, 8, contract.Load{PerDay: 500, Bytes: 1200}, "customers, and what they had saved"),
		events(contract.DesignCheckAggregate, 30*contract.Day, few, contract.Load{PerDay: 20_000, Bytes: 12_000}, "boards held against fabricators' limits, by content and options"),
		events(contract.ErasureAggregate, 0, 64, contract.Load{PerDay: 10, Bytes: 800}, "that a customer's personal data was removed"),
		events(contract.InvoiceBookAggregate, 0, 64, contract.Load{PerDay: 4000, Bytes: 900}, "which numbers invoices and credit notes have"),
		events(contract.OperationAggregate, 14*contract.Day, 2, contract.Load{PerDay: 30_000, Bytes: 1200}, "outcomes of requests that are about no other aggregate"),
		events(contract.OrderAggregate, 0, 64, contract.Load{PerDay: 5000, Bytes: 12_000}, "what was paid and must be built"),
		events(contract.PartCheckAggregate, partchecks.Kept, few, contract.Load{PerDay: 20_000, Bytes: 30_000}, "lists of parts held against what suppliers have"),
		events(contract.QuoteAggregate, quotes.Kept, 32, contract.Load{PerDay: 110_000, Bytes: 8000}, "prices and reviews"),
		events(contract.QuoteRequestAggregate, 7*contract.Day, 2, contract.Load{PerDay: 20_000, Bytes: 900}, "how far a slow quote request is"),
		events(contract.UploadAggregate, uploads.Kept, 32, contract.Load{PerDay: 40_000, Bytes: 6000}, "uploaded files, until they are deleted"),
	}
	for i, s := range streams {
		streams[i].Overwrites = slices.ContainsFunc(erased, func(a contract.Aggregate) bool { return s.Name == contract.EventStream(a) })
		switch s.Name {
		case contract.EventStream(contract.CentralAggregate), contract.EventStream(contract.CheckoutAggregate), contract.EventStream(contract.ConfirmationAggregate), contract.EventStream(contract.OrderAggregate):
			streams[i].Consumers = append(s.Consumers, notified)
		case contract.EventStream(contract.QuoteAggregate), contract.EventStream(contract.UploadAggregate): // few call for a letter, and these by their names
			named := notified
			named.HeadersOnly = true
			streams[i].Consumers = append(s.Consumers, named)
		}
	}
	return streams
}

// erased are the aggregates of which every state can be removed: they tell of a
// person or of a design. An operation does too, but has one state.
var erased = []contract.Aggregate{
	contract.AssemblyAggregate, contract.BoardAggregate, contract.BuyLinkAggregate, contract.CaseAggregate, contract.CentralAggregate, contract.CheckoutAggregate, contract.ConfirmationAggregate,
	contract.CustomerAggregate, contract.DesignCheckAggregate, contract.OrderAggregate, contract.QuoteAggregate, contract.QuoteRequestAggregate, contract.UploadAggregate,
}

// Overwrites reports whether whoever appends to such an aggregate overwrites what
// it has too many versions of.
func Overwrites(a contract.Aggregate) bool { return slices.Contains(erased, a) }

// RetentionOf is how long the last event of an aggregate is kept; 0 is for ever.
func RetentionOf(a contract.Aggregate) time.Duration { return keptFor[a] }

var keptFor = func() map[contract.Aggregate]time.Duration {
	keep := map[contract.Aggregate]time.Duration{}
	for _, s := range eventStreams() {
		for _, a := range contract.Aggregates() {
			if s.Name == contract.EventStream(a) {
				keep[a] = s.Keep
			}
		}
	}
	return keep
}()

// leastBytes is what a stream is given at the least.
const leastBytes = 64 << 20

// SizeOf is the limit of a stream where all streams together may take total
// bytes: its part of the expected sizes.
func SizeOf(s contract.Stream, total int64) int64 {
	var sum int64
	for _, other := range Streams() {
		sum += other.SizeAtLoad() >> 20
	}
	return max(total/sum*(s.SizeAtLoad()>>20), leastBytes)
}
