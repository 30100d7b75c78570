package web

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/cases"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/projection"

	"go.uber.org/zap"
)

type reviewsView struct {
	page
	Waiting []quoteRow // oldest first
	Priced  []quoteRow
	More    bool
}

// reviews is the queue of those who set prices.
func (s *Server) reviews(c *call) error {
	v := reviewsView{page: c.page("reviews", "Review queue")}
	v.Refresh = 15
	for _, part := range []struct {
		status quotes.Status
		limit  int
		rows   *[]quoteRow
	}{{quotes.SourcingRequested, 200, &v.Waiting}, {quotes.SourcingQuoted, 20, &v.Priced}} {
		found, next, err := list[quotes.Quote](c.r.Context(), s.Docs, contract.QuoteAggregate, "status", string(part.status), projection.Page{Limit: part.limit})
		if err != nil {
			return err
		}
		v.More = v.More || part.limit == 200 && next != ""
		for _, q := range found {
			status, err := s.standing(c.r.Context(), q)
			if err != nil {
				return err
			}
			row := c.row(q, status)
			mine, err := c.work(q.Ref)
			if err != nil {
				return err
			}
			row.Assignee = mine.Assignee()
			*part.rows = append(*part.rows, row)
		}
	}
	slices.SortStableFunc(v.Waiting, func(a, b quoteRow) int { return a.Requested.Compare(b.Requested) })
	return c.show("reviews", v)
}

type reviewView struct {
	page
	*quotes.Quote
	design
	work
	Standing quotes.Status
	Name     string
	Choices  []choice
	Form     priceForm
	Wrong    string
	Closed   string // why no price can be set
}

func (s *Server) reviewView(c *call) (reviewView, error) {
	ctx, ref := c.r.Context(), c.r.PathValue("ref")
	q, err := get[quotes.Quote](ctx, s.Docs, contract.QuoteAggregate, ref)
	if err != nil {
		return reviewView{}, err
	}
	if q == nil || q.Mode != quotes.ModeReview {
		return reviewView{}, missing("review")
	}
	v := reviewView{page: c.page("reviews", "Price a review"), Quote: q, Name: c.accountName(q.Account), Choices: choicesOf(q.Asked),
		Form: priceFormOf(*q)}
	if v.Standing, err = s.standing(ctx, q); err != nil {
		return v, err
	}
	v.Closed = reasonClosed(v.Standing)
	if v.work, err = c.work(ref); err != nil {
		return v, err
	}
	v.design, err = s.readDesign(ctx, q.Digest, q.Board)
	return v, err
}

// PriceParts are the parts that a line of the price can pay for.
func (reviewView) PriceParts() []prices.Part { return prices.ListParts() }

func reasonClosed(s quotes.Status) string {
	switch s {
	case quotes.SourcingRequested, quotes.SourcingQuoted:
		return ""
	case quotes.SourcingReady:
		return "The customer has not asked for this review yet."
	case quotes.AwaitingPayment:
		return "The customer is paying the price that was set."
	}
	return fmt.Sprintf("This quote is %s; its price cannot change.", words(s))
}

func (s *Server) review(c *call) error {
	v, err := s.reviewView(c)
	if err != nil {
		return err
	}
	return c.show("review", v)
}

// priceReview adds the lines up, or sets the price.
func (s *Server) priceReview(c *call) error {
	v, err := s.reviewView(c)
	if err != nil {
		return err
	}
	v.Form = readPriceForm(c.r, *v.Quote)
	data, ok := v.Form.parse()
	if ok && c.r.PostFormValue("action") == "price" {
		lacks := v.Lacking(data)
		v.Form.markProblems(lacks)
		ok = len(lacks) == 0
	}
	if !ok {
		return c.render(http.StatusUnprocessableEntity, "review", v)
	}
	if c.r.PostFormValue("action") != "price" { // only to be added up
		return c.show("review", v)
	}
	data.Quote, data.Operator = v.Ref, c.session.Operator.Name
	r := audits.Record{Action: "set a price", Kind: "quote", ID: v.Ref, Before: priceInWords(*v.Quote), After: priceRecord(data, v.Form.Total)}
	done := "priced"
	if v.Form.Total > s.Limits.PriceCents {
		done = "approval"
		err = c.askApproval(r, c.quoteSubject(v.Quote, nil), cases.ApprovePrice, v.Form.Request, v.Form.Total, "USD", data)
	} else {
		err = c.command(r, quotes.PriceReview, v.Form.Request, v.Account, data)
	}
	if refusal := contract.RefusalIn(err); refusal != nil {
		v.Wrong = refusal.Message
		v.Form.markProblems(refusal.Fields)
		return c.render(http.StatusUnprocessableEntity, "review", v)
	}
	return c.finish(err, "/quotes/"+v.Ref, done)
}

// priceInWords is what the trail says of the price of a quote.
func priceInWords(q quotes.Quote) map[string]string {
	if q.Reply.TotalCents == nil {
		return map[string]string{"status": string(q.Status)}
	}
	return map[string]string{"status": string(q.Status), "version": strconv.Itoa(q.Version), "total": money(q.Reply.TotalCents, "USD"), "lines": lineWords(q.Reply.Lines)}
}

func priceRecord(data quotes.PriceReviewData, total int64) map[string]string {
	after := map[string]string{"total": money(total, "USD"), "lines": lineWords(data.CustomerLines()), "tax": money(data.TaxCents, "USD"), "build_days": strconv.Itoa(data.BuildDays)}
	if data.Note != "" {
		after["note"] = audits.DigestText(data.Note)
	}
	return after
}

func lineWords(lines []prices.Line) string {
	parts := make([]string, len(lines))
	for i, l := range lines {
		parts[i] = l.Label + " " + money(l.Cents, "USD")
	}
	return strings.Join(parts, ", ")
}

// outcome is how a command ended, for the log.
func outcome(err error) zap.Field {
	if refusal := contract.RefusalIn(err); refusal != nil {
		return zap.String("outcome", string(refusal.Code))
	}
	if err != nil {
		return zap.String("outcome", err.Error())
	}
	return zap.String("outcome", "done")
}
