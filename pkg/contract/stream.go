package contract

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Names of the streams that are not an aggregate's.
const (
	CommandStream    = "COMMANDS"
	RequestStream    = "REQUESTS"
	DeadLetterStream = "DEAD_LETTERS"
	TimerStream      = "TIMERS"
)

// A Stream declares one JetStream stream. The declarations below are the only
// ones. Package topology applies them; services only verify that they are there.
type Stream struct {
	Name      string
	Subject   string        // what it stores; with Split the first * stands for the partition
	Split     bool          // may be split into parts by partition
	WorkQueue bool          // messages leave when acknowledged
	Schedules bool          // keeps server-side schedules
	Keep      time.Duration // 0 = for ever
	Versions  int           // messages kept of each subject, the newest; 0 = all
	// Overwrites: whoever appends to a subject that has all its versions overwrites the
	// oldest. The broker would let go of it by itself, but leave its bytes on the disk.
	Overwrites bool
	Load       Load
	Consumers  []Consumer
	About      string
}

// Load is the rate that a stream is sized for.
type Load struct {
	PerDay int // messages
	Bytes  int // of one message with its headers, as published
}

// A Consumer declares a durable consumer of every part of a stream. It is
// updated in place, so old and new replicas share it during a rollout.
type Consumer struct {
	Name       string
	Filter     string // of the subjects; empty = all
	AckPending int    // messages delivered and not acknowledged, over all replicas
	// HeadersOnly: events come without their states, to whom their names are enough.
	HeadersOnly bool
}

// EventStream is the name of an aggregate's stream.
func EventStream(a Aggregate) string {
	return "EVENTS_" + strings.ToUpper(strings.ReplaceAll(string(a), "-", "_"))
}

const (
	day = 24 * time.Hour
	// planned is how long a stream that is kept for ever is given space for.
	planned = 3 * 366 * day
	// outstanding is how long a timer waits on average, for which space is given: the
	// boards of 500 orders a day for 400 days, of 20,000 readings for 8, and 40,000
	// uploads for hours make six days of all that are set. TIMERS drops its oldest
	// when it is full, so it gets five times that.
	outstanding = 30 * day
	uploadKept  = 30 * day
	// commandsKept is how long a command waits to be carried out.
	commandsKept = 7 * day
)

// Names of the consumers that are not a service's own commands.
const (
	ProjectorConsumer = "projector"
	NotifyConsumer    = "notify"
	TimerConsumer     = "timers"
)

// Services lists the services that take commands.
func Services() []string {
	return []string{"central", "console", "design-check", "notify", "part-sourcing", "payment", "pricing", "upload"}
}

// Streams lists every stream. The rates are those of a business with a hundred
// thousand quotes and five hundred orders a day; all sizes follow from them.
func Streams() []Stream {
	commands := Stream{Name: CommandStream, Subject: "cmd.*.*.*", Split: true, WorkQueue: true, Keep: commandsKept,
		Load:  Load{PerDay: 150_000, Bytes: 1200},
		About: "what clients and services ask for; one durable consumer a service"}
	for _, service := range Services() {
		commands.Consumers = append(commands.Consumers, Consumer{Name: service, Filter: "cmd." + service + ".>", AckPending: 20_000})
	}
	streams := []Stream{
		commands,
		{Name: RequestStream, Subject: "req.*.*.*.*", Split: true, Keep: 7 * day, Load: Load{PerDay: 100_000, Bytes: 800},
			Consumers: []Consumer{{Name: PriceQuote.Service, Filter: "req." + PriceQuote.Service + ".>", AckPending: 20_000}},
			About:     "what clients asked for, by a key of its content; known also once it was carried out"},
		{Name: DeadLetterStream, Subject: "dead.>", Keep: 90 * day, Load: Load{PerDay: 200, Bytes: 4000},
			About: "commands that could not be handled, with their reason and trail"},
		{Name: TimerStream, Subject: "timer.>", Schedules: true, Load: Load{PerDay: 60_000, Bytes: 800}, Keep: 0,
			Consumers: []Consumer{{Name: TimerConsumer, Filter: "timer.*.*.*.due", AckPending: 1000}},
			About:     "schedules, and what of them fell due"},
	}
	for _, s := range eventStreams() {
		s.Consumers = append(s.Consumers, Consumer{Name: ProjectorConsumer, AckPending: 4096})
		streams = append(streams, s)
	}
	return streams
}

func eventStreams() []Stream {
	events := func(a Aggregate, keep time.Duration, versions int, load Load, about string) Stream {
		return Stream{Name: EventStream(a), Subject: "evt." + string(a) + ".*.*", Split: true, Keep: keep, Versions: versions, Load: load, About: about}
	}
	notified := Consumer{Name: NotifyConsumer, AckPending: 4096}
	const few = 16 // more than such an aggregate gets but for repetition
	streams := []Stream{
		events(AccountAggregate, 0, 200, Load{100, 4000}, "accounts and their API keys"),
		events(AssemblyAggregate, AssemblyKept, few, Load{10_000, 40_000}, "boards with their parts: what is bought, where it goes and what assembling costs"),
		events(AuditAggregate, 0, 0, Load{2000, 900}, "what operators did, each entry chained to the one before"),
		events(BoardAggregate, BoardKept, few, Load{30_000, 6000}, "what was read from a set of files, by content digest"),
		events(BuyLinkAggregate, 0, 8, Load{2800, 1500}, "boards that partners offer on their pages"),
		events(CaseAggregate, 400*day, 64, Load{500, 2500}, "who of the team has a quote or an order, and what waits for a second operator"),
		events(CentralAggregate, 0, 64, Load{1000, 8000}, "formal orders: quotes, acceptance, dates"),
		events(CheckoutAggregate, 0, 32, Load{2000, 9000}, "how a quote was paid"),
		events(ConfirmationAggregate, QuoteKept, 16, Load{1000, 2000}, "codes that customers were sent, and what they confirmed"),
		events(CustomerAggregate, 0, 8, Load{500, 1200}, "customers, and what they had saved"),
		events(DesignCheckAggregate, 30*day, few, Load{20_000, 12_000}, "boards held against fabricators' limits, by content and options"),
		events(ErasureAggregate, 0, 64, Load{10, 800}, "that a customer's personal data was removed"),
		events(InvoiceBookAggregate, 0, 64, Load{4000, 900}, "which numbers invoices and credit notes have"),
		events(OperationAggregate, 14*day, 2, Load{30_000, 1200}, "outcomes of requests that are about no other aggregate"),
		events(OrderAggregate, 0, 64, Load{5000, 12_000}, "what was paid and must be built"),
		events(PartCheckAggregate, PartCheckKept, few, Load{20_000, 30_000}, "lists of parts held against what suppliers have"),
		events(QuoteAggregate, QuoteKept, 32, Load{110_000, 8000}, "prices and reviews"),
		events(QuoteRequestAggregate, 7*day, 2, Load{20_000, 900}, "how far a slow quote request is"),
		events(UploadAggregate, uploadKept, 32, Load{40_000, 6000}, "uploaded files, until they are deleted"),
	}
	for i, s := range streams {
		streams[i].Overwrites = slices.ContainsFunc(erased, func(a Aggregate) bool { return s.Name == EventStream(a) })
		switch s.Name {
		case EventStream(CentralAggregate), EventStream(CheckoutAggregate), EventStream(ConfirmationAggregate), EventStream(OrderAggregate):
			streams[i].Consumers = append(s.Consumers, notified)
		case EventStream(QuoteAggregate), EventStream(UploadAggregate): // few call for a letter, and these by their names
			named := notified
			named.HeadersOnly = true
			streams[i].Consumers = append(s.Consumers, named)
		}
	}
	return streams
}

// erased are the aggregates of which every state can be removed: they tell of a
// person or of a design. An operation does too, but has one state.
var erased = []Aggregate{
	AssemblyAggregate, BoardAggregate, BuyLinkAggregate, CaseAggregate, CentralAggregate, CheckoutAggregate, ConfirmationAggregate,
	CustomerAggregate, DesignCheckAggregate, OrderAggregate, QuoteAggregate, QuoteRequestAggregate, UploadAggregate,
}

// Overwrites reports whether whoever appends to such an aggregate overwrites what
// it has too many versions of.
func Overwrites(a Aggregate) bool { return slices.Contains(erased, a) }

// RetentionOf is how long the last event of an aggregate is kept; 0 is for ever.
func RetentionOf(a Aggregate) time.Duration { return keptFor[a] }

var keptFor = func() map[Aggregate]time.Duration {
	keep := map[Aggregate]time.Duration{}
	for _, s := range eventStreams() {
		for _, a := range Aggregates() {
			if s.Name == EventStream(a) {
				keep[a] = s.Keep
			}
		}
	}
	return keep
}()

// SizeAtLoad is how many bytes a stream holds at its load.
func (s Stream) SizeAtLoad() int64 {
	keep := s.Keep
	switch {
	case s.WorkQueue:
		keep = day // a backlog of this long
	case s.Schedules:
		keep = outstanding
	case keep == 0:
		keep = planned
	}
	return int64(keep/day) * int64(s.Load.PerDay) * int64(s.Load.Bytes)
}

// leastBytes is what a stream is given at the least.
const leastBytes = 64 << 20

// SizeOf is the limit of a stream where all streams together may take total
// bytes: its part of the expected sizes.
func SizeOf(s Stream, total int64) int64 {
	var sum int64
	for _, other := range Streams() {
		sum += other.SizeAtLoad() >> 20
	}
	return max(total/sum*(s.SizeAtLoad()>>20), leastBytes)
}

// Parts gives the streams that a declaration is kept in: one, or n of which each
// stores every n-th partition. n is 1 for what cannot be split.
func (s Stream) Parts(n int) []Part {
	if !s.Split || n <= 1 {
		return []Part{{Name: s.Name, Subjects: []string{s.Subject}}}
	}
	n = min(n, Partitions)
	parts := make([]Part, n)
	for i := range parts {
		parts[i].Name = s.PartName(i)
	}
	for p := range Partitions {
		to := &parts[p%n]
		to.Subjects = append(to.Subjects, s.partition(p))
	}
	return parts
}

// PartName is the broker's name of a part: the first has the declared name.
func (s Stream) PartName(part int) string {
	if part == 0 {
		return s.Name
	}
	return fmt.Sprintf("%s_%d", s.Name, part)
}

// partition is the subject of one partition.
func (s Stream) partition(p int) string {
	tokens := strings.Split(s.Subject, ".")
	at := 2 // evt.<aggregate>.<partition>…, cmd.<service>.<partition>…
	tokens[at] = fmt.Sprint(p)
	return strings.Join(tokens, ".")
}

// A Part is one stream of the broker.
type Part struct {
	Name     string
	Subjects []string
}
