package checkout

import (
	"strings"
	"time"

	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/language"
	"boardorder/pkg/phrase"
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
	Charged            string // what the card was charged in another currency, or ""
	Address            []string
	Phone              string
	Email              string
	Owner              bool   // sees everything: came from one of our e-mails, or paid in this browser
	Key                string // of the e-mail, for the page's forms and links, or ""
	Token              string
	Cancel             bool   // can be cancelled here
	Expected           string // when the boards should be there, or ""
	Leaves             string // when they should be ready to ship, where the time to the door is not known, or ""
	Delivery           string
	Steps              []stepView
	Tracking           *trackingView
	Held               bool
	Refunds            []string
	Follow             string // where the page hears of changes, or "" when there will be none
	Documents          []documentLink
	Contact            string // address of the page that says how to reach us, or ""
	Again              string // where the boards are ordered once more, or "" where that is not with us
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

func (p *Pages) orderView(c *web.Call, s record) orderPage {
	o := *s.order
	v := orderPage{
		boardPage: p.boardOnly(c, s, s.lang.Text("Order %s", o.Ref)), Ref: o.Ref, Lines: linesOf(s.lang, o.Lines, o.Currency), Without: o.Sold.Reply.NotIncluded, Total: s.lang.Amount(o.TotalCents, o.Currency),
		PaidAt: o.PaidAt, Delivery: o.Delivery, Held: o.Status == orders.Held && !o.ByHand, Acknowledged: acknowledgementOf(o), Card: phrase.Translate(s.lang, o.Payment.CardWords()), Charged: chargeWords(s.lang, o.Payment.Charged), Token: p.token(s.quote),
	}
	given, _ := c.Query("k")
	v.Key, v.Owner = p.ownerOf(c, given, s)
	p.showPerson(s.lang, &v, o.ShipTo)
	if o.Board != "" {
		v.Board.Line = o.Board
	}
	v.Board.Quantity = s.lang.Boards(o.Quantity)
	v.Heading, v.Lead = headline(s.lang, o)
	v.Steps, v.Expected, v.Leaves = way(s.lang, o), arrivalWords(s.lang, o), leavingWords(s.lang, o)
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
	v.Contact, v.Again = p.contact(), p.shopOf(s.quote.Account)
	if s.later != "" {
		v.Notices = append(v.Notices, Notice{Kind: "warn", Text: s.lang.Text("While this payment was open, another choice was made on the quote’s page: %s. That is not ordered. What you paid for is ordered, as this page shows it.", phrase.Translate(s.lang, s.later))})
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
	Returned   bool // the payment goes back, or went
	Shipped    bool
	Refunds    []string
	Contact    string // address of the page that says how to reach us, or ""
}

func (p *Pages) withdrawalView(c *web.Call, s record) withdrawnPage {
	o := *s.order
	return withdrawnPage{
		Frame: p.frameOf(c, s.lang.Text("Order %s", o.Ref), s), Ref: o.Ref, Total: paymentAmount(s.lang, o.TotalCents, o.Currency, o.Payment.Charged), PaidAt: o.PaidAt,
		Cancelled: o.Status == orders.Cancelled, Returned: paysBack(o), Shipped: o.Status == orders.Shipped, Refunds: refundWords(s), Contact: p.contact(),
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

// shopOf is the first page of the shop where it made an account's quotes, or "".
func (p *Pages) shopOf(account string) string {
	if p.ShopAccount == "" || account != p.ShopAccount {
		return ""
	}
	return p.base + "/"
}

// showPerson shows the customer's data to the customer, and to whoever only holds
// the link as little as tells one order from another.
func (p *Pages) showPerson(l *language.Printer, v *orderPage, to shipments.ShipTo) {
	if v.Owner {
		v.Address, v.Phone, v.Email = p.address(l, to), to.Phone, to.Email
		return
	}
	v.Address = p.address(l, shipments.ShipTo{Name: initials(to.Name), City: to.City, State: to.State, Country: to.Country})
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
func arrivalWords(l *language.Printer, o orders.Order) string {
	if o.Status == orders.Cancelled || o.Status == orders.Held && !o.ByHand {
		return ""
	}
	return longArrival(l, o.Delivery, o.PaidAt)
}

// leavingWords is when the boards should be ready to ship, until they are on their way.
func leavingWords(l *language.Printer, o orders.Order) string {
	if o.Status == orders.Shipped || o.Status == orders.Cancelled || o.Status == orders.Held && !o.ByHand {
		return ""
	}
	return readyDay(l, o.Delivery, o.PaidAt)
}

func refundWords(s record) []string {
	var out []string
	for i, r := range s.order.Refunds {
		switch r.Status {
		case orders.RefundDone:
			out = append(out, s.lang.Text("%s of your payment was refunded on %s.", refundAmount(s, r.Cents, r.Charged), s.lang.Moment(r.At)))
		case orders.RefundBegun, orders.RefundPending:
			out = append(out, s.lang.Text("%s of your payment is on its way back to your card.", refundAmount(s, r.Cents, r.Charged)))
		case orders.RefundFailed:
			if !s.order.IsGivenAgain(i) {
				out = append(out, s.lang.Text("A refund of %s did not reach your card. You do not lose anything: our team sends it again, or writes to you.", refundAmount(s, r.Cents, r.Charged)))
			}
		}
	}
	if s.paying != nil {
		for _, r := range s.paying.Refunds {
			out = append(out, s.lang.Text("A second payment of %s was refunded on %s.", refundAmount(s, r.Cents, r.Charged), s.lang.Moment(r.At)))
		}
	}
	return out
}

// paysBack tells whether a cancelled order's payment goes back, or went: not where there is
// nothing to give, nor while the refund has failed.
func paysBack(o orders.Order) bool {
	n := len(o.Refunds)
	return n > 0 && o.Refunds[n-1].Status != orders.RefundFailed
}

func headline(l *language.Printer, o orders.Order) (heading, lead string) {
	disputed := o.Dispute != nil && o.Dispute.Status != "won" && o.Status == orders.Held
	switch {
	case disputed:
		return l.Text("Your bank has questioned the payment"), l.Text("We do not go on with this order until that is settled. If this was not meant, please tell your bank, and write to us.")
	case o.Status == orders.Shipped:
		return l.Text("Your boards are on their way"), l.Text("They left the factory and are with the carrier.")
	case o.Status == orders.InProduction:
		return l.Text("Your boards are being built"), l.Text("We e-mail you as soon as they ship.")
	case o.Status == orders.Cancelled && !paysBack(o):
		return l.Text("Your order is cancelled"), l.Text("The boards are not built.")
	case o.Status == orders.Cancelled:
		return l.Text("Your order is cancelled"), l.Text("The boards are not built. Your payment is refunded to the card that you used; your bank may take a few days to show it.")
	case o.Status == orders.Held && o.ByHand && o.Sold.Assembly != nil:
		return l.Text("Thank you, your order is paid"), l.Text("Our team places it with the factory now: the parts are bought, and the boards are built and assembled. There is nothing for you to do.")
	case o.Status == orders.Held && o.ByHand:
		return l.Text("Thank you, your order is paid"), l.Text("Our team places it with the factory now. There is nothing for you to do.")
	case o.Status == orders.Held:
		return l.Text("Thank you, your order is paid"), l.Text("Our team is taking a closer look at this order before it is built. There is nothing for you to do: we write to you if we need anything.")
	}
	return l.Text("Thank you, your order is placed"), l.Text("Your payment has arrived, and your boards go into production next.")
}
