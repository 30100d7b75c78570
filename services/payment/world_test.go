package payment_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"boardorder/deploy/simulator"
	simfab "boardorder/deploy/simulator/fabricator"
	"boardorder/deploy/simulator/fault"
	"boardorder/deploy/simulator/shopper"
	"boardorder/pkg/aggregate"
	"boardorder/pkg/blob"
	"boardorder/pkg/blob/folder"
	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/card"
	"boardorder/pkg/card/stripe"
	"boardorder/pkg/card/stripe/webhook"
	"boardorder/pkg/clocktest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/destination"
	"boardorder/pkg/fabricator"
	"boardorder/pkg/fabricator/openfab"
	"boardorder/pkg/flow"
	"boardorder/pkg/projection"
	"boardorder/pkg/projection/sqlite"
	"boardorder/pkg/secret"
	"boardorder/services/payment"
	"boardorder/services/payment/internal/fulfilment"

	"go.uber.org/zap"
)

// fabName is the public name of the fabricator that quotes are of.
const fabName = "far_east"

// world is the payment service between a real broker and the simulated
// providers. Commands wait in a queue until the test delivers them, timers until
// the test lets the time pass, and any effect can be the last before a crash.
type world struct {
	t       *testing.T
	bus     *bus.Bus
	sim     *simulator.Simulator
	cards   card.Processor
	tests   card.Processor // the processor's test mode; nil: there is none
	fab     *openfab.Client
	fabs    fabricator.List[payment.Fabricator] // as the service has them
	blobs   blob.Store
	docs    projection.Store
	secrets *secret.Keyring
	clock   *clocktest.Clock
	svc     *payment.Service
	log     *zap.Logger
	lists   fulfilment.Screener // nil: recipients are not screened
	places  *destination.Book
	rates   *bus.Bucket
	pagesAt string // where the processor's open pages are; empty: where it made them

	mu     sync.Mutex // of what follows
	queue  []contract.Command
	timers map[string]contract.Timer
	fuse   int // effects until the crash; negative: none
	dead   []error
	quotes int
	scans  int                                          // of whole streams
	loads  int                                          // of last states
	found  func(partchecks.CheckData) partchecks.Report // what suppliers have; nil: they do not answer
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, bus: bustest.Start(t), clock: clocktest.New(time.Now().UTC()), timers: map[string]contract.Timer{}, fuse: -1, log: zap.NewNop()}
	w.startProviders(simulator.Config{DataDir: t.TempDir(), FabPace: time.Minute, Now: w.clock.Now})
	var err error
	if w.blobs, err = folder.Open(t.TempDir(), w.clock.Now); err != nil {
		t.Fatal(err)
	}
	if w.secrets, err = secret.New(make([]byte, 32)); err != nil {
		t.Fatal(err)
	}
	if w.docs, err = sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "docs.db")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.docs.Close() })
	if w.places, err = destination.Load(); err != nil {
		t.Fatal(err)
	}
	if w.rates, err = w.bus.Bucket(t.Context(), contract.RatesBucket); err != nil {
		t.Fatal(err)
	}
	w.fabs = fabricator.List[payment.Fabricator]{{Name: fabName, Adapter: fusedFab{w.fab, w}}}
	w.svc = w.serviceOver(w)
	return w
}

// serviceOver makes the service over an event system.
func (w *world) serviceOver(events aggregate.Core) *payment.Service {
	return payment.New(payment.Config{PublicURL: "https://boards.example"}, events, w.secrets, payment.Ports{
		Cards: fusedCards{w.cards, w}, TestCards: w.tests, Fabricators: w.fabs, Files: w.blobs, Docs: w.docs, Screener: w.lists, Places: w.places, Rates: w.rates,
	}, w.log, w.clock.Now)
}

// startProviders starts the external providers and connects to them.
func (w *world) startProviders(cfg simulator.Config) {
	t := w.t
	t.Helper()
	w.sim = runSimulator(t, cfg)
	var err error
	if w.cards, err = stripe.New(stripe.Config{Key: "sk_test_world", BaseURL: w.sim.CardsURL(), Timeout: 5 * time.Second, Trip: 1000}); err != nil {
		t.Fatal(err)
	}
	calls := http.DefaultTransport.(*http.Transport).Clone()
	t.Cleanup(calls.CloseIdleConnections) // the simulator would wait for them
	w.fab = connect(t, w.sim, calls, cfg.Now)
}

// connect gives a client of a simulator's fabricator.
func connect(t *testing.T, sim *simulator.Simulator, calls http.RoundTripper, now func() time.Time) *openfab.Client {
	t.Helper()
	fab, err := openfab.New(openfab.Config{
		Transport: calls, URL: sim.FabricatorURL(), AppID: simfab.AppID, AccessKey: simfab.AccessKey, SecretKey: simfab.SecretKey,
		PerSecond: 10000, TripAfter: 1000, Now: now,
	})
	if err != nil {
		t.Fatal(err)
	}
	return fab
}

func runSimulator(t *testing.T, cfg simulator.Config) *simulator.Simulator {
	t.Helper()
	sim, err := simulator.New(cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	bustest.Go(t, sim.Run)
	return sim
}

// effect is a point at which the process may die.
func (w *world) effect(at string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.fuse--; w.fuse == -1 {
		panic(flow.Crash{At: at})
	}
}

func (w *world) Last(ctx context.Context, a contract.Aggregate, id string) (contract.Event, error) {
	w.mu.Lock()
	w.loads++
	w.mu.Unlock()
	return w.bus.Last(ctx, a, id)
}

func (w *world) Append(ctx context.Context, e contract.Event, after uint64) (uint64, error) {
	w.effect("before " + e.Type())
	seq, err := w.bus.Append(ctx, e, after)
	w.effect("after " + e.Type())
	return seq, err
}

func (w *world) Send(_ context.Context, c contract.Command) error {
	w.effect("before sending " + c.Name.String())
	w.mu.Lock()
	w.queue = append(w.queue, c)
	w.mu.Unlock()
	w.effect("after sending " + c.Name.String())
	return nil
}

func (w *world) Schedule(_ context.Context, timer contract.Timer) error {
	w.effect("before timer " + timer.What)
	w.mu.Lock()
	w.timers[contract.TimerSubject(timer.Aggregate, timer.AggregateID, timer.What)] = timer
	w.mu.Unlock()
	w.effect("after timer " + timer.What)
	return nil
}

func (w *world) Find(ctx context.Context, a contract.Aggregate, is func(contract.Event) bool) ([]string, error) {
	w.mu.Lock()
	w.scans++
	w.mu.Unlock()
	return w.bus.Find(ctx, a, is)
}

func (w *world) RequestsOf(ctx context.Context, a contract.Aggregate, id string) ([]string, error) {
	return w.bus.RequestsOf(ctx, a, id)
}

func (w *world) PurgeHistory(ctx context.Context, a contract.Aggregate, id string) error {
	w.effect("before purging " + string(a))
	defer w.effect("after purging " + string(a))
	return w.bus.PurgeHistory(ctx, a, id)
}

func (w *world) NoteDuplicate(ctx context.Context, a contract.Aggregate, key, id string) error {
	w.effect("before entering " + string(a))
	defer w.effect("after entering " + string(a))
	return w.bus.NoteDuplicate(ctx, a, key, id)
}

func (w *world) Duplicates(ctx context.Context, a contract.Aggregate, keys ...string) ([]string, bool, error) {
	return w.bus.Duplicates(ctx, a, keys...)
}

func (w *world) ForgetDuplicate(ctx context.Context, a contract.Aggregate, key, id string) error {
	w.effect("before forgetting " + string(a))
	defer w.effect("after forgetting " + string(a))
	return w.bus.ForgetDuplicate(ctx, a, key, id)
}

func (w *world) DropLabelled(ctx context.Context, labels contract.Labels) (map[string]int, error) {
	return w.bus.DropLabelled(ctx, labels)
}

// fusedCards may die before and after each call that changes something.
type fusedCards struct {
	card.Processor
	w *world
}

func (f fusedCards) CreateCheckout(ctx context.Context, r card.CheckoutRequest) (card.Session, error) {
	f.w.effect("before create session")
	defer f.w.effect("after create session")
	return f.Processor.CreateCheckout(ctx, r)
}

func (f fusedCards) Session(ctx context.Context, id string) (card.Session, error) {
	s, err := f.Processor.Session(ctx, id)
	if s.URL != "" && f.w.pagesAt != "" {
		s.URL = f.w.pagesAt + id
	}
	return s, err
}

func (f fusedCards) ExpireSession(ctx context.Context, id string) (card.Session, error) {
	f.w.effect("before expire session")
	defer f.w.effect("after expire session")
	return f.Processor.ExpireSession(ctx, id)
}

func (f fusedCards) ChargeSaved(ctx context.Context, r card.SavedCharge) (card.ChargeResult, error) {
	f.w.effect("before charging a saved card")
	defer f.w.effect("after charging a saved card")
	return f.Processor.ChargeSaved(ctx, r)
}

func (f fusedCards) CancelPayment(ctx context.Context, id string) (card.Payment, error) {
	f.w.effect("before cancelling a payment")
	defer f.w.effect("after cancelling a payment")
	return f.Processor.CancelPayment(ctx, id)
}

func (f fusedCards) Refund(ctx context.Context, r card.RefundRequest) (card.Refund, error) {
	f.w.effect("before refund")
	defer f.w.effect("after refund")
	return f.Processor.Refund(ctx, r)
}

type fusedFab struct {
	*openfab.Client
	w *world
}

func (f fusedFab) Upload(ctx context.Context, name string, zip io.Reader) (string, error) {
	f.w.effect("before upload")
	defer f.w.effect("after upload")
	return f.Client.Upload(ctx, name, zip)
}

func (f fusedFab) Place(ctx context.Context, r fabricator.PlaceRequest) (fabricator.Placed, error) {
	f.w.effect("before place")
	defer f.w.effect("after place")
	return f.Client.Place(ctx, r)
}

// deliver delivers a command as the broker does: again and again until it is
// done, also after a crash.
func (w *world) deliver(c contract.Command) contract.Code {
	w.t.Helper()
	if c.Name == partchecks.Check {
		w.checkParts(c)
		return ""
	}
	handler, ok := w.svc.Handlers()[c.Name]
	if !ok {
		w.t.Fatalf("no handler for %s", c.Name)
	}
	var last error
	for range 20 {
		v, crashed := w.runOnce(handler, c)
		last = v.Err
		switch {
		case crashed:
		case v.Kind == flow.Done:
			return v.Refused
		case v.Kind == flow.DeadLetter:
			w.dead = append(w.dead, v.Err)
			return ""
		default:
			w.supply()
			w.clock.Reach(w.clock.Now().Add(max(v.After, time.Second)))
		}
	}
	w.t.Fatalf("%s does not come to an end: %v", c.Name, last)
	return ""
}

func (w *world) runOnce(h flow.Handler, c contract.Command) (v flow.Verdict, crashed bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(flow.Crash); !ok {
				panic(r)
			}
			crashed = true
		}
	}()
	return flow.Run(w.t.Context(), w, h, c, w.clock.Now), false
}

// work delivers everything that waits in the queue.
func (w *world) work() {
	w.t.Helper()
	for len(w.queue) > 0 {
		c := w.queue[0]
		w.queue = w.queue[1:]
		w.deliver(c)
	}
}

// take delivers what waits in the queue under a name.
func (w *world) take(name contract.CommandName) {
	w.t.Helper()
	for {
		i := slices.IndexFunc(w.queue, func(c contract.Command) bool { return c.Name == name })
		if i < 0 {
			return
		}
		c := w.queue[i]
		w.queue = slices.Delete(w.queue, i, i+1)
		w.deliver(c)
	}
}

// pass lets the time pass to the next timer and delivers it.
func (w *world) pass() bool {
	w.t.Helper()
	w.work()
	var next string
	for subject, t := range w.timers {
		if next == "" || t.Due.Before(w.timers[next].Due) {
			next = subject
		}
	}
	if next == "" {
		return false
	}
	timer := w.timers[next]
	delete(w.timers, next)
	w.clock.Reach(timer.Due)
	w.queue = append(w.queue, timer.Command)
	w.work()
	return true
}

// waitUntil lets the time pass until something is so.
func (w *world) waitUntil(what string, ok func() bool) {
	w.t.Helper()
	w.work()
	for range 200 {
		if ok() {
			return
		}
		if !w.pass() {
			break
		}
	}
	w.t.Fatalf("waited in vain for %s; order %+v", what, w.queue)
}

// A paidQuote is a quote that stands ready to be paid.
type shopping struct {
	w   *world
	ref string
	q   quotes.Quote
}

// quote makes a quote of 10 boards, priced by the simulated fabricator.
func (w *world) quote(change ...func(*quotes.Quote)) *shopping {
	w.t.Helper()
	w.quotes++
	request := fmt.Sprintf("req_%d", w.quotes)
	spec := fabricator.Spec{
		Layers: 2, Quantity: 10, Width: 50_000_000, Height: 40_000_000, Thickness: 1_600_000, OuterCopper: 1,
		Material: "FR-4", Finish: "hasl_lead_free", Mask: "Green", ViaProcess: "tented",
		To: fabricator.Destination{Country: "US", PostalCode: "94107", City: "San Francisco"},
	}
	price, err := w.fab.Price(w.t.Context(), spec)
	if err != nil {
		w.t.Fatal(err)
	}
	spec.BuildHours = price.Build().Hours
	raw, err := json.Marshal(spec)
	if err != nil {
		w.t.Fatal(err)
	}
	way := price.Shipping[0]
	total, board := price.Boards()+way.Cents+199, "2 layers, 50 × 40 mm"
	q := quotes.Quote{
		Ref: contract.SecretRef(w.secrets.QuoteID(request)), Account: "acc_1", RequestID: request, Upload: "upload", Digest: "digest",
		Mode: quotes.ModeInstant, Status: quotes.Ready, Version: 1, CreatedAt: w.clock.Now(), ExpiresAt: w.clock.Now().Add(quotes.InstantTTL),
		Terms: &quotes.Terms{Fabricator: fabName, Spec: raw, Shipping: way.ID, Cents: price.Boards() + way.Cents, Currency: "USD"},
		Delivery: &shipments.Delivery{ShippingID: way.ID, BuildHours: spec.BuildHours, ShipTo: shipments.ShipTo{
			Name: "Ada Lovelace", Email: "ada@example.com", Phone: "+1 555 0100", Line1: "1 Main St", City: "San Francisco",
			State: "CA", PostalCode: "94107", Country: "US",
		}},
		Reply: quotes.Reply{
			Quantity: 10, Board: &board, TotalCents: &total,
			Lines: []prices.Line{{Label: "Boards", Cents: price.Boards()}, {Label: "Shipping", Cents: way.Cents}, {Label: "Tax", Cents: 199}},
		},
	}
	for _, f := range change {
		f(&q)
	}
	s := &shopping{w: w, ref: q.Ref, q: q}
	s.save()
	w.files()
	return s
}

// save stores the quote as pricing would.
func (s *shopping) save() {
	s.w.t.Helper()
	commit(s.w, contract.QuoteAggregate, s.ref, quotes.EventPriced, s.q)
}

func commit[S any](w *world, a contract.Aggregate, id string, event contract.EventName, state S) {
	w.t.Helper()
	c := contract.Command{ID: contract.NewID("cmd_", time.Now()), Name: quotes.Price}
	_, err := aggregate.At[S](w.bus, a, id).Execute(w.t.Context(), c, w.clock.Now(), func(aggregate.Snapshot[S]) (*aggregate.Change[S], error) {
		return &aggregate.Change[S]{Event: event, State: state}, nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

// files stores the package that orders are built from.
func (w *world) files() {
	w.t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	f, err := z.Create("board.gtl")
	if err == nil {
		_, err = f.Write([]byte("%FSLAX46Y46*%M02*"))
	}
	if err == nil {
		err = z.Close()
	}
	if err == nil {
		_, err = w.blobs.Put(w.t.Context(), "boards/digest/package.zip", &b, int64(b.Len()), "application/zip")
	}
	if err != nil {
		w.t.Fatal(err)
	}
	commit(w, contract.BoardAggregate, "digest", boards.EventRead, boards.ReadFiles{Digest: "digest", Reader: "test", Package: "boards/digest/package.zip"})
}

func (w *world) command(name contract.CommandName, request string, data any) contract.Command {
	w.t.Helper()
	c, err := contract.NewCommand(name, request, "", w.clock.Now(), data)
	if err != nil {
		w.t.Fatal(err)
	}
	if c.ID == "" {
		c.ID = contract.NewID("cmd_", time.Now())
	}
	return c
}

// begin is the shopper's click on "pay".
func (s *shopping) begin() contract.Code {
	s.w.t.Helper()
	return s.w.deliver(s.w.command(checkouts.Begin, contract.NewID("req_", time.Now()), checkouts.BeginData{Quote: s.ref, Version: s.q.Version, Acknowledgement: s.q.AcknowledgementHash()}))
}

func (s *shopping) checkout() checkouts.Checkout {
	s.w.t.Helper()
	return load[checkouts.Checkout](s.w, contract.CheckoutAggregate, s.ref).State
}

func (s *shopping) order() orders.Order {
	s.w.t.Helper()
	return load[orders.Order](s.w, contract.OrderAggregate, s.ref).State
}

func load[S any](w *world, a contract.Aggregate, id string) aggregate.Snapshot[S] {
	w.t.Helper()
	now, err := aggregate.At[S](w.bus, a, id).Load(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	return now
}

// pay pays a session at the processor's page.
func (s *shopping) pay(session string) {
	s.w.t.Helper()
	res, err := shopper.Pay(s.w.t.Context(), s.w.sim.Cards().PageURL(session), shopper.Card{Email: "ada@example.com"})
	if err != nil || res.Status != "paid" {
		s.w.t.Fatalf("pay %s: %+v, %v", session, res, err)
	}
}

// decline has a card refused at the processor's page.
func (s *shopping) decline(session, number string) {
	s.w.t.Helper()
	res, err := shopper.Pay(s.w.t.Context(), s.w.sim.Cards().PageURL(session), shopper.Card{Number: number, Email: "ada@example.com"})
	if err != nil || res.Status != "declined" {
		s.w.t.Fatalf("pay %s with %s: %+v, %v; want it declined", session, number, res, err)
	}
}

// tell delivers the processor's notice of a session.
func (s *shopping) tell(session, what string) {
	s.w.t.Helper()
	s.w.deliver(s.w.command(checkouts.CardEvent, "", checkouts.CardEventData{
		EventID: contract.NewID("evt_", time.Now()), Type: "checkout.session." + what, Session: session, Quote: s.ref,
	}))
}

// sessions gives the processor's sessions for the quote, oldest first.
func (s *shopping) sessions() []string {
	var ids []string
	for _, v := range s.w.sim.Cards().Ledger().Sessions {
		if v.Reference == s.ref {
			ids = append(ids, v.ID)
		}
	}
	return ids
}

// money counts the charges that were taken for the quote, and those of them
// that were given back whole.
func (s *shopping) money() (taken, returned int) {
	for _, ch := range s.w.sim.Cards().Ledger().Charges {
		if ch.Paid && ch.Metadata["reference"] == s.ref {
			taken++
			if ch.Refunded == ch.Amount {
				returned++
			}
		}
	}
	return taken, returned
}

// fabOrders gives the fabricator's orders for the quote.
func (s *shopping) fabOrders() []simfab.OrderState {
	id := s.order().ID
	return slices.DeleteFunc(s.w.sim.Fabricator().Ledger().Orders, func(o simfab.OrderState) bool {
		return id == "" || !strings.HasPrefix(o.Batch, id)
	})
}

func (s *shopping) isShipped() bool { return s.order().Status == orders.Shipped }

func (s *shopping) report(status orders.Status, tracking *shipments.Tracking) contract.Code {
	s.w.t.Helper()
	return s.w.deliver(s.w.command(orders.ReportStatus, contract.NewID("req_", time.Now()), orders.ReportStatusData{
		Quote: s.ref, Operator: "grace", Status: status, Tracking: tracking, Note: "seen to",
	}))
}

func (w *world) fail(match, kind string, times int) {
	w.t.Helper()
	if err := w.sim.Faults().Add(fault.Fault{Match: match, Kind: kind, Times: times}); err != nil {
		w.t.Fatal(err)
	}
}

// cancelAtFab cancels an order by hand, at the fabricator.
func (w *world) cancelAtFab(id string) {
	w.t.Helper()
	res, err := http.PostForm(w.sim.FabricatorURL()+"/orders/"+id+"/cancel", url.Values{"reason": {"no capacity"}})
	if err != nil {
		w.t.Fatal(err)
	}
	res.Body.Close()
}

// events gives the names of an aggregate's events, oldest first.
func (w *world) events(a contract.Aggregate, id string) []contract.EventName {
	w.t.Helper()
	var names []contract.EventName
	_, err := w.bus.ReplayEvents(w.t.Context(), a, func(events []contract.Event) error {
		for _, e := range events {
			if e.AggregateID == id {
				names = append(names, e.Name)
			}
		}
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return names
}

func encode(t *testing.T, data any) json.RawMessage {
	raw, err := json.Marshal(data)
	if err != nil {
		t.Errorf("encode %+v: %v", data, err)
	}
	return raw
}

func sessionOf(e webhook.Event) string {
	if e.Object == "checkout.session" {
		return e.ObjectID
	}
	return ""
}
