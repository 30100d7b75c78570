package orders_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/cases"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/page/pagetest"
)

// putHeld projects orders that are held: one to place again, one that is placed by hand, one
// that costs more than one operator may give back, and one that is not held any more.
func (d *desk) putHeld() {
	for i, ref := range []string{"a", "hand", "large", "gone"} {
		o := makePaidOrder()
		o.ID, o.Ref, o.Quote, o.Status, o.Held, o.Terms, o.Refunds = "ord_"+ref, "BO-"+ref, ref, orders.Held, "look", &quotes.Terms{}, nil
		o.Payment.Cents = 100
		switch i {
		case 1:
			o.ByHand = true
		case 2:
			o.Payment.Cents = limit + 1
		case 3:
			o.Status = orders.Placed
		}
		d.put(o)
	}
}

// TestSeveralHeldOrders: each goes through what it would alone, with one reason and a request
// of its own, and the page says what became of each.
func TestSeveralHeldOrders(t *testing.T) {
	t.Parallel()
	who := pagetest.Operator("fin", operator.Finance)
	all := []string{"a", "hand", "large", "gone", "none"}
	for act, want := range map[string]struct {
		sent []contract.CommandName
		page []string
	}{
		"release": {[]contract.CommandName{orders.ReportStatus, orders.ReportStatus}, []string{"placed again", "It is placed by hand", "It is not held any more.", "There is no such order."}},
		"cancel":  {[]contract.CommandName{orders.Cancel, orders.Cancel, cases.RequestApproval}, []string{"cancelled", "waits for a second operator", "It is not held any more.", "There is no such order."}},
	} {
		d := open(t)
		d.putHeld()
		w := d.Post(who, d.several, "/orders", url.Values{"order": all, "action": {act}, "why": {"The laminate is gone."}, "sure": {"yes"}, "request": {"req_x"}})
		var sent []contract.CommandName
		var requests []string
		for _, c := range d.Commands() {
			sent, requests = append(sent, c.Name), append(requests, c.Request)
			if !strings.Contains(string(c.Data), "The laminate is gone.") {
				t.Errorf("%s: %s %s; want the reason in it", act, c.Name, c.Data)
			}
		}
		slices.SortFunc(sent, func(a, b contract.CommandName) int { return strings.Compare(b.Service+b.Verb, a.Service+a.Verb) })
		slices.Sort(requests)
		if w.Code != http.StatusOK || !slices.Equal(sent, want.sent) || len(slices.Compact(requests)) != len(want.sent) {
			t.Errorf("%s: %d, sent %v by %q; want 200, %v, each by a request of its own", act, w.Code, sent, requests, want.sent)
		}
		for _, text := range append(want.page, "BO-a", "BO-hand", "BO-large", "BO-gone") {
			if !strings.Contains(w.Body.String(), text) {
				t.Errorf("%s: the page does not say %q", act, text)
			}
		}
	}
}

// TestSeveralHeldOrdersWithARefusal: what the service refuses stands at its order, and the
// others go on.
func TestSeveralHeldOrdersWithARefusal(t *testing.T) {
	t.Parallel()
	d := open(t)
	d.putHeld()
	d.Answer = func(c contract.Command) *contract.Refusal {
		if strings.Contains(string(c.Data), `"large"`) {
			return contract.Refuse(contract.Conflict, "An order cannot become this.")
		}
		return nil
	}
	w := d.Post(pagetest.Operator("fin", operator.Finance), d.several, "/orders", url.Values{"order": {"large", "a"}, "action": {"release"}, "why": {"x"}, "sure": {"yes"}, "request": {"r"}})
	for _, want := range []string{"An order cannot become this.", "placed again"} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

// TestNothingIsDoneWithSeveralUnlessItIsWhole: without orders, reason, choice or the tick.
func TestNothingIsDoneWithSeveralUnlessItIsWhole(t *testing.T) {
	t.Parallel()
	for _, missing := range []string{"order", "action", "why", "sure"} {
		d := open(t)
		d.putHeld()
		form := url.Values{"order": {"a"}, "action": {"release"}, "why": {"x"}, "sure": {"yes"}, "request": {"r"}}
		form.Del(missing)
		if w := d.Post(pagetest.Operator("fin", operator.Finance), d.several, "/orders", form); w.Code != http.StatusUnprocessableEntity || len(d.Commands()) != 0 {
			t.Errorf("without %s: %d, sent %v; want 422 and nothing", missing, w.Code, d.Commands())
		}
	}
	d := open(t)
	d.putHeld()
	if w := d.Get(pagetest.Operator("fin", operator.Finance), d.list, "/orders?status=held"); !strings.Contains(w.Body.String(), `name="order" value="a"`) {
		t.Error("held orders cannot be chosen by who may decide on them")
	}
	for target, who := range map[string]operator.Role{"/orders?status=held": operator.Viewer, "/orders": operator.Finance} {
		if w := d.Get(pagetest.Operator("x", who), d.list, target); strings.Contains(w.Body.String(), `name="order"`) {
			t.Errorf("%s as %s: orders can be chosen", target, who)
		}
	}
}
