package find

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"path"
	"strings"
	"unicode/utf8"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	customerscontract "boardorder/pkg/contract/customers"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/orders"
	quotescontract "boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/search"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/format"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/pages/customers"
	"boardorder/services/console/internal/pages/quotes"
	"boardorder/services/console/internal/states"

	"golang.org/x/sync/errgroup"
)

// hit is one thing that was found.
type hit struct {
	Kind, ID, To, What, Status string
	Name                       string // of the account
}

type findView struct {
	page.Frame
	What string
	Hits []hit
	More bool
}

// maxFind is how many things of one kind are shown.
const maxFind = 20

// Find leads to whatever a person was given: an id or its beginning, an e-mail
// address, a project, a number of an order or a parcel, a name, a file's name.
// What fits exactly one thing is opened; several are listed.
func (s *Section) Find(c *page.Call) error {
	v := findView{Frame: c.Frame("", "Found"), What: untrusted.Line(c.R.PostFormValue("what"), 120)}
	to, err := s.findPath(c, strings.TrimSpace(v.What))
	if err != nil {
		return err
	}
	if to != "" {
		return c.Redirect(to)
	}
	if err := s.search(c, &v); err != nil {
		return err
	}
	switch len(v.Hits) {
	case 0:
		return page.Problem{Status: http.StatusNotFound, Message: "Nothing here has that number or name. Ids and their beginning, e-mail addresses, projects, orders (BO-…), tracking numbers, customers and files can be found."}
	case 1:
		return c.Redirect(v.Hits[0].To)
	}
	return c.Show(templates, "found", v)
}

// search looks for what begins like this. Who may not see people finds nothing by
// whose it is, and who may not see designs nothing by its files.
func (s *Section) search(c *page.Call, v *findView) error {
	term := search.Term(v.What)
	if utf8.RuneCountInString(term) < states.MinTerm {
		return nil
	}
	found, err := s.findAll(c.R.Context(), term)
	if err != nil {
		return err
	}
	c.ReadAccountNames(ownersOf(found))
	for i, a := range searched {
		docs := found[i]
		v.More = v.More || len(docs) > maxFind
		for _, doc := range docs[:min(len(docs), maxFind)] {
			h, seen, err := newHit(c, a, doc, term)
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

// searched are the kinds of things that are looked through, in the order in which they are
// shown.
var searched = []contract.Aggregate{
	contract.OrderAggregate, contract.FormalAggregate, contract.QuoteAggregate, contract.CustomerAggregate,
	contract.AccountAggregate, contract.UploadAggregate, contract.OperationAggregate, contract.DesignCheckAggregate,
}

// findAll looks through all kinds at once: what each takes is mostly the way to the store.
func (s *Section) findAll(ctx context.Context, term string) ([][]projection.Document, error) {
	found := make([][]projection.Document, len(searched))
	group, ctx := errgroup.WithContext(ctx)
	for i, a := range searched {
		group.Go(func() (err error) {
			if found[i], err = s.Docs.Find(ctx, string(a), term, maxFind+1); err != nil {
				return fmt.Errorf("find %s: %w", a, err)
			}
			return nil
		})
	}
	return found, group.Wait()
}

// ownersOf are the accounts of what was found.
func ownersOf(found [][]projection.Document) (owners []string) {
	for _, docs := range found {
		for _, doc := range docs[:min(len(docs), maxFind)] {
			owners = append(owners, doc.Keys["account"])
		}
	}
	return owners
}

// newHit says what was found, unless it was found by what the operator may not see.
func newHit(c *page.Call, a contract.Aggregate, doc projection.Document, term string) (h hit, seen bool, err error) {
	h = hit{Kind: format.Words(a), ID: doc.ID, To: "/events/" + string(a) + "/" + doc.ID, Name: c.AccountName(doc.Keys["account"]), Status: doc.Keys["status"]}
	seen = true
	switch a {
	case contract.OrderAggregate:
		o, err := states.Decode[orders.Order](doc)
		if err != nil {
			return h, false, err
		}
		h.To, h.What = "/orders/"+o.Quote, strings.TrimSpace(o.Ref+" "+quotes.CustomerName(c, o.ShipTo)+" "+quotes.Project(o.Sold))
		seen = c.Can(operator.SeeCustomers) || states.Fits(term, o.ID, o.Ref, o.Quote, o.Request, quotes.Project(o.Sold), o.Fabricator.Number, parcel(o.Tracking))
	case contract.FormalAggregate:
		o, err := states.Decode[formal.Order](doc)
		if err != nil {
			return h, false, err
		}
		h.To, h.What = "/central/"+o.Key, strings.TrimSpace(o.Ref+" "+o.Name)
		ids := []string{o.Key, o.ID, o.Ref, o.RequestID, o.Name, o.CustomerPO, parcel(o.Tracking)}
		seen = c.MayOpen(o) && (c.Can(operator.SeeCustomers) && states.Fits(term, o.Email) || c.Can(operator.SeeDesigns) && states.Fits(term, fileNames(*o)...) || states.FitsWords(term, ids...))
	case contract.QuoteAggregate:
		q, err := states.Decode[quotescontract.Quote](doc)
		if err != nil {
			return h, false, err
		}
		h.To, h.What = "/quotes/"+q.Ref, strings.TrimSpace(quotescontract.CustomerRef(q.Ref)+" "+quotes.CustomerName(c, quotes.Recipient(*q))+" "+quotes.Project(*q))
		seen = c.Can(operator.SeeCustomers) || states.Fits(term, q.Ref, quotescontract.CustomerRef(q.Ref), q.RequestID, quotes.Project(*q))
	case contract.CustomerAggregate:
		one, err := states.Decode[customerscontract.Customer](doc)
		if err != nil {
			return h, false, err
		}
		h.To, h.What = "/customers/"+one.ID, customers.CustomerName(c, *one)
		seen = c.Can(operator.SeeCustomers) || states.Fits(term, one.ID)
	case contract.AccountAggregate:
		h.To, h.Name = "/accounts/"+doc.ID, c.AccountName(doc.ID)
	case contract.UploadAggregate:
		seen = c.Can(operator.SeeDesigns) || states.Fits(term, doc.ID)
	case contract.OperationAggregate:
		op, err := states.Decode[contract.Operation](doc)
		if err != nil {
			return h, false, err
		}
		h.To = operationPath(op)
		if op.Aggregate == contract.FormalAggregate {
			hidden, err := c.HidesFormal(op.ID)
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

func (s *Section) findPath(c *page.Call, what string) (string, error) {
	ctx := c.R.Context()
	if !contract.ValidToken(what) {
		return "", nil
	}
	for key, value := range map[string]string{"order_ref": strings.ToUpper(what), "order_id": what} {
		orders, _, err := states.List[orders.Order](ctx, s.Docs, contract.OrderAggregate, key, value, projection.Page{Limit: 1})
		if err != nil {
			return "", err
		}
		if len(orders) > 0 {
			return "/orders/" + orders[0].Quote, nil
		}
	}
	for key, value := range map[string]string{"order_ref": strings.ToUpper(what), "order_id": what} {
		formal, _, err := states.List[formal.Order](ctx, s.Docs, contract.FormalAggregate, key, value, projection.Page{Limit: 1})
		if err != nil {
			return "", err
		}
		if len(formal) > 0 && c.MayOpen(formal[0]) {
			return "/central/" + formal[0].Key, nil
		}
	}
	op, err := states.Get[contract.Operation](ctx, s.Docs, contract.OperationAggregate, what)
	if err != nil {
		return "", err
	}
	if op != nil && op.Aggregate == contract.FormalAggregate {
		if hidden, err := c.HidesFormal(op.ID); hidden || err != nil {
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
	case op.Aggregate == contract.FormalAggregate:
		return "/central/" + op.ID
	case op.Aggregate == contract.QuoteAggregate:
		return "/quotes/" + op.ID
	case op.Aggregate == "":
		return fmt.Sprintf("/events/%s/%s", contract.OperationAggregate, op.Request)
	}
	return fmt.Sprintf("/events/%s/%s", op.Aggregate, op.ID)
}

// findByID looks for an id as it is, then for the reference of a secret.
func (s *Section) findByID(ctx context.Context, what string) (string, error) {
	ref := contract.SecretRef(what)
	places := []struct{ kind, id, path string }{
		{string(contract.AccountAggregate), what, "/accounts/" + what},
		{accounts.KeyDocumentKind, keyID(what), ""},
		{string(contract.QuoteAggregate), what, "/quotes/" + what},
		{string(contract.QuoteAggregate), ref, "/quotes/" + ref},
		{string(contract.UploadAggregate), what, "/events/upload/" + what},
		{string(contract.UploadAggregate), ref, "/events/upload/" + ref},
		{string(contract.BoardAggregate), what, "/events/board/" + what},
	}
	paths := make([]string, len(places))
	group, ctx := errgroup.WithContext(ctx)
	for i, place := range places {
		group.Go(func() error {
			doc, err := s.Docs.Get(ctx, place.kind, place.id)
			switch {
			case errors.Is(err, projection.ErrNotFound):
				return nil
			case err != nil:
				return fmt.Errorf("find: %w", err)
			case place.path != "":
				paths[i] = place.path
				return nil
			}
			key, err := states.Decode[accounts.KeyDocument](doc)
			if err == nil {
				paths[i] = "/accounts/" + key.Account
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return "", err
	}
	return cmp.Or(paths...), nil
}

// keyID is the public part of an API key or of its prefix.
func keyID(what string) string {
	if parts := strings.Split(what, "_"); len(parts) >= 3 && parts[0] == "bo" {
		return parts[2]
	}
	return what
}
