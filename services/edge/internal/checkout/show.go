package checkout

import (
	"net/http"
	"strconv"

	"boardorder/pkg/contract/quotes"
	"boardorder/services/edge/internal/limit"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"

	"go.uber.org/zap"
)

// show answers GET /checkout/{quote_id}. It changes nothing: coming back from
// the card processor only makes us ask there.
func (p *Pages) show(c *web.Call) error {
	s, err := p.find(c.Context(), c.Param("quote_id"))
	if err != nil {
		return err
	}
	c.About = append(c.About, zap.String("quote", s.ref))
	_, returned := c.Query("paid")
	if stageOf(s, returned) == confirming && asksNow(c) {
		timeout := orderTimeout
		if tries(c) > 0 {
			timeout = 0 // the page comes again anyway
		}
		if err := p.settle(c.Context(), s, timeout); err != nil {
			c.Log().Warn("payment not settled yet", zap.Error(err)) // the page asks again
		}
		if s, err = p.find(c.Context(), s.id); err != nil {
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
		return p.html(c, http.StatusOK, "withdrawn", p.withdrawalView(s))
	case ordered:
		return p.showOrder(c, s)
	case confirming:
		v := p.confirmView(s, tries(c))
		c.Set("Refresh", v.Refresh)
		return p.html(c, http.StatusOK, "confirm", v)
	case expired:
		return p.html(c, http.StatusGone, "expired", p.boardOnly(s, expiredTitle))
	case waiting:
		return p.showWaiting(c, s)
	case asking:
		return p.html(c, http.StatusOK, "review", p.formView(s, entryOf(s)))
	}
	v := p.formView(s, entryOf(s))
	v.Notices = append(v.Notices, arrival(c, s)...)
	return p.html(c, http.StatusOK, "pay", v)
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
	total := amount(s.total(), s.currency())
	switch {
	case has("changed"):
		return []Notice{priceNotice("warn", "The price has changed: it is "+total+" now. Please look at it before you pay.")}
	case has("updated"):
		return []Notice{priceNotice("good", "The price is up to date for your choices: "+total+" in total.")}
	case has("cancelled"), s.status == quotes.AwaitingPayment:
		return []Notice{{Kind: "info", Text: "Not paid yet. Your choices are kept: you can change them, or pay when you are ready."}}
	}
	return nil
}

// priceNotice is a notice that leads on to the price, which a phone shows far below.
func priceNotice(kind, text string) Notice {
	return Notice{Kind: kind, Text: text, Link: "#price", LinkText: "To the price and the payment", Focus: true}
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
