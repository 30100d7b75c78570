package checkout

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"boardorder/pkg/contract"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"

	"go.uber.org/zap"
)

// act answers POST /checkout/{quote_id}: a shopper pressed a button.
func (p *Pages) act(c *web.Call) error {
	form, err := c.Form()
	if err != nil {
		return err
	}
	s, err := p.read(c.Context(), c.Param("quote_id"))
	if err != nil {
		return err
	}
	c.About = append(c.About, zap.String("quote", s.ref))
	if err := p.genuine(c, s.ref, form); err != nil {
		return err
	}
	now := stageOf(s, false)
	if now == ordered && form.Get("do") == "cancel" {
		return p.handleCancel(c, s, form)
	}
	if now == waiting && form.Get("do") == "answer" {
		return p.handleAnswer(c, s, form)
	}
	if now != paying && now != asking {
		return p.redirect(c, p.self(s.id, "")) // somebody was faster, or the form is old
	}
	e := readEntry(form)
	err = p.countForm(c, s.ref)
	switch {
	case err != nil:
	case now == asking:
		err = p.handleAsk(c, s, e)
	case form.Get("do") == "pay":
		err = p.handlePay(c, s, e, form)
	default:
		err = p.handleUpdate(c, s, e, form.Get("do") == "estimate")
	}
	if err != nil {
		return p.showAgain(c, s, e, problem.Find(err))
	}
	return nil
}

func (p *Pages) handleAsk(c *web.Call, s record, e entry) error {
	if err := p.ask(c.Context(), s, e); err != nil {
		return err
	}
	return p.redirect(c, p.self(s.id, ""))
}

// handleUpdate prices what was entered. Where the address is not complete yet an
// estimate is made of it, so that no price of another country stands beside it. live
// is the page's script, which asks while people still fill in: what is missing or wrong
// is not held against them. Otherwise what is wrong changes nothing once a delivery is
// saved.
func (p *Pages) handleUpdate(c *web.Call, s record, e entry, live bool) error {
	if s.hasTeamPrice() {
		return p.redirect(c, p.self(s.id, ""))
	}
	_, err := p.choose(c.Context(), s, e)
	if err == nil {
		return p.redirect(c, p.self(s.id, "updated=1"))
	}
	if !concernsAddress(err) || !live && s.complete() && !incomplete(err) {
		return err
	}
	estimated, no := s.quote, err
	if e.ship.Country != "" {
		estimated, no = p.estimate(c.Context(), s, e)
	}
	if !live {
		return err
	}
	s.quote = estimated
	v := p.formView(s, e)
	if no != nil {
		v.NoPrice, v.Ready = p.explainNoPrice(e, problem.Find(no)), false
	}
	return p.html(c, http.StatusOK, "pay", v)
}

// explainNoPrice says in a sentence why a country cannot be priced.
func (p *Pages) explainNoPrice(e entry, failure *problem.Problem) string {
	for _, f := range failure.Refusal.Fields {
		return p.fieldWords(e, f)
	}
	return p.failureWords(failure)
}

// handlePay leads to the payment page at the total that the shopper saw. What
// was entered and not priced yet is priced first; so is a delivery that came
// with the request for the quote, since checkout asks for more than a price does.
func (p *Pages) handlePay(c *web.Call, s record, e entry, form url.Values) error {
	if e.changes(s) || len(e.problems) > 0 || !s.hasTeamPrice() && s.quote.Version <= 1 {
		q, err := p.choose(c.Context(), s, e)
		if err != nil {
			return err
		}
		s.quote = q
	}
	if s.total() != e.shown {
		return p.redirect(c, p.self(s.id, "changed=1"))
	}
	if err := p.countPayment(c, s, form, s.quote.Version); err != nil {
		return err
	}
	to, err := p.begin(c.Context(), s.quote, e)
	if err != nil {
		return err
	}
	return p.leave(c, s, to)
}

// leave leads to the card processor.
func (p *Pages) leave(c *web.Call, s record, to string) error {
	u, err := url.Parse(to)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return problem.Find(errors.New("the payment page has no usable address"))
	}
	if slices.Contains(p.CardPages, u.Scheme+"://"+u.Host) {
		return p.redirect(c, to)
	}
	c.Set("Refresh", "0; url="+to)
	return p.html(c, http.StatusOK, "leave", p.leaveView(s, to))
}

func (p *Pages) redirect(c *web.Call, to string) error {
	c.Fiber.Status(http.StatusSeeOther)
	c.Set("Location", strings.ReplaceAll(strings.ReplaceAll(to, "\r", ""), "\n", ""))
	return nil
}

// showAgain shows the form once more, with what was entered and what is wrong. A
// quote that has moved on meanwhile is shown as it is now.
func (p *Pages) showAgain(c *web.Call, s record, e entry, failure *problem.Problem) error {
	now, err := p.read(c.Context(), s.id)
	if err == nil {
		s = now
	}
	at := stageOf(s, false)
	if at != paying && at != asking || failure.Refusal.Code == contract.Conflict && at == paying {
		return p.redirect(c, p.self(s.id, "changed=1"))
	}
	if failure.Status >= 500 {
		c.Log().Warn("checkout form not carried out", zap.Int("status", failure.Status), zap.String("code", string(failure.Refusal.Code)), zap.Error(failure.Cause))
	}
	for name, value := range failure.Headers() {
		c.Set(name, value)
	}
	v := p.formView(s, e)
	p.explain(&v, e, failure)
	if e.changesNumber(s) && v.NoPrice == "" {
		v.NoPrice, v.Ready = p.failureWords(failure), false // no price of another number beside it
	}
	name := "pay"
	if at == asking {
		name = "review"
	}
	return p.html(c, failure.Status, name, v)
}
