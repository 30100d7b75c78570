package verdict_test

import (
	"fmt"
	"strings"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/passive"
	"boardorder/services/part-sourcing/internal/bom"
	"boardorder/services/part-sourcing/internal/identity"
	"boardorder/services/part-sourcing/internal/land"
	"boardorder/services/part-sourcing/internal/outside"
	"boardorder/services/part-sourcing/internal/part"
	"boardorder/services/part-sourcing/internal/verdict"
)

func line(l bom.Line, need int64) verdict.Line {
	if l.Refs == nil {
		l.Refs = []string{"U1"}
		if _, ok := passive.Parse(passive.Line{Ref: "R1", Value: l.Value, Footprint: l.Footprint}); ok {
			l.Refs = []string{"R1"}
		}
	}
	v := verdict.Line{Refs: l.Refs, Name: l.Value, Manufacturer: l.Manufacturer, Footprint: l.Footprint, PerBoard: 1, Need: need, ID: identity.Identify(&l, identity.Rail{})}
	v.Value, v.HasValue = passive.Parse(passive.Line{Ref: l.Refs[0], Value: l.Value, Footprint: l.Footprint})
	return v
}

func offer(number, maker, pkg string, stock int64) part.Offer {
	return part.Offer{
		Source: "distributor_a", Supplier: "D", SKU: number + "-ND", MPN: number, Manufacturer: maker, Package: pkg, Stock: stock, Minimum: 1, Multiple: 1, LeadDays: 42,
		Breaks: []part.Break{{Quantity: 1, Price: 1_000_000}}, Lifecycle: part.Active, Authorized: true,
	}
}

func changeOffer(o part.Offer, change func(*part.Offer)) part.Offer {
	change(&o)
	return o
}

func lineWithPads(l verdict.Line, pads int) verdict.Line {
	l.Pads = pads
	return l
}

// codeFacts are the facts of a line with a code: what the code is of, nothing with no
// number, and what else is sold.
func codeFacts(code string, of part.Offer, others ...part.Offer) verdict.Facts {
	c := verdict.Code{Query: part.Query{Scheme: part.FabCode, Number: code}}
	if of.MPN != "" {
		c.Offers = []part.Offer{of}
	}
	return verdict.Facts{Offers: append(c.Offers, others...), Codes: []verdict.Code{c}}
}

func consign(l verdict.Line) verdict.Line {
	l.Aside = "the customer sends it"
	return l
}

func TestOf(t *testing.T) {
	t.Parallel()
	chip := bom.Line{MPN: "LM358DR", Manufacturer: "TI", Footprint: "Package_SO:SOIC-8_3.9x4.9mm_P1.27mm"}
	wider := bom.Line{MPN: "LM358DR", Manufacturer: "TI", Footprint: "Package_SO:SOIC-8_5.23x5.23mm_P1.27mm"}
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
		{"none left", line(chip, 1), verdict.Facts{Offers: []part.Offer{offer("LM358DR", "TI", "SOIC-8", 0)}, Searched: searched}, "problem 0 out of stock at the fabricator and distributor A"},
		{"no price", line(chip, 1), verdict.Facts{Offers: []part.Offer{changeOffer(sold, func(o *part.Offer) { o.Breaks = nil })}, Searched: searched}, "problem 0 known at the fabricator and distributor A, but without a price"},
		{"not found", line(chip, 1), verdict.Facts{Searched: searched}, "problem 0 not found at the fabricator or distributor A"},
		{"not found anywhere", line(chip, 1), verdict.Facts{Searched: append(searched, "distributor_b", "aggregator")}, "problem 0 not found at the fabricator, distributor A, distributor B or the parts search"},
		{"all are down", line(chip, 1), verdict.Facts{Failed: map[string]outside.Kind{"distributor_a": outside.Unavailable, "distributor_b": outside.OverQuota}}, "checking 0 distributor A and distributor B could not be reached just now, so it is not known yet whether the part can be bought: ask again in a few minutes"},
		{"too few, and somebody is down", line(chip, 501), verdict.Facts{Offers: []part.Offer{sold}, Failed: map[string]outside.Kind{"distributor_b": outside.Unavailable}, Searched: searched}, "checking 0 distributor B could not be reached just now, so it is not known yet whether the part can be bought: ask again in a few minutes; 501 are needed; no single supplier that was searched sells so many, at most 500 are in stock"},
		{"enough, and somebody is down", line(chip, 100), verdict.Facts{Offers: []part.Offer{sold}, Failed: map[string]outside.Kind{"distributor_b": outside.Unavailable}}, "ok 10000 "},
		{"somebody is down", line(chip, 1), verdict.Facts{Searched: []string{"fab"}, Failed: map[string]outside.Kind{"distributor_a": outside.Unavailable}}, "checking 0 distributor A could not be reached just now, so it is not known yet whether the part can be bought: ask again in a few minutes; not found at the fabricator"},
		{"not answered yet", line(chip, 1), verdict.Facts{Pending: []string{"distributor_a"}}, "checking 0 "},
		{"another manufacturer", line(chip, 1), verdict.Facts{Offers: []part.Offer{offer("LM358DR", "STMicroelectronics", "SOIC-8", 9)}}, "check 100 the number is the same, the manufacturer is another one"},
		{"an allowed part of another manufacturer", line(bom.Line{MPN: "LM358DR", Manufacturer: "TI", Footprint: "SOIC-8", Alternates: []bom.Part{{MPN: "LM358ADR2G", Manufacturer: "onsemi"}}}, 1), verdict.Facts{Offers: []part.Offer{offer("LM358ADR2G", "ON Semiconductor", "SOIC-8", 9)}}, "ok 100 "},
		{"another package", line(chip, 1), verdict.Facts{Offers: []part.Offer{changeOffer(sold, func(o *part.Offer) { o.Package = "TSSOP-8" })}}, "check 100 the part comes in another package than the footprint is for"},
		{"a wider footprint", line(wider, 1), verdict.Facts{Offers: []part.Offer{changeOffer(sold, func(o *part.Offer) { o.Package = "8-SOIC (0.154\", 3.90mm Width)" })}}, "check 100 the part comes in another package than the footprint is for"},
		{"a wider footprint, a part of no width", line(wider, 1), verdict.Facts{Offers: []part.Offer{sold}}, "check 100 the footprint is for a body about 5.2 mm wide, and the part may be 3.9 mm wide, since its package is named without a width: compare the data sheets"},
		{"a wider footprint and part", line(wider, 1), verdict.Facts{Offers: []part.Offer{changeOffer(sold, func(o *part.Offer) { o.Package = "SOIC-8-208mil" })}}, "ok 100 "},
		{"wider pads", lineWithRows(line(bom.Line{MPN: "LM358DR", Footprint: "SO-8"}, 1), 9.3, 3.81), verdict.Facts{Offers: []part.Offer{sold}}, "check 100 the footprint is for a body about 7.5 mm wide, and the part may be 3.9 mm wide, since its package is named without a width: compare the data sheets"},
		{"narrow pads", lineWithRows(line(bom.Line{MPN: "LM358DR", Footprint: "SO-8"}, 1), 4.95, 3.81), verdict.Facts{Offers: []part.Offer{sold}}, "ok 100 "},
		{"other pads", lineWithPads(line(chip, 1), 14), verdict.Facts{Offers: []part.Offer{sold}}, "check 100 the footprint has 14 pads, the part 8 pins"},
		{"an exposed pad", lineWithPads(line(chip, 1), 9), verdict.Facts{Offers: []part.Offer{sold}}, "ok 100 "},
		{"another value", line(bom.Line{MPN: "RC0603FR-0710KL", Value: "4k7", Footprint: "0603"}, 1), verdict.Facts{Offers: []part.Offer{offer("RC0603FR-0710KL", "YAGEO", "0603", 9)}}, "check 100 the part is 10 kΩ, the list says 4.7 kΩ"},
		{"another size", line(bom.Line{MPN: "RC0603FR-0710KL", Value: "10k", Footprint: "0402"}, 1), verdict.Facts{Offers: []part.Offer{offer("RC0603FR-0710KL", "YAGEO", "", 9)}}, "check 100 the part comes in another package than the footprint is for"},
		{"code of another part", line(bom.Line{MPN: "NE555DR", FabCode: "C7950"}, 1), codeFacts("C7950", sold), "problem 0 the list names two parts: NE555DR, and C7950 is the code of LM358DR; which of them is meant?"},
		{"code of another part, the named one in stock", line(bom.Line{MPN: "NE555DR", FabCode: "C7950"}, 1), codeFacts("C7950", sold, offer("NE555DR", "TI", "SOIC-8", 9)), "problem 0 the list names two parts: NE555DR, and C7950 is the code of LM358DR; which of them is meant?"},
		{"code of a variant", line(bom.Line{MPN: "LM358DRM", FabCode: "C7950"}, 1), codeFacts("C7950", sold), "problem 0 the list names two parts: LM358DRM, and C7950 is the code of LM358DR; which of them is meant?"},
		{"code of the same part", line(bom.Line{MPN: "LM358DR", FabCode: "C7950"}, 1), codeFacts("C7950", sold), "ok 100 "},
		{"code of the same part, packed otherwise", line(bom.Line{MPN: "LM358DR-TR", FabCode: "C7950"}, 1), codeFacts("C7950", sold), "ok 100 "},
		{"a number that the code completes", line(bom.Line{MPN: "LM358", FabCode: "C7950"}, 1), codeFacts("C7950", sold), "check 100 the list has the beginning of the number only, and the code is that of LM358DR"},
		{"a code that nobody has", line(bom.Line{MPN: "LM358DR", FabCode: "C1"}, 1), codeFacts("C1", part.Offer{}, sold), "ok 100 nobody has the code C1; the part was found by its number"},
		{"a code of a weaker part", line(bom.Line{MPN: "RC0603FR-0710KL", FabCode: "C1"}, 1), codeFacts("C1", offer("RC0603JR-0710KL", "YAGEO", "0603", 9)), "problem 0 the list names two parts: RC0603FR-0710KL, and C1 is the code of RC0603JR-0710KL; which of them is meant?"},
		{"a code of a part that is no worse", line(bom.Line{MPN: "RC0603FR-0710KL", FabCode: "C1"}, 1), codeFacts("C1", offer("0603WAF1002T5E", "UNI-ROYAL", "0603", 9)), "ok 100 the code on the list is of 0603WAF1002T5E, which is no worse than the part that it names in anything that was compared"},
		{"two codes of two parts", line(bom.Line{FabCode: "C1", Codes: part.Codes{{Scheme: part.DigiKey, Number: "D1"}}}, 1), verdict.Facts{Offers: []part.Offer{sold}, Codes: []verdict.Code{{Query: part.Query{Scheme: part.FabCode, Number: "C1"}, Offers: []part.Offer{sold}}, {Query: part.Query{Scheme: part.DigiKey, Number: "D1"}, Offers: []part.Offer{offer("NE555DR", "TI", "", 5)}}}}, "problem 0 the list names two parts: LM358DR, and D1 is the code of NE555DR; which of them is meant?"},
		{"a code that is still compared", line(chip, 1), verdict.Facts{Offers: []part.Offer{sold}, Uncompared: true}, "checking 0 "},
		{"a code that cannot be compared", line(chip, 1), verdict.Facts{Offers: []part.Offer{sold}, Unasked: map[string]outside.Kind{"296-1-ND": outside.Unavailable}}, "check 100 the code 296-1-ND could not be compared just now"},
		{"consigned, of the footprint's package", consign(line(chip, 1)), verdict.Facts{Offers: []part.Offer{sold}}, "ok 0 the customer sends it"},
		{"consigned, of no name", consign(line(bom.Line{Value: "Connector"}, 1)), verdict.Facts{}, "ok 0 the customer sends it"},
		{"consigned, of another package", consign(line(chip, 1)), verdict.Facts{Offers: []part.Offer{changeOffer(sold, func(o *part.Offer) { o.Package = "TSSOP-8" })}}, "check 0 the customer sends it; the part comes in another package than the footprint is for"},
		{"guessed", line(bom.Line{Value: "LM358DR"}, 1), verdict.Facts{Offers: []part.Offer{sold}}, "check 100 the value was taken for a part number"},
		{"nameless", line(bom.Line{Value: "Connector"}, 1), verdict.Facts{}, "problem 0 it names no exact part: a part number is needed"},
		{"without a size", line(bom.Line{Value: "10k"}, 1), verdict.Facts{}, "problem 0 it names a value without a size: 10 kΩ"},
		{"passive by value", line(bom.Line{Value: "10k", Footprint: "0603"}, 1), verdict.Facts{Offers: []part.Offer{offer("RC0603FR-0710KL", "YAGEO", "0603", 9), offer("RC0603JR-0710KL", "YAGEO", "0603", 9)}}, "ok 100 any part of this specification: 10 kΩ 1 % 100 mW 0603; assumed: 1 %, at least 100 mW"},
		{"passive, only worse ones", line(bom.Line{Value: "10k", Footprint: "0603"}, 1), verdict.Facts{Offers: []part.Offer{offer("RC0603JR-0710KL", "YAGEO", "0603", 9)}, Searched: searched}, "problem 0 not found at the fabricator or distributor A"},
		{"ending", line(chip, 1), verdict.Facts{Offers: []part.Offer{changeOffer(sold, func(o *part.Offer) { o.Lifecycle = part.NRND })}}, "ok 100 not recommended for new designs"},
	} {
		p := verdict.Judge(tt.line, tt.facts)
		if got := fmt.Sprintf("%s %d %s", p.Verdict, p.CostCents, p.Why); got != tt.want {
			t.Errorf("%s: %s; want %s", tt.name, got, tt.want)
		}
		if p.Bought == 0 && p.Maker != tt.line.Manufacturer {
			t.Errorf("%s: nothing is bought, and the part is of %q; want %q, as the list has it", tt.name, p.Maker, tt.line.Manufacturer)
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
		t.Errorf("candidates %q, want 0603WAF1002T5E, ERJ-3EKF1002V and CRCW060310K0FKEA", numbers)
	}
	if s := verdict.Replacement(resistor, verdict.Facts{}, []part.Offer{offer("ERJ-3EKF1002V", "Panasonic", "", 1000), offer("ERJ-2RKF1002X", "Panasonic", "", 1000)}); s == nil || s.MPN != "ERJ-3EKF1002V" {
		t.Errorf("the replacement is %+v, want ERJ-3EKF1002V, which has the size", s)
	}
	chip := line(bom.Line{MPN: "TJA1050T/CM,118"}, 10)
	facts := verdict.Facts{Similar: []part.Similar{{MPN: "TJA1051T/3,118"}, {MPN: "TJA1050T/CM,118"}, {MPN: "tja1051t/3 118"}}}
	if q := verdict.Candidates(chip, facts); len(q) != 1 || q[0].Number != "TJA1051T/3,118" {
		t.Errorf("candidates for TJA1050T/CM,118: %+v, want TJA1051T/3,118 once", q)
	}
	short := verdict.Facts{Similar: []part.Similar{{MPN: "1N4148"}, {MPN: "1N4148W"}, {MPN: "1N4148WT-7"}}}
	if q := verdict.Candidates(line(bom.Line{MPN: "1N4148WT"}, 10), short); len(q) != 3 || q[0].Number != "1N4148WT-7" || q[1].Number != "1N4148" {
		t.Errorf("candidates for 1N4148WT: %+v, want 3, 1N4148WT-7 first as it has all of the number, then 1N4148", q)
	}
	if s := verdict.Replacement(chip, facts, []part.Offer{offer("TJA1051T/3,118", "NXP", "", 5)}); s != nil {
		t.Errorf("too few of them, and yet %+v", s)
	}
}

func TestSum(t *testing.T) {
	t.Parallel()
	s := verdict.Sum([]verdict.Part{{Verdict: verdict.OK, CostCents: 1000, Bought: 3}, {Verdict: verdict.Check, CostCents: 501, Bought: 1}, {Verdict: verdict.Problem}}, 10)
	if s.PartsCents != 1501 || s.PerBoardCents != 150 || s.Complete || s.Lines[verdict.OK] != 1 {
		t.Errorf("sum %+v, want 1501 cents, 150 a board, not complete, one line that is OK", s)
	}
}

// TestReplaced: a passive part that cannot be bought is bought as another one where all
// of it is known and the other is no worse in anything; what the list's text says is
// no knowledge. An active part is never swapped.
func TestReplaced(t *testing.T) {
	t.Parallel()
	const weak, strong = "CL21A106MQQNNNC", "CL21B106KAQNNNE" // 6.3 V X5R, 25 V X7R
	library := func(change func(*part.Offer)) verdict.Facts {
		o := offer("GRM21BZ71E106KE15L", "Murata", "0805", 0)
		o.Data = passive.Spec{Kind: passive.Capacitor, Value: 10_000_000_000, Size: "0805", Tolerance: 100_000, Voltage: 25_000, Dielectric: "X7R", Height: 1_350}
		change(&o)
		return codeFacts("C237493", o)
	}
	asIs := func(*part.Offer) {}
	code := bom.Line{FabCode: "C237493", Value: "10uF", Footprint: "C_0805_2012Metric"}
	for _, tt := range []struct {
		name  string
		line  bom.Line
		facts verdict.Facts
		by    string
		ok    bool
		offer bool // as similar_part
	}{
		{"a resistor", bom.Line{MPN: "RC0603FR-0710KL", Footprint: "0603"}, verdict.Facts{}, "ERJ-3EKF1002V", true, true},
		{"a resistor of less power", bom.Line{MPN: "ERJ-2RKF1002X", Footprint: "0402"}, verdict.Facts{}, "RC0402FR-0710KL", false, false},
		{"a resistor of a wider tolerance", bom.Line{MPN: "RC0603FR-0710KL", Footprint: "0603"}, verdict.Facts{}, "RC0603JR-0710KL", false, false},
		{"a resistor whose value says the same", bom.Line{MPN: "RC0603FR-0710KL", Value: "10k 1%", Footprint: "0603"}, verdict.Facts{}, "ERJ-3EKF1002V", true, true},
		{"a resistor whose value says more", bom.Line{MPN: "RC0603FR-0710KL", Value: "10k 0.1%", Footprint: "0603"}, verdict.Facts{}, "ERJ-3EKF1002V", false, true},
		{"a resistor whose value says another", bom.Line{MPN: "RC0603FR-0710KL", Value: "4k7", Footprint: "0603"}, verdict.Facts{}, "ERJ-3EKF1002V", false, true},
		{"a capacitor by its number", bom.Line{MPN: "CC0402KRX7R7BB104", Footprint: "0402"}, verdict.Facts{}, "CL05B104KO5NNNC", true, true},
		{"a capacitor of less voltage", bom.Line{MPN: "CC0402KRX7R9BB104", Footprint: "0402"}, verdict.Facts{}, "CL05B104KO5NNNC", false, false},
		{"an automotive capacitor", bom.Line{MPN: "GCM155R71H104KE02D", Footprint: "0402"}, verdict.Facts{}, "CC0402KRX7R9BB104", false, true},
		{"an automotive resistor", bom.Line{MPN: "AC0603FR-0710KL", Footprint: "0603"}, verdict.Facts{}, "0603WAF1002T5E", false, true},
		{"a code of which nobody knows anything", code, codeFacts("C237493", part.Offer{}), strong, false, true},
		{"such a code, and a weak part", code, codeFacts("C237493", part.Offer{}), weak, false, true},
		{"a code that the library knows", code, library(asIs), strong, true, true},
		{"a code that the library knows, and a weak part", code, library(asIs), weak, false, false},
		{"a code of which the height is not known", code, library(func(o *part.Offer) { o.Data.Height = 0 }), strong, false, true},
		{"a code of which the voltage is not known", code, library(func(o *part.Offer) { o.Data.Voltage = 0 }), strong, false, true},
		{"by the library's words", code, library(func(o *part.Offer) {
			o.Data, o.Description = passive.Spec{Height: 1_350}, "10uF ±10% 25V X7R 0805 Multilayer Ceramic Capacitors"
		}), strong, false, true},
	} {
		l := line(tt.line, 10)
		l.Name = "the named one"
		if tt.line.Value != "" {
			l.Refs = []string{"C1"}
			if tt.line.FabCode == "" {
				l.Refs = []string{"R1"}
			}
			l.Value, l.HasValue = passive.Parse(passive.Line{Ref: l.Refs[0], Value: tt.line.Value, Footprint: tt.line.Footprint})
		}
		p := verdict.Judge(l, tt.facts)
		p.Similar = verdict.Replacement(l, tt.facts, []part.Offer{offer(tt.by, "", "", 1000)})
		if (p.Similar != nil) != tt.offer {
			t.Errorf("%s: offered %+v, want any: %v", tt.name, p.Similar, tt.offer)
		}
		got, ok := verdict.Replace(l, p)
		if ok != tt.ok || ok && (got.MPN != tt.by || got.Replaces == "" || len(got.Compared) < 4 || passive.HasWorse(got.Compared)) || !ok && got.Bought > 0 {
			t.Errorf("%s: replaced %t: %+v; want %t by %s, compared in 4 ways at least, no worse", tt.name, ok, got, tt.ok, tt.by)
		}
	}
	chip := line(bom.Line{MPN: "TJA1050T/CM,118"}, 10)
	missing := verdict.Judge(chip, verdict.Facts{Searched: []string{"fab"}})
	if missing.Similar = verdict.Replacement(chip, verdict.Facts{}, []part.Offer{offer("TJA1051T/3,118", "NXP", "SO-8", 500)}); missing.Similar == nil {
		t.Fatal("nothing similar is offered at all")
	}
	if p, ok := verdict.Replace(chip, missing); ok || p.Bought != 0 {
		t.Errorf("an active part is swapped: %+v", p)
	}
}

// diode is a part in a package, as many have one number in common with others.
func diode(number, pkg string, stock int64) part.Offer { return offer(number, "", pkg, stock) }

// TestSimilarFits: a part is offered in another's place only where it comes in a case that
// the place may be for; of which that is not known is said.
func TestSimilarFits(t *testing.T) {
	t.Parallel()
	const unsaid, unplaced = "its package is not known", "the package that the place is for is not known"
	small, wired, bare := diode("1N4148WT-7", "SOD-523", 900), diode("1N4148", "DO-35", 900), diode("1N4148X", "", 900)
	for _, tt := range []struct {
		name      string
		footprint string
		of        []part.Offer // what suppliers say of the named part
		others    []part.Offer
		want, why string
	}{
		{"of the footprint's case", "D_SOD-523", nil, []part.Offer{small}, "1N4148WT-7", "without its packing"},
		{"through hole for lands", "D_SOD-523", nil, []part.Offer{wired}, "", ""},
		{"through hole for lands of a chip", "D_0603_1608Metric", nil, []part.Offer{wired}, "", ""},
		{"larger for smaller", "D_SOD-323", nil, []part.Offer{small}, "", ""},
		{"other than the named part's, no footprint", "", []part.Offer{diode("1N4148WT", "SOD-523", 0)}, []part.Offer{wired}, "", ""},
		{"as the named part's, no footprint", "", []part.Offer{diode("1N4148WT", "SOD-523", 0)}, []part.Offer{wired, small}, "1N4148WT-7", "without its packing"},
		{"the sure one before one that nobody knows", "D_SOD-523", nil, []part.Offer{bare, small}, "1N4148WT-7", "without its packing"},
		{"of a case that another supplier tells", "D_SOD-523", nil, []part.Offer{changeOffer(diode("1N4148", "", 900), cheap), wired}, "", ""},
		{"a part of no known case", "D_SOD-523", nil, []part.Offer{bare}, "1N4148X", unsaid},
		{"a place of no known case", "", nil, []part.Offer{wired}, "1N4148", unplaced},
		{"a footprint of the customer's own", "my_pattern", nil, []part.Offer{wired}, "1N4148", unplaced},
	} {
		l := line(bom.Line{MPN: "1N4148WT", Footprint: tt.footprint}, 10)
		f := verdict.Facts{Offers: tt.of, Similar: []part.Similar{{MPN: "1N4148", Relation: "Direct"}}}
		s := verdict.Replacement(l, f, tt.others)
		switch {
		case s == nil && tt.want != "", s != nil && s.MPN != tt.want:
			t.Errorf("%s: %+v, want %q", tt.name, s, tt.want)
		case s != nil && (!strings.Contains(s.Why, tt.why) || strings.Contains(s.Why, "not known") != strings.Contains(tt.why, "not known")):
			t.Errorf("%s: %q, want %q", tt.name, s.Why, tt.why)
		}
	}
}

// TestSecondSourceFits: of the parts that a list allows one in another case than the place
// is for is never bought, and one of which that is not known is one to look at.
func TestSecondSourceFits(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, footprint string
		offers          []part.Offer
		want, why       string
	}{
		{"both fit", "D_SOD-523", []part.Offer{diode("1N4148WT", "SOD-523", 0), diode("1N4148WX", "SOD-523", 900)}, "ok 1N4148WX", ""},
		{"the named one fits", "D_SOD-523", []part.Offer{changeOffer(diode("1N4148WX", "DO-35", 900), cheap), diode("1N4148WT", "SOD-523", 900)}, "ok 1N4148WT", ""},
		{"only the other is sold, in another case", "D_SOD-523", []part.Offer{diode("1N4148WT", "SOD-523", 0), diode("1N4148WX", "DO-35", 900)}, "problem ", "out of stock at any supplier; another part that the list allows, 1N4148WX, is sold, but in another package"},
		{"the same without a footprint", "", []part.Offer{diode("1N4148WT", "SOD-523", 0), diode("1N4148WX", "DO-35", 900)}, "problem ", "is sold, but in another package"},
		{"of a case that another supplier tells", "D_SOD-523", []part.Offer{diode("1N4148WX", "SOD-523", 0), diode("1N4148WX", "", 900)}, "ok 1N4148WX", ""},
		{"of no known case", "D_SOD-523", []part.Offer{diode("1N4148WT", "SOD-523", 0), diode("1N4148WX", "", 900)}, "check 1N4148WX", "its package is not known"},
		{"of a place of no known case", "", []part.Offer{diode("1N4148WX", "SOD-523", 900)}, "check 1N4148WX", "the package that the place is for is not known"},
		{"the named one does not fit", "D_SOD-523", []part.Offer{diode("1N4148WT", "SOD-123", 900)}, "check 1N4148WT", "another package than the footprint is for"},
	} {
		l := line(bom.Line{MPN: "1N4148WT", Footprint: tt.footprint, Alternates: []bom.Part{{MPN: "1N4148WX"}}}, 10)
		p := verdict.Judge(l, verdict.Facts{Offers: tt.offers})
		if got := string(p.Verdict) + " " + p.MPN; got != tt.want || !strings.Contains(p.Why, tt.why) || tt.why == "" && p.Why != "" {
			t.Errorf("%s: %s (%s), want %s (%s)", tt.name, got, p.Why, tt.want, tt.why)
		}
	}
}

func cheap(o *part.Offer) { o.Breaks = []part.Break{{Quantity: 1, Price: 1_000}} }

// TestOpenVoltage: where the list states no voltage the highest that costs the same is
// bought, and it is said; the voltage of the net decides where it is known.
func TestOpenVoltage(t *testing.T) {
	t.Parallel()
	priced := func(number string, micro part.Price) part.Offer {
		return changeOffer(offer(number, "", "0402", 100_000), func(o *part.Offer) { o.Breaks[0].Price = micro })
	}
	low, middle, high := priced("CC0402KRX7R6BB104", 1_000), priced("CL05B104KO5NNNC", 1_200), priced("CL05B104KB5NNNC", 40_000)
	for _, tt := range []struct {
		name, value string
		rail        int64
		want        string
	}{
		{"open", "100n", 0, "check CL05B104KO5NNNC"}, // 50 V costs more than a cent a board
		{"stated", "100n 50V", 0, "ok CL05B104KB5NNNC"},
		{"at 12 V", "100n", 12_000, "ok CL05B104KB5NNNC"},
		{"at 3.3 V", "100n", 3_300, "ok CC0402KRX7R6BB104"},
		{"a picofarad", "18p", 0, "problem "}, // of 50 V by custom
	} {
		l := verdict.Line{Refs: []string{"C1"}, PerBoard: 1, Need: 10}
		b := bom.Line{Refs: l.Refs, Value: tt.value, Footprint: "0402"}
		l.ID = identity.Identify(&b, identity.Rail{Millivolts: tt.rail, Net: "+12V"})
		p := verdict.Judge(l, verdict.Facts{Offers: []part.Offer{low, middle, high}})
		if got := string(p.Verdict) + " " + p.MPN; got != tt.want {
			t.Errorf("%s: %s (%s), want %s", tt.name, got, p.Why, tt.want)
		}
	}
}

// TestSmallCost: what costs less than half a cent says how much.
func TestSmallCost(t *testing.T) {
	t.Parallel()
	for micro, want := range map[part.Price]string{1_200: "0.0012", 4_999: "0.004999", 5_001: "0.01", 15_000: "0.02", 1_000_000: "1.00"} {
		o := changeOffer(offer("LM358DR", "TI", "SOIC-8", 9), func(o *part.Offer) { o.Breaks[0].Price = micro })
		if p := verdict.Judge(line(bom.Line{MPN: "LM358DR"}, 1), verdict.Facts{Offers: []part.Offer{o}}); p.CostUSD != want {
			t.Errorf("%d: %s, want %s", micro, p.CostUSD, want)
		}
	}
}

// TestDatasheet: the sheet of the part that is bought is named, another supplier's of
// the same part where the seller states none, and a replaced part's never.
func TestDatasheet(t *testing.T) {
	t.Parallel()
	chip := line(bom.Line{MPN: "LM358DR", Manufacturer: "TI"}, 10)
	silent := offer("LM358DR", "Texas Instruments", "SOIC-8", 500)
	dear := changeOffer(silent, func(o *part.Offer) {
		o.SKU, o.Datasheet, o.Breaks = "dear", "https://sheets.example/a.pdf", []part.Break{{Quantity: 1, Price: 9_000_000}}
	})
	for name, tt := range map[string]struct {
		offers []part.Offer
		want   string
	}{
		"none": {[]part.Offer{silent}, ""}, "another supplier's": {[]part.Offer{silent, dear}, "https://sheets.example/a.pdf"},
		"the seller's": {[]part.Offer{dear, changeOffer(silent, func(o *part.Offer) { o.Datasheet = "https://sheets.example/b.pdf" })}, "https://sheets.example/b.pdf"},
	} {
		if got := verdict.Judge(chip, verdict.Facts{Offers: tt.offers}); got.Datasheet != tt.want {
			t.Errorf("%s: %q, want %q", name, got.Datasheet, tt.want)
		}
	}
}

// TestPlaces: a part that is sold in a case that the pads at one of its places plainly are not
// for is a misfit, by its supplier's package or, where that is not known, by the list's.
func TestPlaces(t *testing.T) {
	t.Parallel()
	two := &land.Land{Nearest: 800_000, Pair: 1_600_000, Mirrored: 2, Around: []int{2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}}
	many := &land.Land{Nearest: 4_250_000, Mirrored: 48, Rows: 48, Around: []int{0, 0, 0, 0, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48}}
	for _, tt := range []struct {
		number, footprint, pack string
		at                      []verdict.Place
		want                    string
	}{
		{"STM32F103C8T6", "", "LQFP-48", []verdict.Place{{Ref: "U1", Land: many}, {Ref: "U7", Land: two}}, "the part does not fit the pads at U7: its place lies between the two pads of a smaller part, and it has 48 pins"},
		{"STM32F103C8T6", "LQFP-48", "", []verdict.Place{{Ref: "U1", Land: two}}, "at U1"},
		{"RC0603FR-0710KL", "", "", []verdict.Place{{Ref: "R1", Land: many}}, "at R1: 48 pads in rows lie round its place"},
		{"STM32F103C8T6", "", "LQFP-48", []verdict.Place{{Ref: "U1", Land: many}}, ""},
		{"RC0603FR-0710KL", "", "", []verdict.Place{{Ref: "R1", Land: two}}, ""},
		{"ESP-12F", "", "", []verdict.Place{{Ref: "U1", Land: two}}, ""},
		{"STM32F103C8T6", "", "LQFP-48", nil, ""},
	} {
		l := line(bom.Line{MPN: tt.number, Footprint: tt.footprint}, 10)
		l.Places = tt.at
		got := verdict.Judge(l, verdict.Facts{Offers: []part.Offer{offer(tt.number, "", tt.pack, 500)}})
		if got.Misfit != (tt.want != "") || !strings.Contains(got.Why, tt.want) {
			t.Errorf("%s in %q, footprint %q, at %+v: misfit %t, why %q; want misfit %t, why %q", tt.number, tt.pack, tt.footprint, tt.at, got.Misfit, got.Why, tt.want != "", tt.want)
		}
	}
}

// lineWithRows gives a line with pads whose middles lie in a box of so many millimetres.
func lineWithRows(l verdict.Line, width, height float64) verdict.Line {
	l.Lands = geom.Box{Max: geom.Pt(geom.MM(width), geom.MM(height))}
	return l
}
