package openfab

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/fabricator"
)

func client(t *testing.T) *Client {
	t.Helper()
	c, err := New(Config{URL: "https://fabricator.test", AppID: "a", AccessKey: "b", SecretKey: "c"})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// An answer as the live API is known to give it: costs as strings of four
// decimals, days in words, one build checked.
const liveAnswer = `{
 "orderTotalWeight": 166000, "priceWithoutFreight": 4423.40, "weight": 166,
 "pcbCostInfo": {"projectFee": 8, "spellFee": 0, "adornPutFee": 253.10, "stencilFee": 3729.40, "testsFee": 430.10, "fillFee": 2.80,
  "achieveFee": 0, "dummyMoney": 4423.40, "specialMoney": 0, "totalFee": 4423.40, "specialFlag": false},
 "serviceConfigFeeInfo": [{"serviceConfigCode": "CPF", "serviceConfigShow": "Confirm Production file", "serviceFee": 1.05}],
 "shipList": [
  {"options": "UPS EXPRESS", "showOptions": "UPS Worldwide Express Saver", "cost": "986.7500", "day": "6-9 business days"},
  {"options": "Sea Shipment", "showOptions": "Sea Shipment", "cost": "378.8100", "day": "25-35 business days"}],
 "achieveDateList": [
  {"achieveName": "5-6 days", "achieveDate": "120", "achieveChecked": "checked", "achievePrice": 0},
  {"achieveName": "3-4 days", "achieveDate": "70", "achieveChecked": "", "achievePrice": 0}]}`

func believe(t *testing.T, answer string, hours int) (fabricator.Price, error) {
	t.Helper()
	var r priceReply
	if err := json.Unmarshal([]byte(answer), &r); err != nil {
		return fabricator.Price{}, err
	}
	return client(t).believe(r, priceRequest{AchieveDate: hours, Country: "US"})
}

func TestLiveAnswer(t *testing.T) {
	t.Parallel()
	got, err := believe(t, liveAnswer, 120)
	if err != nil {
		t.Fatal(err)
	}
	want := fabricator.Price{
		Currency: "USD",
		Lines: []fabricator.Line{
			{Code: "engineering", Label: "Engineering", Cents: 800}, {Code: "board", Label: "Boards", Cents: 372940},
			{Code: "surface_finish", Label: "Surface finish", Cents: 25310}, {Code: "film", Label: "Film", Cents: 280}, {Code: "test", Label: "Electrical test", Cents: 43010},
		},
		Builds: []fabricator.Build{{Hours: 70, Name: "3-4 days"}, {Hours: 120, Name: "5-6 days", Chosen: true}},
		Shipping: []fabricator.Shipping{
			{ID: "Sea Shipment", Carrier: "Sea Shipment", Service: "Sea Shipment", Cents: 37881, DaysMin: 25, DaysMax: 35},
			{ID: "UPS EXPRESS", Carrier: "UPS", Service: "UPS Worldwide Express Saver", Cents: 98675, DaysMin: 6, DaysMax: 9},
		},
		Weight: 166000, Source: "openfab",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("price (-want +got):\n%s", diff)
	}
}

// One thing wrong in an otherwise good answer makes it no price.
func TestNonsenseIsNotBelieved(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, from, to string }{
		{"negative total", `"priceWithoutFreight": 4423.40`, `"priceWithoutFreight": -4423.40`},
		{"no total", `"priceWithoutFreight": 4423.40`, `"x": 0`},
		{"total off by a cent", `"priceWithoutFreight": 4423.40`, `"priceWithoutFreight": 4423.41`},
		{"negative part", `"fillFee": 2.80`, `"fillFee": -2.80`},
		{"part not counted", `"fillFee": 2.80`, `"fillFee": 2.70`},
		{"unknown part that breaks the sum", `"fillFee": 2.80`, `"fillFee": 2.80, "magicFee": 3`},
		{"cost is no number", `"fillFee": 2.80`, `"fillFee": "much"`},
		{"cost in exponents", `"fillFee": 2.80`, `"fillFee": 2.8e0`},
		{"no weight", `"orderTotalWeight": 166000`, `"orderTotalWeight": 0`},
		{"weight of a ship", `"orderTotalWeight": 166000`, `"orderTotalWeight": 166000000`},
		{"negative shipping", `"986.7500"`, `"-986.7500"`},
		{"days in words only", `"6-9 business days"`, `"soon"`},
		{"days backwards", `"6-9 business days"`, `"9-6 business days"`},
		{"asked build is missing", `"achieveDate": "120"`, `"achieveDate": "121"`},
		{"build of no hours", `"achieveDate": "70"`, `"achieveDate": "0"`},
		{"negative build", `"achievePrice": 0},`, `"achievePrice": -1},`},
		{"another currency", `"weight": 166,`, `"currency": "CNY",`},
		{"offer that nobody announced", `"stencilFee": 3729.40`, `"stencilFee": 9729.40`},
	}
	for _, tt := range tests {
		bad := strings.Replace(liveAnswer, tt.from, tt.to, 1)
		if bad == liveAnswer {
			t.Fatalf("%s: nothing was changed", tt.name)
		}
		if p, err := believe(t, bad, 120); err == nil {
			t.Errorf("%s: believed %+v", tt.name, p)
		}
	}
}

func TestSpecialOfferIsALine(t *testing.T) {
	t.Parallel()
	s := strings.NewReplacer(`"priceWithoutFreight": 4423.40`, `"priceWithoutFreight": 4000`, `"specialFlag": false`, `"specialFlag": true`).Replace(liveAnswer)
	// With an offer the services are tried as parts first, since the sum is
	// not the total; the offer covers them.
	p, err := believe(t, s, 120)
	if err != nil {
		t.Fatal(err)
	}
	if last := p.Lines[len(p.Lines)-1]; last.Code != fabricator.CodeOffer || p.Boards() != 400000 {
		t.Errorf("lines %+v add up to %d, want 400000 with the offer last", p.Lines, p.Boards())
	}
}

func TestServicesThatAreParts(t *testing.T) {
	t.Parallel()
	s := strings.Replace(liveAnswer, `"priceWithoutFreight": 4423.40`, `"priceWithoutFreight": 4424.45`, 1)
	p, err := believe(t, s, 120)
	if err != nil {
		t.Fatal(err)
	}
	if last := p.Lines[len(p.Lines)-1]; last.Code != "service_CPF" || last.Cents != 105 || p.Boards() != 442445 {
		t.Errorf("lines %+v, want the service's 105 cents last", p.Lines)
	}
}

// Parts of fractions of a cent still add up to the total's cents.
func TestFractionsAddUp(t *testing.T) {
	t.Parallel()
	s := strings.NewReplacer(`"projectFee": 8`, `"projectFee": 8.004`, `"fillFee": 2.80`, `"fillFee": 2.804`, `"testsFee": 430.10`, `"testsFee": 430.104`,
		`"priceWithoutFreight": 4423.40`, `"priceWithoutFreight": 4423.41`).Replace(liveAnswer)
	p, err := believe(t, s, 120)
	if err != nil || p.Boards() != 442341 {
		t.Errorf("boards cost %d, %v; want 442341", p.Boards(), err)
	}
}

func TestTimes(t *testing.T) {
	t.Parallel()
	want := time.Date(2025, 6, 26, 7, 30, 0, 0, time.UTC)
	for _, s := range []string{"2025-06-26T15:30:00+08:00", "2025-06-26 15:30:00"} {
		if got := parseTime(s); !got.Equal(want) {
			t.Errorf("parseTime(%q) = %v, want %v", s, got, want)
		}
	}
	if got := parseTime("yesterday"); !got.IsZero() {
		t.Errorf("parseTime(yesterday) = %v, want zero", got)
	}
}

func TestConfigNamesWhatIsWrong(t *testing.T) {
	t.Parallel()
	_, err := New(Config{URL: "fabricator", AppID: "a\"b", AccessKey: "k"})
	for _, want := range []string{"URL", "app id", "secret key"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("New: %v, want it to name the %s", err, want)
		}
	}
}

// Every documented code says what to do: none is left to chance.
func TestCodes(t *testing.T) {
	t.Parallel()
	tests := map[int]fabricator.Kind{
		1000: fabricator.Internal, 1001: fabricator.Internal, 1002: fabricator.Unavailable, 1003: fabricator.Unavailable,
		2000: fabricator.Internal, 2001: fabricator.Files, 2005: fabricator.NotFound, 2006: fabricator.Files, 2099: fabricator.Refused,
		2116: fabricator.Review, 2117: fabricator.Review, 2302: fabricator.Shipment, 2400: fabricator.Shipment, 2501: fabricator.Unavailable,
		2601: fabricator.Review, 2704: fabricator.Refused, 2805: fabricator.Refused, 3004: fabricator.Refused, 5000: fabricator.Review, 5001: fabricator.Files,
		98765: fabricator.Unavailable,
	}
	for code, want := range tests {
		if got := (request{}).refusal(code, "", "").Kind; got != want {
			t.Errorf("code %d is %s, want %s", code, got, want)
		}
	}
	for code, f := range fields {
		if f.Field == "" || f.Message == "" {
			t.Errorf("code %d names no field or says nothing", code)
		}
	}
	if got := (request{create: true}).refusal(1003, "", "").Kind; got != fabricator.Unknown {
		t.Errorf("a server error after a create is %s, want unknown", got)
	}
	if got := (request{create: true}).refusal(1002, "", "").Kind; got != fabricator.Unavailable {
		t.Errorf("too many creates are %s, want unavailable", got)
	}
}

func FuzzPriceReply(f *testing.F) {
	f.Add([]byte(liveAnswer))
	f.Add([]byte(`{"pcbCostInfo":{"x":1e9}}`))
	c, err := New(Config{URL: "https://fabricator.test", AppID: "a", AccessKey: "b", SecretKey: "c"})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var r priceReply
		if json.Unmarshal(data, &r) != nil {
			return
		}
		p, err := c.believe(r, priceRequest{AchieveDate: 120})
		if err != nil {
			return
		}
		if err := p.Check(); err != nil {
			t.Errorf("believed what does not check: %v", err)
		}
		if due := cents(r.Due.Decimal); p.Boards() != due {
			t.Errorf("lines add up to %d, want the total, %d", p.Boards(), due)
		}
	})
}
