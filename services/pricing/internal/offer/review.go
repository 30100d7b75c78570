package offer

import (
	"fmt"
	"strings"

	"boardorder/pkg/contract"
)

// A Review is a board that people must quote.
type Review struct {
	Quantity   int
	BoardWords string // may be empty
	HSCode     string
	Reasons    []string // sentences of ours, without a full stop
}

// FillReview writes the words of a quote that the operator's team prices.
func FillReview(r *contract.QuoteReply, v Review) {
	assembled := false
	r.OK, r.Mode, r.Quantity, r.Assembled, r.HSCode = true, contract.ModeReview, v.Quantity, &assembled, v.HSCode
	r.CustomQuoteReasons = v.Reasons
	board := plural(v.Quantity, "board")
	if v.BoardWords != "" {
		r.Board = text(v.BoardWords)
		board += " (" + v.BoardWords + ")"
	}
	r.Summary = fmt.Sprintf("%s: our team quotes this by hand, because %s.", board, strings.Join(v.Reasons, "; and "))
	r.Next = text("Tell the customer why there is no instant price, then send them to checkout_url to request the quote; our team answers by e-mail.")
}
