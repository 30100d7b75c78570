package registry

import (
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/feed"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/webhooks"
)

// Streams lists every stream. The rates are those of a business with a hundred
// thousand quotes and five hundred orders a day; all sizes follow from them.
func Streams() []contract.Stream {
	commands := contract.Stream{Name: contract.CommandStream, Subject: "cmd.*.*.*", Split: true, WorkQueue: true, Keep: contract.CommandRetention,
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
		{Name: feed.Stream, Subject: feed.Subjects, Keep: feed.Retention, Load: contract.Load{PerDay: 180_000, Bytes: 900},
			About: "what accounts are told of, a subject for each owner and object"},
		{Name: webhooks.DeliveryStream, Subject: webhooks.DeliverySubjects, Keep: webhooks.DeliveryRetention, Versions: 1, DropsOldest: true, Load: contract.Load{PerDay: 60_000, Bytes: 700},
			About: "attempts to deliver events to webhook endpoints, the last thousand of each"},
	}
	for _, a := range aggregates {
		streams = append(streams, a.stream())
	}
	return streams
}

// minBytes is what a stream is given at the least.
const minBytes = 64 << 20

// SizeOf is the limit of a stream where all streams together may take total
// bytes: its part of the expected sizes.
func SizeOf(s contract.Stream, total int64) int64 {
	var sum int64
	for _, other := range Streams() {
		sum += other.SizeAtLoad() >> 20
	}
	return max(total/sum*(s.SizeAtLoad()>>20), minBytes)
}
