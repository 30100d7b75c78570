package figures

import (
	"slices"
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"

	"github.com/tidwall/gjson"
)

// Keys of projected documents. Their values are live's alone, and those of test with
// [contract.ListWord]'s suffix.
const (
	DayKey       = "day"       // quotes: when they were made; orders: when they were paid
	QuotedKey    = "quoted"    // orders: when their quote was made
	DisputeKey   = "dispute"   // orders: how the dispute of their payment stands
	ReturnedKey  = "returned"  // orders of whose payment some went back, or is disputed: when they were paid
	AttentionKey = "attention" // orders and checkouts: an Attention
)

// Attention is what of a payment a person has to look at.
type Attention string

// What there is to look at.
const (
	Disputed     Attention = "disputed"      // order: the customer's bank objects, and has not decided
	RefundFailed Attention = "refund_failed" // order: money that was to go back did not, and was not given back since
	Asks         Attention = "asks"          // order: the fabricator wants to know something
	Declined     Attention = "declined"      // checkout: the saved card of a customer who wants to pay was not charged
)

// Day is a time as a value of DayKey and QuotedKey: the date in UTC.
func Day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// KeyNames lists the keys that documents of an aggregate may have.
func KeyNames(a contract.Aggregate) []string {
	switch a {
	case contract.QuoteAggregate:
		return []string{DayKey}
	case contract.OrderAggregate:
		return []string{AttentionKey, DayKey, DisputeKey, QuotedKey, ReturnedKey}
	case contract.CheckoutAggregate:
		return []string{AttentionKey}
	}
	return nil
}

// Keys are those of one document, by its state and whose it is. The quote of the boards
// alone, which goes with a review, is nobody's wish and counts for no day.
func Keys(a contract.Aggregate, owner string, state []byte) map[string]string {
	s, keys := contract.Parse(state), map[string]string{}
	set := func(key, value string) {
		if value != "" {
			keys[key] = contract.ListWord(owner, value)
		}
	}
	switch a {
	case contract.QuoteAggregate:
		if request := s.Get("request_id").Str; !strings.HasSuffix(request, quotes.BareRequest("")) {
			set(DayKey, day(s.Get("created_at")))
		}
	case contract.OrderAggregate:
		set(DayKey, day(s.Get("paid_at")))
		set(QuotedKey, day(s.Get("sold.created_at")))
		set(AttentionKey, string(orderAttention(s)))
		set(DisputeKey, s.Get("dispute.status").Str)
		if s.Get("dispute").Exists() || len(s.Get("refunds").Array()) > 0 {
			set(ReturnedKey, day(s.Get("paid_at")))
		}
	case contract.CheckoutAggregate:
		set(AttentionKey, string(checkoutAttention(s)))
	}
	return keys
}

func day(v gjson.Result) string {
	t, err := time.Parse(time.RFC3339Nano, v.Str)
	if err != nil || t.IsZero() {
		return ""
	}
	return Day(t)
}

func orderAttention(s gjson.Result) Attention {
	if s.Get("dispute.status").Str == "open" {
		return Disputed
	}
	if isOwed(s.Get("refunds").Array()) {
		return RefundFailed
	}
	under := []string{string(orders.Placed), string(orders.InProduction)}
	if s.Get("waiting").Str != "" && slices.Contains(under, s.Get("status").Str) {
		return Asks
	}
	return ""
}

// isOwed tells whether there is a refund that failed, and as much was not given back since.
func isOwed(refunds []gjson.Result) bool {
	for i, failed := range refunds {
		if failed.Get("status").Str != string(orders.RefundFailed) {
			continue
		}
		left := failed.Get("cents").Int()
		for _, r := range refunds[i+1:] {
			if r.Get("status").Str != string(orders.RefundFailed) {
				left -= r.Get("cents").Int()
			}
		}
		if left > 0 {
			return true
		}
	}
	return false
}

func checkoutAttention(s gjson.Result) Attention {
	refused := []string{string(checkouts.SavedDeclined), string(checkouts.SavedAuthentication)}
	if s.Get("status").Str != string(checkouts.Paid) && slices.Contains(refused, s.Get("saved.outcome").Str) {
		return Declined
	}
	return ""
}
