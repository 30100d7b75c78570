package checkout

import (
	"testing"

	"boardorder/pkg/language"
)

// TestWordsForBuyers: nobody who buys reads names of fields, and what is no field stays as it is.
func TestWordsForBuyers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`Nothing was taken from "READ_ME.txt": no fabrication words that we know were read there; if anything there is to be built, say it in the request.`:                                    `Nothing was taken from "READ_ME.txt": no fabrication words that we know were read there; if anything there is to be built, tell us before you pay.`,
		"No destination was given: this price, with its duty and tax, is an example for the United States. Send ship_to.country for another; checkout prices the real address before payment.": "No destination was given: this price, with its duty and tax, is an example for the United States. Choose the country to see its price.",
		"The files show contacts at an edge without saying more: fab_options.gold_fingers was priced as bevelled.":                                                                             "The files show contacts at an edge without saying more: gold fingers was priced as bevelled.",
		"The notes ask for a stiffener, which no instant quote builds; send special_requirements: true for a quote by our team.":                                                               "The notes ask for a stiffener, which no instant quote builds.",
		"CBP fee, checked 2026-11-21; not confirmed, prudent rate held":                                                                                                                        "CBP fee, checked 2026-11-21; not confirmed; the highest that it may be is in the price",
		"a controlled design cannot be ordered here; declare it with itar: true, and its files are deleted.":                                                                                   "a controlled design cannot be ordered here; please tell us, and its files are deleted.",
		"The request says fab_options.panel_by: customer, and the files show one board.":                                                                                                       "The request says panel by “customer”, and the files show one board.",
		"The layer main_board-F_Cu.gbr was taken for the top; send it again if that is wrong.":                                                                                                 "The layer main_board-F_Cu.gbr was taken for the top; send it again if that is wrong.",
		"The earlier order went by DHL Express, which is not offered for this one; shipping_options lists what is.":                                                                            "The earlier order went by DHL Express, which is not offered for this one; what is offered is listed below.",
	} {
		if got := explainToBuyer(text); got != want {
			t.Errorf("explainToBuyer(%q)\n got %q\nwant %q", text, got, want)
		}
	}
}

// TestFindingsInEachLanguage: what was found in files is in the reader's language.
func TestFindingsInEachLanguage(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{"en": "1 hole lies outside of the board.", "de": "1 Bohrung: außerhalb der Platine.", "ja": "穴1個が基板の外にあります。"} {
		if got := string(say(language.Find(code), "1 hole lies outside of the board.")); got != want {
			t.Errorf("%s: a finding is %q, want %q", code, got, want)
		}
	}
}
