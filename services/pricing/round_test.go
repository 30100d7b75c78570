package pricing_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/assemblies"
	boardscontract "boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/pricetables"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/fabricator"
	"boardorder/services/pricing"

	"go.uber.org/zap"
)

// makers are fabricators by their names, each as a copy of the desk's with changes.
func (d *desk) makers(t testing.TB, names ...string) map[string]*fab {
	t.Helper()
	out := map[string]*fab{}
	var list []pricing.Fabricator
	for _, name := range names {
		out[name] = &fab{price: d.fab.price.Clone()}
		list = append(list, pricing.Fabricator{Name: name, Country: "CN", Wait: 20 * time.Millisecond, Adapter: out[name]})
	}
	d.serve(t, list...)
	return out
}

// offersOf is what a quote keeps of the fabricators: "a chosen, b slow".
func offersOf(q quotes.Quote) string {
	var out []string
	if q.FabricatorChoice != nil {
		for _, o := range q.FabricatorChoice.Offers {
			out = append(out, o.Fabricator+" "+string(o.Status))
		}
	}
	return strings.Join(out, ", ")
}

// TestRuleOfQuotes: the rule decides by what the boards cost delivered and when they arrive,
// and the quote keeps what all said.
func TestRuleOfQuotes(t *testing.T) {
	t.Parallel()
	freight := func(f *fab, cents int64, days int) {
		f.price.Shipping = []fabricator.Shipping{{ID: "way", Carrier: "DHL", Service: "DHL", Cents: cents, DaysMin: days, DaysMax: days}}
	}
	for _, tt := range []struct {
		what, rule string
		set        func(m map[string]*fab)
		ask        func(*quotes.Request)
		builder    string
		offers     string
		why        string
	}{
		{"cheapest delivered, not cheapest boards", "cheapest", func(m map[string]*fab) {
			m["b"].price.Lines[0].Cents = 500
			freight(m["b"], 9000, 3)
		}, nil, "a", "a chosen, b priced, c priced", "a costs least, delivered."},
		{"a cheaper one", "cheapest", func(m map[string]*fab) { m["c"].price.Lines[0].Cents = 500 }, nil, "c", "a priced, b priced, c chosen", "c costs least"},
		{"equals", "cheapest", func(map[string]*fab) {}, nil, "a", "a chosen, b priced, c priced", "a costs least"},
		{"one away, one slow, one dear", "cheapest", func(m map[string]*fab) {
			m["a"].err, m["b"].slow, m["c"].price.Lines[0].Cents = errAway, true, 90_000
		}, nil, "c", "a away, b slow, c chosen", "c costs least"},
		{"fastest", "fastest", func(m map[string]*fab) { freight(m["b"], 9000, 1) }, nil, "b", "a priced, b chosen, c priced", "b delivers first."},
		{"preferred within", "preferred b 10%", func(m map[string]*fab) { m["b"].price.Lines[0].Cents = 1050 }, nil, "b", "a priced, b chosen, c priced", "no more than 10 % dearer"},
		{"preferred beyond", "preferred b 10%", func(m map[string]*fab) { m["b"].price.Lines[0].Cents = 2000 }, nil, "a", "a chosen, b priced, c priced", "b is preferred and more than 10 % dearer"},
		{"preferred at any price", "preferred b", func(m map[string]*fab) { m["b"].price.Lines[0].Cents = 90_000 }, nil, "b", "a not_asked, b chosen, c not_asked", "b is preferred."},
		{"preferred is slow", "preferred", func(m map[string]*fab) { m["a"].slow = true }, nil, "b", "a slow, b chosen, c not_asked", "a is preferred and has no price; b is the next"},
		{"no such build", "cheapest", func(m map[string]*fab) {
			m["a"].price.Builds, m["b"].err, m["c"].err = m["a"].price.Builds[:1], errTooBig, errByHand
		}, nil, "a", "a chosen, b not_built, c by_hand", "a costs least"},
		{"a build that one has", "cheapest", func(m map[string]*fab) {
			m["a"].price.Builds, m["b"].price.Builds = m["a"].price.Builds[:1], m["b"].price.Builds[:1]
		}, func(r *quotes.Request) { r.BuildTimeHours = pointerTo(24) }, "c", "a not_built, b not_built, c chosen", "c costs least"},
		{"a build that the preferred one lacks", "preferred", func(m map[string]*fab) { m["a"].price.Builds = m["a"].price.Builds[:1] },
			func(r *quotes.Request) { r.BuildTimeHours = pointerTo(24) }, "b", "a not_built, b chosen, c not_asked", "b is the next"},
		{"assembled", "cheapest", func(m map[string]*fab) { m["b"].price.Lines[0].Cents = 10 }, assembly, "a", "a chosen, b not_asked, c not_asked", "Boards that are assembled are built by a"},
	} {
		t.Run(tt.what, func(t *testing.T) {
			t.Parallel()
			d := setup(t)
			d.rule = tt.rule
			m := d.makers(t, "a", "b", "c")
			d.reads(t, twoLayers("board"))
			d.assembled = []assemblies.Assembly{assemblyWith(false, assemblyPart("R1", 40))}
			tt.set(m)
			q := d.price(t, standard(tt.ask))
			if q.Terms == nil || q.Terms.Fabricator != tt.builder || q.Reply.Fabricator != tt.builder || offersOf(q) != tt.offers {
				t.Fatalf("%s: terms %+v, offers %q; want of %s, %q", tt.rule, q.Terms, offersOf(q), tt.builder, tt.offers)
			}
			if why := q.FabricatorChoice.Why; !strings.Contains(why, tt.why) {
				t.Errorf("%s: since %q, want %q", tt.rule, why, tt.why)
			}
			for _, o := range q.FabricatorChoice.Offers {
				if o.Status == quotes.OfferChosen && (o.TotalCents != *q.Reply.TotalCents || o.DaysMax < o.DaysMin || o.DaysMin == 0) {
					t.Errorf("%s: chosen %+v, want the total of the quote, %d", tt.rule, o, *q.Reply.TotalCents)
				}
				if passed := o.TotalCents == 0 && o.Status != quotes.OfferNotAsked; passed != (o.Why != "" && o.Status != quotes.OfferNotAsked) {
					t.Errorf("%s: %+v, want a price, or why there is none", tt.rule, o)
				}
			}
		})
	}
}

// TestNobodyHasAPrice: the primary one's word counts, and a review keeps what the others said.
func TestNobodyHasAPrice(t *testing.T) {
	t.Parallel()
	d := setup(t)
	d.rule = "cheapest"
	m := d.makers(t, "a", "b")
	d.reads(t, twoLayers("board"))
	m["a"].err, m["b"].err = &fabricator.Error{Kind: fabricator.Review, Reasons: []string{strings.Repeat("é", 300)}}, errAway
	q := d.price(t, standard(nil))
	if q.Mode != quotes.ModeReview || offersOf(q) != "a by_hand, b away" {
		t.Fatalf("a quote of mode %s with %q, want a review and what both said", q.Mode, offersOf(q))
	}
	if why := q.FabricatorChoice.Offers[0].Why; len(why) > quotes.MaxWhy || !strings.HasSuffix(why, "é…") {
		t.Errorf("%d bytes of a long reason, %q; want %d at most", len(why), why, quotes.MaxWhy)
	}
	m["a"].err = errFiles
	if _, refusal := d.do(t, quotes.Price, standard(nil)); codeOf(refusal) != contract.DesignFiles {
		t.Errorf("files that the primary one cannot use: %+v, want %s", refusal, contract.DesignFiles)
	}
}

// TestRuleOfAnAccount: an account's own rule goes before the installation's, of its live keys
// alone; where one fabricator is listed there is no choice.
func TestRuleOfAnAccount(t *testing.T) {
	t.Parallel()
	d := setup(t)
	d.rule = "cheapest"
	m := d.makers(t, "a", "b")
	d.reads(t, twoLayers("board"))
	m["b"].price.Lines[0].Cents = 2000
	name := func(n int) quotes.PriceData {
		return standard(func(r *quotes.Request) { r.ProjectName = pointerTo(fmt.Sprint(n)) })
	}
	for i, tt := range []struct {
		rule    *accounts.FabricatorRule
		builder string
	}{
		{nil, "a"},
		{&accounts.FabricatorRule{Kind: accounts.Preferred, Fabricator: "b"}, "b"},
		{&accounts.FabricatorRule{Kind: accounts.Preferred, Fabricator: "gone"}, "a"},
		{&accounts.FabricatorRule{Kind: accounts.Fastest}, "a"},
	} {
		commit(t, d, contract.AccountAggregate, "acc_1", accounts.EventOpened, accounts.Account{ID: "acc_1", FabricatorRule: tt.rule})
		if q := d.price(t, name(i)); q.Terms.Fabricator != tt.builder {
			t.Errorf("by the rule %v: %s, want %s", tt.rule, q.Terms.Fabricator, tt.builder)
		}
	}
	d.owner = contract.TestOwner("acc_1")
	commit(t, d, contract.UploadAggregate, "u", uploads.EventFilesAdded, uploads.Upload{Ref: "u", Account: d.owner, Status: uploads.Open, Digest: "d", ExpiresAt: d.Now().Add(time.Hour), Files: []uploads.File{{Name: "a.gbr"}}})
	if q := d.price(t, name(10)); q.Terms.Fabricator != fabricator.Test || q.FabricatorChoice != nil {
		t.Errorf("a test key's: of %s, %+v; want of %s, without a choice", q.Terms.Fabricator, q.FabricatorChoice, fabricator.Test)
	}
	d.owner = "acc_1"
	d.makers(t, "a")
	if q := d.price(t, name(11)); q.FabricatorChoice != nil {
		t.Errorf("of one fabricator: %+v, want no choice", q.FabricatorChoice)
	}
}

// TestRuleIsChecked: a rule that is none, or that prefers nobody who is there, stops the start.
func TestRuleIsChecked(t *testing.T) {
	t.Parallel()
	d := setup(t)
	for rule, want := range map[string]string{"": "", "preferred near_by 5%": "", "best": "FABRICATORS_RULE", "preferred gone": `no fabricator is named "gone"`} {
		_, err := pricing.New(pricing.Config{Rule: rule}, d.Sim, d.keys, pricing.Ports{Fabricators: d.fabricators()}, zap.NewNop(), d.Now)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", rule, err, want)
		}
	}
}

// TestTableOfSeveral: each cell is of the fabricator that a quote of it would be of, at the
// same total, whoever offers which build.
func TestTableOfSeveral(t *testing.T) {
	t.Parallel()
	for _, rule := range []string{"cheapest", "fastest", "preferred b 5%", "preferred"} {
		d := setup(t)
		d.rule = rule
		m := d.makers(t, "a", "b")
		d.reads(t, twoLayers("board"))
		m["a"].price.Builds = []fabricator.Build{{Hours: 72, Name: "standard", Chosen: true}, {Hours: 24, Name: "express", Cents: 9000}}
		m["b"].price.Builds = []fabricator.Build{{Hours: 96, Name: "standard", Chosen: true}, {Hours: 48, Name: "quick", Cents: 500}, {Hours: 24, Name: "express", Cents: 1000}}
		m["b"].price.Lines[0].Cents = 1100
		d.n++
		request := contract.IDFrom(contract.RequestPrefix, d.Now(), string(rune(d.n)))
		c, err := contract.NewCommand(pricetables.Price, request, d.owner, d.Now(), pricetables.PriceData{Table: request, Upload: "u", Request: quotes.Request{StandardForUnstated: true}, Quantities: []int{10}})
		if err == nil {
			err = d.Send(t.Context(), c)
		}
		d.Run(d.Now().Add(10 * time.Second))
		table, err2 := aggregate.At[pricetables.PriceTable](d, contract.PriceTableAggregate, request).Load(t.Context())
		if err != nil || err2 != nil || len(table.State.Reply.Cells) < 2 {
			t.Fatalf("%s: %v, %v, cells %+v; want some", rule, err, err2, table.State.Reply.Cells)
		}
		for _, cell := range table.State.Reply.Cells {
			q := d.price(t, standard(func(r *quotes.Request) { r.BuildTimeHours = cell.QuoteRequest.BuildTimeHours }))
			if q.Terms.Fabricator != cell.Fabricator || *q.Reply.TotalCents != *cell.TotalCents {
				t.Errorf("%s: the cell of %d hours is of %s for %d; its quote of %s for %d", rule, *cell.BuildTimeHours, cell.Fabricator, *cell.TotalCents, q.Terms.Fabricator, *q.Reply.TotalCents)
			}
		}
	}
}

// TestPricedAgainElsewhere: a quote that is priced again is compared as it was chosen at
// checkout, and may be of another fabricator then.
func TestPricedAgainElsewhere(t *testing.T) {
	t.Parallel()
	d := setup(t)
	d.rule = "cheapest"
	m := d.makers(t, "a", "b")
	d.reads(t, twoLayers("board"))
	m["b"].price.Builds[1].Cents = 10 // in 24 hours it is the cheaper one
	m["b"].price.Lines[0].Cents = 1100
	again := standard(nil)
	again.Chosen = &quotes.Chosen{ShippingID: "fast", Shipping: "DHL Express", BuildHours: 24}
	if q := d.price(t, again); q.Terms.Fabricator != "b" || q.Terms.Shipping != "fast" || !strings.Contains(*q.Reply.LeadTime, "24") {
		t.Errorf("chosen again: terms %+v, %s; want b in 24 hours by the fast way", q.Terms, *q.Reply.LeadTime)
	}
	if q := d.price(t, standard(nil)); q.Terms.Fabricator != "a" {
		t.Errorf("as it comes: %s, want a", q.Terms.Fabricator)
	}
}

// TestOneChoiceWhateverHappens: however often a command comes and wherever its process ends,
// there is one quote, with the one choice that its rule makes of what is said.
func TestOneChoiceWhateverHappens(t *testing.T) {
	t.Parallel()
	crashes := 0
	for seed := range uint64(40) {
		d := rough(t, seed)
		d.rule = "cheapest"
		m := d.makers(t, "a", "b", "c")
		m["b"].err, m["c"].price.Lines[0].Cents = errAway, 900
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
		write(contract.BoardAggregate, "d", boardscontract.EventRead, boardscontract.ReadFiles{Digest: "d", Reader: "test", Boards: []boardscontract.Board{twoLayers("board")}, Files: []boardscontract.FileClass{{Name: "a.gbr", Format: "gerber"}}})
		write(contract.AccountAggregate, d.owner, accounts.EventOpened, accounts.Account{ID: d.owner, FabricatorRule: &accounts.FabricatorRule{Kind: accounts.Preferred, Percent: 1}})
		request := contract.IDFrom(contract.RequestPrefix, d.Now(), fmt.Sprint(seed))
		data := standard(nil)
		data.Quote = contract.SecretRef(d.keys.QuoteID(request))
		c, err := contract.NewCommand(quotes.Price, request, d.owner, d.Now(), data)
		if err != nil {
			t.Fatal(err)
		}
		insist(t, func() error { return d.Send(t.Context(), c) })
		d.Run(d.Now().Add(time.Hour))
		d.Calm()
		d.Run(d.Now().Add(time.Hour))
		crashes += d.Crashes()
		priced := slices.DeleteFunc(d.Events(contract.QuoteAggregate), func(e contract.Event) bool { return e.Name != quotes.EventPriced })
		var body contract.Body[quotes.Quote]
		if len(priced) != 1 || len(d.Dead) > 0 || json.Unmarshal(priced[0].Data, &body) != nil {
			t.Fatalf("seed %d: %d quotes, %d dead letters; want one quote", seed, len(priced), len(d.Dead))
		}
		if q := body.State; q.Terms.Fabricator != "c" || offersOf(q) != "a priced, b away, c chosen" || q.FabricatorChoice.Rule != "preferred 1%" {
			t.Errorf("seed %d: of %s, %+v; want c by the account's rule", seed, q.Terms.Fabricator, q.FabricatorChoice)
		}
	}
	if crashes == 0 {
		t.Error("no process ended")
	}
}
