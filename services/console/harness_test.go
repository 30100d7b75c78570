package console_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/png"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/blob"
	"boardorder/pkg/blob/folder"
	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/flow"
	"boardorder/pkg/projection"
	"boardorder/pkg/projection/sqlite"
	"boardorder/pkg/run"
	"boardorder/pkg/secret"
	"boardorder/services/console"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

const (
	password = "correct horse battery"
	token    = "token-of-this-start-0123456789abcdef"
)

// world is a console with real broker and stores, and the services beside it
// as far as the console meets them.
type world struct {
	t     *testing.T
	bus   *bus.Bus
	docs  projection.Store
	blobs blob.Store
	url   string
	log   *observer.ObservedLogs
}

var passwordHash = sync.OnceValues(func() (string, error) { return console.HashPassword(password) })

func operators(t *testing.T) string {
	t.Helper()
	hash, err := passwordHash()
	if err != nil {
		t.Fatal(err)
	}
	text := "operators:\n"
	for name, roles := range map[string]string{
		"ann": "admin", "ben": "viewer", "pia": "sales", "fin": "finance", "con": "compliance, us_person", "usa": "us_person", "sal": "sales, us_person",
	} {
		text += fmt.Sprintf("- {name: %s, roles: [%s], password_hash: %q}\n", name, roles, hash)
	}
	file := filepath.Join(t.TempDir(), "operators.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// start runs a console in which one operator may do everything alone, unless
// configure says otherwise.
func start(t *testing.T, configure ...func(*console.Config)) *world {
	t.Helper()
	w := &world{t: t, bus: bustest.Start(t)}
	docs, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "docs.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = docs.Close() })
	if w.blobs, err = folder.Open(t.TempDir(), time.Now); err != nil {
		t.Fatal(err)
	}
	w.docs = docs
	core, log := observer.New(zap.InfoLevel)
	w.log = log
	keys, err := secret.New(bytes.Repeat([]byte{7}, secret.MinMaster))
	if err != nil {
		t.Fatal(err)
	}
	cfg := console.Config{OperatorsFile: operators(t), BootstrapToken: token, BootstrapOperator: "owner", SecondFactor: "optional", RefundLimitCents: 1 << 40, PriceLimitCents: 1 << 40}
	for _, change := range configure {
		change(&cfg)
	}
	c, err := console.New(cfg, run.Deps{
		Bus: w.bus, Docs: docs, Blobs: w.blobs, Secrets: keys, Log: zap.New(core), Now: time.Now,
	})
	if err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w.url = "http://" + ln.Addr().String()
	bustest.Go(t, func(ctx context.Context) error { return c.Run(ctx, ln) })
	w.neighbours()
	return w
}

// neighbours project events, and carry out what the console asks of others.
func (w *world) neighbours() {
	for _, a := range contract.Aggregates() {
		bustest.Go(w.t, func(ctx context.Context) error { return w.bus.Follow(ctx, contract.ProjectorConsumer, a, w.project) })
	}
	for service, handlers := range map[string]flow.Handlers{
		"pricing": {contract.PriceReview: w.priceReview, contract.PickPart: w.pickPart, contract.AskCustomer: w.askCustomer, contract.RefuseReview: w.refuseReview},
		"payment": {contract.ReportOrder: w.reportOrder, contract.FollowOrder: failPermanently, contract.RefundOrder: w.refundOrder, contract.CancelOrder: w.cancelOrder},

		"design-check": {contract.DrawLayers: w.drawLayers},
	} {
		bustest.Go(w.t, func(ctx context.Context) error {
			return w.bus.Serve(ctx, bus.Work{Service: service, Handlers: handlers, Parallel: 1})
		})
	}
}

func failPermanently(context.Context, contract.Command) error {
	return flow.Permanent(fmt.Errorf("the order \u202eis odd: <b>no</b> such thing"))
}

func (w *world) priceReview(ctx context.Context, c contract.Command) error {
	var data contract.PriceReviewData
	if err := json.Unmarshal(c.Data, &data); err != nil {
		return err
	}
	_, err := aggregate.At[contract.Quote](w.bus, contract.QuoteAggregate, data.Quote).Execute(ctx, c, time.Now(),
		func(now aggregate.Snapshot[contract.Quote]) (*aggregate.Change[contract.Quote], error) {
			if data.BuildDays == 99 {
				r := contract.Refuse(contract.InvalidRequest, "Nobody waits that long.")
				r.Fields = []contract.FieldProblem{{Field: "build_days", Problem: "invalid", Message: "Too long."}}
				return nil, r
			}
			q, total := now.State, data.TaxCents
			for _, l := range data.Lines {
				total += l.Cents
			}
			q.Status, q.Reply.Lines, q.Reply.TotalCents = contract.StatusSourcingQuoted, data.CustomerLines(), &total
			q.Version++
			return &aggregate.Change[contract.Quote]{Event: contract.QuoteReviewPriced, State: q}, nil
		})
	return err
}

func (w *world) askCustomer(ctx context.Context, c contract.Command) error {
	var data contract.AskCustomerData
	if err := json.Unmarshal(c.Data, &data); err != nil {
		return err
	}
	return w.changeQuote(ctx, c, data.Quote, contract.QuoteReviewQuestion, func(q *contract.Quote) {
		q.Review = &contract.Review{Questions: []contract.ReviewQuestion{{ID: "one", Operator: data.Operator, Text: data.Text, AskedAt: time.Now()}}}
	})
}

// pickPart stands for the pricing service: nobody sells a part whose number begins with "no".
func (w *world) pickPart(ctx context.Context, c contract.Command) error {
	var data contract.PickPartData
	if err := json.Unmarshal(c.Data, &data); err != nil {
		return err
	}
	_, err := aggregate.At[contract.Quote](w.bus, contract.QuoteAggregate, data.Quote).Execute(ctx, c, time.Now(),
		func(now aggregate.Snapshot[contract.Quote]) (*aggregate.Change[contract.Quote], error) {
			if strings.HasPrefix(data.MPN, "no") {
				return nil, contract.Refuse(contract.InvalidRequest, "That part cannot be bought for this build: not found at fab.")
			}
			q := now.State
			q.Reply.Parts = slices.Clone(q.Reply.Parts)
			for i := range q.Reply.Parts {
				if p := &q.Reply.Parts[i]; p.Reference == data.Reference {
					p.MPN, p.Manufacturer, p.PickedBy, p.Bought, p.CostCents = data.MPN, data.Manufacturer, data.Operator, 10, 250
				}
			}
			return &aggregate.Change[contract.Quote]{Event: contract.QuotePartPicked, State: q}, nil
		})
	return err
}

func (w *world) refuseReview(ctx context.Context, c contract.Command) error {
	var data contract.RefuseReviewData
	if err := json.Unmarshal(c.Data, &data); err != nil {
		return err
	}
	return w.changeQuote(ctx, c, data.Quote, contract.QuoteReviewRefused, func(q *contract.Quote) {
		q.Review = &contract.Review{Refused: &contract.ReviewRefusal{Operator: data.Operator, Why: data.Why, At: time.Now()}}
		q.Status, q.ExpiresAt = contract.StatusExpired, time.Now()
	})
}

func (w *world) changeQuote(ctx context.Context, c contract.Command, ref string, event contract.EventName, change func(*contract.Quote)) error {
	_, err := aggregate.At[contract.Quote](w.bus, contract.QuoteAggregate, ref).Execute(ctx, c, time.Now(),
		func(now aggregate.Snapshot[contract.Quote]) (*aggregate.Change[contract.Quote], error) {
			q := now.State
			change(&q)
			return &aggregate.Change[contract.Quote]{Event: event, State: q}, nil
		})
	return err
}

func (w *world) reportOrder(ctx context.Context, c contract.Command) error {
	var data contract.ReportOrderData
	if err := json.Unmarshal(c.Data, &data); err != nil {
		return err
	}
	_, err := aggregate.At[contract.Order](w.bus, contract.OrderAggregate, data.Quote).Execute(ctx, c, time.Now(),
		func(now aggregate.Snapshot[contract.Order]) (*aggregate.Change[contract.Order], error) {
			if data.Note == "refuse" {
				return nil, contract.Refuse(contract.Conflict, "An order cannot become this.")
			}
			o := now.State
			o.Status, o.Tracking, o.Held = data.Status, data.Tracking, ""
			o.Report = &contract.OrderReport{Operator: data.Operator, Note: data.Note, At: time.Now()}
			return &aggregate.Change[contract.Order]{Event: contract.OrderShipped, State: o}, nil
		})
	return err
}

func (w *world) refundOrder(ctx context.Context, c contract.Command) error {
	var data contract.RefundOrderData
	if err := json.Unmarshal(c.Data, &data); err != nil {
		return err
	}
	return w.changeOrder(ctx, c, data.Quote, contract.OrderRefundBegun, func(o *contract.Order) error {
		if data.Cents > o.Payment.Cents {
			return contract.Refuse(contract.Conflict, "Of this payment less is left.")
		}
		o.Refunds = append(o.Refunds, contract.OrderRefund{ID: "rf_1", Cents: data.Cents, Operator: data.Operator, Why: data.Why, Status: contract.RefundBegun, At: time.Now()})
		return nil
	})
}

func (w *world) cancelOrder(ctx context.Context, c contract.Command) error {
	var data contract.CancelOrderData
	if err := json.Unmarshal(c.Data, &data); err != nil {
		return err
	}
	return w.changeOrder(ctx, c, data.Quote, contract.OrderCancelled, func(o *contract.Order) error {
		o.Status, o.Held = contract.OrderStatusCancelled, ""
		o.Cancelled = &contract.Cancellation{Operator: data.Operator, Why: data.Why, At: time.Now()}
		return nil
	})
}

func (w *world) changeOrder(ctx context.Context, c contract.Command, quote string, event contract.EventName, change func(*contract.Order) error) error {
	_, err := aggregate.At[contract.Order](w.bus, contract.OrderAggregate, quote).Execute(ctx, c, time.Now(),
		func(now aggregate.Snapshot[contract.Order]) (*aggregate.Change[contract.Order], error) {
			o := now.State
			if err := change(&o); err != nil {
				return nil, err
			}
			return &aggregate.Change[contract.Order]{Event: event, State: o}, nil
		})
	return err
}

func (w *world) drawLayers(ctx context.Context, c contract.Command) error {
	var data contract.DrawLayersData
	if err := json.Unmarshal(c.Data, &data); err != nil {
		return err
	}
	_, err := aggregate.At[contract.ReadFiles](w.bus, contract.BoardAggregate, data.Digest).Execute(ctx, c, time.Now(),
		func(now aggregate.Snapshot[contract.ReadFiles]) (*aggregate.Change[contract.ReadFiles], error) {
			r := now.State
			r.Boards[0].Layers = []contract.LayerPicture{
				{Name: "F.Cu", Role: "copper", Side: "top", Order: 1, Key: "boards/" + boardRef + "/top.png"},
				{Name: foreign, Role: "silk", Side: "top", Key: "boards/" + boardRef + "/top.png"},
			}
			return &aggregate.Change[contract.ReadFiles]{Event: contract.BoardDrawn, State: r}, nil
		})
	return err
}

// project puts what the console reads: a part of what the projector does.
func (w *world) project(ctx context.Context, events []contract.Event) error {
	for _, e := range events {
		var body struct{ State json.RawMessage }
		var s struct {
			Account, Status, Ref, ID, Digest, Waiting, Assignee string

			CreatedAt time.Time `json:"created_at"`

			Keys   []contract.APIKey
			ShipTo contract.ShipTo `json:"ship_to"`
		}
		if err := json.Unmarshal(e.Data, &body); err != nil {
			return err
		}
		if string(body.State) == "null" {
			continue
		}
		if err := json.Unmarshal(body.State, &s); err != nil {
			return err
		}
		keys := map[string]string{
			"account": s.Account, "status": contract.ListWord(s.Account, s.Status), "digest": s.Digest, "waiting": contract.ListWord(s.Account, s.Waiting), "assignee": s.Assignee,
		}
		if contract.IsTest(s.Account) {
			keys[contract.ModeKey] = contract.TestMode
		}
		if e.Aggregate == contract.OrderAggregate {
			keys[contract.CustomerKey] = contract.CustomerRef(s.Account, s.ShipTo.Email)
		}
		if e.Aggregate == contract.OrderAggregate || e.Aggregate == contract.CentralAggregate {
			keys["order_ref"], keys["order_id"] = s.Ref, s.ID
		}
		at := e.At
		if !s.CreatedAt.IsZero() {
			at = s.CreatedAt
		}
		docs := []projection.Document{{Kind: string(e.Aggregate), ID: e.AggregateID, Seq: e.Seq, At: at, Body: body.State, Keys: keys,
			Terms: contract.SearchTerms(e.Aggregate, e.AggregateID, body.State)}}
		if e.Aggregate == contract.AuditAggregate {
			var entry contract.AuditEntry
			if err := json.Unmarshal(body.State, &entry); err != nil {
				return err
			}
			r, err := entry.Read()
			if err != nil {
				return err
			}
			docs = append(docs, projection.Document{Kind: contract.AuditDocumentKind, ID: contract.AuditDocumentID(entry.N), Seq: 1, At: r.At, Body: body.State,
				Keys: map[string]string{"operator": r.Operator, "action": r.Action, "account": r.Account, "about": r.ID}})
		}
		for _, k := range s.Keys {
			text, _ := json.Marshal(contract.KeyDocument{Account: s.ID, Key: k})
			docs = append(docs, projection.Document{Kind: contract.KeyDocumentKind, ID: k.ID, Seq: e.Seq, At: e.At, Body: text})
		}
		if e.Operation != "" && e.Aggregate != contract.OperationAggregate {
			op, _, err := contract.OutcomeOf(e)
			if err != nil {
				return err
			}
			text, _ := json.Marshal(op)
			docs = append(docs, projection.Document{Kind: "operation", ID: e.Operation, Seq: e.Seq, At: e.At, Body: text, Terms: []string{contract.SearchTerm(e.Operation)}})
		}
		if err := w.docs.Put(ctx, docs...); err != nil {
			return err
		}
		if e.Operation == "" {
			continue
		}
		if err := w.bus.Wake(contract.OperationAggregate, e.Operation); err != nil {
			return err
		}
	}
	return nil
}

// commit stores a state as an event and waits until it is projected.
func commit[S any](w *world, a contract.Aggregate, id string, name contract.EventName, account string, state S) {
	w.t.Helper()
	c, err := contract.NewCommand(contract.PriceQuote, "", account, time.Now(), nil)
	if err != nil {
		w.t.Fatal(err)
	}
	c.ID = contract.NewID("cmd_", time.Now())
	snap, err := aggregate.At[S](w.bus, a, id).Execute(w.t.Context(), c, time.Now(),
		func(aggregate.Snapshot[S]) (*aggregate.Change[S], error) {
			return &aggregate.Change[S]{Event: name, State: state}, nil
		})
	if err != nil {
		w.t.Fatal(err)
	}
	bustest.WaitFor(w.t, "the projection", func() bool {
		doc, err := w.docs.Get(w.t.Context(), string(a), id)
		return err == nil && doc.Seq >= snap.Seq
	})
}

// The references of what furnish makes.
const (
	instantRef = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	reviewRef  = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
	checkRef   = "eeeeeeeeeeeeeeeeeeeeeeeeee"
	boardRef   = "cccccccccccccccccccccccccccccccc"
	uploadRef  = "dddddddddddddddddddddddddddddddd"
	itarRef    = "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
	account    = "acc_demo"
)

// foreign is what somebody could write into a file's name or a note.
const foreign = "\u202e<script>alert(1)</script>=cmd|' /C calc'!A0"

func ptr[T any](v T) *T { return &v }

// furnish makes one of everything.
func (w *world) furnish() {
	w.t.Helper()
	now := time.Now().UTC().Truncate(time.Second)
	to := contract.ShipTo{Name: "Grace Hopper", Company: "=Navy", Email: "grace@example.com", Line1: "1 Compiler Way", City: "Arlington", State: "VA", PostalCode: "22201", Country: "US"}
	commit(w, contract.AccountAggregate, account, contract.AccountOpened, account, contract.Account{ID: account, Name: "Demo account", CreatedAt: now, Keys: []contract.APIKey{
		{ID: "oldkey000000", Name: "first key", Prefix: "bo_live_oldkey000000", Scopes: contract.DefaultScopes(), Live: true, CreatedAt: now, Hash: "x"},
	}})
	w.put("boards/"+boardRef+"/top.png", picture())
	w.put("boards/"+boardRef+"/package.zip", []byte("PK\x05\x06"+strings.Repeat("\x00", 18)))
	commit(w, contract.BoardAggregate, boardRef, contract.BoardRead, account, contract.ReadFiles{
		Digest: boardRef, Package: "boards/" + boardRef + "/package.zip", ReadAt: now,
		Files: []contract.FileClass{
			{Name: "blinker-F_Cu.gbr", Role: "copper", Side: "top", Layer: 1, Format: "Gerber", Why: "its X2 attributes say Copper,L1,Top", Confidence: 1},
			{Name: foreign, Role: "document", Format: "text", Why: "its name", Confidence: 0.4},
		},
		Boards: []contract.BoardFile{{Name: "blinker", Top: "boards/" + boardRef + "/top.png", Facts: map[string]contract.Fact{
			"layers": {Value: 2, Source: "blinker.gbrjob:12"}, "width_mm": {Value: 50.0, Source: "blinker-Edge_Cuts.gbr"},
			"blind_vias": {Value: false, Source: "blinker.gbrjob:30"},
		}, Findings: []contract.Finding{{Level: "warning", Check: "drill_missing", What: "there is no drill file"}}}},
	})
	w.put("boards/"+boardRef+"/checks/report.html", []byte("<!doctype html><title>report</title><script>1</script>"))
	for id, report := range map[string]string{checkRef: "boards/" + boardRef + "/checks/report.html", "gone": ""} {
		check := contract.DesignCheck{ID: id, Digest: boardRef, Board: "blinker", CopperOz: 1, ThicknessMM: 1.6, Status: contract.CheckMustFix, StartedAt: now,
			Findings: []contract.CheckFinding{{Finding: contract.Finding{Level: "must_fix", Check: "short", What: foreign}}}, Report: report}
		if report == "" {
			check = contract.DesignCheck{ID: id, Digest: boardRef, Status: contract.CheckGone, StartedAt: now}
		}
		commit(w, contract.DesignCheckAggregate, id, contract.CheckMade, account, check)
	}
	commit(w, contract.UploadAggregate, uploadRef, contract.FilesAdded, account, contract.Upload{Ref: uploadRef, Account: account, Status: contract.UploadOpen, CreatedAt: now, LastFileAt: now,
		Files: []contract.UploadFile{{Name: "blinker-F_Cu.gbr", Size: 12345}, {Name: foreign, Size: 20}}})
	commit(w, contract.UploadAggregate, itarRef, contract.ITARDeclared, account, contract.Upload{Ref: itarRef, Account: account, Status: contract.UploadITARDeclared, CreatedAt: now,
		Files: []contract.UploadFile{{Name: "seeker-head.gbr", Size: 1}}})
	quote := contract.Quote{Ref: instantRef, Account: account, Request: "req_one", Upload: uploadRef, Digest: boardRef, Board: "blinker", Mode: contract.ModeInstant,
		Status: contract.StatusQuoteReady, Asked: contract.QuoteRequest{Quantity: 10, ProjectName: ptr(foreign), FabOptions: map[string]any{"blind_vias": false, "edge_plating": true},
			FileStackup: json.RawMessage(`{"core_mm": 1.2}`), CustomerSuppliedRefs: []string{"U77"}, DoNotFitRefs: []string{"R99"}, StaffPicksParts: true}, Version: 1, CreatedAt: now, ExpiresAt: now.Add(time.Hour),
		Reply: contract.QuoteReply{Board: ptr("2 layers, 50.0 × 30.0 mm, FR-4, green, HASL lead-free"), TotalCents: ptr(int64(8417)), LeadTime: ptr("5 working days"), Delivery: ptr("by 3 December"),
			Lines: []contract.Line{{Label: "10 boards", Cents: 5200}, {Label: "Shipping: express", Cents: 2717}, {Label: "Duty and tax", Cents: 500}},
			Notes: []string{"The finish is the standard one; the files do not say."}}}
	commit(w, contract.QuoteAggregate, instantRef, contract.QuotePriced, account, quote)
	instant := quote
	quote.Ref, quote.Request, quote.Mode, quote.Status = reviewRef, "req_two", contract.ModeReview, contract.StatusSourcingReady
	quote.Reply.Lines, quote.Reply.TotalCents, quote.Reply.CustomQuoteReasons = nil, nil, []string{"the board has 34 layers", "the stackup is the customer's own"}
	quote.Assembly = &contract.QuotedAssembly{ID: "a", Boards: 10, At: now}
	quote.Reply.Parts = []contract.AssemblyPart{ // the first is for the team to choose
		{Fitting: contract.Fitted, Picked: true, Footprint: "JST_PH_B2B-PH-K_1x02_P2.00mm_Vertical", PartFound: contract.PartFound{Reference: strings.Repeat("J10,", 40) + "J11", Part: foreign, Why: "it names no exact part"}},
	}
	quote.Reply.UnpricedParts = []contract.AssemblyPart{quote.Reply.Parts[0], { // what was searched, and one to offer
		Fitting: contract.Fitted, PartFound: contract.PartFound{Reference: "U7", Part: "NO-SUCH-PART", Why: "not in stock anywhere", Searched: []string{"fab", "distributor_a"},
			SimilarPart: &contract.PartInStock{MPN: "LM2904DR", Supplier: "Distributor", CostUSD: "1.20", Why: "same family"}},
	}}
	quote.Reply.RequestedSubst = []contract.RequestedSub{{Substitution: contract.Substitution{Reference: "U1", OriginalMPN: "LM358DR", ReplacementMPN: "LM2904DR"}, Applied: true, Why: "It is fitted."}}
	quote.Reply.UnlistedRefs = []string{"R77", "U99"}
	quote.Asked.SpecialNotes = ptr("Please keep the\nimpedance of the pairs at 100 Ω.")
	commit(w, contract.QuoteAggregate, reviewRef, contract.QuoteReviewNeeded, account, quote)
	quote.Status, quote.Delivery = contract.StatusSourcingRequested, &contract.Delivery{ShipTo: to}
	commit(w, contract.QuoteAggregate, reviewRef, contract.QuoteReviewRequested, account, quote)
	customer := contract.CustomerRef(account, to.Email)
	commit(w, contract.CustomerAggregate, customer, contract.CustomerSaved, account, contract.Customer{ID: customer, Account: account, Email: to.Email, OpenedAt: now,
		Saved: &contract.Saved{Card: contract.CardRef{Brand: "visa", Last4: "4242", ExpMonth: 12, ExpYear: 2030}, ShipTo: to, Words: contract.ConsentWords, At: now}})
	paid := contract.Payment{Session: "cs_1", Intent: "pi_123", Cents: 8417, Currency: "USD", At: now}
	commit(w, contract.CheckoutAggregate, instantRef, contract.CheckoutPaid, account, contract.Checkout{Quote: instantRef, Account: account, Status: contract.CheckoutComplete, TotalCents: 8417, Currency: "USD", Payment: &paid, StartedAt: now})
	order := contract.Order{ID: "ord_01", Ref: "BO-2345ABCD", Quote: instantRef, Account: account, Request: "req_one", Status: contract.OrderStatusPaid, Quantity: 10,
		Board: "2 layers, 50.0 × 30.0 mm, FR-4, green", Digest: boardRef, Package: "boards/" + boardRef + "/package.zip", Terms: &contract.Terms{}, Payment: paid, ShipTo: to, Lines: quote.Reply.Lines, TotalCents: 8417, Currency: "USD", PaidAt: now,
		Fabricator: contract.FabOrder{Adapter: "openfab", Reference: "ord_01", Number: "W-77", Cents: 5100, Attempt: 1, AskedAt: &now}}
	commit(w, contract.OrderAggregate, instantRef, contract.OrderPaid, account, order)
	order.Sold = instant
	order.Sold.Asked.SpecialNotes, order.Sold.Delivery, order.Sold.TeamNote = quote.Asked.SpecialNotes, quote.Delivery, "We build it with the usual stackup."
	order.Report = &contract.OrderReport{Operator: "fin", Note: "Asked the fabricator by mail.", At: now}
	order.Status, order.Held = contract.OrderStatusHeld, "the fabricator refuses it: "+foreign
	order.Steps = []contract.Step{{Name: "Drilling", At: now}}
	commit(w, contract.OrderAggregate, instantRef, contract.OrderHeld, account, order)
	bad, err := contract.NewCommand(contract.FollowOrder, "", account, now, contract.OrderData{Quote: instantRef})
	if err != nil {
		w.t.Fatal(err)
	}
	bad.ID = "cmd_bad"
	if err := w.bus.Send(w.t.Context(), bad); err != nil {
		w.t.Fatal(err)
	}
	bustest.WaitFor(w.t, "a dead letter", func() bool { return len(w.dead()) == 1 })
}

func (w *world) dead() []bus.DeadLetter {
	letters, err := w.bus.DeadLetters(w.t.Context(), 1, 10)
	if err != nil {
		w.t.Fatal(err)
	}
	return letters
}

func (w *world) put(key string, data []byte) {
	w.t.Helper()
	if _, err := w.blobs.Put(w.t.Context(), key, bytes.NewReader(data), int64(len(data)), ""); err != nil {
		w.t.Fatal(err)
	}
}

// picture is a board to look at.
func picture() []byte {
	img := image.NewRGBA(image.Rect(0, 0, 500, 300))
	for y := range 300 {
		for x := range 500 {
			c := color.RGBA{14, 94, 60, 255}
			if x%60 < 12 && y%50 < 12 {
				c = color.RGBA{222, 184, 96, 255}
			}
			img.Set(x, y, c)
		}
	}
	var out bytes.Buffer
	_ = png.Encode(&out, img)
	return out.Bytes()
}

// visitor is a browser without a screen.
type visitor struct {
	w      *world
	client *http.Client
}

func (w *world) visitor() *visitor {
	jar, err := cookiejar.New(nil)
	if err != nil {
		w.t.Fatal(err)
	}
	return &visitor{w, &http.Client{Jar: jar, Timeout: 20 * time.Second}}
}

// signInAs is a visitor who is signed in.
func (w *world) signInAs(name string) *visitor {
	w.t.Helper()
	v := w.visitor()
	if got := v.fill("/sign-in", "/sign-in", "name", name, "password", password); got.status != http.StatusOK || !strings.Contains(got.body, "<h1>Overview") {
		w.t.Fatalf("sign in as %s: %d %s", name, got.status, got.body)
	}
	return v
}

type answer struct {
	status int
	body   string
	header http.Header
	url    *url.URL
}

func (v *visitor) do(r *http.Request) answer {
	v.w.t.Helper()
	resp, err := v.client.Do(r)
	if err != nil {
		v.w.t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		v.w.t.Fatal(err)
	}
	return answer{resp.StatusCode, string(body), resp.Header, resp.Request.URL}
}

func (v *visitor) get(path string) answer {
	v.w.t.Helper()
	r, err := http.NewRequestWithContext(v.w.t.Context(), http.MethodGet, v.w.url+path, nil)
	if err != nil {
		v.w.t.Fatal(err)
	}
	return v.do(r)
}

func (v *visitor) post(path string, form url.Values) answer {
	v.w.t.Helper()
	r, err := http.NewRequestWithContext(v.w.t.Context(), http.MethodPost, v.w.url+path, strings.NewReader(form.Encode()))
	if err != nil {
		v.w.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return v.do(r)
}

var (
	forms  = regexp.MustCompile(`(?s)<form[^>]*action="([^"]*)".*?</form>`)
	hidden = regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)">`)
)

// form reads the hidden fields of a page's form.
func (v *visitor) form(page, action string) url.Values {
	v.w.t.Helper()
	values := url.Values{}
	for _, f := range forms.FindAllStringSubmatch(v.get(page).body, -1) {
		if html.UnescapeString(f[1]) != action {
			continue
		}
		for _, h := range hidden.FindAllStringSubmatch(f[0], -1) {
			values.Set(h[1], html.UnescapeString(h[2]))
		}
		return values
	}
	v.w.t.Fatalf("%s has no form for %s", page, action)
	return nil
}

// fill opens a page, fills its form in and sends it.
func (v *visitor) fill(page, action string, pairs ...string) answer {
	v.w.t.Helper()
	form := v.form(page, action)
	for i := 0; i < len(pairs); i += 2 {
		form.Add(pairs[i], pairs[i+1])
	}
	return v.post(action, form)
}
