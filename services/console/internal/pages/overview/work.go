package overview

import (
	"cmp"
	"slices"
	"time"

	"boardorder/pkg/contract/cases"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/figures"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	desk "boardorder/services/console/internal/cases"
	"boardorder/services/console/internal/format"
	pages "boardorder/services/console/internal/pages/quotes"
)

// A kind of work that waits for a person.
type kind string

const (
	disputes  kind = "disputes"
	refunds   kind = "refunds"
	declines  kind = "declines"
	held      kind = "held"
	asks      kind = "asks"
	answers   kind = "answers"
	reviews   kind = "reviews"
	formals   kind = "formal"
	approvals kind = "approvals"
)

// A task is one thing that waits for a person.
type task struct {
	Kind  kind
	Ref   string // the number that people call it by
	To    string // its page
	Case  string // whose assignee has it
	About string
	Since time.Time
	// What the desk adds.
	Customer, Age, Assignee string
	quote                   *quotes.Quote // whose customer it is; nil: it has another
	order                   *orders.Order
	formal                  string // the key of the formal order whose number is not known yet
}

// reviewTask is what a review wants of the team: a price, or a look at an answer. While
// the customer is asked, and once it has expired, it wants nothing.
func reviewTask(q *quotes.Quote, now time.Time) (task, bool) {
	if q.Status != quotes.SourcingRequested || q.IsExpired(now) || q.OpenQuestion() != nil {
		return task{}, false
	}
	t := task{Kind: reviews, Ref: quotes.CustomerRef(q.Ref), To: "/reviews/" + q.Ref, Case: q.Ref, Since: pages.RequestTime(*q), quote: q}
	if q.Review != nil && len(q.Review.Questions) > 0 {
		last := q.Review.Questions[len(q.Review.Questions)-1]
		t.Kind, t.Since, t.About = answers, *last.AnsweredAt, last.Answer
	}
	return t, true
}

// orderTask is why a person has to look at an order.
func orderTask(o *orders.Order, why kind) task {
	t := task{Kind: why, Ref: o.Ref, To: "/orders/" + o.Quote, Case: o.Quote, Since: o.PaidAt, order: o}
	switch why {
	case disputes:
		if o.Dispute != nil {
			t.Since, t.About = o.Dispute.At, format.Words(o.Dispute.Reason)
		}
	case refunds:
		if n := len(o.Refunds); n > 0 {
			t.Since, t.About = o.Refunds[n-1].At, o.Refunds[n-1].Why
		}
	case asks:
		t.About = o.Waiting
	default:
		t.About = o.Held
	}
	return t
}

// checkoutTask is a customer whose card was not charged.
func checkoutTask(c *checkouts.Checkout) task {
	t := task{Kind: declines, Ref: quotes.CustomerRef(c.Quote), To: "/quotes/" + c.Quote, Case: c.Quote, Since: c.StartedAt, quote: &c.Sold}
	if c.Saved != nil {
		t.Since, t.About = c.Saved.VerifiedAt, c.Saved.Reason
	}
	return t
}

func formalTask(o *formal.Order) task {
	t := task{Kind: formals, Ref: o.Ref, To: "/central/" + o.Key, Case: o.Key, About: o.Name, Since: o.CreatedAt}
	if o.Accepted != nil {
		t.Since = o.Accepted.AcceptedAt
	}
	return t
}

func approvalTasks(c *cases.Case) (out []task) {
	for _, a := range c.Open() {
		t := task{Kind: approvals, Ref: quotes.CustomerRef(c.Ref), To: "/orders/" + c.Ref, Case: c.Ref, About: desk.Describe(a.Kind) + ", " + format.Money(a.Cents, a.Currency) + ", asked by " + a.AskedBy, Since: a.AskedAt}
		switch a.Kind {
		case cases.ApproveFormal:
			t.To, t.Ref, t.formal = "/central/"+c.Ref, "formal order", c.Ref
		case cases.ApprovePrice:
			t.To = "/quotes/" + c.Ref
		}
		out = append(out, t)
	}
	return out
}

// attentionKinds are the kinds of what the projection lists by [figures.AttentionKey].
var attentionKinds = map[figures.Attention]kind{figures.Disputed: disputes, figures.RefundFailed: refunds, figures.Asks: asks}

// sortTasks puts what waits longest first, and leaves out what is there for a better reason: an
// order that is held for its dispute, and whatever waits for a second operator, since the
// first has done with it.
func sortTasks(all []task) []task {
	named, asked := map[string]bool{}, map[string]bool{}
	for _, t := range all {
		named[t.Case] = named[t.Case] || t.Kind == disputes || t.Kind == refunds
		asked[t.Case] = asked[t.Case] || t.Kind == approvals
	}
	all = slices.DeleteFunc(slices.Clone(all), func(t task) bool {
		return t.Kind == held && named[t.Case] || asked[t.Case] && (t.Kind == held || t.Kind == reviews || t.Kind == answers || t.Kind == formals)
	})
	slices.SortStableFunc(all, func(a, b task) int { return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.Ref, b.Ref)) })
	return all
}

// A tile is how much there is of one kind of work.
type tile struct {
	Kind      kind
	One, Many string
	To        string
	Count     int
	Since     time.Time // the oldest
	Age       string
	Bad       bool // money, or an order that stands still
}

// Text is what stands behind the count.
func (t tile) Text() string {
	if t.Count == 1 {
		return t.One
	}
	return t.Many
}

// newTiles are the kinds of work in the order of their weight, also those of which there is none.
func newTiles() []tile {
	return []tile{
		{Kind: disputes, One: "disputed payment", Many: "disputed payments", To: "/disputes", Bad: true},
		{Kind: refunds, One: "failed refund", Many: "failed refunds", To: "#work", Bad: true},
		{Kind: declines, One: "declined card", Many: "declined cards", To: "#work", Bad: true},
		{Kind: held, One: "held order", Many: "held orders", To: "/orders?status=held", Bad: true},
		{Kind: asks, One: "question of the fabricator", Many: "questions of the fabricator", To: "#work"},
		{Kind: answers, One: "answered question", Many: "answered questions", To: "/reviews"},
		{Kind: reviews, One: "review to price", Many: "reviews to price", To: "/reviews"},
		{Kind: formals, One: "formal order", Many: "formal orders", To: "/central"},
		{Kind: approvals, One: "request for a second operator", Many: "requests for a second operator", To: "/approvals"},
	}
}

// countTasks fills the tiles.
func countTasks(sorted []task) []tile {
	tiles := newTiles()
	for _, t := range sorted {
		i := slices.IndexFunc(tiles, func(one tile) bool { return one.Kind == t.Kind })
		if tiles[i].Count++; tiles[i].Count == 1 {
			tiles[i].Since = t.Since
		}
	}
	return tiles
}

// Words says what a kind of work is, in a list of tasks.
func (k kind) Words() string {
	return map[kind]string{
		disputes: "Disputed payment", refunds: "Refund failed", declines: "Card declined", held: "Order is held", asks: "Fabricator asks",
		answers: "Customer has answered", reviews: "Price a review", formals: "Formal order", approvals: "Approve",
	}[k]
}
