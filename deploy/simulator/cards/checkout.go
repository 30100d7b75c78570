package cards

import (
	"embed"
	"encoding/json"
	"net/http"
	"strings"

	"boardorder/deploy/simulator/page"

	"go.uber.org/zap"
)

//go:embed pages/*.html
var pageFiles embed.FS

// payView is what the hosted page shows.
type payView struct {
	Session  Session
	Problem  string
	Typed    entered
	Complete bool
	Expired  bool
	Back     string
}

// A payAnswer is what the page's form answers to a program that asks for JSON.
type payAnswer struct {
	Status      string `json:"status"` // paid, challenge, declined, processing, expired
	Redirect    string `json:"redirect,omitempty"`
	Code        string `json:"code,omitempty"`
	DeclineCode string `json:"decline_code,omitempty"`
	Message     string `json:"message,omitempty"`
}

func (s *Server) showPage(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	v, ok := s.state.sessions.byID[r.PathValue("id")]
	last := s.state.intents.byID[v.Intent].LastError
	s.mu.Unlock()
	if !ok {
		s.show(w, http.StatusNotFound, "gone.html", "No such payment", nil)
		return
	}
	view := payView{Session: v, Complete: v.Status == "complete", Expired: v.Status == "expired", Typed: entered{Email: v.CustomerEmail}}
	view.Back = successURL(v)
	if last != nil && v.Status == "open" {
		view.Problem = last.Message
	}
	s.show(w, http.StatusOK, "pay.html", "Pay", view)
}

// takeCard is the page's form: the customer pays, or tries to.
func (s *Server) takeCard(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 1<<16)
	if err := r.ParseForm(); err != nil {
		http.Error(w, "the form could not be read", http.StatusBadRequest)
		return
	}
	typed := entered{
		Number: r.PostForm.Get("number"), Expiry: r.PostForm.Get("expiry"), CVC: r.PostForm.Get("cvc"),
		Email: strings.TrimSpace(r.PostForm.Get("email")), Name: strings.TrimSpace(r.PostForm.Get("name")),
		Save: r.PostForm.Get("save") != "",
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	v, ok := s.state.sessions.byID[r.PathValue("id")]
	if !ok {
		s.show(w, http.StatusNotFound, "gone.html", "No such payment", nil)
		return
	}
	v, answer, err := s.pay(v, typed)
	if err != nil {
		s.log.Error("cannot take a payment", zap.Error(err))
		http.Error(w, "the processor's ledger cannot be written", http.StatusInternalServerError)
		return
	}
	if answer.Redirect == "" && !wantsJSON(r) {
		typed.Number, typed.CVC = "", ""
		view := payView{Session: v, Problem: answer.Message, Typed: typed, Expired: v.Status == "expired"}
		s.show(w, http.StatusPaymentRequired, "pay.html", "Pay", view)
		return
	}
	s.respond(w, r, answer)
}

// pay makes one attempt to pay an open session.
func (s *Server) pay(v Session, typed entered) (Session, payAnswer, error) {
	if v.Status != "open" {
		return v, answerClosed(v), nil
	}
	if pi, ok := s.state.intents.byID[v.Intent]; ok && pi.Status == "processing" {
		return v, payAnswer{Status: "processing", Message: "Your payment is being processed."}, nil
	}
	t := s.begin("pay " + v.ID)
	m, why := typed.method(t.now)
	if why != nil {
		return v, refusal(*why), nil
	}
	m.ID, m.Created = newID("pm_"), t.now.Unix()
	v, pi := t.intentOf(v, typed)
	pi, how := t.attempt(pi, m, true, false)
	v, answer := t.conclude(v, pi, how)
	return v, answer, t.commit()
}

// intentOf finds or makes the payment of a session, and its customer.
func (t *tx) intentOf(v Session, typed entered) (Session, Intent) {
	v.PayerEmail, v.PayerName = typed.Email, typed.Name
	if v.PayerEmail == "" {
		v.PayerEmail = v.CustomerEmail
	}
	pi, ok := t.s.state.intents.byID[v.Intent]
	if !ok {
		pi = Intent{
			ID: newID("pi_"), Created: t.now.Unix(), Status: "requires_payment_method", Amount: v.AmountTotal,
			Currency: v.Currency, Session: v.ID, Description: v.IntentData.Description,
			ReceiptEmail: v.IntentData.ReceiptEmail, Metadata: v.IntentData.Metadata,
		}
		v.Intent = pi.ID
	}
	pi.SetupFutureUsage = v.IntentData.SetupFutureUsage
	if typed.Save && pi.SetupFutureUsage == "" {
		pi.SetupFutureUsage = "on_session"
	}
	if v.Customer == "" && (v.NewCustomer == "always" || pi.SetupFutureUsage != "") {
		c := Customer{ID: newID("cus_"), Created: t.now.Unix(), Email: v.PayerEmail, Name: v.PayerName}
		t.Customers = append(t.Customers, c)
		t.event("customer.created", viewCustomer(c))
		v.Customer = c.ID
	}
	pi.Customer = v.Customer
	return v, pi
}

// conclude stages the session as the attempt leaves it.
func (t *tx) conclude(v Session, pi Intent, how result) (Session, payAnswer) {
	var answer payAnswer
	switch how {
	case taken:
		v.Status, v.PaymentStatus = "complete", "paid"
		t.event("checkout.session.completed", t.s.viewSession(v))
		answer = answerClosed(v)
	case pending:
		// As with slow payment methods: the checkout is over, the money comes later.
		v.Status = "complete"
		t.event("checkout.session.completed", t.s.viewSession(v))
		answer = payAnswer{Status: "processing", Redirect: successURL(v), Message: "Your payment is being processed."}
	case challenged:
		answer = payAnswer{Status: "challenge", Redirect: t.s.challengeURL(pi.ID)}
	case notTaken:
		answer = refusal(*pi.LastError)
	}
	t.Sessions = append(t.Sessions, v)
	return v, answer
}

func answerClosed(v Session) payAnswer {
	if v.Status == "expired" {
		return payAnswer{Status: "expired", Message: "This checkout has expired. Go back to the shop and start again."}
	}
	return payAnswer{Status: "paid", Redirect: successURL(v)}
}

func refusal(why Decline) payAnswer {
	return payAnswer{Status: "declined", Code: why.Code, DeclineCode: why.DeclineCode, Message: why.Message}
}

func successURL(v Session) string {
	return strings.ReplaceAll(v.SuccessURL, "{CHECKOUT_SESSION_ID}", v.ID)
}

func wantsJSON(r *http.Request) bool {
	return strings.Contains(r.Header.Get("Accept"), "application/json")
}

// respond answers a program in JSON, and sends a browser on its way.
func (s *Server) respond(w http.ResponseWriter, r *http.Request, a payAnswer) {
	if !wantsJSON(r) {
		http.Redirect(w, r, a.Redirect, http.StatusSeeOther)
		return
	}
	status := http.StatusPaymentRequired
	if a.Redirect != "" {
		status = http.StatusOK
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(a); err != nil {
		s.log.Warn("cannot answer", zap.Error(err))
	}
}

func (s *Server) show(w http.ResponseWriter, status int, name, title string, data any) {
	bare := name != "log.html"
	s.pages.Show(w, status, name, page.View{Title: title, Bare: bare, Data: data})
}
