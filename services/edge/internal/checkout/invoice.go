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

// customersAlone is what anybody else is told.
const customersAlone = "Invoices are shown to the customer alone: please open the link in our e-mail."

// documentLink leads to an invoice, a credit note or its reversal.
type documentLink struct{ Name, URL string }

// invoice answers GET /checkout/{quote_id}/invoice.pdf: the invoice, or with n the
// order's n-th document. It names the customer, so only the customer gets it.
func (p *Pages) invoice(c *web.Call) error {
	s, err := p.read(c)
	if err != nil {
		return err
	}
	given, _ := c.Query("k")
	if _, ok := p.ownerOf(c, given, s); !ok {
		return problem.New(contract.Forbidden, customersAlone)
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
		name := s.lang.Text("Invoice %s (PDF)", i.Name())
		switch i.Kind {
		case invoices.CreditNote:
			name = s.lang.Text("Credit note %s (PDF)", i.Name())
		case invoices.Reversal:
			name = s.lang.Text("Credit note reversal %s (PDF)", i.Name())
		}
		query := url.Values{"n": {strconv.Itoa(n)}}
		if key != "" {
			query.Set("k", key)
		}
		out = append(out, documentLink{name, p.self(s.id, "") + "/invoice.pdf?" + query.Encode()})
	}
	return slices.Clip(out)
}
