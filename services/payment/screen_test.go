package payment_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/exportcontrol"
	"boardorder/pkg/fabricator/open"
	"boardorder/pkg/run"
	"boardorder/services/payment"
	"boardorder/services/payment/internal/fulfilment"
	"boardorder/services/payment/internal/screening"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"
)

// lists is a provider that looks recipients up, over HTTP.
type lists struct {
	mu       sync.Mutex
	requests []screening.Request
	tokens   []string
	answer   http.HandlerFunc
}

func (l *lists) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var q screening.Request
	_ = json.NewDecoder(r.Body).Decode(&q) // what is wrong shows in what was asked
	l.mu.Lock()
	l.requests, l.tokens = append(l.requests, q), append(l.tokens, r.Header.Get("Authorization"))
	answer := l.answer
	l.mu.Unlock()
	answer(w, r)
}

func (l *lists) say(answer http.HandlerFunc) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.answer = answer
}

// times is how often was asked about an order.
func (l *lists) times(o orders.Order) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for _, q := range l.requests {
		if q.Reference == o.ID {
			n++
		}
	}
	return n
}

func saying(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}
}

func clean() http.HandlerFunc { return saying(http.StatusOK, `{"hit": false, "reference": "case-1"}`) }
func hit() http.HandlerFunc   { return saying(http.StatusOK, `{"hit": true, "reference": "case-2"}`) }

// fusedLists may die before and after each question.
type fusedLists struct {
	fulfilment.Screener
	w *world
}

func (f fusedLists) Screen(ctx context.Context, r screening.Request) (screening.Result, error) {
	f.w.effect("before screening")
	defer f.w.effect("after screening")
	return f.Screener.Screen(ctx, r)
}

// The time that an answer is waited for: usually long, for a busy machine is slow.
const (
	usualPatience = time.Minute
	noPatience    = 200 * time.Millisecond
)

// screenRecipients has the world's recipients screened.
func (w *world) screenRecipients(answer http.HandlerFunc, patience time.Duration) *lists {
	w.t.Helper()
	l := &lists{answer: answer}
	server := httptest.NewServer(l)
	w.t.Cleanup(server.Close)
	client, err := screening.New(screening.Config{URL: server.URL, Token: "tok", Timeout: patience})
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(client.Close)
	w.lists = fusedLists{client, w}
	w.svc = w.serviceOver(w)
	return l
}

// lives are an order's events without those of its invoices and of the build.
func (s *shopping) lives() []contract.EventName {
	return slices.DeleteFunc(s.w.events(contract.OrderAggregate, s.ref), func(e contract.EventName) bool {
		return e == orders.EventInvoiced || e == orders.EventProgressed || e == orders.EventInProduction
	})
}

// awaitHeld is the order once people must look at it.
func (s *shopping) awaitHeld() orders.Order {
	s.w.t.Helper()
	s.w.waitUntil("the order held", func() bool { return s.order().Status == orders.Held })
	return s.order()
}

// release is an operator's word that an order goes on.
func (s *shopping) release() {
	s.w.t.Helper()
	s.w.clock.Reach(s.w.clock.Now().Add(time.Minute))
	if code := s.report(orders.Paid, nil); code != "" {
		s.w.t.Fatalf("release: %s, want it granted", code)
	}
}

func TestCleanRecipientGoesOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	l := w.screenRecipients(clean(), usualPatience)
	s := w.payQuote(func(q *quotes.Quote) { q.Delivery.ShipTo.Company, q.Delivery.ShipTo.Line2 = "Engines", "Floor 2" })
	w.waitUntil("the parcel", s.isShipped)
	o := s.order()
	want := []screening.Request{{
		Reference: o.ID, Name: "Ada Lovelace", Company: "Engines", Email: "ada@example.com", AddressLines: []string{"1 Main St", "Floor 2"},
		City: "San Francisco", State: "CA", PostalCode: "94107", Country: "US",
	}}
	if diff := cmp.Diff(want, l.requests); diff != "" || !slices.Equal(l.tokens, []string{"Bearer tok"}) {
		t.Errorf("asked (-want +got):\n%s\nas %q", diff, l.tokens)
	}
	if o.Screened == nil || o.Screened.Hit || o.Screened.Failed || o.Screened.Reference != "case-1" || o.Screened.At.IsZero() {
		t.Errorf("screened %+v, want no hit, no failure, case-1, and when", o.Screened)
	}
	events := []contract.EventName{orders.EventPaid, orders.EventScreened, orders.EventPlacing, orders.EventPlaced, orders.EventShipped}
	if got := s.lives(); !slices.Equal(got, events) {
		t.Errorf("events %v, want %v", got, events)
	}
	w.erasePerson("ada@example.com")
	if after := s.order(); after.ShipTo.Line1 != "" || after.Screened == nil || *after.Screened != *o.Screened {
		t.Errorf("erased: %+v, screened %+v; want no address, %+v", after.ShipTo, after.Screened, o.Screened)
	}
	if kept := o.Withdraw(); kept.Screened == nil {
		t.Error("a withdrawn order does not keep the result")
	}
}

// TestHitIsHeldOnce, until an operator releases it: that is not asked about again.
func TestHitIsHeldOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	l := w.screenRecipients(hit(), usualPatience)
	s := w.payQuote()
	o := s.awaitHeld()
	w.deliver(w.command(orders.Place, "", orders.Data{Quote: s.ref}))
	if !strings.Contains(o.Held, "sanctions list") || !strings.Contains(o.Held, "case-2") || len(s.fabOrders()) != 0 {
		t.Errorf("held %q, %d orders at the fabricator; want the sanctions list and case-2, none", o.Held, len(s.fabOrders()))
	}
	if got, want := s.lives(), []contract.EventName{orders.EventPaid, orders.EventScreened, orders.EventHeld}; !slices.Equal(got, want) {
		t.Errorf("events %v, want %v", got, want)
	}
	s.release()
	w.waitUntil("the parcel", s.isShipped)
	if n := l.times(o); n != 1 || len(s.fabOrders()) != 1 || !s.order().Screened.Hit {
		t.Errorf("asked %d times, %d orders at the fabricator, screened %+v; want 1, 1, a hit", n, len(s.fabOrders()), s.order().Screened)
	}
}

// TestOrdersByHandAreScreened before the team is told to place them.
func TestOrdersByHandAreScreened(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	l := w.screenRecipients(hit(), usualPatience)
	byTeam := func(q *quotes.Quote) {
		q.Mode, q.Status, q.Terms = quotes.ModeReview, quotes.SourcingQuoted, nil
	}
	s := w.payQuote(byTeam)
	if o := s.awaitHeld(); !strings.Contains(o.Held, "sanctions list") {
		t.Errorf("held %q, want the sanctions list", o.Held)
	}
	s.release()
	if o := s.awaitHeld(); !strings.Contains(o.Held, "by hand") {
		t.Errorf("held %q, want by hand", o.Held)
	}
	l.say(clean())
	s = w.payQuote(byTeam)
	if o := s.awaitHeld(); !strings.Contains(o.Held, "by hand") || l.times(o) != 1 {
		t.Errorf("held %q, asked %d times; want by hand, 1", o.Held, l.times(o))
	}
}

// TestReleaseForAnotherReason: what was released before anybody was asked is screened.
func TestReleaseForAnotherReason(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	l := w.screenRecipients(hit(), usualPatience)
	s := w.payQuote(func(q *quotes.Quote) { q.Reply.BoardFindings = []contract.Finding{{Check: exportcontrol.Check}} })
	if o := s.awaitHeld(); !strings.Contains(o.Held, "ITAR") || l.times(o) != 0 {
		t.Errorf("held %q, asked %d times; want ITAR, 0", o.Held, l.times(o))
	}
	s.release()
	if o := s.awaitHeld(); !strings.Contains(o.Held, "sanctions list") {
		t.Errorf("held %q, want the sanctions list", o.Held)
	}
	s.release()
	w.waitUntil("the parcel", s.isShipped)
	if n := l.times(s.order()); n != 1 {
		t.Errorf("asked %d times, want 1", n)
	}
}

// TestScreeningWithoutAnAnswer: it is asked for some minutes, then people look. The
// log names nobody, whatever the answer quotes.
func TestScreeningWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	elsewhere := httptest.NewServer(clean())
	t.Cleanup(elsewhere.Close)
	for name, answer := range map[string]http.HandlerFunc{
		"timeout":  func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"500":      saying(http.StatusInternalServerError, `{"hit": false, "reference": "case-1"}`),
		"redirect": http.RedirectHandler(elsewhere.URL, http.StatusTemporaryRedirect).ServeHTTP,
		"nonsense": saying(http.StatusOK, `Ada Lovelace, 1 Main St, ada@example.com`),
		"huge":     saying(http.StatusOK, `{"hit": false, "reference": "case-1"`+strings.Repeat(" ", 1<<20)+`}`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			core, logs := observer.New(zapcore.DebugLevel)
			w.log = zap.New(core)
			patience := usualPatience
			if name == "timeout" {
				patience = noPatience
			}
			l := w.screenRecipients(answer, patience)
			began := w.clock.Now()
			s := w.payQuote()
			o := s.awaitHeld()
			if took := w.clock.Now().Sub(began); took < 4*time.Minute || took > 12*time.Minute || l.times(o) < 6 || l.times(o) > 12 {
				t.Errorf("held after %s, asked %d times; want 4 to 12 minutes, 6 to 12 times", took, l.times(o))
			}
			requests := l.times(o)
			want := []contract.EventName{orders.EventPaid, orders.EventScreened, orders.EventScreened, orders.EventHeld}
			if got := s.lives(); !slices.Equal(got, want) {
				t.Errorf("events %v, want %v", got, want)
			}
			if !strings.Contains(o.Held, "could not be screened") || !o.Screened.Failed || len(s.fabOrders()) != 0 {
				t.Errorf("held %q, screened %+v, %d orders at the fabricator; want that it could not be screened, a failure, none", o.Held, o.Screened, len(s.fabOrders()))
			}
			s.release()
			w.waitUntil("the parcel", s.isShipped)
			if n := l.times(o); n != requests {
				t.Errorf("asked %d times, want %d as when it was held", n, requests)
			}
			if logs.FilterMessage("an order could not be screened").Len() != requests {
				t.Errorf("log: %v, want %d lines that an order could not be screened", logs.All(), requests)
			}
			for _, entry := range logs.All() {
				text := fmt.Sprint(entry.Message, entry.ContextMap())
				for _, word := range []string{"Ada", "Lovelace", "example.com", "Main St", "94107"} {
					if strings.Contains(text, word) {
						t.Errorf("the log names who is screened: %s", text)
					}
				}
			}
		})
	}
}

// TestScreeningComesBack: an answer that comes late counts like any other.
func TestScreeningComesBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	l := w.screenRecipients(saying(http.StatusBadGateway, ""), usualPatience)
	s := w.payQuote()
	w.waitUntil("some tries", func() bool { return l.times(s.order()) >= 3 })
	tries := l.times(s.order())
	l.say(clean())
	w.waitUntil("the parcel", s.isShipped)
	if o := s.order(); l.times(o) != tries+1 || o.Screened.Failed || o.Screened.Waiting || o.Screened.Hit {
		t.Errorf("asked %d times, screened %+v; want %d times, a clean answer", l.times(o), o.Screened, tries+1)
	}
}

// TestScreeningCrashesAnywhere: wherever the process dies, the result is written down
// once, a hit is held once, and what is clean is built once.
func TestScreeningCrashesAnywhere(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]http.HandlerFunc{"clean": clean(), "hit": hit(), "no answer": saying(http.StatusBadGateway, "")} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.screenRecipients(answer, usualPatience)
			for n := 0; ; n++ {
				w.queue, w.timers = nil, map[string]contract.Timer{}
				s := w.quote()
				s.begin()
				s.pay(s.checkout().SessionID)
				w.fuse = n
				s.tell(s.checkout().SessionID, "completed")
				want, built := []contract.EventName{orders.EventPaid, orders.EventScreened, orders.EventHeld}, 0
				switch name {
				case "clean":
					w.waitUntil("the order", func() bool { return s.order().Status == orders.Placed })
					want[2], built = orders.EventPlacing, 1
				case "no answer":
					want = slices.Insert(want, 1, orders.EventScreened)
					fallthrough
				default:
					s.awaitHeld()
				}
				got := s.lives()
				if len(s.fabOrders()) != built || w.dead != nil || !slices.Equal(got[:min(len(got), len(want))], want) || name != "clean" && len(got) != len(want) {
					t.Fatalf("crash %d: events %v, %d orders at the fabricator, dead letters %v; want %v, %d, none", n, got, len(s.fabOrders()), w.dead, want, built)
				}
				if w.fuse >= 0 {
					return
				}
			}
		})
	}
}

// TestNotScreened: orders of test keys are not, and without an address nobody is asked.
func TestNotScreened(t *testing.T) {
	t.Parallel()
	w, tests := worldWithTests(t)
	l := w.screenRecipients(hit(), usualPatience)
	of := w.quote(makeTest(""))
	of.payAt(tests)
	w.waitUntil("the parcel", of.isShipped)
	w.lists = nil
	w.svc = w.serviceOver(w)
	live := w.payQuote()
	w.waitUntil("the parcel", live.isShipped)
	if len(l.requests) != 0 || of.order().Screened != nil || live.order().Screened != nil {
		t.Errorf("asked %+v, screened %+v and %+v; want nothing", l.requests, of.order().Screened, live.order().Screened)
	}
}

func TestScreeningNeedsAnAddressOfItsOwn(t *testing.T) {
	t.Parallel()
	cfg := payment.Config{PublicURL: "https://x.example", StripeKey: "sk_test_x", ScreeningURL: "http://screening.example"}
	cfg.Fabricators = open.Rows{{Name: fabName, Interface: "tariff", Country: "CN"}}
	_, err := payment.Build(t.Context(), cfg, run.Deps{Now: time.Now})
	if err == nil || !strings.HasPrefix(err.Error(), "SCREENING_URL: ") {
		t.Errorf("built with %v", err)
	}
}
