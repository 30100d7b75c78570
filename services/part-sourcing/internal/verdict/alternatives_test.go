package verdict_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"boardorder/services/part-sourcing/internal/bom"
	"boardorder/services/part-sourcing/internal/part"
	"boardorder/services/part-sourcing/internal/verdict"
)

func names(list []verdict.Alternative) string {
	var out []string
	for _, a := range list {
		out = append(out, fmt.Sprintf("%s %d", a.MPN, a.Score))
	}
	return strings.Join(out, ", ")
}

func reasonOf(a verdict.Alternative, property string) string {
	for _, r := range a.Reasons {
		if r.Property == property {
			return r.Is + ": " + r.Named + ", " + r.Offered
		}
	}
	return ""
}

// TestAlternativesOfACapacitor: what is known to be no worse comes first, what is known to be worse
// in value, size, tolerance, voltage or dielectric is never offered, and what is not known is said.
func TestAlternativesOfACapacitor(t *testing.T) {
	t.Parallel()
	named := line(bom.Line{MPN: "GRM188R71E104KA01D", Footprint: "C_0603_1608Metric"}, 100) // 100 nF 25 V X7R 10 %
	gone := offer("GRM188R71E104KA01D", "Murata", "0603", 0)
	facts := verdict.Facts{Offers: []part.Offer{gone}, Searched: []string{"fab", "distributor_a"}}
	cap := func(number, maker, size string, change func(*part.Offer)) part.Offer {
		o := offer(number, maker, size, 50_000)
		if change != nil {
			change(&o)
		}
		return o
	}
	offers := []part.Offer{
		cap("GRM188R71E104KA01D", "Murata", "0603", nil),                                // the part itself
		cap("CL10B104KB8NNNC", "Samsung", "0603", nil),                                  // 50 V
		cap("CC0603KRX7R9BB104", "YAGEO", "0603", nil),                                  // 50 V
		cap("GRM188R70J104KA01D", "Murata", "0603", nil),                                // 6.3 V
		cap("GRM188R71C104KA01D", "Murata", "0603", nil),                                // 16 V
		cap("GRM188R61E104KA01D", "Murata", "0603", nil),                                // X5R
		cap("GRM188R71E104MA01D", "Murata", "0603", nil),                                // 20 %
		cap("GRM155R71E104KA88D", "Murata", "0402", nil),                                // another size
		cap("GRM188R71E103KA01D", "Murata", "0603", nil),                                // 10 nF
		cap("NOBODY-KNOWS-0001", "Somebody", "0603", nil),                               // nothing is known of it
		cap("CL10B104KA8NNNC", "Samsung", "0603", func(o *part.Offer) { o.Stock = 99 }), // too few
		cap("CL10B104KO8NNNC", "Samsung", "0603", func(o *part.Offer) { o.Lifecycle = part.Obsolete }),
	}
	p := verdict.Judge(named, facts)
	got := verdict.Alternatives(named, facts, p, offers)
	for _, a := range got {
		if v := reasonOf(a, "voltage"); !strings.HasPrefix(v, verdict.Same) && !strings.HasPrefix(v, verdict.Better) {
			t.Errorf("%s is offered for 25 V with voltage %q, want the same or better", a.MPN, v)
		}
		if a.Reasons == nil || a.Score < 0 || a.Score > 100 || reasonOf(a, "package") == "" || reasonOf(a, "stock") == "" || reasonOf(a, "price") == "" || reasonOf(a, "lifecycle") == "" {
			t.Errorf("%s has %d and the reasons %+v, want 0 to 100, and package, stock, price and lifecycle among them", a.MPN, a.Score, a.Reasons)
		}
		if a.NoWorse != (a.Score >= 70) {
			t.Errorf("%s is no worse: %t with %d, want 70 or more for that alone", a.MPN, a.NoWorse, a.Score)
		}
	}
	var numbers []string
	for _, a := range got {
		numbers = append(numbers, a.MPN)
	}
	slices.Sort(numbers)
	if want := []string{"CC0603KRX7R9BB104", "CL10B104KB8NNNC"}; !slices.Equal(numbers, want) {
		t.Errorf("offered %s, want %q and nothing else", names(got), want)
	}
}

// TestWhatIsNotCertainRanksBelow: an alternative of which something is not known never stands
// above one that is no worse, however cheap and plentiful it is, and one that is worse below both.
func TestWhatIsNotCertainRanksBelow(t *testing.T) {
	t.Parallel()
	named := line(bom.Line{MPN: "RC0603FR-0710KL", Footprint: "0603"}, 100)
	facts := verdict.Facts{Offers: []part.Offer{changeOffer(offer("RC0603FR-0710KL", "YAGEO", "0603", 0), func(o *part.Offer) { o.Lifecycle = part.Active })}, Searched: []string{"fab"}}
	dear := changeOffer(offer("AC0603FR-0710KL", "YAGEO", "0603", 100), func(o *part.Offer) { o.Breaks[0].Price, o.Lifecycle = 50_000_000, part.NRND })
	cheap := changeOffer(offer("0603WAF1002T5E", "UNI-ROYAL", "", 900_000), func(o *part.Offer) { o.Breaks = []part.Break{{Quantity: 1, Price: 1000}} })
	p := verdict.Judge(named, facts)
	got := verdict.Alternatives(named, facts, p, []part.Offer{cheap, dear})
	for i, a := range got {
		for _, b := range got[i+1:] {
			if b.NoWorse && !a.NoWorse || a.Score < b.Score {
				t.Errorf("%s: %s stands above %s", names(got), a.MPN, b.MPN)
			}
		}
	}
	if len(got) == 0 {
		t.Error("nothing is offered")
	}
}

// TestAlternativesOfAChip: nothing but the supplier's word, the package and the number is known
// of it, so none is certain; one in another package is not offered.
func TestAlternativesOfAChip(t *testing.T) {
	t.Parallel()
	named := line(bom.Line{MPN: "LM358DR", Manufacturer: "TI", Footprint: "SOIC-8"}, 10)
	facts := verdict.Facts{Offers: []part.Offer{offer("LM358DR", "Texas Instruments", "SOIC-8", 0)}, Similar: []part.Similar{{MPN: "LM2904DR", Relation: "Direct"}}, Searched: []string{"fab"}}
	p := verdict.Judge(named, facts)
	got := verdict.Alternatives(named, facts, p, []part.Offer{
		offer("LM2904DR", "Texas Instruments", "SOIC-8", 1000), offer("LM2904PWR", "Texas Instruments", "TSSOP-8", 1000), offer("LM2904X", "Texas Instruments", "", 1000), offer("", "nobody", "SOIC-8", 1000),
	})
	if len(got) != 2 || got[0].MPN != "LM2904DR" || got[1].MPN != "LM2904X" || got[0].NoWorse || got[0].Score >= 60 || got[0].Score < 30 || got[1].Score >= got[0].Score {
		t.Errorf("offered %s, want LM2904DR and, below it, LM2904X, both of 30 to 59", names(got))
	}
	if len(got) > 0 && (!strings.HasPrefix(reasonOf(got[0], "named_by"), verdict.Unknown) || !strings.HasPrefix(reasonOf(got[0], "package"), verdict.Same)) {
		t.Errorf("reasons %+v, want whose word it is, and the same package", got[0].Reasons)
	}
}

// TestThousandAlternatives: five at most, whatever suppliers answer, and names are only repeated.
func TestThousandAlternatives(t *testing.T) {
	t.Parallel()
	named := line(bom.Line{MPN: "LM358DR", Manufacturer: "TI", Footprint: "SOIC-8"}, 10)
	facts := verdict.Facts{Offers: []part.Offer{offer("LM358DR", "Texas Instruments", "SOIC-8", 0)}, Searched: []string{"fab"}}
	var offers []part.Offer
	for i := range 1000 {
		o := offer(fmt.Sprintf("<script>alert(%d)</script>", i), "<b>Maker</b>", "SOIC-8", int64(1000+i))
		o.Breaks = []part.Break{{Quantity: 1, Price: part.MaxPrice - part.Price(i)}}
		offers = append(offers, o, o)
	}
	got := verdict.Alternatives(named, facts, verdict.Judge(named, facts), offers)
	if len(got) != verdict.MaxAlternatives {
		t.Errorf("%d are offered, want %d", len(got), verdict.MaxAlternatives)
	}
	if got := verdict.Alternatives(named, facts, verdict.Judge(named, facts), nil); len(got) != 0 {
		t.Errorf("%s of nothing", names(got))
	}
	aside := verdict.Judge(consign(named), facts)
	if got := verdict.Alternatives(consign(named), facts, aside, offers); len(got) != 0 {
		t.Errorf("%s for a part that the customer sends", names(got))
	}
}

// TestLesserAndUnknownCapacitors: what a part from another series may lack is said and ranks lowest;
// where the named part is not known its own words count, what they leave open is said to be assumed, and less
// voltage than they state is never offered.
func TestLesserAndUnknownCapacitors(t *testing.T) {
	t.Parallel()
	high, low := offer("CL10B104KB8NNNC", "Samsung", "0603", 50_000), offer("GRM188R70J104KA01D", "Murata", "0603", 50_000) // 50 V, 6.3 V
	for name, tt := range map[string]struct {
		line     bom.Line
		named    string
		least    int
		most     int
		property string
		is       string
	}{
		"for a car":           {bom.Line{MPN: "GCM188R71E104KA57D", Footprint: "0603"}, "GCM188R71E104KA57D", 0, 25, "grade", verdict.Worse},
		"nobody knows it":     {bom.Line{MPN: "XYZ-CAP-1", Value: "100n", Footprint: "0603"}, "XYZ-CAP-1", 30, 59, "assumed", verdict.Unknown},
		"its words state 25V": {bom.Line{MPN: "XYZ-CAP-1", Value: "100n 25V", Footprint: "0603"}, "XYZ-CAP-1", 30, 59, "voltage", verdict.Better},
		"a value alone":       {bom.Line{Value: "100n 25V", Footprint: "0603"}, "GRM188R71E104KA01D", 30, 59, "voltage", verdict.Better},
	} {
		for _, ref := range []string{"C1", "U1", "X7"} { // whatever the list calls it
			tt.line.Refs = []string{ref}
			l := line(tt.line, 100)
			facts := verdict.Facts{Offers: []part.Offer{offer(tt.named, "Murata", "0603", 0)}, Searched: []string{"fab"}}
			if s := verdict.Replacement(l, facts, []part.Offer{low}); s != nil {
				t.Errorf("%s, %s: %s stands in, want none of 6.3 V", name, ref, s.MPN)
			}
			got := verdict.Alternatives(l, facts, verdict.Judge(l, facts), []part.Offer{low, high})
			if len(got) != 1 || got[0].MPN != high.MPN || got[0].NoWorse || got[0].Score < tt.least || got[0].Score > tt.most || !strings.HasPrefix(reasonOf(got[0], tt.property), tt.is) {
				t.Errorf("%s, %s: %s, %+v; want %s alone with %d to %d, and %s in %s", name, ref, names(got), got, high.MPN, tt.least, tt.most, tt.is, tt.property)
			}
		}
	}
}
