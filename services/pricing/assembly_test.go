package pricing_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/flow"
)

// assemble stands for part sourcing: it answers each attempt with the next of
// what a test has set, and the last one again and again.
func (d *desk) assemble(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[assemblies.AssembleData](c)
	if err != nil {
		return err
	}
	a := assemblies.Assembly{Status: partchecks.Refused, Refusal: contract.Refuse(contract.NeedsPartNumbers, "The upload holds no bill of materials.")}
	if n := len(d.assembled); n > 0 {
		a = d.assembled[min(d.sourced, n-1)]
	}
	d.sourced++
	a.ID, a.Boards, a.Attempt, a.Command, a.StartedAt = data.Assembly, data.Boards, d.sourced, c.ID, d.Now()
	if a.Status != partchecks.Running {
		a.EndedAt = d.Now()
	}
	_, err = aggregate.At[assemblies.Assembly](d, contract.AssemblyAggregate, data.Assembly).Execute(ctx, c, d.Now(),
		func(aggregate.Snapshot[assemblies.Assembly]) (*aggregate.Change[assemblies.Assembly], error) {
			return &aggregate.Change[assemblies.Assembly]{Event: assemblies.EventSourced, State: a}, nil
		})
	return err
}

func assemblyPart(ref string, cents int64) assemblies.Part {
	p := assemblies.Part{Fitting: assemblies.Fitted, CostCents: cents, Found: partchecks.Found{Reference: ref, Part: "part of " + ref, Verdict: "ok", Bought: 20}}
	if cents == 0 {
		p.Bought, p.Verdict, p.Why, p.Searched = 0, "problem", "not found at fab", []string{"fab"}
	}
	return p
}

func assemblyWith(pending bool, parts ...assemblies.Part) assemblies.Assembly {
	a := assemblies.Assembly{
		Status: partchecks.Ended, Plan: &assemblies.Plan{Package: "boards/d/1/assembly.zip"}, Report: &partchecks.Report{},
		Price: &assemblies.Price{Service: "economic", Work: []prices.Line{{Label: "Assembly setup", Cents: 800}, {Label: "Stencil", Cents: 150}}, WorkCents: 950, Days: 2, Parts: parts},
	}
	for _, p := range parts {
		a.Price.PartsCents += p.CostCents
	}
	if pending {
		a.Report.RetryAfterS = 3
	}
	return a
}

func assembly(r *quotes.Request) {
	r.Assembly, r.ShipTo = true, &shipments.ShipTo{Country: "US", State: "TX"}
}

// TestAssembledPrices: what an assembly leads to.
func TestAssembledPrices(t *testing.T) {
	t.Parallel()
	misfit := assemblyPart("U1", 100)
	misfit.Misfit = true
	off := assemblies.Part{Fitting: assemblies.LeftOff, Found: partchecks.Found{Reference: "R9"}}
	unnamed := assemblyWith(false, assemblyPart("R1", 40), assemblyPart("J1", 0))
	unnamed.Plan.Unnamed = []contract.PartQuestion{{Reference: "J1", Why: "no number"}}
	unplaced := assemblyWith(false, assemblyPart("R1", 40))
	unplaced.Plan.OffBoard = []contract.PartQuestion{{Reference: "R2", Why: "no position"}}
	wrong := assemblyWith(false, assemblyPart("R1", 40))
	wrong.Plan.Substs = []assemblies.RequestedSub{{Applied: true}, {Why: "The line names another part than original_mpn."}}
	for name, tt := range map[string]struct {
		assembly assemblies.Assembly
		change   func(*quotes.Request)
		mode     string // or the code of the refusal
		unpriced int
		bare     bool
	}{
		"all have a price":         {assemblyWith(false, assemblyPart("R1", 40), off), nil, quotes.ModeInstant, 0, false},
		"one cannot be bought":     {assemblyWith(false, assemblyPart("R1", 40), assemblyPart("U1", 0)), nil, quotes.ModeReview, 1, true},
		"one does not fit":         {assemblyWith(false, misfit), nil, quotes.ModeReview, 1, true},
		"one names no part":        {unnamed, nil, string(contract.NeedsPartNumbers), 0, false},
		"... and the team chooses": {unnamed, func(r *quotes.Request) { r.StaffPicksParts = true }, quotes.ModeReview, 1, true},
		"one has no place":         {unplaced, nil, string(contract.OffBoardParts), 0, false},
		"another part replaced":    {wrong, nil, string(contract.InvalidRequest), 0, false},
		"the boards are special":   {assemblyWith(false, assemblyPart("U1", 0)), func(r *quotes.Request) { r.SpecialRequirements = true }, quotes.ModeReview, 1, false},
		"no list":                  {assemblies.Assembly{Status: partchecks.Refused, Refusal: contract.Refuse(contract.NeedsPartNumbers, "none")}, nil, string(contract.NeedsPartNumbers), 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := setup(t)
			d.reads(t, twoLayers("board"))
			d.assembled = []assemblies.Assembly{tt.assembly}
			request, refusal := d.do(t, quotes.Price, standard(func(r *quotes.Request) {
				assembly(r)
				if tt.change != nil {
					tt.change(r)
				}
			}))
			if refusal != nil {
				if string(refusal.Code) != tt.mode {
					t.Errorf("%+v, want %s", refusal, tt.mode)
				}
				return
			}
			q := d.quote(t, request)
			if q.Mode != tt.mode || len(q.Reply.UnpricedParts) != tt.unpriced || (q.Reply.FabricationQuote != nil) != tt.bare || q.Assembly == nil || !*q.Reply.Assembled {
				t.Fatalf("priced as %s: %+v; want %s with %d unpriced parts, bare boards apart %t, and the assembly", q.Mode, q, tt.mode, tt.unpriced, tt.bare)
			}
			if q.Mode == quotes.ModeInstant {
				d.checkLines(t, q)
			}
			if tt.bare {
				d.checkBare(t, q)
			}
		})
	}
}

func (d *desk) checkLines(t *testing.T, q quotes.Quote) {
	t.Helper()
	sum, labels := int64(0), ""
	for _, l := range q.Reply.Lines {
		sum += l.Cents
		labels += fmt.Sprintf("%s=%d\n", l.Label, l.Cents)
	}
	for _, want := range []string{"Assembly setup=800", "Stencil=150", "Parts=40"} {
		if !strings.Contains(labels, want) {
			t.Errorf("no %s in %s", want, labels)
		}
	}
	if sum != *q.Reply.TotalCents || q.Assembly.PartCents != 40 || q.Assembly.Package == "" {
		t.Errorf("the lines make %d, want the total of %d; assembly %+v, want parts of 40 cents and a package", sum, *q.Reply.TotalCents, q.Assembly)
	}
	// Another delivery keeps the assembly.
	to := shipments.ShipTo{Name: "Ada", Email: "ada@example.com", Phone: "+1 512 555 0100", Line1: "1 Main St", City: "Austin", State: "TX", PostalCode: "78701", Country: "US"}
	if _, refusal := d.do(t, quotes.ChooseDelivery, quotes.ChooseDeliveryData{Quote: q.Ref, ShipTo: to, Quantity: q.Request.Quantity + 1}); refusal == nil || len(refusal.Fields) != 1 || refusal.Fields[0].Field != "quantity" {
		t.Errorf("another number of assembled boards: %+v, want quantity refused", refusal)
	}
	if _, refusal := d.do(t, quotes.ChooseDelivery, quotes.ChooseDeliveryData{Quote: q.Ref, ShipTo: to}); refusal != nil {
		t.Fatalf("refused: %+v, want it granted", refusal)
	}
	now, err := aggregate.At[quotes.Quote](d, contract.QuoteAggregate, q.Ref).Load(t.Context())
	if err != nil || now.State.Version != 2 || *now.State.Reply.TotalCents <= 40+950 || !strings.Contains(fmt.Sprint(now.State.Reply.Lines), "Stencil") || now.State.Assembly == nil {
		t.Errorf("after the choice: %+v, %v; want version 2, above 990 cents, with a stencil and the assembly", now.State.Reply, err)
	}
	// So it does of what is said of the parts.
	for _, n := range q.Assembly.Notes {
		if !slices.Contains(now.State.Reply.Notes, n) {
			t.Errorf("notes after another delivery are %q, and lack %q", now.State.Reply.Notes, n)
		}
	}
	if len(q.Assembly.Notes) == 0 {
		t.Errorf("nothing is said of the parts: %+v, want notes", q.Assembly)
	}
}

// checkBare holds that the quote of the boards alone can be paid by itself.
func (d *desk) checkBare(t *testing.T, q quotes.Quote) {
	t.Helper()
	if q.Bare == nil || q.Bare.Ref != contract.SecretRef(d.keys.QuoteID(q.Bare.Request)) {
		t.Fatalf("bare boards of the quote: %+v, want a quote named by its request", q.Bare)
	}
	bare, err := aggregate.At[quotes.Quote](d, contract.QuoteAggregate, q.Bare.Ref).Load(t.Context())
	b := bare.State
	if err != nil || b.Mode != quotes.ModeInstant || b.Assembly != nil || b.Terms == nil || *b.Reply.TotalCents != q.Reply.FabricationQuote.TotalCents || b.Account != q.Account {
		t.Errorf("the quote of the boards alone: %+v, %v; want an instant price of %s at the total that was shown", b, err, q.Account)
	}
	if _, outcome := d.Outcome(q.Bare.Request); outcome {
		t.Error("the quote of the boards alone is the outcome of a request")
	}
}

// TestOwnPartsNote: the words name suppliers only where parts are bought.
func TestOwnPartsNote(t *testing.T) {
	t.Parallel()
	own := assemblies.Part{Fitting: assemblies.CustomerSupplied, Found: partchecks.Found{Reference: "U1"}}
	for name, c := range map[string]struct {
		assembly assemblies.Assembly
		want     string
	}{
		"all are the customer's":  {assemblyWith(false, own), "All boards are assembled; no parts are bought"},
		"some are the customer's": {assemblyWith(false, own, assemblyPart("R1", 40)), "All boards are assembled; the price of parts was found at suppliers"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := setup(t)
			d.reads(t, twoLayers("board"))
			d.assembled = []assemblies.Assembly{c.assembly}
			request, refusal := d.do(t, quotes.Price, standard(assembly))
			if refusal != nil {
				t.Fatalf("a price of assembled boards was refused: %+v", refusal)
			}
			if notes := strings.Join(d.quote(t, request).Reply.Notes, " "); !strings.Contains(notes, c.want) {
				t.Errorf("notes %q lack %q", notes, c.want)
			}
		})
	}
}

// TestSuppliersThatAreSlow: parts that suppliers have not answered about are asked
// for again; after two and a half minutes the team gets the quote.
func TestSuppliersThatAreSlow(t *testing.T) {
	t.Parallel()
	late := assemblyWith(true, assemblyPart("U1", 0))
	t.Run("in time", func(t *testing.T) {
		t.Parallel()
		d := setup(t)
		d.reads(t, twoLayers("board"))
		d.assembled = []assemblies.Assembly{late, assemblyWith(false, assemblyPart("U1", 70))}
		request, refusal := d.do(t, quotes.Price, standard(assembly))
		if q := d.quote(t, request); refusal != nil || q.Mode != quotes.ModeInstant || d.sourced != 2 {
			t.Errorf("%v, %s after %d attempts; want it granted, %s after 2", refusal, q.Mode, d.sourced, quotes.ModeInstant)
		}
	})
	t.Run("never", func(t *testing.T) {
		t.Parallel()
		d := setup(t)
		d.reads(t, twoLayers("board"))
		d.assembled = []assemblies.Assembly{late}
		request, _ := d.do(t, quotes.Price, standard(assembly))
		if _, settled := d.Outcome(request); settled {
			t.Fatal("the quote did not wait")
		}
		d.Run(d.Now().Add(3 * time.Minute))
		q := d.quote(t, request)
		if q.Mode != quotes.ModeReview || len(q.Reply.CustomQuoteReasons) < 2 || q.Reply.FabricationQuote == nil {
			t.Errorf("priced as %s for %v; want %s for two reasons, and the boards alone", q.Mode, q.Reply.CustomQuoteReasons, quotes.ModeReview)
		}
	})
}
