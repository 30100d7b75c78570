package orders

import (
	"net/http"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/cases"
	"boardorder/pkg/contract/orders"
	quotescontract "boardorder/pkg/contract/quotes"
	"boardorder/services/console/internal/format"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/pages/quotes"
)

// moneyForm is what an operator wants of an order's payment, as it was filled in:
// an amount back, or the whole order called off.
type moneyForm struct {
	Request           string
	Amount, Why, Sure page.Field
}

func readMoneyForm(r *http.Request) moneyForm {
	get := func(name string, most int) page.Field {
		return page.Field{Value: untrusted.Line(r.PostFormValue(name), most)}
	}
	return moneyForm{Request: r.PostFormValue("request"), Amount: get("amount", 20), Why: get("why", 300), Sure: get("sure", 4)}
}

// cents reads the amount, which has to be more than nothing.
func (f *moneyForm) cents() (int64, bool) {
	n, err := format.ParseCents(f.Amount.Value)
	if err != nil || n <= 0 {
		f.Amount.Problem = format.AmountHint
		return 0, false
	}
	return n, true
}

// Refund gives money back.
func (s *Section) Refund(c *page.Call) error {
	v, err := s.orderView(c)
	if err != nil {
		return err
	}
	v.Refund = readMoneyForm(c.R)
	cents, ok := v.Refund.cents()
	if !ok {
		return c.Render(http.StatusUnprocessableEntity, templates, "order", v)
	}
	if most := centsLeft(*v.Order); cents > most {
		v.Refund.Amount.Problem = "Of this payment less is left: " + format.Money(most, v.Currency) + "."
		return c.Render(http.StatusUnprocessableEntity, templates, "order", v)
	}
	data := orders.IssueRefundData{Quote: v.Quote, Operator: c.Session.Operator.Name, Cents: cents, Why: v.Refund.Why.Value}
	return s.money(c, &v, &v.Refund, cases.ApproveRefund, orders.IssueRefund, cents, data, "refunded")
}

// Cancel calls an order off.
func (s *Section) Cancel(c *page.Call) error {
	v, err := s.orderView(c)
	if err != nil {
		return err
	}
	v.Cancel = readMoneyForm(c.R)
	if v.Cancel.Sure.Value != "yes" {
		v.Cancel.Sure.Problem = "Please confirm: this cannot be undone."
		return c.Render(http.StatusUnprocessableEntity, templates, "order", v)
	}
	data := orders.CancelData{Quote: v.Quote, Operator: c.Session.Operator.Name, Why: v.Cancel.Why.Value}
	return s.money(c, &v, &v.Cancel, cases.ApproveCancel, orders.Cancel, centsLeft(*v.Order), data, "cancelled")
}

// centsLeft is what of an order's payment has not gone back, nor is about to.
func centsLeft(o orders.Order) int64 {
	n := o.Payment.Cents
	for _, r := range o.Refunds {
		if r.Status != orders.RefundFailed {
			n -= r.Cents
		}
	}
	return max(n, 0)
}

// centsGivenBack is what operators have given back of an order, or are about to, each alone.
func centsGivenBack(o orders.Order) (n int64) {
	for _, r := range o.Refunds {
		if r.Operator != "" && !cases.IsPair(r.Operator) && r.Status != orders.RefundFailed {
			n += r.Cents
		}
	}
	return n
}

// money sends one of these commands, or has another operator approve it first
// where it is about more than one may give back alone of an order, in one refund or in
// several. A refusal is shown on the order's page, where the form then asks for
// something new.
func (s *Section) money(c *page.Call, v *orderView, f *moneyForm, kind cases.ApprovalKind, name contract.CommandName, cents int64, data any, done string) error {
	r := audits.Record{Action: done + " an order", Kind: "order", ID: v.Quote,
		Before: map[string]string{"status": string(v.Status), "left": format.Money(centsLeft(*v.Order), v.Currency)},
		After:  map[string]string{"amount": format.Money(cents, v.Currency), "why": audits.DigestText(f.Why.Value)}}
	var err error
	if cents > 0 && centsGivenBack(*v.Order)+cents > s.MaxRefundCents {
		done = "approval"
		err = c.RequestApproval(r, quotes.SubjectOf(c, &quotescontract.Quote{Ref: v.Quote, Account: v.Account}, v.Order), kind, f.Request, cents, v.Currency, data)
	} else {
		err = c.Command(r, name, f.Request, v.Account, data)
	}
	if refusal := contract.RefusalIn(err); refusal != nil {
		v.Wrong, f.Request = refusal.Message, s.Ask.NewRequest()
		return c.Render(http.StatusUnprocessableEntity, templates, "order", v)
	}
	return c.Finish(err, "/orders/"+v.Quote, done)
}
