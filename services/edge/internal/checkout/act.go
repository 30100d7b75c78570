package checkout

import (
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
	"boardorder/pkg/language"
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
	s, err := p.read(c)
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
	if form.Get("do") == switches {
		return p.showTyped(c, s, form)
	}
	if now == waiting && form.Get("do") == "answer" {
		return p.handleAnswer(c, s, form)
	}
	if now == expired && form.Get("do") == "reprice" {
		return p.handleReprice(c, s)
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
	case form.Get("do") == pays, strings.HasPrefix(form.Get("do"), paysAmount):
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
	if err := p.ask(c.Context(), s, e, c.Language().Code); err != nil {
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
	v := p.formView(c, s, e)
	if no != nil {
		v.NoPrice, v.Ready = p.explainNoPrice(s.lang, e, problem.Find(no)), false
	}
	return p.html(c, http.StatusOK, "pay", v)
}

// explainNoPrice says in a sentence why a country cannot be priced.
func (p *Pages) explainNoPrice(l *language.Printer, e entry, failure *problem.Problem) template.HTML {
	for _, f := range failure.Refusal.Fields {
		return p.fieldWords(l, e, f)
	}
	return say(l, p.failureWords(failure))
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
	if s.wayToChoose() != nil {
		return refuseUnchosenWay()
	}
	if s.total() != e.shown {
		return p.redirect(c, p.self(s.id, "changed=1"))
	}
	var unchanged bool
	if e.currency, unchanged = currencyToPay(s, form.Get("do")); !unchanged {
		return p.redirect(c, p.self(s.id, "changed=1"))
	}
	if err := p.countPayment(c, s, form, e.currency); err != nil {
		return err
	}
	e.browser = browserOf(c)
	to, err := p.begin(c.Context(), s.quote, e, c.Language().Code)
	if err != nil {
		return err
	}
	return p.leave(c, s, to, e.currency)
}

// refuseUnchosenWay refuses a payment while the way of shipping that was wanted is not offered
// and no other was chosen.
func refuseUnchosenWay() *contract.Refusal {
	r := contract.Refuse(contract.InvalidRequest, "Please choose a shipping method.")
	r.Fields = []contract.FieldProblem{{Field: "shipping_id", Problem: "missing", Message: r.Message}}
	return r
}

// leave leads to the card processor, to pay in a currency; "" is the quote's own.
func (p *Pages) leave(c *web.Call, s record, to, currency string) error {
	u, err := url.Parse(to)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return problem.Find(errors.New("the payment page has no usable address"))
	}
	if slices.Contains(p.CardPages, u.Scheme+"://"+u.Host) {
		return p.redirect(c, to)
	}
	c.Set("Refresh", "0; url="+to)
	return p.html(c, http.StatusOK, "leave", p.leaveView(c, s, to, currency))
}

func (p *Pages) redirect(c *web.Call, to string) error {
	c.Fiber.Status(http.StatusSeeOther)
	c.Set("Location", strings.ReplaceAll(strings.ReplaceAll(to, "\r", ""), "\n", ""))
	return nil
}

// switches is what a button sends that asks for the page in another language.
const switches = "language"

// showTyped shows a page in another language, with what was typed on it. Nothing else comes of it.
func (p *Pages) showTyped(c *web.Call, s record, form url.Values) error {
	e := readEntry(form)
	switch stageOf(s, false) {
	case asking:
		return p.html(c, http.StatusOK, "review", p.formView(c, s, e))
	case waiting:
		v := p.waitingView(c, s)
		v.Answer = untrusted.Clean(form.Get("answer"))
		return p.html(c, http.StatusOK, "waiting", v)
	case paying:
		p.markBrowser(c, s)
		v := p.formView(c, s, e)
		v.Update, v.Open = e.changes(s), v.Open || e.ship != s.delivery()
		if e.changesNumber(s) && v.NoPrice == "" {
			v.NoPrice, v.Ready = s.lang.HTML("There is no price for %s yet: press “Update price”.", s.lang.Boards(e.boards)), false
		}
		return p.html(c, http.StatusOK, "pay", v)
	}
	return p.redirect(c, p.self(s.id, web.LanguageField+"="+c.Language().Code))
}

// showAgain shows the form once more, with what was entered and what is wrong. A
// quote that has moved on meanwhile is shown as it is now.
func (p *Pages) showAgain(c *web.Call, s record, e entry, failure *problem.Problem) error {
	now, err := p.read(c)
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
	v := p.formView(c, s, e)
	p.explain(s.lang, &v, e, failure)
	if e.changesNumber(s) && v.NoPrice == "" {
		v.NoPrice, v.Ready = say(s.lang, p.failureWords(failure)), false // no price of another number beside it
	}
	name := "pay"
	if at == asking {
		name = "review"
	}
	return p.html(c, failure.Status, name, v)
}
