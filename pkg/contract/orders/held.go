package orders

import "strings"

// heldFor says in a few words what an order is held for, by how the recorded reason begins.
var heldFor = []struct{ begins, words string }{
	{"the customer's bank disputes", "payment is disputed"},
	{"the whole payment was refunded", "payment went back"},
	{"a payment came for a quote", "payment is not known"},
	{"to be placed by hand", "to be placed by hand"},
	{"held by ", "held by an operator"},
	{"the fabricator refuses it", "fabricator refuses it"},
	{"the fabricator wants to price", "fabricator wants to price it"},
	{"the fabricator cannot use the files", "fabricator cannot use the files"},
	{"the fabricator cannot ship", "fabricator cannot ship it"},
	{"the fabricator's price has risen", "fabricator’s price has risen"},
	{"the fabricator cancelled", "cancelled at the fabricator"},
	{"the order was cancelled at the fabricator", "cancelled at the fabricator"},
	{"the fabricator does not know", "lost at the fabricator"},
	{"the fabricator has ", "placed twice"},
	{"its fabricator, ", "fabricator is not configured"},
	{"it cannot be placed", "cannot be placed"},
	{"the design files are no longer kept", "files have gone"},
	{"the recipient may be on a sanctions list", "sanctions list"},
	{"could not be screened", "not screened for sanctions"},
	{"the design's files, or the customer's words, speak of ITAR", "may be export-controlled"},
	{"another customer declared the same files", "may be export-controlled"},
	{"the account that it was ordered through declared", "may be export-controlled"},
}

// HoldLabel says in a few words what the order is held for; "" while it is not held. Held has
// the reason whole.
func (o Order) HoldLabel() string {
	if o.Status != Held {
		return ""
	}
	if strings.Contains(o.Held, "the design was declared ITAR-controlled") { // also behind an earlier reason
		return "export-controlled"
	}
	for _, r := range heldFor {
		if strings.HasPrefix(o.Held, r.begins) {
			return r.words
		}
	}
	switch {
	case strings.Contains(o.Held, " were paid, "):
		return "amount paid is wrong"
	case strings.Contains(o.Held, " that were paid had been refunded"):
		return "payment went back"
	}
	return "to be looked at"
}
