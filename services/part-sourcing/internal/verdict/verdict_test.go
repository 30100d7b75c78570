package verdict_test

import (
	"fmt"
	"testing"

	"boardorder/pkg/passive"
	"boardorder/services/part-sourcing/internal/bom"
	"boardorder/services/part-sourcing/internal/identity"
	"boardorder/services/part-sourcing/internal/outside"
	"boardorder/services/part-sourcing/internal/part"
	"boardorder/services/part-sourcing/internal/verdict"
)

func line(l bom.Line, need int64) verdict.Line {
	l.Refs = []string{"U1"}
	if _, ok := passive.Parse(passive.Line{Ref: "R1", Value: l.Value, Footprint: l.Footprint}); ok {
		l.Refs = []string{"R1"}
	}
	v := verdict.Line{Refs: l.Refs, Name: l.Value, Manufacturer: l.Manufacturer, Footprint: l.Footprint, PerBoard: 1, Need: need, ID: identity.Of(&l)}
	v.Value, v.HasValue = passive.Parse(passive.Line{Ref: l.Refs[0], Value: l.Value, Footprint: l.Footprint})
	return v
}

func offer(number, maker, pkg string, stock int64) part.Offer {
	return part.Offer{
		Source: "distributor_a", Supplier: "D", SKU: number + "-ND", MPN: number, Manufacturer: maker, Package: pkg, Stock: stock, Minimum: 1, Multiple: 1, LeadDays: 42,
		Breaks: []part.Break{{Quantity: 1, Price: 1_000_000}}, Lifecycle: part.Active, Authorized: true,
	}
}

func with(o part.Offer, change func(*part.Offer)) part.Offer {
	change(&o)
	return o
}

func withPads(l verdict.Line, pads int) verdict.Line {
	l.Pads = pads
	return l
}

func TestOf(t *testing.T) {
	t.Parallel()
	chip := bom.Line{MPN: "LM358DR", Manufacturer: "TI", Footprint: "Package_SO:SOIC-8_3.9x4.9mm_P1.27mm"}
	sold := offer("LM358DR", "Texas Instruments", "SOIC-8", 500)
	searched := []string{"fab", "distributor_a"}
	for _, tt := range []struct {
		name  string
		line  verdict.Line
		facts verdict.Facts
		want  string
	}{
		{"in stock", line(chip, 100), verdict.Facts{Offers: []part.Offer{sold}}, "ok 10000 "},
		{"too few", line(chip, 501), verdict.Facts{Offers: []part.Offer{sold}, Searched: searched}, "problem 0 501 are needed; no single supplier that was searched sells so many, at most 500 are in stock"},
		{"none left", line(chip, 1), verdict.Facts{Offers: []part.Offer{offer("LM358DR", "TI", "SOIC-8", 0)}, Searched: searched}, "problem 0 out of stock at fab, distributor_a"},
		{"no price", line(chip, 1), verdict.Facts{Offers: []part.Offer{with(sold, func(o *part.Offer) { o.Breaks = nil })}, Searched: searched}, "problem 0 known at fab, distributor_a, but without a price"},
		{"not found", line(chip, 1), verdict.Facts{Searched: searched}, "problem 0 not found at fab, distributor_a"},
		{"somebody is down", line(chip, 1), verdict.Facts{Searched: []string{"fab"}, Failed: map[string]outside.Kind{"distributor_a": outside.Unavailable}}, "check 0 not found at fab; distributor_a could not be asked just now"},
		{"not answered yet", line(chip, 1), verdict.Facts{Pending: []string{"distributor_a"}}, "checking 0 "},
		{"another manufacturer", line(chip, 1), verdict.Facts{Offers: []part.Offer{offer("LM358DR", "STMicroelectronics", "SOIC-8", 9)}}, "check 100 the number is the same, the manufacturer is another one"},
		{"an allowed part of another manufacturer", line(bom.Line{MPN: "LM358DR", Manufacturer: "TI", Alternates: []bom.Part{{MPN: "LM358ADR2G", Manufacturer: "onsemi"}}}, 1), verdict.Facts{Offers: []part.Offer{offer("LM358ADR2G", "ON Semiconductor", "SOIC-8", 9)}}, "ok 100 "},
		{"another package", line(chip, 1), verdict.Facts{Offers: []part.Offer{with(sold, func(o *part.Offer) { o.Package = "TSSOP-8" })}}, "check 100 the part comes in another package than the footprint is for"},
		{"other pads", withPads(line(chip, 1), 14), verdict.Facts{Offers: []part.Offer{sold}}, "check 100 the footprint has 14 pads, the part 8 pins"},
		{"an exposed pad", withPads(line(chip, 1), 9), verdict.Facts{Offers: []part.Offer{sold}}, "ok 100 "},
		{"another value", line(bom.Line{MPN: "RC0603FR-0710KL", Value: "4k7", Footprint: "0603"}, 1), verdict.Facts{Offers: []part.Offer{offer("RC0603FR-0710KL", "YAGEO", "0603", 9)}}, "check 100 the part is 10 kΩ, the list says 4.7 kΩ"},
		{"another size", line(bom.Line{MPN: "RC0603FR-0710KL", Value: "10k", Footprint: "0402"}, 1), verdict.Facts{Offers: []part.Offer{offer("RC0603FR-0710KL", "YAGEO", "", 9)}}, "check 100 the part comes in another package than the footprint is for"},
		{"code of another part", line(bom.Line{MPN: "NE555DR", FabCode: "C7950"}, 1), verdict.Facts{Offers: []part.Offer{sold}}, "check 100 the code of the supplier is that of another part than the list names: LM358DR"},
		{"guessed", line(bom.Line{Value: "LM358DR"}, 1), verdict.Facts{Offers: []part.Offer{sold}}, "check 100 the value was taken for a part number"},
		{"nameless", line(bom.Line{Value: "Connector"}, 1), verdict.Facts{}, "problem 0 it names no exact part: a part number is needed"},
		{"without a size", line(bom.Line{Value: "10k"}, 1), verdict.Facts{}, "problem 0 it names a value without a size: 10 kΩ"},
		{"passive by value", line(bom.Line{Value: "10k", Footprint: "0603"}, 1), verdict.Facts{Offers: []part.Offer{offer("RC0603FR-0710KL", "YAGEO", "0603", 9), offer("RC0603JR-0710KL", "YAGEO", "0603", 9)}}, "ok 100 any part of this specification: 10 kΩ 1 % 100 mW 0603; assumed: 1 %, at least 100 mW"},
		{"passive, only worse ones", line(bom.Line{Value: "10k", Footprint: "0603"}, 1), verdict.Facts{Offers: []part.Offer{offer("RC0603JR-0710KL", "YAGEO", "0603", 9)}, Searched: searched}, "problem 0 not found at fab, distributor_a"},
		{"ending", line(chip, 1), verdict.Facts{Offers: []part.Offer{with(sold, func(o *part.Offer) { o.Lifecycle = part.NRND })}}, "ok 100 not recommended for new designs"},
	} {
		p := verdict.Of(tt.line, tt.facts)
		if got := fmt.Sprintf("%s %d %s", p.Verdict, p.CostCents, p.Why); got != tt.want {
			t.Errorf("%s: %s; want %s", tt.name, got, tt.want)
		}
	}
}

func TestSimilar(t *testing.T) {
	t.Parallel()
	resistor := line(bom.Line{MPN: "RC0603FR-0710KL", Footprint: "0603"}, 100)
	var numbers []string
	for _, q := range verdict.Candidates(resistor, verdict.Facts{}) {
		numbers = append(numbers, q.Number)
	}
	if fmt.Sprint(numbers) != "[0603WAF1002T5E ERJ-3EKF1002V CRCW060310K0FKEA]" {
		t.Error(numbers)
	}
	if s := verdict.Replacement(resistor, []part.Offer{offer("ERJ-3EKF1002V", "Panasonic", "", 1000), offer("ERJ-2RKF1002X", "Panasonic", "", 1000)}); s == nil || s.MPN != "ERJ-3EKF1002V" {
		t.Errorf("%+v", s)
	}
	chip := line(bom.Line{MPN: "TJA1050T/CM,118"}, 10)
	facts := verdict.Facts{Similar: []part.Similar{{MPN: "TJA1051T/3,118"}, {MPN: "TJA1050T/CM,118"}, {MPN: "tja1051t/3 118"}}}
	if q := verdict.Candidates(chip, facts); len(q) != 1 || q[0].Number != "TJA1051T/3,118" {
		t.Errorf("%+v", q)
	}
	if s := verdict.Replacement(chip, []part.Offer{offer("TJA1051T/3,118", "NXP", "", 5)}); s != nil {
		t.Errorf("too few of them, and yet %+v", s)
	}
}

func TestSum(t *testing.T) {
	t.Parallel()
	s := verdict.Sum([]verdict.Part{{Verdict: verdict.OK, CostCents: 1000, Bought: 3}, {Verdict: verdict.Check, CostCents: 501, Bought: 1}, {Verdict: verdict.Problem}}, 10)
	if s.PartsCents != 1501 || s.PerBoardCents != 150 || s.Complete || s.Lines[verdict.OK] != 1 {
		t.Errorf("%+v", s)
	}
}

// TestReplaced: only a passive part that its number names exactly is bought in
// another make of its specification; an active one never is.
func TestReplaced(t *testing.T) {
	t.Parallel()
	stand := func(l verdict.Line, o part.Offer) verdict.Part {
		p := verdict.Of(l, verdict.Facts{Searched: []string{"fab"}})
		p.Similar = verdict.Replacement(l, []part.Offer{o})
		return p
	}
	resistor := line(bom.Line{MPN: "RC0603FR-0710KL", Footprint: "0603"}, 100)
	if p, ok := verdict.Replaced(resistor, stand(resistor, offer("ERJ-3EKF1002V", "Panasonic", "0603", 1000))); !ok || p.Bought < 100 || p.Choice.Offer.MPN != "ERJ-3EKF1002V" {
		t.Errorf("a passive part: %t %+v", ok, p)
	}
	chip := line(bom.Line{MPN: "TJA1050T/CM,118"}, 10)
	missing := stand(chip, offer("TJA1051T/3,118", "NXP", "SO-8", 500))
	if missing.Similar == nil {
		t.Fatal("nothing similar is offered at all")
	}
	if p, ok := verdict.Replaced(chip, missing); ok || p.Bought != 0 {
		t.Errorf("an active part is swapped: %+v", p)
	}
	there := verdict.Of(resistor, verdict.Facts{Offers: []part.Offer{offer("RC0603FR-0710KL", "YAGEO", "0603", 1000)}})
	there.Similar = missing.Similar
	if _, ok := verdict.Replaced(resistor, there); ok {
		t.Error("a part that can be bought is swapped")
	}
}

// TestDatasheet: the sheet of the part that is bought is named, another supplier's of
// the same part where the seller states none, and a replaced part's never.
func TestDatasheet(t *testing.T) {
	t.Parallel()
	chip := line(bom.Line{MPN: "LM358DR", Manufacturer: "TI"}, 10)
	silent := offer("LM358DR", "Texas Instruments", "SOIC-8", 500)
	dear := with(silent, func(o *part.Offer) {
		o.SKU, o.Datasheet, o.Breaks = "dear", "https://sheets.example/a.pdf", []part.Break{{Quantity: 1, Price: 9_000_000}}
	})
	for name, tt := range map[string]struct {
		offers []part.Offer
		want   string
	}{
		"none": {[]part.Offer{silent}, ""}, "another supplier's": {[]part.Offer{silent, dear}, "https://sheets.example/a.pdf"},
		"the seller's": {[]part.Offer{dear, with(silent, func(o *part.Offer) { o.Datasheet = "https://sheets.example/b.pdf" })}, "https://sheets.example/b.pdf"},
	} {
		if got := verdict.Of(chip, verdict.Facts{Offers: tt.offers}); got.Datasheet != tt.want {
			t.Errorf("%s: %q, want %q", name, got.Datasheet, tt.want)
		}
	}
}
