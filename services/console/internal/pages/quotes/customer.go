package quotes

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/contract/wording"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/page"
)

// Recipient is whom a quote is for, as far as it is known: what was said at
// checkout counts before what came with the request.
func Recipient(q quotes.Quote) shipments.ShipTo {
	switch {
	case q.Delivery != nil:
		return q.Delivery.ShipTo
	case q.Request.ShipTo != nil:
		return *q.Request.ShipTo
	}
	return shipments.ShipTo{}
}

// CustomerName names a customer for a list, as far as the operator's roles show
// people; "" where nobody is known.
func CustomerName(c *page.Call, to shipments.ShipTo) string {
	name := cmp.Or(to.Company, to.Name, to.Email)
	if name == "" {
		return untrusted.Line(to.Country, 3)
	}
	if !c.Can(operator.SeeCustomers) {
		return untrusted.Line(strings.TrimSuffix(Mask(name)+", "+to.Country, ", "), 60)
	}
	return untrusted.Line(name, 60)
}

// Mask leaves the first letter of each word: "Grace Hopper" is "G… H…".
func Mask(s string) string {
	name, domain, mail := strings.Cut(s, "@")
	if mail {
		return Mask(name) + "@" + Mask(domain)
	}
	parts := strings.Fields(untrusted.Line(s, 200))
	for i, p := range parts {
		first, _ := utf8.DecodeRuneInString(p)
		parts[i] = string(first) + "…"
	}
	return strings.Join(parts, " ")
}

// Project is what the customer calls a quote.
func Project(q quotes.Quote) string {
	if q.Request.ProjectName == nil {
		return ""
	}
	return *q.Request.ProjectName
}

// Describe tells one quote of a customer from the others: what it is called, of what size
// it is, and of how many boards.
func Describe(q quotes.Quote) string {
	size := ""
	if q.Reply.Board != nil {
		size = *q.Reply.Board
	}
	parts := []string{wording.Count(q.Request.Quantity, "board")}
	for _, part := range []string{size, cmp.Or(Project(q), q.Board)} {
		if part != "" {
			parts = append([]string{untrusted.Line(part, 60)}, parts...)
		}
	}
	return strings.Join(parts, ", ")
}
