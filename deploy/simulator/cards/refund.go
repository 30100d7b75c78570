package cards

import "net/http"

func (s *Server) createRefund(t *tx, _ string, f form) (map[string]any, *apiError) {
	if bad := f.refuseUnknown("payment_intent", "charge", "amount", "reason", "metadata"); bad != nil {
		return nil, bad
	}
	ch, bad := s.refundable(f)
	if bad != nil {
		return nil, bad
	}
	left := ch.Amount - ch.Refunded
	amount, given, bad := f.integer("amount")
	if bad != nil {
		return nil, bad
	}
	if !given {
		amount = left
	}
	switch {
	case ch.Disputed:
		return nil, invalidCode("charge_disputed", "", "Charge %s has been charged back.", ch.ID)
	case left == 0:
		return nil, invalidCode("charge_already_refunded", "", "Charge %s has already been refunded.", ch.ID)
	case ch.Currency == "isk" && amount%100 != 0:
		return nil, invalidCode("parameter_invalid_integer", "amount", "Amounts in ISK must be whole krónur, in hundredths.")
	case amount < 1:
		return nil, invalidCode("parameter_invalid_integer", "amount", "Invalid positive integer")
	case amount > left:
		return nil, invalidCode("amount_too_large", "amount", "Refund amount (%d) is greater than unrefunded amount on charge (%d)", amount, left)
	}
	data, bad := f.metadata("metadata")
	if bad != nil {
		return nil, bad
	}
	return viewRefund(t.refund(ch, Refund{Amount: amount, Reason: f.Get("reason"), Metadata: data})), nil
}

// refund stages a refund of a charge.
func (t *tx) refund(ch Charge, v Refund) Refund {
	v.ID, v.Created, v.Status = newID("re_"), t.now.Unix(), "succeeded"
	v.Intent, v.Charge, v.Currency = ch.Intent, ch.ID, ch.Currency
	ch.Refunded += v.Amount
	t.Refunds, t.Charges = append(t.Refunds, v), append(t.Charges, ch)
	t.event("refund.created", viewRefund(v))
	t.event("charge.refunded", viewCharge(ch))
	return v
}

// refundable finds the charge that was paid.
func (s *Server) refundable(f form) (Charge, *apiError) {
	id := f.Get("charge")
	if intent := f.Get("payment_intent"); intent != "" {
		pi, ok := s.state.intents.byID[intent]
		if !ok {
			bad := missing("payment_intent", intent)
			bad.param = "payment_intent"
			return Charge{}, bad
		}
		id = pi.LatestCharge
	}
	ch, ok := s.state.charges.byID[id]
	if !ok && id != "" {
		return Charge{}, missing("charge", id)
	}
	if !ok || !ch.Paid {
		return Charge{}, &apiError{
			status: http.StatusBadRequest, kind: "invalid_request_error",
			message: "This PaymentIntent does not have a successful charge to refund.",
		}
	}
	return ch, nil
}

func (s *Server) getRefund(id string, _ form) (map[string]any, *apiError) {
	v, ok := s.state.refunds.byID[id]
	if !ok {
		return nil, missing("refund", id)
	}
	return viewRefund(v), nil
}

func (s *Server) listRefunds(_ string, f form) (map[string]any, *apiError) {
	docs := newest(&s.state.refunds, f, map[string]func(Refund) string{
		"payment_intent": func(v Refund) string { return v.Intent },
		"charge":         func(v Refund) string { return v.Charge },
	}, viewRefund)
	return paginate("/v1/refunds", docs, f)
}

func (s *Server) getCharge(id string, _ form) (map[string]any, *apiError) {
	v, ok := s.state.charges.byID[id]
	if !ok {
		return nil, missing("charge", id)
	}
	return viewCharge(v), nil
}

func (s *Server) listCharges(_ string, f form) (map[string]any, *apiError) {
	docs := newest(&s.state.charges, f, map[string]func(Charge) string{
		"payment_intent": func(v Charge) string { return v.Intent },
		"customer":       func(v Charge) string { return v.Customer },
	}, viewCharge)
	return paginate("/v1/charges", docs, f)
}

func (s *Server) getEvent(id string, _ form) (map[string]any, *apiError) {
	v, ok := s.state.events.byID[id]
	if !ok {
		return nil, missing("event", id)
	}
	return s.viewEvent(v), nil
}

func (s *Server) viewEvent(v Event) map[string]any {
	owed := 0
	if s.outbox.owes(v.ID) {
		owed = 1
	}
	return viewEvent(v, owed)
}

func (s *Server) listEvents(_ string, f form) (map[string]any, *apiError) {
	docs := newest(&s.state.events, f, map[string]func(Event) string{
		"type": func(v Event) string { return v.Type },
	}, s.viewEvent)
	return paginate("/v1/events", docs, f)
}
