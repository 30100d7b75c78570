package cards

import (
	"net/http"
	"strconv"
)

func (s *Server) getDispute(id string, _ form) (map[string]any, *apiError) {
	v, ok := s.state.disputes.byID[id]
	if !ok {
		return nil, missing("dispute", id)
	}
	return viewDispute(v), nil
}

func (s *Server) listDisputes(_ string, f form) (map[string]any, *apiError) {
	docs := newest(&s.state.disputes, f, map[string]func(Dispute) string{
		"payment_intent": func(v Dispute) string { return v.Intent },
		"charge":         func(v Dispute) string { return v.Charge },
	}, viewDispute)
	return paginate("/v1/disputes", docs, f)
}

// stepByHand makes a step that a person at the processor's own page makes: do stages
// it and answers what is wrong with it.
func (s *Server) stepByHand(w http.ResponseWriter, what string, do func(t *tx) string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.begin(what)
	if wrong := do(t); wrong != "" {
		http.Error(w, wrong, http.StatusConflict)
		return
	}
	if err := t.commit(); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// chargeOf finds the charge of a payment that succeeded.
func (s *Server) chargeOf(intent string) (Charge, bool) {
	ch, ok := s.state.charges.byID[s.state.intents.byID[intent].LatestCharge]
	return ch, ok && ch.Paid
}

// refundByHand gives back cents of a payment, all that is left without them.
func (s *Server) refundByHand(w http.ResponseWriter, r *http.Request) {
	s.stepByHand(w, "refund by hand", func(t *tx) string {
		ch, ok := s.chargeOf(r.PathValue("id"))
		cents, err := strconv.ParseInt(r.FormValue("cents"), 10, 64)
		if r.FormValue("cents") == "" {
			cents, err = ch.Amount-ch.Refunded, nil
		}
		if !ok || err != nil || cents < 1 || cents > ch.Amount-ch.Refunded {
			return "there is no payment of which this much can be given back"
		}
		t.refund(ch, Refund{Amount: cents})
		return ""
	})
}

// failRefund has the customer's bank send a refund back.
func (s *Server) failRefund(w http.ResponseWriter, r *http.Request) {
	s.stepByHand(w, "refund fails", func(t *tx) string {
		v, ok := s.state.refunds.byID[r.PathValue("id")]
		if !ok || v.Status == "failed" {
			return "there is no such refund, or it has failed"
		}
		ch := s.state.charges.byID[v.Charge]
		v.Status = "failed"
		ch.Refunded -= v.Amount
		t.Refunds, t.Charges = append(t.Refunds, v), append(t.Charges, ch)
		t.event("refund.failed", viewRefund(v))
		return ""
	})
}

// dispute opens a dispute of a payment, answers it with evidence, or ends it: outcome=answered, won
// or lost.
func (s *Server) dispute(w http.ResponseWriter, r *http.Request) {
	s.stepByHand(w, "dispute", func(t *tx) string {
		ch, ok := s.chargeOf(r.PathValue("id"))
		outcome := r.FormValue("outcome")
		switch {
		case !ok:
			return "there is no payment to dispute"
		case outcome == "" && !ch.Disputed:
			t.openDispute(ch, r.FormValue("reason"))
			return ""
		case outcome == "answered":
			return t.changeDispute(ch, "under_review")
		case outcome == "won" || outcome == "lost":
			return t.changeDispute(ch, outcome)
		}
		return "the payment is disputed already; outcome has to be answered, won or lost"
	})
}

func (t *tx) openDispute(ch Charge, reason string) {
	if reason == "" {
		reason = "fraudulent"
	}
	v := Dispute{
		ID: newID("dp_"), Created: t.now.Unix(), Intent: ch.Intent, Charge: ch.ID, Amount: ch.Amount - ch.Refunded,
		Currency: ch.Currency, Reason: reason, Status: "needs_response", DueBy: t.now.AddDate(0, 0, 7).Unix(),
	}
	ch.Disputed = true
	t.Disputes, t.Charges = append(t.Disputes, v), append(t.Charges, ch)
	t.event("charge.dispute.created", viewDispute(v))
	t.event("charge.dispute.funds_withdrawn", viewDispute(v))
}

func (t *tx) changeDispute(ch Charge, status string) string {
	for _, v := range t.s.state.disputes.objects() {
		if v.Charge != ch.ID || v.Status != "needs_response" && v.Status != "under_review" {
			continue
		}
		v.Status = status
		t.Disputes = append(t.Disputes, v)
		if status == "under_review" {
			t.event("charge.dispute.updated", viewDispute(v))
			return ""
		}
		if status == "won" {
			t.event("charge.dispute.funds_reinstated", viewDispute(v))
		}
		t.event("charge.dispute.closed", viewDispute(v))
		return ""
	}
	return "there is no open dispute of this payment"
}
