package contract_test

import (
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"

	"github.com/oklog/ulid/v2"
)

func TestSubjects(t *testing.T) {
	t.Parallel()
	e := contract.Event{Aggregate: contract.QuoteAggregate, AggregateID: "abc", Name: contract.QuotePriced}
	for got, want := range map[string]string{
		e.Subject(): "evt.quote.abc.priced",
		e.Type():    "quote.priced.v1",
		contract.EventFilter(contract.QuoteAggregate, "abc"):           "evt.quote.abc.*",
		contract.PriceQuote.Subject():                                  "cmd.pricing.quote",
		contract.DeadSubject("pricing", "quote"):                       "dead.pricing.quote",
		contract.DueSubject(contract.UploadAggregate, "abc", "expire"): "timer.upload.abc.expire.due",
		contract.EventStream(contract.QuoteRequestAggregate):           "EVENTS_QUOTE_REQUEST",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if a, id, ok := contract.ParseWake(contract.WakeSubject(contract.QuoteAggregate, "abc")); !ok || a != contract.QuoteAggregate || id != "abc" {
		t.Errorf("ParseWake = %s, %s, %v", a, id, ok)
	}
	for _, bad := range []string{"", "wake.quote", "evt.quote.abc", "wake.a.b.c"} {
		if _, _, ok := contract.ParseWake(bad); ok {
			t.Errorf("ParseWake(%q) understood it", bad)
		}
	}
}

func TestTokens(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]bool{"abc": true, "req_01ABC": true, "": false, "a.b": false, "a*": false, ">": false, "a b": false, "é": false, strings.Repeat("x", 81): false} {
		if contract.ValidToken(s) != want {
			t.Errorf("ValidToken(%q) = %v", s, !want)
		}
	}
}

// Every aggregate has a stream of its own, and the shares of the space add up.
func TestStreams(t *testing.T) {
	t.Parallel()
	share, names := 0, map[string]bool{}
	for _, s := range contract.Streams() {
		share += s.Share
		if names[s.Name] || s.About == "" {
			t.Errorf("stream %+v", s)
		}
		names[s.Name] = true
	}
	if share != 100 {
		t.Errorf("shares add up to %d", share)
	}
	for _, a := range contract.Aggregates() {
		if !names[contract.EventStream(a)] {
			t.Errorf("%s has no stream", a)
		}
	}
}

func TestIDs(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	once, again := contract.DeriveID("a", "bc"), contract.DeriveID("a", "bc")
	if once != again || once == contract.DeriveID("ab", "c") {
		t.Error("a derived id must follow from its parts, and from where they end")
	}
	id := contract.IDFrom(contract.OrderPrefix, at, "cause")
	if id != contract.IDFrom(contract.OrderPrefix, at, "cause") || id == contract.IDFrom(contract.OrderPrefix, at, "other") {
		t.Errorf("IDFrom = %s", id)
	}
	u, err := ulid.ParseStrict(strings.TrimPrefix(contract.NewID(contract.RequestPrefix, at), contract.RequestPrefix))
	if err != nil || !ulid.Time(u.Time()).Equal(at) {
		t.Errorf("NewID: %v at %s", err, ulid.Time(u.Time()))
	}
	const up = "up_secret"
	if ref := contract.SecretRef(up); !contract.ValidToken(ref) || strings.Contains(up, ref) {
		t.Errorf("SecretRef = %q", ref)
	}
}

func TestFollowedCommandsAreRepeatable(t *testing.T) {
	t.Parallel()
	c, err := contract.NewCommand(contract.PriceQuote, "req_1", "acc_1", time.Now(), 1)
	if err != nil {
		t.Fatal(err)
	}
	a, _ := c.Follow(contract.ReadBoard, "k", time.Now(), 2)
	b, _ := c.Follow(contract.ReadBoard, "k", time.Now().Add(time.Hour), 2)
	other, _ := c.Follow(contract.ReadBoard, "l", time.Now(), 2)
	if a.ID != b.ID || a.ID == other.ID || a.Request != "" || a.Cause != c.ID || a.Correlation != "req_1" || a.Account != "acc_1" {
		t.Errorf("followed: %+v", a)
	}
}

func TestMissing(t *testing.T) {
	t.Parallel()
	if n := len((contract.ShipTo{}).Missing()); n != 7 {
		t.Errorf("an empty address lacks %d fields, want 7", n)
	}
	for country, want := range map[string]int{"HK": 0, "AE": 0, "DE": 1, "US": 1, "": 2} {
		to := contract.ShipTo{Name: "Ada", Email: "ada@example.com", Phone: "+1 555", Line1: "1 Road", City: "Town", Country: country}
		if n := len(to.Missing()); n != want {
			t.Errorf("%q without a postal code: %d fields missing, want %d", country, n, want)
		}
	}
}

func TestShippingName(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ carrier, service, want string }{
		{"DHL", "DHL Express", "DHL Express"}, {"DHL", "Express", "DHL Express"}, {"Post", "Post", "Post"},
	} {
		if got := (contract.ShippingOption{Carrier: tt.carrier, Service: tt.service}).Name(); got != tt.want {
			t.Errorf("%s + %s = %q, want %q", tt.carrier, tt.service, got, tt.want)
		}
	}
}
