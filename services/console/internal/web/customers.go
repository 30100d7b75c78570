package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"
	"unicode/utf8"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/confirmations"
	"boardorder/pkg/contract/customers"
	"boardorder/pkg/contract/erasures"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/search"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/person"
	"boardorder/services/console/internal/plain"
)

type customerRow struct {
	*customers.Customer
	Who, Partner string // as far as the operator's roles show them
}

type customersView struct {
	page
	Rows          []customerRow
	What, Account string // the filter
	Next          string
}

// customers lists those who paid, newest first, or those whom a word finds.
func (s *Server) customers(c *call) error {
	query := c.r.URL.Query()
	v := customersView{page: c.page("customers", "Customers"), What: plain.Line(query.Get("what"), 120), Account: query.Get("account")}
	found, next, err := s.listCustomers(c, v.What, v.Account, query.Get("cursor"))
	if err != nil {
		return err
	}
	v.Next = next
	for _, one := range found {
		v.Rows = append(v.Rows, customerRow{one, c.customerName(*one), c.accountName(one.Account)})
	}
	return c.show("customers", v)
}

func (s *Server) listCustomers(c *call, what, account, cursor string) ([]*customers.Customer, string, error) {
	term := search.Term(what)
	if term == "" {
		key := ""
		if account != "" {
			key = "account"
		}
		return list[customers.Customer](c.r.Context(), s.Docs, contract.CustomerAggregate, key, account, projection.Page{Limit: perPage, Cursor: cursor})
	}
	if utf8.RuneCountInString(term) < least {
		return nil, "", nil
	}
	docs, err := s.Docs.Find(c.r.Context(), string(contract.CustomerAggregate), term, perPage)
	if err != nil {
		return nil, "", fmt.Errorf("find customers: %w", err)
	}
	var out []*customers.Customer
	for _, doc := range docs {
		one, err := decode[customers.Customer](doc)
		if err != nil {
			return nil, "", err
		}
		if (account == "" || account == one.Account) && (c.can(operator.SeePeople) || fits(term, one.ID)) {
			out = append(out, one)
		}
	}
	return out, "", nil
}

// customerName names a customer, masked for those whose roles do not show people.
func (c *call) customerName(one customers.Customer) string {
	name := one.Email
	if one.Saved != nil && one.Saved.ShipTo.Name != "" {
		name = one.Saved.ShipTo.Name + ", " + one.Email
	}
	if c.can(operator.SeePeople) {
		return plain.Line(name, 120)
	}
	return plain.Line(mask(one.Email), 120)
}

type customerView struct {
	page
	*customers.Customer
	Who, Partner string
	Orders       []*orders.Order
	Quotes       []quoteRow
	Formal       []*formal.Order
	Code         *confirmations.Confirmation // the last that was mailed for the list of earlier orders
	Unsure       string
}

// readCustomer gives the customer in the address.
func (s *Server) readCustomer(c *call) (*customers.Customer, error) {
	one, err := get[customers.Customer](c.r.Context(), s.Docs, contract.CustomerAggregate, c.r.PathValue("id"))
	if err == nil && one == nil {
		err = missing("customer")
	}
	return one, err
}

func (s *Server) customerView(c *call) (customerView, error) {
	one, err := s.readCustomer(c)
	if err != nil {
		return customerView{}, err
	}
	ctx := c.r.Context()
	v := customerView{page: c.page("customers", "Customer"), Customer: one, Who: c.customerName(*one), Partner: c.accountName(one.Account)}
	if v.Orders, _, err = list[orders.Order](ctx, s.Docs, contract.OrderAggregate, customers.Key, one.ID, projection.Page{Limit: perPage}); err != nil {
		return v, err
	}
	quotes, _, err := list[quotes.Quote](ctx, s.Docs, contract.QuoteAggregate, customers.Key, one.ID, projection.Page{Limit: perPage})
	if err != nil {
		return v, err
	}
	for _, q := range quotes {
		standing, err := s.standing(ctx, q)
		if err != nil {
			return v, err
		}
		v.Quotes = append(v.Quotes, c.row(q, standing))
	}
	if v.Formal, err = s.formalOf(c, *one); err != nil {
		return v, err
	}
	v.Code, err = get[confirmations.Confirmation](ctx, s.Docs, contract.ConfirmationAggregate, confirmations.ID(confirmations.ForHistory, one.ID))
	return v, err
}

// formalOf gives the formal orders of a customer's account and address that the
// operator may see.
func (s *Server) formalOf(c *call, of customers.Customer) ([]*formal.Order, error) {
	docs, err := s.Docs.Find(c.r.Context(), string(contract.CentralAggregate), search.Term(of.Email), perPage)
	if err != nil {
		return nil, fmt.Errorf("find formal orders: %w", err)
	}
	var out []*formal.Order
	for _, doc := range docs {
		o, err := decode[formal.Order](doc)
		if err != nil {
			return nil, err
		}
		if o.Account == of.Account && contract.PersonRef(o.Email) == contract.PersonRef(of.Email) && c.mayOpen(o) {
			out = append(out, o)
		}
	}
	return out, nil
}

// customerPage shows one customer whole.
func (s *Server) customerPage(c *call) error {
	v, err := s.customerView(c)
	if err != nil {
		return err
	}
	return c.show("customer", v)
}

// customerAudit is what the audit trail says of a customer: not who it is.
func customerAudit(one customers.Customer, action string) audits.Record {
	return audits.Record{Action: action, Kind: "customer", ID: contract.PersonRef(one.Email), Account: one.Account}
}

// exportCustomer gives all that is held of a customer, a line for each thing.
func (s *Server) exportCustomer(c *call) error {
	one, err := s.readCustomer(c)
	if err != nil {
		return err
	}
	if err := c.saw(customerAudit(*one, "exported a customer's data")); err != nil {
		return err
	}
	c.w.Header().Set("Content-Type", "application/x-ndjson")
	c.w.Header().Set("Content-Disposition", `attachment; filename="customer-`+one.ID+`.ndjson"`)
	_ = c.controller().SetWriteDeadline(time.Now().Add(downloadTime))
	out := json.NewEncoder(c.w)
	err = person.Export(c.r.Context(), s.Bus, contract.PersonRef(one.Email), c.can(operator.SeeControlled), func(h person.Held) error { return out.Encode(h) })
	if err != nil {
		panic(http.ErrAbortHandler) // a file that ends early must not look whole
	}
	return nil
}

// eraseCustomer has all personal data of a customer removed, under every account.
func (s *Server) eraseCustomer(c *call) error {
	v, err := s.customerView(c)
	if err != nil {
		return err
	}
	if c.r.PostFormValue("sure") != "yes" {
		v.Unsure = "Nothing was done: please tick the box to confirm."
		return c.render(http.StatusUnprocessableEntity, "customer", v)
	}
	data := erasures.EraseCustomerData{Person: contract.PersonRef(v.Email), Operator: c.session.Operator.Name}
	err = c.command(customerAudit(*v.Customer, "erased a customer"), erasures.EraseCustomer, c.r.PostFormValue("request"), v.Account, data)
	return c.finish(err, "/customers", "erased")
}
