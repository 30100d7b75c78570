package checkout

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/invoices"
	"boardorder/services/edge/internal/invoice"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

// documentLink leads to an invoice or a credit note.
type documentLink struct{ Name, URL string }

// invoice answers GET /checkout/{quote_id}/invoice.pdf: the invoice, or with n the
// order's n-th document. It names the customer, so only the customer gets it.
func (p *Pages) invoice(c *web.Call) error {
	s, err := p.read(c.Context(), c.Param("quote_id"))
	if err != nil {
		return err
	}
	given, _ := c.Query("k")
	if _, ok := p.owner(given, s.ref); !ok {
		return problem.New(contract.Forbidden, "Invoices are shown to the customer alone: please open the link in our e-mail.")
	}
	n := 0
	if text, given := c.Query("n"); given {
		if n, err = strconv.Atoi(text); err != nil {
			n = -1
		}
	}
	if s.order == nil || n < 0 || n >= len(s.order.Invoices) {
		return problem.New(contract.NotFound, "There is no such document yet. The invoice is written as soon as the order is with the factory.")
	}
	document := s.order.Invoices[n]
	pdf, err := invoice.PDF(*s.order, document)
	if err != nil {
		return err
	}
	c.Set("Content-Disposition", `inline; filename="`+document.Name()+`.pdf"`)
	c.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; frame-ancestors 'none'")
	return c.Bytes(http.StatusOK, "application/pdf", pdf)
}

// documents are the links to an order's documents, for its customer.
func (p *Pages) documents(s record, key string) []documentLink {
	var out []documentLink
	for n, i := range s.order.Invoices {
		name := "Invoice " + i.Name()
		if i.Kind == invoices.CreditNote {
			name = "Credit note " + i.Name()
		}
		query := url.Values{"k": {key}, "n": {strconv.Itoa(n)}}
		out = append(out, documentLink{name + " (PDF)", p.self(s.id, "") + "/invoice.pdf?" + query.Encode()})
	}
	return slices.Clip(out)
}
