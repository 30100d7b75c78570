package destination_test

import (
	"testing"

	"boardorder/pkg/contract"
	"boardorder/services/pricing/internal/destination"

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
		to   *contract.ShipTo
		want destination.Place
	}{
		{"nobody named a place", nil, destination.Place{Country: "US", Assumed: true}},
		{"an address without a country", &contract.ShipTo{City: "Berlin"}, destination.Place{Country: "US", Assumed: true}},
		{"code", &contract.ShipTo{Country: "DE", PostalCode: " 10115 "}, destination.Place{Country: "DE", PostalCode: "10115"}},
		{"small code", &contract.ShipTo{Country: "de"}, destination.Place{Country: "DE"}},
		{"three letters", &contract.ShipTo{Country: "DEU"}, destination.Place{Country: "DE"}},
		{"its own name", &contract.ShipTo{Country: "Deutschland"}, destination.Place{Country: "DE"}},
		{"UK", &contract.ShipTo{Country: "UK"}, destination.Place{Country: "GB"}},
		{"U.S.A. and a state's name", &contract.ShipTo{Country: "U.S.A.", State: "new  york"}, destination.Place{Country: "US", Region: "NY"}},
		{"a state where tax does not ask for it", &contract.ShipTo{Country: "DE", State: "Bavaria"}, destination.Place{Country: "DE"}},
		{"Canada is a country, CA a state", &contract.ShipTo{Country: "CA", State: "QC"}, destination.Place{Country: "CA", Region: "QC"}},
		{"a ZIP code tells the state", &contract.ShipTo{Country: "US", PostalCode: "94107-1234"}, destination.Place{Country: "US", Region: "CA", PostalCode: "94107-1234"}},
		{"Texas has a ZIP code within Oklahoma's", &contract.ShipTo{Country: "US", PostalCode: "73301"}, destination.Place{Country: "US", Region: "TX", PostalCode: "73301"}},
		{"a Canadian code tells the province", &contract.ShipTo{Country: "CA", PostalCode: "h2x 1y4"}, destination.Place{Country: "CA", Region: "QC", PostalCode: "h2x 1y4"}},
		{"a code that does not", &contract.ShipTo{Country: "US", PostalCode: "00901"}, destination.Place{Country: "US", PostalCode: "00901"}},
		{"a code cut short", &contract.ShipTo{Country: "US", PostalCode: "9"}, destination.Place{Country: "US", PostalCode: "9"}},
		{"the state that was named", &contract.ShipTo{Country: "US", State: "NV", PostalCode: "94107"}, destination.Place{Country: "US", Region: "NV", PostalCode: "94107"}},
		{"a tax number makes a business", &contract.ShipTo{Country: "FR", TaxID: "FR40303265045"}, destination.Place{Country: "FR", Business: true}},
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
		to    contract.ShipTo
		field string
	}{
		"a code of nowhere": {contract.ShipTo{Country: "ZZ"}, "ship_to.country"},
		"not served":        {contract.ShipTo{Country: "KP"}, "ship_to.country"},
		"no state":          {contract.ShipTo{Country: "US", State: "Bavaria"}, "ship_to.state"},
		"a foreign state":   {contract.ShipTo{Country: "CA", State: "TX"}, "ship_to.state"},
	} {
		place, problems := b.Resolve(&tt.to, "US")
		if len(problems) != 1 || problems[0].Field != tt.field || problems[0].Allowed == nil || place != (destination.Place{}) {
			t.Errorf("%s: place %+v, problems %+v", name, place, problems)
		}
	}
}

func TestMissingForCustoms(t *testing.T) {
	t.Parallel()
	b := book(t)
	for name, tt := range map[string]struct {
		to   contract.ShipTo
		want []string
	}{
		"complete":            {contract.ShipTo{Country: "US", State: "CA"}, nil},
		"no state":            {contract.ShipTo{Country: "US"}, []string{"ship_to.state"}},
		"Brazil wants a CPF":  {contract.ShipTo{Country: "BR"}, []string{"ship_to.tax_id"}},
		"Brazil has it":       {contract.ShipTo{Country: "BR", TaxID: "123.456.789-09"}, nil},
		"Germany wants none":  {contract.ShipTo{Country: "DE"}, nil},
		"an unknown country":  {contract.ShipTo{Country: "Atlantis"}, []string{"ship_to.country"}},
		"no country whatever": {contract.ShipTo{}, nil},
	} {
		var got []string
		for _, p := range b.MissingForCustoms(tt.to) {
			got = append(got, p.Field)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
}
