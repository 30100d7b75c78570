package checkout

import (
	"net/http"
	"net/url"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

// handleCancel calls a paid order off for its customer. Whoever only holds the
// link cannot.
func (p *Pages) handleCancel(c *web.Call, s record, form url.Values) error {
	key, ok := p.owner(form.Get("k"), s.ref)
	if !ok {
		return problem.New(contract.Forbidden, "Only the customer can cancel an order, from the page that our e-mail links to.")
	}
	if err := p.countForm(c, s.ref); err != nil {
		return err
	}
	back := "k=" + url.QueryEscape(key)
	_, err := p.carryOut(c.Context(), orders.Cancel, s.quote.Account, orders.CancelData{Quote: s.ref, Customer: true})
	if refusal := contract.RefusalIn(err); refusal != nil && refusal.Code == contract.Conflict {
		return p.redirect(c, p.self(s.id, back+"&late=1"))
	}
	if err != nil {
		return err
	}
	return p.redirect(c, p.self(s.id, back))
}

// showOrder shows a paid order.
func (p *Pages) showOrder(c *web.Call, s record) error {
	v := p.orderView(c, s)
	if _, late := c.Query("late"); late && s.order.Status != orders.Cancelled {
		v.Notices = []Notice{{Kind: "warn", Text: "This order cannot be cancelled here any more: it is on its way to the factory, or there already. Please write to us: we say what is still possible.", Focus: true}}
	}
	return p.html(c, http.StatusOK, "order", v)
}
