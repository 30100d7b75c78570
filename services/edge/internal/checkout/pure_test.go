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
	"boardorder/pkg/contract/wording"
	"boardorder/pkg/language"
	"boardorder/pkg/phrase"

	"github.com/google/go-cmp/cmp"
)

// TestCountriesInEachLanguage: names and order are the language's; English keeps those of the list.
func TestCountriesInEachLanguage(t *testing.T) {
	t.Parallel()
	countries, err := LoadCountries()
	if err != nil {
		t.Fatal(err)
	}
	for code, want := range map[string]struct{ germany, austria, first string }{
		"en": {"Germany", "Austria", "Australia"}, "de": {"Deutschland", "Österreich", "Australien"}, "fr": {"Allemagne", "Autriche", "Afrique du Sud"},
		"es": {"Alemania", "Austria", "Alemania"}, "it": {"Germania", "Austria", "Arabia Saudita"}, "ja": {"ドイツ", "オーストリア", "アイスランド"}, "zh-Hans": {"德国", "奥地利", "阿拉伯联合酋长国"},
	} {
		own := countries.Translate(language.Find(code))
		if len(own) != len(countries) {
			t.Errorf("%s has %d countries, want %d", code, len(own), len(countries))
		}
		if got := [3]string{own.Name("DE"), own.Name("AT"), own[0].Name}; got != [3]string{want.germany, want.austria, want.first} {
			t.Errorf("%s: %q, want %q", code, got, want)
		}
		for _, c := range own {
			if code != language.English && (c.Name == c.Code || c.TheName != c.Name) {
				t.Errorf("%s calls %s %q, %q", code, c.Code, c.Name, c.TheName)
			}
		}
	}
}

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
	l := language.Find("en")
	p := &Pages{countries: map[string]Countries{"en": countries}}
	for country, want := range map[string]string{"US": "Springfield, CA 12345", "DE": "12345 Springfield, CA", "XX": "12345 Springfield, CA"} {
		got := p.address(l, shipments.ShipTo{Name: "N", Line1: "L", City: "Springfield", State: "CA", PostalCode: "12345", Country: country})
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
	for d, want := range map[time.Duration]string{time.Second: "wait a minute and", 61 * time.Second: "wait 2 minutes and", 12 * time.Minute: "wait 12 minutes and"} {
		if got := minutes(d); !strings.Contains(got, want) {
			t.Errorf("minutes(%s) = %q, want %q", d, got, want)
		}
	}
}

// TestStateField: what an address holds between its town and its country is called as there,
// and is not asked for where no address has it.
func TestStateField(t *testing.T) {
	t.Parallel()
	for country, want := range map[string]inputView{
		"JP": {Label: "Prefecture", Plain: true}, "DE": {Label: "State, province or region", Hint: "If the address has one.", Hidden: true},
		"IT": {Label: "State, province or region", Hint: "If the address has one."}, "US": {Label: "State, province or region", Hint: "By name or two-letter code.", Needed: true},
	} {
		got := inputView{Name: "state", Label: "State, province or region"}
		got.adapt(language.Find("en"), Country{Code: country, Region: country == "US"})
		if got.Name = ""; got.Label != want.Label || got.Hint != want.Hint || got.Plain != want.Plain || got.Hidden != want.Hidden || got.Needed != want.Needed {
			t.Errorf("%s: %+v, want %+v", country, got, want)
		}
	}
}

// TestWideInput: what a Japanese keyboard writes is taken, shown and kept in plain characters.
func TestWideInput(t *testing.T) {
	t.Parallel()
	e := readEntry(map[string][]string{
		"quantity": {"３０"}, "name": {"山田　太郎"}, "line1": {"渋谷２−１"}, "country": {"ｊｐ"}, "postal_code": {"〒１５０ー０００２"}, "email": {"taro＠example.co.jp"}, "phone": {"０３−１２３４−５６７８"}, "tax_id": {"Ｔ１２３"},
	})
	want := shipments.ShipTo{Name: "山田 太郎", Line1: "渋谷２−１", Country: "JP", PostalCode: "150-0002", Email: "taro@example.co.jp", Phone: "03-1234-5678", TaxID: "T123"}
	if e.ship != want || e.boards != 30 || e.typed != "30" || len(e.problems) > 0 {
		t.Errorf("read %+v, %d boards of %q, problems %v; want %+v, 30 of 30, none", e.ship, e.boards, e.typed, e.problems, want)
	}
}

// What people type comes back, whatever it is.
func FuzzReadEntry(f *testing.F) {
	f.Add("Ada", "ada@example.com", "+1 415", "US", "5")
	f.Add("ｶﾞ", "ｶﾞ＠ｂ", "１ー２", "ｊｐ", "５")
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

// TestArrival: the day of a table, and the sentence beside the price, from the words sold.
func TestArrival(t *testing.T) {
	t.Parallel()
	l := language.Find(language.English)
	friday := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	for words, want := range map[string][2]string{
		"7 to 9 working days from payment, build included": {"1 to 3 Dec", "between Tuesday, 1 December 2026 and Thursday, 3 December 2026"},
		"5 to 9 working days from payment, build included": {"27 Nov to 3 Dec", "between Friday, 27 November 2026 and Thursday, 3 December 2026"},
		"1 working day from payment":                       {"23 Nov", "on Monday, 23 November 2026"},
		"soon":                                             {"", ""},
		"":                                                 {"", ""},
	} {
		if short, long := shortArrival(l, words, friday), Arrival(l, words, friday); short != want[0] || long != want[1] {
			t.Errorf("%q, paid on a Friday, arrives %q, %q; want %q, %q", words, short, long, want[0], want[1])
		}
	}
}

// TestReadyDay: of boards of which nobody knows how long the parcel takes the day is said on
// which they leave, and none on which they arrive.
func TestReadyDay(t *testing.T) {
	t.Parallel()
	l := language.Find(language.English)
	friday := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	words := wording.ReadyToShip(5)
	if got := readyDay(l, words, friday); got != "Friday, 27 November 2026" || Arrival(l, words, friday)+shortArrival(l, words, friday) != "" {
		t.Errorf("%q, paid on a Friday, leaves %q and arrives %q; want a week later, and no day", words, got, Arrival(l, words, friday))
	}
	if got := readyDay(l, "7 to 9 working days from payment, build included", friday); got != "" {
		t.Errorf("boards with a way to the door leave %q, want it not said", got)
	}
	for _, l := range language.List() {
		if got := phrase.Translate(l, words); l.Code != language.English && got == words {
			t.Errorf("%q has no %s", words, l.Name)
		}
	}
	placed := orders.Order{Status: orders.InProduction, Delivery: words, PaidAt: friday}
	if got := leavingWords(l, placed); got != "Friday, 27 November 2026" {
		t.Errorf("an order in production leaves %q, want the day", got)
	}
	if placed.Status = orders.Shipped; leavingWords(l, placed) != "" {
		t.Errorf("an order that has left leaves %q", leavingWords(l, placed))
	}
}

// TestReadersCountryStandsFirst: apart from the others, and once.
func TestReadersCountryStandsFirst(t *testing.T) {
	t.Parallel()
	countries, err := LoadCountries()
	if err != nil {
		t.Fatal(err)
	}
	for code, want := range map[string]bool{"DE": true, "US": true, "CN": false, "": false} {
		got, lifted := countries.Lift(code)
		if lifted != want || len(got) != len(countries) || (got[0].Code == code) != want {
			t.Errorf("Lift(%q): first of %d %s, %t; want %t, of %d", code, len(got), got[0].Code, lifted, want, len(countries))
		}
	}
	if countries[0].Code == "DE" || countries[0].Code == "US" {
		t.Errorf("the list itself begins with %s now", countries[0].Code)
	}
}
