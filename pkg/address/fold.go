package address

import (
	"regexp"
	"strings"

	"boardorder/pkg/contract/shipments"

	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/width"
)

// dashes are what keyboards and word processors make of a hyphen; the last one is the mark of
// a long vowel, which a Japanese keyboard has in the hyphen's place.
const dashes = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u30fc"

// A dash counts as a hyphen among digits only: a vowel stays a vowel.
var dashed = regexp.MustCompile(`([0-9])\s*[` + dashes + `]\s*([0-9])`)

// Fold is a number, a code or an e-mail address as programs write it: the wide letters and
// digits of a Japanese, Chinese or Korean keyboard are plain ones, dashes among digits hyphens.
func Fold(s string) string {
	s = norm.NFC.String(width.Fold.String(s)) // apart, a kana and the mark on it are wide or narrow
	for range 2 {                             // a digit between two dashes belongs to both
		s = dashed.ReplaceAllString(s, "$1-$2")
	}
	return strings.TrimSpace(s)
}

// FoldPostalCode is Fold of a postal code, less the Japanese mark before it.
func FoldPostalCode(s string) string {
	return strings.TrimSpace(strings.TrimLeft(Fold(s), "〒〶 "))
}

// FoldFields folds what is read by rules in an address; names and streets stay as they were
// written.
func FoldFields(to shipments.ShipTo) shipments.ShipTo {
	to.PostalCode = FoldPostalCode(to.PostalCode)
	for _, field := range []*string{&to.Email, &to.Phone, &to.TaxID, &to.Country} {
		*field = Fold(*field)
	}
	return to
}
