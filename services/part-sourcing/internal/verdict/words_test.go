package verdict

import (
	"fmt"
	"strings"
	"testing"

	"boardorder/pkg/passive"
	"boardorder/services/part-sourcing/internal/casecode"
	"boardorder/services/part-sourcing/internal/cost"
	"boardorder/services/part-sourcing/internal/identity"
	"boardorder/services/part-sourcing/internal/outside"
	"boardorder/services/part-sourcing/internal/part"
)

// TestShares: what is bought at once for several lines is divided among them to the cent,
// whatever their sizes; a line for itself has all of it.
func TestShares(t *testing.T) {
	t.Parallel()
	for _, needs := range [][]int64{{1}, {1, 1, 1}, {10, 1, 7}, {3, 3, 3, 3, 3, 3, 3}, {1_000_000, 1}, {1, 0, 2}} {
		pool := int64(0)
		for _, n := range needs {
			pool += n
		}
		for _, amount := range []int64{0, 1, 2, 99, 100, 1_000_000_007} {
			sum, before := int64(0), int64(0)
			for _, n := range needs {
				l := Line{Need: n, Pool: pool, Before: before}
				got := l.share(amount)
				if exact := float64(amount) * float64(n) / float64(pool); float64(got) < exact-1 || float64(got) > exact+1 {
					t.Errorf("a line of %d of %d has %d of %d, want %.1f within one", n, pool, got, amount, exact)
				}
				sum, before = sum+got, before+n
			}
			if sum != amount {
				t.Errorf("lines of %v have %d together, want all of %d", needs, sum, amount)
			}
		}
	}
	alone := Line{Need: 5}
	if got, whole := alone.share(77), alone.Whole(); got != 77 || whole != 5 {
		t.Errorf("a line of 5 for itself has %d of 77 and buys %d, want all and 5", got, whole)
	}
	if got := Portion(1<<62, 1<<40, 1<<41); got != 1<<61 {
		t.Errorf("half of 2^62 is %d, want 2^61", got)
	}
}

// TestVoltages: voltages that words and numbers of regulators name, each in one way of writing;
// digits that belong to something else are none.
func TestVoltages(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"5V": "5", "5 V": "5", "5.0V": "5", "5,0 V": "5", "3.3V": "3.3", "3V3": "3.3", "1V8": "1.8", "12v": "12", "LDO 3.3V 1A": "3.3", "fixed 5V regulator": "5", "(5V)": "5",
		"5V 3.3V": "5 3.3", "5V/3.3V": "5 3.3", "5V,3.3V": "5 3.3", "3V3 5V 12V": "3.3 5 12", "AMS1117-3.3": "3.3", "AMS1117-3.3 5V": "3.3", "AMS1117-3.3/AMS1117-5.0": "3.3 5",
		"LM7805": "", "VREF": "", "5VA": "", "X5V": "", "100": "", "": "", "13.3.3V": "", "125V": "", "AMS1117-ADJ": "",
	} {
		if got := strings.Join(voltagesIn(text), " "); got != want {
			t.Errorf("voltages in %q are %q, want %q", text, got, want)
		}
	}
	for number, want := range map[string]string{
		"AMS1117-3.3": "AMS1117 3.3", " ams1117-5.0 ": "AMS1117 5", "LM1117MPX-3.3/NOPB": "LM1117MPX 3.3", "TLV1117-12.00X": "TLV1117 12", "AMS1117-3.30": "AMS1117 3.3", "AMS1117-33": " ", "LM358DR": " ", "AMS1117-3.3.3": " ", "": " ",
	} {
		family, volts := outputVoltage(number)
		if got := family + " " + volts; got != want {
			t.Errorf("%q is of family and voltage %q, want %q", number, got, want)
		}
	}
}

// TestRegulators: a regulator of another voltage than the list says is one to look at, where the
// place is for a regulator and both say a voltage.
func TestRegulators(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		rule, ref, stated, number string
		certainty                 identity.Certainty
		want                      string
	}{
		{"another voltage", "U1", "LDO 5V", "AMS1117-3.3", identity.Exact, "the part is of 3.3 V by its number, the list says 5 V"},
		{"the same, written otherwise", "U1", "LDO 3V3", "AMS1117-3.3", identity.Exact, ""},
		{"one of those that the list says", "U1", "in 5V out 3.3V", "AMS1117-3.3", identity.Exact, ""},
		{"no voltage on the list", "U1", "LDO", "AMS1117-3.3", identity.Exact, ""},
		{"no voltage in the number", "U1", "LDO 5V", "LM317", identity.Exact, ""},
		{"a connector's place", "J1", "5V", "ABC100-3.3", identity.Exact, ""},
		{"a place for a regulator by its letters", "vr2", "5V", "AMS1117-3.3", identity.Exact, "the part is of 3.3 V by its number, the list says 5 V"},
		{"no place", "", "5V", "AMS1117-3.3", identity.Exact, ""},
		{"a guessed part", "U1", "5V", "AMS1117-3.3", identity.Guessed, ""},
	} {
		l := Line{Stated: tt.stated, ID: identity.Identity{Certainty: tt.certainty}}
		if tt.ref != "" {
			l.Refs = []string{tt.ref}
		}
		p := Part{Verdict: OK}
		p.holdVoltage(l, part.Offer{MPN: tt.number})
		if p.Why != tt.want || (p.Verdict == Check) != (tt.want != "") {
			t.Errorf("%s: %q at %q for %q is %s, %q; want %q", tt.rule, tt.number, tt.ref, tt.stated, p.Verdict, p.Why, tt.want)
		}
	}
}

// TestSentences: what sentences quote of a list is plain, short and no sentence itself.
func TestSentences(t *testing.T) {
	t.Parallel()
	const before = "words on the list that were not understood, and that the part may not meet: "
	for _, tt := range []struct {
		words []string
		want  string
	}{
		{[]string{"thick"}, `"thick"`},
		{[]string{"thick", "film"}, `"thick", "film"`},
		{[]string{"thick", "film", "only"}, `"thick film only"`},
		{[]string{"a", "b", "c", "d", "e", "f"}, `"a b c d", 2 more`},
		{[]string{"<b>", "thick"}, `"thick", 1 more`},
		{[]string{"<b>"}, "1 more"},
		{[]string{strings.Repeat("x", 25)}, "1 more"},
		{[]string{"±5%"}, "1 more"},
		{[]string{"5%", "µF"}, `"5%", "µF"`},
	} {
		if got := unreadText(tt.words); got != before+tt.want {
			t.Errorf("unreadText(%q) = %q, want %q", tt.words, got, before+tt.want)
		}
	}
	for number, want := range map[string]string{
		"LM358DR": "LM358DR", "BAV99,215": "BAV99,215", "RC0603 (Yageo)": "RC0603 (Yageo)", "C25804": "C25804", "": "it", "<script>": "it", "-5": "it", "a\nb": "it", "a: b": "it", strings.Repeat("x", 60): strings.Repeat("x", 60), strings.Repeat("x", 61): "it",
	} {
		if got := plain(number, "it"); got != want {
			t.Errorf("plain(%q) = %q, want %q", number, got, want)
		}
	}
	for word, want := range map[string]string{"film": `the list says "film", which the part is not known to be`, "a<b": "the list asks for another kind of part than its number names"} {
		if got := specialText(word); got != want {
			t.Errorf("specialText(%q) = %q, want %q", word, got, want)
		}
	}
	for _, tt := range []struct {
		sources []string
		want    string
	}{
		{nil, "any supplier"}, {[]string{"fab"}, "the fabricator"}, {[]string{"fab", "distributor_a"}, "the fabricator or distributor A"}, {[]string{"fab", "distributor_a", "aggregator"}, "the fabricator, distributor A or the parts search"},
	} {
		if got := words(tt.sources, "or"); got != tt.want {
			t.Errorf("words(%q) = %q, want %q", tt.sources, got, tt.want)
		}
	}
}

// TestIdentityProblem: each reason why a line means no part has its sentence.
func TestIdentityProblem(t *testing.T) {
	t.Parallel()
	resistor := passive.Spec{Kind: passive.Resistor, Value: 10_000_000_000, Size: "0603"}
	for _, tt := range []struct {
		why     string
		verdict Verdict
		want    string
	}{
		{identity.WhyNoSize, Problem, "it names a value without a size: 10 kΩ"},
		{identity.WhyNoSeries, Problem, "no usual series has it: 10 kΩ 0603"},
		{identity.WhySeveral, Problem, "it names several values"},
		{identity.WhyDisputed, Check, "lines of the list name different parts for it"},
		{identity.WhyNotPlain, Problem, "its value alone does not tell the part: a part number is needed"},
		{"", Problem, "it names no exact part: a part number is needed"},
	} {
		p := Judge(Line{ID: identity.Identity{Certainty: identity.None, Why: tt.why, Spec: resistor}}, Facts{Offers: []part.Offer{{MPN: "A"}}})
		if p.Verdict != tt.verdict || !strings.HasPrefix(p.Why, tt.want) || p.Bought != 0 {
			t.Errorf("%q: %s, %q, %d bought; want %s, %q, none", tt.why, p.Verdict, p.Why, p.Bought, tt.verdict, tt.want)
		}
	}
}

// TestPads: a footprint may have two pads more than a part has pins, for what is exposed, and
// as few as a part whose pins are joined; where either is not known nothing is said.
func TestPads(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		pads int
		pack string
		ok   bool
	}{
		{8, "SOIC-8", true}, {9, "SOIC-8", true}, {10, "SOIC-8", true}, {11, "SOIC-8", false}, {7, "SOIC-8", false}, {0, "SOIC-8", true}, {14, "", true}, {33, "LQFP-48", false}, {48, "LQFP-48", true}, {2, "0603", true}, {5, "0603", false},
	} {
		p := Part{Verdict: OK}
		p.flagPads(tt.pads, casecode.Parse(tt.pack))
		if ok := p.Verdict == OK; ok != tt.ok || p.Misfit == tt.ok {
			t.Errorf("%d pads for %q: %s, misfit %t, %q; want fitting %t", tt.pads, tt.pack, p.Verdict, p.Misfit, p.Why, tt.ok)
		}
	}
}

// TestSubstitutes: a part that the customer approved in place of another is held against what
// its place is for.
func TestSubstitutes(t *testing.T) {
	t.Parallel()
	resistor, capacitor := passive.Spec{Kind: passive.Resistor, Value: 10_000_000_000}, passive.Spec{Kind: passive.Capacitor, Value: 100_000_000}
	coil, bead, jumper := passive.Spec{Kind: passive.Inductor, Value: 1_000_000}, passive.Spec{Kind: passive.Ferrite, Value: 600_000_000}, passive.Spec{Kind: passive.Resistor}
	for _, tt := range []struct {
		rule     string
		approved bool
		place    passive.Kind
		refs     string
		spec     passive.Spec
		known    bool
		flagged  bool
	}{
		{"of its kind", true, passive.Resistor, "R1", resistor, true, false},
		{"of another kind", true, passive.Resistor, "R1", capacitor, true, true},
		{"a bead for a coil", true, passive.Inductor, "L1", bead, true, false},
		{"a coil for a bead", true, passive.Ferrite, "FB1", coil, true, false},
		{"a coil for a capacitor", true, passive.Capacitor, "C1", coil, true, true},
		{"a bridge for anything", true, passive.Capacitor, "C1", jumper, true, false},
		{"a resistor at a place for something else", true, "", "U1", resistor, true, true},
		{"at no place", true, "", "", resistor, true, false},
		{"nobody knows what it is, for a resistor", true, passive.Resistor, "R1", passive.Spec{}, false, true},
		{"nobody knows what it is, for a coil", true, passive.Inductor, "L1", passive.Spec{}, false, false},
		{"nobody approved it", false, passive.Resistor, "R1", capacitor, true, false},
	} {
		l := Line{Substituted: tt.approved, Kind: tt.place}
		if tt.refs != "" {
			l.Refs = []string{tt.refs}
		}
		p := Part{Verdict: OK}
		p.substitute(l, tt.spec, tt.known)
		if flagged := p.Verdict == Check; flagged != tt.flagged || flagged != (p.Why != "") {
			t.Errorf("%s: %+v at a place for %q is %s, %q; want flagged %t", tt.rule, tt.spec, tt.place, p.Verdict, p.Why, tt.flagged)
		}
	}
}

// TestOtherMakers: the named part is in doubt where suppliers have its number from other makers
// only than the list states.
func TestOtherMakers(t *testing.T) {
	t.Parallel()
	of := func(number, maker string) part.Offer { return part.Offer{MPN: number, Manufacturer: maker} }
	for rule, tt := range map[string]struct {
		stated string
		offers []part.Offer
		want   bool
	}{
		"nobody has it":                 {"TI", nil, false},
		"the maker's":                   {"TI", []part.Offer{of("LM358DR", "Texas Instruments")}, false},
		"another's":                     {"TI", []part.Offer{of("LM358DR", "STMicroelectronics")}, true},
		"the maker's among others'":     {"TI", []part.Offer{of("LM358DR", "STMicroelectronics"), of("LM358DR", "TI")}, false},
		"another's, and none is stated": {"", []part.Offer{of("LM358DR", "STMicroelectronics")}, false},
		"of another number":             {"TI", []part.Offer{of("LM358DT", "STMicroelectronics")}, false},
	} {
		l := Line{Manufacturer: tt.stated, ID: identity.Identity{Queries: []part.Query{{Scheme: part.MPN, Number: "LM358DR"}}}}
		if got := l.hasOtherMaker(Facts{Offers: tt.offers}); got != tt.want {
			t.Errorf("%s: stated %q, offered %+v: %t, want %t", rule, tt.stated, tt.offers, got, tt.want)
		}
	}
}

// TestJoinSpecs: what several sources say of one part is one specification, the least or the
// most of each; where they mean different parts there is none.
func TestJoinSpecs(t *testing.T) {
	t.Parallel()
	low := passive.Spec{Kind: passive.Capacitor, Value: 100_000_000, Size: "0603", Voltage: 16_000}
	high := passive.Spec{Kind: passive.Capacitor, Value: 100_000_000, Size: "0603", Voltage: 50_000}
	other := passive.Spec{Kind: passive.Capacitor, Value: 220_000_000, Size: "0603"}
	for rule, tt := range map[string]struct {
		list         []passive.Spec
		weak, strict int64 // millivolts
		ok           bool
	}{
		"nobody":           {nil, 0, 0, false},
		"one":              {[]passive.Spec{high}, 50_000, 50_000, true},
		"two":              {[]passive.Spec{high, low}, 16_000, 50_000, true},
		"in other order":   {[]passive.Spec{low, high}, 16_000, 50_000, true},
		"of another value": {[]passive.Spec{low, other}, 0, 0, false},
		"of another kind":  {[]passive.Spec{low, {Kind: passive.Resistor, Value: low.Value}}, 0, 0, false},
	} {
		weak, ok := joinSpecs(tt.list, passive.Spec.Weaker)
		strict, also := joinSpecs(tt.list, passive.Spec.Stricter)
		if weak.Voltage != tt.weak || strict.Voltage != tt.strict || ok != tt.ok || also != tt.ok {
			t.Errorf("%s: of %+v the least is %d mV, the most %d mV, %t and %t; want %d, %d, %t", rule, tt.list, weak.Voltage, strict.Voltage, ok, also, tt.weak, tt.strict, tt.ok)
		}
	}
}

// TestUnasked: codes that could not be compared are named in one order, whatever order they are
// kept in.
func TestUnasked(t *testing.T) {
	t.Parallel()
	f := Facts{Unasked: map[string]outside.Kind{}}
	want := ""
	for i := range 8 {
		code := fmt.Sprintf("C%d", i)
		f.Unasked[code] = outside.Unavailable
		want += "; the code " + code + " could not be compared just now"
	}
	p := Part{Verdict: OK}
	p.explain(Line{}, f, part.Offer{})
	if p.Verdict != Check || p.Why != strings.TrimPrefix(want, "; ") {
		t.Errorf("codes %v: %s, %q; want %s, %q", f.Unasked, p.Verdict, p.Why, Check, want)
	}
}

// TestSaving: it is said why more is bought than is needed, unless the seller's smallest
// quantity says it.
func TestSaving(t *testing.T) {
	t.Parallel()
	choice := func(quantity, spare, minimum, multiple int64) cost.Choice {
		return cost.Choice{Spare: spare, Purchase: cost.Purchase{Offer: part.Offer{Minimum: minimum, Multiple: multiple}, Quantity: quantity}}
	}
	for _, tt := range []struct {
		rule   string
		line   Line
		choice cost.Choice
		want   string
	}{
		{"as many as are needed", Line{Need: 90}, choice(90, 0, 1, 1), ""},
		{"the next break", Line{Need: 90}, choice(100, 10, 1, 1), "100 are bought, since that costs less or comes in that number"},
		{"for several lines", Line{Need: 40, Pool: 90}, choice(100, 10, 1, 1), "100 are bought for all lines of the part, since that costs less or comes in that number"},
		{"the smallest quantity", Line{Need: 90}, choice(100, 10, 100, 1), ""},
		{"one reel", Line{Need: 90}, choice(100, 10, 1, 100), ""},
		{"two reels", Line{Need: 110}, choice(200, 90, 100, 100), "200 are bought, since that costs less or comes in that number"},
	} {
		if got := saving(tt.line, tt.choice); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.rule, got, tt.want)
		}
	}
}

// TestSums: a build is complete where every line is bought or is none of the seller's business;
// what a board costs is rounded half to even.
func TestSums(t *testing.T) {
	t.Parallel()
	for rule, tt := range map[string]struct {
		parts    []Part
		boards   int64
		perBoard int64
		complete bool
	}{
		"nothing":                   {nil, 1, 0, true},
		"half a cent below an even": {[]Part{{CostCents: 15, Bought: 1}}, 10, 2, true},
		"half a cent above an even": {[]Part{{CostCents: 25, Bought: 1}}, 10, 2, true},
		"sent by the customer":      {[]Part{{CostCents: 10, Bought: 1}, {Aside: true}}, 10, 1, true},
		"one that cannot be bought": {[]Part{{CostCents: 10, Bought: 1}, {Verdict: Problem}}, 10, 1, false},
		"of no boards":              {[]Part{{CostCents: 10, Bought: 1}}, 0, 10, true},
	} {
		if got := Sum(tt.parts, tt.boards); got.PerBoardCents != tt.perBoard || got.Complete != tt.complete {
			t.Errorf("%s: %d boards of %+v cost %d cents each, complete %t; want %d, %t", rule, tt.boards, tt.parts, got.PerBoardCents, got.Complete, tt.perBoard, tt.complete)
		}
	}
}
