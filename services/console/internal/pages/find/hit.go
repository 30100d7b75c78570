package find

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/cases"
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

	"github.com/tidwall/gjson"
)

// newHit says what was found, unless it was found by what the operator may not see, or only
// by the end of another telephone number. A quote is its order, once it has become one.
func (s *Section) newHit(c *page.Call, a contract.Aggregate, m match, what string, stages map[string]stage) (h hit, seen bool, err error) {
	doc := m.doc
	h = hit{Kind: format.Words(a), ID: doc.ID, To: "/events/" + string(a) + "/" + doc.ID, Name: c.AccountName(doc.Keys["account"]),
		Status: contract.AccountOf(doc.Keys["status"])} // what ends a list's word is what ends an owner's
	seen = true
	switch a {
	case contract.OrderAggregate:
		o, err := states.Decode[orders.Order](doc)
		if err != nil {
			return h, false, err
		}
		h.describeOrder(c, *o)
		return h, c.Can(operator.SeeCustomers) && m.isNumber(what, o.ShipTo) || states.Fits(m.by, orderNumbers(*o)...), nil
	case contract.FormalAggregate:
		o, err := states.Decode[formal.Order](doc)
		if err != nil {
			return h, false, err
		}
		h.To, h.What = "/central/"+o.Key, strings.TrimSpace(o.Ref+" "+o.Name)
		ids := []string{o.Key, o.ID, o.Ref, o.RequestID, o.Name, o.CustomerPO, parcel(o.Tracking)}
		if o.Quote != nil {
			ids = append(ids, o.Quote.Number)
		}
		if o.Accepted != nil {
			ids = append(ids, o.Accepted.QuoteNumber)
		}
		seen = c.MayOpen(o) && (c.Can(operator.SeeCustomers) && states.Fits(m.by, o.Email) || c.Can(operator.SeeDesigns) && states.Fits(m.by, fileNames(*o)...) || states.FitsWords(m.by, ids...))
	case contract.QuoteAggregate:
		q, err := states.Decode[quotescontract.Quote](doc)
		if err != nil {
			return h, false, err
		}
		h.To, h.What, h.Status = "/quotes/"+q.Ref, strings.TrimSpace(quotescontract.CustomerRef(q.Ref)+" "+quotes.CustomerName(c, quotes.Recipient(*q))+" "+quotes.Project(*q)), stages[doc.ID].status
		if o := stages[doc.ID].order; o != nil {
			h.describeOrder(c, *o)
		}
		seen = c.Can(operator.SeeCustomers) && m.isNumber(what, recipients(*q)...) || states.Fits(m.by, q.Ref, quotescontract.CustomerRef(q.Ref), q.RequestID, quotes.Project(*q))
	case contract.CustomerAggregate:
		one, err := states.Decode[customerscontract.Customer](doc)
		if err != nil {
			return h, false, err
		}
		h.To, h.What = "/customers/"+one.ID, customers.CustomerName(c, *one)
		var to shipments.ShipTo
		if one.Saved != nil {
			to = one.Saved.ShipTo
		}
		seen = c.Can(operator.SeeCustomers) && m.isNumber(what, to) || states.Fits(m.by, one.ID)
	case contract.BuyLinkAggregate:
		h.What = strings.TrimSpace(gjson.GetBytes(doc.Body, "request.project_name").Str)
	case contract.AccountAggregate:
		h.To, h.Name = "/accounts/"+doc.ID, c.AccountName(doc.ID)
	case contract.UploadAggregate, contract.BoardAggregate:
		seen = c.Can(operator.SeeDesigns) || states.Fits(m.by, doc.ID)
	case contract.OperationAggregate:
		op, err := states.Decode[contract.Operation](doc)
		if err != nil {
			return h, false, err
		}
		if op.Aggregate == contract.FormalAggregate {
			if hidden, err := c.HidesFormal(op.ID); hidden || err != nil {
				return h, false, err
			}
		}
		h.To, err = s.operationPath(c.R.Context(), *op)
		return h, true, err
	case contract.CaseAggregate:
		return s.noteHit(c, m, what)
	}
	return h, seen, nil
}

// noteHit is what a case is about, found by what an operator noted.
func (s *Section) noteHit(c *page.Call, m match, what string) (h hit, seen bool, err error) {
	of, err := states.Decode[cases.Case](m.doc)
	if err != nil || !c.Can(operator.SeeCustomers) || c.Hides(of.Labels()) {
		return h, false, err
	}
	for _, note := range of.Notes { // the newest counts
		if text := search.Words(note.Text); strings.Contains(text, search.Words(what)) {
			h.Note = note.Operator + ": " + untrusted.Line(note.Text, 120)
		}
	}
	if h.Note == "" {
		return h, false, nil
	}
	a, doc, err := s.caseSubject(c.R.Context(), of.Ref)
	if err != nil || a == "" {
		return h, false, err
	}
	var stages map[string]stage
	if a == contract.QuoteAggregate {
		if stages, err = s.readStages(c.R.Context(), []projection.Document{doc}); err != nil {
			return h, false, err
		}
	}
	about, seen, err := s.newHit(c, a, match{doc, search.Term(doc.ID)}, doc.ID, stages)
	about.Note = h.Note
	return about, seen, err
}

// isNumber tells whether what was found by a telephone number has that one and not only its
// end; all else was found by what it has.
func (m match) isNumber(what string, of ...shipments.ShipTo) bool {
	if !strings.HasPrefix(m.by, search.PhonePrefix) {
		return true
	}
	return slices.ContainsFunc(of, func(to shipments.ShipTo) bool { return search.IsSamePhone(what, to.Phone) })
}

func (h *hit) describeOrder(c *page.Call, o orders.Order) {
	h.Kind, h.ID, h.Status = format.Words(contract.OrderAggregate), cmp.Or(o.ID, h.ID), string(o.Status)
	h.To, h.What = "/orders/"+o.Quote, strings.TrimSpace(o.Ref+" "+quotes.CustomerName(c, o.ShipTo)+" "+quotes.Project(o.Sold))
}

// orderNumbers are what an order is found by that names nobody.
func orderNumbers(o orders.Order) []string {
	out := []string{o.ID, o.Ref, o.Quote, o.Request, quotes.Project(o.Sold), o.Fabricator.Number, parcel(o.Tracking), o.Payment.Intent, o.Payment.Session}
	for _, one := range o.Invoices {
		out = append(out, one.Name())
	}
	for _, one := range o.Refunds {
		out = append(out, one.ID, one.Processor)
	}
	if o.Dispute != nil {
		out = append(out, o.Dispute.ID)
	}
	if o.Screened != nil {
		out = append(out, o.Screened.Reference)
	}
	return out
}

// recipients are all whom a quote names.
func recipients(q quotescontract.Quote) (out []shipments.ShipTo) {
	if q.Delivery != nil {
		out = append(out, q.Delivery.ShipTo)
	}
	if q.Request.ShipTo != nil {
		out = append(out, *q.Request.ShipTo)
	}
	return out
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
