package address_test

import (
	"strings"
	"testing"

	"boardorder/pkg/address"
	"boardorder/pkg/contract/shipments"

	"github.com/google/go-cmp/cmp"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		country string
		to      shipments.ShipTo
		want    []string
	}{
		"nothing":                  {"DE", shipments.ShipTo{}, nil},
		"good":                     {"DE", shipments.ShipTo{Line1: "Am Ei 1", PostalCode: "10115", TaxID: "DE136695976"}, nil},
		"nothing is right":         {"DE", shipments.ShipTo{Line1: "x", PostalCode: "ABCDE", TaxID: "XX"}, []string{"postal_code", "line1", "tax_id"}},
		"a ZIP code of three":      {"US", shipments.ShipTo{PostalCode: "941"}, []string{"postal_code"}},
		"a ZIP code of letters":    {"US", shipments.ShipTo{PostalCode: "ABC"}, []string{"postal_code"}},
		"ZIP+4":                    {"US", shipments.ShipTo{PostalCode: "94107-1234"}, nil},
		"with the country before":  {"DE", shipments.ShipTo{PostalCode: "D-10115"}, nil},
		"Latvian":                  {"LV", shipments.ShipTo{PostalCode: "LV-1050"}, nil},
		"British, small":           {"GB", shipments.ShipTo{PostalCode: "sw1a 1aa"}, nil},
		"half a British one":       {"GB", shipments.ShipTo{PostalCode: "SW1A"}, []string{"postal_code"}},
		"where there are none":     {"HK", shipments.ShipTo{PostalCode: "whatever"}, nil},
		"a box":                    {"US", shipments.ShipTo{Line1: "P.O. Box 12"}, []string{"line1"}},
		"a box in lower case":      {"AU", shipments.ShipTo{Line1: "po box 12"}, []string{"line1"}},
		"a German box":             {"DE", shipments.ShipTo{Line1: "Postfach 10 20 30"}, []string{"line1"}},
		"a French box":             {"FR", shipments.ShipTo{Line1: "BP 1234"}, []string{"line1"}},
		"a Mexican box":            {"MX", shipments.ShipTo{Line1: "Apartado Postal 5"}, []string{"line1"}},
		"a box where people live":  {"AE", shipments.ShipTo{Line1: "P.O. Box 1234, Al Quoz"}, nil},
		"no box at all":            {"AU", shipments.ShipTo{Line1: "12 Box Hill Road"}, nil},
		"nor here":                 {"GB", shipments.ShipTo{Line1: "Old Post Office Lane 3"}, nil},
		"a short Korean street":    {"KR", shipments.ShipTo{Line1: "중구 1"}, nil},
		"how nobody is reached":    {"US", shipments.ShipTo{Email: "ada@home", Phone: "x"}, []string{"email", "phone"}},
		"a machine":                {"US", shipments.ShipTo{Email: "ada@[127.0.0.1]"}, []string{"email"}},
		"a name beside an e-mail":  {"US", shipments.ShipTo{Email: "Ada <ada@example.com>"}, []string{"email"}},
		"how somebody is reached":  {"US", shipments.ShipTo{Email: "ada@example.com", Phone: "(415) 555-0100 ext. 7"}, nil},
		"a short Norwegian street": {"NO", shipments.ShipTo{Line1: "Å 12"}, nil},
	} {
		var got []string
		for _, p := range address.Check(tt.country, tt.to) {
			got = append(got, strings.TrimPrefix(p.Field, "ship_to."))
			if !strings.HasSuffix(p.Message, ".") || p.Problem == "" {
				t.Errorf("%s: %+v, want a sentence and a problem", name, p)
			}
			if strings.Contains(p.Message, "line1") || strings.Contains(p.Message, "_") {
				t.Errorf("%s: %q names a field, and shoppers read this, too", name, p.Message)
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
}

// Each country's own example is one.
func TestPostalExamples(t *testing.T) {
	t.Parallel()
	known := 0
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			country := string([]rune{a, b})
			form, ok := address.PostalFormOf(country)
			if !ok {
				continue
			}
			if known++; !address.IsCountry(country) || len(address.Check(country, shipments.ShipTo{PostalCode: form.Example})) > 0 {
				t.Errorf("%s: its own example %q is refused, or it is no country", country, form.Example)
			}
		}
	}
	if known < 50 {
		t.Errorf("%d countries have forms, want 50 or more", known)
	}
}

func TestIsCountry(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]bool{
		"US": true, "DE": true, "GB": true, "TW": true, "HK": true, "CH": true, "PR": true,
		"UK": false, "EU": false, "USA": false, "ZZ": false, "SU": false, "us": false, "": false, "1A": false,
	} {
		if got := address.IsCountry(code); got != want {
			t.Errorf("IsCountry(%q) = %v, want %v", code, got, want)
		}
	}
}

func FuzzCheck(f *testing.F) {
	f.Add("DE", "Am Ei 1", "10115", "DE136695976")
	f.Add("US", "PO Box 1", "94107-1234", "12-3456789")
	f.Fuzz(func(t *testing.T, country, line, postal, tax string) {
		for _, p := range address.Check(country, shipments.ShipTo{Line1: line, PostalCode: postal, TaxID: tax}) {
			if p.Field == "" || p.Message == "" {
				t.Errorf("a problem that says nothing: %+v", p)
			}
		}
	})
}

// TestSentencesNameTheCountry: people read these sentences.
func TestSentencesNameTheCountry(t *testing.T) {
	t.Parallel()
	for country, want := range map[string]string{"DE": "This is no postal code of Germany: one looks like 10115.", "US": "This is no postal code of the United States: "} {
		got := address.Check(country, shipments.ShipTo{Country: country, PostalCode: "ABCDEFG"})
		if len(got) != 1 || !strings.HasPrefix(got[0].Message, want) {
			t.Errorf("Check(%s, postal code ABCDEFG) = %+v, want one sentence that begins %q", country, got, want)
		}
	}
	if got := address.Check("DE", shipments.ShipTo{TaxID: "xyz"}); len(got) != 1 || got[0].Message != "This is no tax number as Germany gives them out." {
		t.Errorf("Check(DE, tax number xyz) = %+v, want one sentence that names Germany", got)
	}
}
