package address_test

import (
	"bufio"
	"errors"
	"os"
	"strings"
	"testing"

	"boardorder/pkg/address"
)

func TestParseTaxIDAgainstNumbersOfRegisters(t *testing.T) {
	t.Parallel()
	file, err := os.Open("testdata/taxids.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	judged := map[string]bool{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		country, number, ok := strings.Cut(lines.Text(), " ")
		if !ok || country == "#" {
			continue
		}
		number, wrong := strings.CutSuffix(number, " x")
		judged[country] = true
		if id, err := address.ParseTaxID(country, number); (err != nil) != wrong {
			t.Errorf("ParseTaxID(%s, %q) = %+v, %v; want an error: %v", country, number, id, err, wrong)
		}
	}
	if len(judged) < 40 {
		t.Errorf("numbers of %d countries were judged, want 40 or more", len(judged))
	}
}

func TestParseTaxID(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		country, text string
		want          address.TaxID
		err           error
	}{
		{"DE", "de 136.695.976", address.TaxID{Text: "136695976", Country: "DE", Business: true}, nil},
		{"DE", "FR 40 303 265 045", address.TaxID{Text: "40303265045", Country: "FR", Business: true}, nil}, // of another member
		{"DE", "DE1", address.TaxID{}, address.ErrTaxIDForm},
		{"DE", "XX", address.TaxID{}, address.ErrTaxIDForm},
		{"DE", "xyz", address.TaxID{}, address.ErrTaxIDForm},
		{"DE", "", address.TaxID{}, address.ErrTaxIDForm},
		{"DE", "DE136695977", address.TaxID{}, address.ErrTaxIDCheck},
		{"DE", "CHE-116.281.710", address.TaxID{}, address.ErrTaxIDForm}, // of no member
		{"GB", "DE136695976", address.TaxID{}, address.ErrTaxIDForm},     // no longer one
		{"GR", "EL 094019245", address.TaxID{Text: "094019245", Country: "GR", Business: true}, nil},
		// A number that people carry too is a business' only as a VAT number.
		{"ES", "54362315K", address.TaxID{Text: "54362315K", Country: "ES"}, nil},
		{"ES", "ES54362315K", address.TaxID{Text: "54362315K", Country: "ES", Business: true}, nil},
		{"IT", "RSSMRA85T10A562S", address.TaxID{Text: "RSSMRA85T10A562S", Country: "IT"}, nil},
		{"BR", "390.533.447-05", address.TaxID{Text: "39053344705", Country: "BR"}, nil},
		{"BR", "111.111.111-11", address.TaxID{}, address.ErrTaxIDCheck},
		{"BR", "33.000.167/0001-01", address.TaxID{Text: "33000167000101", Country: "BR", Business: true}, nil},
		{"KR", "P123456789012", address.TaxID{Text: "P123456789012", Country: "KR"}, nil},
		{"KR", "124-81-00998", address.TaxID{Text: "1248100998", Country: "KR", Business: true}, nil},
		{"US", "12-3456789", address.TaxID{Text: "123456789", Country: "US", Business: true}, nil},
		{"US", "٣٤٥٦٧٨٩١٢", address.TaxID{}, address.ErrTaxIDForm}, // digits of another script
		{"IE", "1234567T", address.TaxID{Text: "1234567T", Country: "IE"}, nil},
		{"IE", "1234567TW", address.TaxID{Text: "1234567TW", Country: "IE"}, nil}, // W counts for nothing
		{"IE", "IE1234567FA", address.TaxID{Text: "1234567FA", Country: "IE", Business: true}, nil},
		{"IE", "1234567TA", address.TaxID{}, address.ErrTaxIDCheck},
		{"IE", "1234567TJ", address.TaxID{}, address.ErrTaxIDCheck},                             // letters behind end with I
		{"IE", "8Z49289F", address.TaxID{Text: "8Z49289F", Country: "IE", Business: true}, nil}, // from before 2013
		{"IE", "8Z49288F", address.TaxID{}, address.ErrTaxIDCheck},
		{"NZ", "9429041525746", address.TaxID{Text: "9429041525746", Country: "NZ", Business: true}, nil},
		{"NZ", "9429041525747", address.TaxID{}, address.ErrTaxIDCheck},
		{"TW", "A123456789", address.TaxID{Text: "A123456789", Country: "TW"}, nil},
		{"TW", "A123456788", address.TaxID{}, address.ErrTaxIDCheck},
		{"AQ", "123456789", address.TaxID{}, address.ErrTaxIDForm},
	} {
		got, err := address.ParseTaxID(tt.country, tt.text)
		if got != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("ParseTaxID(%s, %q) = %+v, %v; want %+v, %v", tt.country, tt.text, got, err, tt.want, tt.err)
		}
	}
}

// One digit that is mistyped never goes unnoticed where the check digit is meant
// to notice it.
func TestOneWrongDigitIsNoticed(t *testing.T) {
	t.Parallel()
	for country, number := range map[string]string{
		"AT": "U33864707", "AU": "51824753556", "BE": "0403170701", "CH": "CHE116281710", "DE": "136695976", "FI": "01120389", "HR": "33392005961",
		"IT": "00743110157", "JP": "7000012050002", "NO": "923609016", "PL": "5252344078",
	} {
		for i := range len(number) {
			if number[i] < '0' || number[i] > '9' {
				continue
			}
			mistyped := []byte(number)
			mistyped[i] = '0' + (number[i]-'0'+1)%10
			if id, err := address.ParseTaxID(country, string(mistyped)); err == nil {
				t.Errorf("%s: %s passes as %+v, and so does %s", country, mistyped, id, number)
			}
		}
	}
}

func FuzzParseTaxID(f *testing.F) {
	f.Add("DE", "DE136695976")
	f.Add("ES", "X1234567L")
	f.Add("IN", "27AAPFU0939F1ZV")
	f.Add("BR", "12ABC34501DE35")
	f.Fuzz(func(t *testing.T, country, text string) {
		id, err := address.ParseTaxID(country, text)
		if err == nil && (id.Text == "" || id.Country == "") {
			t.Errorf("ParseTaxID(%q, %q) = %+v, want a text and a country", country, text, id)
		}
		if err == nil {
			if again, err := address.ParseTaxID(id.Country, id.Text); err != nil || again.Text != id.Text {
				t.Errorf("ParseTaxID(%q, %q) = %+v, which is read as %+v, %v", country, text, id, again, err)
			}
		}
	})
}
