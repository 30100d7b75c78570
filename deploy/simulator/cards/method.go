package cards

import (
	"fmt"
	"net/http"
)

// ready makes a card out of a test token such as pm_card_visa.
func (t *tx) ready(name string) Method {
	number := testCards[name].number
	return Method{
		ID: newID("pm_"), Created: t.now.Unix(), Test: name, Last4: number[len(number)-4:],
		ExpMonth: 12, ExpYear: t.now.Year() + 3,
	}
}

func (s *Server) createMethod(t *tx, _ string, f form) (map[string]any, *apiError) {
	if bad := f.refuseUnknown("type", "card", "billing_details", "metadata"); bad != nil {
		return nil, bad
	}
	if f.Get("type") != "card" {
		return nil, invalid("type", "Only type=card is offered here.")
	}
	month, _, bad := f.integer("card[exp_month]")
	if bad != nil {
		return nil, bad
	}
	year, _, bad := f.integer("card[exp_year]")
	if bad != nil {
		return nil, bad
	}
	v, why := entered{
		Number: f.Get("card[number]"), Expiry: fmt.Sprintf("%02d/%d", month, year), CVC: f.Get("card[cvc]"),
		Email: f.Get("billing_details[email]"), Name: f.Get("billing_details[name]"),
	}.method(t.now)
	if why != nil {
		return nil, &apiError{status: http.StatusPaymentRequired, kind: "card_error", code: why.Code, decline: why.DeclineCode, message: why.Message}
	}
	v.ID, v.Created = newID("pm_"), t.now.Unix()
	t.Methods = append(t.Methods, v)
	return viewMethod(v), nil
}

func (s *Server) getMethod(id string, _ form) (map[string]any, *apiError) {
	v, ok := s.state.methods.byID[id]
	if !ok {
		return nil, missing("PaymentMethod", id)
	}
	return viewMethod(v), nil
}

// attachMethod saves a card for a customer, who agrees with that to its use
// off session.
func (s *Server) attachMethod(t *tx, id string, f form) (map[string]any, *apiError) {
	v, ok := s.state.methods.byID[id]
	if name, token := cardByToken(id); token {
		v, ok = t.ready(name), true
	}
	if !ok {
		return nil, missing("PaymentMethod", id)
	}
	if _, gone := s.customer(f.Get("customer")); gone != nil {
		return nil, missing("customer", f.Get("customer"))
	}
	if v.Customer != "" && v.Customer != f.Get("customer") {
		return nil, invalid("customer", "The payment method you provided has already been attached to a customer.")
	}
	if why := testCards[v.Test].decline; why != nil {
		return nil, &apiError{status: http.StatusPaymentRequired, kind: "card_error", code: why.Code, decline: why.DeclineCode, message: why.Message}
	}
	v.Customer = f.Get("customer")
	t.Methods = append(t.Methods, v)
	t.event("payment_method.attached", viewMethod(v))
	return viewMethod(v), nil
}

func (s *Server) detachMethod(t *tx, id string, _ form) (map[string]any, *apiError) {
	v, ok := s.state.methods.byID[id]
	if !ok {
		return nil, missing("PaymentMethod", id)
	}
	if v.Customer == "" {
		return nil, invalid("", "The payment method you provided is not attached to a customer so detachment is impossible.")
	}
	v.Customer, v.SetUp = "", false
	t.Methods = append(t.Methods, v)
	t.event("payment_method.detached", viewMethod(v))
	return viewMethod(v), nil
}
