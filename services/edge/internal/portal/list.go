package portal

import (
	"context"
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/projection"
	"boardorder/services/edge/internal/invoice"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
)

// A list is a page of quotes or orders, the newest first.
type list struct {
	frame
	Path     string
	Test     bool
	Status   string // "" = all
	Statuses []string
	Next     template.URL // query of the next page, which we wrote; "" = there is none
}

const (
	perPage = 25
	// maxPages bounds how far a page looks for what a filter lets through.
	maxPages = 20
)

// newList reads the filter of a list from its address.
func (p *Portal) newList(c *call, title, path string, statuses []string) list {
	mode, _ := c.Query("mode")
	status, _ := c.Query("status")
	l := list{frame: p.frame(title, c), Path: path, Test: mode == "test", Statuses: statuses}
	if slices.Contains(statuses, status) {
		l.Status = status
	}
	return l
}

// owner is whose quotes and orders the list shows.
func (l *list) owner() string {
	if l.Test {
		return contract.TestOwner(l.Account.ID)
	}
	return l.Account.ID
}

// readList reads a page of what the filter lets through, and where the next one begins.
func readList[S any](ctx context.Context, p *Portal, l *list, kind contract.Aggregate, cursor string, status func(S) string) ([]S, error) {
	var out []S
	for range maxPages {
		docs, next, err := p.Docs.List(ctx, string(kind), "account", l.owner(), projection.Page{Limit: perPage, Cursor: cursor})
		if errors.Is(err, projection.ErrCursor) {
			return nil, problem.New(contract.InvalidRequest, "This position in the list no longer exists. Please start from the top.").Answering(http.StatusBadRequest)
		}
		if err != nil {
			return nil, problem.Unavailable(err)
		}
		for _, doc := range docs {
			s, err := outcome.Decode[S](doc)
			if err != nil {
				return nil, err
			}
			if l.Status == "" || status(s) == l.Status {
				out = append(out, s)
			}
		}
		if cursor = next; cursor == "" || len(out) >= perPage {
			break
		}
	}
	if cursor != "" {
		query := url.Values{"cursor": {cursor}, "status": {l.Status}}
		if l.Test {
			query.Set("mode", "test")
		}
		l.Next = template.URL("?" + query.Encode())
	}
	return out, nil
}

type quotesView struct {
	list
	Rows []quoteRow
}

type quoteRow struct {
	quotes.Quote
	URL string // of its page; "" once it has none
}

// Total is the price in words.
func (q quoteRow) Total() string {
	if q.Reply.Total == nil {
		return "–"
	}
	return *q.Reply.Total
}

// quotesPage answers GET /portal/quotes.
func (p *Portal) quotesPage(c *call) error {
	v := quotesView{list: p.newList(c, "Quotes", root+"/quotes", []string{
		string(quotes.Ready), string(quotes.SourcingReady), string(quotes.SourcingRequested), string(quotes.SourcingQuoted),
	})}
	cursor, _ := c.Query("cursor")
	all, err := readList(c.Context(), p, &v.list, contract.QuoteAggregate, cursor, func(q quotes.Quote) string { return string(q.Status) })
	if err != nil {
		return err
	}
	for _, q := range all {
		v.Rows = append(v.Rows, quoteRow{q, p.pageURL(q.RequestID, q.Ref)})
	}
	return p.show(c.Call, http.StatusOK, "quotes", v)
}

// pageURL is the page of a quote, and of the order that it became.
func (p *Portal) pageURL(request, ref string) string {
	return p.PublicURL + "/checkout/" + p.Secrets.QuoteIDOf(request, ref)
}

type ordersView struct {
	list
	Rows []orderRow
}

type orderRow struct {
	orders.Order
	URL string
	Own bool // a member of the account is its customer
}

// ordersPage answers GET /portal/orders.
func (p *Portal) ordersPage(c *call) error {
	v := ordersView{list: p.newList(c, "Orders", root+"/orders", []string{
		string(orders.Paid), string(orders.Placing), string(orders.Placed), string(orders.Held), string(orders.InProduction), string(orders.Shipped), string(orders.Cancelled),
	})}
	cursor, _ := c.Query("cursor")
	all, err := readList(c.Context(), p, &v.list, contract.OrderAggregate, cursor, func(o orders.Order) string { return string(o.Status) })
	if err != nil {
		return err
	}
	for _, o := range all {
		v.Rows = append(v.Rows, orderRow{o, p.pageURL(o.Request, o.Quote), isCustomer(c.account, o)})
	}
	return p.show(c.Call, http.StatusOK, "orders", v)
}

// isCustomer reports whether an order was bought with the address of a member of the account:
// invoices of its own customers are theirs alone.
func isCustomer(a accounts.Account, o orders.Order) bool {
	for _, m := range a.Team() {
		person := contract.PersonRef(m.Email)
		if person == contract.PersonRef(o.ShipTo.Email) || o.ShipTo.Email == "" && person == contract.PersonRef(o.Payment.Email) {
			return true
		}
	}
	return false
}

// invoice answers GET /portal/orders/{quote}/invoices/{n}: a document of an order that a member
// of the account has bought.
func (p *Portal) invoice(c *call) error {
	o, found, err := outcome.Read[orders.Order](c.Context(), p.Docs, string(contract.OrderAggregate), c.Param("quote"))
	if err != nil {
		return err
	}
	n, wrong := strconv.Atoi(c.Param("n"))
	if !found || wrong != nil || contract.AccountOf(o.Account) != c.account.ID || !isCustomer(c.account, o) || n < 0 || n >= len(o.Invoices) {
		return p.missing(c, "invoice")
	}
	pdf, err := invoice.PDF(o, o.Invoices[n])
	if err != nil {
		return err
	}
	c.Set("Cache-Control", "no-store")
	c.Set("Content-Disposition", `attachment; filename="`+o.Invoices[n].Name()+`.pdf"`)
	return c.Bytes(http.StatusOK, "application/pdf", pdf)
}
