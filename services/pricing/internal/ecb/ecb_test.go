package ecb_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"boardorder/deploy/simulator/fault"
	"boardorder/deploy/simulator/rates"
	"boardorder/services/pricing/internal/ecb"
	"boardorder/services/pricing/internal/exchange"

	"github.com/google/go-cmp/cmp"
)

var friday = time.Date(2026, 11, 20, 17, 0, 0, 0, time.UTC)

// bank is the central bank's stand-in, with a clock of its own.
type bank struct {
	*httptest.Server
	faults fault.Registry
	today  atomic.Int64 // Unix seconds
}

func open(t *testing.T) *bank {
	t.Helper()
	b := &bank{}
	b.set(friday)
	b.Server = httptest.NewServer(b.faults.Wrap(rates.Handler(b.currentTime)))
	t.Cleanup(b.Close)
	return b
}

func (b *bank) currentTime() time.Time { return time.Unix(b.today.Load(), 0).UTC() }
func (b *bank) set(at time.Time)       { b.today.Store(at.Unix()) }

func source(t *testing.T, cfg ecb.Config) *ecb.Source {
	t.Helper()
	s, err := ecb.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (b *bank) config() ecb.Config {
	return ecb.Config{URL: b.URL + rates.Path, Now: b.currentTime, Retry: time.Millisecond}
}

func TestFetch(t *testing.T) {
	t.Parallel()
	b := open(t)
	s := source(t, b.config())
	if _, err := s.Rates(); !errors.Is(err, ecb.ErrNone) {
		t.Errorf("before the first fetch: %v, want ErrNone", err)
	}
	if err := s.Fetch(t.Context()); err != nil {
		t.Fatal(err)
	}
	got, err := s.Rates()
	if err != nil || got.Date != "2026-11-20" || len(got.PerEUR) < 25 {
		t.Fatalf("Rates = %+v, %v", got, err)
	}
	table, err := exchange.Load()
	if err != nil {
		t.Fatal(err)
	}
	shown, err := table.Show(got, "JPY", 10_000)
	if err != nil || shown.Minor < 10_000 || shown.Minor > 30_000 || shown.Date != "2026-11-20" || shown.Source != exchange.Source {
		t.Errorf("100 dollars = %+v, %v; want some 15 thousand yen", shown, err)
	}
}

func TestOldRatesAreRefused(t *testing.T) {
	t.Parallel()
	b := open(t)
	s := source(t, b.config())
	if err := s.Fetch(t.Context()); err != nil {
		t.Fatal(err)
	}
	for days, ok := range map[int]bool{0: true, 3: true, 6: true, 7: false, 400: false} {
		b.set(friday.AddDate(0, 0, days))
		if _, err := s.Rates(); (err == nil) != ok || err != nil && !errors.Is(err, ecb.ErrOld) {
			t.Errorf("after %d days: %v, want ok %t", days, err, ok)
		}
	}
}

// Whatever the bank answers, the last good rates stay.
func TestBadAnswersAreNotBelieved(t *testing.T) {
	t.Parallel()
	file := rates.Daily(friday)
	for name, body := range map[string]string{
		"not XML":             "<html>maintenance",
		"empty":               "",
		"no day":              strings.Replace(file, "time='2026-11-20'", "", 1),
		"no dollar":           strings.Replace(file, "USD", "USX", 1),
		"a negative rate":     strings.Replace(file, "181.94", "-181.94", 1),
		"a misplaced point":   strings.Replace(file, "1.1622", "11.622", 1),
		"from the future":     strings.Replace(file, "2026-11-20", "2026-12-24", 1),
		"a rate that is text": strings.Replace(file, "181.94", "N/A", 1),
		"endless":             strings.Repeat(" ", 2<<20),
	} {
		var answer atomic.Value
		answer.Store(file)
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Write([]byte(answer.Load().(string)))
		}))
		s := source(t, ecb.Config{URL: srv.URL, Now: func() time.Time { return friday }})
		if err := s.Fetch(t.Context()); err != nil {
			t.Fatal(err)
		}
		want, err := s.Rates()
		if err != nil {
			t.Fatal(err)
		}
		answer.Store(body)
		if err := s.Fetch(t.Context()); err == nil {
			t.Errorf("%s: was believed", name)
		}
		got, err := s.Rates()
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v, rates changed (-want +got):\n%s", name, err, diff)
		}
		srv.Close()
	}
}

func TestFaultsAtTheBank(t *testing.T) {
	t.Parallel()
	b := open(t)
	s := source(t, b.config())
	for _, kind := range []string{fault.ErrorBefore, fault.Drop, fault.Garbage} {
		if err := b.faults.Add(fault.Fault{Kind: kind}); err != nil {
			t.Fatal(err)
		}
		if err := s.Fetch(t.Context()); err == nil {
			t.Errorf("%s: no error", kind)
		}
	}
	if err := s.Fetch(t.Context()); err != nil {
		t.Errorf("after the faults: %v", err)
	}
}

func TestRatesAreKeptAcrossARestart(t *testing.T) {
	t.Parallel()
	b := open(t)
	cfg := b.config()
	cfg.File = filepath.Join(t.TempDir(), "deep", "rates.json")
	first := source(t, cfg)
	if err := first.Fetch(t.Context()); err != nil {
		t.Fatal(err)
	}
	want, _ := first.Rates()
	got, err := source(t, cfg).Rates()
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("after the restart: %v (-want +got):\n%s", err, diff)
	}
	if err := os.WriteFile(cfg.File, []byte("{torn"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := source(t, cfg).Rates(); !errors.Is(err, ecb.ErrNone) {
		t.Errorf("with a torn file: %v, want ErrNone", err)
	}
}

// Run fetches by itself, and comes back after failures.
func TestRun(t *testing.T) {
	t.Parallel()
	b := open(t)
	if err := b.faults.Add(fault.Fault{Kind: fault.ErrorBefore, Times: 3}); err != nil {
		t.Fatal(err)
	}
	s := source(t, b.config())
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	deadline := time.Now().Add(20 * time.Second)
	for {
		if _, err := s.Rates(); err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the rates never came")
		}
		time.Sleep(time.Millisecond)
	}
	cancel()
	if err := <-done; err != nil {
		t.Errorf("Run ended with %v, want nil once it is stopped", err)
	}
	if n := len(b.faults.Waiting()); n != 0 {
		t.Errorf("%d faults still wait: the rates came too early", n)
	}
}

func TestWrongAddress(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"ftp://bank/file", "nowhere", "https://"} {
		if _, err := ecb.New(ecb.Config{URL: bad}); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}
