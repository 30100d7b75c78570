package simulator_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"boardorder/deploy/simulator"
)

func start(t *testing.T, cfg simulator.Config) *simulator.Simulator {
	t.Helper()
	s, err := simulator.New(cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return s
}

func get(t *testing.T, url string) (int, string) {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

func TestEveryStandInAnswers(t *testing.T) {
	t.Parallel()
	s := start(t, simulator.Config{DataDir: t.TempDir()})
	for url, want := range map[string]string{
		s.URL():                   "Card processor",
		s.URL() + "/healthz":      "ok",
		s.MailboxURL():            "No mail yet",
		s.URL() + "/cards/":       "No charge yet",
		s.RatesURL():              "currency='USD'",
		s.URL() + "/_control":     "faults",
		s.URL() + "/cards/ledger": "Charges",
	} {
		if status, body := get(t, url); status != 200 || !strings.Contains(body, want) {
			t.Errorf("%s: %d, without %q", url, status, want)
		}
	}
	if status, _ := get(t, s.CardsURL()+"/v1/events"); status != 401 {
		t.Errorf("the card API without a key: %d, want 401", status)
	}
}

func TestControl(t *testing.T) {
	t.Parallel()
	s := start(t, simulator.Config{DataDir: t.TempDir()})
	for body, want := range map[string]int{
		`{"faults":[{"match":"GET /rates","kind":"error_before","status":418}]}`:                     200,
		`{"webhooks":{"duplicate":1},"webhook_endpoint":{"url":"http://127.0.0.1:1/","secret":"x"}}`: 200,
		`{"fault":[]}`:        400,
		`{"faults":[{}]}`:     422,
		`{"faults":"please"}`: 400,
	} {
		res, err := http.Post(s.URL()+"/_control", "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != want {
			t.Errorf("%s: %d, want %d", body, res.StatusCode, want)
		}
	}
	if status, _ := get(t, s.RatesURL()); status != 418 {
		t.Errorf("the fault did not happen: %d, want 418", status)
	}
	if status, _ := get(t, s.RatesURL()); status != 200 {
		t.Errorf("the fault happened twice: %d, want 200", status)
	}
}

// openAndClose starts a simulator over the ledger in dir, ends it, and says where it was.
func openAndClose(t *testing.T, dir string) string {
	t.Helper()
	s, err := simulator.New(simulator.Config{DataDir: dir}, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if err := s.Run(ctx); err != nil {
		t.Fatal(err)
	}
	return s.URL()
}

func TestStartsOnItsOwnBooksAgain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := openAndClose(t, dir)
	if again := openAndClose(t, dir); again != first {
		t.Errorf("it is at %s, want %s as before: pages that people have open are lost", again, first)
	}
	taken, err := net.Listen("tcp", strings.TrimPrefix(first, "http://"))
	if err != nil {
		t.Skip("somebody else has its port: ", err)
	}
	defer taken.Close()
	if other := openAndClose(t, dir); other == first {
		t.Errorf("it is at %s, which somebody else has", other)
	}
	if _, err := simulator.New(simulator.Config{}, nil); err == nil {
		t.Error("a simulator without a data directory was made")
	}
	if _, err := simulator.New(simulator.Config{DataDir: dir, Addr: "nowhere:99999"}, nil); err == nil {
		t.Error("a simulator at a wrong address was made")
	}
}
