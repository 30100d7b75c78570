package cards

import "net/http"

var intentParams = []string{
	"amount", "currency", "customer", "payment_method", "payment_method_types", "automatic_payment_methods",
	"confirm", "off_session", "error_on_requires_action", "description", "receipt_email", "metadata",
	"setup_future_usage", "return_url", "statement_descriptor", "statement_descriptor_suffix", "shipping",
}

func (s *Server) createIntent(t *tx, _ string, f form) (map[string]any, *apiError) {
	if bad := f.refuseUnknown(intentParams...); bad != nil {
		return nil, bad
	}
	if bad := f.require("amount", "currency"); bad != nil {
		return nil, bad
	}
	v, bad := s.newIntent(t, f)
	if bad != nil {
		return nil, bad
	}
	if !f.flag("confirm") {
		if f.Has("off_session") {
			return nil, invalid("off_session", "off_session can only be used when confirm is true.")
		}
		t.Intents = append(t.Intents, v)
		t.event("payment_intent.created", s.viewIntent(v))
		return s.viewIntent(v), nil
	}
	return s.confirm(t, v, f)
}

func (s *Server) newIntent(t *tx, f form) (Intent, *apiError) {
	amount, _, bad := f.integer("amount")
	if bad != nil {
		return Intent{}, bad
	}
	currency, bad := f.currency("currency")
	if bad != nil {
		return Intent{}, bad
	}
	if bad := checkAmount("amount", amount, currency); bad != nil {
		return Intent{}, bad
	}
	data, bad := f.metadata("metadata")
	if bad != nil {
		return Intent{}, bad
	}
	v := Intent{
		ID: newID("pi_"), Created: t.now.Unix(), Status: "requires_payment_method", Amount: amount, Currency: currency,
		Customer: f.Get("customer"), Method: f.Get("payment_method"), Description: f.Get("description"),
		ReceiptEmail: f.Get("receipt_email"), SetupFutureUsage: f.Get("setup_future_usage"), Metadata: data,
	}
	if _, gone := s.customer(v.Customer); v.Customer != "" && gone != nil {
		bad := missing("customer", v.Customer)
		bad.status, bad.param = http.StatusBadRequest, "customer"
		return Intent{}, bad
	}
	if v.Method != "" {
		v.Status = "requires_confirmation"
	}
	return v, nil
}

// confirm tries to take the intent's money.
func (s *Server) confirm(t *tx, v Intent, f form) (map[string]any, *apiError) {
	if f.Has("payment_method") {
		v.Method = f.Get("payment_method")
	}
	v.ReturnURL, v.OffSession = f.Get("return_url"), f.flag("off_session")
	m, bad := s.usable(t, v)
	if bad != nil {
		return nil, bad
	}
	present := !v.OffSession
	if how, _ := verdict(m, present, false); how == challenged && f.flag("error_on_requires_action") {
		present = false
	}
	v, how := t.attempt(v, m, present, false)
	if how == notTaken {
		return nil, cardError(*v.LastError, s.viewIntent(v))
	}
	return s.viewIntent(v), nil
}

// usable finds the card that pays: one saved by the intent's customer, one
// that nobody has saved, or a ready-made test card.
func (s *Server) usable(t *tx, v Intent) (Method, *apiError) {
	if v.Method == "" {
		return Method{}, invalidCode("payment_intent_unexpected_state", "payment_method", "You cannot confirm this PaymentIntent because it's missing a payment method.")
	}
	if name, ok := cardByToken(v.Method); ok {
		return t.ready(name), nil
	}
	m, ok := s.state.methods.byID[v.Method]
	if !ok {
		bad := missing("PaymentMethod", v.Method)
		bad.status, bad.param = http.StatusBadRequest, "payment_method"
		return Method{}, bad
	}
	if m.Gone || m.Customer != v.Customer && (m.Customer != "" || v.OffSession) {
		return Method{}, invalid("payment_method", "The provided PaymentMethod cannot be used: it does not belong to this Customer.")
	}
	return m, nil
}

func (s *Server) getIntent(id string, _ form) (map[string]any, *apiError) {
	v, ok := s.state.intents.byID[id]
	if !ok {
		return nil, missing("payment_intent", id)
	}
	return s.viewIntent(v), nil
}

func (s *Server) updateIntent(t *tx, id string, f form) (map[string]any, *apiError) {
	v, ok := s.state.intents.byID[id]
	if !ok {
		return nil, missing("payment_intent", id)
	}
	if bad := f.refuseUnknown("metadata", "description", "receipt_email"); bad != nil {
		return nil, bad
	}
	added, bad := f.metadata("metadata")
	if bad != nil {
		return nil, bad
	}
	v.Metadata = merge(v.Metadata, added)
	if f.Has("description") {
		v.Description = f.Get("description")
	}
	if f.Has("receipt_email") {
		v.ReceiptEmail = f.Get("receipt_email")
	}
	t.Intents = append(t.Intents, v)
	return s.viewIntent(v), nil
}

func (s *Server) confirmIntent(t *tx, id string, f form) (map[string]any, *apiError) {
	v, ok := s.state.intents.byID[id]
	if !ok {
		return nil, missing("payment_intent", id)
	}
	if bad := f.refuseUnknown(intentParams...); bad != nil {
		return nil, bad
	}
	switch v.Status {
	case "requires_payment_method", "requires_confirmation", "requires_action":
		return s.confirm(t, v, f)
	default:
		return nil, stateError(v, "confirm")
	}
}

func stateError(v Intent, verb string) *apiError {
	return invalidCode("payment_intent_unexpected_state", "",
		"You cannot %s this PaymentIntent because it has a status of %s.", verb, v.Status)
}

func cancelable(status string) bool {
	switch status {
	case "requires_payment_method", "requires_confirmation", "requires_action":
		return true
	default:
		return false
	}
}

func (s *Server) cancelIntent(t *tx, id string, f form) (map[string]any, *apiError) {
	v, ok := s.state.intents.byID[id]
	if !ok {
		return nil, missing("payment_intent", id)
	}
	if !cancelable(v.Status) {
		return nil, stateError(v, "cancel")
	}
	if x := s.state.sessions.byID[v.Session]; x.Status == "open" {
		return nil, stateError(v, "cancel")
	}
	return s.viewIntent(t.cancel(v, f.Get("cancellation_reason"))), nil
}

func (t *tx) cancel(v Intent, why string) Intent {
	v.Status, v.CanceledAt, v.CancelReason = "canceled", t.now.Unix(), why
	t.Intents = append(t.Intents, v)
	t.event("payment_intent.canceled", t.s.viewIntent(v))
	return v
}

func (s *Server) listIntents(_ string, f form) (map[string]any, *apiError) {
	docs := newest(&s.state.intents, f, map[string]func(Intent) string{
		"customer": func(v Intent) string { return v.Customer },
	}, s.viewIntent)
	return paginate("/v1/payment_intents", docs, f)
}
