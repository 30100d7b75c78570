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
		f.Amount.Problem = format.ExplainAmount(f.Amount.Value, "")
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
	if v.IsDisputed() {
		v.Refused = "Nothing was done: the customer’s bank disputes this payment and has taken the money already, so a refund now would pay it twice."
		return c.Render(http.StatusConflict, templates, "order", v)
	}
	cents, ok := v.Refund.cents()
	if !ok {
		return c.Render(http.StatusUnprocessableEntity, templates, "order", v)
	}
	if most := v.RefundableCents(); cents > most {
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
	return s.money(c, &v, &v.Cancel, cases.ApproveCancel, orders.Cancel, v.RefundableCents(), data, "cancelled")
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
	done, err := s.sendMoney(c, *v.Order, *f, kind, name, cents, data, done)
	if refusal := contract.RefusalIn(err); refusal != nil {
		v.Refused, f.Request = refusal.Message, s.Ask.NewRequest()
		return c.Render(http.StatusUnprocessableEntity, templates, "order", v)
	}
	return c.Finish(err, "/orders/"+v.Quote, done)
}

// sendMoney sends one of these commands, or asks for a second operator, and says which.
func (s *Section) sendMoney(c *page.Call, o orders.Order, f moneyForm, kind cases.ApprovalKind, name contract.CommandName, cents int64, data any, done string) (string, error) {
	r := audits.Record{Action: done + " an order", Kind: "order", ID: o.Quote,
		Before: map[string]string{"status": string(o.Status), "left": format.Money(o.RefundableCents(), o.Currency)},
		After:  map[string]string{"amount": format.Money(cents, o.Currency), "why": audits.DigestText(f.Why.Value)}}
	if cents > 0 && centsGivenBack(o)+cents > s.MaxRefundCents {
		subject := quotes.SubjectOf(c, &quotescontract.Quote{Ref: o.Quote, Account: o.Account}, &o)
		return "approval", c.RequestApproval(r, subject, kind, f.Request, cents, o.Currency, data)
	}
	return done, c.Command(r, name, f.Request, o.Account, data)
}
