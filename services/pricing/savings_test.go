package pricing_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus/simbus"
	"boardorder/pkg/contract"
	boardscontract "boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/pricetables"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/savings"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/fabricator"
	"boardorder/pkg/fabricator/tariff"
	"boardorder/pkg/flow"
	"boardorder/services/pricing"
)

// house is a fabricator with a price table, which at times does not answer, asks more for a
// finish than is usual, or has people price something.
type house struct {
	table *tariff.Tariff

	mu    sync.Mutex
	asked int
	away  func(fabricator.Spec) bool
	more  func(fabricator.Spec) int64
	hand  func(fabricator.Spec) bool
}

func (h *house) Price(ctx context.Context, s fabricator.Spec) (fabricator.Price, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.asked++
	switch {
	case h.away != nil && h.away(s):
		return fabricator.Price{}, &fabricator.Error{Kind: fabricator.Unavailable}
	case h.hand != nil && h.hand(s):
		return fabricator.Price{}, &fabricator.Error{Kind: fabricator.Review, Reasons: []string{"by hand"}}
	}
	p, err := h.table.Price(ctx, s)
	if err == nil && h.more != nil {
		if cents := h.more(s); cents != 0 {
			p.Lines = append(p.Lines, fabricator.Line{Code: "more", Label: "More", Cents: cents})
		}
	}
	return p, err
}

// openHouse is a desk whose one fabricator is a house.
func openHouse(t testing.TB, d *desk) *house {
	t.Helper()
	table, err := tariff.New(tariff.Config{Now: d.Now})
	if err != nil {
		t.Fatal(err)
	}
	h := &house{table: table}
	d.serve(t, pricing.Fabricator{Name: "house", Country: "CN", Adapter: h})
	return h
}

// boardWithCopper is a board whose copper was measured, with some facts beside.
func boardWithCopper(more map[string]any) boardscontract.Board {
	b := twoLayers("board")
	b.Facts["smallest_gap_mm"] = boardscontract.Fact{Value: 0.25, Source: "a.gbr"}
	for name, value := range more {
		b.Facts[name] = boardscontract.Fact{Value: value, Source: "a.gbr"}
	}
	return b
}

func (d *desk) find(t testing.TB, q quotes.Quote) (savings.Reply, *contract.Refusal) {
	t.Helper()
	request, refusal := d.do(t, savings.Find, savings.FindData{Quote: q.Ref, Upload: q.Upload, Version: q.Version})
	if refusal != nil {
		return savings.Reply{}, refusal
	}
	found, err := aggregate.At[savings.Savings](d, contract.SavingsAggregate, request).Load(t.Context())
	if err != nil || !found.Exists() {
		t.Fatalf("savings %s: %v, want them", request, err)
	}
	return found.State.Reply, nil
}

func (d *desk) price(t *testing.T, data quotes.PriceData) quotes.Quote {
	t.Helper()
	request, refusal := d.do(t, quotes.Price, data)
	if refusal != nil {
		t.Fatalf("refused: %+v, want a quote", refusal)
	}
	return d.quote(t, request)
}

// merge is a request with what a change says to send.
func merge(t *testing.T, r quotes.Request, change map[string]any) quotes.Request {
	t.Helper()
	body, out := map[string]any{}, quotes.Request{}
	data, err := json.Marshal(r)
	if err == nil {
		err = json.Unmarshal(data, &body)
	}
	maps.Copy(body, change)
	if err == nil {
		data, err = json.Marshal(body)
	}
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func pointerTo[T any](v T) *T { return &v }

// TestSavingsAreQuotes: whatever the board and the request, each saving costs less than the
// quote, and a quote of its change, or of the changed design, has its total to the cent.
func TestSavingsAreQuotes(t *testing.T) {
	t.Parallel()
	us := &shipments.ShipTo{Country: "US", State: "CA"}
	for name, tt := range map[string]struct {
		board   boardscontract.Board
		request func(*quotes.Request)
		want    []savings.Kind // among others
	}{
		"gold": {boardWithCopper(nil), func(r *quotes.Request) { r.SurfaceFinish = pointerTo("enig") }, []savings.Kind{savings.SurfaceFinish}},
		"thick gold, fast and yellow": {boardWithCopper(nil), func(r *quotes.Request) {
			r.SurfaceFinish, r.SolderMask, r.BuildTimeHours, r.ShipTo = pointerTo("enig"), pointerTo("Yellow"), pointerTo(96), us
			r.FabOptions = map[string]any{"gold_thickness_uin": "3"}
		}, []savings.Kind{savings.SurfaceFinish, savings.SolderMask}},
		"a hot laminate in Texas": {boardWithCopper(map[string]any{"layers": 4}), func(r *quotes.Request) {
			r.Material, r.ShipTo = pointerTo("FR-4 / TG170"), &shipments.ShipTo{Country: "US", State: "TX"}
		}, []savings.Kind{savings.Material}},
		"small holes":                      {boardWithCopper(map[string]any{"smallest_drill_mm": 0.2}), nil, []savings.Kind{savings.DrillSize}},
		"many that are a little too large": {boardWithCopper(map[string]any{"width_mm": 101.0, "height_mm": 102.0}), func(r *quotes.Request) { r.Quantity = 300 }, []savings.Kind{savings.BoardSize}},
		"a report":                         {boardWithCopper(nil), func(r *quotes.Request) { r.FabOptions = map[string]any{"inspection_report": "rohs"} }, []savings.Kind{savings.FabOption}},
		"nothing":                          {boardWithCopper(nil), nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := setup(t)
			h := openHouse(t, d)
			d.reads(t, tt.board)
			data := standard(tt.request)
			q := d.price(t, data)
			h.asked = 0
			r, refusal := d.find(t, q)
			if refusal != nil || h.asked > savings.MaxPrices {
				t.Fatalf("refused %+v; the fabricator was asked %d times, want %d at most", refusal, h.asked, savings.MaxPrices)
			}
			if r.TotalCents != *q.Reply.TotalCents || r.QuoteTotalCents != r.TotalCents || len(r.Notes) != 0 || len(r.Savings) > savings.Max {
				t.Errorf("from %d, %d with notes %q and %d savings; want %d, none, %d at most", r.QuoteTotalCents, r.TotalCents, r.Notes, len(r.Savings), *q.Reply.TotalCents, savings.Max)
			}
			for _, kind := range tt.want {
				if !slices.ContainsFunc(r.Savings, func(s savings.Saving) bool { return s.Kind == kind }) {
					t.Errorf("%s is not among %+v", kind, r.Savings)
				}
			}
			if tt.want == nil && len(r.Savings) > 0 {
				t.Errorf("of a plain board %+v, want nothing", r.Savings)
			}
			if !slices.IsSortedFunc(r.Savings, func(a, b savings.Saving) int { return int(b.AmountCents - a.AmountCents) }) {
				t.Errorf("savings are not in order: %+v", r.Savings)
			}
			for _, s := range r.Savings {
				d.holdSaving(t, tt.board, data, r, s)
			}
		})
	}
}

// holdSaving holds a saving against the quote that is made with it.
func (d *desk) holdSaving(t *testing.T, b boardscontract.Board, data quotes.PriceData, r savings.Reply, s savings.Saving) {
	t.Helper()
	if s.Change != nil {
		data.Request = merge(t, data.Request, s.Change)
	} else {
		changed := b
		changed.Facts = maps.Clone(b.Facts)
		for _, c := range s.Changes {
			changed.Facts[c.Field] = boardscontract.Fact{Value: c.To, Source: "a.gbr"}
		}
		up := fmt.Sprint("changed", d.n)
		commit(t, d, contract.UploadAggregate, up, uploads.EventFilesAdded, uploads.Upload{Ref: up, Status: uploads.Open, Digest: up, ExpiresAt: d.Now().Add(time.Hour), Files: []uploads.File{{Name: "a.gbr"}}})
		commit(t, d, contract.BoardAggregate, up, boardscontract.EventRead, boardscontract.ReadFiles{Digest: up, Reader: "test", Boards: []boardscontract.Board{changed}, Files: []boardscontract.FileClass{{Name: "a.gbr", Format: "gerber"}}})
		data.Upload = up
	}
	q := d.price(t, data)
	if q.Mode != quotes.ModeInstant || *q.Reply.TotalCents != s.TotalCents || s.TotalCents+s.AmountCents != r.TotalCents || s.TotalCents >= r.QuoteTotalCents {
		t.Errorf("%s takes %d off %d and costs %d; the quote of %v is %s and costs %d", s.Kind, s.AmountCents, r.TotalCents, s.TotalCents, s.Change, q.Mode, *q.Reply.TotalCents)
	}
	if *q.Reply.Delivery != s.Delivery || *q.Reply.LeadTime != s.LeadTime || q.Reply.Quantity != s.Quantity || *q.Reply.PerBoardCents != s.PerBoardCents || *q.Reply.TaxCents != s.TaxCents {
		t.Errorf("%s is told as %+v, quoted as %+v", s.Kind, s, q.Reply)
	}
}

// TestNoSavingIsDearer: a change that costs more, that is refused or that people price is not
// listed, nor one that costs less than the board does today and more than its quote.
func TestNoSavingIsDearer(t *testing.T) {
	t.Parallel()
	solder := func(s fabricator.Spec) bool { return s.Finish == "hasl_lead_free" }
	for name, spoil := range map[string]func(*house){
		"dearer": func(h *house) {
			h.more = func(s fabricator.Spec) int64 { return map[bool]int64{true: 100_000}[solder(s)] }
		},
		"by hand":        func(h *house) { h.hand = solder },
		"no answer":      func(h *house) { h.away = solder },
		"all rose since": func(h *house) { h.more = func(fabricator.Spec) int64 { return 5000 } },
		"not worth the letter": func(h *house) {
			h.more = func(s fabricator.Spec) int64 { return map[bool]int64{true: 1950}[solder(s)] }
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := setup(t)
			h := openHouse(t, d)
			d.reads(t, boardWithCopper(nil))
			q := d.price(t, standard(func(r *quotes.Request) { r.SurfaceFinish = pointerTo("enig") }))
			if r, _ := d.find(t, q); len(r.Savings) != 1 || r.Savings[0].AmountCents < 1960 {
				t.Fatalf("savings of a board with gold: %+v, want solder for 19.60 less at least", r.Savings)
			}
			spoil(h)
			r, refusal := d.find(t, q)
			if refusal != nil || len(r.Savings) != 0 || r.Next == "" {
				t.Errorf("%+v, refused %+v; want none", r, refusal)
			}
			if missed := h.away != nil; missed != (r.ExpiresAt.Sub(r.AsOf) <= time.Minute) || missed && len(r.Notes) == 0 {
				t.Errorf("holds for %s with notes %q; where the fabricator did not answer, a minute and a note", r.ExpiresAt.Sub(r.AsOf), r.Notes)
			}
			if h.more != nil && name == "all rose since" && (r.TotalCents <= r.QuoteTotalCents || len(r.Notes) != 1) {
				t.Errorf("quoted for %d, now %d, notes %q; want it said that prices rose", r.QuoteTotalCents, r.TotalCents, r.Notes)
			}
		})
	}
}

// TestWithoutSavings: which quotes have none, and why.
func TestWithoutSavings(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		request func(*quotes.Request)
		then    func(*testing.T, *desk, *house, *quotes.Quote)
		want    contract.Code
	}{
		"no such quote":   {nil, func(_ *testing.T, _ *desk, _ *house, q *quotes.Quote) { q.Ref = "none" }, contract.NotFound},
		"another's quote": {nil, func(_ *testing.T, d *desk, _ *house, _ *quotes.Quote) { d.owner = "acc_2" }, contract.NotFound},
		"by a test key":   {nil, func(_ *testing.T, d *desk, _ *house, _ *quotes.Quote) { d.owner = "acc_1~test" }, contract.NotFound},
		"expired":         {nil, func(_ *testing.T, d *desk, _ *house, _ *quotes.Quote) { d.Advance(quotes.InstantTTL) }, contract.QuoteExpired},
		"a review":        {func(r *quotes.Request) { r.SpecialRequirements = true }, nil, contract.QuoteNotPayable},
		"paid": {nil, func(t *testing.T, d *desk, _ *house, q *quotes.Quote) {
			commit(t, d, contract.OrderAggregate, q.Ref, orders.EventPaid, orders.Order{Quote: q.Ref})
		}, contract.Conflict},
		"no price now": {nil, func(_ *testing.T, _ *desk, h *house, _ *quotes.Quote) {
			h.away = func(fabricator.Spec) bool { return true }
		}, contract.PriceUnavailable},
		"by hand now": {nil, func(_ *testing.T, _ *desk, h *house, _ *quotes.Quote) {
			h.hand = func(fabricator.Spec) bool { return true }
		}, contract.QuoteNotPayable},
		"more files": {nil, func(t *testing.T, d *desk, _ *house, _ *quotes.Quote) {
			commit(t, d, contract.UploadAggregate, "u", uploads.EventFilesAdded, uploads.Upload{Ref: "u", Status: uploads.Open, Digest: "d2", ExpiresAt: d.Now().Add(time.Hour), Files: []uploads.File{{Name: "a.gbr"}, {Name: "b.gbr"}}})
		}, contract.Conflict},
		"declared": {nil, func(t *testing.T, d *desk, _ *house, _ *quotes.Quote) {
			commit(t, d, contract.UploadAggregate, "u", uploads.EventITARDeclared, uploads.Upload{Ref: "u", Status: uploads.ITARDeclared, Digest: "d"})
		}, contract.ITARNotSupported},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := setup(t)
			h := openHouse(t, d)
			d.reads(t, boardWithCopper(nil))
			q := d.price(t, standard(tt.request))
			if tt.then != nil {
				tt.then(t, d, h, &q)
			}
			if r, refusal := d.find(t, q); refusal == nil || refusal.Code != tt.want {
				t.Errorf("%+v, refused %+v; want %s", r, refusal, tt.want)
			}
		})
	}
}

// TestSavingsOfWhatWasChosen: a quote whose number and place were chosen at checkout has
// savings of that, each with all of it to send; files that are gone are said.
func TestSavingsOfWhatWasChosen(t *testing.T) {
	t.Parallel()
	d := setup(t)
	openHouse(t, d)
	d.reads(t, boardWithCopper(nil))
	data := standard(func(r *quotes.Request) { r.SurfaceFinish = pointerTo("enig") })
	q := d.price(t, data)
	to := shipments.ShipTo{Name: "Ada", Email: "ada@example.com", Phone: "+15125550100", Line1: "Way 1", City: "Austin", State: "TX", PostalCode: "78701", Country: "US"}
	choose := quotes.ChooseDeliveryData{Quote: q.Ref, ShipTo: to, Quantity: 20, BuildHours: q.Reply.FasterBuilds[0].BuildTimeHours}
	if _, refusal := d.do(t, quotes.ChooseDelivery, choose); refusal != nil {
		t.Fatalf("%+v, want it chosen", refusal)
	}
	q = d.quote(t, q.RequestID)
	r, refusal := d.find(t, q)
	if refusal != nil || len(r.Savings) < 2 || r.TotalCents != *q.Reply.TotalCents || len(r.Notes) != 1 {
		t.Fatalf("%+v, refused %+v; want savings of %d, and a note", r, refusal, *q.Reply.TotalCents)
	}
	for _, s := range r.Savings {
		sent, err := json.Marshal(s.Change)
		if err != nil || slices.ContainsFunc([]string{"Ada", "ada@", "Way", "+1"}, func(word string) bool { return strings.Contains(string(sent), word) }) || s.Change["quantity"] == nil {
			t.Errorf("%s sends %s, %v; want the number that was chosen, and nobody's name", s.Kind, sent, err)
		}
		made := data
		made.Request = merge(t, data.Request, s.Change)
		if now := d.price(t, made); *now.Reply.TotalCents != s.TotalCents {
			t.Errorf("%s costs %d, its quote %d", s.Kind, s.TotalCents, *now.Reply.TotalCents)
		}
	}
	commit(t, d, contract.UploadAggregate, "u", uploads.EventExpired, uploads.Upload{Ref: "u", Status: uploads.Expired})
	if later, refusal := d.find(t, q); refusal != nil || len(later.Savings) != len(r.Savings) || len(later.Notes) != 2 {
		t.Errorf("with its files gone: %+v, refused %+v; want the same, and a note of that", later, refusal)
	}
}

// rough is a desk in a rough world, and insist does until it is done whatever happens there.
func rough(t *testing.T, seed uint64) *desk {
	t.Helper()
	d := setup(t)
	calm := d.Sim
	d.Sim = simbus.New(seed, simbus.Usual())
	d.Advance(calm.Now().Sub(d.Now()))
	return d
}

func insist(t *testing.T, do func() error) {
	t.Helper()
	for range 100 {
		err := func() (err error) {
			defer func() {
				if crash, ok := recover().(flow.Crash); ok {
					err = crash
				}
			}()
			return do()
		}()
		if err == nil {
			return
		}
	}
	t.Fatal("nothing could be done in a hundred tries")
}

// TestOneOutcomeWhateverHappens: of a table and of savings there is one event each, however
// often their commands come and wherever their process ends, and the same prices stand in it.
func TestOneOutcomeWhateverHappens(t *testing.T) {
	t.Parallel()
	seeds := uint64(60)
	if testing.Short() {
		seeds = 12
	}
	crashes := 0
	for seed := range seeds {
		d := rough(t, seed)
		openHouse(t, d)
		write := func(a contract.Aggregate, id string, event contract.EventName, state any) {
			d.n++
			c := contract.Command{ID: contract.DeriveID("commit", fmt.Sprint(d.n))}
			insist(t, func() error {
				_, err := aggregate.At[any](d, a, id).Execute(t.Context(), c, d.Now(), func(aggregate.Snapshot[any]) (*aggregate.Change[any], error) {
					return &aggregate.Change[any]{Event: event, State: state}, nil
				})
				return err
			})
		}
		write(contract.UploadAggregate, "u", uploads.EventFilesAdded, uploads.Upload{Ref: "u", Status: uploads.Open, Digest: "d", ExpiresAt: d.Now().Add(24 * time.Hour), Files: []uploads.File{{Name: "a.gbr"}}})
		write(contract.BoardAggregate, "d", boardscontract.EventRead, boardscontract.ReadFiles{Digest: "d", Reader: "test", Boards: []boardscontract.Board{boardWithCopper(nil)}, Files: []boardscontract.FileClass{{Name: "a.gbr", Format: "gerber"}}, NeededUntil: d.Now().Add(1000 * time.Hour)})
		send := func(name contract.CommandName, data func(request string) any) string {
			d.n++
			request := contract.IDFrom(contract.RequestPrefix, d.Now(), fmt.Sprint(d.n))
			c, err := contract.NewCommand(name, request, d.owner, d.Now(), data(request))
			if err != nil {
				t.Fatal(err)
			}
			insist(t, func() error { return d.Send(t.Context(), c) })
			return request
		}
		board := quotes.Request{StandardForUnstated: true, SurfaceFinish: pointerTo("enig")}
		quote := ""
		send(quotes.Price, func(request string) any {
			r := board
			r.Quantity, quote = 10, contract.SecretRef(d.keys.QuoteID(request))
			return quotes.PriceData{Quote: quote, Upload: "u", Request: r}
		})
		d.Run(d.Now().Add(time.Hour))
		table := send(pricetables.Price, func(request string) any {
			return pricetables.PriceData{Table: request, Upload: "u", Request: board, Quantities: []int{5, 10, 30}, Destinations: []shipments.ShipTo{{Country: "US", State: "CA"}, {Country: "US", State: "TX"}}}
		})
		found := send(savings.Find, func(request string) any {
			return savings.FindData{Savings: request, Quote: quote, Upload: "u", Version: 1}
		})
		d.Run(d.Now().Add(time.Hour))
		d.Calm()
		d.Run(d.Now().Add(time.Hour))
		crashes += d.Crashes()
		if len(d.Dead) > 0 {
			t.Errorf("seed %d: a dead letter: %v", seed, d.Dead[0].Err)
		}
		tables, saved := d.Events(contract.PriceTableAggregate), d.Events(contract.SavingsAggregate)
		if len(tables) != 1 || len(saved) != 1 || tables[0].Operation != table || saved[0].Operation != found {
			t.Fatalf("seed %d: %d events of tables, %d of savings; want one each, of the requests", seed, len(tables), len(saved))
		}
		var cells contract.Body[pricetables.PriceTable]
		var changes contract.Body[savings.Savings]
		if err := json.Unmarshal(tables[0].Data, &cells); err != nil || len(cells.State.Reply.Cells) < 6 {
			t.Errorf("seed %d: a table of %d cells, %v; want six at least", seed, len(cells.State.Reply.Cells), err)
		}
		if err := json.Unmarshal(saved[0].Data, &changes); err != nil || len(changes.State.Reply.Savings) != 1 {
			t.Errorf("seed %d: savings %+v, %v; want one", seed, changes.State.Reply.Savings, err)
		}
	}
	if crashes == 0 {
		t.Error("no process ended")
	}
}
