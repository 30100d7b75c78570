package web

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/plain"
)

// recipient is whom a quote is for, as far as it is known: what was said at
// checkout counts before what came with the request.
func recipient(q quotes.Quote) shipments.ShipTo {
	switch {
	case q.Delivery != nil:
		return q.Delivery.ShipTo
	case q.Asked.ShipTo != nil:
		return *q.Asked.ShipTo
	}
	return shipments.ShipTo{}
}

// customer names a customer for a list, as far as the operator's roles show
// people; "" where nobody is known.
func (c *call) customer(to shipments.ShipTo) string {
	name := cmp.Or(to.Company, to.Name, to.Email)
	if name == "" {
		return plain.Line(to.Country, 3)
	}
	if !c.can(operator.SeePeople) {
		return plain.Line(strings.TrimSuffix(mask(name)+", "+to.Country, ", "), 60)
	}
	return plain.Line(name, 60)
}

// mask leaves the first letter of each word: "Grace Hopper" is "G… H…".
func mask(s string) string {
	name, domain, mail := strings.Cut(s, "@")
	if mail {
		return mask(name) + "@" + mask(domain)
	}
	parts := strings.Fields(plain.Line(s, 200))
	for i, p := range parts {
		first, _ := utf8.DecodeRuneInString(p)
		parts[i] = string(first) + "…"
	}
	return strings.Join(parts, " ")
}

// project is what the customer calls a quote.
func project(q quotes.Quote) string {
	if q.Asked.ProjectName == nil {
		return ""
	}
	return *q.Asked.ProjectName
}
