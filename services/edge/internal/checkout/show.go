package checkout

import (
	"net/http"
	"strconv"

	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/language"
	"boardorder/services/edge/internal/limit"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"

	"go.uber.org/zap"
)

// show answers GET /checkout/{quote_id}. It changes nothing: coming back from
// the card processor only makes us ask there.
func (p *Pages) show(c *web.Call) error {
	s, err := p.find(c, c.Param("quote_id"))
	if err != nil {
		return err
	}
	c.About = append(c.About, zap.String("quote", s.ref))
	_, returned := c.Query("paid")
	if p.receivePayer(c, s) {
		return p.redirect(c, p.self(s.id, "paid=1"))
	}
	if stageOf(s, returned) == confirming && asksNow(c) {
		timeout := orderTimeout
		if tries(c) > 0 {
			timeout = 0 // the page comes again anyway
		}
		if err := p.settle(c.Context(), s, timeout); err != nil {
			c.Log().Warn("payment not settled yet", zap.Error(err)) // the page asks again
		}
		if s, err = p.find(c, c.Param("quote_id")); err != nil {
			return err
		}
	}
	return p.stand(c, s, returned)
}

// asksNow distinguishes a person's visit from a browser's that only looks ahead.
func asksNow(c *web.Call) bool {
	return c.Fiber.Method() == http.MethodGet && c.Header("Sec-Purpose") == "" && c.Header("Purpose") == ""
}

// stand shows where a quote stands.
func (p *Pages) stand(c *web.Call, s record, returned bool) error {
	switch stageOf(s, returned) {
	case withdrawn:
		return p.html(c, http.StatusOK, "withdrawn", p.withdrawalView(c, s))
	case ordered:
		return p.showOrder(c, s)
	case confirming:
		v := p.confirmView(c, s, tries(c))
		c.Set("Refresh", v.Refresh)
		return p.html(c, http.StatusOK, "confirm", v)
	case expired:
		return p.html(c, http.StatusGone, "expired", p.expiryView(c, s))
	case waiting:
		return p.showWaiting(c, s)
	case asking:
		return p.html(c, http.StatusOK, "review", p.formView(c, s, entryOf(s)))
	}
	p.markBrowser(c, s)
	e := entryOf(s)
	faster := chooseBuild(c, s, &e)
	v := p.formView(c, s, e)
	v.Notices = append(v.Notices, arrival(c, s)...)
	v.Notices = append(v.Notices, shortNotice(s)...)
	if faster != "" {
		v.Update, v.Ready = true, false
		v.Notices = append(v.Notices, Notice{Kind: "info", Text: faster})
	}
	return p.html(c, http.StatusOK, "pay", v)
}

// chooseBuild chooses the faster build that the page's address names, if the quote offers it, and
// says so. The price holds it once the price is updated, which the page's script does by itself.
func chooseBuild(c *web.Call, s record, e *entry) string {
	text, _ := c.Query("build_hours")
	for _, b := range s.quote.Reply.FasterBuilds {
		if strconv.Itoa(b.BuildTimeHours) == text && !s.hasTeamPrice() {
			e.hours = b.BuildTimeHours
			return s.lang.Text("“Built in %s” is chosen, for %s more. Enter where the boards go and press “Update price” to see the total with it.", BuildTime(s.lang, b.BuildTimeHours), s.amount(b.AddsCents))
		}
	}
	return ""
}

// tries is how often the page that waits for a payment has been shown.
func tries(c *web.Call) int {
	text, _ := c.Query("n")
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > 1000 {
		return 0
	}
	return n
}

// arrival is what to show a shopper by where they come from.
func arrival(c *web.Call, s record) []Notice {
	has := func(name string) bool { _, given := c.Query(name); return given }
	l, total := s.lang, s.amount(s.total())
	switch {
	case has("changed"):
		if charge := ChargeOf(s.quote); charge != nil {
			total += " (" + amountCharged(l, charge.Charged) + ")"
		}
		return []Notice{priceNotice(l, "warn", l.Text("The price has changed: it is %s now. Please look at it before you pay.", total))}
	case has("updated"):
		return []Notice{priceNotice(l, "good", l.Text("The price is up to date for your choices: %s in total.", total))}
	case has("renewed") && s.total() > 0:
		return []Notice{priceNotice(l, "good", l.Text("This is today’s price for the same boards: %s in total. What you had chosen and typed is still here.", total))}
	case has("approved") && s.total() > 0:
		return []Notice{priceNotice(l, "good", l.Text("This is the price with the parts that were approved: %s in total.", total))}
	case has("cancelled"), s.status == quotes.AwaitingPayment:
		return []Notice{{Kind: "info", Text: l.Text("Not paid yet. Your choices are kept: you can change them, or pay when you are ready.")}}
	}
	return nil
}

// shortNotice tells of parts that were sold out when suppliers were last asked.
func shortNotice(s record) []Notice {
	short := s.quote.Watched.FindShort()
	if len(short) == 0 {
		return nil
	}
	var parts []string
	for _, l := range short[:min(len(short), quotes.MaxTold)] {
		parts = append(parts, l.Reference+" "+l.MPN)
	}
	return []Notice{{Kind: "bad", Text: s.lang.Text("Sold out when suppliers were last asked: %s. They are asked again when you pay; where it is still sold out, nothing is charged. You can ask for a new quote with another part.", s.lang.List(parts))}}
}

// priceNotice is a notice that leads on to the price, which a phone shows far below.
func priceNotice(l *language.Printer, kind, text string) Notice {
	return Notice{Kind: kind, Text: text, Link: "#price", LinkText: l.Text("To the price and the payment"), Focus: true}
}

// page turns the errors of a handler into pages for people.
func (p *Pages) page(handle func(*web.Call) error) func(*web.Call) error {
	return func(c *web.Call) error {
		err := p.take(c, limit.Pages, p.Network(c))
		if err == nil {
			err = handle(c)
		}
		if err == nil {
			return nil
		}
		return p.fail(c, problem.Find(err))
	}
}

// fail shows a problem on a page of its own.
func (p *Pages) fail(c *web.Call, failure *problem.Problem) error {
	if failure.Status >= 500 {
		c.LogFailure(failure)
	}
	for name, value := range failure.Headers() {
		c.Set(name, value)
	}
	return p.html(c, failure.Status, "message", p.messageView(c, failure))
}
