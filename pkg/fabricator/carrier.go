package fabricator

import (
	"net/url"
	"strings"
)

// carriers are the pages on which parcels are followed; the number goes to
// the end.
var carriers = []struct{ word, name, page string }{
	{"dhl", "DHL", "https://www.dhl.com/global-en/home/tracking.html?tracking-id="},
	{"fedex", "FedEx", "https://www.fedex.com/fedextrack/?trknbr="},
	{"ups", "UPS", "https://www.ups.com/track?tracknum="},
}

// anyCarrier follows parcels of nearly every post and carrier by their number.
const anyCarrier = "https://t.17track.net/en#nums="

// CarrierOf finds the carrier's name in the words for a way of shipping, at the beginning
// of one. It returns the words themselves when it knows none of them.
func CarrierOf(words string) string {
	lower := strings.ToLower(words)
	for _, c := range carriers {
		for at := range len(lower) {
			if strings.HasPrefix(lower[at:], c.word) && (at == 0 || lower[at-1] < 'a' || lower[at-1] > 'z') {
				return c.name
			}
		}
	}
	return words
}

// TrackingPage is where a parcel of that carrier is followed, or of any where the
// carrier's own page is not known; empty without a number.
func TrackingPage(carrier, number string) string {
	for _, c := range carriers {
		if c.name == carrier && number != "" {
			return c.page + url.QueryEscape(number)
		}
	}
	if number == "" {
		return ""
	}
	return anyCarrier + url.QueryEscape(number)
}
