package checkout

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"

	"github.com/google/go-cmp/cmp"
)

// The pricing service decides where boards go; the page offers just that.
func TestCountriesAreThoseOfThePricing(t *testing.T) {
	t.Parallel()
	theirs, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "pkg", "destination", "countries.csv"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]Country{}
	for line := range strings.Lines(string(theirs)) {
		cells := strings.Split(strings.TrimSpace(line), ",")
		if strings.HasPrefix(line, "#") || cells[0] == "code" || len(cells) < 8 {
			continue
		}
		want[cells[0]] = Country{Code: cells[0], Name: cells[2], TheName: cells[3], Region: cells[6] == "yes", TaxID: cells[7]}
	}
	countries, err := LoadCountries()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]Country{}
	for _, c := range countries {
		got[c.Code] = c
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("countries (-want +got):\n%s", diff)
	}
	if len(got) < 40 || countries[0].Name != "Australia" {
		t.Errorf("%d countries, the first is %s; want 40 at least, Australia", len(got), countries[0].Name)
	}
}

func TestAmount(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		cents    int64
		currency string
		want     string
	}{
		{0, "USD", "$0.00"}, {5, "", "$0.05"}, {123456, "USD", "$1,234.56"}, {-1250, "USD", "−$12.50"},
		{100_000_000, "USD", "$1,000,000.00"}, {99999, "EUR", "EUR\u00a0999.99"}, {-1 << 63, "USD", "−$92,233,720,368,547,758.08"},
	} {
		if got := amount(tt.cents, tt.currency); got != tt.want {
			t.Errorf("amount(%d, %q) = %q, want %q", tt.cents, tt.currency, got, tt.want)
		}
	}
}

func TestStageOf(t *testing.T) {
	t.Parallel()
	quote := func(mode string, status quotes.Status) quotes.Quote {
		return quotes.Quote{Mode: mode, Status: status}
	}
	instant := quote(quotes.ModeInstant, quotes.Ready)
	open := &checkouts.Checkout{Status: checkouts.Open}
	for name, tt := range map[string]struct {
		s        record
		returned bool
		want     stage
	}{
		"fresh":                        {record{quote: instant}, false, paying},
		"says that it was paid":        {record{quote: instant}, true, paying},
		"begun":                        {record{quote: instant, paying: open}, false, paying},
		"back from paying":             {record{quote: instant, paying: open}, true, confirming},
		"back from paying, too late":   {record{quote: instant, paying: open, status: quotes.Expired}, true, confirming},
		"paid":                         {record{quote: instant, paying: &checkouts.Checkout{Status: checkouts.Paid}}, false, confirming},
		"ordered":                      {record{quote: instant, paying: open, order: &orders.Order{}}, true, ordered},
		"expired":                      {record{quote: instant, status: quotes.Expired}, false, expired},
		"review, not asked for":        {record{quote: quote(quotes.ModeReview, quotes.SourcingReady)}, false, asking},
		"review, asked for":            {record{quote: quote(quotes.ModeReview, quotes.SourcingRequested)}, false, waiting},
		"review, priced":               {record{quote: quote(quotes.ModeReview, quotes.SourcingQuoted)}, false, paying},
		"review, expired unasked":      {record{quote: quote(quotes.ModeReview, quotes.SourcingReady), status: quotes.Expired}, false, expired},
		"paid, then declared":          {record{order: &orders.Order{}, withdrawn: true}, false, withdrawn},
		"an order outlives everything": {record{quote: instant, order: &orders.Order{}, status: quotes.Expired}, false, ordered},
	} {
		if got := stageOf(tt.s, tt.returned); got != tt.want {
			t.Errorf("%s: %d, want %d", name, got, tt.want)
		}
	}
}

func TestSafeURL(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"https://track.example/1": "https://track.example/1", "javascript:alert(1)": "", "//evil.example": "", "data:text/html,x": "", "": "", "http://": "", "%zz": "",
	} {
		if got := safeURL(in); got != want {
			t.Errorf("safeURL(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestOrigins(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"", "checkout.stripe.com", "https://a.example; script-src *", "https://*.example", "javascript:x", "https://a b", "https://:80"} {
		if got, err := origins([]string{bad}); err == nil {
			t.Errorf("origins(%q) = %q, want an error", bad, got)
		}
	}
	got, err := origins([]string{"https://pay.example:8443", "http://127.0.0.1:9/cards?x#y"})
	if diff := cmp.Diff([]string{"https://pay.example:8443", "http://127.0.0.1:9"}, got); err != nil || diff != "" {
		t.Errorf("origins: %v (-want +got):\n%s", err, diff)
	}
	const want = "form-action 'self' https://pay.example:8443 http://127.0.0.1:9;"
	if p := policy(got); !strings.Contains(p, want) {
		t.Errorf("policy = %q, want %q in it", p, want)
	}
}

func TestAddressIsWrittenAsThereDone(t *testing.T) {
	t.Parallel()
	countries, err := LoadCountries()
	if err != nil {
		t.Fatal(err)
	}
	p := &Pages{countries: countries}
	for country, want := range map[string]string{"US": "Springfield, CA 12345", "DE": "12345 Springfield, CA", "XX": "12345 Springfield, CA"} {
		got := p.address(shipments.ShipTo{Name: "N", Line1: "L", City: "Springfield", State: "CA", PostalCode: "12345", Country: country})
		if diff := cmp.Diff([]string{"N", "L", want, countries.Name(country)}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", country, diff)
		}
	}
}

func TestWorkingDays(t *testing.T) {
	t.Parallel()
	for words, want := range map[string]struct {
		low, high int
		ok        bool
	}{
		"7 to 9 working days from payment, build included": {7, 9, true}, "1 working day from payment": {1, 1, true}, "soon": {}, "": {},
		"9 to 7 working days": {}, "7 to x working days": {}, "7 weeks from payment": {7, 7, false}, "-1 working days x": {}, "999 working days x": {},
	} {
		low, high, ok := workingDays(words)
		if ok != want.ok || ok && (low != want.low || high != want.high) {
			t.Errorf("workingDays(%q) = %d, %d, %t, want %d, %d, %t", words, low, high, ok, want.low, want.high, want.ok)
		}
	}
}

// The page reads when boards arrive from the words that the pricing writes.
func TestDeliveryWordsAreThoseOfThePricing(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile(filepath.Join("..", "..", "..", "pricing", "internal", "offer", "words.go"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(source), `"working day") + " from payment, build included"`) {
		t.Error("the pricing writes the delivery in other words")
	}
}

func TestMaskedWords(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"Ada Lovelace": "A. L.", "": "", "José María de la Cruz": "J. M. d.", "李": "李."} {
		if got := initials(name); got != want {
			t.Errorf("initials(%q) = %q, want %q", name, got, want)
		}
	}
	for email, want := range map[string]string{"ada@example.com": "a…@example.com", "": "", "@x": "", "x": "", "é@x": "é…@x"} {
		if got := maskEmail(email); got != want {
			t.Errorf("maskEmail(%q) = %q, want %q", email, got, want)
		}
	}
}

func TestMinutes(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{time.Second: "a minute", 61 * time.Second: "2 minutes", 12 * time.Minute: "12 minutes"} {
		if got := minutes(d); got != want {
			t.Errorf("minutes(%s) = %q, want %q", d, got, want)
		}
	}
}

// What people type comes back, whatever it is.
func FuzzReadEntry(f *testing.F) {
	f.Add("Ada", "ada@example.com", "+1 415", "US", "5")
	f.Add("\x00\u202e", "a@b", "", "usa", "-1")
	f.Fuzz(func(t *testing.T, name, email, phone, country, total string) {
		e := readEntry(map[string][]string{"name": {name}, "email": {email}, "phone": {phone}, "country": {country}, "total": {total}})
		again := readEntry(map[string][]string{"name": {e.ship.Name}, "email": {e.ship.Email}, "phone": {e.ship.Phone}, "country": {e.ship.Country}})
		if again.ship != e.ship {
			t.Errorf("read %+v again as %+v, want the same", e.ship, again.ship)
		}
		if strings.ContainsAny(e.ship.Name, "\x00\u202e\n") {
			t.Errorf("kept %q, want no controls", e.ship.Name)
		}
	})
}
