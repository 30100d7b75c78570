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
	key, ok := p.ownerOf(c, form.Get("k"), s)
	if !ok {
		return problem.New(contract.Forbidden, "Only the customer can cancel an order, from the page that our e-mail links to.")
	}
	if err := p.countForm(c, s.ref); err != nil {
		return err
	}
	query := url.Values{}
	if key != "" {
		query.Set("k", key)
	}
	_, err := p.carryOut(c.Context(), orders.Cancel, s.quote.Account, orders.CancelData{Quote: s.ref, Customer: true})
	if refusal := contract.RefusalIn(err); refusal != nil && refusal.Code == contract.Conflict {
		query.Set("late", "1")
		return p.redirect(c, p.self(s.id, query.Encode()))
	}
	if err != nil {
		return err
	}
	return p.redirect(c, p.self(s.id, query.Encode()))
}

// showOrder shows a paid order.
func (p *Pages) showOrder(c *web.Call, s record) error {
	v := p.orderView(c, s)
	if _, late := c.Query("late"); late && s.order.Status != orders.Cancelled {
		v.Notices = []Notice{{Kind: "warn", Text: s.lang.Text("This order cannot be cancelled here any more: it is on its way to the factory, or there already. Please write to us: we say what is still possible."), Focus: true}}
	}
	return p.html(c, http.StatusOK, "order", v)
}
