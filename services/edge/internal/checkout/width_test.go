package checkout_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/browsertest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// widths are those of small and usual phones, tablets and desks, in pixels.
var widths = []int64{320, 390, 768, 900, 1280}

// extraScenes are states that differ from others by little but what is written.
func extraScenes() []scene {
	order := func(name string, change func(*orders.Order, time.Time)) scene {
		return scene{name: name, set: func(s *harness) {
			s.putPaidOrder(func(o *orders.Order) { change(o, s.now()) })
		}}
	}
	return []scene{
		{name: "payable in euro", set: func(s *harness) { s.quote(setEuro) }},
		order("paid in euro", func(o *orders.Order, at time.Time) {
			o.Payment.Charged = euro(o.TotalCents)
			o.Refunds = []orders.Refund{{ID: "rf_1", Cents: 1000, Charged: &prices.Charged{Currency: "EUR", Minor: 500, Digits: 2}, Status: orders.RefundDone, At: at}}
		}),
		{name: "acknowledge", set: func(s *harness) { s.quote(func(q *quotes.Quote) { setDelivery(q); doubtful(q) }) }},
		{name: "not paid yet", query: "?cancelled=1", set: func(s *harness) { s.quote(setDelivery) }},
		{name: "price changed", query: "?changed=1", set: func(s *harness) { s.quote(setDelivery) }},
		{name: "price changed, long", query: "?changed=1", set: func(s *harness) { s.quote(long) }},
		{name: "begun", set: func(s *harness) {
			s.quote(func(q *quotes.Quote) { setDelivery(q); q.Status = quotes.AwaitingPayment })
		}},
		{name: "priced by the team", set: func(s *harness) {
			s.quote(func(q *quotes.Quote) {
				total := int64(50000)
				review(q)
				setDelivery(q)
				q.Status = quotes.SourcingQuoted
				q.Reply.Lines, q.Reply.TotalCents = []prices.Line{{Label: "Boards with blind vias", Cents: 50000}}, &total
				q.Reply.ShippingOptions, q.Reply.FasterBuilds = nil, nil
			})
		}},
		{name: "priced by the team, not all of it", set: func(s *harness) {
			s.quote(leavingOut(prices.Shipping, prices.Duty, prices.Tax))
		}},
		{name: "paid, not all of it in the price", set: func(s *harness) {
			q := s.quote(leavingOut(prices.Shipping, prices.Duty, prices.Tax))
			o := orderOf(checkoutOf(q, s.card.URL, s.now()), s.now())
			o.Sold = q
			s.put(contract.OrderAggregate, s.ref, o)
		}},
		{name: "assembled, long words", set: func(s *harness) {
			s.quote(func(q *quotes.Quote) {
				setDelivery(q)
				assembleBoards(s)(q)
				for i := range q.Reply.Parts {
					p := &q.Reply.Parts[i]
					p.MPN, p.Part, p.Why = strings.Repeat("LM2904DR", 15), strings.Repeat("LM358DR", 15), strings.Repeat("it names no exact part ", 12)
				}
				refs := make([]string, 600)
				for i := range refs {
					refs[i] = "CONNECTOR" + strconv.Itoa(i)
				}
				q.Reply.Parts[0].Reference = strings.Join(refs, ",")
			})
		}},
		{name: "review errors", press: "ask", set: func(s *harness) { s.quote(review) }},
		{name: "nobody's country", set: func(s *harness) {
			s.quote(setDelivery)
			s.set(func() {
				s.refuse[quotes.ChooseDelivery] = contract.Refuse(contract.QuoteNotPayable, "Our team has to price the delivery to this country.")
			})
		}, press: "update"},
		order("held", func(o *orders.Order, _ time.Time) { o.Status, o.Held = orders.Held, "price mismatch" }),
		order("refunded in part", func(o *orders.Order, at time.Time) {
			o.Status, o.Refunds = orders.InProduction, []orders.Refund{{Cents: 500, Status: orders.RefundDone, At: at}}
			o.Steps = []orders.Step{{Name: "Drilling", At: at}}
		}),
		order("refund under way", func(o *orders.Order, at time.Time) {
			o.Status, o.Refunds = orders.Cancelled, []orders.Refund{{Cents: o.TotalCents, Status: orders.RefundPending, At: at}}
			o.Cancelled = &orders.Cancellation{Operator: "customer", At: at}
		}),
		order("paid in test mode", func(o *orders.Order, _ time.Time) { o.Account += "~test" }),
		{name: "declared export-controlled", set: func(s *harness) {
			s.putPaidOrder(func(o *orders.Order) { o.Sold = quotes.Quote{Ref: s.ref, Upload: "declared"} })
			s.put(contract.UploadAggregate, "declared", uploads.Upload{Ref: "declared", Status: uploads.ITARDeclared})
		}},
	}
}

// TestEveryStateAtEveryWidth: nothing scrolls sideways, no text is cut off or lies over
// another, and what is pressed is large enough for a finger: as the page comes, and
// with all that is folded in it open.
func TestEveryStateAtEveryWidth(t *testing.T) {
	t.Parallel()
	widths := widths
	if testing.Short() {
		widths = widths[:1] // the narrowest
	}
	for some := range slices.Chunk(slices.Concat(scenes(), extraScenes()), 3) { // as many as one browser has time for
		t.Run(some[0].name, func(t *testing.T) { checkWidths(t, some, widths) })
	}
}

func checkWidths(t *testing.T, scenes []scene, widths []int64) {
	w := open(t, nil).browse()
	for _, at := range scenes {
		s := open(t, nil) // what was paid in one scene is paid
		at.set(s)
		w.look(1280, 900, "light")
		w.open(s.url + s.path() + at.query)
		if at.press != "" {
			w.do(chromedp.SetValue("#f-email", "nonsense"), chromedp.Click(`.act button[value="`+at.press+`"]`), chromedp.WaitVisible("#errors"))
		}
		for _, open := range []bool{false, true} {
			if open {
				eval[int](w, "[...document.querySelectorAll('details')].map(d => d.open = true).length")
			}
			for n, width := range widths {
				if open && n%2 == 1 {
					continue // what is folded in is as wide as the rest
				}
				w.look(width, 800, "light")
				name := at.name + " " + strconv.FormatInt(width, 10)
				if open {
					name += " open"
				}
				browsertest.Fits(t, w.ctx, name)
				browsertest.Keep(w.ctx, w.t, name)
			}
		}
	}
	w.open("about:blank") // the last scene ends before its page does
}

// TestStatesWithoutScript: as they come to a browser that runs none.
func TestStatesWithoutScript(t *testing.T) {
	t.Parallel()
	widths := widths
	if testing.Short() {
		widths = widths[:1] // the narrowest
	}
	s := open(t, nil)
	w := s.browse()
	// What the debugger itself evaluates still runs.
	if _, err := chromedp.Call(w.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
	for _, at := range slices.Concat(scenes(), extraScenes()) {
		if at.press != "" {
			continue
		}
		at.set(s)
		for _, width := range widths {
			w.look(width, 800, "light")
			w.open(s.url + s.path() + at.query)
			browsertest.Fits(t, w.ctx, fmt.Sprint(at.name, " ", width, " without script"))
		}
	}
}
