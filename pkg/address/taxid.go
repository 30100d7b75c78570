package address

import (
	"errors"
	"slices"
	"strings"
)

// A TaxID is a tax number whose form and check digits are right.
type TaxID struct {
	Text    string // capitals and digits alone, without the country's prefix
	Country string // whose number it is, ISO 3166-1 alpha-2
	// Business: a register gives such a number, as it was written, to businesses
	// alone.
	Business bool
}

// Errors of ParseTaxID.
var (
	ErrTaxIDForm  = errors.New("no tax number of this country looks like this")
	ErrTaxIDCheck = errors.New("the check digit is wrong")
)

// A holder is whom a kind of number is given to.
type holder int

const (
	business holder = iota
	person
	either // to both: a business' where it is written as a VAT number, with its prefix
)

// A scheme is one kind of tax number.
type scheme struct {
	forms  string
	check  func(string) bool
	holder holder
}

// union are the members of the EU's common VAT area; a number of one, with its
// prefix, is good in all.
var union = []string{
	"AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU",
	"IE", "IT", "LT", "LU", "LV", "MT", "NL", "PL", "PT", "RO", "SE", "SI", "SK",
}

// ParseTaxID reads a tax number of a recipient in a country. The country's
// prefix may stand before it. A country without known schemes takes nothing:
// what cannot be judged is no tax number.
func ParseTaxID(country, text string) (TaxID, error) {
	text = compact(text)
	id, err := parseOf(country, text)
	if err == nil || !slices.Contains(union, country) || len(text) < 3 {
		return id, err
	}
	other := text[:2]
	if other == "EL" {
		other = "GR"
	}
	if other != country && slices.Contains(union, other) {
		return parseOf(other, text)
	}
	return id, err
}

// KnowsTaxIDs tells whether numbers of a country can be judged.
func KnowsTaxIDs(country string) bool { return len(schemes[country]) > 0 }

func parseOf(country, text string) (TaxID, error) {
	err := ErrTaxIDForm
	bare, prefixed := strings.CutPrefix(text, prefix(country))
	for _, s := range schemes[country] {
		for _, number := range []string{text, bare} {
			switch {
			case !fits(s.forms, number):
			case !s.check(number):
				err = ErrTaxIDCheck
			default:
				return TaxID{number, country, s.holder == business || s.holder == either && prefixed}, nil
			}
		}
	}
	return TaxID{}, err
}

func prefix(country string) string {
	if country == "GR" {
		return "EL"
	}
	return country
}
