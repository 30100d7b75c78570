package reviews

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/audits"
	casescontract "boardorder/pkg/contract/cases"
	"boardorder/pkg/contract/prices"
	quotescontract "boardorder/pkg/contract/quotes"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/cases"
	"boardorder/services/console/internal/choices"
	"boardorder/services/console/internal/design"
	"boardorder/services/console/internal/filter"
	"boardorder/services/console/internal/format"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/pages/quotes"
	"boardorder/services/console/internal/states"
)

type reviewsView struct {
	page.Frame
	filter.Filter
	Waiting []row // answered ones first, then the oldest
	Priced  []row
	More    bool
}

// A row is a review in a list.
type row struct {
	quotes.Row
	Talk string // how far the conversation with the customer is
}

// How many reviews are shown that wait, and that have a price.
const (
	maxQueue  = 200
	maxPriced = 20
)

// List is the queue of those who set prices.
func (s *Section) List(c *page.Call) error {
	v := reviewsView{Frame: c.Frame("reviews", "Review queue")}
	v.Refresh = 15
	var err error
	if v.Filter, err = filter.Read(c); err != nil {
		return err
	}
	priced := maxPriced
	if v.IsNarrow() { // of which few may be wanted
		priced = states.MaxCount
	}
	for _, part := range []struct {
		status quotescontract.Status
		limit  int
		rows   *[]row
	}{{quotescontract.SourcingRequested, states.MaxCount, &v.Waiting}, {quotescontract.SourcingQuoted, priced, &v.Priced}} {
		found, _, err := states.List[quotescontract.Quote](c.R.Context(), s.Docs, contract.QuoteAggregate, "status", v.Word(string(part.status)), projection.Page{Limit: part.limit})
		if err != nil {
			return err
		}
		found = slices.DeleteFunc(found, func(q *quotescontract.Quote) bool { return !v.Fits(quotes.ThingOf(*q, quotes.RequestTime(*q))) })
		if part.status == quotescontract.SourcingRequested {
			slices.SortStableFunc(found, compareWaiting)
			v.More = len(found) > maxQueue
			found = found[:min(len(found), maxQueue)]
		} else {
			found = found[:min(len(found), maxPriced)]
		}
		for _, q := range found {
			status, err := quotes.StatusOf(c.R.Context(), s.Docs, s.Now(), q)
			if err != nil {
				return err
			}
			one := row{quotes.NewRow(c, s.Now(), q, status), describeTalk(*q)}
			mine, err := cases.Load(c.R.Context(), s.Docs, q.Ref)
			if err != nil {
				return err
			}
			one.Assignee = mine.Assignee()
			*part.rows = append(*part.rows, one)
		}
	}
	return c.Show(templates, "reviews", v)
}

// compareWaiting orders reviews that wait: those whose customer has answered come first, by
// the answer, and then the oldest of all, by when they were asked for.
func compareWaiting(a, b *quotescontract.Quote) int {
	left, right := a.AnswerToRead(), b.AnswerToRead()
	switch {
	case left != nil && right != nil:
		return left.AnsweredAt.Compare(*right.AnsweredAt)
	case left != nil:
		return -1
	case right != nil:
		return 1
	}
	return quotes.RequestTime(*a).Compare(quotes.RequestTime(*b))
}

// describeTalk says how far the conversation about a review is; "" where there is none.
func describeTalk(q quotescontract.Quote) string {
	switch {
	case q.AnswerToRead() != nil:
		return "customer answered"
	case q.OpenQuestion() != nil:
		return "customer asked"
	}
	return ""
}

type reviewView struct {
	page.Frame
	*quotescontract.Quote
	design.Design
	cases.Work
	DerivedStatus quotescontract.Status
	Name          string
	Choices       []choices.Choice
	Form          priceForm
	Picking       pickForm
	Asking        page.Field
	Refusing      refusalForm
	Wrong         string
	Closed        string // why no price can be set
}

// refusalForm is the refusal of a review as it was filled in.
type refusalForm struct {
	Why  page.Field
	Sure string // what is wrong with the box to confirm
}

func (s *Section) reviewView(c *page.Call) (reviewView, error) {
	ctx, ref := c.R.Context(), c.R.PathValue("ref")
	q, err := states.Get[quotescontract.Quote](ctx, s.Docs, contract.QuoteAggregate, ref)
	if err != nil {
		return reviewView{}, err
	}
	if q == nil || q.Mode != quotescontract.ModeReview {
		return reviewView{}, page.Missing("review")
	}
	v := reviewView{Frame: c.Frame("reviews", "Price a review"), Quote: q, Name: c.AccountName(q.Account), Choices: choices.List(q.Request),
		Form: priceFormOf(*q)}
	if v.DerivedStatus, err = quotes.StatusOf(ctx, s.Docs, s.Now(), q); err != nil {
		return v, err
	}
	v.Closed = reasonClosed(v.DerivedStatus)
	if v.Work, err = cases.Load(c.R.Context(), s.Docs, ref); err != nil {
		return v, err
	}
	v.Design, err = design.Read(ctx, s.Docs, q.Digest, q.Board)
	return v, err
}

func reasonClosed(s quotescontract.Status) string {
	switch s {
	case quotescontract.SourcingRequested, quotescontract.SourcingQuoted:
		return ""
	case quotescontract.SourcingReady:
		return "The customer has not asked for this review yet."
	case quotescontract.AwaitingPayment:
		return "The customer is paying the price that was set."
	}
	return fmt.Sprintf("This quote is %s; its price cannot change.", format.Words(s))
}

// Show shows a review, with the form for its price.
func (s *Section) Show(c *page.Call) error {
	v, err := s.reviewView(c)
	if err != nil {
		return err
	}
	return c.Show(templates, "review", v)
}

// Price adds the lines up, or sets the price.
func (s *Section) Price(c *page.Call) error {
	v, err := s.reviewView(c)
	if err != nil {
		return err
	}
	v.Form = readPriceForm(c.R, *v.Quote)
	if v.Form.Lines.Edit(c.R.PostFormValue("action")) {
		return c.Show(templates, "review", v)
	}
	data, ok := v.Form.parse()
	if ok && c.R.PostFormValue("action") == "price" {
		lacks := v.Lacking(data)
		v.Form.markProblems(lacks)
		ok = len(lacks) == 0
	}
	if !ok {
		v.Wrong = "Nothing is set yet: what is wrong stands beside it."
		return v.refuse(c)
	}
	if c.R.PostFormValue("action") != "price" { // only to be added up
		return c.Show(templates, "review", v)
	}
	if v.Form.Version != 0 && v.Form.Version != v.Version {
		v.Wrong = v.ExplainChange()
		v.Form.Version = v.Version // who has read that may set another
		return v.refuse(c)
	}
	data.Quote, data.Operator, data.Version = v.Ref, c.Session.Operator.Name, v.Form.Version
	r := audits.Record{Action: "set a price", Kind: "quote", ID: v.Ref, Before: priceInWords(*v.Quote), After: priceRecord(data, v.Form.Total)}
	done := "priced"
	if v.Form.Total > s.MaxCents {
		done = "approval"
		err = c.RequestApproval(r, quotes.SubjectOf(c, v.Quote, nil), casescontract.ApprovePrice, v.Form.Request, v.Form.Total, "USD", data)
	} else {
		err = c.Command(r, quotescontract.PriceReview, v.Form.Request, v.Account, data)
	}
	if refusal := contract.RefusalIn(err); refusal != nil {
		v.Wrong, v.Form.Request = refusal.Message, "" // what was refused is not asked for again
		v.Form.markProblems(refusal.Fields)
		return v.refuse(c)
	}
	return c.Finish(err, "/quotes/"+v.Ref, done)
}

// priceInWords is what the trail says of the price of a quote.
func priceInWords(q quotescontract.Quote) map[string]string {
	if q.Reply.TotalCents == nil {
		return map[string]string{"status": string(q.Status)}
	}
	return map[string]string{"status": string(q.Status), "version": strconv.Itoa(q.Version), "total": format.Money(q.Reply.TotalCents, "USD"), "lines": lineWords(q.Reply.Lines)}
}

func priceRecord(data quotescontract.PriceReviewData, total int64) map[string]string {
	after := map[string]string{"total": format.Money(total, "USD"), "lines": lineWords(data.CustomerLines()), "tax": format.Money(data.TaxCents, "USD"), "build_days": strconv.Itoa(data.BuildDays)}
	if data.Note != "" {
		after["note"] = audits.DigestText(data.Note)
	}
	return after
}

func lineWords(lines []prices.Line) string {
	parts := make([]string, len(lines))
	for i, l := range lines {
		parts[i] = l.Label + " " + format.Money(l.Cents, "USD")
	}
	return strings.Join(parts, ", ")
}
