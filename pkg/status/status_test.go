package status_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/provider"
	"boardorder/pkg/status"

	"github.com/google/go-cmp/cmp"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func bucket(t *testing.T, name string) status.Bucket {
	t.Helper()
	b, err := bustest.Start(t).Bucket(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// broken is a bucket of a broker that may be away.
type broken struct {
	status.Bucket
	away *bool
}

func (b broken) Get(ctx context.Context, key string) ([]byte, uint64, error) {
	if *b.away {
		return nil, 0, errAway
	}
	return b.Bucket.Get(ctx, key)
}

var errAway = errors.New("the broker is away")

// TestStandingsSayNoMoreThanCustomersMayKnow: fabricators and suppliers go by the name that
// the operator gave; what else is named inside stays there.
func TestStandingsSayNoMoreThanCustomersMayKnow(t *testing.T) {
	t.Parallel()
	got := status.Standings(nil, []provider.Health{
		{Kind: provider.MailServer, Name: "smtp.internal:587", State: provider.Works, Processes: 1},
		{Kind: provider.MailServer, Name: "smtp2.internal:587", State: provider.Away, Processes: 1, Since: noon},
		{Kind: provider.CardProcessor, Name: "card processor", State: provider.Slow, Processes: 1},
		{Kind: provider.ExchangeRates, Name: "ECB", State: provider.Unasked, Processes: 1},
		{Kind: provider.PartsSupplier, Name: "distributor_b", State: provider.UsedUp, Processes: 2, Since: noon},
		{Kind: provider.Fabricator, Name: "Board Maker", State: provider.Works},
		{Kind: "a new kind", Name: "secret.internal", State: provider.Works, Processes: 1},
	})
	want := []status.Standing{
		{Part: status.Whole, State: status.Works},
		{Part: status.Part{ID: "fabricator-board-maker", Kind: status.Fabricator, Name: "Board Maker"}, State: status.NotMeasured}, // no process reports
		{Part: status.Part{ID: "supplier-distributor-b", Kind: status.Supplier, Name: "distributor_b"}, State: status.QuotaUsed, Since: noon},
		{Part: status.Part{ID: "card-payments", Kind: status.CardPayments}, State: status.Slow},
		{Part: status.Part{ID: "email", Kind: status.Email}, State: status.Away, Since: noon},
		{Part: status.Part{ID: "exchange-rates", Kind: status.ExchangeRates}, State: status.NotMeasured},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("standings (-want +got)\n%s", diff)
	}
	if down := status.Standings(errAway, nil); down[0].State != status.Away {
		t.Errorf("a service that is not reached is %q, want %q", down[0].State, status.Away)
	}
}

// TestAMinuteCountsOnce: however many edges measure it.
func TestAMinuteCountsOnce(t *testing.T) {
	t.Parallel()
	shared := bucket(t, contract.StatusDaysBucket)
	parts := []status.Standing{{Part: status.Whole, State: status.Works}, {Part: status.Part{ID: "email", Kind: status.Email}, State: status.NotMeasured}}
	var edges [4]*status.Days
	for i := range edges {
		edges[i] = status.NewDays(shared)
	}
	for minute := range 3 {
		var wg sync.WaitGroup
		for i, e := range edges {
			wg.Go(func() {
				if err := e.Note(t.Context(), noon.Add(time.Duration(minute)*time.Minute+time.Duration(i)*time.Second), parts); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
	}
	days, err := edges[0].Read(t.Context(), noon.Add(time.Hour))
	if err != nil || len(days) != status.HistoryDays {
		t.Fatalf("%d days, %v; want %d", len(days), err, status.HistoryDays)
	}
	today := days[len(days)-1]
	if got := today.Parts["service"].Minutes; today.Date != "2026-11-30" || got[status.Works] != 3 || len(today.Parts) != 1 {
		t.Errorf("%s: %+v, want three minutes of the service, and nothing of what was not measured", today.Date, today.Day)
	}
	for _, d := range days[:len(days)-1] {
		if d.Day != nil {
			t.Errorf("%s has %+v, want nothing where nothing was measured", d.Date, d.Day)
		}
	}
}

// TestMeasurementsWaitForTheBroker: that it was away is what they say. Over midnight each goes
// to its own day.
func TestMeasurementsWaitForTheBroker(t *testing.T) {
	t.Parallel()
	away := true
	days := status.NewDays(broken{bucket(t, contract.StatusDaysBucket), &away})
	at := time.Date(2026, 11, 30, 23, 58, 30, 0, time.UTC)
	for range 4 {
		if err := days.Note(t.Context(), at, status.Standings(errAway, nil)); !errors.Is(err, errAway) {
			t.Fatalf("note without a broker: %v, want %v", err, errAway)
		}
		at = at.Add(time.Minute)
	}
	away = false
	if err := days.Note(t.Context(), at, status.Standings(nil, nil)); err != nil {
		t.Fatal(err)
	}
	got, err := days.Read(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	before, after := got[len(got)-2].Parts["service"].Minutes, got[len(got)-1].Parts["service"].Minutes
	if before[status.Away] != 2 || after[status.Away] != 2 || after[status.Works] != 1 {
		t.Errorf("%v, then %v; want two minutes away on each day, and one that works", before, after)
	}
}

// TestIncidents are written once by each form, and leave when they are taken back or old.
func TestIncidents(t *testing.T) {
	t.Parallel()
	s := status.Incidents{Bucket: bucket(t, contract.StatusIncidentsBucket)}
	first := status.Update{At: noon, Stage: status.Investigating, Text: "We look.", Operator: "ann", Request: "req_1"}
	open := status.Incident{Title: "Card payments fail", Language: "en", Kinds: []status.Kind{status.CardPayments}}
	id, err := s.Open(t.Context(), open, first)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := s.Open(t.Context(), open, first); err != nil || again != id {
		t.Errorf("the form sent twice: %s, %v, want %s", again, err, id)
	}
	over := status.Update{At: noon.Add(time.Hour), Stage: status.Resolved, Text: "Over.", Operator: "ben", Request: "req_2"}
	for range 2 {
		if err := s.Say(t.Context(), id, over); err != nil {
			t.Fatal(err)
		}
	}
	list, err := s.List(t.Context(), noon.Add(2*time.Hour))
	if err != nil || len(list) != 1 || len(list[0].Updates) != 2 || list[0].EndedAt == nil || list[0].Stage() != status.Resolved || !list[0].BeganAt.Equal(noon) {
		t.Fatalf("incidents %+v, %v; want one that is over, with two updates", list, err)
	}
	if list, err := s.List(t.Context(), noon.Add(91*contract.Day)); err != nil || len(list) != 0 {
		t.Errorf("after 91 days: %+v, %v; want none", list, err)
	}
	if err := s.Say(t.Context(), id, status.Update{At: noon, Stage: status.Monitoring, Request: "req_3"}); err != nil {
		t.Fatal(err)
	}
	if i, err := s.Read(t.Context(), id); err != nil || i.EndedAt != nil {
		t.Errorf("opened again: %+v, %v; want one that goes on", i, err)
	}
	if err := s.TakeBack(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if list, err := s.List(t.Context(), noon); err != nil || len(list) != 0 {
		t.Errorf("taken back: %+v, %v; want none", list, err)
	}
	for _, bad := range []string{id, "", "a.b", "*", strings.Repeat("x", 300)} {
		if err := s.Say(t.Context(), bad, over); !errors.Is(err, status.ErrNoIncident) {
			t.Errorf("say of %.20q: %v, want %v", bad, err, status.ErrNoIncident)
		}
	}
}
