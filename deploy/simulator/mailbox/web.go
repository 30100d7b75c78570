package mailbox

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"time"

	"boardorder/deploy/simulator/page"
)

func (s *Server) routes() {
	s.mux.HandleFunc("GET /{$}", s.showList)
	s.mux.HandleFunc("GET /{id}", s.showMail)
	s.mux.HandleFunc("GET /{id}/html", s.showHTML)
	s.mux.HandleFunc("GET /{id}/raw", s.showRaw)
	s.mux.HandleFunc("GET /api/messages", s.apiList)
	s.mux.HandleFunc("GET /api/messages/{id}", s.apiMail)
}

// ServeHTTP implements http.Handler for the paths below the mailbox.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

type listView struct {
	To    string
	Mails []Message
}

func (s *Server) showList(w http.ResponseWriter, r *http.Request) {
	to := r.URL.Query().Get("to")
	mails := s.Messages(to)
	slices.Reverse(mails)
	s.pages.Show(w, http.StatusOK, "list.html", page.View{Title: "Mailbox", Data: listView{to, mails}})
}

func (s *Server) showMail(w http.ResponseWriter, r *http.Request) {
	m, ok := s.findMessage(r.PathValue("id"))
	if !ok {
		http.NotFound(w, r)
		return
	}
	s.pages.Show(w, http.StatusOK, "mail.html", page.View{Title: "Mailbox", Data: m})
}

// showHTML gives the HTML part alone, with nothing in it allowed to run, load
// or leave its frame.
func (s *Server) showHTML(w http.ResponseWriter, r *http.Request) {
	m, ok := s.findMessage(r.PathValue("id"))
	if !ok {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	w.Write([]byte(m.HTML))
}

func (s *Server) showRaw(w http.ResponseWriter, r *http.Request) {
	m, ok := s.findMessage(r.PathValue("id"))
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Write(m.raw)
}

// listing is the JSON answer to a list of mails.
type listing struct {
	Messages []Message `json:"messages"`
}

const maxWait = 60 * time.Second

// apiList answers the mails to ?to=, oldest first. With wait_s (at most 60) it
// waits until there are ?min= (1) of them.
func (s *Server) apiList(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	seconds, err := number(q.Get("wait_s"), 0)
	least, err2 := number(q.Get("min"), 1)
	wait := time.Duration(seconds) * time.Second
	if err != nil || err2 != nil || wait > maxWait || wait < 0 {
		http.Error(w, "wait_s has to be 0 to 60, and min a whole number", http.StatusUnprocessableEntity)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), wait)
	defer cancel()
	writeJSON(w, listing{s.Wait(ctx, q.Get("to"), least)})
}

func (s *Server) apiMail(w http.ResponseWriter, r *http.Request) {
	m, ok := s.findMessage(r.PathValue("id"))
	if !ok {
		http.NotFound(w, r)
		return
	}
	writeJSON(w, m)
}

func number(text string, usual int) (int, error) {
	if text == "" {
		return usual, nil
	}
	return strconv.Atoi(text)
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(v)
}
