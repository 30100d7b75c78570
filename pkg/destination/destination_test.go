package destination_test

import (
	"strings"
	"testing"

	"boardorder/pkg/address"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/destination"

	"github.com/google/go-cmp/cmp"
)

func book(t *testing.T) *destination.Book {
	t.Helper()
	b, err := destination.Load()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestResolve(t *testing.T) {
	t.Parallel()
	b := book(t)
	for _, tt := range []struct {
		name string
		to   *shipments.ShipTo
		want destination.Place
	}{
		{"nobody named a place", nil, destination.Place{Country: "US", Assumed: true}},
		{"an address without a country", &shipments.ShipTo{City: "Berlin"}, destination.Place{Country: "US", Assumed: true}},
		{"code", &shipments.ShipTo{Country: "DE", PostalCode: " 10115 "}, destination.Place{Country: "DE", PostalCode: "10115"}},
		{"small code", &shipments.ShipTo{Country: "de"}, destination.Place{Country: "DE"}},
		{"three letters", &shipments.ShipTo{Country: "DEU"}, destination.Place{Country: "DE"}},
		{"its own name", &shipments.ShipTo{Country: "Deutschland"}, destination.Place{Country: "DE"}},
		{"UK", &shipments.ShipTo{Country: "UK"}, destination.Place{Country: "GB"}},
		{"U.S.A. and a state's name", &shipments.ShipTo{Country: "U.S.A.", State: "new  york"}, destination.Place{Country: "US", Region: "NY"}},
		{"a state where tax does not ask for it", &shipments.ShipTo{Country: "DE", State: "Bavaria"}, destination.Place{Country: "DE"}},
		{"Canada is a country, CA a state", &shipments.ShipTo{Country: "CA", State: "QC"}, destination.Place{Country: "CA", Region: "QC"}},
		{"a ZIP code tells the state", &shipments.ShipTo{Country: "US", PostalCode: "94107-1234"}, destination.Place{Country: "US", Region: "CA", PostalCode: "94107-1234"}},
		{"Texas has a ZIP code within Oklahoma's", &shipments.ShipTo{Country: "US", PostalCode: "73301"}, destination.Place{Country: "US", Region: "TX", PostalCode: "73301"}},
		{"a Canadian code tells the province", &shipments.ShipTo{Country: "CA", PostalCode: "h2x 1y4"}, destination.Place{Country: "CA", Region: "QC", PostalCode: "h2x 1y4"}},
		{"a code of two states", &shipments.ShipTo{Country: "US", PostalCode: "42223"}, destination.Place{Country: "US", PostalCode: "42223"}},
		{"a code of two states, and one named", &shipments.ShipTo{Country: "US", State: "TN", PostalCode: "42223"}, destination.Place{Country: "US", Region: "TN", PostalCode: "42223"}},
		{"an island of another state than the land's", &shipments.ShipTo{Country: "US", PostalCode: "06390"}, destination.Place{Country: "US", Region: "NY", PostalCode: "06390"}},
		{"the far north", &shipments.ShipTo{Country: "CA", State: "NU", PostalCode: "X0A 0H0"}, destination.Place{Country: "CA", Region: "NU", PostalCode: "X0A 0H0"}},
		{"Puerto Rico is within the border", &shipments.ShipTo{Country: "PR", PostalCode: "00901"}, destination.Place{Country: "US", Region: "PR", PostalCode: "00901"}},
		{"Puerto Rico as a state", &shipments.ShipTo{Country: "US", State: "Puerto Rico"}, destination.Place{Country: "US", Region: "PR"}},
		{"a business' tax number", &shipments.ShipTo{Country: "FR", TaxID: "FR40303265045"}, destination.Place{Country: "FR", Business: true}},
		{"a person's tax number", &shipments.ShipTo{Country: "BR", TaxID: "390.533.447-05"}, destination.Place{Country: "BR"}},
	} {
		got, problems := b.Resolve(tt.to, "US")
		if diff := cmp.Diff(tt.want, got); diff != "" || problems != nil {
			t.Errorf("%s: problems %v, diff (-want +got)\n%s", tt.name, problems, diff)
		}
	}
}

func TestResolveRefusesWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	b := book(t)
	for name, tt := range map[string]struct {
		to    shipments.ShipTo
		field string
	}{
		"a code of nowhere": {shipments.ShipTo{Country: "ZZ"}, "ship_to.country"},
		"not served":        {shipments.ShipTo{Country: "CN"}, "ship_to.country"},
		"no state":          {shipments.ShipTo{Country: "US", State: "Bavaria"}, "ship_to.state"},
		"a foreign state":   {shipments.ShipTo{Country: "CA", State: "TX"}, "ship_to.state"},
	} {
		place, problems := b.Resolve(&tt.to, "US")
		if len(problems) != 1 || problems[0].Field != tt.field || problems[0].Allowed == nil || place != (destination.Place{}) {
			t.Errorf("%s: place %+v, problems %+v; want no place, one problem of %s with what is allowed", name, place, problems, tt.field)
		}
	}
}

func TestResolveTellsUnknownFromNotServed(t *testing.T) {
	t.Parallel()
	b := book(t)
	for country, want := range map[string]string{"CN": "not_served", "kp": "not_served", "ZZ": "unknown", "Atlantis": "unknown"} {
		_, problems := b.Resolve(&shipments.ShipTo{Country: country}, "US")
		if len(problems) != 1 || problems[0].Problem != want {
			t.Errorf("%s: %+v, want %s", country, problems, want)
		}
	}
}

// A price never follows from a tax number or a postal code that cannot be.
func TestResolveRefusesWhatCannotBe(t *testing.T) {
	t.Parallel()
	b := book(t)
	for name, tt := range map[string]struct {
		to   shipments.ShipTo
		want []string
	}{
		"a tax number of nothing":     {shipments.ShipTo{Country: "DE", TaxID: "xyz"}, []string{"ship_to.tax_id"}},
		"one without its check digit": {shipments.ShipTo{Country: "DE", TaxID: "DE1"}, []string{"ship_to.tax_id"}},
		"one without a country":       {shipments.ShipTo{TaxID: "DE136695976"}, []string{"ship_to.country"}},
		"a ZIP code of another state": {shipments.ShipTo{Country: "US", State: "NY", PostalCode: "94105"}, []string{"ship_to.postal_code"}},
		"a code of another province":  {shipments.ShipTo{Country: "CA", State: "AB", PostalCode: "H2X 1Y4"}, []string{"ship_to.postal_code"}},
		"a ZIP code cut short":        {shipments.ShipTo{Country: "US", State: "CA", PostalCode: "941"}, []string{"ship_to.postal_code"}},
		"a ZIP code of nowhere":       {shipments.ShipTo{Country: "US", PostalCode: "00000"}, []string{"ship_to.postal_code"}},
		"military mail":               {shipments.ShipTo{Country: "US", PostalCode: "09021"}, []string{"ship_to.postal_code"}},
		"all at once": {
			shipments.ShipTo{Country: "US", State: "Bavaria", PostalCode: "ABC", Line1: "x", TaxID: "XX"},
			[]string{"ship_to.postal_code", "ship_to.line1", "ship_to.tax_id", "ship_to.state"},
		},
	} {
		place, problems := b.Resolve(&tt.to, "US")
		var got []string
		for _, p := range problems {
			got = append(got, p.Field)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || place != (destination.Place{}) {
			t.Errorf("%s: place %+v (-want +got)\n%s", name, place, diff)
		}
	}
}

func TestNormal(t *testing.T) {
	t.Parallel()
	b := book(t)
	for _, tt := range []struct{ in, want shipments.ShipTo }{
		{shipments.ShipTo{Country: "Deutschland", State: "Bayern"}, shipments.ShipTo{Country: "DE", State: "Bayern"}},
		{shipments.ShipTo{Country: "usa", State: "new york"}, shipments.ShipTo{Country: "US", State: "NY"}},
		{shipments.ShipTo{Country: "Puerto Rico", City: "Ponce"}, shipments.ShipTo{Country: "US", State: "PR", City: "Ponce"}},
		{shipments.ShipTo{Country: "Atlantis"}, shipments.ShipTo{Country: "Atlantis"}},
		{shipments.ShipTo{}, shipments.ShipTo{}},
	} {
		if got := b.Normal(tt.in); got != tt.want {
			t.Errorf("Normal(%+v) = %+v, want %+v", tt.in, got, tt.want)
		}
	}
}

func TestUnmet(t *testing.T) {
	t.Parallel()
	b := book(t)
	full := func(country string, change func(*shipments.ShipTo)) shipments.ShipTo {
		to := shipments.ShipTo{Name: "A", Email: "a@example.com", Phone: "+1 415 555 0100", Line1: "Long Street 1", City: "C", Country: country}
		if f, ok := address.PostalFormOf(country); ok {
			to.PostalCode = f.Example
		}
		if change != nil {
			change(&to)
		}
		return to
	}
	for name, tt := range map[string]struct {
		to   shipments.ShipTo
		want []string
	}{
		"complete":             {full("US", func(s *shipments.ShipTo) { s.State = "CA" }), nil},
		"the ZIP code tells":   {full("US", nil), nil},
		"nothing tells":        {full("US", func(s *shipments.ShipTo) { s.PostalCode = "42223" }), []string{"ship_to.state"}},
		"no postal code":       {full("DE", func(s *shipments.ShipTo) { s.PostalCode = "" }), []string{"ship_to.postal_code"}},
		"Brazil wants a CPF":   {full("BR", nil), []string{"ship_to.tax_id"}},
		"Brazil has it":        {full("BR", func(s *shipments.ShipTo) { s.TaxID = "390.533.447-05" }), nil},
		"Korea wants one too":  {full("KR", nil), []string{"ship_to.tax_id"}},
		"a wrong one":          {full("KR", func(s *shipments.ShipTo) { s.TaxID = "124-81-00999" }), []string{"ship_to.tax_id"}},
		"Germany wants none":   {full("DE", nil), nil},
		"a phone that is none": {full("DE", func(s *shipments.ShipTo) { s.Phone = "x" }), []string{"ship_to.phone"}},
		"an unknown country":   {full("Atlantis", func(s *shipments.ShipTo) { s.PostalCode = "1" }), []string{"ship_to.country"}},
		"no country whatever":  {full("", func(s *shipments.ShipTo) { s.PostalCode = "1" }), []string{"ship_to.country"}},
	} {
		var got []string
		for _, p := range b.Unmet(tt.to) {
			got = append(got, p.Field)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
}

// Every country that is served has rules for its tax numbers, and for its postal
// codes if it has any.
func TestServedCountriesAreKnown(t *testing.T) {
	t.Parallel()
	for _, code := range book(t).Codes() {
		if !address.KnowsTaxIDs(code) {
			t.Errorf("%s: no tax number can be judged", code)
		}
		if _, ok := address.PostalFormOf(code); !ok && !shipments.LacksPostalCodes(code) {
			t.Errorf("%s: no postal code can be judged", code)
		}
	}
}

// Where a country's VAT does not hold, its price is not asked.
func TestOutsideTheVAT(t *testing.T) {
	t.Parallel()
	b := book(t)
	for country, codes := range map[string]string{
		"ES": "35001 38001 51001 52001 E-35001", "FR": "97100 97410 98800 F-98700", "DE": "27498 78266 D-78266", "IT": "23041 22061",
		"FI": "22100 FI-22100", "GB": "JE23AB GY1-1AA je2-3ab", "GR": "63086 630-86", "PT": "9000-001 9500-001", "DK": "3900", "NO": "9170",
	} {
		for code := range strings.FieldsSeq(codes) {
			place, problems := b.Resolve(&shipments.ShipTo{Country: country, PostalCode: code}, "US")
			if len(problems) != 1 || problems[0].Field != "ship_to.postal_code" || problems[0].Problem != "not_served" || place != (destination.Place{}) {
				t.Errorf("Resolve(%s, %s) = %+v, %+v; want no place, and ship_to.postal_code not_served", country, code, place, problems)
			}
		}
	}
	for country, codes := range map[string]string{
		"ES": "28001 36001", "FR": "75001 98000", "DE": "27499 10115", "IT": "22060 00118", "FI": "00100", "GB": "IM1-1AA SW1A-1AA GU1-1AA",
		"GR": "10431", "PT": "1000-001", "DK": "4000", "NO": "9180",
	} {
		for code := range strings.FieldsSeq(codes) {
			if place, problems := b.Resolve(&shipments.ShipTo{Country: country, PostalCode: code}, "US"); place.Country != country || problems != nil {
				t.Errorf("Resolve(%s, %s) = %+v, %+v; want a place there and no problem", country, code, place, problems)
			}
		}
	}
}
