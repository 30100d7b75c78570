package find

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/states"

	"golang.org/x/sync/errgroup"
)

// hit is one thing that was found.
type hit struct {
	Kind, ID, To, What, Status string
	Name                       string // of the account
	Note                       string // of an operator, that it was found by
}

type findView struct {
	page.Frame
	What string
	Hits []hit
	More bool
}

const (
	// maxFind is how many things of one kind are shown.
	maxFind = 20
	// maxWhat bounds what is looked for: an address with a secret in it is long.
	maxWhat = 300
)

// Find leads to whatever a person was given: an id or its beginning, an address that a
// customer was given, an e-mail address, a telephone number, a project, a number of an order,
// an invoice or a parcel, a name, a file's name, words of a note. What fits exactly one thing
// is opened; several are listed, each once and as what it has become.
func (s *Section) Find(c *page.Call) error {
	v := findView{Frame: c.Frame("", "Found"), What: strings.TrimSpace(untrusted.Line(c.R.PostFormValue("what"), maxWhat))}
	for _, token := range tokens(v.What) {
		to, err := s.findPath(c, token)
		if err != nil {
			return err
		}
		if to != "" {
			return c.Redirect(to)
		}
	}
	if err := s.search(c, &v); err != nil {
		return err
	}
	switch len(v.Hits) {
	case 0:
		return page.Problem{Status: http.StatusNotFound, Message: "Nothing here has that number or name. Ids and their beginning, addresses that customers were given, e-mail addresses, telephone numbers, projects, requests and orders (BO-…), invoices (INV-…), buy links, tracking numbers, customers, files and words of notes can be found."}
	case 1:
		return c.Redirect(v.Hits[0].To)
	}
	return c.Show(templates, "found", v)
}

// search looks for what begins like this. Who may not see people finds nothing by
// whose it is or by what was noted about it, and who may not see designs nothing by its files.
func (s *Section) search(c *page.Call, v *findView) error {
	term := wordsOf(v.What)
	if utf8.RuneCountInString(term) < states.MinTerm {
		return nil
	}
	found, more, err := s.findAll(c.R.Context(), term)
	if err != nil {
		return err
	}
	v.More = more
	designs := map[string][]projection.Document{} // the quotes of what was found by a file's name
	if c.Can(operator.SeeDesigns) {
		if designs, err = s.quotesOf(c.R.Context(), digestsFound(found, term)); err != nil {
			return err
		}
	}
	all, quoted := listFound(found, designs)
	c.ReadAccountNames(ownersOf(all))
	stages, err := s.readStages(c.R.Context(), quoted)
	if err != nil {
		return err
	}
	shown := map[string]bool{}
	add := func(a contract.Aggregate, doc projection.Document, by string) error {
		h, seen, err := s.newHit(c, a, match{doc, by}, v.What, stages)
		if err == nil && seen && !shown[h.To] {
			shown[h.To] = true
			v.Hits = append(v.Hits, h)
		}
		return err
	}
	for _, a := range searched {
		for _, m := range found[a] {
			quoted := designs[digestOf(a, m.doc)]
			v.More = v.More || len(quoted) > maxFind
			for _, quote := range quoted[:min(len(quoted), maxFind)] {
				if err := add(contract.QuoteAggregate, quote, quote.ID); err != nil {
					return err
				}
			}
			if len(quoted) > 0 {
				continue // whoever looks for a file means what was asked with it
			}
			if err := add(a, m.doc, m.by); err != nil {
				return err
			}
		}
	}
	return nil
}

// listFound are all documents that were found, and the quotes among them.
func listFound(found map[contract.Aggregate][]match, designs map[string][]projection.Document) (all, quoted []projection.Document) {
	for a, matches := range found {
		for _, m := range matches {
			all = append(all, m.doc)
			if a == contract.QuoteAggregate {
				quoted = append(quoted, m.doc)
			}
		}
	}
	for _, docs := range designs {
		docs = docs[:min(len(docs), maxFind)]
		all, quoted = append(all, docs...), append(quoted, docs...)
	}
	return all, quoted
}

// searched are the kinds of things that are looked through, in the order in which they are
// shown.
var searched = []contract.Aggregate{
	contract.OrderAggregate, contract.FormalAggregate, contract.QuoteAggregate, contract.CustomerAggregate,
	contract.AccountAggregate, contract.UploadAggregate, contract.BoardAggregate, contract.BuyLinkAggregate, contract.OperationAggregate,
	contract.DesignCheckAggregate, contract.CaseAggregate,
}

// A match is a document and the term that it was found by.
type match struct {
	doc projection.Document
	by  string
}

// findAll looks through all kinds at once, by each spelling of the words: what each takes is
// mostly the way to the store. Of each kind it gives maxFind at most.
func (s *Section) findAll(ctx context.Context, term string) (found map[contract.Aggregate][]match, more bool, err error) {
	type reading struct {
		of   contract.Aggregate
		by   string
		docs []projection.Document
	}
	var all []*reading
	group, ctx := errgroup.WithContext(ctx)
	for _, a := range searched {
		for _, by := range spellings(a, term) {
			r := &reading{of: a, by: by}
			all = append(all, r)
			group.Go(func() (err error) {
				if r.docs, err = s.Docs.Find(ctx, string(a), by, maxFind+1); err != nil {
					return fmt.Errorf("find %s: %w", a, err)
				}
				return nil
			})
		}
	}
	if err := group.Wait(); err != nil {
		return nil, false, err
	}
	found = map[contract.Aggregate][]match{}
	for _, r := range all {
		for _, doc := range r.docs {
			switch {
			case slices.ContainsFunc(found[r.of], func(m match) bool { return m.doc.ID == doc.ID }):
			case len(found[r.of]) == maxFind:
				more = true
			default:
				found[r.of] = append(found[r.of], match{doc, r.by})
			}
		}
	}
	return found, more, nil
}

// ownersOf are the accounts of what was found.
func ownersOf(docs []projection.Document) (owners []string) {
	for _, doc := range docs {
		owners = append(owners, doc.Keys["account"])
	}
	return owners
}

// findPath leads to what an id is of; "" where it is of nothing.
func (s *Section) findPath(c *page.Call, id string) (string, error) {
	ctx := c.R.Context()
	placed, err := findRef[orders.Order](ctx, s.Docs, contract.OrderAggregate, id)
	if err != nil {
		return "", err
	}
	if placed != nil {
		return "/orders/" + placed.Quote, nil
	}
	sent, err := findRef[formal.Order](ctx, s.Docs, contract.FormalAggregate, id)
	if err != nil {
		return "", err
	}
	if sent != nil && c.MayOpen(sent) {
		return "/central/" + sent.Key, nil
	}
	op, err := states.Get[contract.Operation](ctx, s.Docs, contract.OperationAggregate, id)
	if err != nil {
		return "", err
	}
	if op == nil {
		return s.findByID(ctx, id)
	}
	if op.Aggregate == contract.FormalAggregate {
		if hidden, err := c.HidesFormal(op.ID); hidden || err != nil {
			return "", err
		}
	}
	return s.operationPath(ctx, *op)
}

// findRef gives the order of a kind that has a number or an id.
func findRef[S any](ctx context.Context, docs projection.Store, a contract.Aggregate, id string) (*S, error) {
	for _, key := range []struct {
		name   string
		values []string
	}{{"order_ref", refs(id)}, {"order_id", []string{id}}} {
		for _, value := range key.values {
			found, _, err := states.List[S](ctx, docs, a, key.name, value, projection.Page{Limit: 1})
			if err != nil {
				return nil, err
			}
			if len(found) > 0 {
				return found[0], nil
			}
		}
	}
	return nil, nil
}

// operationPath leads to what a request has led to.
func (s *Section) operationPath(ctx context.Context, op contract.Operation) (string, error) {
	switch op.Aggregate {
	case contract.FormalAggregate:
		return "/central/" + op.ID, nil
	case contract.QuoteAggregate:
		return s.quotePath(ctx, op.ID)
	case "":
		return fmt.Sprintf("/events/%s/%s", contract.OperationAggregate, op.Request), nil
	}
	return fmt.Sprintf("/events/%s/%s", op.Aggregate, op.ID), nil
}

// findByID looks for an id as it is, then for the reference of a secret.
func (s *Section) findByID(ctx context.Context, what string) (string, error) {
	ref := contract.SecretRef(what)
	places := []struct{ kind, id, path string }{
		{string(contract.AccountAggregate), what, "/accounts/" + what},
		{accounts.KeyDocumentKind, keyID(what), ""},
		{string(contract.OrderAggregate), what, "/orders/" + what},
		{string(contract.OrderAggregate), ref, "/orders/" + ref},
		{string(contract.QuoteAggregate), what, "/quotes/" + what},
		{string(contract.QuoteAggregate), ref, "/quotes/" + ref},
		{string(contract.UploadAggregate), what, "/events/upload/" + what},
		{string(contract.UploadAggregate), ref, "/events/upload/" + ref},
		{string(contract.BoardAggregate), what, "/events/board/" + what},
		{string(contract.BuyLinkAggregate), what, "/events/buy-link/" + what},
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
