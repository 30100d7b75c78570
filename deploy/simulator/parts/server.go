package parts

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"boardorder/deploy/simulator/fault"
)

// The credentials that the stand-ins take.
const (
	ClientID     = "simulated-client"
	ClientSecret = "simulated-client-secret-0123456789"
	APIKey       = "simulated-search-key-0123456789"
)

// Faults of its own, beside those of any HTTP call.
const (
	FaultCurrency  = "wrong_currency" // prices in euros
	FaultNegative  = "negative_price"
	FaultRelatives = "relatives_only" // similar numbers, without the one that was asked for
	FaultQuota     = "over_quota"     // as if the day's calls were used up
	FaultToken     = "token_revoked"  // the access token is refused
	FaultTorn      = "torn"           // half of an answer
	FaultHuge      = "huge"           // an answer without end
)

// A Limit is how many calls a supplier takes.
type Limit struct{ Minute, Day int }

// Config says how the suppliers behave. The zero value has their usual limits.
type Config struct {
	DigiKey, Mouser Limit // calls; 120 and 30 a minute, 1000 a day
	NexarParts      int   // parts that the search engine gives, ever; 100,000

	TokenTTL time.Duration // of the distributor's access tokens; 10 min
	Faults   *fault.Registry
	Now      func() time.Time
}

// A Server is the stand-ins. Its handlers are mounted below one path each, which
// has to be stripped.
type Server struct {
	cfg Config

	mu       sync.Mutex
	calls    map[string][]time.Time // by supplier
	tokens   map[string]time.Time   // until when they hold
	requests map[string]int         // lookups of one number at one supplier
	parts    int                    // that the search engine gave
}

// New makes the stand-ins.
func New(cfg Config) (*Server, error) {
	if _, err := readAll(); err != nil {
		return nil, err
	}
	if cfg.DigiKey == (Limit{}) {
		cfg.DigiKey = Limit{120, 1000}
	}
	if cfg.Mouser == (Limit{}) {
		cfg.Mouser = Limit{30, 1000}
	}
	if cfg.NexarParts == 0 {
		cfg.NexarParts = 100_000
	}
	if cfg.TokenTTL == 0 {
		cfg.TokenTTL = 10 * time.Minute
	}
	if cfg.Faults == nil {
		cfg.Faults = &fault.Registry{}
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	return &Server{cfg: cfg, calls: map[string][]time.Time{}, tokens: map[string]time.Time{}, requests: map[string]int{}}, nil
}

// Catalogue is what the suppliers sell.
func (s *Server) Catalogue() *Catalogue {
	c, _ := Load() // New has read what can be wrong
	return c
}

// Lookups tells how often each number was looked up at a supplier.
func (s *Server) Lookups(supplier string) map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := map[string]int{}
	for k, n := range s.requests {
		if name, ok := strings.CutPrefix(k, supplier+"/"); ok {
			out[name] = n
		}
	}
	return out
}

// Calls tells how many calls a supplier answered.
func (s *Server) Calls(supplier string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.calls[supplier])
}

func (s *Server) ask(supplier, number string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests[supplier+"/"+key(number)]++
}

// admit counts a call; remaining is what is left of the day, and wait is how long
// to stay away when the call is refused.
func (s *Server) admit(supplier string, l Limit) (remaining int, wait time.Duration, daily bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.cfg.Now()
	minute, day := 0, 0
	var oldestMinute, oldestDay time.Time
	for _, at := range s.calls[supplier] {
		if age := now.Sub(at); age < 24*time.Hour {
			if day++; day == 1 {
				oldestDay = at
			}
			if age < time.Minute {
				if minute++; minute == 1 {
					oldestMinute = at
				}
			}
		}
	}
	switch {
	case day >= l.Day:
		return 0, oldestDay.Add(24 * time.Hour).Sub(now), true
	case minute >= l.Minute:
		return l.Day - day, oldestMinute.Add(time.Minute).Sub(now), false
	}
	s.calls[supplier] = append(s.calls[supplier], now)
	return l.Day - day - 1, 0, false
}

// token issues an access token.
func (s *Server) token(prefix string, ttl time.Duration) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := prefix + strconv.Itoa(len(s.tokens)+1)
	s.tokens[t] = s.cfg.Now().Add(ttl)
	return t
}

func (s *Server) isAuthorised(r *http.Request) bool {
	t, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	s.mu.Lock()
	defer s.mu.Unlock()
	return ok && s.tokens[t].After(s.cfg.Now())
}

// take uses up a fault of this kind for the call.
func (s *Server) take(r *http.Request, kind string) bool {
	path, _, _ := strings.Cut(r.RequestURI, "?")
	return s.cfg.Faults.Take(r.Method+" "+path, kind)
}

// spoil lets the faults happen that only spoil the answer's form.
func (s *Server) spoil(w http.ResponseWriter, r *http.Request) bool {
	switch {
	case s.take(r, FaultTorn):
		w.Header().Set("Content-Type", "application/json")
		w.Write([]byte(`{"Products":[{"Manufact`))
	case s.take(r, FaultHuge):
		w.Header().Set("Content-Type", "application/json")
		w.Write([]byte(`{"x":"`))
		blank := []byte(strings.Repeat("x", 1<<16))
		for range 512 { // 32 MB
			if _, err := w.Write(blank); err != nil {
				break
			}
		}
	default:
		return false
	}
	return true
}

func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v)
}

func decode(w http.ResponseWriter, r *http.Request, v any) bool {
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(v); err != nil {
		http.Error(w, "not JSON", http.StatusBadRequest)
		return false
	}
	return true
}

// relative is a part with a similar number, as sloppy searches give.
func (s *Server) relative(p *Part) *Part {
	at := s.Catalogue().byKey[key(p.MPN)]
	return &s.Catalogue().Parts[(at+1)%len(s.Catalogue().Parts)]
}

// sign turns a price around where that fault is asked for.
func (s *Server) sign(r *http.Request) int64 {
	if s.take(r, FaultNegative) {
		return -1
	}
	return 1
}
