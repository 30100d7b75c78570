package formal

import (
	"errors"
	"net/http"
	"strings"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/document"
	"boardorder/pkg/secret"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

// quoteURL is where the current quote can be had as a PDF; "" while there is none.
// The address works without a key for whoever has it, as a customer who was mailed
// does. Of a controlled order nothing is had without a key.
func (k *Orders) quoteURL(o formal.Order) string {
	switch {
	case o.Quote == nil:
		return ""
	case o.ITAR:
		return k.PublicURL + "/v1/orders/" + o.ID + "/quote.pdf"
	}
	return k.PublicURL + formal.QuotePath(k.Secrets.Link, o)
}

// Quote answers GET /v1/orders/{identifier}/quote.pdf.
func (k *Orders) Quote(c *web.Call) error {
	o, err := k.callersOrder(c)
	if err != nil {
		return err
	}
	if o.Quote == nil {
		return problem.New(contract.NotFound, "There is no quote of this order yet, or the team is writing another one.")
	}
	return sendQuote(c, o)
}

// QuoteByLink answers GET /formal-quotes/{token}.pdf: the quote that a signed link
// names, as long as it is the current one of its order.
func (k *Orders) QuoteByLink(c *web.Call) error {
	token, _ := strings.CutSuffix(c.Param("token"), ".pdf")
	subject, _, err := k.Secrets.OpenLink(formal.QuoteLink, token, k.Now())
	switch {
	case errors.Is(err, secret.ErrExpired):
		return problem.New(contract.LinkExpired, "This link has expired. The order shows the quotes that there are.")
	case err != nil:
		return problem.New(contract.LinkInvalid, "This link was altered or is incomplete.")
	}
	key, number, _ := strings.Cut(subject, "_")
	o, found, err := outcome.Read[formal.Order](c.Context(), k.Docs, kind, key)
	if err != nil {
		return err
	}
	if !found || o.ITAR || o.Quote == nil || o.Quote.Number != number {
		return problem.New(contract.LinkExpired, "This quote is no longer offered. The order shows the quotes that there are.")
	}
	return sendQuote(c, o)
}

func sendQuote(c *web.Call, o formal.Order) error {
	pdf, err := document.FormalQuote(o)
	if err != nil {
		return err
	}
	c.Set("Content-Disposition", `inline; filename="`+o.Quote.Number+`.pdf"`)
	c.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; frame-ancestors 'none'")
	c.Set("Cache-Control", "private, no-store")
	return c.Bytes(http.StatusOK, "application/pdf", pdf)
}
