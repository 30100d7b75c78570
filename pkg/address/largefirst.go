package address

import (
	"slices"
	"strings"
	"unicode"

	"boardorder/pkg/contract/shipments"
)

// largeFirst are the countries that write an address in their own script from the country
// down to the person.
var largeFirst = []string{"JP", "CN", "TW", "KR"}

// isLargeFirst reports whether an address is written in such a script in such a country.
func isLargeFirst(to shipments.ShipTo) bool {
	return slices.Contains(largeFirst, to.Country) && strings.ContainsFunc(to.State+to.City+to.Line1, func(r rune) bool {
		return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
	})
}

// linesLargeFirst is an address from the country down to the person, as it stands on a parcel
// there.
func linesLargeFirst(to shipments.ShipTo, country string) []string {
	code, name, blank := strings.TrimSpace(to.PostalCode), strings.TrimSpace(to.Name), ""
	switch {
	case to.Country == "KR":
		blank = " "
	case to.Country == "JP" && code != "":
		code = "〒" + code
	}
	if to.Country == "JP" && name != "" {
		name += " 様"
	}
	return []string{country, code, joinOnce(blank, to.State, to.City, to.Line1), to.Line2, to.Company, name}
}

// joinOnce joins parts of which each may hold the one before it already, as where somebody
// writes the prefecture before the town too.
func joinOnce(blank string, parts ...string) string {
	out := ""
	for _, part := range parts {
		switch part = strings.TrimSpace(part); {
		case out == "" || strings.HasPrefix(part, out):
			out = part
		case part != "":
			out += blank + part
		}
	}
	return out
}
