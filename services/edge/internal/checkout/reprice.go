package checkout

import (
	"net/http"
	"net/url"
	"strings"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/language"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/quote"
	"boardorder/services/edge/internal/web"
)

// Reprice asks what a quote costs today, with the parts of an approval of it if one is named.
type Reprice func(c *web.Call, old quotes.Quote, approval string) (quote.Outcome, error)

// expiredPage is a quote that has ended. Unless the team declined it, one press prices it again.
type expiredPage struct {
	boardPage
	Token string
	Again string // the shop, where the quote was made there, or ""
}

func (p *Pages) expiryView(c *web.Call, s record) expiredPage {
	title := s.lang.Text("This quote has expired")
	if s.quote.TeamRefusal() != nil {
		title = s.lang.Text("No price for this board")
	}
	return expiredPage{p.boardOnly(c, s, title), p.token(s.quote), p.shopOf(s.quote.Account)}
}

// handleReprice has a quote that has ended priced as it is today and leads to the new one,
// with everything that was chosen and typed.
func (p *Pages) handleReprice(c *web.Call, s record) error {
	if s.quote.TeamRefusal() != nil {
		return p.redirect(c, p.self(s.id, ""))
	}
	if err := p.countReprice(c, s); err != nil {
		return err
	}
	old := s.quote
	if to := s.delivery(); old.Delivery == nil && to != (shipments.ShipTo{}) {
		old.Delivery = &shipments.Delivery{ShipTo: to} // of a payment that was begun
	}
	made, err := p.Config.Reprice(c, old, "")
	switch {
	case err != nil:
		return err
	case made.Refusal != nil:
		return &problem.Problem{Status: http.StatusUnprocessableEntity, Refusal: p.repriceRefusal(*made.Refusal)}
	case made.Quote == nil:
		v := p.expiryView(c, s)
		v.Notices = []Notice{{Kind: "info", Text: s.lang.Text("The new price is being worked out and takes a little longer than usual. Please press the button again in a few seconds."), Focus: true}}
		return p.html(c, http.StatusOK, "expired", v)
	}
	at, err := url.Parse(made.CheckoutURL)
	if err != nil {
		return problem.Find(err)
	}
	return p.redirect(c, at.Path+"?renewed=1")
}

// countReprice takes a price that is about to be made into account, as those of buy links are.
func (p *Pages) countReprice(c *web.Call, s record) error {
	if err := p.countForm(c, s.ref); err != nil {
		return err
	}
	if err := p.take(c, buyPrices, p.Network(c)); err != nil {
		return err
	}
	return p.takePrices(c, s.quote.Account, s.quote.Request.Assembly, 1)
}

// repriceRefusal is a refusal in words for whoever has only this page.
func (p *Pages) repriceRefusal(r contract.Refusal) contract.Refusal {
	switch r.Code {
	case contract.UploadExpired, contract.UploadNotFound, contract.NoFiles:
		r.Message = language.Key("The design files of this quote are no longer kept. Please upload them again where you got this quote; a new price follows at once.")
	case contract.PriceUnavailable, contract.Unavailable:
		r.Message = language.Key("We cannot get a live price just now. Nothing is lost: please try again in a minute or two.")
	default:
		r.Message = "These boards cannot be priced as they were: " + strings.TrimSuffix(r.Message, ".") + ". Please ask for a new quote where you got this one."
	}
	return r
}
