package cards

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"boardorder/deploy/simulator/fault"
	"boardorder/deploy/simulator/ledger"
	"boardorder/deploy/simulator/page"

	"go.uber.org/zap"
)

// APIVersion is the version of the processor's API that is spoken here.
const APIVersion = "2026-03-25.dahlia"

// Config says where the processor keeps its ledger and whom it notifies.
type Config struct {
	Dir           string          // holds cards.jsonl and webhooks.jsonl
	BaseURL       func() string   // where this handler is mounted, as a browser reaches it
	APIKey        string          // the only key taken; empty takes any sk_test_ or rk_test_ key
	WebhookURL    string          // empty: events wait until SetWebhook
	WebhookSecret string          // signs the webhooks
	RetryDelays   []time.Duration // between webhook attempts; the last one repeats; nil: 1 s, 2 s, 5 s … 1 h
	Now           func() time.Time
	Faults        *fault.Registry
	Log           *zap.Logger
}

// A Server is the card processor. It is an http.Handler for the paths below
// its base URL: /v1/ is the API, /pay/ the hosted page, / the operator's log.
type Server struct {
	cfg    Config
	log    *zap.Logger
	now    func() time.Time
	mux    *http.ServeMux
	ledger *ledger.Ledger[entry]
	outbox *outbox
	pages  *page.Set

	mu    sync.Mutex
	state state
	open  map[string]int64 // sessions that can still expire, and when
	wake  chan struct{}    // an earlier expiry is known
}

// New opens the ledger in cfg.Dir and takes up where it ends.
func New(cfg Config) (*Server, error) {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Log == nil {
		cfg.Log = zap.NewNop()
	}
	if cfg.Faults == nil {
		cfg.Faults = &fault.Registry{}
	}
	s := &Server{
		cfg: cfg, log: cfg.Log, now: cfg.Now, mux: http.NewServeMux(), open: map[string]int64{},
		wake: make(chan struct{}, 1), state: state{replies: map[string]reply{}},
	}
	var err error
	if s.pages, err = page.Parse(pageFiles, "pages"); err != nil {
		return nil, fmt.Errorf("card processor: %w", err)
	}
	s.ledger, err = ledger.Open(filepath.Join(cfg.Dir, "cards.jsonl"), func(e entry) error {
		s.state.apply(e)
		for _, v := range e.Sessions {
			s.noteExpiry(v)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("card processor: %w", err)
	}
	s.outbox, err = openOutbox(cfg, s.state.events.objects())
	if err != nil {
		s.ledger.Close()
		return nil, fmt.Errorf("card processor: %w", err)
	}
	s.routes()
	return s, nil
}

// Run sends the webhooks and expires old sessions until ctx ends.
func (s *Server) Run(ctx context.Context) error {
	var wg sync.WaitGroup
	wg.Go(func() { s.outbox.run(ctx) })
	wg.Go(func() { s.expireSessions(ctx) })
	wg.Wait()
	return nil
}

// Close closes the ledger. Call it after Run has returned.
func (s *Server) Close() error {
	err := s.ledger.Close()
	if e := s.outbox.ledger.Close(); err == nil {
		err = e
	}
	return err
}

// SetWebhook says where events go from now on; what is owed goes there at once.
func (s *Server) SetWebhook(url, secret string) { s.outbox.point(url, secret) }

// SetChaos changes how webhooks misbehave.
func (s *Server) SetChaos(c Chaos) { s.outbox.setChaos(c) }

// PageURL is where the customer pays a session.
func (s *Server) PageURL(session string) string { return s.base() + "/pay/" + session }

func (s *Server) challengeURL(intent string) string { return s.base() + "/challenge/" + intent }

func (s *Server) base() string {
	if s.cfg.BaseURL == nil {
		return ""
	}
	return strings.TrimSuffix(s.cfg.BaseURL(), "/")
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

func (s *Server) routes() {
	for pattern, h := range map[string]writer{
		"POST /v1/checkout/sessions":             s.createSession,
		"POST /v1/checkout/sessions/{id}":        s.updateSession,
		"POST /v1/checkout/sessions/{id}/expire": s.expireSession,
		"POST /v1/payment_intents":               s.createIntent,
		"POST /v1/payment_intents/{id}":          s.updateIntent,
		"POST /v1/payment_intents/{id}/confirm":  s.confirmIntent,
		"POST /v1/payment_intents/{id}/cancel":   s.cancelIntent,
		"POST /v1/customers":                     s.createCustomer,
		"POST /v1/customers/{id}":                s.updateCustomer,
		"DELETE /v1/customers/{id}":              s.deleteCustomer,
		"POST /v1/payment_methods":               s.createMethod,
		"POST /v1/payment_methods/{id}/attach":   s.attachMethod,
		"POST /v1/payment_methods/{id}/detach":   s.detachMethod,
		"POST /v1/refunds":                       s.createRefund,
	} {
		s.mux.HandleFunc(pattern, s.write(h))
	}
	for pattern, h := range map[string]reader{
		"GET /v1/checkout/sessions":                 s.listSessions,
		"GET /v1/checkout/sessions/{id}":            s.getSession,
		"GET /v1/checkout/sessions/{id}/line_items": s.listItems,
		"GET /v1/payment_intents":                   s.listIntents,
		"GET /v1/payment_intents/search":            s.searchIntents,
		"GET /v1/payment_intents/{id}":              s.getIntent,
		"GET /v1/customers":                         s.listCustomers,
		"GET /v1/customers/{id}":                    s.getCustomer,
		"GET /v1/customers/{id}/payment_methods":    s.listCustomerMethods,
		"GET /v1/payment_methods":                   s.listMethods,
		"GET /v1/payment_methods/{id}":              s.getMethod,
		"GET /v1/charges":                           s.listCharges,
		"GET /v1/charges/{id}":                      s.getCharge,
		"GET /v1/refunds":                           s.listRefunds,
		"GET /v1/refunds/{id}":                      s.getRefund,
		"GET /v1/disputes":                          s.listDisputes,
		"GET /v1/disputes/{id}":                     s.getDispute,
		"GET /v1/events":                            s.listEvents,
		"GET /v1/events/{id}":                       s.getEvent,
	} {
		s.mux.HandleFunc(pattern, s.read(h))
	}
	s.mux.HandleFunc("/v1/", s.read(func(_ string, _ form) (map[string]any, *apiError) {
		return nil, &apiError{status: http.StatusNotFound, kind: "invalid_request_error", message: "Unrecognized request URL."}
	}))
	s.mux.HandleFunc("GET /pay/{id}", s.showPage)
	s.mux.HandleFunc("POST /pay/{id}", s.takeCard)
	s.mux.HandleFunc("GET /challenge/{id}", s.showChallenge)
	s.mux.HandleFunc("POST /challenge/{id}", s.takeChallenge)
	s.mux.HandleFunc("GET /ledger", s.showLedger)
	s.mux.HandleFunc("POST /settle/{id}", s.settle)
	s.mux.HandleFunc("POST /refund/{id}", s.refundByHand)
	s.mux.HandleFunc("POST /refund/{id}/fail", s.failRefund)
	s.mux.HandleFunc("POST /dispute/{id}", s.dispute)
	s.mux.HandleFunc("GET /{$}", s.showLog)
}
