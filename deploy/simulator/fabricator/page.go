package fabricator

import (
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"boardorder/deploy/simulator/page"

	"go.uber.org/zap"
)

// Ledger is everything that the fabricator knows, oldest first.
type Ledger struct {
	Orders []OrderState `json:"orders"`
	Files  int          `json:"files"`
}

// An OrderState is an order and how far it has come.
type OrderState struct {
	Order
	State    string    `json:"state"`
	Step     string    `json:"step,omitempty"` // of production, the last that began
	Tracking string    `json:"tracking,omitempty"`
	Ships    time.Time `json:"ships"`
}

// Ledger returns a copy of the ledger as it is now.
func (s *Server) Ledger() Ledger {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.cfg.Now()
	b := Ledger{Files: len(s.files), Orders: []OrderState{}}
	for _, o := range s.orders {
		st := OrderState{Order: *o, State: stateNames[o.state(now, s.cfg.Pace)], Ships: o.shipmentTime(s.cfg.Pace)}
		switch o.state(now, s.cfg.Pace) {
		case producing:
			ps := o.progress(now, s.cfg.Pace)
			st.Step, _ = ps[len(ps)-1]["technicsProcessName"].(string)
		case shipped:
			st.Tracking = o.tracking()
		}
		b.Orders = append(b.Orders, st)
	}
	return b
}

func (s *Server) showLedger(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(s.Ledger()); err != nil {
		s.log.Warn("the ledger cannot be shown", zap.Error(err))
	}
}

// shown is how many orders the page lists.
const shown = 200

func (s *Server) showOrders(w http.ResponseWriter, _ *http.Request) {
	b := s.Ledger()
	slices.Reverse(b.Orders)
	total := len(b.Orders)
	b.Orders = b.Orders[:min(shown, total)]
	s.pages.Show(w, http.StatusOK, "orders.html", page.View{Title: "Fabricator", Data: struct {
		Ledger
		Total int
		Pace  string
	}{b, total, s.cfg.Pace.String()}})
}

// cancel stops an order that has not shipped.
func (s *Server) cancel(w http.ResponseWriter, r *http.Request) {
	id, reason := r.PathValue("id"), r.FormValue("reason")
	for _, o := range s.Ledger().Orders {
		if o.ID != id {
			continue
		}
		if o.State == stateNames[shipped] {
			http.Error(w, "it has shipped", http.StatusConflict)
			return
		}
		if reason == "" {
			reason = "cancelled by hand"
		}
		if err := s.write(entry{Cancel: &Cancel{Order: id, Reason: reason, At: s.cfg.Now().UTC()}}); err != nil {
			s.log.Error("cancel failed", zap.Error(err))
			http.Error(w, "the ledger cannot be written", http.StatusInternalServerError)
			return
		}
		// By hand: http.Redirect would lose the prefix that was stripped.
		w.Header().Set("Location", "../../")
		w.WriteHeader(http.StatusSeeOther)
		return
	}
	http.NotFound(w, r)
}
