package checkout

import (
	"net/http"
	"strconv"
	"time"

	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/orders"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

// boardPage is a page that shows the board and says one thing about it.
type boardPage struct {
	Frame
	Board   boardView
	Price   priceView
	Email   string
	Expires time.Time
	Review  bool
	// Declined is why the team gave no price, by paragraph.
	Declined []string
}

const expiredTitle = "This quote has expired"

func (p *Pages) boardOnly(s record, title string) boardPage {
	v := boardPage{
		Frame: p.frameOf(title, s), Board: p.boardView(s), Price: priceOf(s), Email: maskEmail(s.delivery().Email), Expires: s.quote.ExpiresAt, Review: s.hasTeamPrice(),
	}
	if r := s.quote.TeamRefusal(); r != nil {
		v.Declined = paragraphs(r.Why)
		if title == expiredTitle {
			v.Title = "No price for this board"
		}
	}
	return v
}

// confirmPage waits for a payment to be confirmed. It comes again by itself.
type confirmPage struct {
	boardPage
	Refresh string // the header's value
	Again   string // the same, for people
	Paid    bool   // the processor has confirmed it; the order is being made
	Long    bool
	Total   string
}

// The page comes again often at first. After some minutes nobody watches it.
const (
	confirmSoon  = 5 * time.Second
	confirmLater = 30 * time.Second
	confirmLong  = 20 // times shown
)

func (p *Pages) confirmView(s record, shown int) confirmPage {
	v := confirmPage{boardPage: p.boardOnly(s, "Confirming your payment")}
	v.Again = p.self(s.id, "paid=1&n="+strconv.Itoa(shown+1))
	v.Long = shown >= confirmLong
	every := confirmSoon
	if v.Long {
		every = confirmLater
	}
	v.Refresh = strconv.Itoa(int(every/time.Second)) + "; url=" + v.Again
	v.Total = amount(s.total(), s.currency())
	if s.paying != nil {
		v.Paid = s.paying.Status == checkouts.Paid
		v.Total = amount(s.paying.TotalCents, s.paying.Currency)
	}
	if v.Paid {
		v.Title = "Payment received"
	}
	return v
}

// way is the order's way in four steps, or how it ended.
func way(o orders.Order) []stepView {
	if o.Cancelled != nil {
		return []stepView{{Name: "Paid", State: "done", At: o.PaidAt}, {Name: "Cancelled", State: "done", At: o.Cancelled.At}}
	}
	reached := map[orders.Status]int{
		orders.Paid: 1, orders.Placing: 1, orders.Held: 1,
		orders.Placed: 2, orders.InProduction: 2, orders.Shipped: 4,
	}[o.Status]
	steps := []stepView{{Name: "Paid", At: o.PaidAt}, {Name: "Placed with the factory"}, {Name: "In production", Inner: o.Steps}, {Name: "On its way to you"}}
	if o.PlacedAt != nil {
		steps[1].At = *o.PlacedAt
	}
	if o.ShippedAt != nil {
		steps[3].At = *o.ShippedAt
	}
	for i := range steps {
		switch {
		case i < reached:
			steps[i].State, steps[i].Words = "done", "done"
		case i == reached:
			steps[i].State, steps[i].Words = "now", "next"
		default:
			steps[i].State, steps[i].Words = "next", "to come"
		}
	}
	if o.Status == orders.InProduction {
		steps[2].Words = "now"
	}
	return steps
}

// leavePage leads on to the card processor.
type leavePage struct {
	Frame
	To string

	Total string
}

func (p *Pages) leaveView(s record, to string) leavePage {
	return leavePage{Frame: p.frameOf("To the payment page", s), To: to, Total: amount(s.total(), s.currency())}
}

// messagePage says what is wrong, and nothing else.
type messagePage struct {
	Frame
	Heading, Text, Again, RequestID string
}

func (p *Pages) messageView(c *web.Call, failure *problem.Problem) messagePage {
	v := messagePage{Frame: p.Frame("Something is wrong", ""), Heading: "This did not work", Text: failure.Refusal.Message, RequestID: c.ID}
	id := c.Param("quote_id")
	switch {
	case failure.Status == http.StatusNotFound:
		v.Heading = "There is no quote at this address"
		v.Text = "Please check that the link is complete: it ends with 64 letters and digits. If it came in a message, open it from there again."
	case failure.Status == http.StatusForbidden:
		v.Heading = "This page is out of date"
		v.Text = "Nothing was changed or charged. Open the quote again and repeat what you did last."
	case failure.Status >= http.StatusInternalServerError:
		v.Heading = "Please try again in a moment"
		v.Text = "We cannot show this page just now. Nothing was changed or charged, and nothing is lost."
	}
	if failure.Status != http.StatusNotFound && quoteID.MatchString(id) {
		v.Again = p.self(id, "")
	}
	v.Title = v.Heading
	return v
}
