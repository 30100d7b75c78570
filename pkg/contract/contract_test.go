package contract_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/registry"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/contract/uploads"

	"github.com/oklog/ulid/v2"
)

func TestSubjects(t *testing.T) {
	t.Parallel()
	e := contract.Event{Aggregate: contract.QuoteAggregate, AggregateID: "abc", Name: quotes.EventPriced}
	p := strconv.Itoa(contract.PartitionOf("abc"))
	for got, want := range map[string]string{
		e.Subject(): "evt.quote." + p + ".abc",
		e.Type():    "quote.priced.v1",
		contract.CommandSubject(quotes.Price, "abc"):                   "cmd.pricing." + p + ".quote",
		contract.RequestSubject(quotes.Price, "abc"):                   "req.pricing." + p + ".quote.abc",
		contract.DeadSubject("pricing", "quote"):                       "dead.pricing.quote",
		contract.DueSubject(contract.UploadAggregate, "abc", "expire"): "timer.upload.abc.expire.due",
		contract.EventStream(contract.QuoteRequestAggregate):           "EVENTS_QUOTE_REQUEST",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if a, id, ok := contract.ParseEventSubject(e.Subject()); !ok || a != contract.QuoteAggregate || id != "abc" {
		t.Errorf("ParseEventSubject(%q) = %s, %s, %v; want %s, abc, true", e.Subject(), a, id, ok, contract.QuoteAggregate)
	}
	for _, bad := range []string{"", "evt.quote", "evt.quote.1", "evt.quote.1.a.b", "wake.quote.1.a"} {
		if _, _, ok := contract.ParseEventSubject(bad); ok {
			t.Errorf("ParseEventSubject(%q) understood it", bad)
		}
	}
}

func TestTypes(t *testing.T) {
	t.Parallel()
	name, format, ok := contract.ParseType(contract.Event{Aggregate: contract.QuoteAggregate, Name: quotes.EventPriced, Format: 3}.Type())
	if !ok || name != quotes.EventPriced || format != 3 {
		t.Errorf("ParseType = %s, %d, %v; want %s, 3, true", name, format, ok, quotes.EventPriced)
	}
	for _, bad := range []string{"", "quote.priced", "quote.priced.v", "quote.priced.3", "quote.priced.v0", "a.b.c.v1"} {
		if _, _, ok := contract.ParseType(bad); ok {
			t.Errorf("ParseType(%q) understood it", bad)
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

// Every aggregate has a stream of its own, and every id a place in one part of
// it, in however many parts it is kept.
func TestStreams(t *testing.T) {
	t.Parallel()
	names := map[string]contract.Stream{}
	for _, s := range registry.Streams() {
		if _, twice := names[s.Name]; twice || s.About == "" || s.Load.PerDay <= 0 || s.Load.Bytes <= 0 {
			t.Errorf("stream %+v, want it once, with what it is about and its load", s)
		}
		names[s.Name] = s
	}
	for _, a := range contract.Aggregates() {
		s, ok := names[contract.EventStream(a)]
		if !ok {
			t.Errorf("%s has no stream", a)
		}
		for _, n := range []int{1, 2, 3, contract.Partitions} {
			parts := s.Parts(n)
			if len(parts) != n {
				t.Fatalf("%s: %d parts, want %d", s.Name, len(parts), n)
			}
			subject := contract.EventSubject(a, "some-id")
			for i, p := range parts {
				has := slices.ContainsFunc(p.Subjects, func(filter string) bool { return covers(filter, subject) })
				if want := i == contract.PartitionOf("some-id")%n; has != want {
					t.Errorf("%s in %d parts: part %d stores %v, and %s: %t, want %t", s.Name, n, i, p.Subjects, subject, has, want)
				}
			}
		}
	}
}

func covers(filter, subject string) bool {
	f, s := strings.Split(filter, "."), strings.Split(subject, ".")
	return slices.EqualFunc(f, s, func(a, b string) bool { return a == "*" || a == b })
}

// All streams together fit into what they are given, however little that is.
func TestSizes(t *testing.T) {
	t.Parallel()
	const total = 100 << 30
	var sum int64
	for _, s := range registry.Streams() {
		size := registry.SizeOf(s, total)
		if size < 64<<20 {
			t.Errorf("%s gets %d bytes, want 64 MiB at least", s.Name, size)
		}
		sum += size
	}
	if limit := total + int64(len(registry.Streams()))*64<<20; sum > limit {
		t.Errorf("all streams get %d bytes of %d, want %d at most", sum, int64(total), limit)
	}
}

// A request about an aggregate is found by its command's data alone.
func TestAbout(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		command contract.CommandName
		data    string
		of      contract.Aggregate
		id      string
	}{
		"a quote":       {quotes.Price, `{"quote":"q1","upload":"u"}`, contract.QuoteAggregate, "q1"},
		"an upload":     {uploads.AddFiles, `{"ref":"u1"}`, contract.UploadAggregate, "u1"},
		"no name":       {uploads.AddFiles, `{}`, "", ""},
		"not a token":   {uploads.AddFiles, `{"ref":"a.b"}`, "", ""},
		"of its own":    {designchecks.Check, `{"upload":"u"}`, "", ""},
		"not an object": {uploads.AddFiles, `[`, "", ""},
	} {
		a, id, ok := registry.AggregateOf(contract.Command{Name: tt.command, Data: []byte(tt.data)})
		if ok != (tt.id != "") || ok && (a != tt.of || id != tt.id) {
			t.Errorf("%s: AggregateOf = %s, %q, %t; want %s, %q", name, a, id, ok, tt.of, tt.id)
		}
	}
}

func TestIDs(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	once, again := contract.DeriveID("a", "bc"), contract.DeriveID("a", "bc")
	if once != again || once == contract.DeriveID("ab", "c") {
		t.Errorf("ids of a and bc are %q and %q, of ab and c %q; want two alike and another: an id follows from its parts, and from where they end", once, again, contract.DeriveID("ab", "c"))
	}
	id := contract.IDFrom(contract.OrderPrefix, at, "cause")
	if id != contract.IDFrom(contract.OrderPrefix, at, "cause") || id == contract.IDFrom(contract.OrderPrefix, at, "other") {
		t.Errorf("IDFrom = %s, want the same of the same cause, another of another", id)
	}
	u, err := ulid.ParseStrict(strings.TrimPrefix(contract.NewID(contract.RequestPrefix, at), contract.RequestPrefix))
	if err != nil || !ulid.Time(u.Time()).Equal(at) {
		t.Errorf("NewID: %v at %s, want it at %s", err, ulid.Time(u.Time()), at)
	}
	const up = "up_secret"
	if ref := contract.SecretRef(up); !contract.ValidToken(ref) || strings.Contains(up, ref) {
		t.Errorf("SecretRef(%q) = %q, want a token that is no part of it", up, ref)
	}
}

func TestFollowedCommandsAreRepeatable(t *testing.T) {
	t.Parallel()
	c, err := contract.NewCommand(quotes.Price, "req_1", "acc_1", time.Now(), 1)
	if err != nil {
		t.Fatal(err)
	}
	a, _ := c.Follow(boards.Read, "k", time.Now(), 2)
	b, _ := c.Follow(boards.Read, "k", time.Now().Add(time.Hour), 2)
	other, _ := c.Follow(boards.Read, "l", time.Now(), 2)
	if a.ID != b.ID || a.ID == other.ID || a.Request != "" || a.Cause != c.ID || a.Correlation != "req_1" || a.Account != "acc_1" {
		t.Errorf("followed: %+v, want the same id at any time, another of another key, caused by %s, of req_1 and acc_1", a, c.ID)
	}
}

func TestMissing(t *testing.T) {
	t.Parallel()
	if n := len((shipments.ShipTo{}).Missing()); n != 7 {
		t.Errorf("an empty address lacks %d fields, want 7", n)
	}
	for country, want := range map[string]int{"HK": 0, "AE": 0, "DE": 1, "US": 1, "": 2} {
		to := shipments.ShipTo{Name: "Ada", Email: "ada@example.com", Phone: "+1 555", Line1: "1 Road", City: "Town", Country: country}
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
		if got := (quotes.ShippingOption{Carrier: tt.carrier, Service: tt.service}).Name(); got != tt.want {
			t.Errorf("%s + %s = %q, want %q", tt.carrier, tt.service, got, tt.want)
		}
	}
}
