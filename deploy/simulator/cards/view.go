package cards

// textOrNull writes an absent text as the processor does.
func textOrNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func metadata(m map[string]string) map[string]string {
	if m == nil {
		return map[string]string{}
	}
	return m
}

func (s *Server) viewSession(v Session) map[string]any {
	doc := map[string]any{
		"id": v.ID, "object": "checkout.session", "created": v.Created, "expires_at": v.ExpiresAt, "livemode": false,
		"mode": "payment", "status": v.Status, "payment_status": v.PaymentStatus, "ui_mode": "hosted",
		"currency": v.Currency, "amount_subtotal": v.AmountTotal, "amount_total": v.AmountTotal,
		"client_reference_id": textOrNull(v.Reference), "metadata": metadata(v.Metadata),
		"customer": textOrNull(v.Customer), "customer_email": textOrNull(v.CustomerEmail),
		"customer_creation": textOrNull(v.NewCustomer), "customer_details": nil,
		"payment_intent": textOrNull(v.Intent), "payment_method_types": []string{"card"},
		"success_url": v.SuccessURL, "cancel_url": textOrNull(v.CancelURL), "url": nil,
	}
	if v.Status == "open" {
		doc["url"] = s.PageURL(v.ID)
	}
	if v.PayerEmail != "" || v.CustomerEmail != "" {
		email := v.PayerEmail
		if email == "" {
			email = v.CustomerEmail
		}
		doc["customer_details"] = map[string]any{"email": email, "name": textOrNull(v.PayerName)}
	}
	return doc
}

func viewItem(v Item, currency string) map[string]any {
	return map[string]any{
		"id": v.ID, "object": "item", "description": v.Name, "quantity": v.Quantity, "currency": currency,
		"amount_subtotal": v.UnitCents * v.Quantity, "amount_total": v.UnitCents * v.Quantity,
		"amount_discount": 0, "amount_tax": 0,
		"price": map[string]any{"object": "price", "currency": currency, "unit_amount": v.UnitCents, "type": "one_time"},
	}
}

func (s *Server) viewIntent(v Intent) map[string]any {
	doc := map[string]any{
		"id": v.ID, "object": "payment_intent", "created": v.Created, "livemode": false, "status": v.Status,
		"amount": v.Amount, "amount_received": v.Received, "amount_capturable": 0, "currency": v.Currency,
		"customer": textOrNull(v.Customer), "payment_method": textOrNull(v.Method), "payment_method_types": []string{"card"},
		"description": textOrNull(v.Description), "receipt_email": textOrNull(v.ReceiptEmail),
		"setup_future_usage": textOrNull(v.SetupFutureUsage), "metadata": metadata(v.Metadata),
		"latest_charge": textOrNull(v.LatestCharge), "capture_method": "automatic", "confirmation_method": "automatic",
		"canceled_at": nil, "cancellation_reason": textOrNull(v.CancelReason), "last_payment_error": nil, "next_action": nil,
	}
	if v.CanceledAt != 0 {
		doc["canceled_at"] = v.CanceledAt
	}
	if v.LastError != nil {
		doc["last_payment_error"] = map[string]any{
			"type": "card_error", "code": v.LastError.Code,
			"decline_code": textOrNull(v.LastError.DeclineCode), "message": v.LastError.Message,
		}
	}
	if v.Status == "requires_action" {
		doc["next_action"] = map[string]any{
			"type":            "redirect_to_url",
			"redirect_to_url": map[string]any{"url": s.challengeURL(v.ID), "return_url": textOrNull(v.ReturnURL)},
		}
	}
	return doc
}

func viewCharge(v Charge) map[string]any {
	status := "failed"
	switch {
	case v.Paid:
		status = "succeeded"
	case v.Pending:
		status = "pending"
	}
	captured := int64(0)
	if v.Paid {
		captured = v.Amount
	}
	doc := map[string]any{
		"id": v.ID, "object": "charge", "created": v.Created, "livemode": false, "status": status,
		"amount": v.Amount, "amount_captured": captured, "amount_refunded": v.Refunded, "currency": v.Currency,
		"captured": v.Paid, "paid": v.Paid, "refunded": v.Paid && v.Refunded == v.Amount, "disputed": v.Disputed,
		"customer": textOrNull(v.Customer), "payment_intent": textOrNull(v.Intent), "payment_method": textOrNull(v.Method),
		"metadata": metadata(v.Metadata), "failure_code": nil, "failure_message": nil,
	}
	if v.Failure != nil {
		doc["failure_code"], doc["failure_message"] = v.Failure.Code, v.Failure.Message
	}
	if v.Method != "" {
		doc["payment_method_details"] = map[string]any{"type": "card", "card": viewCard(v.Card)}
	}
	return doc
}

func viewCard(m Method) map[string]any {
	return map[string]any{
		"brand": testCards[m.Test].brand, "last4": m.Last4, "exp_month": m.ExpMonth, "exp_year": m.ExpYear,
		"funding": "credit", "country": "US",
	}
}

func viewRefund(v Refund) map[string]any {
	return map[string]any{
		"id": v.ID, "object": "refund", "created": v.Created, "amount": v.Amount, "currency": v.Currency,
		"charge": v.Charge, "payment_intent": textOrNull(v.Intent), "reason": textOrNull(v.Reason), "status": v.Status,
		"metadata": metadata(v.Metadata),
	}
}

func viewDispute(v Dispute) map[string]any {
	return map[string]any{
		"id": v.ID, "object": "dispute", "created": v.Created, "livemode": false, "amount": v.Amount, "currency": v.Currency,
		"charge": v.Charge, "payment_intent": textOrNull(v.Intent), "reason": v.Reason, "status": v.Status,
		"is_charge_refundable": false, "metadata": map[string]string{},
		"evidence_details": map[string]any{"due_by": v.DueBy, "has_evidence": v.Status == "under_review", "past_due": false, "submission_count": submissions(v)},
	}
}

func submissions(v Dispute) int {
	if v.Status == "under_review" {
		return 1
	}
	return 0
}

func viewCustomer(v Customer) map[string]any {
	return map[string]any{
		"id": v.ID, "object": "customer", "created": v.Created, "livemode": false, "email": textOrNull(v.Email),
		"name": textOrNull(v.Name), "description": textOrNull(v.Description), "metadata": metadata(v.Metadata),
	}
}

func viewMethod(v Method) map[string]any {
	return map[string]any{
		"id": v.ID, "object": "payment_method", "created": v.Created, "livemode": false, "type": "card",
		"customer": textOrNull(v.Customer), "card": viewCard(v), "metadata": map[string]string{},
		"billing_details": map[string]any{"email": textOrNull(v.Email), "name": textOrNull(v.Name)},
	}
}

func viewEvent(v Event, pending int) map[string]any {
	return map[string]any{
		"id": v.ID, "object": "event", "api_version": APIVersion, "created": v.Created, "livemode": false,
		"type": v.Type, "data": map[string]any{"object": v.Object}, "pending_webhooks": pending,
		"request": map[string]any{"id": nil, "idempotency_key": textOrNull(v.Request)},
	}
}
