package cases

import (
	"context"
	"encoding/json"
	"fmt"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/cases"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/format"
	"boardorder/services/console/internal/states"
)

// A Request is what an operator wants and a second one has to agree to, with what that is
// decided by.
type Request struct {
	cases.Approval
	Why   string          // the operator's words to the customer
	Lines []prices.Line   // of the order that was paid, or of the price that is asked for
	Order *orders.Order   // of a refund or a cancellation
	Back  *prices.Charged // what goes back to the card, of a payment in another currency
}

// Amount is what is asked for, first as the card has it.
func (r Request) Amount() string {
	amount := format.Money(r.Cents, r.Currency)
	if r.Back != nil {
		return r.Back.Words() + ", for " + amount
	}
	return amount
}

// Total is what the lines add up to.
func (r Request) Total() int64 {
	sum := int64(0)
	for _, l := range r.Lines {
		sum += l.Cents
	}
	return sum
}

// PaysTwice tells whether it would give money back that the customer's bank has taken already.
func (r Request) PaysTwice() bool {
	return r.Kind == cases.ApproveRefund && r.Order != nil && r.Order.IsDisputed()
}

// ReadRequest reads what a request for approval about ref is decided by. What was erased with a
// customer's data is left out.
func ReadRequest(ctx context.Context, docs projection.Store, ref string, a cases.Approval) (Request, error) {
	r := Request{Approval: a}
	switch a.Kind {
	case cases.ApprovePrice:
		data, err := decode[quotes.PriceReviewData](a)
		r.Why, r.Lines = data.Note, data.CustomerLines()
		return r, err
	case cases.ApproveFormal:
		data, err := decode[formal.IssueQuoteData](a)
		r.Why = data.Note
		for i, o := range data.Options {
			label := fmt.Sprintf("Option %d: %s, %d days", i+1, untrusted.Line(o.Description+" "+o.Fabricator, 100), o.LeadTimeDays)
			r.Lines = append(r.Lines, prices.Line{Label: label, Cents: o.TotalCents})
		}
		return r, err
	}
	data, err := decode[orders.CancelData](a) // a refund has its reason in the same place
	if err != nil {
		return r, err
	}
	r.Why = data.Why
	if r.Order, err = states.Get[orders.Order](ctx, docs, contract.OrderAggregate, ref); r.Order != nil {
		r.Lines, r.Back = r.Order.Lines, r.Order.CardShare(a.Cents)
	}
	return r, err
}

// decode reads the command of a request; the zero value where it was erased.
func decode[D any](a cases.Approval) (data D, err error) {
	if len(a.Command) == 0 {
		return data, nil
	}
	if err := json.Unmarshal(a.Command, &data); err != nil {
		return data, fmt.Errorf("decode what request %s asks for: %w", a.ID, err)
	}
	return data, nil
}
