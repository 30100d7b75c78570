package checkout

import (
	"fmt"
	"strings"
	"time"

	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/language"
)

// A chargeView is what a price costs if it is paid in the shopper's own currency.
type chargeView struct {
	Do    string // of the button: it names the amount that it shows
	Total string
	Rate  string
}

// pays is what the button for paying sends; followed by an amount, the one for paying in another currency.
const (
	pays       = "pay"
	paysAmount = pays + "-"
)

// ChargeOf is what the price that a quote shows can be charged in its shopper's currency; nil
// where it cannot. Of an estimate it is what the button will name once the delivery is complete.
func ChargeOf(q quotes.Quote) *prices.Charge {
	c, total := q.Charge, q.Reply.TotalCents
	if c == nil || total == nil || c.Cents != *total {
		return nil
	}
	return c
}

func chargeViewOf(s record) *chargeView {
	c := ChargeOf(s.quote)
	if c == nil {
		return nil
	}
	l := s.lang
	return &chargeView{
		Do: paysAmount + amountName(*c), Total: amountCharged(l, c.Charged),
		Rate: l.Text("1 USD = %[1]s %[2]s: the European Central Bank’s rate of %[3]s, %[4]s, and %[5]s. It holds as long as this price.", l.Decimal(c.Rate), c.Currency, bankDay(l, c.Date), l.Decimal(c.Bank), l.Decimal(c.Percent)+" %"),
	}
}

// bankDay is the day of a rate in words.
func bankDay(l *language.Printer, date string) string {
	at, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return date
	}
	return l.Day(at)
}

// amountName names an amount for a form: "EUR-4388".
func amountName(c prices.Charge) string { return fmt.Sprintf("%s-%d", c.Currency, c.Minor) }

func amountCharged(l *language.Printer, c prices.Charged) string {
	return l.Money(c.Minor, c.Digits, c.Currency)
}

// currencyToPay is the currency that a pressed button asks to pay a quote in, "" for the
// quote's own. ok is false where the quote costs another amount now than the button showed.
func currencyToPay(s record, do string) (currency string, ok bool) {
	shown, other := strings.CutPrefix(do, paysAmount)
	if !other {
		return "", true
	}
	c := ChargeOf(s.quote)
	if c == nil || s.quote.Estimate != nil || amountName(*c) != shown {
		return "", false
	}
	return c.Currency, true
}

// paymentAmount is what is paid, in another currency by c where that is not nil.
func paymentAmount(l *language.Printer, cents int64, currency string, c *prices.Charge) string {
	if c != nil {
		return amountCharged(l, c.Charged)
	}
	return l.Amount(cents, currency)
}

// chargeWords says on an order's page what the card was charged in another currency; "" if it was not.
func chargeWords(l *language.Printer, c *prices.Charge) string {
	if c == nil {
		return ""
	}
	return l.Text("Your card was charged %[1]s, at 1 USD = %[2]s %[3]s.", amountCharged(l, c.Charged), l.Decimal(c.Rate), c.Currency)
}

// refundAmount is an amount that goes back to a card, in the currency that it was charged in.
func refundAmount(s record, cents int64, back *prices.Charged) string {
	if back != nil {
		return amountCharged(s.lang, *back)
	}
	return s.lang.Amount(cents, s.order.Currency)
}
