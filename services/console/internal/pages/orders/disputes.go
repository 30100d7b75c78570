package orders

import (
	"net/http"
	"slices"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/figures"
	"boardorder/pkg/contract/orders"
	quotescontract "boardorder/pkg/contract/quotes"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/cases"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/pages/quotes"
	"boardorder/services/console/internal/states"
)

type disputeRow struct {
	orderRow
	Dispute  *disputeView
	Assignee string
}

type disputesView struct {
	page.Frame
	states.ModeFilter
	Rows     []disputeRow
	State    string
	States   []string
	Next     string
	Takeable bool // several can be assigned at once
}

var disputeStates = []string{orders.DisputeOpen, orders.DisputeWon, orders.DisputeLost}

// Disputes lists disputed payments: open ones by when the bank wants evidence, decided ones newest
// order first.
func (s *Section) Disputes(c *page.Call) error {
	ask := c.R.URL.Query()
	v := disputesView{Frame: c.Frame("disputes", "Disputed payments"), ModeFilter: states.ReadMode(c.R), State: ask.Get("state"), States: disputeStates}
	if v.State == "" {
		v.State = orders.DisputeOpen
	}
	if !slices.Contains(disputeStates, v.State) {
		return page.Missing("state")
	}
	at := projection.Page{Limit: states.PerPage, Cursor: ask.Get("cursor")}
	if v.State == orders.DisputeOpen { // all, since the most urgent may be the oldest
		at = projection.Page{Limit: states.MaxCount}
	}
	found, next, err := states.List[orders.Order](c.R.Context(), s.Docs, contract.OrderAggregate, figures.DisputeKey, v.Word(v.State), at)
	if err != nil {
		return err
	}
	v.Next = next
	for _, o := range found {
		row := disputeRow{orderRow: s.newRow(c, o), Dispute: newDisputeView(*o, s.Now())}
		work, err := cases.Load(c.R.Context(), s.Docs, o.Quote)
		if err != nil {
			return err
		}
		row.Assignee = work.Assignee()
		v.Rows = append(v.Rows, row)
	}
	if v.State == orders.DisputeOpen {
		slices.SortStableFunc(v.Rows, func(a, b disputeRow) int { return urgency(a).Compare(urgency(b)) })
	}
	v.Takeable = v.State == orders.DisputeOpen && len(v.Rows) > 0 && c.Can(operator.TakeCases)
	return c.Show(templates, "disputes", v)
}

// urgency is when something is due about a dispute; what waits for the bank comes last.
func urgency(r disputeRow) time.Time {
	d := r.Dispute
	switch {
	case d.Answered:
		return d.At.AddDate(100, 0, 0)
	case d.Due != nil:
		return *d.Due
	}
	return d.At
}

// TakeDisputes makes the operator the one who has each of the chosen disputes. Each is a command
// and a record of its own; doing it again changes nothing.
func (s *Section) TakeDisputes(c *page.Call) error {
	_ = c.R.ParseForm() // was parsed before
	chosen := slices.Compact(slices.Sorted(slices.Values(c.R.PostForm["order"])))
	if len(chosen) == 0 || len(chosen) > states.MaxCount {
		return refuse("choose the disputes first.")
	}
	for _, ref := range chosen {
		o, err := states.Get[orders.Order](c.R.Context(), s.Docs, contract.OrderAggregate, ref)
		if err != nil {
			return err
		}
		if o == nil {
			return page.Problem{Status: http.StatusNotFound, Message: "One of these orders does not exist. Those before it are assigned to you."}
		}
		subject := quotes.SubjectOf(c, &quotescontract.Quote{Ref: o.Quote, Account: o.Account}, o)
		if err := quotes.Take(c, s.Docs, subject, false, c.R.PostFormValue("request")+"-"+o.Quote); err != nil {
			return c.Finish(err, "/disputes", "taken")
		}
	}
	return c.Finish(nil, "/disputes", "taken")
}
