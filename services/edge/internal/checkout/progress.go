package checkout

import (
	"net/http"
	"strconv"
	"time"

	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/language"
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

func (p *Pages) boardOnly(c *web.Call, s record, title string) boardPage {
	v := boardPage{
		Frame: p.frameOf(c, title, s), Board: p.boardView(s), Price: priceOf(s), Email: maskEmail(s.delivery().Email), Expires: s.quote.ExpiresAt, Review: s.hasTeamPrice(),
	}
	if r := s.quote.TeamRefusal(); r != nil {
		v.Declined = paragraphs(r.Why)
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

func (p *Pages) confirmView(c *web.Call, s record, shown int) confirmPage {
	v := confirmPage{boardPage: p.boardOnly(c, s, s.lang.Text("Confirming your payment"))}
	v.Again = p.self(s.id, "paid=1&n="+strconv.Itoa(shown+1))
	v.Long = shown >= confirmLong
	every := confirmSoon
	if v.Long {
		every = confirmLater
	}
	v.Refresh = strconv.Itoa(int(every/time.Second)) + "; url=" + v.Again
	v.Total = s.amount(s.total())
	if s.paying != nil {
		v.Paid = s.paying.Status == checkouts.Paid
		v.Total = paymentAmount(s.lang, s.paying.TotalCents, s.paying.Currency, s.paying.Charge)
	}
	if v.Paid {
		v.Title = s.lang.Text("Payment received")
	}
	return v
}

// way is the order's way in four steps, or how it ended.
func way(l *language.Printer, o orders.Order) []stepView {
	if o.Cancelled != nil {
		return []stepView{{Name: l.Text("Paid"), State: "done", At: o.PaidAt}, {Name: l.Text("Cancelled"), State: "done", At: o.Cancelled.At}}
	}
	reached := map[orders.Status]int{
		orders.Paid: 1, orders.Placing: 1, orders.Held: 1,
		orders.Placed: 2, orders.InProduction: 2, orders.Shipped: 4,
	}[o.Status]
	steps := []stepView{{Name: l.Text("Paid"), At: o.PaidAt}, {Name: l.Text("Placed with the factory")}, {Name: l.Text("In production"), Inner: o.Steps}, {Name: l.Text("On its way to you")}}
	if o.PlacedAt != nil {
		steps[1].At = *o.PlacedAt
	}
	if o.ShippedAt != nil {
		steps[3].At = *o.ShippedAt
	}
	for i := range steps {
		switch {
		case i < reached:
			steps[i].State, steps[i].Words = "done", l.Text("done")
		case i == reached:
			steps[i].State, steps[i].Words = "now", l.Text("next")
		default:
			steps[i].State, steps[i].Words = "next", l.Text("to come")
		}
	}
	if o.Status == orders.InProduction {
		steps[2].Words = l.Text("now")
	}
	return steps
}

// leavePage leads on to the card processor.
type leavePage struct {
	Frame
	To string

	Total string
}

func (p *Pages) leaveView(c *web.Call, s record, to, currency string) leavePage {
	v := leavePage{Frame: p.frameOf(c, s.lang.Text("To the payment page"), s), To: to, Total: s.amount(s.total())}
	if currency != "" {
		v.Total = paymentAmount(s.lang, s.total(), s.currency(), ChargeOf(s.quote))
	}
	return v
}

// messagePage says what is wrong, and nothing else.
type messagePage struct {
	Frame
	Heading, Text, Again, RequestID string
}

func (p *Pages) messageView(c *web.Call, failure *problem.Problem) messagePage {
	v := messagePage{Frame: p.Frame(c, "", ""), Heading: language.Key("This did not work"), Text: failure.Refusal.Message, RequestID: c.ID}
	id := c.Param("quote_id")
	switch {
	case failure.Status == http.StatusNotFound:
		v.Heading = language.Key("There is no quote at this address")
		v.Text = language.Key("Please check that the link is complete: it ends with 64 letters and digits. If it came in a message, open it from there again.")
	case failure.Refusal.Message == customersAlone:
		// which is all there is to say
	case failure.Status == http.StatusForbidden:
		v.Heading = language.Key("This page is out of date")
		v.Text = language.Key("Nothing was changed or charged. Open the quote again and repeat what you did last.")
	case failure.Status >= http.StatusInternalServerError:
		v.Heading = language.Key("Please try again in a moment")
		v.Text = language.Key("We cannot show this page just now. Nothing was changed or charged, and nothing is lost.")
	}
	if failure.Status != http.StatusNotFound && quoteID.MatchString(id) {
		v.Again = p.self(id, "")
	}
	v.Title = c.Language().Text(v.Heading)
	return v
}
