package web

import (
	"context"
	"errors"
	"mime"
	"net/http"
	"strconv"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/cases"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/document"
	"boardorder/pkg/projection"
)

type centralRow struct {
	*formal.Order
	Partner string
	Age     string
}

type centralsView struct {
	page
	side
	Rows     []centralRow
	Status   string
	Statuses []formal.Status
	Next     string
}

// centrals lists formal orders, newest first.
func (s *Server) centrals(c *call) error {
	ask := c.r.URL.Query()
	v := centralsView{page: c.page("central", "Formal orders"), side: sideOf(c.r), Status: ask.Get("status"), Statuses: formal.Statuses()}
	v.Next = ask.Get("cursor")
	key, value := v.key(v.Status)
	for range reads { // a page is full also where some are not shown
		found, next, err := list[formal.Order](c.r.Context(), s.Docs, contract.CentralAggregate, key, value,
			projection.Page{Limit: perPage - len(v.Rows), Cursor: v.Next})
		if err != nil {
			return err
		}
		for _, o := range found {
			if c.mayOpen(o) && v.has(o.Account) {
				v.Rows = append(v.Rows, centralRow{o, c.accountName(o.Account), waitTime(s.Now(), o.CreatedAt)})
			}
		}
		if v.Next = next; next == "" || len(v.Rows) == perPage {
			break
		}
	}
	return c.show("centrals", v)
}

// waitingFormal counts the formal orders that wait for the team, of those that
// the operator may see.
func (c *call) waitingFormal() (int, error) {
	n := 0
	for _, status := range []formal.Status{formal.Submitted, formal.InReview, formal.Accepted} {
		found, _, err := list[formal.Order](c.r.Context(), c.s.Docs, contract.CentralAggregate, "status", string(status), projection.Page{Limit: most})
		if err != nil {
			return 0, err
		}
		for _, o := range found {
			if c.mayOpen(o) {
				n++
			}
		}
	}
	return n, nil
}

type centralView struct {
	page
	*formal.Order
	design
	work
	Partner string
	Quoting quoteForm
	Moving  centralMoveForm
	Finding findingForm
	Wrong   string
}

// Quotable tells whether a quote can be issued.
func (v centralView) Quotable() bool {
	switch v.Status {
	case formal.Submitted, formal.InReview, formal.Quoted:
		return true
	}
	return false
}

// readCentral gives a formal order that the operator may see.
func (s *Server) readCentral(c *call) (*formal.Order, error) {
	o, err := get[formal.Order](c.r.Context(), s.Docs, contract.CentralAggregate, c.r.PathValue("ref"))
	if err == nil && (o == nil || !c.mayOpen(o)) {
		err = missing("formal order")
	}
	return o, err
}

func (s *Server) centralView(c *call) (centralView, error) {
	o, err := s.readCentral(c)
	if err != nil {
		return centralView{}, err
	}
	v := centralView{
		page: c.page("central", "Formal order "+o.Ref), Order: o, Partner: c.accountName(o.Account),
		Quoting: quoteFormOf(*o, s.Now()), Finding: findingFormOf(*o), Moving: centralMoveFormOf(*o),
	}
	if v.design, err = s.centralDesign(c.r.Context(), *o); err != nil {
		return v, err
	}
	v.work, err = c.work(o.Key)
	return v, err
}

// centralDesign is what was read of the Gerbers, where the automatic check was made.
func (s *Server) centralDesign(ctx context.Context, o formal.Order) (design, error) {
	if o.ITAR || o.Check == nil || o.Check.Digest == "" {
		return design{}, nil
	}
	return s.readDesign(ctx, o.Check.Digest, o.Check.Board)
}

// central shows one formal order whole.
func (s *Server) central(c *call) error {
	v, err := s.centralView(c)
	if err != nil {
		return err
	}
	if v.ITAR {
		if err := c.saw(audits.Record{Action: "opened a controlled order", Kind: "central-order", ID: v.Key, Account: v.Account, Controlled: true}); err != nil {
			return err
		}
	}
	return c.show("central", v)
}

// centralPicture shows the board.
func (s *Server) centralPicture(c *call) error {
	o, err := s.readCentral(c)
	if err != nil {
		return err
	}
	d, err := s.centralDesign(c.r.Context(), *o)
	if err != nil {
		return err
	}
	return c.side(d)
}

// centralQuote shows the current quote as the customer gets it.
func (s *Server) centralQuote(c *call) error {
	o, err := s.readCentral(c)
	if err != nil {
		return err
	}
	pdf, err := document.FormalQuote(*o)
	if errors.Is(err, document.ErrNoQuote) {
		return missing("quote of this order")
	}
	if err != nil {
		return err
	}
	c.w.Header().Set("Content-Type", "application/pdf")
	c.w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; frame-ancestors 'none'")
	c.w.Header().Set("Content-Disposition", `inline; filename="`+o.Quote.Number+`.pdf"`)
	_, _ = c.w.Write(pdf)
	return nil
}

// centralFile gives one of the customer's files, as a file to keep.
func (s *Server) centralFile(c *call) error {
	o, err := s.readCentral(c)
	if err != nil {
		return err
	}
	f := o.File(c.r.PathValue("field"))
	if f == nil || f.Key == "" {
		return missing("file, or it is not kept any more")
	}
	if err := c.saw(audits.Record{Action: "downloaded a customer's file", Kind: "central-order", ID: o.Key, Account: o.Account, Controlled: o.ITAR}); err != nil {
		return err
	}
	c.w.Header().Set("Content-Type", "application/octet-stream")
	c.w.Header().Set("Content-Security-Policy", "sandbox; default-src 'none'")
	c.w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": f.Name}))
	return c.send(f.Key, "file")
}

// quoteCentral issues a quote, in place of the one before.
func (s *Server) quoteCentral(c *call) error {
	v, err := s.centralView(c)
	if err != nil {
		return err
	}
	v.Quoting = readQuoteForm(c.r)
	data, ok := v.Quoting.parse()
	if !ok {
		return c.render(http.StatusUnprocessableEntity, "central", v)
	}
	if c.r.PostFormValue("action") != "issue" { // only to be added up
		return c.show("central", v)
	}
	data.Order, data.ITAR, data.Operator = v.Key, v.ITAR, c.session.Operator.Name
	if largest := largestTotal(data.Options); largest > s.Limits.PriceCents {
		of := formalSubject(*v.Order)
		r := of.auditRecord("")
		r.After = map[string]string{"total": money(largest, "USD"), "options": strconv.Itoa(len(data.Options))}
		err := c.askApproval(r, of, cases.ApproveFormal, v.Quoting.Request, largest, "USD", data)
		return v.answer(c, err, "approval")
	}
	return s.sendCentral(c, v, "issued a formal quote", formal.IssueQuote, v.Quoting.Request, data, "issued")
}

// largestTotal is what a quote can cost at most: the customer chooses the option.
func largestTotal(options []formal.Option) (cents int64) {
	for _, o := range options {
		cents = max(cents, o.TotalCents)
	}
	return cents
}

// moveCentral says how a formal order stands.
func (s *Server) moveCentral(c *call) error {
	v, err := s.centralView(c)
	if err != nil {
		return err
	}
	v.Moving = readCentralMoveForm(c.r)
	data, ok := v.Moving.parse(v.Status)
	if !ok {
		return c.render(http.StatusUnprocessableEntity, "central", v)
	}
	data.Order, data.ITAR, data.Operator, data.From = v.Key, v.ITAR, c.session.Operator.Name, formal.Status(v.Moving.From)
	return s.sendCentral(c, v, "moved a formal order", formal.Move, v.Moving.Request, data, "reported")
}

// reviewCentral records what the team found in the design.
func (s *Server) reviewCentral(c *call) error {
	v, err := s.centralView(c)
	if err != nil {
		return err
	}
	v.Finding = readFindingForm(c.r)
	data, ok := v.Finding.parse()
	if !ok {
		return c.render(http.StatusUnprocessableEntity, "central", v)
	}
	data.Order, data.ITAR, data.Operator = v.Key, v.ITAR, c.session.Operator.Name
	return s.sendCentral(c, v, "reviewed a formal order", formal.RecordReview, v.Finding.Request, data, "reviewed")
}

// sendCentral sends a command about a formal order. A refusal is shown on its page.
func (s *Server) sendCentral(c *call, v centralView, action string, name contract.CommandName, request string, data any, done string) error {
	before := map[string]string{"status": string(v.Status)}
	if v.Quote != nil {
		before["quote"] = v.Quote.Number
	}
	r := formalSubject(*v.Order).auditRecord(action)
	r.Before = before
	return v.answer(c, c.command(r, name, request, v.Account, data), done)
}

// answer shows the order again with what was refused, or goes on.
func (v centralView) answer(c *call, err error, done string) error {
	if refusal := contract.RefusalIn(err); refusal != nil {
		v.Wrong = refusal.Message
		return c.render(http.StatusUnprocessableEntity, "central", v)
	}
	return c.finish(err, "/central/"+v.Key, done)
}
