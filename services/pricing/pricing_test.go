package pricing_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus/simbus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	boardscontract "boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/savings"
	"boardorder/pkg/contract/shipments"
	stackupscontract "boardorder/pkg/contract/stackups"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/fabricator"
	"boardorder/pkg/flow"
	"boardorder/pkg/money"
	"boardorder/pkg/secret"
	"boardorder/services/pricing"

	"go.uber.org/zap"
)

// fab answers with what a test sets.
type fab struct {
	price    fabricator.Price
	err      error
	requests []fabricator.Spec
	builds   func(quantity int) []fabricator.Build // if they follow from it
	ways     func(fabricator.Spec) []fabricator.Shipping
	slow     bool // it never answers
}

func (f *fab) Price(ctx context.Context, s fabricator.Spec) (fabricator.Price, error) {
	f.requests = append(f.requests, s)
	if f.slow {
		<-ctx.Done()
		return fabricator.Price{}, &fabricator.Error{Kind: fabricator.Unavailable, Err: ctx.Err()}
	}
	if f.ways != nil {
		p := f.price.Clone()
		p.Shipping = f.ways(s)
		return p, nil
	}
	if f.builds == nil || f.err != nil {
		return f.price, f.err
	}
	p := f.price.Clone()
	p.Builds = f.builds(s.Quantity)
	for i := range p.Builds {
		if p.Builds[i].Hours == s.BuildHours || s.BuildHours == 0 && i == 0 {
			p.Builds[i].Chosen = true
			p.Lines = append(p.Lines, fabricator.Line{Code: fabricator.CodeExpress, Label: "Express", Cents: p.Builds[i].Cents})
			return p, nil
		}
	}
	return fabricator.Price{}, &fabricator.Error{Kind: fabricator.Refused, Fields: []fabricator.Field{{Field: "build_hours", Message: "is not one of the build times on offer"}}}
}

type desk struct {
	*simbus.Sim
	fab   *fab // the primary one
	next  *fab // the one that is asked after it
	keys  *secret.Keyring
	n     int
	owner string // whose commands are sent
	rule  string // FABRICATORS_RULE
	// assembled is what part sourcing finds out; it is asked once an attempt.
	assembled []assemblies.Assembly
	sourced   int
	// sells is what a part costs that suppliers have, by number; silent ones never answer.
	sells    map[string]string
	checked  int
	silent   bool
	requests int  // for readings, by commands of their own
	buries   bool // commands to read become dead letters
	stock    stackups
}

// stackups holds stackups by layer count.
type stackups map[int][]stackupscontract.Stackup

func (s *stackups) Get(_ context.Context, key string) ([]byte, uint64, error) {
	for layers, has := range *s {
		if stackupscontract.Key(layers) == key {
			value, err := json.Marshal(has)
			return value, 1, err
		}
	}
	return nil, 0, errors.New("nobody asked the fabricator yet")
}

func (d *desk) readBoard(context.Context, contract.Command) error {
	d.requests++
	if d.buries {
		return flow.Permanent(errors.New("it stopped its process"))
	}
	return nil
}

func setup(t testing.TB) *desk {
	t.Helper()
	keys, err := secret.New(make([]byte, secret.MinMaster))
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{owner: "acc_1", Sim: simbus.New(1, simbus.Faults{}), keys: keys}
	price := fabricator.Price{
		Currency: "USD", Weight: 200, PricedAt: d.Now(), ValidUntil: d.Now().Add(time.Minute), Source: "test",
		Lines:    []fabricator.Line{{Code: fabricator.CodeBoard, Label: "Boards", Cents: 1000}},
		Builds:   []fabricator.Build{{Hours: 72, Name: "standard", Chosen: true}, {Hours: 24, Name: "express", Cents: 3000}},
		Shipping: []fabricator.Shipping{{ID: "slow", Carrier: "Post", Service: "Post", Cents: 900, DaysMin: 8, DaysMax: 12}, {ID: "fast", Carrier: "DHL", Service: "DHL Express", Cents: 2500, DaysMin: 2, DaysMax: 4}},
	}
	d.fab, d.next = &fab{price: price}, &fab{price: price.Clone(), err: &fabricator.Error{Kind: fabricator.Unavailable}}
	d.serve(t, d.fabricators()...)
	commit(t, d, contract.UploadAggregate, "u", uploads.EventFilesAdded, uploads.Upload{
		Ref: "u", Status: uploads.Open, Digest: "d", ExpiresAt: d.Now().Add(time.Hour), Files: []uploads.File{{Name: "a.gbr"}},
	})
	return d
}

// fabricators are two, of which the second cannot be reached.
func (d *desk) fabricators() fabricator.List[pricing.Pricer] {
	return fabricator.List[pricing.Pricer]{{Name: "far_east", Country: "CN", Adapter: d.fab}, {Name: "near_by", Country: "US", Adapter: d.next}}
}

// serve has a service of these fabricators take the commands from now on.
func (d *desk) serve(t testing.TB, fabs ...pricing.Fabricator) {
	t.Helper()
	s, err := pricing.New(pricing.Config{Rule: d.rule, DefaultCountry: "US", ReadingWait: time.Millisecond}, d.Sim, d.keys,
		pricing.Ports{Fabricators: fabs, Stackups: &d.stock}, zap.NewNop(), d.Now)
	if err != nil {
		t.Fatal(err)
	}
	d.Handle(s.Handlers(), flow.Handlers{boardscontract.Read: d.readBoard, assemblies.Assemble: d.assemble, partchecks.Check: d.checkPart})
}

func commit[S any](t testing.TB, d *desk, a contract.Aggregate, id string, event contract.EventName, state S) {
	t.Helper()
	d.n++
	c := contract.Command{ID: contract.DeriveID("commit", string(rune(d.n)))}
	_, err := aggregate.At[S](d, a, id).Execute(t.Context(), c, d.Now(), func(aggregate.Snapshot[S]) (*aggregate.Change[S], error) {
		return &aggregate.Change[S]{Event: event, State: state}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (d *desk) reads(t testing.TB, boards ...boardscontract.Board) {
	t.Helper()
	commit(t, d, contract.BoardAggregate, "d", boardscontract.EventRead, boardscontract.ReadFiles{Digest: "d", Reader: "test", Boards: boards, Files: []boardscontract.FileClass{{Name: "a.gbr", Format: "gerber"}}})
}

func twoLayers(name string) boardscontract.Board {
	return boardscontract.Board{Name: name, Facts: map[string]boardscontract.Fact{
		"layers": {Value: 2, Source: "a.gbr"}, "width_mm": {Value: 50.0, Source: "a.gbr"}, "height_mm": {Value: 30.0, Source: "a.gbr"},
	}}
}

// do sends a command and gives its request id and refusal, if that was its outcome.
func (d *desk) do(t testing.TB, name contract.CommandName, data any) (string, *contract.Refusal) {
	t.Helper()
	d.n++
	request := contract.IDFrom(contract.RequestPrefix, d.Now(), string(rune(d.n)))
	if price, ok := data.(quotes.PriceData); ok {
		price.Quote = contract.SecretRef(d.keys.QuoteID(request))
		data = price
	}
	if search, ok := data.(savings.FindData); ok {
		search.Savings = request
		data = search
	}
	c, err := contract.NewCommand(name, request, d.owner, d.Now(), data)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Send(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	d.Run(d.Now().Add(10 * time.Second))
	if len(d.Dead) > 0 {
		t.Fatalf("dead letter: %v", d.Dead[0].Err)
	}
	op, _ := d.Outcome(request)
	return request, op.Refusal
}

func (d *desk) quote(t *testing.T, request string) quotes.Quote {
	t.Helper()
	q, err := aggregate.At[quotes.Quote](d, contract.QuoteAggregate, contract.SecretRef(d.keys.QuoteID(request))).Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return q.State
}

func standard(change func(*quotes.Request)) quotes.PriceData {
	r := quotes.Request{Quantity: 10, StandardForUnstated: true}
	if change != nil {
		change(&r)
	}
	return quotes.PriceData{Upload: "u", Request: r}
}

// Each quote is priced by itself, from the files as they were read last.
func TestFilesReadAnewArePricedAnew(t *testing.T) {
	t.Parallel()
	d := setup(t)
	d.reads(t, twoLayers("board"))
	ask := func() quotes.Quote {
		request, refusal := d.do(t, quotes.Price, standard(nil))
		if refusal != nil {
			t.Fatalf("refused: %+v, want it granted", refusal)
		}
		return d.quote(t, request)
	}
	first := ask()
	d.fab.price.Lines[0].Cents = 2000
	if second := ask(); *second.Reply.TotalCents <= *first.Reply.TotalCents || len(d.fab.requests) != 2 {
		t.Errorf("a price of the fabricator's that has changed: %d cents after %d; it was asked %d times, want 2", *second.Reply.TotalCents, *first.Reply.TotalCents, len(d.fab.requests))
	}
	commit(t, d, contract.BoardAggregate, "d", boardscontract.EventRead, boardscontract.ReadFiles{Digest: "d", Reader: "test", ReadAt: d.Now(), Boards: []boardscontract.Board{twoLayers("other")}})
	d.Advance(time.Minute)
	d.fab.price.ValidUntil = d.Now().Add(time.Minute)
	if third := ask(); third.Board != "other" {
		t.Errorf("after another reading the board is %q, want other", third.Board)
	}
}

func TestInstantQuote(t *testing.T) {
	t.Parallel()
	d := setup(t)
	d.reads(t, twoLayers("board"))
	request, refusal := d.do(t, quotes.Price, standard(nil))
	if refusal != nil {
		t.Fatalf("refused: %+v, want it granted", refusal)
	}
	q := d.quote(t, request)
	if q.Mode != quotes.ModeInstant || q.Status != quotes.Ready || q.Terms.Shipping == "" || q.Terms.Cents != 1900 {
		t.Errorf("quote %+v, terms %+v; want %s, %s, shipped for 1900 cents", q, q.Terms, quotes.ModeInstant, quotes.Ready)
	}
	var sum int64
	for _, l := range q.Reply.Lines {
		sum += l.Cents
	}
	if sum != *q.Reply.TotalCents {
		t.Errorf("lines add up to %d of %d, want all", sum, *q.Reply.TotalCents)
	}
	if q.ExpiresAt.Sub(q.CreatedAt) != quotes.InstantTTL || q.Request.UploadID != "" {
		t.Errorf("quote %+v, want it to end after %s, without the upload's id", q, quotes.InstantTTL)
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	unavailable := &fabricator.Error{Kind: fabricator.Unavailable}
	for _, tt := range []struct {
		name   string
		boards []boardscontract.Board
		data   quotes.PriceData
		err    error
		want   contract.Code
	}{
		{"no such upload", []boardscontract.Board{twoLayers("b")}, quotes.PriceData{Upload: "none", Request: quotes.Request{Quantity: 1}}, nil, contract.UploadNotFound},
		{"nothing stated", []boardscontract.Board{twoLayers("b")}, standard(func(r *quotes.Request) { r.StandardForUnstated = false }), nil, contract.NeedsDetails},
		{"which board", []boardscontract.Board{twoLayers("a"), twoLayers("b")}, standard(nil), nil, contract.NeedsDetails},
		{"no such board", []boardscontract.Board{twoLayers("a")}, standard(func(r *quotes.Request) { name := "b"; r.Board = &name }), nil, contract.InvalidRequest},
		{"no board at all", nil, standard(nil), nil, contract.DesignFiles},
		{"supplier away", []boardscontract.Board{twoLayers("a")}, standard(nil), unavailable, contract.PriceUnavailable},
		{"unknown country", []boardscontract.Board{twoLayers("a")}, standard(func(r *quotes.Request) { r.ShipTo = &shipments.ShipTo{Country: "XX"} }), nil, contract.InvalidRequest},
		{"a layer is missing, checks skipped", []boardscontract.Board{{Name: "a", Facts: twoLayers("a").Facts, Findings: []contract.Finding{{Level: "must_fix", Check: "layer_missing"}}}},
			standard(func(r *quotes.Request) { r.SkipBoardChecks = true }), nil, contract.DesignFiles},
		{"broken files", []boardscontract.Board{{Name: "a", Facts: twoLayers("a").Facts, Findings: []contract.Finding{{Level: "must_fix", Check: "outline_open"}}}}, standard(nil), nil, contract.DesignFiles},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := setup(t)
			d.reads(t, tt.boards...)
			d.fab.err = tt.err
			_, refusal := d.do(t, quotes.Price, tt.data)
			if refusal == nil || refusal.Code != tt.want {
				t.Errorf("refusal %+v, want %s", refusal, tt.want)
			}
		})
	}
}

func TestSkippedChecksAreSaid(t *testing.T) {
	t.Parallel()
	d := setup(t)
	b := twoLayers("a")
	b.Findings = []contract.Finding{{Level: "must_fix", Check: "outline_open", What: "open"}}
	d.reads(t, b)
	request, refusal := d.do(t, quotes.Price, standard(func(r *quotes.Request) { r.SkipBoardChecks = true }))
	if refusal != nil {
		t.Fatalf("refused: %+v, want it granted", refusal)
	}
	if q := d.quote(t, request); len(q.Reply.Notes) == 0 || len(q.Reply.BoardFindings) != 1 {
		t.Errorf("notes %q, findings %+v; want some, one", q.Reply.Notes, q.Reply.BoardFindings)
	}
}

// TestUnordered: copper layers whose order the files state in two ways have no instant price,
// whatever is skipped; people quote them.
func TestUnordered(t *testing.T) {
	t.Parallel()
	d := setup(t)
	b := twoLayers("a")
	b.Findings = []contract.Finding{{Level: "must_fix", Check: "layer_order", What: "two ways"}}
	d.reads(t, b)
	for name, ask := range map[string]func(*quotes.Request){
		"request":                  nil,
		"even with checks skipped": func(r *quotes.Request) { r.SkipBoardChecks = true },
	} {
		_, refusal := d.do(t, quotes.Price, standard(ask))
		if refusal == nil || refusal.Code != contract.DesignFiles || !strings.Contains(refusal.Next, "special_requirements: true") || len(refusal.Findings) != 1 {
			t.Errorf("%s: refused by %+v; want %s with one finding and how to go on", name, refusal, contract.DesignFiles)
		}
	}
	request, refusal := d.do(t, quotes.Price, standard(func(r *quotes.Request) { r.SpecialRequirements = true }))
	if refusal != nil {
		t.Fatalf("refused: %+v, want it granted", refusal)
	}
	if q := d.quote(t, request); q.Mode != quotes.ModeReview || len(q.Reply.BoardFindings) != 1 {
		t.Errorf("quote %+v, want %s with one finding", q, quotes.ModeReview)
	}
}

// TestStopsForPeople: whatever stops a quote leads to people with special requirements, and
// says so.
func TestStopsForPeople(t *testing.T) {
	t.Parallel()
	for _, check := range []string{"files_unreadable", "layer_missing", "layer_order", "outline_open", "drill_missing"} {
		t.Run(check, func(t *testing.T) {
			t.Parallel()
			d := setup(t)
			b := twoLayers("a")
			b.Findings = []contract.Finding{{Level: "must_fix", Check: check, What: "stopped"}}
			d.reads(t, b)
			if _, refusal := d.do(t, quotes.Price, standard(nil)); refusal == nil || refusal.Code != contract.DesignFiles || !strings.Contains(refusal.Message, "special_requirements: true") {
				t.Errorf("asked plainly: %+v, want %s, and special_requirements offered", refusal, contract.DesignFiles)
			} else if want := (map[string]any{"layers": b.Facts["layers"].Value, "width_mm": b.Facts["width_mm"].Value, "height_mm": b.Facts["height_mm"].Value}); fmt.Sprint(refusal.Known) != fmt.Sprint(want) {
				t.Errorf("known %v, want %v", refusal.Known, want)
			}
			request, refusal := d.do(t, quotes.Price, standard(func(r *quotes.Request) { r.SpecialRequirements = true }))
			if refusal != nil {
				t.Fatalf("refused: %+v, want it granted", refusal)
			}
			if q := d.quote(t, request); q.Mode != quotes.ModeReview || len(q.Reply.BoardFindings) != 1 {
				t.Errorf("quote %+v, want %s with one finding", q, quotes.ModeReview)
			}
		})
	}
}

// TestFaultsAndUnbuilt: a design with faults that also states what nobody builds without asking
// is refused for its files, with both, and not for fields that the request does not have.
func TestFaultsAndUnbuilt(t *testing.T) {
	t.Parallel()
	d := setup(t)
	b := twoLayers("a")
	b.Facts["surface_finish"] = boardscontract.Fact{Value: "hard gold", Source: "order.txt"}
	b.Findings = []contract.Finding{{Level: "must_fix", Check: "outline_open", What: "open"}}
	d.reads(t, b)
	_, refusal := d.do(t, quotes.Price, standard(nil))
	if refusal == nil || refusal.Code != contract.DesignFiles || len(refusal.Findings) != 2 || len(refusal.Fields) != 1 || refusal.Fields[0].Field != "surface_finish" {
		t.Fatalf("refused by %+v, want %s with two findings and the field surface_finish", refusal, contract.DesignFiles)
	}
	if f := refusal.Findings[1]; f.File != "order.txt" || !strings.Contains(f.What, "hard gold") {
		t.Errorf("finding %+v, want the value hard gold and the file order.txt", f)
	}
	for _, want := range []string{"skip_board_checks: true", "Send surface_finish"} {
		if !strings.Contains(refusal.Message, want) {
			t.Errorf("message %q, want %q in it", refusal.Message, want)
		}
	}
}

// TestUnsized: a board without an outline has no instant price, whatever is skipped; people
// quote it by the size that the customer names.
func TestUnsized(t *testing.T) {
	t.Parallel()
	d := setup(t)
	b := twoLayers("a")
	delete(b.Facts, "width_mm")
	delete(b.Facts, "height_mm")
	b.Findings = []contract.Finding{{Level: "must_fix", Check: "outline_missing", What: "gone", Image: "a.png"}}
	d.reads(t, b)
	for name, ask := range map[string]func(*quotes.Request){
		"request":                  nil,
		"even with checks skipped": func(r *quotes.Request) { r.SkipBoardChecks = true },
	} {
		_, refusal := d.do(t, quotes.Price, standard(ask))
		if refusal == nil || refusal.Code != contract.DesignFiles || !strings.Contains(refusal.Message, "upload its outline") ||
			!strings.Contains(refusal.Message, "width and height in special_notes") || len(refusal.Findings) != 1 || refusal.Findings[0].Image != "" {
			t.Errorf("%s: refused by %+v; want %s about the outline, with one finding and no picture", name, refusal, contract.DesignFiles)
		}
	}
	request, refusal := d.do(t, quotes.Price, standard(func(r *quotes.Request) {
		words := "The board is 50 x 30 mm."
		r.SpecialRequirements, r.SpecialNotes = true, &words
	}))
	if refusal != nil {
		t.Fatalf("refused: %+v, want it granted", refusal)
	}
	q := d.quote(t, request)
	if q.Mode != quotes.ModeReview || len(q.Reply.BoardFindings) != 1 || !strings.Contains(strings.Join(q.Reply.CustomQuoteReasons, " "), "how large the board is") {
		t.Errorf("of unknown size: %s %+v; want a review that says so, with one finding", q.Mode, q.Reply)
	}
	_, refusal = d.do(t, quotes.Price, standard(func(r *quotes.Request) {
		r.SpecialRequirements = true
		r.Board = &b.Name
	}))
	if refusal != nil {
		t.Errorf("without words for the team: %+v, want it granted", refusal)
	}
}

var home = shipments.ShipTo{
	Name: "Ada", Email: "ada@example.com", Phone: "+1 555 0100", Line1: "1 Main St", City: "Austin", State: "TX", PostalCode: "78701", Country: "US",
}

func TestDeliveryIsPricedAnew(t *testing.T) {
	t.Parallel()
	d := setup(t)
	d.reads(t, twoLayers("a"))
	request, _ := d.do(t, quotes.Price, standard(nil))
	before := d.quote(t, request)
	choose := func(change func(*quotes.ChooseDeliveryData)) *contract.Refusal {
		data := quotes.ChooseDeliveryData{Quote: before.Ref, ShipTo: home, ShippingID: "fast"}
		if change != nil {
			change(&data)
		}
		_, refusal := d.do(t, quotes.ChooseDelivery, data)
		return refusal
	}
	if refusal := choose(nil); refusal != nil {
		t.Fatalf("refused: %+v, want it granted", refusal)
	}
	after := d.quote(t, request)
	if after.Version != 2 || *after.Reply.TotalCents <= *before.Reply.TotalCents || after.Delivery.ShippingID != "fast" || after.Terms.Cents != 3500 {
		t.Errorf("after %+v, terms %+v; want version 2 by fast, dearer than %d, 3500 cents", after, after.Terms, *before.Reply.TotalCents)
	}
	if len(d.fab.requests) != 1 {
		t.Errorf("the fabricator was asked %d times for one country, want once", len(d.fab.requests))
	}
	for name, change := range map[string]func(*quotes.ChooseDeliveryData){
		"incomplete":      func(c *quotes.ChooseDeliveryData) { c.ShipTo.Line1 = "" },
		"no such way":     func(c *quotes.ChooseDeliveryData) { c.ShippingID = "teleport" },
		"no such build":   func(c *quotes.ChooseDeliveryData) { c.BuildHours = 1 },
		"no such country": func(c *quotes.ChooseDeliveryData) { c.ShipTo.Country = "XX" },
	} {
		if refusal := choose(change); refusal == nil || len(refusal.Fields) == 0 {
			t.Errorf("%s: %+v, want refused fields", name, refusal)
		}
	}
	d.fab.err = &fabricator.Error{Kind: fabricator.Unavailable}
	if refusal := choose(func(c *quotes.ChooseDeliveryData) {
		c.ShipTo.Country, c.ShipTo.State, c.ShipTo.PostalCode = "JP", "", "100-0001"
	}); refusal == nil || refusal.Code != contract.PriceUnavailable {
		t.Errorf("another country while the fabricator is away: %+v, want %s", refusal, contract.PriceUnavailable)
	}
	d.Advance(quotes.InstantTTL)
	if refusal := choose(nil); refusal == nil || refusal.Code != contract.QuoteExpired {
		t.Errorf("an expired quote: %+v, want %s", refusal, contract.QuoteExpired)
	}
}

// TestAnotherQuantity: the same board in another number, by the rules of any quote.
func TestAnotherQuantity(t *testing.T) {
	t.Parallel()
	d := setup(t)
	d.reads(t, twoLayers("a"))
	request, _ := d.do(t, quotes.Price, standard(nil))
	before := d.quote(t, request)
	choose := func(n int) *contract.Refusal {
		_, refusal := d.do(t, quotes.ChooseDelivery, quotes.ChooseDeliveryData{Quote: before.Ref, ShipTo: home, Quantity: n})
		return refusal
	}
	for _, n := range []int{-1, quotes.MaxBoards + 1} {
		if r := choose(n); r == nil || r.Code != contract.InvalidRequest || len(r.Fields) != 1 || r.Fields[0].Field != "quantity" {
			t.Errorf("%d boards: %+v, want quantity refused", n, r)
		}
	}
	for i, tt := range []struct{ n, want, build, requests int }{
		{0, 10, 10, 1}, {10, 10, 10, 1}, {30, 30, 30, 2}, {0, 30, 30, 2}, {3, 3, 5, 3}, // five are the least that is built
	} {
		if r := choose(tt.n); r != nil {
			t.Fatalf("step %d, %d boards: refused %+v, want it granted", i, tt.n, r)
		}
		q := d.quote(t, request)
		var spec fabricator.Spec
		if err := json.Unmarshal(q.Terms.Spec, &spec); err != nil {
			t.Fatal(err)
		}
		if q.Request.Quantity != tt.want || q.Reply.Quantity != tt.want || spec.Quantity != tt.build || len(d.fab.requests) != tt.requests || q.Version != i+2 {
			t.Errorf("%d: asked %d, replied %d, built %d, version %d, the fabricator was asked %d times; want %+v", tt.n, q.Request.Quantity, q.Reply.Quantity, spec.Quantity, q.Version, len(d.fab.requests), tt)
		}
		if per := money.Divide(*q.Reply.TotalCents, int64(tt.want)); *q.Reply.PerBoardCents != per {
			t.Errorf("%d: %d cents a board of %d, want %d", tt.n, *q.Reply.PerBoardCents, *q.Reply.TotalCents, per)
		}
	}
	was := d.quote(t, request)
	for kind, want := range map[fabricator.Kind]contract.Code{fabricator.Review: contract.QuoteNotPayable, fabricator.Unavailable: contract.PriceUnavailable} {
		d.fab.err = &fabricator.Error{Kind: kind}
		if r := choose(5000); r == nil || r.Code != want {
			t.Errorf("the fabricator says %v: %+v, want %s", kind, r, want)
		}
	}
	if now := d.quote(t, request); now.Version != was.Version || now.Request.Quantity != was.Request.Quantity {
		t.Errorf("a number that has no price changed the quote: %+v, want %+v", now.Request, was.Request)
	}
}

func TestReview(t *testing.T) {
	t.Parallel()
	d := setup(t)
	d.reads(t, twoLayers("a"))
	request, refusal := d.do(t, quotes.Price, standard(func(r *quotes.Request) { r.SpecialRequirements = true }))
	if refusal != nil {
		t.Fatalf("refused: %+v, want it granted", refusal)
	}
	q := d.quote(t, request)
	if q.Mode != quotes.ModeReview || q.Status != quotes.SourcingReady || len(q.Reply.CustomQuoteReasons) == 0 || q.Reply.Total != nil {
		t.Fatalf("quote %+v, want %s, %s with reasons and no total", q, quotes.ModeReview, quotes.SourcingReady)
	}
	price := quotes.PriceReviewData{Quote: q.Ref, Lines: boardsAndShipping(9000), TaxCents: 500, BuildDays: 7, TransitMin: 3, TransitMax: 5}
	if _, refusal := d.do(t, quotes.PriceReview, price); refusal == nil {
		t.Error("priced before it was asked for")
	}
	if _, refusal := d.do(t, quotes.RequestReview, quotes.RequestReviewData{Quote: q.Ref, ShipTo: home, Language: "fr"}); refusal != nil {
		t.Fatalf("refused: %+v, want it granted", refusal)
	}
	if got := d.quote(t, request).Language; got != "fr" {
		t.Errorf("asked in %q, want it kept: fr", got)
	}
	if k := d.quote(t, request).Known; k == nil || !k.Landed || k.Country != home.Country || k.CentsOf(prices.Boards) <= 0 || k.CentsOf(prices.Shipping) <= 0 || k.BuildDays <= 0 || k.TransitMax <= 0 {
		t.Errorf("what is known of the price: %+v, want boards, shipping and days to %s, landed", k, home.Country)
	}
	if _, refusal := d.do(t, quotes.PriceReview, price); refusal == nil || refusal.Fields[0].Field != "left_out.duty" {
		t.Errorf("without the duty that is known: %+v, want left_out.duty refused", refusal)
	}
	duty := prices.LeftOut{Part: prices.Duty, Words: "Import duty."}
	price.Below, price.LeftOut = true, []prices.LeftOut{duty}
	d.talk(t, request)
	if _, refusal := d.do(t, quotes.PriceReview, quotes.PriceReviewData{Quote: q.Ref}); refusal == nil || refusal.Code != contract.InvalidRequest {
		t.Errorf("a price without lines: %+v, want %s", refusal, contract.InvalidRequest)
	}
	if _, refusal := d.do(t, quotes.PriceReview, price); refusal != nil {
		t.Fatalf("refused: %+v, want it granted", refusal)
	}
	q = d.quote(t, request)
	if q.Status != quotes.SourcingQuoted || *q.Reply.TotalCents != 9500 || *q.Reply.PerBoardCents != 950 || q.Version != 2 || *q.Reply.LeadTime != "7 working days" {
		t.Errorf("priced: %+v, want %s at version 2, 9500 cents, 950 each, 7 working days", q, quotes.SourcingQuoted)
	}
	stale := price
	stale.Version = 1
	if _, refusal := d.do(t, quotes.PriceReview, stale); refusal == nil || refusal.Code != contract.Conflict || !strings.Contains(refusal.Message, "$95.00") {
		t.Errorf("a price by who saw version 1 of 2: %+v, want %s that names $95.00", refusal, contract.Conflict)
	}
	price.Version = 2
	price.Lines[0].Cents, price.BuildDays, price.Lines[1].Cents = 7000, 12, 0
	if _, refusal := d.do(t, quotes.PriceReview, price); refusal == nil || refusal.Fields[0].Field != "left_out.shipping" {
		t.Errorf("without shipping: %+v, want left_out.shipping refused", refusal)
	}
	price.LeftOut, price.TransitMax = []prices.LeftOut{duty, {Part: prices.Shipping, Words: "Your own carrier fetches them."}}, 0
	if _, refusal := d.do(t, quotes.PriceReview, price); refusal == nil || refusal.Fields[0].Problem != "contradicts" {
		t.Errorf("a line for the shipping that is left out: %+v, want contradicts", refusal)
	}
	price.Lines = price.Lines[:1]
	if _, refusal := d.do(t, quotes.PriceReview, price); refusal != nil {
		t.Fatalf("refused: %+v, want it granted", refusal)
	}
	if q = d.quote(t, request); *q.Reply.TotalCents != 7500 || *q.Reply.LeadTime != "12 working days" || *q.Reply.Delivery != "ready to ship 12 working days from payment, without the time in transit" || q.Version != 3 || !slices.Equal(q.Reply.NotIncluded, []string{"Import duty.", "Your own carrier fetches them."}) {
		t.Errorf("priced anew, without shipping: %+v, want 7500 cents, 12 working days, version 3, no delivery, what is not included", q)
	}
	commit(t, d, contract.OrderAggregate, q.Ref, orders.EventPaid, orders.Order{Quote: q.Ref, Status: orders.Paid})
	if _, refusal := d.do(t, quotes.PriceReview, price); refusal == nil || refusal.Code != contract.Conflict {
		t.Errorf("a new price for a paid quote: %+v, want %s", refusal, contract.Conflict)
	}
}

func TestFabricatorWantsPeople(t *testing.T) {
	t.Parallel()
	d := setup(t)
	d.reads(t, twoLayers("a"))
	d.fab.err = &fabricator.Error{Kind: fabricator.Review, Reasons: []string{"By hand."}}
	request, refusal := d.do(t, quotes.Price, standard(nil))
	if refusal != nil {
		t.Fatalf("refused: %+v, want it granted", refusal)
	}
	if q := d.quote(t, request); q.Mode != quotes.ModeReview || q.Reply.CustomQuoteReasons[0] != "By hand." {
		t.Errorf("quote %+v, want %s by hand", q, quotes.ModeReview)
	}
}

func TestBuriedReadingIsAskedForAnew(t *testing.T) {
	t.Parallel()
	d := setup(t)
	d.buries = true
	price := standard(nil)
	request := contract.IDFrom(contract.RequestPrefix, d.Now(), "buried")
	price.Quote = contract.SecretRef(d.keys.QuoteID(request))
	c, err := contract.NewCommand(quotes.Price, request, d.owner, d.Now(), price)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Send(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	begun := d.Now()
	d.Run(begun.Add(29 * time.Minute))
	if d.requests != 1 {
		t.Fatalf("asked %d times in half an hour, want once", d.requests)
	}
	d.Run(begun.Add(32 * time.Minute))
	if d.requests != 2 {
		t.Fatalf("asked %d times in more than half an hour, want twice", d.requests)
	}
	d.reads(t, twoLayers("board"))
	d.Run(begun.Add(33 * time.Minute))
	if op, done := d.Outcome(request); !done || op.Refusal != nil {
		t.Errorf("outcome %+v, %t; want no refusal, true", op, done)
	}
}

func TestWaitsForTheReading(t *testing.T) {
	t.Parallel()
	d := setup(t)
	request, _ := d.do(t, quotes.Price, standard(nil))
	wait, err := aggregate.At[quotes.Wait](d, contract.QuoteRequestAggregate, request).Load(t.Context())
	if err != nil || !strings.Contains(wait.State.Progress, "The design files are being read") {
		t.Fatalf("progress %+v, %v", wait.State, err)
	}
	d.reads(t, twoLayers("a"))
	d.Run(d.Now().Add(time.Minute))
	if q := d.quote(t, request); q.Mode != quotes.ModeInstant {
		t.Errorf("quote %+v, want %s", q, quotes.ModeInstant)
	}
}

// A choice that comes again after the quote was paid was made all the same.
func TestChoiceComesAgainAfterPayment(t *testing.T) {
	t.Parallel()
	d := setup(t)
	d.reads(t, twoLayers("a"))
	request, _ := d.do(t, quotes.Price, standard(nil))
	ref := d.quote(t, request).Ref
	chosen, refusal := d.do(t, quotes.ChooseDelivery, quotes.ChooseDeliveryData{Quote: ref, ShipTo: home})
	if refusal != nil {
		t.Fatalf("refused: %+v, want it granted", refusal)
	}
	commit(t, d, contract.OrderAggregate, ref, orders.EventPaid, orders.Order{Quote: ref, Status: orders.Paid})
	c, err := contract.NewCommand(quotes.ChooseDelivery, chosen, "acc_1", d.Now(), quotes.ChooseDeliveryData{Quote: ref, ShipTo: home})
	if err != nil {
		t.Fatal(err)
	}
	d.Advance(time.Hour) // out of the time in which a repetition is not delivered
	if err := d.Send(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	d.Run(d.Now().Add(10 * time.Second))
	outcomes := 0
	for _, e := range append(d.Events(contract.QuoteAggregate), d.Events(contract.OperationAggregate)...) {
		if e.Operation == chosen {
			outcomes++
		}
	}
	if outcomes != 1 {
		t.Errorf("%d outcomes, want the first alone", outcomes)
	}
	if _, refusal := d.do(t, quotes.ChooseDelivery, quotes.ChooseDeliveryData{Quote: ref, ShipTo: home}); refusal == nil || refusal.Code != contract.QuoteNotPayable {
		t.Errorf("a new choice for a paid quote: %+v, want %s", refusal, contract.QuoteNotPayable)
	}
}

// TestReviewEnds: a review that nobody asked for ends 30 days after it was made. Asked for,
// or answered, the team has 30 days from then; priced, the customer has.
func TestReviewEnds(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	price := quotes.PriceReviewData{Lines: boardsAndShipping(9000), TaxCents: 500, Below: true, LeftOut: []prices.LeftOut{{Part: prices.Duty, Words: "Import duty."}}, BuildDays: 7, TransitMin: 3, TransitMax: 5}
	ask := func(d *desk, ref string) *contract.Refusal {
		_, refusal := d.do(t, quotes.RequestReview, quotes.RequestReviewData{Quote: ref, ShipTo: home})
		return refusal
	}
	sell := func(d *desk, ref string) *contract.Refusal {
		price.Quote = ref
		_, refusal := d.do(t, quotes.PriceReview, price)
		return refusal
	}
	for name, tt := range map[string]struct {
		do   func(d *desk, request string) *contract.Refusal
		ends contract.Code
		left time.Duration // what is left of the quote afterwards
	}{
		"asked for on the last day":   {func(d *desk, ref string) *contract.Refusal { d.Advance(30*day - time.Hour); return ask(d, ref) }, "", 30 * day},
		"asked for when it has ended": {func(d *desk, ref string) *contract.Refusal { d.Advance(30 * day); return ask(d, ref) }, contract.QuoteExpired, 0},
		"priced long after the request": {func(d *desk, ref string) *contract.Refusal {
			d.Advance(29 * day)
			ask(d, ref)
			d.Advance(29 * day)
			return sell(d, ref)
		}, "", 30 * day},
		"priced too late": {func(d *desk, ref string) *contract.Refusal { ask(d, ref); d.Advance(31 * day); return sell(d, ref) }, contract.QuoteExpired, 0},
		"priced for three days": {func(d *desk, ref string) *contract.Refusal {
			ask(d, ref)
			three := price
			three.Quote, three.ValidDays = ref, 3
			_, refusal := d.do(t, quotes.PriceReview, three)
			return refusal
		}, "", 3 * day},
	} {
		d := setup(t)
		d.reads(t, twoLayers("a"))
		request, refusal := d.do(t, quotes.Price, standard(func(r *quotes.Request) { r.SpecialRequirements = true }))
		if refusal != nil {
			t.Fatalf("refused: %+v, want it granted", refusal)
		}
		refusal = tt.do(d, contract.SecretRef(d.keys.QuoteID(request)))
		if (refusal == nil) != (tt.ends == "") || refusal != nil && refusal.Code != tt.ends {
			t.Errorf("%s: %+v, want %q", name, refusal, tt.ends)
		}
		q := d.quote(t, request)
		if left := q.ExpiresAt.Sub(d.Now()).Round(time.Minute); tt.ends == "" && left != tt.left {
			t.Errorf("%s: it ends in %s, want %s", name, left, tt.left)
		}
		d.Advance(tt.left)
		if status := orders.StatusOf(q, nil, nil, d.Now()); status != quotes.Expired {
			t.Errorf("%s: at its end it is %s, want %s", name, status, quotes.Expired)
		}
	}
	d := setup(t)
	d.reads(t, twoLayers("a"))
	request, _ := d.do(t, quotes.Price, standard(func(r *quotes.Request) { r.SpecialRequirements = true }))
	ask(d, contract.SecretRef(d.keys.QuoteID(request)))
	d.Advance(29 * day)
	d.talk(t, request)
	if left := d.quote(t, request).ExpiresAt.Sub(d.Now()).Round(time.Minute); left != 30*day {
		t.Errorf("answered on day 29: it ends in %s, want 30 days", left)
	}
}

// talk has the team ask and the customer answer.
func (d *desk) talk(t *testing.T, request string) {
	t.Helper()
	ref := contract.SecretRef(d.keys.QuoteID(request))
	if _, refusal := d.do(t, quotes.AskCustomer, quotes.AskCustomerData{Quote: ref, Operator: "eve", Text: "Which side is up?"}); refusal != nil {
		t.Fatalf("refused: %+v, want it granted", refusal)
	}
	open := d.quote(t, request).OpenQuestion()
	if open == nil || open.Text != "Which side is up?" {
		t.Fatalf("the question is %+v, want \"Which side is up?\"", open)
	}
	for _, want := range []contract.Code{"", contract.Conflict} { // the second answer comes late
		_, refusal := d.do(t, quotes.AnswerReview, quotes.AnswerReviewData{Quote: ref, Question: open.ID, Text: "The top."})
		if (refusal == nil) != (want == "") || refusal != nil && refusal.Code != want {
			t.Errorf("answer: %+v, want %q", refusal, want)
		}
	}
	if got := d.quote(t, request); got.OpenQuestion() != nil || got.Review.Questions[0].Answer != "The top." || got.Status != quotes.SourcingRequested {
		t.Errorf("answered: %+v, %s; want \"The top.\", nothing open, %s", got.Review, got.Status, quotes.SourcingRequested)
	}
}

// TestReviewDeclined: the team says no, and nothing can be priced or asked afterwards.
func TestReviewDeclined(t *testing.T) {
	t.Parallel()
	d := setup(t)
	d.reads(t, twoLayers("a"))
	request, refusal := d.do(t, quotes.Price, standard(func(r *quotes.Request) { r.SpecialRequirements = true }))
	if refusal != nil {
		t.Fatalf("refused: %+v, want it granted", refusal)
	}
	ref := contract.SecretRef(d.keys.QuoteID(request))
	decline := quotes.RefuseReviewData{Quote: ref, Operator: "eve", Why: "We build no such thing."}
	if _, refusal := d.do(t, quotes.RefuseReview, decline); refusal == nil || refusal.Code != contract.Conflict {
		t.Errorf("declined before it was asked for: %+v, want %s", refusal, contract.Conflict)
	}
	if _, refusal := d.do(t, quotes.RequestReview, quotes.RequestReviewData{Quote: ref, ShipTo: home}); refusal != nil {
		t.Fatalf("refused: %+v, want it granted", refusal)
	}
	if _, refusal := d.do(t, quotes.RefuseReview, decline); refusal != nil {
		t.Fatalf("refused: %+v, want it granted", refusal)
	}
	if q := d.quote(t, request); q.TeamRefusal() == nil || q.TeamRefusal().Why != decline.Why || !q.IsExpired(d.Now()) {
		t.Errorf("declined: %+v, want %q, and it expired", q, decline.Why)
	}
	for name, data := range map[contract.CommandName]any{
		quotes.PriceReview:  quotes.PriceReviewData{Quote: ref, Operator: "eve", Lines: boardsAndShipping(1001)},
		quotes.AskCustomer:  quotes.AskCustomerData{Quote: ref, Operator: "eve", Text: "Well?"},
		quotes.RefuseReview: decline,
	} {
		if _, refusal := d.do(t, name, data); refusal == nil || refusal.Code != contract.Conflict {
			t.Errorf("%s after it was declined: %+v, want %s", name, refusal, contract.Conflict)
		}
	}
}

// TestReorderKeepsWhatWasChosen: shipping and build of an earlier order, by id or by
// name, where they are offered; where not, the reply says so.
func TestReorderKeepsWhatWasChosen(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		was      quotes.Chosen
		way      string
		hours    int
		messages []string
	}{
		"by id":                  {quotes.Chosen{ShippingID: "fast", Shipping: "Pigeon"}, "fast", 72, nil},
		"by name":                {quotes.Chosen{ShippingID: "de-exp", Shipping: "DHL Express"}, "fast", 72, nil},
		"a faster build":         {quotes.Chosen{ShippingID: "slow", Shipping: "Post", BuildHours: 24}, "slow", 24, nil},
		"a way that is gone":     {quotes.Chosen{ShippingID: "sea", Shipping: "Sea freight"}, "slow", 72, []string{"went by Sea freight"}},
		"a build that is gone":   {quotes.Chosen{ShippingID: "fast", Shipping: "DHL Express", BuildHours: 12}, "fast", 72, []string{"built in 12 hours"}},
		"neither is offered now": {quotes.Chosen{ShippingID: "sea", Shipping: "Sea freight", BuildHours: 12}, "slow", 72, []string{"Sea freight", "12 hours"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := setup(t)
			d.reads(t, twoLayers("a"))
			data := standard(func(r *quotes.Request) { r.ShipTo = &home })
			data.Chosen = &tt.was
			request, refusal := d.do(t, quotes.Price, data)
			if refusal != nil {
				t.Fatalf("refused: %+v, want it granted", refusal)
			}
			q := d.quote(t, request)
			if q.Delivery.ShippingID != tt.way || q.Delivery.BuildHours != tt.hours || q.Terms.Shipping != tt.way || q.Version != 1 {
				t.Errorf("delivery %+v by %s, version %d; want %s in %d hours, version 1", q.Delivery, q.Terms.Shipping, q.Version, tt.way, tt.hours)
			}
			notes := strings.Join(q.Reply.Notes, "\n")
			for _, want := range tt.messages {
				if !strings.Contains(notes, want) {
					t.Errorf("the notes lack %q:\n%s", want, notes)
				}
			}
			if n := strings.Count(notes, "earlier order"); n != len(tt.messages) {
				t.Errorf("%d notes about the earlier order, want %d:\n%s", n, len(tt.messages), notes)
			}
		})
	}
}

// TestEstimateForACountry: a country alone is priced, beside the quote, which stays
// as it is.
func TestEstimateForACountry(t *testing.T) {
	t.Parallel()
	d := setup(t)
	d.reads(t, twoLayers("a"))
	request, refusal := d.do(t, quotes.Price, standard(nil))
	if refusal != nil {
		t.Fatalf("refused: %+v, want it granted", refusal)
	}
	if q := d.quote(t, request); q.Assumed != "US" || q.Delivery != nil {
		t.Fatalf("nobody named a country: delivery %+v, assumed %q; want none, US", q.Delivery, q.Assumed)
	}
	ref := contract.SecretRef(d.keys.QuoteID(request))
	to := shipments.ShipTo{Name: "Ada", Line1: "x", Country: "US", State: "California", PostalCode: "94105"}
	if _, refusal := d.do(t, quotes.ChooseDelivery, quotes.ChooseDeliveryData{Quote: ref, ShipTo: to, Estimate: true, ShippingID: "slow"}); refusal != nil {
		t.Fatalf("refused: %+v, want it granted", refusal)
	}
	own := d.quote(t, request)
	if own.Assumed != "US" || own.Delivery != nil || own.Version != 1 {
		t.Errorf("the quote itself: %+v, assumed %q, version %d; want none, US, 1", own.Delivery, own.Assumed, own.Version)
	}
	q := own.ApplyEstimate()
	if q.Assumed != "" || q.Delivery.ShipTo != to || q.Delivery.ShippingID != "slow" || *q.Reply.TotalCents == *own.Reply.TotalCents {
		t.Errorf("estimated: %+v, assumed %q, %d cents; want slow to %+v, nothing assumed, another price than %d", q.Delivery, q.Assumed, *q.Reply.TotalCents, to, *own.Reply.TotalCents)
	}
	for name, to := range map[string]shipments.ShipTo{"unknown state": {Country: "US", State: "Nowhere"}, "no postal code of there": {Country: "US", State: "CA", PostalCode: "1", City: "Jena"}} {
		if _, refusal := d.do(t, quotes.ChooseDelivery, quotes.ChooseDeliveryData{Quote: ref, ShipTo: to, Estimate: true}); refusal != nil {
			t.Errorf("%s: an estimate for %+v was refused by %+v, want it priced for what is right of it", name, to, refusal)
		}
		if got := d.quote(t, request).ApplyEstimate(); got.Delivery.ShipTo != to {
			t.Errorf("%s: entered %+v, kept %+v, want what was entered", name, to, got.Delivery.ShipTo)
		}
	}
	for name, to := range map[string]shipments.ShipTo{"no country": {}, "unknown country": {Country: "XX"}} {
		if _, refusal := d.do(t, quotes.ChooseDelivery, quotes.ChooseDeliveryData{Quote: ref, ShipTo: to, Estimate: true}); refusal == nil || refusal.Code != contract.InvalidRequest {
			t.Errorf("%s: an estimate for %+v was refused by %+v, want %s", name, to, refusal, contract.InvalidRequest)
		}
	}
}

// boardsAndShipping are the lines of a team's price of bare boards.
func boardsAndShipping(cents int64) []prices.PricedLine {
	return []prices.PricedLine{
		{Line: prices.Line{Label: "Boards", Cents: cents - 1000}, For: prices.Boards}, {Line: prices.Line{Label: "Shipping", Cents: 1000}, For: prices.Shipping},
	}
}
