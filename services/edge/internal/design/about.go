package design

import (
	"bytes"
	"context"
	"regexp"
	"strings"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/web"
)

const (
	// maxDeclared bounds how many uploads one request can declare.
	maxDeclared = 20
	// maxLooked bounds how many ids of a kind in one request are looked at.
	maxLooked = 1000
)

// What the ids look like that lead to a design.
var (
	uploadID  = regexp.MustCompile(contract.UploadPrefix + `[A-Za-z0-9_-]+`)
	quoteID   = regexp.MustCompile(`\b[0-9a-f]{64}\b`)
	requestID = regexp.MustCompile(contract.RequestPrefix + `[0-9A-Z]{26}`)
)

// findUploads gives the refs of the uploads that a request names, wherever in it: by their
// ids or by quotes of the caller's, which are secret, or else by the requests that
// those were made for, which also name orders and are not.
func (d Designs) findUploads(c *web.Call) (refs, requested []string, err error) {
	if c.Route.Access != web.ByKey {
		return nil, nil, nil // a link adds files; it cannot delete
	}
	text := Text(c)
	for _, id := range uploadID.FindAllString(text, maxLooked) {
		if len(refs) < maxDeclared && d.Secrets.HasMadeUploadID(id) {
			refs = append(refs, contract.SecretRef(id))
		}
	}
	var quotes []string
	for _, id := range quoteID.FindAllString(text, maxDeclared) {
		quotes = append(quotes, contract.SecretRef(id))
	}
	if refs, err = d.uploadsOf(c, refs, quotes); err != nil {
		return nil, nil, err
	}
	quotes = nil
	for _, id := range requestID.FindAllString(text, maxDeclared) {
		op, found, err := outcome.Read[contract.Operation](c.Context(), d.Docs, string(contract.OperationAggregate), id)
		if err != nil {
			return nil, nil, err
		}
		switch {
		case !found: // it may be told of and not projected yet
			quotes = append(quotes, d.Secrets.QuoteRefs(id)...)
		case op.Aggregate == contract.QuoteAggregate:
			quotes = append(quotes, op.ID)
		}
	}
	requested, err = d.uploadsOf(c, nil, quotes)
	return refs, requested, err
}

// uploadsOf adds the uploads of those quotes that are the caller's.
func (d Designs) uploadsOf(c *web.Call, refs, quotes []string) ([]string, error) {
	for _, quote := range quotes {
		ref, err := d.uploadOf(c.Context(), c.Caller.Account, quote)
		if err != nil {
			return nil, err
		}
		if ref != "" {
			refs = append(refs, ref)
		}
	}
	return refs, nil
}

// Text is all that a call says: path, query, and body unless it is a form with files.
func Text(c *web.Call) string {
	uri := c.Fiber.Request().URI()
	text := string(uri.Path()) + " " + string(uri.QueryString())
	if !HasText(c) {
		return text
	}
	text += " " + string(bytes.ReplaceAll(c.Text(), []byte{0}, nil))
	if body, err := c.Object(); err == nil {
		text += " " + strings.Join(stringsIn(body, nil), " ") // where ids may be escaped
	}
	return text
}

// uploadOf gives the upload of an account's quote, or "".
func (d Designs) uploadOf(ctx context.Context, account, quote string) (string, error) {
	q, found, err := outcome.Read[quotes.Quote](ctx, d.Docs, string(contract.QuoteAggregate), quote)
	if err != nil {
		return "", err
	}
	if found && q.Account == account {
		return q.Upload, nil
	}
	o, found, err := outcome.Read[orders.Order](ctx, d.Docs, string(contract.OrderAggregate), quote)
	if err != nil || !found || o.Account != account {
		return "", err
	}
	return o.Sold.Upload, nil
}

// stringsIn adds the texts that stand anywhere in a value.
func stringsIn(v any, texts []string) []string {
	switch v := v.(type) {
	case string:
		return append(texts, v)
	case []any:
		for _, inner := range v {
			texts = stringsIn(inner, texts)
		}
	case map[string]any:
		for _, inner := range v {
			texts = stringsIn(inner, texts)
		}
	}
	return texts
}
