package console_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/png"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/blob"
	"boardorder/pkg/blob/folder"
	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/customers"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/contract/figures"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/search"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/flow"
	"boardorder/pkg/projection"
	"boardorder/pkg/projection/open"
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

// passwordHash is of password, and costs little: each test signs somebody in. What a
// hash should cost is held where hashes are made.
const passwordHash = "$argon2id$v=19$m=64,t=1,p=1$c2FsdCBvZiBhIHRlc3Q$VcrEtGeulecylpB0Y6X9R+sigB55pB/WgMV4HstgK7M"

func operators(t *testing.T) string {
	t.Helper()
	text := "operators:\n"
	for name, roles := range map[string]string{
		"ann": "admin", "ben": "viewer", "pia": "sales", "fin": "finance", "con": "compliance, us_person", "usa": "us_person", "sal": "sales, us_person",
	} {
		text += fmt.Sprintf("- {name: %s, roles: [%s], password_hash: %q}\n", name, roles, passwordHash)
	}
	file := filepath.Join(t.TempDir(), "operators.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// start runs a console in which one operator may do everything alone, unless
// configure says otherwise. Its documents lie in the database of MONGO_URI, which must be
// empty, if that is set.
func start(t *testing.T, configure ...func(*console.Config)) *world {
	t.Helper()
	w := &world{t: t, bus: bustest.Start(t)}
	docs, err := open.Open(t.Context(), cmp.Or(os.Getenv("MONGO_URI"), "sqlite:"+filepath.Join(t.TempDir(), "docs.db")))
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
		"pricing": {quotes.PriceReview: w.priceReview, quotes.PickPart: w.pickPart, quotes.AskCustomer: w.askCustomer, quotes.RefuseReview: w.refuseReview},
		"payment": {orders.ReportStatus: w.reportOrder, orders.Follow: failPermanently, orders.IssueRefund: w.refundOrder, orders.Cancel: w.cancelOrder},

		"design-check": {boards.DrawLayers: w.drawLayers},
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
	var data quotes.PriceReviewData
	if err := json.Unmarshal(c.Data, &data); err != nil {
		return err
	}
	_, err := aggregate.At[quotes.Quote](w.bus, contract.QuoteAggregate, data.Quote).Execute(ctx, c, time.Now(),
		func(now aggregate.Snapshot[quotes.Quote]) (*aggregate.Change[quotes.Quote], error) {
			if data.BuildDays == 99 {
				r := contract.Refuse(contract.InvalidRequest, "Nobody waits that long.")
				r.Fields = []contract.FieldProblem{{Field: "build_days", Problem: "invalid", Message: "Too long."}}
				return nil, r
			}
			q, total := now.State, data.TaxCents
			for _, l := range data.Lines {
				total += l.Cents
			}
			q.Status, q.Reply.Lines, q.Reply.TotalCents = quotes.SourcingQuoted, data.CustomerLines(), &total
			q.Version++
			return &aggregate.Change[quotes.Quote]{Event: quotes.EventReviewPriced, State: q}, nil
		})
	return err
}

func (w *world) askCustomer(ctx context.Context, c contract.Command) error {
	var data quotes.AskCustomerData
	if err := json.Unmarshal(c.Data, &data); err != nil {
		return err
	}
	return w.changeQuote(ctx, c, data.Quote, quotes.EventReviewQuestion, func(q *quotes.Quote) {
		q.Review = &quotes.Review{Questions: []quotes.ReviewQuestion{{ID: "one", Operator: data.Operator, Text: data.Text, AskedAt: time.Now()}}}
	})
}

// pickPart stands for the pricing service: nobody sells a part whose number begins with "no".
func (w *world) pickPart(ctx context.Context, c contract.Command) error {
	var data quotes.PickPartData
	if err := json.Unmarshal(c.Data, &data); err != nil {
		return err
	}
	_, err := aggregate.At[quotes.Quote](w.bus, contract.QuoteAggregate, data.Quote).Execute(ctx, c, time.Now(),
		func(now aggregate.Snapshot[quotes.Quote]) (*aggregate.Change[quotes.Quote], error) {
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
			return &aggregate.Change[quotes.Quote]{Event: quotes.EventPartPicked, State: q}, nil
		})
	return err
}

func (w *world) refuseReview(ctx context.Context, c contract.Command) error {
	var data quotes.RefuseReviewData
	if err := json.Unmarshal(c.Data, &data); err != nil {
		return err
	}
	return w.changeQuote(ctx, c, data.Quote, quotes.EventReviewRefused, func(q *quotes.Quote) {
		q.Review = &quotes.Review{Refused: &quotes.ReviewRefusal{Operator: data.Operator, Why: data.Why, At: time.Now()}}
		q.Status, q.ExpiresAt = quotes.Expired, time.Now()
	})
}

func (w *world) changeQuote(ctx context.Context, c contract.Command, ref string, event contract.EventName, change func(*quotes.Quote)) error {
	_, err := aggregate.At[quotes.Quote](w.bus, contract.QuoteAggregate, ref).Execute(ctx, c, time.Now(),
		func(now aggregate.Snapshot[quotes.Quote]) (*aggregate.Change[quotes.Quote], error) {
			q := now.State
			change(&q)
			return &aggregate.Change[quotes.Quote]{Event: event, State: q}, nil
		})
	return err
}

func (w *world) reportOrder(ctx context.Context, c contract.Command) error {
	var data orders.ReportStatusData
	if err := json.Unmarshal(c.Data, &data); err != nil {
		return err
	}
	_, err := aggregate.At[orders.Order](w.bus, contract.OrderAggregate, data.Quote).Execute(ctx, c, time.Now(),
		func(now aggregate.Snapshot[orders.Order]) (*aggregate.Change[orders.Order], error) {
			if data.Note == "refuse" {
				return nil, contract.Refuse(contract.Conflict, "An order cannot become this.")
			}
			o := now.State
			o.Status, o.Tracking, o.Held = data.Status, data.Tracking, ""
			o.Report = &orders.Report{Operator: data.Operator, Note: data.Note, At: time.Now()}
			return &aggregate.Change[orders.Order]{Event: orders.EventShipped, State: o}, nil
		})
	return err
}

func (w *world) refundOrder(ctx context.Context, c contract.Command) error {
	var data orders.IssueRefundData
	if err := json.Unmarshal(c.Data, &data); err != nil {
		return err
	}
	return w.changeOrder(ctx, c, data.Quote, orders.EventRefundBegun, func(o *orders.Order) error {
		if data.Cents > o.Payment.Cents {
			return contract.Refuse(contract.Conflict, "Of this payment less is left.")
		}
		o.Refunds = append(o.Refunds, orders.Refund{ID: "rf_1", Cents: data.Cents, Operator: data.Operator, Why: data.Why, Status: orders.RefundBegun, At: time.Now()})
		return nil
	})
}

func (w *world) cancelOrder(ctx context.Context, c contract.Command) error {
	var data orders.CancelData
	if err := json.Unmarshal(c.Data, &data); err != nil {
		return err
	}
	return w.changeOrder(ctx, c, data.Quote, orders.EventCancelled, func(o *orders.Order) error {
		o.Status, o.Held = orders.Cancelled, ""
		o.Cancelled = &orders.Cancellation{Operator: data.Operator, Why: data.Why, At: time.Now()}
		return nil
	})
}

func (w *world) changeOrder(ctx context.Context, c contract.Command, quote string, event contract.EventName, change func(*orders.Order) error) error {
	_, err := aggregate.At[orders.Order](w.bus, contract.OrderAggregate, quote).Execute(ctx, c, time.Now(),
		func(now aggregate.Snapshot[orders.Order]) (*aggregate.Change[orders.Order], error) {
			o := now.State
			if err := change(&o); err != nil {
				return nil, err
			}
			return &aggregate.Change[orders.Order]{Event: event, State: o}, nil
		})
	return err
}

func (w *world) drawLayers(ctx context.Context, c contract.Command) error {
	var data boards.DrawLayersData
	if err := json.Unmarshal(c.Data, &data); err != nil {
		return err
	}
	_, err := aggregate.At[boards.ReadFiles](w.bus, contract.BoardAggregate, data.Digest).Execute(ctx, c, time.Now(),
		func(now aggregate.Snapshot[boards.ReadFiles]) (*aggregate.Change[boards.ReadFiles], error) {
			r := now.State
			r.Boards[0].Layers = []boards.LayerPicture{
				{Name: "F.Cu", Role: "copper", Side: "top", Order: 1, Key: "boards/" + boardRef + "/top.png"},
				{Name: foreign, Role: "silk", Side: "top", Key: "boards/" + boardRef + "/top.png"},
			}
			return &aggregate.Change[boards.ReadFiles]{Event: boards.EventDrawn, State: r}, nil
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

			Keys   []accounts.APIKey
			ShipTo shipments.ShipTo `json:"ship_to"`
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
			keys[customers.Key] = customers.Ref(s.Account, s.ShipTo.Email)
		}
		if e.Aggregate == contract.OrderAggregate || e.Aggregate == contract.FormalAggregate {
			keys["order_ref"], keys["order_id"] = s.Ref, s.ID
		}
		maps.Copy(keys, figures.Keys(e.Aggregate, s.Account, body.State))
		at := e.At
		if !s.CreatedAt.IsZero() {
			at = s.CreatedAt
		}
		docs := []projection.Document{{Kind: string(e.Aggregate), ID: e.AggregateID, Seq: e.Seq, At: at, Body: body.State, Keys: keys,
			Terms: search.Terms(e.Aggregate, e.AggregateID, body.State)}}
		if e.Aggregate == contract.AuditAggregate {
			var entry audits.Entry
			if err := json.Unmarshal(body.State, &entry); err != nil {
				return err
			}
			r, err := entry.Read()
			if err != nil {
				return err
			}
			docs = append(docs, projection.Document{Kind: audits.DocumentKind, ID: audits.DocumentID(entry.N), Seq: 1, At: r.At, Body: body.State,
				Keys: map[string]string{"operator": r.Operator, "action": r.Action, "account": r.Account, "about": r.ID}})
		}
		for _, k := range s.Keys {
			text, _ := json.Marshal(accounts.KeyDocument{Account: s.ID, Key: k})
			docs = append(docs, projection.Document{Kind: accounts.KeyDocumentKind, ID: k.ID, Seq: e.Seq, At: e.At, Body: text})
		}
		if e.Operation != "" && e.Aggregate != contract.OperationAggregate {
			op, _, err := contract.OutcomeOf(e)
			if err != nil {
				return err
			}
			text, _ := json.Marshal(op)
			docs = append(docs, projection.Document{Kind: "operation", ID: e.Operation, Seq: e.Seq, At: e.At, Body: text, Terms: []string{search.Term(e.Operation)}})
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
	c, err := contract.NewCommand(quotes.Price, "", account, time.Now(), nil)
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
	to := shipments.ShipTo{Name: "Grace Hopper", Company: "=Navy", Email: "grace@example.com", Line1: "1 Compiler Way", City: "Arlington", State: "VA", PostalCode: "22201", Country: "US"}
	commit(w, contract.AccountAggregate, account, accounts.EventOpened, account, accounts.Account{ID: account, Name: "Demo account", CreatedAt: now, Keys: []accounts.APIKey{
		{ID: "oldkey000000", Name: "first key", Prefix: "bo_live_oldkey000000", Scopes: accounts.DefaultScopes(), Live: true, CreatedAt: now, Hash: "x"},
	}})
	w.put("boards/"+boardRef+"/top.png", picture())
	w.put("boards/"+boardRef+"/package.zip", []byte("PK\x05\x06"+strings.Repeat("\x00", 18)))
	commit(w, contract.BoardAggregate, boardRef, boards.EventRead, account, boards.ReadFiles{
		Digest: boardRef, Package: "boards/" + boardRef + "/package.zip", ReadAt: now,
		Files: []boards.FileClass{
			{Name: "blinker-F_Cu.gbr", Role: "copper", Side: "top", Layer: 1, Format: "Gerber", Why: "its X2 attributes say Copper,L1,Top", Confidence: 1},
			{Name: foreign, Role: "document", Format: "text", Why: "its name", Confidence: 0.4},
		},
		Boards: []boards.Board{{Name: "blinker", Top: "boards/" + boardRef + "/top.png", Facts: map[string]boards.Fact{
			"layers": {Value: 2, Source: "blinker.gbrjob:12"}, "width_mm": {Value: 50.0, Source: "blinker-Edge_Cuts.gbr"},
			"blind_vias": {Value: false, Source: "blinker.gbrjob:30"},
		}, Findings: []contract.Finding{{Level: "warning", Check: "drill_missing", What: "there is no drill file"}}}},
	})
	w.put("boards/"+boardRef+"/checks/report.html", []byte("<!doctype html><title>report</title><script>1</script>"))
	for id, report := range map[string]string{checkRef: "boards/" + boardRef + "/checks/report.html", "gone": ""} {
		check := designchecks.DesignCheck{ID: id, Digest: boardRef, Board: "blinker", CopperOz: 1, ThicknessMM: 1.6, Status: designchecks.MustFix, StartedAt: now,
			Findings: []designchecks.Finding{{Finding: contract.Finding{Level: "must_fix", Check: "short", What: foreign}}}, Report: report}
		if report == "" {
			check = designchecks.DesignCheck{ID: id, Digest: boardRef, Status: designchecks.Gone, StartedAt: now}
		}
		commit(w, contract.DesignCheckAggregate, id, designchecks.EventChecked, account, check)
	}
	commit(w, contract.UploadAggregate, uploadRef, uploads.EventFilesAdded, account, uploads.Upload{Ref: uploadRef, Account: account, Status: uploads.Open, Digest: boardRef, CreatedAt: now, LastFileAt: now,
		Files: []uploads.File{{Name: "blinker-F_Cu.gbr", Size: 12345}, {Name: foreign, Size: 20}}})
	commit(w, contract.UploadAggregate, itarRef, uploads.EventITARDeclared, account, uploads.Upload{Ref: itarRef, Account: account, Status: uploads.ITARDeclared, CreatedAt: now,
		Files: []uploads.File{{Name: "seeker-head.gbr", Size: 1}}})
	quote := quotes.Quote{Ref: instantRef, Account: account, RequestID: "req_one", Upload: uploadRef, Digest: boardRef, Board: "blinker", Mode: quotes.ModeInstant,
		FabricatorChoice: &quotes.FabricatorChoice{Rule: "preferred near_by 10%", Why: "far_east costs least, delivered; near_by is preferred and more than 10 % dearer.", Offers: []quotes.FabricatorOffer{
			{Fabricator: "far_east", Status: quotes.OfferChosen, TotalCents: 12345, DaysMin: 7, DaysMax: 9},
			{Fabricator: "near_by", Status: quotes.OfferPriced, TotalCents: 23456, DaysMin: 4, DaysMax: 5},
			{Fabricator: "a_fabricator_with_a_long_name", Status: quotes.OfferNotBuilt, Why: "This build time is not offered for this number of boards."},
		}},
		Status: quotes.Ready, Request: quotes.Request{Quantity: 10, ProjectName: ptr(foreign), FabOptions: map[string]any{"blind_vias": false, "edge_plating": true},
			FileStackup: json.RawMessage(`{"core_mm": 1.2}`), CustomerSuppliedRefs: []string{"U77"}, DoNotFitRefs: []string{"R99"}, StaffPicksParts: true}, Version: 1, CreatedAt: now, ExpiresAt: now.Add(time.Hour),
		Reply: quotes.Reply{Board: ptr("2 layers, 50.0 × 30.0 mm, FR-4, green, HASL lead-free"), TotalCents: ptr(int64(8417)), LeadTime: ptr("5 working days"), Delivery: ptr("by 3 December"),
			Lines: []prices.Line{{Label: "10 boards", Cents: 5200}, {Label: "Shipping: express", Cents: 2717}, {Label: "Duty and tax", Cents: 500}},
			Notes: []string{"The finish is the standard one; the files do not say."}}}
	commit(w, contract.QuoteAggregate, instantRef, quotes.EventPriced, account, quote)
	instant := quote
	quote.Ref, quote.RequestID, quote.Mode, quote.Status = reviewRef, "req_two", quotes.ModeReview, quotes.SourcingReady
	quote.Reply.Lines, quote.Reply.TotalCents, quote.Reply.CustomQuoteReasons = nil, nil, []string{"the board has 34 layers", "the stackup is the customer's own"}
	quote.Assembly = &quotes.QuotedAssembly{ID: "a", Boards: 10, At: now}
	quote.Reply.Parts = []assemblies.Part{ // the first is for the team to choose
		{Fitting: assemblies.Fitted, Picked: true, Footprint: "JST_PH_B2B-PH-K_1x02_P2.00mm_Vertical", Found: partchecks.Found{Reference: strings.Repeat("J10,", 40) + "J11", Part: foreign, Why: "it names no exact part"}},
	}
	quote.Reply.UnpricedParts = []assemblies.Part{quote.Reply.Parts[0], { // what was searched, and one to offer
		Fitting: assemblies.Fitted, Found: partchecks.Found{Reference: "U7", Part: "NO-SUCH-PART", Why: "not in stock anywhere", Searched: []string{"fab", "distributor_a"},
			SimilarPart: &partchecks.InStock{MPN: "LM2904DR", Supplier: "Distributor", CostUSD: "1.20", Why: "same family"}},
	}}
	quote.Reply.RequestedSubst = []assemblies.RequestedSub{{Substitution: assemblies.Substitution{Reference: "U1", OriginalMPN: "LM358DR", ReplacementMPN: "LM2904DR"}, Applied: true, Why: "It is fitted."}}
	quote.Reply.UnlistedRefs = []string{"R77", "U99"}
	quote.Request.SpecialNotes = ptr("Please keep the\nimpedance of the pairs at 100 Ω.")
	commit(w, contract.QuoteAggregate, reviewRef, quotes.EventReviewNeeded, account, quote)
	quote.Status, quote.Delivery = quotes.SourcingRequested, &shipments.Delivery{ShipTo: to}
	commit(w, contract.QuoteAggregate, reviewRef, quotes.EventReviewRequested, account, quote)
	customer := customers.Ref(account, to.Email)
	commit(w, contract.CustomerAggregate, customer, customers.EventSaved, account, customers.Customer{ID: customer, Account: account, Email: to.Email, OpenedAt: now,
		Saved: &customers.Saved{Card: customers.CardRef{Brand: "visa", Last4: "4242", ExpMonth: 12, ExpYear: 2030}, ShipTo: to, Words: customers.ConsentWords, At: now}})
	paid := checkouts.Payment{Session: "cs_1", Intent: "pi_123", Cents: 8417, Currency: "USD", At: now}
	commit(w, contract.CheckoutAggregate, instantRef, checkouts.EventPaid, account, checkouts.Checkout{Quote: instantRef, Account: account, Status: checkouts.Paid, TotalCents: 8417, Currency: "USD", Payment: &paid, StartedAt: now})
	order := orders.Order{ID: "ord_01", Ref: "BO-2345ABCD", Quote: instantRef, Account: account, Request: "req_one", Status: orders.Paid, Quantity: 10,
		Board: "2 layers, 50.0 × 30.0 mm, FR-4, green", Digest: boardRef, Package: "boards/" + boardRef + "/package.zip", Terms: &quotes.Terms{}, Payment: paid, ShipTo: to, Lines: quote.Reply.Lines, TotalCents: 8417, Currency: "USD", PaidAt: now,
		Fabricator: orders.FabOrder{Name: "far_east", Reference: "ord_01", Number: "W-77", Cents: 5100, Attempt: 1, AskedAt: &now}}
	commit(w, contract.OrderAggregate, instantRef, orders.EventPaid, account, order)
	order.Sold = instant
	order.Sold.Request.SpecialNotes, order.Sold.Delivery, order.Sold.TeamNote = quote.Request.SpecialNotes, quote.Delivery, "We build it with the usual stackup."
	order.Report = &orders.Report{Operator: "fin", Note: "Asked the fabricator by mail.", At: now}
	order.Status, order.Held = orders.Held, "the fabricator refuses it: "+foreign
	order.Steps = []orders.Step{{Name: "Drilling", At: now}}
	commit(w, contract.OrderAggregate, instantRef, orders.EventHeld, account, order)
	bad, err := contract.NewCommand(orders.Follow, "", account, now, orders.Data{Quote: instantRef})
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
	emails, err := w.bus.DeadLetters(w.t.Context(), 1, 10)
	if err != nil {
		w.t.Fatal(err)
	}
	return emails
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
		w.t.Fatalf("sign in as %s: %d, want the overview: %s", name, got.status, got.body)
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
	forms  = regexp.MustCompile(`(?s)<form[^>]*method="post"[^>]*action="([^"]*)".*?</form>`)
	hidden = regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)">`)
)

// form reads the hidden fields of a page's form.
func (v *visitor) form(page, action string) url.Values {
	v.w.t.Helper()
	values := url.Values{}
	for _, f := range forms.FindAllStringSubmatch(v.get(page).body, -1) {
		if html.UnescapeString(f[1]) != action || strings.Contains(f[0], `method="get"`) { // filters lead to the same place
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
