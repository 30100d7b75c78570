package contract

import (
	"fmt"
	"strconv"
	"strings"
)

// An Aggregate names one kind of thing whose life is recorded in a stream of
// its own. It is a subject token: lower case, words joined by hyphens.
type Aggregate string

// The aggregates. Each has the stream EVENTS_<NAME>, which may be split.
const (
	AccountAggregate      Aggregate = "account"
	AssemblyAggregate     Aggregate = "assembly" // by assemblies.ID
	AuditAggregate        Aggregate = "audit"    // one chain: what operators did
	BoardAggregate        Aggregate = "board"    // by content digest
	BuyLinkAggregate      Aggregate = "buy-link"
	CaseAggregate         Aggregate = "case"          // by quote: the team's work on it
	FormalAggregate       Aggregate = "central-order" // by formal.Key
	CheckoutAggregate     Aggregate = "checkout"
	ConfirmationAggregate Aggregate = "confirmation" // by confirmations.ID
	CustomerAggregate     Aggregate = "customer"     // by customers.Ref
	DesignCheckAggregate  Aggregate = "design-check" // by designchecks.ID
	ErasureAggregate      Aggregate = "erasure"      // by PersonRef
	InvoiceBookAggregate  Aggregate = "invoice-book" // by invoices.BookOf
	OperationAggregate    Aggregate = "operation"    // by request id: outcomes that changed no other aggregate
	OrderAggregate        Aggregate = "order"
	PartCheckAggregate    Aggregate = "part-check"  // by partchecks.ID
	PriceTableAggregate   Aggregate = "price-table" // by request id
	QuoteAggregate        Aggregate = "quote"
	QuoteRequestAggregate Aggregate = "quote-request"
	SavingsAggregate      Aggregate = "savings" // by request id
	UploadAggregate       Aggregate = "upload"

	WebhookEndpointAggregate Aggregate = "webhook-endpoint"
)

// Aggregates lists them all, in alphabetical order.
func Aggregates() []Aggregate {
	return []Aggregate{
		AccountAggregate, AssemblyAggregate, AuditAggregate, BoardAggregate, BuyLinkAggregate, CaseAggregate, FormalAggregate, CheckoutAggregate, ConfirmationAggregate, CustomerAggregate, DesignCheckAggregate,
		ErasureAggregate, InvoiceBookAggregate, OperationAggregate, OrderAggregate, PartCheckAggregate, PriceTableAggregate, QuoteAggregate, QuoteRequestAggregate, SavingsAggregate, UploadAggregate, WebhookEndpointAggregate,
	}
}

// ValidToken reports whether s can stand in a subject as one token: 1 to 80 of
// [A-Za-z0-9_-].
func ValidToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		if (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' && c != '-' {
			return false
		}
	}
	return s != "" && len(s) <= 80
}

// Partitions is how many partitions the ids of every hot kind of message are
// spread over. A stream may be split into as many parts. It never changes: a
// message's subject follows from it.
const Partitions = 16

// PartitionOf is the partition of an id, 0 to Partitions-1: FNV-1a.
func PartitionOf(id string) int {
	var h uint32 = 2166136261
	for i := range len(id) {
		h = (h ^ uint32(id[i])) * 16777619
	}
	return int(h % Partitions)
}

// EventSubject is where the events of one aggregate are stored:
// evt.<aggregate>.<partition>.<id>. Loading reads the last message on it, and a
// commit is guarded by the sequence of that message, so there is no filter that
// could fail to cover what is published.
func EventSubject(a Aggregate, id string) string {
	return "evt." + string(a) + "." + strconv.Itoa(PartitionOf(id)) + "." + id
}

// CommandSubject is where a command waits for its service:
// cmd.<service>.<partition>.<verb>.
func CommandSubject(n CommandName, id string) string {
	return fmt.Sprintf("cmd.%s.%d.%s", n.Service, PartitionOf(id), n.Verb)
}

// RequestSubject is where a command waits that holds a key:
// req.<service>.<partition>.<verb>.<key>. It stays there, so that the same
// request is known.
func RequestSubject(n CommandName, key string) string {
	return fmt.Sprintf("req.%s.%d.%s.%s", n.Service, PartitionOf(key), n.Verb, key)
}

// DeadSubject is where a command ends that could not be handled.
func DeadSubject(service, verb string) string { return "dead." + service + "." + verb }

// WakeSubject says that the projection holds a newer state, or of an operation
// that its request has its outcome, which it may bring along. Not stored: whoever
// waits subscribes to it, so it travels only where somebody does.
func WakeSubject(a Aggregate, id string) string { return "wake." + string(a) + "." + id }

// TimerSubject is where a schedule is kept; one live schedule a subject.
func TimerSubject(a Aggregate, id, what string) string {
	return fmt.Sprintf("timer.%s.%s.%s", a, id, what)
}

// DueSubject is where the schedule's message appears when it falls due, in the
// same stream.
func DueSubject(a Aggregate, id, what string) string { return TimerSubject(a, id, what) + ".due" }

// ParseDueSubject gives the aggregate of a timer that fell due and the subject of
// its schedule; ok is false for any other.
func ParseDueSubject(subject string) (a Aggregate, schedule string, ok bool) {
	schedule, due := strings.CutSuffix(subject, ".due")
	parts := strings.Split(schedule, ".")
	if !due || len(parts) != 4 || parts[0] != "timer" {
		return "", "", false
	}
	return Aggregate(parts[1]), schedule, true
}

// ParseEventSubject splits the subject of an event; ok is false for any other.
func ParseEventSubject(subject string) (a Aggregate, id string, ok bool) {
	kind, rest, _ := strings.Cut(subject, ".")
	name, rest, _ := strings.Cut(rest, ".")
	_, id, ok = strings.Cut(rest, ".")
	return Aggregate(name), id, ok && kind == "evt" && ValidToken(id)
}
