// Package ecb keeps the European Central Bank's reference rates at hand: it
// fetches the daily file in the background, keeps the last good one, across
// restarts too, and refuses to hand it out once it is too old to price with.
package ecb

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"boardorder/pkg/provider"
	"boardorder/services/pricing/internal/exchange"

	"github.com/shopspring/decimal"
	"go.uber.org/zap"
)

// DailyURL is where the central bank publishes its file, about 16:00 CET on
// working days.
const DailyURL = "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml"

// Why there are no rates.
var (
	ErrNone = errors.New("no exchange rates have been fetched yet")
	ErrOld  = errors.New("the exchange rates are too old")
)

// Config says where the rates come from. Only the zero value of URL and of
// File mean something by themselves; the others have defaults.
type Config struct {
	URL     string                                            // empty: DailyURL
	File    string                                            // where the last good rates are kept; empty: in memory only
	MaxAge  int                                               // days after which rates are refused; 0: 6, which spans the longest holiday
	Refresh time.Duration                                     // between fetches; 0: an hour
	Retry   time.Duration                                     // after the first failure, doubling up to Refresh; 0: 30 s
	Timeout time.Duration                                     // of one fetch; 0: 15 s
	Kept    func(ctx context.Context, r exchange.Rates) error // takes what was fetched and believed; nil: nobody
	Now     func() time.Time
	Log     *zap.Logger
}

// A Source hands out rates. It is safe for concurrent use.
type Source struct {
	cfg    Config
	client *http.Client
	meter  *provider.Meter

	mu     sync.RWMutex
	stored exchange.Rates // zero: none
}

// awayAfter is how many fetches in a row fail before it counts as away.
const awayAfter = 3

// New makes a source that has what cfg.File holds. It fetches nothing.
func New(cfg Config) (*Source, error) {
	cfg = applyDefaults(cfg)
	u, err := url.Parse(cfg.URL)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return nil, fmt.Errorf("exchange rates: %q is not an http or https address", cfg.URL)
	}
	s := &Source{cfg: cfg, meter: provider.Process.Open(provider.ExchangeRates, "ECB", awayAfter), client: &http.Client{
		Timeout:       cfg.Timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	if err := s.load(); err != nil {
		// The file is a convenience; a broken one must not stop the service.
		cfg.Log.Warn("cached exchange rates cannot be read", zap.Error(err))
	}
	return s, nil
}

func applyDefaults(cfg Config) Config {
	if cfg.URL == "" {
		cfg.URL = DailyURL
	}
	if cfg.MaxAge <= 0 {
		cfg.MaxAge = 6
	}
	if cfg.Refresh <= 0 {
		cfg.Refresh = time.Hour
	}
	if cfg.Retry <= 0 {
		cfg.Retry = 30 * time.Second
	}
	if cfg.Timeout <= 0 {
		cfg.Timeout = 15 * time.Second
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Log == nil {
		cfg.Log = zap.NewNop()
	}
	return cfg
}

// Rates returns the last good rates, or ErrNone, or ErrOld.
func (s *Source) Rates() (exchange.Rates, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.stored.Date == "" {
		return exchange.Rates{}, ErrNone
	}
	if age := s.stored.Age(s.cfg.Now()); age > s.cfg.MaxAge {
		return exchange.Rates{}, fmt.Errorf("%w: they are of %s, %d days ago", ErrOld, s.stored.Date, age)
	}
	return s.stored, nil
}

// Run fetches now and then again and again until ctx ends. A fetch that fails
// leaves the last good rates in place.
func (s *Source) Run(ctx context.Context) error {
	wait, failures := time.Duration(0), 0
	for {
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return nil
		case <-timer.C:
		}
		if err := s.Fetch(ctx); err != nil && ctx.Err() == nil {
			wait = min(s.cfg.Retry<<min(failures, 16), s.cfg.Refresh)
			if failures++; failures&(failures-1) == 0 {
				s.cfg.Log.Warn("exchange rates cannot be fetched", zap.Int("attempt", failures), zap.Error(err))
			}
		} else {
			wait, failures = s.cfg.Refresh, 0
		}
		wait += rand.N(wait/10 + 1) // so that many workers do not ask at once
	}
}

// maxFile is the largest file that is read, in bytes; the real one has 2 KB.
const maxFile = 1 << 20

// Fetch gets the file once and keeps it when it is good and not older than
// what is kept.
func (s *Source) Fetch(ctx context.Context) error {
	began := time.Now()
	err := s.fetch(ctx)
	if ctx.Err() == nil {
		now := time.Now()
		s.meter.Record(now, now.Sub(began), err == nil)
	}
	return err
}

func (s *Source) fetch(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.cfg.URL, nil)
	if err != nil {
		return fmt.Errorf("fetch exchange rates: %w", err)
	}
	res, err := s.client.Do(req)
	if err != nil {
		return fmt.Errorf("fetch exchange rates: %w", err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("fetch exchange rates: status %d", res.StatusCode)
	}
	data, err := io.ReadAll(io.LimitReader(res.Body, maxFile+1))
	if err != nil {
		return fmt.Errorf("fetch exchange rates: %w", err)
	}
	if len(data) > maxFile {
		return fmt.Errorf("fetch exchange rates: more than %d bytes", maxFile)
	}
	got, err := exchange.ParseECB(data)
	if err != nil {
		return fmt.Errorf("fetch exchange rates: %w", err)
	}
	if err := s.keep(got); err != nil || s.cfg.Kept == nil {
		return err
	}
	return s.cfg.Kept(ctx, got)
}

func (s *Source) keep(got exchange.Rates) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if age := got.Age(s.cfg.Now()); age < -1 {
		return fmt.Errorf("exchange rates: dated %s, which is still to come", got.Date)
	}
	fresh := s.stored.Date != "" && s.stored.Age(s.cfg.Now()) <= s.cfg.MaxAge
	if fresh {
		if code := jump(s.stored, got); code != "" {
			return fmt.Errorf("exchange rates: %s went from %s to %s between %s and %s, which is not believed",
				code, s.stored.PerEUR[code], got.PerEUR[code], s.stored.Date, got.Date)
		}
	}
	if got.Date < s.stored.Date {
		return nil // a cache on the way that is behind
	}
	s.stored = got
	return s.save(got)
}

// jump names a currency that more than halved or doubled: a misplaced point,
// not a market. Once the kept rates are too old themselves, nothing is
// compared any more.
func jump(old, got exchange.Rates) string {
	two := decimal.NewFromInt(2)
	for code, text := range got.PerEUR {
		before, err := decimal.NewFromString(old.PerEUR[code])
		if err != nil {
			continue // a currency that is new in the file
		}
		now, err := decimal.NewFromString(text)
		if err != nil || now.GreaterThan(before.Mul(two)) || now.Mul(two).LessThan(before) {
			return code
		}
	}
	return ""
}

func (s *Source) load() error {
	if s.cfg.File == "" {
		return nil
	}
	data, err := os.ReadFile(s.cfg.File)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var stored exchange.Rates
	if err := json.Unmarshal(data, &stored); err != nil {
		return err
	}
	if stored.Age(s.cfg.Now()) < -1 || stored.PerEUR["USD"] == "" {
		return fmt.Errorf("%s: not rates", s.cfg.File)
	}
	s.stored = stored
	return nil
}

// save replaces the file whole, so that a crash leaves the old one or the new.
func (s *Source) save(r exchange.Rates) error {
	if s.cfg.File == "" {
		return nil
	}
	data, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("keep exchange rates: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(s.cfg.File), 0o755); err != nil {
		return fmt.Errorf("keep exchange rates: %w", err)
	}
	f, err := os.CreateTemp(filepath.Dir(s.cfg.File), ".rates-*")
	if err != nil {
		return fmt.Errorf("keep exchange rates: %w", err)
	}
	defer os.Remove(f.Name())
	_, err = f.Write(data)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("keep exchange rates: %w", err)
	}
	if err := os.Rename(f.Name(), s.cfg.File); err != nil {
		return fmt.Errorf("keep exchange rates: %w", err)
	}
	return nil
}
