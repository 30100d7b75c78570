package customers

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"
	"unicode/utf8"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/confirmations"
	"boardorder/pkg/contract/customers"
	"boardorder/pkg/contract/erasures"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/orders"
	quotescontract "boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/search"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/cases"
	"boardorder/services/console/internal/download"
	"boardorder/services/console/internal/letters"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/pages/quotes"
	"boardorder/services/console/internal/person"
	"boardorder/services/console/internal/states"
)

type customerRow struct {
	*customers.Customer
	Who, Partner string // as far as the operator's roles show them
}

type customersView struct {
	page.Frame
	Rows          []customerRow
	What, Account string // the filter
	Next          string
}

// List lists those who paid, newest first, or those whom a word finds.
func (s *Section) List(c *page.Call) error {
	query := c.R.URL.Query()
	v := customersView{Frame: c.Frame("customers", "Customers"), What: untrusted.Line(query.Get("what"), 120), Account: query.Get("account")}
	found, next, err := s.listCustomers(c, v.What, v.Account, query.Get("cursor"))
	if err != nil {
		return err
	}
	v.Next = next
	for _, one := range found {
		v.Rows = append(v.Rows, customerRow{one, CustomerName(c, *one), c.AccountName(one.Account)})
	}
	return c.Show(templates, "customers", v)
}

func (s *Section) listCustomers(c *page.Call, what, account, cursor string) ([]*customers.Customer, string, error) {
	term := search.Term(what)
	if term == "" {
		key := ""
		if account != "" {
			key = "account"
		}
		return states.List[customers.Customer](c.R.Context(), s.Docs, contract.CustomerAggregate, key, account, projection.Page{Limit: states.PerPage, Cursor: cursor})
	}
	if utf8.RuneCountInString(term) < states.MinTerm {
		return nil, "", nil
	}
	docs, err := s.Docs.Find(c.R.Context(), string(contract.CustomerAggregate), term, states.PerPage)
	if err != nil {
		return nil, "", fmt.Errorf("find customers: %w", err)
	}
	var out []*customers.Customer
	for _, doc := range docs {
		one, err := states.Decode[customers.Customer](doc)
		if err != nil {
			return nil, "", err
		}
		if (account == "" || account == one.Account) && (c.Can(operator.SeeCustomers) || states.Fits(term, one.ID)) {
			out = append(out, one)
		}
	}
	return out, "", nil
}

// CustomerName names a customer, masked for those whose roles do not show people.
func CustomerName(c *page.Call, one customers.Customer) string {
	name := one.Email
	if one.Saved != nil && one.Saved.ShipTo.Name != "" {
		name = one.Saved.ShipTo.Name + ", " + one.Email
	}
	if c.Can(operator.SeeCustomers) {
		return untrusted.Line(name, 120)
	}
	return untrusted.Line(quotes.Mask(one.Email), 120)
}

type customerView struct {
	page.Frame
	*customers.Customer
	Who, Partner string
	Orders       []*orders.Order
	Quotes       []quotes.Row
	Formal       []*formal.Order
	Code         *confirmations.Confirmation // the last that was mailed for the list of earlier orders
	Letters      []letters.Letter
	cases.Work
	Unsure string
}

// readCustomer gives the customer in the address.
func (s *Section) readCustomer(c *page.Call) (*customers.Customer, error) {
	one, err := states.Get[customers.Customer](c.R.Context(), s.Docs, contract.CustomerAggregate, c.R.PathValue("id"))
	if err == nil && one == nil {
		err = page.Missing("customer")
	}
	return one, err
}

func (s *Section) customerView(c *page.Call) (customerView, error) {
	one, err := s.readCustomer(c)
	if err != nil {
		return customerView{}, err
	}
	ctx := c.R.Context()
	v := customerView{Frame: c.Frame("customers", "Customer"), Customer: one, Who: CustomerName(c, *one), Partner: c.AccountName(one.Account)}
	if v.Orders, _, err = states.List[orders.Order](ctx, s.Docs, contract.OrderAggregate, customers.Key, one.ID, projection.Page{Limit: states.PerPage}); err != nil {
		return v, err
	}
	of, err := s.quotesOf(ctx, *one)
	if err != nil {
		return v, err
	}
	for _, q := range of {
		status, err := quotes.StatusOf(ctx, s.Docs, s.Now(), q)
		if err != nil {
			return v, err
		}
		v.Quotes = append(v.Quotes, quotes.NewRow(c, s.Now(), q, status))
	}
	if v.Formal, err = s.formalOf(c, *one); err != nil {
		return v, err
	}
	v.Code, err = states.Get[confirmations.Confirmation](ctx, s.Docs, contract.ConfirmationAggregate, confirmations.ID(confirmations.ForHistory, one.ID))
	if err != nil {
		return v, err
	}
	if v.Work, err = cases.Load(ctx, s.Docs, one.ID); err != nil {
		return v, err
	}
	v.Letters, err = letters.Read(ctx, s.Letters, v.Who, v.abouts()...)
	slices.Reverse(v.Letters)
	return v, err
}

// abouts are what the customer can have been written to about.
func (v customerView) abouts() []string {
	out := []string{confirmations.ID(confirmations.ForHistory, v.Customer.ID)}
	for _, o := range v.Orders {
		out = append(out, o.Quote)
	}
	for _, q := range v.Quotes {
		out = append(out, q.Ref)
	}
	for _, o := range v.Formal {
		out = append(out, o.Key)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// maxFound is how many quotes are looked at that a customer's address finds.
const maxFound = 200

// quotesOf gives the newest quotes of a customer's account that name the address, for a price
// of the team or at checkout.
func (s *Section) quotesOf(ctx context.Context, of customers.Customer) ([]*quotescontract.Quote, error) {
	docs, err := s.Docs.Find(ctx, string(contract.QuoteAggregate), search.Term(of.Email), maxFound)
	if err != nil {
		return nil, fmt.Errorf("find quotes: %w", err)
	}
	var out []*quotescontract.Quote
	for _, doc := range docs {
		q, err := states.Decode[quotescontract.Quote](doc)
		if err != nil {
			return nil, err
		}
		if q.Account == of.Account && contract.PersonRef(quotes.Recipient(*q).Email) == contract.PersonRef(of.Email) {
			out = append(out, q)
		}
	}
	slices.SortFunc(out, func(a, b *quotescontract.Quote) int { return b.CreatedAt.Compare(a.CreatedAt) })
	return out[:min(len(out), states.PerPage)], nil
}

// formalOf gives the formal orders of a customer's account and address that the
// operator may see.
func (s *Section) formalOf(c *page.Call, of customers.Customer) ([]*formal.Order, error) {
	docs, err := s.Docs.Find(c.R.Context(), string(contract.FormalAggregate), search.Term(of.Email), states.PerPage)
	if err != nil {
		return nil, fmt.Errorf("find formal orders: %w", err)
	}
	var out []*formal.Order
	for _, doc := range docs {
		o, err := states.Decode[formal.Order](doc)
		if err != nil {
			return nil, err
		}
		if o.Account == of.Account && contract.PersonRef(o.Email) == contract.PersonRef(of.Email) && c.MayOpen(o) {
			out = append(out, o)
		}
	}
	return out, nil
}

// Show shows one customer whole.
func (s *Section) Show(c *page.Call) error {
	v, err := s.customerView(c)
	if err != nil {
		return err
	}
	return c.Show(templates, "customer", v)
}

// customerAudit is what the audit trail says of a customer: not who it is.
func customerAudit(one customers.Customer, action string) audits.Record {
	return audits.Record{Action: action, Kind: "customer", ID: contract.PersonRef(one.Email), Account: one.Account}
}

// Export gives all that is held of a customer, a line for each thing.
func (s *Section) Export(c *page.Call) error {
	one, err := s.readCustomer(c)
	if err != nil {
		return err
	}
	if err := c.RecordAccess(customerAudit(*one, "exported a customer's data")); err != nil {
		return err
	}
	c.W.Header().Set("Content-Type", "application/x-ndjson")
	c.W.Header().Set("Content-Disposition", `attachment; filename="customer-`+one.ID+`.ndjson"`)
	_ = c.Controller().SetWriteDeadline(time.Now().Add(download.DownloadTime))
	out := json.NewEncoder(c.W)
	err = person.Export(c.R.Context(), s.Bus, contract.PersonRef(one.Email), c.Can(operator.SeeControlled), func(h person.Held) error { return out.Encode(h) })
	if err != nil {
		panic(http.ErrAbortHandler) // a file that ends early must not look whole
	}
	return nil
}

// Erase has all personal data of a customer removed, under every account.
func (s *Section) Erase(c *page.Call) error {
	v, err := s.customerView(c)
	if err != nil {
		return err
	}
	if c.R.PostFormValue("sure") != "yes" {
		v.Unsure = "Nothing was done: please tick the box to confirm."
		return c.Render(http.StatusUnprocessableEntity, templates, "customer", v)
	}
	data := erasures.EraseCustomerData{Person: contract.PersonRef(v.Email), Operator: c.Session.Operator.Name}
	err = c.Command(customerAudit(*v.Customer, "erased a customer"), erasures.EraseCustomer, c.R.PostFormValue("request"), v.Account, data)
	return c.Finish(err, "/customers", "erased")
}
