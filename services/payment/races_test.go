package payment_test

import (
	"context"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"boardorder/deploy/simulator/fault"
	"boardorder/deploy/simulator/shopper"
	"boardorder/pkg/card"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/fabricator"
	"boardorder/pkg/fabricator/openfab"
	"boardorder/pkg/flow"
	"boardorder/services/payment"

	"go.uber.org/zap"
)

// meeting is an event system in which somebody else acts, once and to the end,
// before a given call: a look or a change, here or at an external provider. Counted
// through, it is every way in which one whole act can fall into another.
type meeting struct {
	*world
	left int // calls before it
	act  func()
}

func (m *meeting) reach() {
	if m.left--; m.left == -1 {
		m.act()
	}
}

func (m *meeting) Last(ctx context.Context, a contract.Aggregate, id string) (contract.Event, error) {
	m.reach()
	return m.world.Last(ctx, a, id)
}

func (m *meeting) Append(ctx context.Context, e contract.Event, after uint64) (uint64, error) {
	m.reach()
	return m.world.Append(ctx, e, after)
}

func (m *meeting) Send(ctx context.Context, c contract.Command) error {
	m.reach()
	return m.world.Send(ctx, c)
}

func (m *meeting) Schedule(ctx context.Context, timer contract.Timer) error {
	m.reach()
	return m.world.Schedule(ctx, timer)
}

type meetingCards struct {
	card.Processor
	m *meeting
}

func (c meetingCards) CreateCheckout(ctx context.Context, r card.CheckoutRequest) (card.Session, error) {
	c.m.reach()
	return c.Processor.CreateCheckout(ctx, r)
}

func (c meetingCards) Session(ctx context.Context, id string) (card.Session, error) {
	c.m.reach()
	return c.Processor.Session(ctx, id)
}

func (c meetingCards) ExpireSession(ctx context.Context, id string) (card.Session, error) {
	c.m.reach()
	return c.Processor.ExpireSession(ctx, id)
}

func (c meetingCards) ChargeSaved(ctx context.Context, r card.SavedCharge) (card.ChargeResult, error) {
	c.m.reach()
	return c.Processor.ChargeSaved(ctx, r)
}

func (c meetingCards) Payment(ctx context.Context, id string) (card.Payment, error) {
	c.m.reach()
	return c.Processor.Payment(ctx, id)
}

func (c meetingCards) Refund(ctx context.Context, r card.RefundRequest) (card.Refund, error) {
	c.m.reach()
	return c.Processor.Refund(ctx, r)
}

func (c meetingCards) Refunds(ctx context.Context, l card.Lookup) ([]card.Refund, error) {
	c.m.reach()
	return c.Processor.Refunds(ctx, l)
}

type meetingFab struct {
	*openfab.Client
	m *meeting
}

func (f meetingFab) Upload(ctx context.Context, name string, zip io.Reader) (string, error) {
	f.m.reach()
	return f.Client.Upload(ctx, name, zip)
}

func (f meetingFab) Place(ctx context.Context, r fabricator.PlaceRequest) (fabricator.Placed, error) {
	f.m.reach()
	return f.Client.Place(ctx, r)
}

func (f meetingFab) FindOrder(ctx context.Context, reference string) (fabricator.Placed, error) {
	f.m.reach()
	return f.Client.FindOrder(ctx, reference)
}

// meet delivers a command while somebody else acts before its n-th call; whole
// says that the command had come to its end by then.
func (w *world) meet(n int, c contract.Command, act func()) (code contract.Code, whole bool) {
	w.t.Helper()
	m := &meeting{world: w, left: n, act: act}
	own := w.svc
	w.svc = payment.New(payment.Config{PublicURL: "https://boards.example"}, m, w.secrets, payment.Ports{
		Cards: meetingCards{w.cards, m}, Fabricators: fabricator.List[payment.Fabricator]{{Name: fabName, Adapter: meetingFab{w.fab, m}}}, Files: w.blobs, Docs: w.docs,
	}, zap.NewNop(), w.clock.Now)
	code = w.deliver(c)
	w.svc = own
	if whole = m.left >= 0; whole {
		act()
	}
	return code, whole
}

// playMeetings plays an encounter for every call at which the two can meet, in one
// world, and gives how many ways there were.
func playMeetings(t *testing.T, w *world, play func(n int) (s *shopping, whole bool)) int {
	t.Helper()
	for n := range 200 {
		w.forgetEverything()
		w.sim.Faults().Clear()
		if s, whole := play(n); whole || t.Failed() {
			if s.checkLedger(); w.dead != nil {
				t.Errorf("dead letters: %v, want none", w.dead)
			}
			return n + 1
		}
	}
	t.Error("the encounter has no end")
	return 0
}

// callOff is the command of somebody who cancels: the customer, or the team.
func (s *shopping) callOff(customer bool) contract.Command {
	s.w.t.Helper()
	data := orders.CancelData{Quote: s.ref, Customer: customer}
	if !customer {
		data.Operator, data.Why = "grace", "as you asked"
	}
	return s.w.command(orders.Cancel, contract.NewID("req_", time.Now()), data)
}

// noticePaid is the processor's notice that a page is paid.
func (s *shopping) noticePaid(session string) contract.Command {
	s.w.t.Helper()
	return s.w.command(checkouts.CardEvent, "", checkouts.CardEventData{
		EventID: contract.NewID("evt_", time.Now()), Type: "checkout.session.completed", Session: session, Quote: s.ref,
	})
}

// placeCommand is the command to place the order, as it waits in the queue.
func (s *shopping) placeCommand() contract.Command {
	s.w.t.Helper()
	i := slices.IndexFunc(s.w.queue, func(c contract.Command) bool {
		return c.Name == orders.Place && strings.Contains(string(c.Data), s.ref)
	})
	if i < 0 {
		s.w.t.Fatal("nothing is to be placed")
	}
	return s.w.queue[i]
}

// checkCancel waits for the end of an order that was paid and that some tried to
// cancel, and holds it to one of two: cancelled, and all of it went back once; or
// built and shipped, and nothing went back. The answers have to say which.
func (s *shopping) checkCancel(at int, answers ...contract.Code) (cancelled bool) {
	s.w.t.Helper()
	s.w.waitUntil("an end", func() bool {
		o := s.order()
		return o.Status == orders.Shipped || o.Status == orders.Cancelled && o.Money == ""
	})
	if s.order().Status == orders.Cancelled {
		for s.w.pass() { // nothing that is still on its way brings it back to life
		}
	}
	o, reported := s.order(), 0
	cancelled = o.Status == orders.Cancelled
	for _, code := range answers {
		switch code {
		case "":
			reported++
		case contract.Conflict, contract.NotFound:
		default:
			s.w.t.Errorf("met at %d: who cancels is told %q, want it granted, %s or %s", at, code, contract.Conflict, contract.NotFound)
		}
	}
	back, refunds, built := s.sumReturns(), 0, len(s.fabOrders())
	for _, r := range s.w.sim.Cards().Ledger().Refunds {
		if r.Intent == o.Payment.Intent {
			refunds++
		}
	}
	taken, _ := s.money()
	whole := taken == 1 && reported == 0 && back == 0 && refunds == 0 && built == 1
	if cancelled {
		whole = taken == 1 && reported == 1 && back == o.TotalCents && refunds == 1 && built == 0
	}
	if !whole {
		s.w.t.Errorf("met at %d: order %s, %d charges, %d of %d cents went back in %d refunds, %d orders at the fabricator, told %q; want all or nothing",
			at, o.Status, taken, back, o.TotalCents, refunds, built, answers)
	}
	return cancelled
}

// TestCancelMeets: a cancellation falls into the notice of the payment, into the
// placing, or they into it, at any call whatever.
func TestCancelMeets(t *testing.T) {
	t.Parallel()
	type encounter = func(w *world, n int) (s *shopping, whole bool, answers []contract.Code)
	for name, tt := range map[string]struct {
		cancelled, kept bool // in some of the ways
		play            encounter
	}{
		"the notice": {true, true, func(w *world, n int) (*shopping, bool, []contract.Code) {
			s := w.payPage()
			var answer contract.Code
			_, whole := w.meet(n, s.noticePaid(s.checkout().SessionID), func() { answer = w.deliver(s.callOff(true)) })
			return s, whole, []contract.Code{answer}
		}},
		"the placing": {true, true, func(w *world, n int) (*shopping, bool, []contract.Code) {
			s := w.payQuote()
			var answer contract.Code
			_, whole := w.meet(n, s.placeCommand(), func() { answer = w.deliver(s.callOff(true)) })
			return s, whole, []contract.Code{answer}
		}},
		"the placing, by the team": {true, true, func(w *world, n int) (*shopping, bool, []contract.Code) {
			s := w.payQuote()
			var answer contract.Code
			_, whole := w.meet(n, s.placeCommand(), func() { answer = w.deliver(s.callOff(false)) })
			return s, whole, []contract.Code{answer}
		}},
		"a placing whose answer is lost": {true, true, func(w *world, n int) (*shopping, bool, []contract.Code) {
			s := w.payQuote()
			w.fail(createPath, fault.LoseReply, 1)
			var answer contract.Code
			_, whole := w.meet(n, s.placeCommand(), func() { answer = w.deliver(s.callOff(true)) })
			return s, whole, []contract.Code{answer}
		}},
		"met by the placing": {true, true, func(w *world, n int) (*shopping, bool, []contract.Code) {
			s := w.payQuote()
			place := s.placeCommand()
			answer, whole := w.meet(n, s.callOff(true), func() { w.deliver(place) })
			return s, whole, []contract.Code{answer}
		}},
		"of the team, met by the placing": {true, true, func(w *world, n int) (*shopping, bool, []contract.Code) {
			s := w.payQuote()
			place := s.placeCommand()
			answer, whole := w.meet(n, s.callOff(false), func() { w.deliver(place) })
			return s, whole, []contract.Code{answer}
		}},
		"met by a placing whose answer is lost": {true, true, func(w *world, n int) (*shopping, bool, []contract.Code) {
			s := w.payQuote()
			place := s.placeCommand()
			w.fail(createPath, fault.LoseReply, 1)
			answer, whole := w.meet(n, s.callOff(true), func() { w.deliver(place) })
			return s, whole, []contract.Code{answer}
		}},
		"met by the notice and all that follows": {false, true, func(w *world, n int) (*shopping, bool, []contract.Code) {
			s := w.payPage()
			answer, whole := w.meet(n, s.callOff(true), func() {
				w.deliver(s.noticePaid(s.checkout().SessionID))
				w.work()
			})
			return s, whole, []contract.Code{answer}
		}},
		"met by the notice again": {true, false, func(w *world, n int) (*shopping, bool, []contract.Code) {
			s := w.payQuote()
			answer, whole := w.meet(n, s.callOff(true), func() { w.deliver(s.noticePaid(s.checkout().SessionID)) })
			return s, whole, []contract.Code{answer}
		}},
		"another cancellation": {true, false, func(w *world, n int) (*shopping, bool, []contract.Code) {
			s := w.payQuote()
			var other contract.Code
			answer, whole := w.meet(n, s.callOff(true), func() { other = w.deliver(s.callOff(false)) })
			return s, whole, []contract.Code{answer, other}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			cancelled, kept := 0, 0
			ways := playMeetings(t, w, func(n int) (*shopping, bool) {
				s, whole, answers := tt.play(w, n)
				if s.checkCancel(n, answers...) {
					cancelled++
				} else {
					kept++
				}
				return s, whole
			})
			if ways < 3 || tt.cancelled != (cancelled > 0) || tt.kept != (kept > 0) {
				t.Errorf("%d ways, %d cancelled, %d kept; want 3 at least, some cancelled: %t, some kept: %t", ways, cancelled, kept, tt.cancelled, tt.kept)
			}
			t.Logf("%d ways, %d cancelled, %d kept", ways, cancelled, kept)
		})
	}
}

// TestRefundMeets: a refund of a part falls into another look at the order's money, or
// into a cancellation, at any call whatever. Each part goes back once.
func TestRefundMeets(t *testing.T) {
	t.Parallel()
	const part = 700
	for name, other := range map[string]func(s *shopping, refund contract.Command) contract.Command{
		"the same command": func(_ *shopping, refund contract.Command) contract.Command { return refund },
		"a look at the money": func(s *shopping, _ contract.Command) contract.Command {
			return s.w.command(orders.SettleMoney, "", orders.SettleMoneyData{Quote: s.ref})
		},
		"a cancellation": func(s *shopping, _ contract.Command) contract.Command { return s.callOff(true) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			playMeetings(t, w, func(n int) (*shopping, bool) {
				s := w.payQuote()
				refund := w.command(orders.IssueRefund, contract.NewID("req_", time.Now()), orders.IssueRefundData{Quote: s.ref, Operator: "grace", Cents: part, Why: "a scratch"})
				act := other(s, refund)
				var got contract.Code
				code, whole := w.meet(n, refund, func() { got = w.deliver(act) })
				w.work()
				o, requests := s.order(), 0
				for _, r := range w.sim.Cards().Ledger().Refunds {
					if r.Intent == o.Payment.Intent {
						requests++
					}
				}
				want, parts := int64(part), 1
				if name == "a cancellation" {
					want, parts = o.TotalCents, 2
					if code == contract.Conflict { // nothing was left
						parts = 1
					}
				}
				if back := s.sumReturns(); back != want || requests != parts || len(o.Refunds) != parts || o.Money != "" || got != "" || code != "" && parts == 2 {
					t.Errorf("met at %d: %d of %d cents went back in %d refunds, told %q and %q, %+v", n, back, want, requests, code, got, o.Refunds)
				}
				return s, whole
			})
		})
	}
}

// payPage is a quote whose customer has paid, of which nobody knows yet.
func (w *world) payPage() *shopping {
	w.t.Helper()
	s := w.quote()
	if code := s.begin(); code != "" {
		w.t.Fatalf("begin: %s, want it granted", code)
	}
	s.pay(s.checkout().SessionID)
	return s
}

// payIfOpen pays the page as its customer would who still has it before him, and
// says whether the processor took it.
func (s *shopping) payIfOpen(session string) bool {
	res, err := shopper.Pay(s.w.t.Context(), s.w.sim.Cards().PageURL(session), shopper.Card{Email: "ada@example.com"})
	if err != nil {
		s.w.t.Errorf("pay %s: %v", session, err)
	}
	return res.Status == "paid"
}

// checkPaid waits until the fabricator has the order and holds the quote to one charge,
// of which the one who paid at the page knows by what the page said.
func (s *shopping) checkPaid(at int, page string, paidPage bool) {
	s.w.t.Helper()
	s.w.waitUntil("the order at the fabricator", func() bool {
		return slices.Contains([]orders.Status{orders.Placed, orders.InProduction, orders.Shipped}, s.order().Status)
	})
	taken, returned := s.money()
	c, succeeded := s.checkout(), 0
	for _, pi := range s.w.sim.Cards().Ledger().Intents {
		if pi.Metadata["reference"] == s.ref && pi.Status == "succeeded" {
			succeeded++
		}
	}
	if built := len(s.fabOrders()); taken != 1 || returned != 0 || succeeded != 1 || built != 1 || len(c.Refunds) != 0 {
		s.w.t.Errorf("met at %d: %d charges, %d given back, %d payments, %d orders at the fabricator, %+v; want 1, none, 1, 1, no refunds", at, taken, returned, succeeded, built, c.Refunds)
	}
	if paidPage != (c.Payment.Session == page && page != "") || paidPage == (c.Payment.Nonce != "") {
		s.w.t.Errorf("met at %d: the page took it: %t; what counts is %+v, want only what took it", at, paidPage, c.Payment)
	}
	if back := s.sumReturns(); back != 0 {
		s.w.t.Errorf("met at %d: %d cents went back, want none", at, back)
	}
}

// TestSavedMeets: the charge of a saved card falls into another payment of the same
// quote, or that into it, at any call whatever. One charge is taken, and nobody is
// told that it failed.
func TestSavedMeets(t *testing.T) {
	t.Parallel()
	for name, play := range map[string]func(t *testing.T, w *world, n int) (s *shopping, whole bool, page string, paidPage bool){
		"the same call": func(t *testing.T, w *world, n int) (*shopping, bool, string, bool) {
			s := w.confirmQuote()
			call := s.paySaved()
			var other contract.Code
			code, whole := w.meet(n, call, func() { other = w.deliver(call) })
			if code != "" || other != "" {
				t.Errorf("met at %d: the calls are told %q and %q; want both granted", n, code, other)
			}
			return s, whole, "", false
		},
		"a page that is paid": func(t *testing.T, w *world, n int) (*shopping, bool, string, bool) {
			s, page := w.confirmPage()
			paid := false
			code, whole := w.meet(n, s.paySaved(), func() {
				paid = s.payIfOpen(page)
				w.deliver(s.noticePaid(page))
			})
			if code != "" {
				t.Errorf("met at %d: the call is told %q, want it granted", n, code)
			}
			return s, whole, page, paid
		},
		"a page that is paid and not noticed": func(t *testing.T, w *world, n int) (*shopping, bool, string, bool) {
			s, page := w.confirmPage()
			paid := false
			code, whole := w.meet(n, s.paySaved(), func() { paid = s.payIfOpen(page) })
			if code != "" {
				t.Errorf("met at %d: the call is told %q, want it granted", n, code)
			}
			return s, whole, page, paid
		},
		"met by the notice": func(t *testing.T, w *world, n int) (*shopping, bool, string, bool) {
			s, page := w.confirmPage()
			call := s.paySaved()
			paid := s.payIfOpen(page)
			var code contract.Code
			_, whole := w.meet(n, s.noticePaid(page), func() { code = w.deliver(call) })
			if code != "" || !paid {
				t.Errorf("met at %d: the call is told %q, the page was paid: %t; want it granted, true", n, code, paid)
			}
			return s, whole, page, paid
		},
		"a page that is asked for and paid": func(t *testing.T, w *world, n int) (*shopping, bool, string, bool) {
			s := w.confirmQuote()
			page, paid := "", false
			code, whole := w.meet(n, s.paySaved(), func() {
				if code := s.begin(); code == "" {
					page = s.checkout().SessionID
					paid = s.payIfOpen(page)
				} else if code != contract.QuoteNotPayable {
					t.Errorf("met at %d: who wants a page is told %q", n, code)
				}
			})
			if code != "" {
				t.Errorf("met at %d: the call is told %q, want it granted", n, code)
			}
			return s, whole, page, paid
		},
		"met by who asks for a page": func(t *testing.T, w *world, n int) (*shopping, bool, string, bool) {
			s := w.confirmQuote()
			call := s.paySaved()
			var code contract.Code
			begin := w.command(checkouts.Begin, contract.NewID("req_", time.Now()), checkouts.BeginData{Quote: s.ref, Version: s.q.Version, Acknowledgement: s.q.AcknowledgementHash()})
			reported, whole := w.meet(n, begin, func() { code = w.deliver(call) })
			if code != "" || reported != "" && reported != contract.QuoteNotPayable {
				t.Errorf("met at %d: the call is told %q, who wants a page %q", n, code, reported)
			}
			for _, page := range s.sessions() { // each that was ever made
				if s.payIfOpen(page) {
					t.Errorf("met at %d: page %s takes money beside the charge", n, page)
				}
			}
			return s, whole, "", false
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.saveDetails("")
			pages := 0
			ways := playMeetings(t, w, func(n int) (*shopping, bool) {
				s, whole, page, paid := play(t, w, n)
				if paid {
					pages++
				}
				s.checkPaid(n, page, paid)
				return s, whole
			})
			if both := name == "a page that is paid" || name == "a page that is asked for and paid"; ways < 5 || both && (pages == 0 || pages == ways) {
				t.Errorf("%d ways, the page was paid in %d; want 5 at least, where both may be some and not all", ways, pages)
			}
			t.Logf("%d ways, the page was paid in %d", ways, pages)
		})
	}
}

// confirmPage is a quote with an open page, whose customer has confirmed a charge too.
func (w *world) confirmPage() (s *shopping, page string) {
	w.t.Helper()
	s = w.quote()
	for _, code := range []contract.Code{s.begin(), s.sendCode(), s.enter(true)} {
		if code != "" {
			w.t.Fatalf("refused: %s", code)
		}
	}
	return s, s.checkout().SessionID
}

// rounds is how often the replicas race.
const rounds = 50

// A crowd are several replicas that carry commands out at once, over one log.
type crowd struct {
	w        *world
	replicas []flow.Handlers
	gate     chan struct{}
	hands    sync.WaitGroup
}

func (w *world) gather() *crowd {
	return &crowd{w: w, replicas: []flow.Handlers{w.serviceOver(w).Handlers(), w.serviceOver(w).Handlers()}, gate: make(chan struct{})}
}

// add has a hand that starts together with all others.
func (c *crowd) add(hand func()) {
	c.hands.Go(func() {
		<-c.gate
		hand()
	})
}

// release lets all hands go and waits for them.
func (c *crowd) release() {
	close(c.gate)
	c.hands.Wait()
}

// carryOut delivers a command to a replica until it is done. What has to wait is
// left in the queue.
func (c *crowd) carryOut(replica int, cmd contract.Command) contract.Code {
	for range 200 {
		switch v := flow.Run(c.w.t.Context(), c.w, c.replicas[replica][cmd.Name], cmd, c.w.clock.Now); v.Kind {
		case flow.Done:
			return v.Refused
		case flow.DeadLetter:
			c.w.t.Errorf("%s dies: %v", cmd.Name, v.Err)
			return ""
		case flow.Wait:
			if err := c.w.Send(c.w.t.Context(), cmd); err != nil {
				c.w.t.Errorf("send %s again, which waits: %v", cmd.Name, err)
			}
			return ""
		}
	}
	c.w.t.Errorf("%s does not come to an end", cmd.Name)
	return ""
}

// carryOn delivers what waits to be placed, as it comes.
func (c *crowd) carryOn(replica int) {
	for {
		c.w.mu.Lock()
		i := slices.IndexFunc(c.w.queue, func(c contract.Command) bool { return c.Name == orders.Place })
		var next contract.Command
		if i >= 0 {
			next = c.w.queue[i]
			c.w.queue = slices.Delete(c.w.queue, i, i+1)
		}
		c.w.mu.Unlock()
		if i < 0 {
			return
		}
		if c.carryOut(replica, next); c.waits(next) {
			return
		}
	}
}

// waits reports whether a command is in the queue again.
func (c *crowd) waits(cmd contract.Command) bool {
	c.w.mu.Lock()
	defer c.w.mu.Unlock()
	return slices.ContainsFunc(c.w.queue, func(q contract.Command) bool { return q.ID == cmd.ID })
}

// TestCancelRaces: notices, placings and cancellations by customer and team, all at
// once over two replicas.
func TestCancelRaces(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cancelled := 0
	var s *shopping
	for n := range rounds {
		w.forgetEverything()
		s = w.payPage()
		page, c := s.checkout().SessionID, w.gather()
		if n%2 == 1 { // the order is there, and to be placed
			s.tell(page, "completed")
		}
		for i := range c.replicas {
			notice := s.noticePaid(page)
			c.add(func() {
				c.carryOn(i)
				c.carryOut(i, notice)
				c.carryOn(i)
			})
		}
		answers := make([]contract.Code, 3)
		for i := range answers {
			c.add(func() {
				for range 500 { // until there is something to cancel
					if answers[i] = c.carryOut(i%2, s.callOff(i > 0)); answers[i] != contract.NotFound {
						return
					}
				}
			})
		}
		c.release()
		if s.checkCancel(n, answers...) {
			cancelled++
		}
	}
	s.checkLedger()
	t.Logf("%d of %d cancelled", cancelled, rounds)
}

// TestSavedRaces: two calls to charge the saved card, and the customer who pays at
// the page, with its notices, all at once over two replicas.
func TestSavedRaces(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.saveDetails("")
	pages := 0
	var s *shopping
	for n := range rounds {
		w.forgetEverything()
		var page string
		s, page = w.confirmPage()
		c, call, paid := w.gather(), s.paySaved(), false
		answers := make([]contract.Code, 2)
		for i := range answers {
			c.add(func() {
				answers[i] = c.carryOut(i, call)
				c.carryOn(i)
			})
		}
		notice := s.noticePaid(page)
		c.add(func() {
			paid = s.payIfOpen(page)
			for i := range c.replicas {
				c.carryOut(i, notice)
			}
		})
		c.release()
		if answers[0] != "" || answers[1] != "" {
			t.Errorf("round %d: the calls are told %q, want both granted", n, answers)
		}
		if paid {
			pages++
		}
		s.checkPaid(n, page, paid)
	}
	s.checkLedger()
	t.Logf("the page was paid in %d of %d", pages, rounds)
}
