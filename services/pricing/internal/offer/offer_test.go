package offer_test

import (
	"encoding/json"
	"errors"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/destination"
	"boardorder/pkg/fabricator"
	"boardorder/pkg/money"
	"boardorder/services/pricing/internal/exchange"
	"boardorder/services/pricing/internal/offer"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

var rates = exchange.Rates{Date: "2026-11-20", PerEUR: map[string]string{
	"USD": "1.1600", "JPY": "180.55", "GBP": "0.8800", "CHF": "0.9300", "CAD": "1.6300", "AUD": "1.7800", "BRL": "6.2000",
	"CNY": "8.2500", "CZK": "24.300", "DKK": "7.4700", "HUF": "385.00", "PLN": "4.2300", "RON": "5.0900", "SEK": "11.000",
	"NOK": "11.700", "ISK": "147.00", "TRY": "49.000", "HKD": "9.0300", "IDR": "19400", "ILS": "3.8000", "INR": "103.00",
	"KRW": "1690.0", "MXN": "21.400", "MYR": "4.8000", "NZD": "2.0300", "PHP": "68.000", "SGD": "1.5100", "THB": "37.600", "ZAR": "20.100",
}}

var loaded = sync.OnceValues(func() (*offer.Tables, error) { return offer.LoadTables(nil) })

func tables(t *testing.T) *offer.Tables {
	t.Helper()
	tab, err := loaded()
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

// price is a fabricator's answer for ten small boards.
func price() fabricator.Price {
	return fabricator.Price{
		Currency: "USD",
		Lines: []fabricator.Line{
			{Code: "engineering", Label: "Engineering", Cents: 800}, {Code: "board", Label: "Boards", Cents: 2160},
			{Code: "mask", Label: "Solder mask colour", Cents: 0}, {Code: "offer", Label: "Special offer", Cents: -150},
		},
		Builds: []fabricator.Build{
			{Hours: 96, Name: "standard", Chosen: true}, {Hours: 48, Name: "fast", Cents: 1500}, {Hours: 24, Name: "express", Cents: 4200},
		},
		Weight: 420,
	}
}

func basis(t *testing.T, p fabricator.Price, to string) offer.Basis {
	t.Helper()
	b, err := tables(t).AddPrice(offer.Basis{
		Day: "2026-11-21", Quantity: 10, BuildCount: 10, HSCode: offer.BareBoard, Origin: "CN", Rates: rates,
		Board:      quotes.BoardDetails{Layers: 2, WidthMM: 100, HeightMM: 80, ThicknessMM: 1.6, CopperOz: 1, SurfaceFinish: "hasl_lead_free", SolderMask: "Green", Material: "FR-4"},
		BoardWords: "2 layers, 100 x 80 mm, 1.6 mm thick, FR-4, 1 oz copper, lead-free HASL, green mask",
	}, p, to)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestWholeReplies(t *testing.T) {
	t.Parallel()
	withShipping := price()
	withShipping.Shipping = []fabricator.Shipping{
		{ID: "EMS", Carrier: "EMS", Service: "Post", Cents: 1200, DaysMin: 10, DaysMax: 18},
		{ID: "DHL", Carrier: "DHL", Service: "Express", Cents: 2310, DaysMin: 3, DaysMax: 5},
	}
	for name, tt := range map[string]struct {
		price  fabricator.Price
		to     string
		change func(*offer.Basis)
		choice offer.Choice
	}{
		"us_assumed":       {price: price(), choice: offer.Choice{Place: destination.Place{Country: "US", Assumed: true}}},
		"us_california":    {price: price(), choice: offer.Choice{Place: destination.Place{Country: "US", Region: "CA"}}},
		"de_consumer":      {price: price(), choice: offer.Choice{Place: destination.Place{Country: "DE"}}},
		"jp_express_build": {price: price(), choice: offer.Choice{Place: destination.Place{Country: "JP"}, BuildHours: 24, ShippingID: "asia_near_dhl_express"}},
		"ca_no_province":   {price: price(), choice: offer.Choice{Place: destination.Place{Country: "CA"}}},
		"gb_fabricators_shipping": {price: withShipping, to: "GB", choice: offer.Choice{Place: destination.Place{Country: "GB"}, ShippingID: "DHL"},
			change: func(b *offer.Basis) { b.Quantity, b.BuildCount = 3, 5 }},
		"hk_free": {price: price(), choice: offer.Choice{Place: destination.Place{Country: "HK"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := basis(t, tt.price, tt.to)
			if tt.change != nil {
				tt.change(&b)
			}
			o, err := tables(t).Price(b, tt.choice)
			if err != nil {
				t.Fatal(err)
			}
			reply := quotes.Reply{}
			o.Fill(&reply)
			golden(t, name, reply)
		})
	}
}

func golden(t *testing.T, name string, got any) {
	t.Helper()
	data, err := json.MarshalIndent(got, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", name+".json")
	if *update {
		if err := os.WriteFile(path, append(data, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(data)+"\n"); diff != "" {
		t.Errorf("%s (-want +got)\n%s", path, diff)
	}
}

// random is a basis that no person would think of.
func random(t *testing.T, r *rand.Rand) offer.Basis {
	t.Helper()
	p := price()
	p.Lines = nil
	for range 1 + r.IntN(6) {
		p.Lines = append(p.Lines, fabricator.Line{Code: "board", Label: "Boards", Cents: 1 + r.Int64N(1_000_000)})
	}
	p.Builds[1].Cents, p.Builds[2].Cents = r.Int64N(50_000), r.Int64N(90_000)
	p.Weight = 1 + r.Int64N(15_000)
	b := basis(t, p, "")
	b.Quantity = 1 + r.IntN(100_000)
	b.BuildCount = b.Quantity
	return b
}

func TestLinesAddUpAlways(t *testing.T) {
	t.Parallel()
	tab, r := tables(t), rand.New(rand.NewPCG(5, 6))
	codes := tab.Places.Codes()
	for range 1500 {
		b := random(t, r)
		c := offer.Choice{Place: destination.Place{Country: codes[r.IntN(len(codes))], Business: r.IntN(2) == 0}}
		o, err := tab.Price(b, c)
		if err != nil {
			t.Fatalf("Price of %+v for %+v: %v", b, c, err)
		}
		checkSums(t, o, b)
		// Every other choice costs what the offer said it would.
		w, n := o.Ways[r.IntN(len(o.Ways))], o.Builds[r.IntN(len(o.Builds))]
		if again := priceOffer(t, tab, b, c, w.ID, 0); again.TotalCents != w.TotalCents {
			t.Fatalf("%s was offered at %d and costs %d", w.ID, w.TotalCents, again.TotalCents)
		}
		if again := priceOffer(t, tab, b, c, "", n.Hours); again.TotalCents != o.TotalCents+n.AddsCents {
			t.Fatalf("a build of %d hours was to add %d to %d and costs %d", n.Hours, n.AddsCents, o.TotalCents, again.TotalCents)
		}
	}
}

func priceOffer(t *testing.T, tab *offer.Tables, b offer.Basis, c offer.Choice, way string, hours int) offer.Offer {
	t.Helper()
	c.ShippingID, c.BuildHours = way, hours
	o, err := tab.Price(b, c)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func checkSums(t *testing.T, o offer.Offer, b offer.Basis) {
	t.Helper()
	var sum int64
	for _, l := range o.Lines {
		if l.Cents < 0 || l.Label == "" || !slices.Contains(prices.ListParts(), l.Kind) || l.Basis == "" || l.Source == "" {
			t.Fatalf("a line %+v, want a label, a kind, a basis and a source, and nothing below 0", l)
		}
		sum += l.Cents
	}
	var reply quotes.Reply
	o.Fill(&reply)
	switch {
	case sum != o.TotalCents || *reply.TotalCents != sum:
		t.Fatalf("the lines make %d, want the total of %d and of the reply, %d", sum, o.TotalCents, *reply.TotalCents)
	case *reply.Total != money.Dollars(sum):
		t.Fatalf("the total reads %s, want %s", *reply.Total, money.Dollars(sum))
	case money.Divide(sum, int64(b.Quantity)) != *reply.PerBoardCents:
		t.Fatalf("%d boards for %d cents are said to cost %d each, want %d", b.Quantity, sum, *reply.PerBoardCents, money.Divide(sum, int64(b.Quantity)))
	case len(reply.Includes) != len(o.Lines):
		t.Fatalf("%d lines, %d of them in words, want as many", len(o.Lines), len(reply.Includes))
	}
	chosen := 0
	for _, s := range reply.ShippingOptions {
		if s.Chosen {
			chosen++
		}
	}
	if chosen != 1 {
		t.Fatalf("%d ways of shipping are chosen, want 1", chosen)
	}
}

// A dearer board, a heavier parcel or a faster build never costs less at the
// door, except where a law's threshold lies between the two: above it another
// rule applies, which can be the cheaper one.
func TestPriceIsMonotonic(t *testing.T) {
	t.Parallel()
	tab := tables(t)
	for _, country := range []string{"US", "CH", "IN", "AE", "MX", "ZA"} {
		var last int64
		for cents := int64(300_000); cents < 900_000; cents += 1777 {
			p := price()
			p.Lines = []fabricator.Line{{Code: "board", Label: "Boards", Cents: cents}}
			o := priceOffer(t, tab, basis(t, p, ""), offer.Choice{Place: destination.Place{Country: country}}, "", 0)
			if o.TotalCents <= last {
				t.Fatalf("%s: boards for %d cost %d, want more than the %d of cheaper ones", country, cents, o.TotalCents, last)
			}
			last = o.TotalCents
			for i, build := range o.Builds {
				if i > 0 && build.AddsCents < o.Builds[i-1].AddsCents {
					t.Fatalf("%s: the faster build is the cheaper one: %+v", country, o.Builds)
				}
			}
		}
	}
}

func TestChoicesThatDoNotExist(t *testing.T) {
	t.Parallel()
	tab, b := tables(t), basis(t, price(), "")
	for field, c := range map[string]offer.Choice{
		"ship_to.country": {Place: destination.Place{Country: "KP"}},
		"shipping_id":     {Place: destination.Place{Country: "US"}, ShippingID: "pigeon"},
		"build_hours":     {Place: destination.Place{Country: "US"}, BuildHours: 1},
	} {
		_, err := tab.Price(b, c)
		refused, ok := errors.AsType[*offer.ChoiceError](err)
		if !ok || refused.Fields[0].Field != field || refused.Fields[0].Allowed == nil {
			t.Errorf("%+v: %v, want a refusal of %s", c, err, field)
		}
	}
}

func TestRatesAreNeededWhereTheLawCountsInThem(t *testing.T) {
	t.Parallel()
	tab, b := tables(t), basis(t, price(), "")
	b.Rates = exchange.Rates{}
	if _, err := tab.Price(b, offer.Choice{Place: destination.Place{Country: "DE"}}); !errors.Is(err, exchange.ErrNoRate) {
		t.Errorf("Germany without rates: %v", err)
	}
	o, err := tab.Price(b, offer.Choice{Place: destination.Place{Country: "CH"}})
	if err != nil || o.Local != nil {
		t.Errorf("Switzerland needs no rate, and shows no francs without one: %+v, %v", o.Local, err)
	}
	const message = "The total is in US dollars alone: there is no exchange rate for CHF at the moment."
	if !slices.Contains(o.Notes, message) {
		t.Errorf("the notes do not say why: %q, want %q", o.Notes, message)
	}
	b.Rates = basis(t, price(), "").Rates
	for _, country := range []string{"DE", "US"} {
		o, err := tab.Price(b, offer.Choice{Place: destination.Place{Country: country}})
		if err != nil || strings.Contains(strings.Join(o.Notes, " "), "exchange rate") {
			t.Errorf("to %s without rates: notes %q, %v; want no word of an exchange rate", country, o.Notes, err)
		}
	}
}

func TestAnotherCountryThanTheFabricatorsShipping(t *testing.T) {
	t.Parallel()
	p := price()
	p.Shipping = []fabricator.Shipping{{ID: "EMS", Carrier: "EMS", Service: "Post", Cents: 1200, DaysMin: 10, DaysMax: 18}}
	tab, b := tables(t), basis(t, p, "US")
	here := priceOffer(t, tab, b, offer.Choice{Place: destination.Place{Country: "US"}}, "", 0)
	there := priceOffer(t, tab, b, offer.Choice{Place: destination.Place{Country: "DE"}}, "", 0)
	if here.Choice.ShippingID != "EMS" || there.Choice.ShippingID != "eu_west_fedex_economy" {
		t.Errorf("shipped by %s at home and by %s abroad; want EMS, eu_west_fedex_economy", here.Choice.ShippingID, there.Choice.ShippingID)
	}
}

// The checkout prices again from what was kept with the quote.
func TestABasisSurvivesJSON(t *testing.T) {
	t.Parallel()
	tab, b := tables(t), basis(t, price(), "")
	data, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	var kept offer.Basis
	if err := json.Unmarshal(data, &kept); err != nil {
		t.Fatal(err)
	}
	c := offer.Choice{Place: destination.Place{Country: "FR"}}
	if first, again := priceOffer(t, tab, b, c, "", 48), priceOffer(t, tab, kept, c, "", 48); first.TotalCents != again.TotalCents {
		t.Errorf("%d before, %d after; want the same", first.TotalCents, again.TotalCents)
	}
}

func TestImplausiblePrices(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*fabricator.Price){
		"no lines":                  func(p *fabricator.Price) { p.Lines = nil },
		"a negative line":           func(p *fabricator.Price) { p.Lines[0].Cents = -1 },
		"an offer beyond the price": func(p *fabricator.Price) { p.Lines[3].Cents = -5000 },
		"no build":                  func(p *fabricator.Price) { p.Builds = nil },
		"two builds chosen":         func(p *fabricator.Price) { p.Builds[1].Chosen = true },
		"a build of no time":        func(p *fabricator.Price) { p.Builds[1].Hours = 0 },
		"a rebate for haste":        func(p *fabricator.Price) { p.Builds[1].Cents = -10 },
		"express left out":          func(p *fabricator.Price) { p.Builds[0].Chosen, p.Builds[1].Chosen = false, true },
		"boards of no weight":       func(p *fabricator.Price) { p.Weight = 0 },
		"shipping into the past":    func(p *fabricator.Price) { p.Shipping = []fabricator.Shipping{{ID: "x", DaysMin: 3, DaysMax: 2}} },
	} {
		p := price()
		change(&p)
		if got, err := tables(t).AddPrice(offer.Basis{Rates: rates}, p, "US"); !errors.Is(err, offer.ErrImplausible) {
			t.Errorf("%s: AddPrice = %+v, %v; want %v", name, got, err, offer.ErrImplausible)
		}
	}
}

func TestExpressIsNotCountedTwice(t *testing.T) {
	t.Parallel()
	p := price()
	p.Lines = append(p.Lines, fabricator.Line{Code: fabricator.CodeExpress, Label: "Express", Cents: 1500})
	p.Builds[0].Chosen, p.Builds[1].Chosen = false, true
	tab := tables(t)
	c := offer.Choice{Place: destination.Place{Country: "HK"}}
	standard := priceOffer(t, tab, basis(t, price(), ""), c, "", 48)
	if fast := priceOffer(t, tab, basis(t, p, ""), c, "", 48); fast.TotalCents != standard.TotalCents {
		t.Errorf("asked for as fast %d, chosen as fast %d; want the same", fast.TotalCents, standard.TotalCents)
	}
	p.Lines[len(p.Lines)-1].Cents += 300 // what even the standard build bears
	if fast := priceOffer(t, tab, basis(t, p, ""), c, "", 48); fast.TotalCents != standard.TotalCents+300 {
		t.Errorf("with a share of 300 cents for every build %d, want 300 more than %d", fast.TotalCents, standard.TotalCents)
	}
}

func TestPricesInAnotherCurrency(t *testing.T) {
	t.Parallel()
	p := price()
	p.Currency = "CNY"
	b := basis(t, p, "")
	if got := b.Boards[1].Cents; got != 304 { // 21.60 yuan at 7.1121 for a dollar
		t.Errorf("21.60 yuan are %d cents, want 304", got)
	}
	p.Currency = "KWD"
	if _, err := tables(t).AddPrice(offer.Basis{Rates: rates}, p, "US"); !errors.Is(err, exchange.ErrNoRate) {
		t.Errorf("a currency without a rate: %v", err)
	}
}

func TestLabelsOfOthersAreCleaned(t *testing.T) {
	t.Parallel()
	p := price()
	p.Lines[0].Label = "Eng\u202eineering\x00\nfee " + strings.Repeat("x", 200)
	b := basis(t, p, "")
	if got := b.Boards[0].Label; strings.ContainsAny(got, "\u202e\x00\n") || len(got) > 80 {
		t.Errorf("label %q, want 80 bytes at most, without controls", got)
	}
}

func TestReviewReply(t *testing.T) {
	t.Parallel()
	reply := quotes.Reply{Notes: []string{"an earlier note"}}
	offer.FillReview(&reply, offer.Review{
		Quantity: 25, BoardWords: "6 layers, 50 x 50 mm", Board: &quotes.BoardDetails{Layers: 6, WidthMM: 50, HeightMM: 50},
		Reasons: []string{"special requirements were asked for", "6 oz outer copper is quoted by hand"},
	})
	golden(t, "review", reply)
}

func TestTheReviewOfAnAssemblyHasNoCustomsCodeYet(t *testing.T) {
	t.Parallel()
	var reply quotes.Reply
	offer.FillReview(&reply, offer.Review{Quantity: 5, Assembled: true, Reasons: []string{"Assembly is quoted by our team."}})
	if reply.HSCode != "" || !*reply.Assembled || reply.CustomQuoteReasons[0] != "Assembly is quoted by our team." {
		t.Errorf("reply %+v, want no customs code, it assembled, its reason", reply)
	}
}

// What an option adds is what the total grows by, tax and duty included: the
// same for ways of shipping and for faster builds.
func TestOptionsSayWhatTheyReallyAdd(t *testing.T) {
	t.Parallel()
	tab := tables(t)
	b := basis(t, price(), "")
	place := destination.Place{Country: "DE"}
	var reply quotes.Reply
	o, err := tab.Price(b, offer.Choice{Place: place})
	if err != nil {
		t.Fatal(err)
	}
	o.Fill(&reply)
	total := func(c offer.Choice) int64 {
		c.Place = place
		other, err := tab.Price(b, c)
		if err != nil {
			t.Fatal(err)
		}
		return other.TotalCents
	}
	if len(reply.ShippingOptions) < 2 || len(reply.FasterBuilds) < 2 {
		t.Fatalf("%d ways, %d builds; want 2 of each at least", len(reply.ShippingOptions), len(reply.FasterBuilds))
	}
	for _, w := range reply.ShippingOptions {
		if want := total(offer.Choice{ShippingID: w.ID}); w.TotalCents != want || w.AddsCents != want-*reply.TotalCents || w.Adds != money.Dollars(w.AddsCents) {
			t.Errorf("%s: adds %d (%s) to a total of %d, want a total of %d", w.ID, w.AddsCents, w.Adds, w.TotalCents, want)
		}
	}
	for _, f := range reply.FasterBuilds {
		if want := total(offer.Choice{BuildHours: f.BuildTimeHours}); f.TotalCents != want || f.AddsCents != want-*reply.TotalCents {
			t.Errorf("%s: adds %d to a total of %d, want a total of %d", f.Build, f.AddsCents, f.TotalCents, want)
		}
	}
}

// The words say how many come, why, and where the price is only an example.
func TestTheWordsSayTheTruth(t *testing.T) {
	t.Parallel()
	tab := tables(t)
	for name, tt := range map[string]struct {
		change  func(*offer.Basis)
		place   destination.Place
		summary string
		note    string
	}{
		"as asked":                          {nil, destination.Place{Country: "US", Region: "TX"}, "10 boards (", ""},
		"smallest lot":                      {func(b *offer.Basis) { b.Quantity, b.BuildCount = 1, 5 }, destination.Place{Country: "US", Region: "TX"}, "5 boards, the smallest lot that is built, for the 1 asked for (", "The smallest lot is 5 boards: all of them are delivered, at this price for all, though only 1 was asked for."},
		"all assembled":                     {func(b *offer.Basis) { b.Assembly.Boards = 10 }, destination.Place{Country: "US", Region: "TX"}, "10 boards", "All boards are assembled; the price of parts was found at suppliers just now"},
		"some assembled":                    {func(b *offer.Basis) { b.Quantity, b.BuildCount, b.Assembly.Boards = 2, 5, 2 }, destination.Place{Country: "US", Region: "TX"}, "5 boards", "2 of the 5 boards are assembled; the price"},
		"one assembled":                     {func(b *offer.Basis) { b.Quantity, b.BuildCount, b.Assembly.Boards = 1, 5, 1 }, destination.Place{Country: "US", Region: "TX"}, "5 boards", "1 of the 5 boards is assembled; the price"},
		"one board":                         {func(b *offer.Basis) { b.Quantity, b.BuildCount, b.Assembly.Boards = 1, 1, 1 }, destination.Place{Country: "US", Region: "TX"}, "1 board", "The board is assembled; the price"},
		"own parts":                         {func(b *offer.Basis) { b.Assembly = offer.Assembly{Boards: 10, NoParts: true} }, destination.Place{Country: "US", Region: "TX"}, "10 boards", "All boards are assembled; no parts are bought, so the price holds none."},
		"a free rate that nobody confirmed": {func(b *offer.Basis) { b.HSCode = "8537.10" }, destination.Place{Country: "JP"}, "10 boards", "Some of the duty or tax rates were not confirmed"},
		"panels":                            {func(b *offer.Basis) { b.Board.FabOptions = map[string]any{"panel_by": "customer"} }, destination.Place{Country: "US", Region: "TX"}, "10 panels (", ""},
		"nowhere":                           {nil, destination.Place{Country: "US", Assumed: true}, "delivered to the United States, as an example, since no destination was given, ", "is an example for the United States"},
	} {
		b := basis(t, price(), "")
		if tt.change != nil {
			tt.change(&b)
		}
		o, err := tab.Price(b, offer.Choice{Place: tt.place})
		if err != nil {
			t.Fatal(err)
		}
		var reply quotes.Reply
		o.Fill(&reply)
		if !strings.Contains(reply.Summary, tt.summary) || !strings.Contains(strings.Join(reply.Notes, " "), tt.note) {
			t.Errorf("%s: summary %q, notes %q; want %q, %q", name, reply.Summary, reply.Notes, tt.summary, tt.note)
		}
	}
}

func TestWhatTheFabricatorIsPaid(t *testing.T) {
	t.Parallel()
	tab, b := tables(t), basis(t, price(), "")
	o := priceOffer(t, tab, b, offer.Choice{Place: destination.Place{Country: "HK"}}, "asia_near_dhl_express", 48)
	if got, want := o.CostCents(), int64(800+2160-150+1500)+o.Ways[2].Cents; got != want {
		t.Errorf("CostCents = %d, want %d", got, want)
	}
}

func BenchmarkPrice(b *testing.B) {
	tab, err := loaded()
	if err != nil {
		b.Fatal(err)
	}
	base, err := tab.AddPrice(offer.Basis{Day: "2026-11-21", Quantity: 10, BuildCount: 10, HSCode: offer.BareBoard, Origin: "CN", Rates: rates}, price(), "")
	if err != nil {
		b.Fatal(err)
	}
	for _, country := range []string{"US", "DE"} {
		b.Run(country, func(b *testing.B) {
			for b.Loop() {
				if _, err := tab.Price(base, offer.Choice{Place: destination.Place{Country: country}}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func TestOwnTables(t *testing.T) {
	t.Parallel()
	const margin = "label,percent,min_cents,valid_from,valid_to,source,checked,certainty,note\nHandling,10,500,2026-01-01,,policy,2026-11-21,confirmed,\n"
	tab, err := offer.LoadTables(fstest.MapFS{"margin.csv": {Data: []byte(margin)}})
	if err != nil {
		t.Fatal(err)
	}
	c := offer.Choice{Place: destination.Place{Country: "HK"}}
	plain := priceOffer(t, tables(t), basis(t, price(), ""), c, "", 0)
	if own := priceOffer(t, tab, basis(t, price(), ""), c, "", 0); own.TotalCents != plain.TotalCents+500 {
		t.Errorf("%d with a margin of at least $5.00, %d without; want 500 more", own.TotalCents, plain.TotalCents)
	}
	if _, err := offer.LoadTables(fstest.MapFS{"tax.csv": {Data: []byte("nonsense")}}); err == nil {
		t.Error("a broken table of the operator was passed over in silence")
	}
}
