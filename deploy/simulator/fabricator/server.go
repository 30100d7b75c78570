// Package fabricator stands in for the primary fabricator: it speaks the open
// API of the real one over a ledger of its own, prices from a table of its own and
// lets orders come along by themselves.
//
// An order's state follows from the time that has passed since it came, so
// nothing runs in the background and a restart changes nothing.
package fabricator

import (
	"cmp"
	"embed"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"boardorder/deploy/simulator/fault"
	"boardorder/deploy/simulator/ledger"
	"boardorder/deploy/simulator/page"

	"go.uber.org/zap"
)

// The credentials that the stand-in takes unless configured otherwise.
const (
	AppID     = "simulated-app"
	AccessKey = "simulated-access-key"
	SecretKey = "simulated-secret-key-0123456789abc"
)

// Faults of its own, beside those of any HTTP call.
const (
	FaultNegative = "negative_price" // a price below zero
	FaultZero     = "zero_price"     // boards for nothing
	FaultSum      = "wrong_sum"      // parts that do not add up to the total
	FaultCurrency = "wrong_currency" // a price in another currency
	FaultNoWeight = "no_weight"      // boards without weight
	FaultNoShips  = "no_shipping"    // no way of shipping
	FaultServer   = "server_error"   // code 1003 in a reply of status 200, work undone
	FaultBusy     = "too_frequent"   // code 1002 in a reply of status 200, work undone
	FaultDear     = "price_doubled"  // everything costs twice as much
	FaultHuge     = "huge"           // an answer without end
	FaultTorn     = "torn"           // half of an answer
)

// Config says where the ledger lies and how fast orders come along.
type Config struct {
	Dir string // ledgers and files

	// Pace is how long an order stays in each state; 2 s unless configured. A step of
	// production takes half of it.
	Pace time.Duration

	AppID, AccessKey, SecretKey string

	Faults *fault.Registry
	Now    func() time.Time
	Log    *zap.Logger
}

// A Server is the stand-in. It is an http.Handler for everything below its
// mount point, which has to be stripped.
type Server struct {
	cfg    Config
	log    *zap.Logger
	mux    *http.ServeMux
	pages  *page.Set
	ledger *ledger.Ledger[entry]
	auth   guard

	mu       sync.Mutex
	files    map[string]File // by key
	orders   []*Order        // oldest first
	requests map[string]int  // how often each part of the library was looked up
}

//go:embed pages/*.html
var pageFiles embed.FS

// New opens the ledger.
func New(cfg Config) (*Server, error) {
	cfg.Pace = cmp.Or(cfg.Pace, 2*time.Second)
	cfg.AppID = cmp.Or(cfg.AppID, AppID)
	cfg.AccessKey = cmp.Or(cfg.AccessKey, AccessKey)
	cfg.SecretKey = cmp.Or(cfg.SecretKey, SecretKey)
	if cfg.Faults == nil {
		cfg.Faults = &fault.Registry{}
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Log == nil {
		cfg.Log = zap.NewNop()
	}
	s := &Server{cfg: cfg, log: cfg.Log, files: map[string]File{}, requests: map[string]int{}, auth: guard{seen: map[string]time.Time{}}}
	if err := os.MkdirAll(filepath.Join(cfg.Dir, "files"), 0o755); err != nil {
		return nil, fmt.Errorf("fabricator: %w", err)
	}
	var err error
	if s.pages, err = page.Parse(pageFiles, "pages"); err != nil {
		return nil, fmt.Errorf("fabricator: %w", err)
	}
	if s.ledger, err = ledger.Open(filepath.Join(cfg.Dir, "ledger.jsonl"), s.apply); err != nil {
		return nil, fmt.Errorf("fabricator: %w", err)
	}
	s.routes()
	return s, nil
}

// Close closes the ledger.
func (s *Server) Close() error { return s.ledger.Close() }

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

const apiRoot = "/overseas/openapi/"

func (s *Server) routes() {
	s.mux = http.NewServeMux()
	s.mux.HandleFunc("POST "+apiRoot+"pcb/uploadGerber", s.upload)
	api := map[string]func(*call) (any, error){
		"pcb/calculate":                       s.calculate,
		"pcb/create":                          s.create,
		"pcb/order/detail":                    s.detail,
		"pcb/wip/get":                         s.wip,
		"pcb/audit/get":                       s.audit,
		"pcb/getImpedanceTemplateSettingList": s.stackups,
		"component/getComponentDetailByCode":  s.components,
		"component/getComponentInfos":         s.componentList,
	}
	for path, f := range api {
		s.mux.HandleFunc("POST "+apiRoot+path, s.api(f))
	}
	s.mux.HandleFunc(apiRoot, func(w http.ResponseWriter, _ *http.Request) { reply(w, refuse(1004), nil) })
	s.mux.HandleFunc("GET /{$}", s.showOrders)
	s.mux.HandleFunc("GET /ledger", s.showLedger)
	s.mux.HandleFunc("POST /orders/{id}/cancel", s.cancel)
}

// An entry is one line of the ledger: exactly one of its parts.
type entry struct {
	File   *File   `json:"file,omitempty"`
	Order  *Order  `json:"order,omitempty"`
	Cancel *Cancel `json:"cancel,omitempty"`
}

// A File is a set of design files that was uploaded.
type File struct {
	Key    string    `json:"key"`
	Name   string    `json:"name"`
	Size   int64     `json:"size"`
	Digest string    `json:"sha256"`
	At     time.Time `json:"at"`
}

// Cancel stops an order.
type Cancel struct {
	Order  string    `json:"order"`
	Reason string    `json:"reason"`
	At     time.Time `json:"at"`
}

// apply puts an entry into memory; the caller holds the lock or is alone.
func (s *Server) apply(e entry) error {
	switch {
	case e.File != nil:
		s.files[e.File.Key] = *e.File
	case e.Order != nil:
		s.orders = append(s.orders, e.Order)
	case e.Cancel != nil:
		for _, o := range s.orders {
			if o.ID == e.Cancel.Order && o.Cancelled == nil {
				o.Cancelled = e.Cancel
			}
		}
	}
	return nil
}

// write records an entry and only then lets it count.
func (s *Server) write(e entry) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.ledger.Append(e); err != nil {
		return err
	}
	return s.apply(e)
}
