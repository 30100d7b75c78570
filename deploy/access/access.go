// Package access says what each program may do at the broker and in the stores.
// Programs below is the only table; the broker's users, MongoDB's users and the
// policy of the S3 bucket are generated from it, and tests hold the generated
// files to it and a broker that runs with them to what is refused.
package access

import (
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/feed"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/registry"
	"boardorder/pkg/contract/uploads"
)

//go:generate go run ./cmd/access generate

// A Program is one user of the broker and of the stores. What is not said here
// is refused.
type Program struct {
	Name    string
	Commits []contract.Aggregate // whose events it appends; where they overwrite, it removes the oldest
	// Times are the aggregates whose timers it sets. The projector sends what falls
	// due, but only the commands of registry.TimerCommands: its own.
	Times    []contract.Aggregate
	Loads    []contract.Aggregate // whose last states it reads besides
	Sends    []string             // services that it sends commands to; Any for all
	Requests []string             // services that it sends keyed commands to, which it finds again; Any for all
	Erases   []string             // streams that it reads from any point, and from which it removes single messages
	Replays  []string             // streams that it reads from any point, by consumers that it makes and drops
	Takes    []Consumer           // whose messages it takes and acknowledges
	Buckets  []string             // key-value buckets that it reads and writes
	Looks    []string             // key-value buckets that it only reads
	Forgets  []string             // key-value buckets of which it removes single keys without a trace
	Wakes    bool                 // publishes wake-up calls
	Awaits   bool                 // receives all wake-up calls
	Waits    []contract.Aggregate // of which it receives those, since a command of it waits for them
	Hears    []contract.Aggregate // of which it receives those besides, to look at what has changed
	Tells    bool                 // hands outcomes that it committed to whoever waits for them
	Listens  bool                 // reads what accounts are told of
	Attends  bool                 // reads what came of attempts to deliver it to endpoints
	Delivers bool                 // writes that down, and reads it
	Informs  bool                 // publishes that, and reads what it published
	More     []string             // further subjects that it publishes to

	Documents Documents
	Files     Files
}

// Any stands for every service in Sends.
const Any = "*"

// A Consumer is one durable consumer; all parts of its stream have it.
type Consumer struct{ Stream, Name string }

// Documents are the kinds of documents that a program reads and writes in the
// projection. Every service sees besides which generation is live, if only to say
// in /readyz whether the projection answers.
type Documents struct{ Read, Write []string }

// Files are the prefixes of the bucket below which a program reads, puts and
// deletes files. Who reads lists them, too.
type Files struct{ Read, Put, Delete []string }

// Programs lists every user of the broker's account, services first.
func Programs() []Program { return append(Services(), tools()...) }

// Services are the programs that run all the time. Each opens the projection and the
// bucket of files.
func Services() []Program {
	return []Program{
		{
			// Open to the world, so it asks and never decides: no event, no timer, and
			// no command to the console, which makes API keys, but about keys that leaked or were sent from elsewhere, and what
			// members of an account ask for, whom the console holds to their roles.
			Name: "edge", More: sends("edge"), Sends: []string{"central", "design-check", "part-sourcing", "payment", "pricing", "upload", "webhooks"},
			Buckets: []string{contract.RateLimitsBucket, contract.QuotasBucket, contract.APIKeyUseBucket, contract.APIKeyFlagsBucket, contract.UploadLinksBucket, contract.UploadArrivalsBucket, contract.StackupsBucket, contract.CodeAttemptsBucket,
				contract.IdempotencyKeysBucket, contract.StatusDaysBucket, contract.PortalCodesBucket, contract.PortalSessionsBucket, contract.FailedRequestsBucket}, Looks: []string{contract.ProviderHealthBucket, contract.StatusIncidentsBucket, contract.WebhookProgressBucket}, Awaits: true, Listens: true, Attends: true, Requests: []string{"pricing"},
			Loads: aggregates(contract.QuoteAggregate, contract.PriceTableAggregate, contract.SavingsAggregate, contract.UploadAggregate, // what it told of before the projection has it
				contract.AccountAggregate), // who may do what in the portal, as of now
			Documents: Documents{Read: append(kinds(registry.ClientAggregates()...), accounts.KeyDocumentKind, accounts.MembershipDocumentKind, audits.DocumentKind)},
			Files:     Files{Read: []string{boards.Prefix}, Put: []string{uploads.StagingPrefix}, Delete: []string{uploads.StagingPrefix}},
		},
		{
			Name: "upload", Commits: aggregates(contract.UploadAggregate, contract.OperationAggregate), Sends: []string{"design-check", "upload"},
			Times: aggregates(contract.UploadAggregate),
			More:  sends("upload"),
			Takes: commands("upload"), Erases: streams(contract.UploadAggregate),
			Buckets: []string{contract.AttemptsBucket, contract.DuplicateUploadsBucket, contract.DuplicateOrdersBucket}, Forgets: []string{contract.DuplicateUploadsBucket},
			Files: Files{
				Read: []string{uploads.StagingPrefix, uploads.Prefix}, Put: []string{uploads.Prefix},
				Delete: []string{uploads.StagingPrefix, uploads.Prefix},
			},
		},
		{
			// Reads files from anybody: it reaches its own aggregates and commands only.
			Name: "design-check", Commits: aggregates(contract.BoardAggregate, contract.DesignCheckAggregate, contract.OperationAggregate),
			Times: aggregates(contract.BoardAggregate),
			Loads: aggregates(contract.UploadAggregate, contract.QuoteAggregate, contract.OrderAggregate), Waits: aggregates(contract.BoardAggregate), Sends: []string{"design-check"},
			Takes: commands("design-check"), Erases: streams(contract.BoardAggregate, contract.DesignCheckAggregate), Buckets: []string{contract.AttemptsBucket},
			Files: Files{Read: []string{uploads.Prefix, boards.Prefix}, Put: []string{boards.Prefix}, Delete: []string{boards.Prefix}},
		},
		{
			// Formal orders: it hands files on, and reads none.
			Name: "central", Commits: aggregates(contract.FormalAggregate, contract.BoardAggregate, contract.OperationAggregate, contract.ErasureAggregate),
			Times: aggregates(contract.FormalAggregate),
			Loads: aggregates(contract.UploadAggregate, contract.DesignCheckAggregate), Sends: []string{"central"}, More: sends("central"),
			Waits: aggregates(contract.UploadAggregate, contract.DesignCheckAggregate, contract.OperationAggregate),
			Takes: commands("central"), Erases: streams(contract.FormalAggregate), Buckets: []string{contract.AttemptsBucket},
			Files: Files{
				Read: []string{uploads.StagingPrefix, formal.Prefix}, Put: []string{uploads.StagingPrefix, formal.Prefix},
				Delete: []string{uploads.StagingPrefix, formal.Prefix},
			},
		},
		{
			// Reads lists from anybody and calls suppliers: it reaches its own aggregates only.
			Name: "part-sourcing", Commits: aggregates(contract.PartCheckAggregate, contract.AssemblyAggregate, contract.OperationAggregate),
			Times: aggregates(contract.AssemblyAggregate),
			Loads: aggregates(contract.UploadAggregate, contract.BoardAggregate), Waits: aggregates(contract.BoardAggregate), Takes: commands("part-sourcing"), Erases: streams(contract.AssemblyAggregate),
			Buckets: []string{contract.AttemptsBucket, contract.PartAnswersBucket, contract.PartClaimsBucket, contract.SupplierQuotasBucket, contract.ProviderHealthBucket},
			Files:   Files{Read: []string{uploads.Prefix, boards.Prefix}, Put: []string{boards.Prefix}, Delete: []string{boards.Prefix}},
		},
		{
			Name:    "pricing",
			Commits: aggregates(contract.QuoteAggregate, contract.BuyLinkAggregate, contract.QuoteRequestAggregate, contract.PriceTableAggregate, contract.SavingsAggregate, contract.BoardAggregate, contract.OperationAggregate, contract.ErasureAggregate),
			Times:   aggregates(contract.QuoteAggregate, contract.BuyLinkAggregate),
			Loads: aggregates(contract.UploadAggregate, contract.OrderAggregate, contract.CheckoutAggregate, contract.AssemblyAggregate, contract.PartCheckAggregate,
				contract.AccountAggregate), // by what rule an account's fabricator is chosen
			Waits:  aggregates(contract.BoardAggregate, contract.AssemblyAggregate, contract.PartCheckAggregate),
			Sends:  []string{"design-check", "part-sourcing", "pricing"},
			Erases: append(streams(contract.QuoteAggregate, contract.BuyLinkAggregate, contract.QuoteRequestAggregate, contract.PriceTableAggregate, contract.SavingsAggregate, contract.OperationAggregate), contract.RequestStream, contract.DeadLetterStream),
			Takes:  append(append(commands("pricing"), Consumer{contract.RequestStream, "pricing"}), follows(quotes.WatchConsumer, contract.QuoteAggregate)...),
			More:   append(sends("pricing"), contract.DeadSubject(quotes.WatchConsumer, ">")), // the latter: what of them cannot be read
			Tells:  true, Buckets: []string{contract.AttemptsBucket, contract.StackupsBucket, contract.RatesBucket, contract.ProviderHealthBucket},
		},
		{
			Name: "payment",
			Commits: aggregates(contract.CheckoutAggregate, contract.OrderAggregate, contract.ConfirmationAggregate, contract.CustomerAggregate, contract.BoardAggregate,
				contract.InvoiceBookAggregate, contract.OperationAggregate, contract.ErasureAggregate),
			Times: aggregates(contract.CheckoutAggregate, contract.OrderAggregate),
			Loads: aggregates(contract.QuoteAggregate, contract.UploadAggregate, contract.PartCheckAggregate), Waits: aggregates(contract.PartCheckAggregate), Sends: []string{"part-sourcing", "payment"},
			Takes: commands("payment"), Erases: streams(contract.CheckoutAggregate, contract.OrderAggregate, contract.ConfirmationAggregate, contract.CustomerAggregate),
			Buckets: []string{contract.AttemptsBucket, contract.DuplicateOrdersBucket, contract.RatesBucket, contract.ProviderHealthBucket}, Forgets: []string{contract.DuplicateOrdersBucket},
			Documents: Documents{Read: kinds(contract.CheckoutAggregate, contract.OrderAggregate, contract.QuoteAggregate)}, // sweeps, and whether an address has orders
			Files:     Files{Read: []string{boards.Prefix}},
		},
		{
			Name: "notify", Commits: aggregates(contract.OperationAggregate), Sends: []string{"notify"},
			Loads:   append(aggregates(contract.AccountAggregate), registry.Subscriptions("notify")...),
			Takes:   append(commands("notify"), follows("notify", registry.Subscriptions("notify")...)...),
			Buckets: []string{contract.AttemptsBucket, contract.EmailsSentBucket, contract.ProviderHealthBucket}, Looks: []string{contract.PortalCodesBucket},
		},
		{
			// Reads what happened and tells of it; nobody but the edge reads what it tells.
			Name: "feed", Loads: append(registry.Subscriptions("feed"), contract.CheckoutAggregate),
			Takes:   append(follows("feed", registry.Subscriptions("feed")...), follows(feed.ExpiryConsumer, contract.QuoteAggregate)...),
			More:    []string{contract.DeadSubject(feed.ExpiryConsumer, ">")}, // what of them cannot be read
			Informs: true,
		},
		{
			// Sends accounts what they are told of, to addresses that they named: it reads that and
			// nothing else, and reaches the world.
			Name: "webhooks", Commits: aggregates(contract.WebhookEndpointAggregate, contract.OperationAggregate), Sends: []string{"webhooks"}, Takes: commands("webhooks"),
			Hears: aggregates(contract.WebhookEndpointAggregate, feed.WakeKind), Listens: true, Delivers: true,
			Buckets: []string{contract.AttemptsBucket, contract.WebhookProgressBucket, contract.WebhookSharesBucket},
		},
		{
			// Sends what timers carry, as far as their aggregates' may, and decides nothing.
			Name: "projector", Sends: []string{Any}, Loads: contract.Aggregates(),
			Takes:   append(follows(contract.ProjectorConsumer, contract.Aggregates()...), Consumer{contract.TimerStream, contract.TimerConsumer}),
			Replays: eventStreams(), Buckets: []string{contract.AttemptsBucket}, Wakes: true,
			More:      []string{contract.DeadSubject("timer", ">")}, // what falls due and cannot be read
			Documents: Documents{Read: registry.DocumentKinds(), Write: registry.DocumentKinds()},
		},
		{
			// The operators' own: it sends dead letters again, to whomever they were for.
			Name: "console", Commits: aggregates(contract.AccountAggregate, contract.AuditAggregate, contract.CaseAggregate, contract.OperationAggregate, contract.ErasureAggregate), Loads: contract.Aggregates(), Sends: []string{Any},
			Takes: commands("console"), Erases: streams(contract.CaseAggregate), Replays: append(eventStreams(), contract.CommandStream, contract.RequestStream, contract.DeadLetterStream, feed.Stream),
			Buckets: []string{contract.AttemptsBucket, contract.APIKeyUseBucket, contract.APIKeyFlagsBucket, contract.ConsoleSessionsBucket, contract.PortalSessionsBucket,
				contract.ConsoleLinksBucket, contract.ConsoleAttemptsBucket, contract.ConsoleFactorsBucket, contract.StatusIncidentsBucket}, Awaits: true,
			Looks:    []string{contract.ProviderHealthBucket, contract.EmailsSentBucket, contract.WebhookProgressBucket, contract.FailedRequestsBucket},
			Requests: []string{Any}, More: []string{"$JS.API.STREAM.MSG.DELETE." + contract.DeadLetterStream},
			Documents: Documents{Read: registry.DocumentKinds()}, Files: Files{Read: []string{boards.Prefix, formal.Prefix}},
		},
	}
}

// tools are what people and jobs run. None of them is a service's user.
func tools() []Program {
	return []Program{
		{
			// The only one that makes, changes or drops streams, consumers and buckets.
			Name: "topology",
			More: []string{
				"$JS.API.STREAM.CREATE.*", "$JS.API.STREAM.UPDATE.*", "$JS.API.STREAM.DELETE.*", "$JS.API.STREAM.PURGE.*",
				"$JS.API.CONSUMER.CREATE.>", "$JS.API.CONSUMER.DURABLE.CREATE.*.*", "$JS.API.CONSUMER.DELETE.*.*",
			},
		},
		{
			// Copies streams out and puts copies back; it can neither publish nor drop.
			Name: "backup",
			More: []string{"$JS.API.STREAM.SNAPSHOT.*", "$JS.API.STREAM.RESTORE.*", "$JS.SNAPSHOT.>"},
		},
	}
}

func aggregates(a ...contract.Aggregate) []contract.Aggregate { return a }

// kinds are the documents of aggregates.
func kinds(of ...contract.Aggregate) []string {
	var out []string
	for _, a := range of {
		out = append(out, string(a))
	}
	return out
}

// sends lets a program send single commands of services that it sends no others, as
// their rows say.
func sends(program string) []string {
	var out []string
	for _, n := range registry.GrantsOf(program) {
		out = append(out, "cmd."+n.Service+".*."+n.Verb)
	}
	return out
}

// commands is the consumer that a service takes its commands from.
func commands(service string) []Consumer {
	return []Consumer{{contract.CommandStream, service}}
}

// follows are the consumers of one name on the aggregates' streams.
func follows(name string, aggregates ...contract.Aggregate) []Consumer {
	var out []Consumer
	for _, a := range aggregates {
		out = append(out, Consumer{contract.EventStream(a), name})
	}
	return out
}

func eventStreams() []string { return streams(contract.Aggregates()...) }

func streams(of ...contract.Aggregate) []string {
	var out []string
	for _, a := range of {
		out = append(out, contract.EventStream(a))
	}
	return out
}
