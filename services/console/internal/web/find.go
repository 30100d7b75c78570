package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path"
	"strings"
	"unicode/utf8"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/customers"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/search"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/plain"
)

// hit is one thing that was found.
type hit struct {
	Kind, ID, To, What, Status string
	Name                       string // of the account
}

type findView struct {
	page
	What string
	Hits []hit
	More bool
}

// maxFind is how many things of one kind are shown.
const maxFind = 20

// find leads to whatever a person was given: an id or its beginning, an e-mail
// address, a project, a number of an order or a parcel, a name, a file's name.
// What fits exactly one thing is opened; several are listed.
func (s *Server) find(c *call) error {
	v := findView{page: c.page("", "Found"), What: plain.Line(c.r.PostFormValue("what"), 120)}
	to, err := s.findPath(c, strings.TrimSpace(v.What))
	if err != nil {
		return err
	}
	if to != "" {
		return c.redirect(to)
	}
	if err := s.search(c, &v); err != nil {
		return err
	}
	switch len(v.Hits) {
	case 0:
		return problem{http.StatusNotFound, "Nothing here has that number or name. Ids and their beginning, e-mail addresses, projects, orders (BO-…), tracking numbers, customers and files can be found."}
	case 1:
		return c.redirect(v.Hits[0].To)
	}
	return c.show("found", v)
}

// least is how much has to be known of something that is looked for.
const least = 3

// search looks for what begins like this. Who may not see people finds nothing by
// whose it is, and who may not see designs nothing by its files.
func (s *Server) search(c *call, v *findView) error {
	term := search.Term(v.What)
	if utf8.RuneCountInString(term) < least {
		return nil
	}
	for _, a := range []contract.Aggregate{contract.OrderAggregate, contract.CentralAggregate, contract.QuoteAggregate, contract.CustomerAggregate, contract.AccountAggregate, contract.UploadAggregate, contract.OperationAggregate, contract.DesignCheckAggregate} {
		docs, err := s.Docs.Find(c.r.Context(), string(a), term, maxFind+1)
		if err != nil {
			return fmt.Errorf("find %s: %w", a, err)
		}
		v.More = v.More || len(docs) > maxFind
		for _, doc := range docs[:min(len(docs), maxFind)] {
			h, seen, err := c.hit(a, doc, term)
			if err != nil {
				return err
			}
			if seen {
				v.Hits = append(v.Hits, h)
			}
		}
	}
	return nil
}

// hit says what was found, unless it was found by what the operator may not see.
func (c *call) hit(a contract.Aggregate, doc projection.Document, term string) (h hit, seen bool, err error) {
	h = hit{Kind: words(a), ID: doc.ID, To: "/events/" + string(a) + "/" + doc.ID, Name: c.accountName(doc.Keys["account"]), Status: doc.Keys["status"]}
	seen = true
	switch a {
	case contract.OrderAggregate:
		o, err := decode[orders.Order](doc)
		if err != nil {
			return h, false, err
		}
		h.To, h.What = "/orders/"+o.Quote, strings.TrimSpace(o.Ref+" "+c.customer(o.ShipTo)+" "+project(o.Sold))
		seen = c.can(operator.SeePeople) || fits(term, o.ID, o.Ref, o.Quote, o.Request, project(o.Sold), o.Fabricator.Number, parcel(o.Tracking))
	case contract.CentralAggregate:
		o, err := decode[formal.Order](doc)
		if err != nil {
			return h, false, err
		}
		h.To, h.What = "/central/"+o.Key, strings.TrimSpace(o.Ref+" "+o.Name)
		ids := []string{o.Key, o.ID, o.Ref, o.RequestID, o.Name, o.CustomerPO, parcel(o.Tracking)}
		seen = c.mayOpen(o) && (c.can(operator.SeePeople) && fits(term, o.Email) || c.can(operator.SeeDesigns) && fits(term, fileNames(*o)...) || fitsWords(term, ids...))
	case contract.QuoteAggregate:
		q, err := decode[quotes.Quote](doc)
		if err != nil {
			return h, false, err
		}
		h.To, h.What = "/quotes/"+q.Ref, strings.TrimSpace(quotes.PeopleRef(q.Ref)+" "+c.customer(recipient(*q))+" "+project(*q))
		seen = c.can(operator.SeePeople) || fits(term, q.Ref, quotes.PeopleRef(q.Ref), q.Request, project(*q))
	case contract.CustomerAggregate:
		one, err := decode[customers.Customer](doc)
		if err != nil {
			return h, false, err
		}
		h.To, h.What = "/customers/"+one.ID, c.customerName(*one)
		seen = c.can(operator.SeePeople) || fits(term, one.ID)
	case contract.AccountAggregate:
		h.To, h.Name = "/accounts/"+doc.ID, c.accountName(doc.ID)
	case contract.UploadAggregate:
		seen = c.can(operator.SeeDesigns) || fits(term, doc.ID)
	case contract.OperationAggregate:
		op, err := decode[contract.Operation](doc)
		if err != nil {
			return h, false, err
		}
		h.To = operationPath(op)
		if op.Aggregate == contract.CentralAggregate {
			hidden, err := c.hidesFormal(op.ID)
			return h, !hidden, err
		}
	}
	return h, seen, nil
}

func parcel(t *shipments.Tracking) string {
	if t == nil {
		return ""
	}
	return t.Number
}

func fileNames(o formal.Order) (names []string) {
	for _, f := range o.Files {
		names = append(names, path.Base(strings.ReplaceAll(f.Name, "\\", "/")))
	}
	return names
}

// fits tells whether one of the texts begins with a term.
func fits(term string, texts ...string) bool {
	for _, text := range texts {
		if strings.HasPrefix(search.Term(text), term) {
			return true
		}
	}
	return false
}

// fitsWords is fits, also for the single words of a text.
func fitsWords(term string, texts ...string) bool {
	for _, text := range texts {
		if fits(term, append(strings.Fields(text), text)...) {
			return true
		}
	}
	return false
}

func (s *Server) findPath(c *call, what string) (string, error) {
	ctx := c.r.Context()
	if !contract.ValidToken(what) {
		return "", nil
	}
	for key, value := range map[string]string{"order_ref": strings.ToUpper(what), "order_id": what} {
		orders, _, err := list[orders.Order](ctx, s.Docs, contract.OrderAggregate, key, value, projection.Page{Limit: 1})
		if err != nil {
			return "", err
		}
		if len(orders) > 0 {
			return "/orders/" + orders[0].Quote, nil
		}
	}
	for key, value := range map[string]string{"order_ref": strings.ToUpper(what), "order_id": what} {
		formal, _, err := list[formal.Order](ctx, s.Docs, contract.CentralAggregate, key, value, projection.Page{Limit: 1})
		if err != nil {
			return "", err
		}
		if len(formal) > 0 && c.mayOpen(formal[0]) {
			return "/central/" + formal[0].Key, nil
		}
	}
	op, err := get[contract.Operation](ctx, s.Docs, contract.OperationAggregate, what)
	if err != nil {
		return "", err
	}
	if op != nil && op.Aggregate == contract.CentralAggregate {
		if hidden, err := c.hidesFormal(op.ID); hidden || err != nil {
			return "", err
		}
	}
	if op != nil {
		return operationPath(op), nil
	}
	return s.findByID(ctx, what)
}

func operationPath(op *contract.Operation) string {
	switch {
	case op == nil:
		return ""
	case op.Aggregate == contract.CentralAggregate:
		return "/central/" + op.ID
	case op.Aggregate == contract.QuoteAggregate:
		return "/quotes/" + op.ID
	case op.Aggregate == "":
		return fmt.Sprintf("/events/%s/%s", contract.OperationAggregate, op.Request)
	}
	return fmt.Sprintf("/events/%s/%s", op.Aggregate, op.ID)
}

// findByID looks for an id as it is, then for the reference of a secret.
func (s *Server) findByID(ctx context.Context, what string) (string, error) {
	ref := contract.SecretRef(what)
	for _, place := range []struct{ kind, id, path string }{
		{string(contract.AccountAggregate), what, "/accounts/" + what},
		{accounts.KeyDocumentKind, keyID(what), ""},
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
			key, err := decode[accounts.KeyDocument](doc)
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
