package address

import (
	"slices"
	"strings"

	"boardorder/pkg/contract/shipments"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// codeLast are the countries whose addresses end with the postal code, in Latin script as
// the Universal Postal Union has them.
var codeLast = []string{"US", "CA", "AU", "NZ", "GB", "IE", "IN", "SG", "TW", "KR", "TH", "ZA", "HK", "JP"}

// Place is the line of an address that holds the town, as it is written in its
// country: "10115 Berlin", "San Francisco, CA 94105".
func Place(to shipments.ShipTo) string {
	if !slices.Contains(codeLast, to.Country) {
		place := words(to.PostalCode, to.City)
		if to.State != "" {
			place = strings.TrimPrefix(place+", "+to.State, ", ")
		}
		return place
	}
	if to.State != "" && to.City != "" {
		return words(strings.TrimSpace(to.City)+",", to.State, to.PostalCode)
	}
	return words(to.City, to.State, to.PostalCode)
}

// CountryName is the English name of a country (ISO 3166-1 alpha-2), or its code
// where it has none.
func CountryName(code string) string {
	region, err := language.ParseRegion(code)
	if err != nil {
		return code
	}
	if name := display.English.Regions().Name(region); name != "" {
		return name
	}
	return code
}

// countryInSentence is a country's name within a sentence.
func countryInSentence(code string) string {
	name := CountryName(code)
	if strings.HasPrefix(name, "United ") || slices.Contains([]string{"NL", "PH", "BS", "DO", "MV"}, code) {
		return "the " + name
	}
	return name
}

// Lines is an address as it stands on a parcel, its country as its reader calls it, such
// as by [CountryName]. One in Japanese, Chinese or Korean script goes from the country down to
// the person.
func Lines(to shipments.ShipTo, country func(code string) string) []string {
	lines := []string{to.Name, to.Company, to.Line1, to.Line2, Place(to), country(to.Country)}
	if isLargeFirst(to) {
		lines = linesLargeFirst(to, country(to.Country))
	}
	var out []string
	for _, line := range lines {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// words joins what is there with blanks.
func words(parts ...string) string {
	return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
}
