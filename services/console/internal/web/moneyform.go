package web

import (
	"net/http"

	"boardorder/pkg/contract"
	"boardorder/services/console/internal/plain"

	"go.uber.org/zap"
)

// moneyForm is what an operator wants of an order's payment, as it was filled in:
// an amount back, or the whole order called off.
type moneyForm struct {
	Request           string
	Amount, Why, Sure field
}

func readMoneyForm(r *http.Request) moneyForm {
	get := func(name string, most int) field { return field{Value: plain.Line(r.PostFormValue(name), most)} }
	return moneyForm{Request: r.PostFormValue("request"), Amount: get("amount", 20), Why: get("why", 300), Sure: get("sure", 4)}
}

// cents reads the amount, which has to be more than nothing.
func (f *moneyForm) cents() (int64, bool) {
	n, err := parseCents(f.Amount.Value)
	if err != nil || n <= 0 {
		f.Amount.Problem = amountHint
		return 0, false
	}
	return n, true
}

// refundOrder gives money back.
func (s *Server) refundOrder(c *call) error {
	v, err := s.orderView(c)
	if err != nil {
		return err
	}
	v.Refund = readMoneyForm(c.r)
	cents, ok := v.Refund.cents()
	if !ok {
		return c.render(http.StatusUnprocessableEntity, "order", v)
	}
	data := contract.RefundOrderData{Quote: v.Quote, Operator: c.session.Operator.Name, Cents: cents, Why: v.Refund.Why.Value}
	return s.money(c, &v, &v.Refund, contract.RefundOrder, data, "refunded")
}

// cancelOrder calls an order off.
func (s *Server) cancelOrder(c *call) error {
	v, err := s.orderView(c)
	if err != nil {
		return err
	}
	v.Cancel = readMoneyForm(c.r)
	if v.Cancel.Sure.Value != "yes" {
		v.Cancel.Sure.Problem = "Say that it is meant: this cannot be undone."
		return c.render(http.StatusUnprocessableEntity, "order", v)
	}
	data := contract.CancelOrderData{Quote: v.Quote, Operator: c.session.Operator.Name, Why: v.Cancel.Why.Value}
	return s.money(c, &v, &v.Cancel, contract.CancelOrder, data, "cancelled")
}

// money sends one of these commands. A refusal is shown on the order's page, where
// the form then asks for something new.
func (s *Server) money(c *call, v *orderView, f *moneyForm, name contract.CommandName, data any, done string) error {
	err := s.Ask.Do(c.r.Context(), name, f.Request, v.Account, data)
	c.audit(done+" an order", zap.String("order", v.Ref), zap.String("request", f.Request), outcome(err))
	if refusal := contract.AsRefusal(err); refusal != nil {
		v.Wrong, f.Request = refusal.Message, s.Ask.NewRequest()
		return c.render(http.StatusUnprocessableEntity, "order", v)
	}
	return c.done(err, "/orders/"+v.Quote, done)
}
