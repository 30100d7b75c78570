package simulator

import (
	"embed"
	"encoding/json"
	"net/http"

	"boardorder/deploy/simulator/cards"
	"boardorder/deploy/simulator/fault"
	"boardorder/deploy/simulator/page"
	"boardorder/deploy/simulator/pcbway"
	"boardorder/deploy/simulator/rates"
)

//go:embed pages/*.html
var pageFiles embed.FS

const ratesPath = rates.Path

// handler puts every stand-in below its own path, behind the faults.
func (s *Simulator) handler() (http.Handler, error) {
	var err error
	if s.pages, err = page.Parse(pageFiles, "pages"); err != nil {
		return nil, err
	}
	stands := http.NewServeMux()
	// The processor's library wants /v1 right below the host.
	stands.Handle("/v1/", s.cards)
	stands.Handle("/cards/", http.StripPrefix("/cards", s.cards))
	stands.Handle("/fab/", http.StripPrefix("/fab", s.fab))
	stands.Handle("/pcbway/", http.StripPrefix("/pcbway", pcbway.Handler()))
	stands.Handle("/parts/", http.StripPrefix("/parts", s.parts.Handler()))
	stands.Handle("/mailbox/", http.StripPrefix("/mailbox", s.mail))
	stands.Handle("/rates/", http.StripPrefix("/rates", rates.Handler(s.cfg.Now)))
	mux := http.NewServeMux()
	mux.Handle("/", s.faults.Wrap(stands))
	mux.HandleFunc("GET /{$}", s.showIndex)
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("ok\n")) })
	mux.HandleFunc("GET /_control", s.showControl)
	mux.HandleFunc("POST /_control", s.takeControl)
	return mux, nil
}

// indexView is what the index page lists.
type indexView struct {
	SMTP, Rates   string
	Mails, Paid   int
	Owed, Pending int
	Orders        int
}

func (s *Simulator) showIndex(w http.ResponseWriter, _ *http.Request) {
	view := indexView{SMTP: s.SMTPAddr(), Rates: "/rates" + ratesPath, Mails: len(s.mail.Messages(""))}
	ledger := s.cards.Ledger()
	for _, ch := range ledger.Charges {
		if ch.Paid {
			view.Paid++
		}
	}
	view.Orders = len(s.fab.Ledger().Orders)
	view.Owed, view.Pending = ledger.Owed, len(s.faults.Waiting())
	s.pages.Show(w, http.StatusOK, "index.html", page.View{Title: "The companies outside", Data: view})
}

// A control is what the control endpoint takes.
type control struct {
	Clear    bool           `json:"clear"`    // forget the faults that wait, first
	Faults   []fault.Fault  `json:"faults"`   // these happen to coming calls
	Webhooks *cards.Chaos   `json:"webhooks"` // how card events misbehave from now on
	Endpoint *webhookTarget `json:"webhook_endpoint"`
}

type webhookTarget struct {
	URL    string `json:"url"`
	Secret string `json:"secret"`
}

func (s *Simulator) takeControl(w http.ResponseWriter, r *http.Request) {
	var c control
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<16))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		http.Error(w, "not a control: "+err.Error(), http.StatusBadRequest)
		return
	}
	if c.Clear {
		s.faults.Clear()
	}
	if err := s.faults.Add(c.Faults...); err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	if c.Webhooks != nil {
		s.cards.SetChaos(*c.Webhooks)
	}
	if c.Endpoint != nil {
		s.cards.SetWebhook(c.Endpoint.URL, c.Endpoint.Secret)
	}
	s.showControl(w, r)
}

// showControl answers the faults that still wait.
func (s *Simulator) showControl(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"faults": s.faults.Waiting()})
}
