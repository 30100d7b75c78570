package customer

import (
	"context"
	"errors"
	"net/http"
	"time"

	"boardorder/pkg/address"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/confirmations"
	"boardorder/pkg/contract/customers"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/projection"
	"boardorder/pkg/secret"
	"boardorder/services/edge/internal/idempotency"
	"boardorder/services/edge/internal/jsonbody"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

// historyLink is the purpose of an account's history_token.
func historyLink(account string) string { return "history " + account }

// maxEarlier bounds how many earlier orders are listed, newest first.
const maxEarlier = 200

// History is the reply of POST /v1/previous-orders once the customer is known.
type History struct {
	OK               bool    `json:"ok"`
	ExpiresInMinutes int     `json:"expires_in_minutes"`
	HistoryToken     string  `json:"history_token"`
	Orders           []Order `json:"orders"`

	Notes []string `json:"notes,omitempty"`
}

// Order is an earlier order, or a quote that the team was asked for.
type Order struct {
	OrderID              string                    `json:"order_id"`
	OrderRef             *string                   `json:"order_ref"` // null until it is paid
	Status               quotes.Status             `json:"status"`
	Quantity             int                       `json:"quantity"`
	Assembly             bool                      `json:"assembly"`
	Board                *string                   `json:"board"`
	BoardOptions         *quotes.BoardDetails      `json:"board_options"`
	DoNotFitRefs         []string                  `json:"do_not_fit_refs"`
	CustomerSuppliedRefs []string                  `json:"customer_supplied_refs"`
	Substitutions        []assemblies.Substitution `json:"substitutions"`
	StaffPicksParts      bool                      `json:"staff_picks_parts"`
	ProjectName          *string                   `json:"project_name"`
	SpecialNotes         *string                   `json:"special_notes"`
	Delivery             shipments.ShipTo          `json:"delivery"`
	Files                []string                  `json:"files"`
	FilesKept            bool                      `json:"files_kept"`
	Total                *string                   `json:"total"`
	TotalCents           *int64                    `json:"total_cents"`
	Currency             *string                   `json:"currency"`
	OrderedAt            time.Time                 `json:"ordered_at"`
	Tracking             *shipments.Tracking       `json:"tracking"`
	CancelledAt          *time.Time                `json:"cancelled_at,omitempty"`
	RefundedCents        int64                     `json:"refunded_cents,omitempty"`
	Refunds              []Refund                  `json:"refunds,omitempty"`
}

// Earlier is an earlier order as a reorder begins from it.
type Earlier struct {
	ID     string
	Ref    *string
	Quote  quotes.Quote // as sold, or as requested
	ShipTo shipments.ShipTo
	Digest string
	At     time.Time
	Status quotes.Status
	Order  *orders.Order
}

// Choice is what was chosen at checkout, to be chosen again; nil where nothing was.
func (e Earlier) Choice() *quotes.Chosen {
	at, lines := e.Quote.Delivery, e.Quote.Reply.Lines
	if e.Order != nil {
		at, lines = &shipments.Delivery{ShippingID: e.Order.ShippingID, BuildHours: e.Order.BuildHours}, e.Order.Lines
	}
	if hours := e.Quote.Request.BuildTimeHours; at == nil && hours != nil { // chosen with the request
		at = &shipments.Delivery{BuildHours: *hours}
		for _, o := range e.Quote.Reply.ShippingOptions {
			if o.Chosen {
				at.ShippingID = o.ID
			}
		}
	}
	if at == nil || at.ShippingID == "" {
		return nil
	}
	c := &quotes.Chosen{ShippingID: at.ShippingID, Shipping: at.ShippingID}
	for _, o := range e.Quote.Reply.ShippingOptions {
		if o.ID == at.ShippingID {
			c.Shipping = o.Name()
		}
	}
	if prices.HasFasterBuild(lines) {
		c.BuildHours = at.BuildHours
	}
	return c
}

// Previous answers POST /v1/previous-orders.
func (k *Customers) Previous(c *web.Call) error {
	body, err := c.Object()
	if err != nil {
		return err
	}
	f := jsonbody.NewFields(body)
	email, code, token := address.Fold(optional(f, "email", maxEmail)), address.Fold(optional(f, "code", 12)), optional(f, "history_token", maxToken)
	switch {
	case token != "" && (email != "" || code != ""):
		f.Refuse("history_token", jsonbody.Conflict, nil, "Send history_token alone, or email with or without code.")
	case token == "" && email == "" && len(f.Problems()) == 0:
		f.Refuse("email", jsonbody.Missing, nil, "Send email, email and code, or history_token.")
	case email != "" && !address.IsEmail(email):
		f.Refuse("email", jsonbody.Malformed, nil, "This is not an e-mail address; one looks like name@example.com.")
	}
	if p := f.Problems(); len(p) > 0 {
		return problem.Fields(p)
	}
	notes := jsonbody.UnknownNotes(f.Unknown())
	r, err := k.begin(c, "POST /v1/previous-orders", jsonbody.Text(body))
	if err != nil {
		return err
	}
	switch {
	case token != "": // which only reads
		customer, until, err := k.OpenHistory(c.Caller.Account, token)
		if err != nil {
			return err
		}
		return k.list(c, customer, token, until, notes)
	case code == "":
		return k.historyCode(c, r, email, notes)
	}
	return k.showHistory(c, r, email, code, notes)
}

func optional(f *jsonbody.Fields, name string, most int) string {
	if v := f.Text(name, most, false); v != nil {
		return *v
	}
	return ""
}

func (k *Customers) historyCode(c *web.Call, r *idempotency.Request, email string, notes []string) error {
	id := confirmations.ID(confirmations.ForHistory, customers.Ref(c.Caller.Account, email))
	if err := k.mail(c, r, email, confirmations.SendCodeData{Confirmation: id, Purpose: confirmations.ForHistory, Email: email}); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, Sent{
		OK: true, SentTo: mask(email), ExpiresInMinutes: int(confirmations.CodeTTL / time.Minute),
		Next:  "If this customer has ordered before, a code of six digits was sent by e-mail. Ask the customer for it and send it with the email.",
		Notes: notes,
	})
}

func (k *Customers) showHistory(c *web.Call, r *idempotency.Request, email, code string, notes []string) error {
	customer := customers.Ref(c.Caller.Account, email)
	confirmed, err := k.verify(c, r, email, confirmations.ID(confirmations.ForHistory, customer), digits(code))
	if err != nil {
		return err
	}
	until := k.Now().Add(confirmations.HistoryTTL)
	if r.HasEnded() { // no longer than the first time
		if until = confirmed.VerifiedAt.Add(confirmations.HistoryTTL); !k.Now().Before(until) {
			return problem.New(contract.CodeExpired, "The list that this code opened has closed after an hour. Ask for a new code.")
		}
	}
	return k.list(c, customer, k.Secrets.Link(historyLink(c.Caller.Account), customer, until), until, notes)
}

// OpenHistory gives the customer whose orders a token of the account shows.
func (k *Customers) OpenHistory(account, token string) (customer string, until time.Time, err error) {
	customer, until, err = k.Secrets.OpenLink(historyLink(account), token, k.Now())
	switch {
	case errors.Is(err, secret.ErrExpired):
		return "", until, problem.New(contract.LinkExpired, "This history_token has expired. Ask for a new code with the customer's email.")
	case err != nil:
		return "", until, problem.New(contract.LinkInvalid, "This history_token does not belong to this account.")
	}
	return customer, until, nil
}

func (k *Customers) list(c *web.Call, customer, token string, until time.Time, notes []string) error {
	earlier, err := k.Earlier(c.Context(), c.Caller.Account, customer)
	if err != nil {
		return err
	}
	h := History{OK: true, HistoryToken: token, ExpiresInMinutes: int((until.Sub(k.Now()) + time.Minute - 1) / time.Minute), Orders: []Order{}, Notes: notes}
	for _, e := range earlier {
		o, err := k.order(c.Context(), e)
		if err != nil {
			return err
		}
		h.Orders = append(h.Orders, o)
	}
	return c.JSONSetApart(http.StatusOK, h)
}

// Earlier lists a customer's orders and requested quotes of an account, newest
// first. A design that was declared ITAR-controlled is not among them.
func (k *Customers) Earlier(ctx context.Context, account, customer string) ([]Earlier, error) {
	var out []Earlier
	paid := map[string]bool{}
	page := projection.Page{Limit: maxEarlier}
	docs, _, err := k.Docs.List(ctx, string(contract.OrderAggregate), customers.Key, customer, page)
	if err != nil {
		return nil, problem.Unavailable(err)
	}
	for _, d := range docs {
		o, err := outcome.Decode[orders.Order](d)
		if err != nil {
			return nil, err
		}
		paid[o.Quote] = true
		status := orders.StatusOf(o.Sold, nil, &o, k.Now())
		out = append(out, Earlier{ID: o.ID, Ref: &o.Ref, Quote: o.Sold, ShipTo: o.ShipTo, Digest: o.Digest, At: o.PaidAt, Status: status, Order: &o})
	}
	if docs, _, err = k.Docs.List(ctx, string(contract.QuoteAggregate), customers.Key, customer, page); err != nil {
		return nil, problem.Unavailable(err)
	}
	for _, d := range docs {
		q, err := outcome.Decode[quotes.Quote](d)
		if err != nil {
			return nil, err
		}
		if q.Delivery != nil && !paid[q.Ref] {
			status := orders.StatusOf(q, nil, nil, k.Now())
			out = append(out, Earlier{ID: q.RequestID, Quote: q, ShipTo: q.Delivery.ShipTo, Digest: q.Digest, At: q.CreatedAt, Status: status})
		}
	}
	return k.dropHidden(ctx, account, out)
}

// dropHidden leaves out what the account may not see.
func (k *Customers) dropHidden(ctx context.Context, account string, all []Earlier) ([]Earlier, error) {
	var out []Earlier
	for _, e := range all {
		declared, err := k.designs().IsDeclared(ctx, e.Quote.Upload)
		if err != nil {
			return nil, err
		}
		if !declared && e.Quote.Account == account && e.Quote.Ref != "" {
			out = append(out, e)
		}
	}
	return out, nil
}

func (k *Customers) order(ctx context.Context, e Earlier) (Order, error) {
	request, reply := e.Quote.Request, e.Quote.Reply
	o := Order{
		OrderID: e.ID, OrderRef: e.Ref, Status: e.Status, Quantity: reply.Quantity, Assembly: request.Assembly, Board: reply.Board, BoardOptions: reply.BoardDetails,
		DoNotFitRefs: emptyIfNil(request.DoNotFitRefs), CustomerSuppliedRefs: emptyIfNil(request.CustomerSuppliedRefs), Substitutions: emptyIfNil(request.Substitutions),
		StaffPicksParts: request.StaffPicksParts, ProjectName: request.ProjectName, SpecialNotes: request.SpecialNotes, Delivery: e.ShipTo,
		Total: reply.Total, TotalCents: reply.TotalCents, Currency: reply.Currency, OrderedAt: e.At.UTC().Truncate(time.Millisecond), Files: []string{},
	}
	if e.Order != nil {
		o.Quantity, o.TotalCents, o.Tracking = e.Order.Quantity, &e.Order.TotalCents, e.Order.Tracking
		o.Refunds, o.RefundedCents = Refunds(*e.Order), SumRefunds(*e.Order)
		if c := e.Order.Cancelled; c != nil {
			at := c.At.UTC().Truncate(time.Millisecond)
			o.CancelledAt = &at
		}
	}
	read, found, err := outcome.Read[boards.ReadFiles](ctx, k.Docs, string(contract.BoardAggregate), e.Digest)
	if err != nil || !found {
		return o, err
	}
	o.FilesKept = read.IsRead()
	for _, f := range read.Files {
		o.Files = append(o.Files, f.Name)
	}
	return o, nil
}

func emptyIfNil[T any](v []T) []T {
	if v == nil {
		return []T{}
	}
	return v
}

// HasSaved reports whether an account's customer with an address has card and
// address saved.
func (k *Customers) HasSaved(ctx context.Context, account, email string) (bool, error) {
	if email == "" {
		return false, nil
	}
	c, found, err := outcome.Read[customers.Customer](ctx, k.Docs, string(contract.CustomerAggregate), customers.Ref(account, email))
	return found && c.Saved != nil, err
}
