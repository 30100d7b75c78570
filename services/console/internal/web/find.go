package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"boardorder/pkg/contract"
	"boardorder/pkg/projection"
)

// find leads to whatever a person was given: an order's number, a request, a
// quote_id, the reference of anything.
func (s *Server) find(c *call) error {
	to, err := s.whereIs(c.r.Context(), strings.TrimSpace(c.r.PostFormValue("what")))
	if err != nil {
		return err
	}
	if to == "" {
		return problem{http.StatusNotFound, "Nothing here has that number. Orders (BO-…, ord_…), requests (req_…), accounts (acc_…), API keys, quotes and uploads can be found."}
	}
	return c.redirect(to)
}

func (s *Server) whereIs(ctx context.Context, what string) (string, error) {
	if !contract.ValidToken(what) {
		return "", nil
	}
	for key, value := range map[string]string{"order_ref": strings.ToUpper(what), "order_id": what} {
		orders, _, err := list[contract.Order](ctx, s.Docs, contract.OrderAggregate, key, value, projection.Page{Limit: 1})
		if err != nil {
			return "", err
		}
		if len(orders) > 0 {
			return "/orders/" + orders[0].Quote, nil
		}
	}
	op, err := get[contract.Operation](ctx, s.Docs, contract.OperationAggregate, what)
	if err != nil || op != nil {
		return operationPath(op), err
	}
	return s.byID(ctx, what)
}

func operationPath(op *contract.Operation) string {
	switch {
	case op == nil:
		return ""
	case op.Aggregate == contract.QuoteAggregate:
		return "/quotes/" + op.ID
	case op.Aggregate == "":
		return fmt.Sprintf("/events/%s/%s", contract.OperationAggregate, op.Request)
	}
	return fmt.Sprintf("/events/%s/%s", op.Aggregate, op.ID)
}

// byID looks for an id as it is, then for the reference of a secret.
func (s *Server) byID(ctx context.Context, what string) (string, error) {
	ref := contract.SecretRef(what)
	for _, place := range []struct{ kind, id, path string }{
		{string(contract.AccountAggregate), what, "/accounts/" + what},
		{contract.KeyDocumentKind, keyID(what), ""},
		{string(contract.QuoteAggregate), what, "/quotes/" + what},
		{string(contract.QuoteAggregate), ref, "/quotes/" + ref},
		{string(contract.UploadAggregate), what, "/events/upload/" + what},
		{string(contract.UploadAggregate), ref, "/events/upload/" + ref},
		{string(contract.BoardAggregate), what, "/events/board/" + what},
	} {
		doc, err := s.Docs.Get(ctx, place.kind, place.id)
		switch {
		case errors.Is(err, projection.ErrNotFound):
		case err != nil:
			return "", fmt.Errorf("find: %w", err)
		case place.path != "":
			return place.path, nil
		default:
			key, err := decode[contract.KeyDocument](doc)
			if err != nil {
				return "", err
			}
			return "/accounts/" + key.Account, nil
		}
	}
	return "", nil
}

// keyID is the public part of an API key or of its prefix.
func keyID(what string) string {
	if parts := strings.Split(what, "_"); len(parts) >= 3 && parts[0] == "bo" {
		return parts[2]
	}
	return what
}
