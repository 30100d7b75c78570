package digikey

import (
	"encoding/json"
	"testing"
	"time"

	"boardorder/services/part-sourcing/internal/part"

	"github.com/google/go-cmp/cmp"
)

func parse(t *testing.T, text string) (p product) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return p
}

// TestOffer: every field of an offer is where the API's reference says that it stands.
func TestOffer(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	c, err := New(Config{URL: "https://distributor.example", ClientID: "a", ClientSecret: "b", Name: "distributor_a", Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	got := c.offers(parse(t, `{
		"ManufacturerProductNumber": "QX358", "Manufacturer": {"Id": 1, "Name": "Quixotic"},
		"Description": {"ProductDescription": "IC OPAMP 2 CIRCUIT 8SO", "DetailedDescription": "longer"},
		"ProductUrl": "https://distributor.example/qx358", "DatasheetUrl": "//maker.example/qx358.pdf",
		"ProductStatus": {"Id": 0, "Status": "Active"}, "ManufacturerLeadWeeks": "6",
		"Parameters": [{"ParameterId": 16, "ParameterText": "Package / Case", "ValueText": "8-SOIC (0.154\")"}, {"ParameterId": 1291, "ParameterText": "Supplier Device Package", "ValueText": "8-SO"}],
		"Classifications": {"RohsStatus": "ROHS3 Compliant", "ExportControlClassNumber": "EAR99", "HtsusCode": "8542.33.0001"},
		"ProductVariations": [
			{"DigiKeyProductNumber": "QX358TR-ND", "PackageType": {"Name": "Tape & Reel (TR)"}, "QuantityAvailableforPackageType": 7000, "MinimumOrderQuantity": 2500,
				"StandardPricing": [{"BreakQuantity": 2500, "UnitPrice": 0.0721}, {"BreakQuantity": 5000, "UnitPrice": 0.068}]},
			{"DigiKeyProductNumber": "QX358DKR-ND", "PackageType": {"Name": "Digi-Reel®"}, "QuantityAvailableforPackageType": 7000, "MinimumOrderQuantity": 1, "DigiReelFee": 7,
				"StandardPricing": [{"BreakQuantity": 1, "UnitPrice": 0.25}]},
			{"DigiKeyProductNumber": "other-ND", "MarketPlace": true, "QuantityAvailableforPackageType": 9}
		]}`))
	common := part.Offer{
		Source: "distributor_a", Supplier: "DigiKey", MPN: "QX358", Manufacturer: "Quixotic", Description: "IC OPAMP 2 CIRCUIT 8SO", Package: "8-SO", Stock: 7000, At: now,
		LeadDays: 42, Lifecycle: part.Active, RoHS: "ROHS3 Compliant", ECCN: "EAR99", HTS: "8542.33.0001", URL: "https://distributor.example/qx358", Authorized: true, Datasheet: "https://maker.example/qx358.pdf",
	}
	reel, cut := common, common
	reel.SKU, reel.Packaging, reel.Minimum, reel.Multiple, reel.Breaks = "QX358TR-ND", "Tape & Reel (TR)", 2500, 2500, []part.Break{{Quantity: 2500, Price: 72_100}, {Quantity: 5000, Price: 68_000}}
	cut.SKU, cut.Packaging, cut.Minimum, cut.Multiple, cut.Breaks, cut.Fee = "QX358DKR-ND", "Digi-Reel®", 1, 1, []part.Break{{Quantity: 1, Price: 250_000}}, 700
	if d := cmp.Diff([]part.Offer{reel, cut}, got); d != "" {
		t.Errorf("the offers of a product of two packagings and a market place (-want +got)\n%s", d)
	}
}

// TestPackaging: what one packaging says of stock, of how much must be taken, of prices and of
// fees, each at its bounds. Prices are in millionths of a dollar, fees in cents, rounded half to even.
func TestPackaging(t *testing.T) {
	t.Parallel()
	c := client(t)
	for rule, tt := range map[string]struct {
		variation                     string
		stock, minimum, multiple, fee int64
		breaks                        []part.Break
	}{
		"nothing is said":                      {`{}`, 0, 1, 1, 0, nil},
		"stock":                                {`{"QuantityAvailableforPackageType": 12}`, 12, 1, 1, 0, nil},
		"stock below none is none":             {`{"QuantityAvailableforPackageType": -3}`, 0, 1, 1, 0, nil},
		"more than one customer may buy":       {`{"QuantityAvailableforPackageType": 500, "MaxQuantityForDistribution": 400}`, 400, 1, 1, 0, nil},
		"less than one customer may buy":       {`{"QuantityAvailableforPackageType": 300, "MaxQuantityForDistribution": 400}`, 300, 1, 1, 0, nil},
		"a limit of none is no limit":          {`{"QuantityAvailableforPackageType": 300, "MaxQuantityForDistribution": 0}`, 300, 1, 1, 0, nil},
		"a minimum of none is one":             {`{"MinimumOrderQuantity": 0}`, 0, 1, 1, 0, nil},
		"a minimum is no multiple":             {`{"MinimumOrderQuantity": 10}`, 0, 10, 1, 0, nil},
		"of a reel it is":                      {`{"MinimumOrderQuantity": 3000, "PackageType": {"Name": "Tape & Reel (TR)"}}`, 0, 3000, 3000, 0, nil},
		"a pack of the maker's is no multiple": {`{"MinimumOrderQuantity": 1, "StandardPackage": 3000, "PackageType": {"Name": "Cut Tape (CT)"}}`, 0, 1, 1, 0, nil},
		"a fee in dollars":                     {`{"DigiReelFee": 7.00}`, 0, 1, 1, 700, nil},
		"a fee of half a cent below an even":   {`{"DigiReelFee": 7.015}`, 0, 1, 1, 702, nil},
		"a fee of half a cent above an even":   {`{"DigiReelFee": 7.025}`, 0, 1, 1, 702, nil},
		"a fee of nearly a cent":               {`{"DigiReelFee": 0.009}`, 0, 1, 1, 1, nil},
		"a fee below none":                     {`{"DigiReelFee": -7}`, 0, 1, 1, 0, nil},
		"prices of ours beat those of all": {`{"StandardPricing": [{"BreakQuantity": 1, "UnitPrice": 0.5}], "MyPricing": [{"BreakQuantity": 1, "UnitPrice": 0.4}]}`, 0, 1, 1, 0,
			[]part.Break{{Quantity: 1, Price: 400_000}}},
		"a price below a millionth is rounded":   {`{"StandardPricing": [{"BreakQuantity": 1, "UnitPrice": 0.0125005}]}`, 0, 1, 1, 0, []part.Break{{Quantity: 1, Price: 12_500}}},
		"one wrong price and none is believed":   {`{"StandardPricing": [{"BreakQuantity": 1, "UnitPrice": 0.5}, {"BreakQuantity": 10, "UnitPrice": -0.4}]}`, 0, 1, 1, 0, nil},
		"a price of nothing":                     {`{"StandardPricing": [{"BreakQuantity": 1, "UnitPrice": 0}]}`, 0, 1, 1, 0, nil},
		"quantities that do not ascend":          {`{"StandardPricing": [{"BreakQuantity": 10, "UnitPrice": 0.4}, {"BreakQuantity": 10, "UnitPrice": 0.3}]}`, 0, 1, 1, 0, nil},
		"counts as text, thousands set apart":    {`{"QuantityAvailableforPackageType": "1,200", "MinimumOrderQuantity": "10"}`, 1200, 10, 1, 0, nil},
		"figures that are missing are no figure": {`{"QuantityAvailableforPackageType": null, "MinimumOrderQuantity": null, "StandardPricing": null}`, 0, 1, 1, 0, nil},
	} {
		got := c.offers(parse(t, `{"ProductVariations": [`+tt.variation+`]}`))
		if len(got) != 1 {
			t.Errorf("%s: %s gives %d offers, want 1", rule, tt.variation, len(got))
			continue
		}
		o := got[0]
		if o.Stock != tt.stock || o.Minimum != tt.minimum || o.Multiple != tt.multiple || o.Fee != tt.fee || cmp.Diff(tt.breaks, o.Breaks) != "" {
			t.Errorf("%s: %s gives stock %d, minimum %d, multiple %d, fee %d, prices %v; want %d, %d, %d, %d, %v",
				rule, tt.variation, o.Stock, o.Minimum, o.Multiple, o.Fee, o.Breaks, tt.stock, tt.minimum, tt.multiple, tt.fee, tt.breaks)
		}
	}
	if got := c.offers(parse(t, `{"ProductVariations": [`+"{}"+repeat(",{}", 30)+`]}`)); len(got) != 20 {
		t.Errorf("31 packagings give %d offers, want the first 20", len(got))
	}
}

func repeat(text string, n int) (out string) {
	for range n {
		out += text
	}
	return out
}

// TestLifecycle: the statuses of the API, of which the gravest counts; that the distributor gives
// a part up says nothing of its maker.
func TestLifecycle(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]part.Lifecycle{
		`{"ProductStatus": {"Status": "Active"}}`:                                    part.Active,
		`{"ProductStatus": {"Status": "Preliminary"}}`:                               part.Active,
		`{"ProductStatus": {"Status": "Not For New Designs"}}`:                       part.NRND,
		`{"ProductStatus": {"Status": "Last Time Buy"}}`:                             part.LastTimeBuy,
		`{"ProductStatus": {"Status": "Obsolete"}}`:                                  part.Obsolete,
		`{"ProductStatus": {"Status": "Discontinued at Digi-Key"}}`:                  part.Unstated,
		`{"ProductStatus": {"Status": "Active"}, "EndOfLife": true}`:                 part.EOL,
		`{"ProductStatus": {"Status": "Not For New Designs"}, "EndOfLife": true}`:    part.EOL,
		`{"ProductStatus": {"Status": "Last Time Buy"}, "EndOfLife": true}`:          part.LastTimeBuy,
		`{"ProductStatus": {"Status": "Obsolete"}, "EndOfLife": true}`:               part.Obsolete,
		`{"ProductStatus": {"Status": "Discontinued at DigiKey"}, "EndOfLife":true}`: part.EOL,
		`{"ProductStatus": {"Status": "Inactive"}}`:                                  part.Unstated,
		`{}`: part.Unstated,
	} {
		p := parse(t, text)
		if got := p.lifecycle(); got != want {
			t.Errorf("%s is %q, want %q", text, got, want)
		}
	}
}

// TestWeeks: lead times in weeks are given in days; what nobody would wait for is unknown.
func TestWeeks(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"12": 84, "12 Weeks": 84, " 6 weeks ": 42, "0": 0, "1": 7, "300": 2100, "301": -1, "-1": -1, "": -1, "soon": -1, "weeks 12": -1, "99999999999999999999": -1,
	} {
		if got := weeks(text); got != want {
			t.Errorf("weeks(%q) = %d days, want %d", text, got, want)
		}
	}
}

// TestParameter: of several parameters the first that says something is taken, in the order in
// which they are asked for.
func TestParameter(t *testing.T) {
	t.Parallel()
	p := parse(t, `{"Parameters": [
		{"ParameterId": "16", "ParameterText": "Package / Case", "ValueText": "0402 (1005 Metric)"},
		{"ParameterId": 1291, "ParameterText": "Supplier Device Package", "ValueText": "-"},
		{"ParameterId": 2, "ParameterText": "Empty", "ValueText": ""},
		{"ParameterId": 2, "ParameterText": "Full", "ValueText": "filled"}]}`)
	for _, tt := range []struct {
		ids  []int
		want string
	}{
		{[]int{16}, "0402 (1005 Metric)"}, {[]int{1291, 16}, "0402 (1005 Metric)"}, {[]int{1291}, ""}, {[]int{2}, "filled"}, {[]int{2, 16}, "filled"}, {[]int{7}, ""}, {nil, ""},
	} {
		if got := p.parameter(tt.ids...); got != tt.want {
			t.Errorf("parameter(%v) = %q, want %q", tt.ids, got, tt.want)
		}
	}
}
