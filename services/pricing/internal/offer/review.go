package offer

import (
	"boardorder/pkg/contract/quotes"
)

// A Review is a board that people must quote.
type Review struct {
	Quantity   int
	Assembled  bool
	Board      *quotes.BoardDetails // what is known; nil if nothing is
	BoardWords string               // may be empty
	Reasons    []string             // clauses or sentences
}

// FillReview writes the words of a quote that the operator's team prices. Notes
// are left as they are. The customs code of an assembly depends on its use, so
// the team states it.
func FillReview(r *quotes.Reply, v Review) {
	r.OK, r.Mode, r.Quantity, r.Assembled = true, quotes.ModeReview, v.Quantity, &v.Assembled
	if !v.Assembled {
		r.HSCode = BareBoard
	}
	r.CustomQuoteReasons = make([]string, len(v.Reasons))
	for i, reason := range v.Reasons {
		r.CustomQuoteReasons[i] = sentence(reason)
	}
	r.BoardDetails = v.Board
	if v.BoardWords != "" {
		r.Board = text(v.BoardWords)
	}
	r.Summary = goods(*r) + ": our team quotes this by hand; custom_quote_reasons says why."
	r.Next = text("Tell the customer why there is no instant price, then send them to checkout_url to request the quote; " +
		"our team answers by e-mail, and nothing is charged until the customer accepts its price.")
}

// goods are the boards of a review in words.
func goods(r quotes.Reply) string {
	unit := "board"
	if r.BoardDetails != nil {
		unit = unitOf(*r.BoardDetails)
	}
	what := plural(r.Quantity, unit)
	if r.Board != nil {
		what += " (" + *r.Board + ")"
	}
	return what
}

// FillTeamSummary says a review that the team priced in one sentence.
func FillTeamSummary(r *quotes.Reply) {
	r.Summary = goods(*r) + ": " + *r.Total + ", priced by our team"
	if len(r.NotIncluded) > 0 {
		r.Summary += ", without what not_included says"
	}
	if r.Delivery != nil {
		r.Summary += "; " + *r.Delivery
	}
	r.Summary += "."
}
