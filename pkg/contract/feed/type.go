package feed

import (
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/contract/webhooks"
)

// A Type says what happened: <object>.<what>, part of the interface, never renamed.
type Type string

// The types of public events.
const (
	QuotePriced          Type = "quote.priced"           // at once, or by the team
	QuoteQuestions       Type = "quote.questions"        // there is none yet: options are open
	QuoteRefused         Type = "quote.refused"          // there is none, or the team ended it
	QuoteReviewNeeded    Type = "quote.review_needed"    // the team can price it, once the customer asks
	QuoteReviewRequested Type = "quote.review_requested" // the customer asked
	QuoteReviewQuestion  Type = "quote.review_question"  // the team asks the customer
	QuoteExpired         Type = "quote.expired"          // its time is over, and it was not paid
	PartStockLow         Type = "part.stock_low"         // of a quote that is open
	QuotePriceMoved      Type = "quote.price_moved"      // what it would cost now; its own price holds
	PartsApproved        Type = "parts.approved"         // by the customer, on the page that asks: one at least
	PartsDeclined        Type = "parts.declined"         // all of them
	OrderPaid            Type = "order.paid"
	OrderPlaced          Type = "order.placed"
	OrderInProduction    Type = "order.in_production"
	OrderProgressed      Type = "order.progressed" // the fabricator reported on the build
	OrderShipped         Type = "order.shipped"
	OrderCancelled       Type = "order.cancelled"
	OrderRefunded        Type = "order.refunded"
	OrderRefundFailed    Type = "order.refund_failed"
	OrderDisputed        Type = "order.disputed"
	FormalInReview       Type = "formal_order.in_review"
	FormalQuoted         Type = "formal_order.quoted"
	FormalAccepted       Type = "formal_order.accepted"
	FormalQuestion       Type = "formal_order.question"
	FormalInProduction   Type = "formal_order.in_production"
	FormalShipped        Type = "formal_order.shipped"
	FormalDelivered      Type = "formal_order.delivered"
	FormalCancelled      Type = "formal_order.cancelled"
	DesignCheckFinished  Type = "design_check.finished"
	PartCheckFinished    Type = "part_check.finished"
	BuyLinkOrdered       Type = "buy_link.ordered" // a quote of a buy link was paid
	UploadExpired        Type = "upload.expired"
	KeyUsedElsewhere     Type = "key.used_elsewhere" // from outside its networks, and refused
	EndpointDisabled     Type = "webhook_endpoint.disabled"
	EndpointTest         Type = "webhook_endpoint.test" // for that endpoint alone
)

// kinds are all types: what of which aggregate they are derived from, and the scope that a
// key needs for them, which is that of the object's own endpoints.
var kinds = []struct {
	Type  Type
	Of    contract.Aggregate
	Event []contract.EventName
	Scope string
}{
	{QuotePriced, contract.QuoteAggregate, names(quotes.EventPriced, quotes.EventReviewPriced), accounts.ScopeQuotes},
	{QuoteQuestions, contract.QuoteAggregate, nil, accounts.ScopeQuotes},
	{QuoteRefused, contract.QuoteAggregate, names(quotes.EventReviewRefused), accounts.ScopeQuotes},
	{QuoteReviewNeeded, contract.QuoteAggregate, names(quotes.EventReviewNeeded), accounts.ScopeQuotes},
	{QuoteReviewRequested, contract.QuoteAggregate, names(quotes.EventReviewRequested), accounts.ScopeQuotes},
	{QuoteReviewQuestion, contract.QuoteAggregate, names(quotes.EventReviewQuestion), accounts.ScopeQuotes},
	{QuoteExpired, contract.QuoteAggregate, nil, accounts.ScopeQuotes},
	{PartStockLow, contract.QuoteAggregate, names(quotes.EventStockLow), accounts.ScopeQuotes},
	{QuotePriceMoved, contract.QuoteAggregate, names(quotes.EventPriceMoved), accounts.ScopeQuotes},
	{PartsApproved, contract.QuoteAggregate, names(quotes.EventPartsApproved), accounts.ScopeQuotes},
	{PartsDeclined, contract.QuoteAggregate, names(quotes.EventPartsDeclined), accounts.ScopeQuotes},
	{OrderPaid, contract.OrderAggregate, names(orders.EventPaid), accounts.ScopeQuotes},
	{OrderPlaced, contract.OrderAggregate, names(orders.EventPlaced), accounts.ScopeQuotes},
	{OrderInProduction, contract.OrderAggregate, names(orders.EventInProduction), accounts.ScopeQuotes},
	{OrderProgressed, contract.OrderAggregate, names(orders.EventProgressed), accounts.ScopeQuotes},
	{OrderShipped, contract.OrderAggregate, names(orders.EventShipped), accounts.ScopeQuotes},
	{OrderCancelled, contract.OrderAggregate, names(orders.EventCancelled), accounts.ScopeQuotes},
	{OrderRefunded, contract.OrderAggregate, names(orders.EventRefunded), accounts.ScopeQuotes},
	{OrderRefundFailed, contract.OrderAggregate, names(orders.EventRefundFailed), accounts.ScopeQuotes},
	{OrderDisputed, contract.OrderAggregate, names(orders.EventDisputed), accounts.ScopeQuotes},
	{FormalInReview, contract.FormalAggregate, names(formal.EventInReview), accounts.ScopeOrders},
	{FormalQuoted, contract.FormalAggregate, names(formal.EventQuoted), accounts.ScopeOrders},
	{FormalAccepted, contract.FormalAggregate, names(formal.EventAccepted), accounts.ScopeOrders},
	{FormalQuestion, contract.FormalAggregate, names(formal.EventAsked), accounts.ScopeOrders},
	{FormalInProduction, contract.FormalAggregate, names(formal.EventInProduction), accounts.ScopeOrders},
	{FormalShipped, contract.FormalAggregate, names(formal.EventShipped), accounts.ScopeOrders},
	{FormalDelivered, contract.FormalAggregate, names(formal.EventDelivered), accounts.ScopeOrders},
	{FormalCancelled, contract.FormalAggregate, names(formal.EventCancelled), accounts.ScopeOrders},
	{DesignCheckFinished, contract.DesignCheckAggregate, names(designchecks.EventChecked, designchecks.EventRefused), accounts.ScopeChecks},
	{PartCheckFinished, contract.PartCheckAggregate, names(partchecks.EventChecked, partchecks.EventRefused), accounts.ScopeChecks},
	{BuyLinkOrdered, contract.OrderAggregate, nil, accounts.ScopeQuotes},
	{UploadExpired, contract.UploadAggregate, names(uploads.EventExpired), accounts.ScopeUploads},
	{KeyUsedElsewhere, contract.AccountAggregate, names(accounts.EventKeyElsewhere), ""}, // every key may know
	{EndpointDisabled, contract.WebhookEndpointAggregate, names(webhooks.EventStopped), ""},
	{EndpointTest, contract.WebhookEndpointAggregate, names(webhooks.EventTested), ""},
}

func names(all ...contract.EventName) []contract.EventName { return all }

// Types lists every type, by object.
func Types() []Type {
	out := make([]Type, len(kinds))
	for i, k := range kinds {
		out[i] = k.Type
	}
	return out
}

// ScopeOf is the scope that a key needs to be told of a type; "" where it needs none.
func ScopeOf(t Type) string {
	for _, k := range kinds {
		if k.Type == t {
			return k.Scope
		}
	}
	return ""
}

// ActsOn lists the stored events of an aggregate that lead to public ones. Refusals of a
// request do too, of a quote that does not exist.
func ActsOn(a contract.Aggregate) []contract.EventName {
	var out []contract.EventName
	for _, k := range kinds {
		if k.Of == a {
			out = append(out, k.Event...)
		}
	}
	return out
}

// typeOf is the type that an event's name leads to; "" for none.
func typeOf(a contract.Aggregate, name contract.EventName) Type {
	for _, k := range kinds {
		if k.Of != a {
			continue
		}
		for _, n := range k.Event {
			if n == name {
				return k.Type
			}
		}
	}
	return ""
}
