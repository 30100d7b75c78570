package cards

import (
	"encoding/json"
	"net/http"
	"slices"

	"go.uber.org/zap"
)

// Ledger is everything that the processor knows, oldest first.
type Ledger struct {
	Sessions   []Session
	Intents    []Intent
	Charges    []Charge
	Refunds    []Refund
	Disputes   []Dispute
	Customers  []Customer
	Methods    []Method
	Events     []Event
	Deliveries []Delivery
	Owed       int // events that the webhook endpoint has not taken yet
}

// Ledger returns a copy of the ledger as it is now.
func (s *Server) Ledger() Ledger {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := Ledger{
		Sessions: s.state.sessions.objects(), Intents: s.state.intents.objects(), Charges: s.state.charges.objects(),
		Refunds: s.state.refunds.objects(), Disputes: s.state.disputes.objects(), Customers: s.state.customers.objects(), Methods: s.state.methods.objects(),
		Events: s.state.events.objects(), Deliveries: s.outbox.deliveries(),
	}
	for _, e := range b.Events {
		if s.outbox.owes(e.ID) {
			b.Owed++
		}
	}
	return b
}

// showLedger answers the ledger in JSON.
func (s *Server) showLedger(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(s.Ledger()); err != nil {
		s.log.Warn("the ledger cannot be shown", zap.Error(err))
	}
}

// logView is what the operator's page shows: the newest of everything.
type logView struct {
	Charges    []Charge
	Refunds    []Refund
	Sessions   []Session
	Deliveries []Delivery
	Types      map[string]string // an event's type by its id
	Owed       int
	Taken      int64 // cents taken less cents given back, in dollars
	Paid       int
}

const logRows = 50

func (s *Server) showLog(w http.ResponseWriter, _ *http.Request) {
	b := s.Ledger()
	view := logView{
		Charges: newestRows(b.Charges), Refunds: newestRows(b.Refunds), Sessions: newestRows(b.Sessions),
		Deliveries: newestRows(b.Deliveries), Owed: b.Owed, Types: map[string]string{},
	}
	for _, e := range b.Events {
		view.Types[e.ID] = e.Type
	}
	for _, ch := range b.Charges {
		if ch.Paid && ch.Currency == "usd" {
			view.Taken += ch.Amount - ch.Refunded
		}
		if ch.Paid {
			view.Paid++
		}
	}
	s.show(w, http.StatusOK, "log.html", "Card processor", view)
}

// newestRows returns the newest rows, newest first.
func newestRows[T any](all []T) []T {
	out := slices.Clone(all[max(0, len(all)-logRows):])
	slices.Reverse(out)
	return out
}

// settle ends a payment that was left processing: outcome=succeeded or failed.
func (s *Server) settle(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	pi, ok := s.state.intents.byID[r.PathValue("id")]
	outcome := r.FormValue("outcome")
	switch {
	case !ok:
		http.Error(w, "no such payment", http.StatusNotFound)
		return
	case pi.Status != "processing" || outcome != "succeeded" && outcome != "failed":
		http.Error(w, "the payment is "+pi.Status+"; outcome has to be succeeded or failed", http.StatusConflict)
		return
	}
	t := s.begin("settle " + pi.ID)
	pi = t.resolve(pi, outcome == "succeeded")
	if v, ok := s.state.sessions.byID[pi.Session]; ok {
		kind := "checkout.session.async_payment_failed"
		if outcome == "succeeded" {
			v.PaymentStatus, kind = "paid", "checkout.session.async_payment_succeeded"
		}
		t.Sessions = append(t.Sessions, v)
		t.event(kind, s.viewSession(v))
	}
	if err := t.commit(); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}
