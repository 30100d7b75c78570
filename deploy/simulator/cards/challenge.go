package cards

import (
	"net/http"

	"go.uber.org/zap"
)

// challengeView is what the bank's page shows.
type challengeView struct {
	Intent Intent
	Last4  string
	Open   bool
	Back   string
}

func (s *Server) showChallenge(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	pi, ok := s.state.intents.byID[r.PathValue("id")]
	view := challengeView{Intent: pi, Last4: s.state.methods.byID[pi.Method].Last4, Open: pi.Status == "requires_action"}
	view.Back = s.returnURL(pi)
	s.mu.Unlock()
	if !ok {
		s.show(w, http.StatusNotFound, "gone.html", "No such payment", nil)
		return
	}
	s.show(w, http.StatusOK, "challenge.html", "Your bank", view)
}

// takeChallenge is the bank's form: action=complete or action=fail.
func (s *Server) takeChallenge(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, 1<<16)
	if err := r.ParseForm(); err != nil {
		http.Error(w, "the form could not be read", http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	pi, ok := s.state.intents.byID[r.PathValue("id")]
	if !ok {
		s.show(w, http.StatusNotFound, "gone.html", "No such payment", nil)
		return
	}
	answer, err := s.authenticate(pi, r.PostForm.Get("action") == "complete")
	if err != nil {
		s.log.Error("cannot take a challenge", zap.Error(err))
		http.Error(w, "the processor's ledger cannot be written", http.StatusInternalServerError)
		return
	}
	if answer.Redirect == "" && !wantsJSON(r) {
		answer.Redirect = s.returnURL(s.state.intents.byID[pi.ID])
	}
	if answer.Redirect == "" && !wantsJSON(r) {
		s.show(w, http.StatusOK, "challenge.html", "Your bank", challengeView{Intent: s.state.intents.byID[pi.ID]})
		return
	}
	s.respond(w, r, answer)
}

// authenticate ends the bank's challenge and, when the customer passed, tries
// to take the money.
func (s *Server) authenticate(pi Intent, passed bool) (payAnswer, error) {
	if pi.Status != "requires_action" {
		v := s.state.sessions.byID[pi.Session]
		if pi.LastError != nil && pi.Status == "requires_payment_method" {
			return refusal(*pi.LastError), nil
		}
		return answerClosed(v), nil
	}
	t := s.begin("authenticate " + pi.ID)
	m := s.state.methods.byID[pi.Method]
	how := notTaken
	if passed {
		pi, how = t.attempt(pi, m, true, true)
	} else {
		pi = t.decline(pi, m, &Decline{
			Code:    "payment_intent_authentication_failure",
			Message: "We are unable to authenticate your payment method. Please choose a different payment method and try again.",
		})
		t.Intents = append(t.Intents, pi)
	}
	answer := payAnswer{Status: "paid"}
	if v, ok := s.state.sessions.byID[pi.Session]; ok {
		_, answer = t.conclude(v, pi, how)
	} else if how == notTaken {
		answer = refusal(*pi.LastError)
	}
	return answer, t.commit()
}

func (s *Server) returnURL(pi Intent) string {
	v, ok := s.state.sessions.byID[pi.Session]
	switch {
	case !ok:
		return pi.ReturnURL
	case v.Status == "complete":
		return successURL(v)
	default:
		return s.PageURL(v.ID)
	}
}
