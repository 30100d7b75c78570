package quotes

import (
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/services/console/internal/cases"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/page"
)

// SubjectOf is the quote as it was sold, once it was.
func SubjectOf(c *page.Call, q *quotes.Quote, order *orders.Order) cases.Subject {
	s := cases.Subject{Ref: q.Ref, Account: q.Account, Kind: "quote", Person: contract.PersonRef(Recipient(*q).Email), Path: "/quotes/" + q.Ref}
	switch {
	case order != nil:
		s.Path, s.Person = "/orders/"+q.Ref, contract.PersonRef(order.ShipTo.Email)
	case q.Mode == quotes.ModeReview && c.Can(operator.SetPrices):
		s.Path = "/reviews/" + q.Ref
	}
	return s
}
