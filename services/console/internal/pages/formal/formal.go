package formal

import (
	"context"
	"errors"
	"mime"
	"net/http"
	"strconv"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/audits"
	casescontract "boardorder/pkg/contract/cases"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/document"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/cases"
	"boardorder/services/console/internal/design"
	"boardorder/services/console/internal/format"
	"boardorder/services/console/internal/letters"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/states"
)

type orderRow struct {
	*formal.Order
	Partner string
	Age     string
	Talk    string // how far the conversation with the customer is
}

type listView struct {
	page.Frame
	states.ModeFilter
	Rows     []orderRow
	Status   string
	Statuses []formal.Status
	Next     string
}

// List lists formal orders, newest first.
func (s *Section) List(c *page.Call) error {
	ask := c.R.URL.Query()
	v := listView{Frame: c.Frame("central", "Formal orders"), ModeFilter: states.ReadMode(c.R), Status: ask.Get("status"), Statuses: formal.Statuses()}
	v.Next = ask.Get("cursor")
	key, value := v.Key(v.Status)
	for range states.MaxReads { // a page is full also where some are not shown
		found, next, err := states.List[formal.Order](c.R.Context(), s.Docs, contract.FormalAggregate, key, value,
			projection.Page{Limit: states.PerPage - len(v.Rows), Cursor: v.Next})
		if err != nil {
			return err
		}
		for _, o := range found {
			if c.MayOpen(o) && v.Has(o.Account) {
				v.Rows = append(v.Rows, orderRow{o, c.AccountName(o.Account), format.Wait(s.Now(), o.CreatedAt), describeTalk(*o)})
			}
		}
		if v.Next = next; next == "" || len(v.Rows) == states.PerPage {
			break
		}
	}
	return c.Show(templates, "centrals", v)
}

// Waiting are the formal orders that wait for the team, of those that the operator may see.
func Waiting(c *page.Call, docs projection.Store) (out []*formal.Order, err error) {
	for _, status := range []formal.Status{formal.Submitted, formal.InReview, formal.Accepted} {
		found, _, err := states.List[formal.Order](c.R.Context(), docs, contract.FormalAggregate, "status", string(status), projection.Page{Limit: states.MaxCount})
		if err != nil {
			return nil, err
		}
		for _, o := range found {
			if c.MayOpen(o) {
				out = append(out, o)
			}
		}
	}
	return out, nil
}

type orderView struct {
	page.Frame
	*formal.Order
	design.Design
	cases.Work
	Partner string
	Quoting quoteForm
	Moving  moveForm
	Finding findingForm
	Letters []letters.Letter
	Wrong   string

	Asking, Answering page.Field
}

// Quotable tells whether a quote can be issued.
func (v orderView) Quotable() bool {
	switch v.Status {
	case formal.Submitted, formal.InReview, formal.Quoted:
		return true
	}
	return false
}

// readOrder gives a formal order that the operator may see.
func (s *Section) readOrder(c *page.Call) (*formal.Order, error) {
	o, err := states.Get[formal.Order](c.R.Context(), s.Docs, contract.FormalAggregate, c.R.PathValue("ref"))
	if err == nil && (o == nil || !c.MayOpen(o)) {
		err = page.Missing("formal order")
	}
	return o, err
}

func (s *Section) orderView(c *page.Call) (orderView, error) {
	o, err := s.readOrder(c)
	if err != nil {
		return orderView{}, err
	}
	v := orderView{
		Frame: c.Frame("central", "Formal order "+o.Ref), Order: o, Partner: c.AccountName(o.Account),
		Quoting: quoteFormOf(*o, s.Now()), Finding: findingFormOf(*o), Moving: moveFormOf(*o),
	}
	if v.Design, err = s.orderDesign(c.R.Context(), *o); err != nil {
		return v, err
	}
	if v.Work, err = cases.Load(c.R.Context(), s.Docs, o.Key); err != nil {
		return v, err
	}
	v.Letters, err = letters.Read(c.R.Context(), s.Letters, "", o.Key)
	return v, err
}

// orderDesign is what was read of the Gerbers, where the automatic check was made.
func (s *Section) orderDesign(ctx context.Context, o formal.Order) (design.Design, error) {
	if o.ITAR || o.Check == nil || o.Check.Digest == "" {
		return design.Design{}, nil
	}
	return design.Read(ctx, s.Docs, o.Check.Digest, o.Check.Board)
}

// Show shows one formal order whole.
func (s *Section) Show(c *page.Call) error {
	v, err := s.orderView(c)
	if err != nil {
		return err
	}
	if v.ITAR {
		if err := c.RecordAccess(audits.Record{Action: "opened a controlled order", Kind: "central-order", ID: v.Key, Account: v.Account, Controlled: true}); err != nil {
			return err
		}
	}
	return c.Show(templates, "central", v)
}

// Picture shows the board.
func (s *Section) Picture(c *page.Call) error {
	o, err := s.readOrder(c)
	if err != nil {
		return err
	}
	d, err := s.orderDesign(c.R.Context(), *o)
	if err != nil {
		return err
	}
	return s.Files.SendSide(c, d)
}

// QuotePDF shows the current quote as the customer gets it.
func (s *Section) QuotePDF(c *page.Call) error {
	o, err := s.readOrder(c)
	if err != nil {
		return err
	}
	pdf, err := document.FormalQuote(*o)
	if errors.Is(err, document.ErrNoQuote) {
		return page.Missing("quote of this order")
	}
	if err != nil {
		return err
	}
	c.W.Header().Set("Content-Type", "application/pdf")
	c.W.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; frame-ancestors 'none'")
	c.W.Header().Set("Content-Disposition", `inline; filename="`+o.Quote.Number+`.pdf"`)
	_, _ = c.W.Write(pdf)
	return nil
}

// File gives one of the customer's files, as a file to keep.
func (s *Section) File(c *page.Call) error {
	o, err := s.readOrder(c)
	if err != nil {
		return err
	}
	f := o.File(c.R.PathValue("field"))
	if f == nil || f.Key == "" {
		return page.Missing("file, or it is no longer kept")
	}
	if err := c.RecordAccess(audits.Record{Action: "downloaded a customer's file", Kind: "central-order", ID: o.Key, Account: o.Account, Controlled: o.ITAR}); err != nil {
		return err
	}
	c.W.Header().Set("Content-Type", "application/octet-stream")
	c.W.Header().Set("Content-Security-Policy", "sandbox; default-src 'none'")
	c.W.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": f.Name}))
	return s.Files.Send(c, f.Key, "file")
}

// Quote issues a quote, in place of the one before.
func (s *Section) Quote(c *page.Call) error {
	v, err := s.orderView(c)
	if err != nil {
		return err
	}
	v.Quoting = readQuoteForm(c.R)
	if v.Quoting.edit(c.R.PostFormValue("action")) {
		return c.Show(templates, "central", v)
	}
	data, ok := v.Quoting.parse()
	if !ok {
		v.Wrong = "The quote is not issued yet: what is wrong stands beside it."
		return c.Render(http.StatusUnprocessableEntity, templates, "central", v)
	}
	if c.R.PostFormValue("action") != "issue" { // only to be added up
		return c.Show(templates, "central", v)
	}
	data.Order, data.ITAR, data.Operator = v.Key, v.ITAR, c.Session.Operator.Name
	if largest := largestTotal(data.Options); largest > s.MaxCents {
		of := Subject(*v.Order)
		r := of.AuditRecord("")
		r.After = map[string]string{"total": format.Money(largest, "USD"), "options": strconv.Itoa(len(data.Options))}
		err := c.RequestApproval(r, of, casescontract.ApproveFormal, v.Quoting.Request, largest, "USD", data)
		return v.answer(c, err, "approval")
	}
	return s.sendOrder(c, v, "issued a formal quote", formal.IssueQuote, v.Quoting.Request, data, "issued")
}

// largestTotal is what a quote can cost at most: the customer chooses the option.
func largestTotal(options []formal.Option) (cents int64) {
	for _, o := range options {
		cents = max(cents, o.TotalCents)
	}
	return cents
}

// Move says how a formal order stands.
func (s *Section) Move(c *page.Call) error {
	v, err := s.orderView(c)
	if err != nil {
		return err
	}
	v.Moving = readMoveForm(c.R)
	data, ok := v.Moving.parse(v.Status)
	if !ok {
		v.Wrong = "Nothing is reported yet: what is wrong stands beside it."
		return c.Render(http.StatusUnprocessableEntity, templates, "central", v)
	}
	data.Order, data.ITAR, data.Operator, data.From = v.Key, v.ITAR, c.Session.Operator.Name, formal.Status(v.Moving.From)
	return s.sendOrder(c, v, "moved a formal order", formal.Move, v.Moving.Request, data, "reported")
}

// Review records what the team found in the design.
func (s *Section) Review(c *page.Call) error {
	v, err := s.orderView(c)
	if err != nil {
		return err
	}
	v.Finding = readFindingForm(c.R)
	data, ok := v.Finding.parse()
	if !ok {
		v.Wrong = "The review is not recorded yet: what is wrong stands beside it."
		return c.Render(http.StatusUnprocessableEntity, templates, "central", v)
	}
	data.Order, data.ITAR, data.Operator = v.Key, v.ITAR, c.Session.Operator.Name
	return s.sendOrder(c, v, "reviewed a formal order", formal.RecordReview, v.Finding.Request, data, "reviewed")
}

// sendOrder sends a command about a formal order. A refusal is shown on its page.
func (s *Section) sendOrder(c *page.Call, v orderView, action string, name contract.CommandName, request string, data any, done string) error {
	before := map[string]string{"status": string(v.Status)}
	if v.Quote != nil {
		before["quote"] = v.Quote.Number
	}
	r := Subject(*v.Order).AuditRecord(action)
	r.Before = before
	return v.answer(c, c.Command(r, name, request, v.Account, data), done)
}

// answer shows the order again with what was refused, or goes on.
func (v orderView) answer(c *page.Call, err error, done string) error {
	if refusal := contract.RefusalIn(err); refusal != nil {
		v.Wrong = refusal.Message
		v.Quoting.Request, v.Moving.Request, v.Finding.Request = "", "", "" // what was refused is not asked for again
		return c.Render(http.StatusUnprocessableEntity, templates, "central", v)
	}
	return c.Finish(err, "/central/"+v.Key, done)
}

// Subject is a formal order as what a case is of.
func Subject(o formal.Order) cases.Subject {
	return cases.Subject{Ref: o.Key, Account: o.Account, Kind: "central-order", Person: contract.PersonRef(o.Email), Path: "/central/" + o.Key, ITAR: o.ITAR}
}
