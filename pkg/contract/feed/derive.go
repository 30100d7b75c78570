package feed

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

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

// MayDerive tells by an event's name and version alone whether a public one can follow
// from it.
func MayDerive(e contract.Event) bool {
	return typeOf(e.Aggregate, e.Name) != "" || refusesQuote(e)
}

// refusesQuote tells whether an event says that there is no quote of its id: later refusals
// are of requests about one that there is.
func refusesQuote(e contract.Event) bool {
	return e.Aggregate == contract.QuoteAggregate && e.Name == contract.RequestRefused && e.Version == 1
}

// Derive gives the public events that follow from a stored one, in their order; none as a rule.
// It knows nothing else: Previous is left to whoever knows the object's events before.
func Derive(e contract.Event) ([]Entry, error) {
	if !MayDerive(e) {
		return nil, nil
	}
	var body contract.Body[json.RawMessage]
	if err := json.Unmarshal(e.Data, &body); err != nil {
		return nil, fmt.Errorf("decode %s %s version %d: %w", e.Aggregate, e.AggregateID, e.Version, err)
	}
	owner, t, named, data, err := describe(e, body)
	if err != nil || owner == "" || t == "" {
		return nil, err
	}
	own := entryOf(e, placeOwn, owner, t, named, data)
	if t == OrderPaid && data.BuyLinkID != "" {
		return []Entry{entryOf(e, placeBefore, owner, BuyLinkOrdered, named, data), own}, nil
	}
	return []Entry{own}, nil
}

// entryOf is what is told of a stored event at one of its places.
func entryOf(e contract.Event, place uint64, owner string, t Type, named *QuoteName, data Data) Entry {
	key, sequence := KeyOf(e.Aggregate, e.AggregateID), e.Version*Places+place
	return Entry{
		Owner: owner, Key: key, Cause: e.ID, Quote: named,
		Event: Event{ID: IDOf(key, sequence), Type: t, Timestamp: e.At.UTC(), Sequence: sequence, Livemode: !contract.IsTest(owner), Data: data},
	}
}

// describe says whose an event is, its type, and what is told of it.
func describe(e contract.Event, body contract.Body[json.RawMessage]) (owner string, t Type, named *QuoteName, data Data, err error) {
	if refusesQuote(e) {
		t, data = describeRefusal(e, body.Refusal)
		return e.Account, t, nil, data, nil
	}
	if len(body.State) == 0 || string(body.State) == "null" { // it was erased
		return "", "", nil, Data{}, nil
	}
	t = typeOf(e.Aggregate, e.Name)
	switch e.Aggregate {
	case contract.QuoteAggregate:
		q, err := decode[quotes.Quote](e, body.State)
		named, data = describeQuote(t, q)
		return q.Account, t, named, data, err
	case contract.OrderAggregate:
		o, err := decode[orders.Order](e, body.State)
		named, data = describeOrder(t, o)
		if t == OrderProgressed && len(o.Steps) == 0 { // the fabricator's number, or a question to our team
			return "", "", nil, Data{}, err
		}
		return o.Account, t, named, data, err
	case contract.FormalAggregate:
		o, err := decode[formal.Order](e, body.State)
		return o.Account, t, nil, describeFormal(t, o), err
	case contract.DesignCheckAggregate: // it has no account: it is told to whose request it ended
		d, err := decode[designchecks.DesignCheck](e, body.State)
		return e.Account, t, nil, describeCheck(d), err
	case contract.AccountAggregate:
		a, err := decode[accounts.Account](e, body.State)
		owner, data = describeElsewhere(a)
		return owner, t, nil, data, err
	case contract.PartCheckAggregate:
		p, err := decode[partchecks.PartCheck](e, body.State)
		if !p.Asked { // the service looks parts up for itself
			return "", "", nil, Data{}, err
		}
		return p.Account, t, nil, describePartCheck(p), err
	case contract.UploadAggregate:
		u, err := decode[uploads.Upload](e, body.State)
		return u.Account, t, nil, Data{
			Object: UploadObject, UploadDigest: u.Ref, ContentSHA256: u.Content, Status: string(u.Status), Changed: []string{"status", "files"},
		}, err
	case contract.WebhookEndpointAggregate:
		w, err := decode[webhooks.Endpoint](e, body.State)
		return w.Account, t, nil, describeEndpoint(t, w), err
	}
	return "", "", nil, Data{}, nil
}

func decode[S any](e contract.Event, state json.RawMessage) (s S, err error) {
	if state, err = contract.Upgrade(e.Aggregate, e.Format, state); err == nil {
		err = json.Unmarshal(state, &s)
	}
	if err != nil {
		err = fmt.Errorf("decode state of %s %s version %d: %w", e.Aggregate, e.AggregateID, e.Version, err)
	}
	return s, err
}

func describeRefusal(e contract.Event, refusal *contract.Refusal) (Type, Data) {
	if refusal == nil || e.Operation == "" {
		return "", Data{}
	}
	data := Data{Object: QuoteObject, RequestID: e.Operation, Error: refusal.Code, Questions: len(refusal.Questions), Changed: []string{"error"}}
	if data.Questions > 0 {
		return QuoteQuestions, data
	}
	return QuoteRefused, data
}

func describeQuote(t Type, q quotes.Quote) (*QuoteName, Data) {
	data := Data{
		Object: QuoteObject, RequestID: pollable(q.RequestID), Status: string(q.Status), Mode: q.Mode, Quantity: q.Reply.Quantity,
		TotalCents: q.Reply.TotalCents, ExpiresAt: utc(q.ExpiresAt), Changed: []string{"status"},
	}
	if data.TotalCents != nil && q.Reply.Currency != nil {
		data.Currency = *q.Reply.Currency
	}
	switch t {
	case QuotePriced:
		data.Changed = []string{"status", "total_cents", "expires_at"}
	case QuoteRefused, QuoteReviewQuestion:
		data.Changed = []string{"review"}
	case PartStockLow, QuotePriceMoved:
		describeWatch(t, q.Watched, &data)
	case PartsApproved, PartsDeclined:
		describeAnswer(q, &data)
	}
	return &QuoteName{Request: q.RequestID, Ref: q.Ref}, data
}

// describeWatch tells what became of a quote's parts; the quote stays as it is.
func describeWatch(t Type, w *quotes.WatchedParts, data *Data) {
	data.Changed = []string{}
	if w == nil {
		return
	}
	data.AsOf = utc(w.At)
	if t == QuotePriceMoved && w.Price != nil {
		data.WouldCost, data.WouldHaveCost = &w.Price.TotalCents, &w.Price.WasCents
	}
	if t != PartStockLow {
		return
	}
	for _, l := range w.FindTold() {
		data.LowParts = append(data.LowParts, DescribeScarce(l))
	}
}

// describeAnswer tells of the approval that was answered last.
func describeAnswer(q quotes.Quote, data *Data) {
	data.Changed = []string{"part_approvals"}
	var last *quotes.PartApproval
	for i, a := range q.Approvals {
		if a.Answer != nil && (last == nil || a.Answer.At.After(last.Answer.At)) {
			last = &q.Approvals[i]
		}
	}
	if last != nil {
		approved, declined := last.Count()
		data.ApprovalID, data.PartsApproved, data.PartsDeclined = last.ID, &approved, &declined
	}
}

// DescribeScarce is a line of a quote as clients are told of it.
func DescribeScarce(l quotes.LowPart) ScarcePart {
	return ScarcePart{l.Line, l.Reference, l.MPN, l.Stock, l.Needed, l.Source, l.At.UTC(), l.Short}
}

func utc(t time.Time) *time.Time {
	t = t.UTC()
	return &t
}

// pollable is the id of a request that clients know: what is beside a review was asked for
// by no request of its own.
func pollable(request string) string {
	if strings.Contains(request, ".") {
		return ""
	}
	return request
}

func describeOrder(t Type, o orders.Order) (*QuoteName, Data) {
	data := Data{
		Object: OrderObject, OrderID: o.ID, OrderRef: o.Ref, RequestID: pollable(o.Request), Status: string(o.Status), Quantity: o.Quantity,
		TotalCents: &o.TotalCents, Currency: o.Currency, BuyLinkID: o.Sold.BuyLink, Changed: []string{"status"},
	}
	var refunded int64
	for _, r := range o.Refunds {
		if r.Status == orders.RefundDone || r.Status == orders.RefundPending {
			refunded += r.Cents
		}
	}
	switch t {
	case OrderProgressed:
		data.Changed, data.Steps = []string{"production_steps"}, len(o.Steps)
	case OrderCancelled:
		data.Changed = []string{"status", "refunded_cents"}
		data.RefundedCents = &refunded
	case OrderRefunded, OrderRefundFailed:
		data.Changed = []string{"refunded_cents"}
		data.RefundedCents = &refunded
	case OrderDisputed:
		data.Changed = []string{"dispute"}
		if o.Dispute != nil {
			data.DisputedCents, data.DisputeStatus = &o.Dispute.Cents, o.Dispute.Status
		}
	case OrderShipped:
		data.Changed = []string{"status", "tracking"}
	}
	return &QuoteName{Request: o.Request, Ref: o.Quote}, data
}

func describeFormal(t Type, o formal.Order) Data {
	data := Data{Object: FormalOrderObject, OrderID: o.ID, OrderRef: o.Ref, Status: string(o.Status), Quantity: o.Qty, Changed: []string{"status"}}
	if o.Quote != nil && (t == FormalQuoted || t == FormalAccepted) {
		data.QuoteNumber, data.Options, data.ExpiresAt = o.Quote.Number, len(o.Quote.Options), utc(o.Quote.ValidUntil)
	}
	switch t {
	case FormalQuoted:
		data.Changed = []string{"status", "quotes"}
	case FormalQuestion:
		data.Changed = []string{"questions"}
	case FormalShipped:
		data.Changed = []string{"status", "tracking"}
	}
	return data
}

func describeEndpoint(t Type, w webhooks.Endpoint) Data {
	data := Data{Object: EndpointObject, EndpointID: w.ID, Status: string(w.Status), Changed: []string{}}
	if t == EndpointDisabled && w.Disabled != nil {
		data.Reason, data.Changed = string(w.Disabled.Reason), []string{"status"}
	}
	return data
}

func describeCheck(d designchecks.DesignCheck) Data {
	found := len(d.Findings) + d.MoreFindings
	data := Data{Object: DesignCheckObject, CheckID: d.ID, Status: string(d.Status), Findings: &found, Changed: []string{"status", "findings"}}
	if d.Refusal != nil {
		data.Error, data.Findings = d.Refusal.Code, nil
	}
	return data
}

func describePartCheck(p partchecks.PartCheck) Data {
	data := Data{Object: PartCheckObject, CheckID: p.ID, Status: string(p.Status), Changed: []string{"status", "report"}}
	if p.Refusal != nil {
		data.Error = p.Refusal.Code
	}
	return data
}

// describeElsewhere tells of the key that was noted last, to those of its mode.
func describeElsewhere(a accounts.Account) (owner string, data Data) {
	var last *accounts.APIKey
	for i, k := range a.Keys {
		if k.Elsewhere != nil && (last == nil || k.Elsewhere.At.After(last.Elsewhere.At)) {
			last = &a.Keys[i]
		}
	}
	if last == nil {
		return "", Data{}
	}
	return last.Owner(a.ID), Data{Object: KeyObject, KeyID: last.ID, Network: last.Elsewhere.Network, Changed: []string{"used_elsewhere"}}
}
