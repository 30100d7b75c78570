package checkout

import (
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/address"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/secret"
	"boardorder/services/edge/internal/web"
)

// orderPage is the receipt, and how far the order is.
type orderPage struct {
	Acknowledged *acknowledgedView
	boardPage
	Ref, Heading, Lead string
	Lines              []priceLine
	Without            []string // what the price did not hold
	Total              string
	PaidAt             time.Time
	Card               string // "Visa ending in 4242", or ""
	Address            []string
	Phone              string
	Email              string
	Owner              bool   // sees everything: came from one of our e-mails
	Key                string // proves it, for the page's forms and links
	Token              string
	Cancel             bool   // can be cancelled here
	Expected           string // when the boards should be there, or ""
	Delivery           string
	Steps              []stepView
	Tracking           *trackingView
	Held               bool
	Refunds            []string
	Follow             string // where the page hears of changes, or "" when there will be none
	Documents          []documentLink
	Contact            string // address of the page that says how to reach us, or ""
}

// stepView is one step of an order's way.
type stepView struct {
	Name  string
	State string // done, now, next
	Words string // the state in words
	At    time.Time
	Inner []orders.Step
}

type trackingView struct{ Carrier, Number, URL string }

// owner reports whether a caller holds the token of one of our e-mails about the
// quote, and gives it.
func (p *Pages) owner(token, ref string) (key string, ok bool) {
	subject, _, err := p.Secrets.OpenLink(secret.OrderOwner, token, p.Now())
	if err != nil || subject != ref {
		return "", false
	}
	return token, true
}

func (p *Pages) orderView(c *web.Call, s record) orderPage {
	o := *s.order
	v := orderPage{
		boardPage: p.boardOnly(s, "Order "+o.Ref), Ref: o.Ref, Lines: linesOf(o.Lines, o.Currency), Without: o.Sold.Reply.NotIncluded, Total: amount(o.TotalCents, o.Currency),
		PaidAt: o.PaidAt, Delivery: o.Delivery, Held: o.Status == orders.Held && !o.ByHand, Acknowledged: acknowledgementOf(o), Card: o.Payment.CardWords(), Token: p.token(s.quote),
	}
	given, _ := c.Query("k")
	v.Key, v.Owner = p.owner(given, s.ref)
	p.showPerson(&v, o.ShipTo)
	if o.Board != "" {
		v.Board.Line = o.Board
	}
	v.Board.Quantity = plural(o.Quantity, "board")
	v.Heading, v.Lead = headline(o)
	v.Steps, v.Expected = way(o), arrivalWords(o)
	v.Cancel = v.Owner && cancellable(o)
	if v.Owner {
		v.Documents = p.documents(s, v.Key)
	}
	if t := o.Tracking; t != nil {
		v.Tracking = &trackingView{Carrier: t.Carrier, Number: t.Number, URL: safeURL(t.URL)}
	}
	v.Refunds = refundWords(s)
	if !isOver(o) {
		v.Reload, v.Follow, v.Script = true, p.self(s.id, "")+"/events", p.asset("order.js")
	}
	v.Contact = p.contact()
	if s.later != "" {
		v.Notices = append(v.Notices, Notice{Kind: "warn", Text: "While this payment was open, another choice was made on the quote’s page: " + s.later + ". That is not ordered. What you paid for is ordered, as this page shows it."})
	}
	return v
}

// withdrawnPage is what a customer sees who has paid for a design that was
// declared ITAR-controlled: what becomes of the money.
type withdrawnPage struct {
	Frame
	Ref, Total string
	PaidAt     time.Time
	Cancelled  bool
	Shipped    bool
	Refunds    []string
	Contact    string // address of the page that says how to reach us, or ""
}

func (p *Pages) withdrawalView(s record) withdrawnPage {
	o := *s.order
	return withdrawnPage{
		Frame: p.frameOf("Order "+o.Ref, s), Ref: o.Ref, Total: amount(o.TotalCents, o.Currency), PaidAt: o.PaidAt,
		Cancelled: o.Status == orders.Cancelled, Shipped: o.Status == orders.Shipped, Refunds: refundWords(s), Contact: p.contact(),
	}
}

// contact is the address of the page that says how to reach us, or "".
func (p *Pages) contact() string {
	for _, t := range p.Legal {
		if t.Name == "contact" {
			return p.base + t.Path()
		}
	}
	return ""
}

// showPerson shows the customer's data to the customer, and to whoever only holds
// the link as little as tells one order from another.
func (p *Pages) showPerson(v *orderPage, to shipments.ShipTo) {
	if v.Owner {
		v.Address, v.Phone, v.Email = p.address(to), to.Phone, to.Email
		return
	}
	place := address.Place(shipments.ShipTo{City: to.City, State: to.State, Country: to.Country})
	for _, line := range []string{initials(to.Name), place, p.countries.Name(to.Country)} {
		if line != "" {
			v.Address = append(v.Address, line)
		}
	}
	v.Email = maskEmail(to.Email)
}

// initials is a name by its first letters: "A. L.".
func initials(name string) string {
	var out []string
	for _, w := range strings.Fields(name) {
		out = append(out, string([]rune(w)[0])+".")
	}
	return strings.Join(out[:min(len(out), 3)], " ")
}

// maskEmail shows an address to whoever knows it: "a…@example.com".
func maskEmail(email string) string {
	name, domain, ok := strings.Cut(email, "@")
	if !ok || name == "" {
		return ""
	}
	return string([]rune(name)[0]) + "…@" + domain
}

// isOver reports whether the order will not change any more by itself.
func isOver(o orders.Order) bool {
	return o.Status == orders.Cancelled || o.Status == orders.Shipped && o.Tracking != nil
}

// cancellable reports whether the customer may still call the order off: until it
// goes to the factory. The payment service decides.
func cancellable(o orders.Order) bool {
	disputed := o.Dispute != nil && o.Dispute.Status != "won"
	return !disputed && (o.Status == orders.Paid || o.Status == orders.Held)
}

// arrivalWords is when the boards should arrive, from the words that were sold:
// "7 to 9 working days from payment, build included".
func arrivalWords(o orders.Order) string {
	low, high, ok := workingDays(o.Delivery)
	if !ok || o.Status == orders.Cancelled || o.Status == orders.Held && !o.ByHand {
		return ""
	}
	from, to := addWorkingDays(o.PaidAt, low), addWorkingDays(o.PaidAt, high)
	const day = "Monday, 2 January 2006"
	if low == high {
		return from.Format(day)
	}
	return "between " + from.Format(day) + " and " + to.Format(day)
}

// workingDays reads "7 to 9 working days …" and "1 working day …".
func workingDays(words string) (low, high int, ok bool) {
	f := strings.Fields(words)
	if len(f) < 3 {
		return 0, 0, false
	}
	low, err := strconv.Atoi(f[0])
	if err != nil || low < 0 || low > 365 {
		return 0, 0, false
	}
	high, rest := low, f[1:]
	if f[1] == "to" && len(f) > 4 {
		if high, err = strconv.Atoi(f[2]); err != nil || high < low || high > 365 {
			return 0, 0, false
		}
		rest = f[3:]
	}
	return low, high, rest[0] == "working" && strings.HasPrefix(rest[1], "day")
}

func addWorkingDays(t time.Time, n int) time.Time {
	t = t.UTC()
	for n > 0 {
		if t = t.AddDate(0, 0, 1); t.Weekday() != time.Saturday && t.Weekday() != time.Sunday {
			n--
		}
	}
	return t
}

func refundWords(s record) []string {
	var out []string
	for _, r := range s.order.Refunds {
		switch r.Status {
		case orders.RefundDone, orders.RefundPending:
			out = append(out, amount(r.Cents, s.order.Currency)+" of your payment was refunded on "+moment(r.At)+".")
		case orders.RefundBegun:
			out = append(out, amount(r.Cents, s.order.Currency)+" of your payment is on its way back to your card.")
		}
	}
	if s.paying != nil {
		for _, r := range s.paying.Refunds {
			out = append(out, "A second payment of "+amount(r.Cents, s.order.Currency)+" was refunded on "+moment(r.At)+".")
		}
	}
	return out
}

func headline(o orders.Order) (heading, lead string) {
	disputed := o.Dispute != nil && o.Dispute.Status != "won" && o.Status == orders.Held
	switch {
	case disputed:
		return "Your bank has questioned the payment", "We do not go on with this order until that is settled. If this was not meant, please tell your bank, and write to us."
	case o.Status == orders.Shipped:
		return "Your boards are on their way", "They left the factory and are with the carrier."
	case o.Status == orders.InProduction:
		return "Your boards are being built", "We e-mail you as soon as they ship."
	case o.Status == orders.Cancelled:
		return "Your order is cancelled", "The boards are not built. Your payment is refunded to the card that you used; your bank may take a few days to show it."
	case o.Status == orders.Held && o.ByHand && o.Sold.Assembly != nil:
		return "Thank you, your order is paid", "Our team places it with the factory now: the parts are bought, and the boards are built and assembled. There is nothing for you to do."
	case o.Status == orders.Held && o.ByHand:
		return "Thank you, your order is paid", "Our team places it with the factory now. There is nothing for you to do."
	case o.Status == orders.Held:
		return "Thank you, your order is paid", "Our team is taking a closer look at this order before it is built. There is nothing for you to do: we write to you if we need anything."
	}
	return "Thank you, your order is placed", "Your payment has arrived, and your boards go into production next."
}
