package address

import "strings"

// A PostalForm is how postal codes of a country are written. Blanks and hyphens
// do not count, nor does the country's code before it.
type PostalForm struct {
	forms   string
	Example string
}

// postalForms by country; one without postal codes is not listed. Source:
// Universal Postal Union, postal addressing systems by country, and the national
// operators; checked 2026-11-22.
var postalForms = map[string]PostalForm{
	"AT": {"9999", "1010"},
	"AU": {"9999", "2000"},
	"BE": {"9999", "1000"},
	"BG": {"9999", "1000"},
	"BR": {"99999999", "01310-100"},
	"CA": {"@9@9@9", "K1A 0B1"},
	"CH": {"9999", "8001"},
	"CL": {"9999999", "8320000"},
	"CN": {"999999", "100000"},
	"CY": {"9999", "1010"},
	"CZ": {"99999", "110 00"},
	"DE": {"99999", "10115"},
	"DK": {"9999", "1050"},
	"EE": {"99999", "10111"},
	"ES": {"99999", "28001"},
	"FI": {"99999", "00100"},
	"FR": {"99999", "75001"},
	"GB": {"@99@@|@999@@|@9@9@@|@@99@@|@@999@@|@@9@9@@", "SW1A 1AA"},
	"GR": {"99999", "104 31"},
	"HR": {"99999", "10000"},
	"HU": {"9999", "1051"},
	"IE": {"@99####|@9W####", "D02 AF30"},
	"IL": {"9999999|99999", "6688312"},
	"IN": {"999999", "110001"},
	"IS": {"999", "101"},
	"IT": {"99999", "00118"},
	"JP": {"9999999", "100-0001"},
	"KR": {"99999", "04524"},
	"KW": {"99999", "13001"},
	"LI": {"9999", "9490"},
	"LT": {"99999", "LT-01100"},
	"LU": {"9999", "L-1111"},
	"LV": {"9999", "LV-1050"},
	"MT": {"@@@9999", "VLT 1117"},
	"MX": {"99999", "06000"},
	"MY": {"99999", "50000"},
	"NL": {"9999@@", "1012 JS"},
	"NO": {"9999", "0150"},
	"NZ": {"9999", "6011"},
	"PL": {"99999", "00-001"},
	"PT": {"9999999", "1000-001"},
	"RO": {"999999", "010011"},
	"RS": {"99999", "11000"},
	"SA": {"99999|999999999", "11564"},
	"SE": {"99999", "111 22"},
	"SG": {"999999", "018956"},
	"SI": {"9999", "1000"},
	"SK": {"99999", "811 01"},
	"TH": {"99999", "10110"},
	"TR": {"99999", "06100"},
	"TW": {"999|99999|999999", "100"},
	"US": {"99999|999999999", "94107-1234"},
	"ZA": {"9999", "0001"},
}

// PostalFormOf gives the form of a country's postal codes, where it is known.
func PostalFormOf(country string) (PostalForm, bool) {
	f, ok := postalForms[country]
	return f, ok
}

func (f PostalForm) fits(country, code string) bool { return fits(f.forms, f.bare(country, code)) }

// BarePostalCode is a postal code in capitals without blanks, hyphens and the
// country's code before it.
func BarePostalCode(country, code string) string { return postalForms[country].bare(country, code) }

func (f PostalForm) bare(country, code string) string {
	code = strings.ToUpper(strings.Join(strings.FieldsFunc(code, func(r rune) bool { return r == ' ' || r == '-' }), ""))
	if fits(f.forms, code) || len(country) != 2 {
		return code
	}
	for _, before := range []string{country, country[:1]} { // LV-1050, L-1111
		if bare, ok := strings.CutPrefix(code, before); ok && fits(f.forms, bare) {
			return bare
		}
	}
	return code
}
