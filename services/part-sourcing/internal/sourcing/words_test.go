package sourcing_test

import (
	"strings"
	"testing"

	"boardorder/services/part-sourcing/internal/bom"
	"boardorder/services/part-sourcing/internal/supplierstest"
	"boardorder/services/part-sourcing/internal/verdict"
)

// TestWordsAgainstNumbers: what a list says in words of a part is held against the part
// that its number names; where it differs, no other takes its place, and somebody looks.
func TestWordsAgainstNumbers(t *testing.T) {
	t.Parallel()
	w := supplierstest.Start(t, supplierstest.Options{Index: true})
	s := sourcer(t, w)
	const fits, asks, never = "ok", "check", "problem"
	for name, tt := range map[string]struct {
		row  string // Designator;Value;Footprint;MPN;LCSC;Description;Manufacturer;Quantity
		want string // the verdict; of problems nothing is bought
		why  string // what the reason says, or "-" for none of "the list says", "not understood"
	}{
		// a part in stock
		"a value that agrees":                   {"R1;10k;0402;RC0402FR-0710KL;;;;1", fits, "-"},
		"all that agrees":                       {"R1;10k 1% 1/16W 50V ±100ppm/°C thick film;0402;RC0402FR-0710KL;;RES SMD 10K OHM 1% 1/16W 0402;YAGEO;1", fits, "-"},
		"less than the part has":                {"R1;10k 5%;0402;RC0402FR-0710KL;;;;1", fits, "-"},
		"its number and maker as words":         {"R1;10k;0402;RC0402FR-0710KL;;RC0402FR-0710KL YAGEO C60490;;1", fits, "-"},
		"another value":                         {"R1;4k7;0402;RC0402FR-0710KL;;;;1", asks, "the list says 4.7 kΩ"},
		"another tolerance":                     {"R1;10k 0.1%;0402;RC0402FR-0710KL;;;;1", asks, "the list says 0.1 %"},
		"more power":                            {"R1;10k 0.25W;0402;RC0402FR-0710KL;;;;1", asks, "the list says 250 mW"},
		"another film":                          {"R1;10k;0402;RC0402FR-0710KL;;thin film;;1", asks, "thin film"},
		"less drift":                            {"R1;10k 25ppm;0402;RC0402FR-0710KL;;;;1", asks, "25 ppm"},
		"a grade":                               {"R1;10k AEC-Q200;0402;RC0402FR-0710KL;;;;1", asks, "AEC-Q200"},
		"more voltage and another dielectric":   {"C1;100nF 50V C0G;0402;CL05B104KO5NNNC;;;;1", asks, "the list says 50 V"},
		"a word that nobody knows":              {"R1;10k frobnicated;0402;RC0402FR-0710KL;;;;1", asks, `"frobnicated"`},
		"a safety class":                        {"C1;100nF X2;0402;CL05B104KO5NNNC;;;;1", asks, "X2"},
		"fewer pieces than places":              {"R1-R4;10k;0402;RC0402FR-0710KL;;;;1", asks, "fewer pieces"},
		"as many pieces as places":              {"R1-R4;10k;0402;RC0402FR-0710KL;;;;4", fits, "-"},
		"a code in the number's column":         {"R1;10k;0402;C60490;;;;1", fits, "-"},
		"a transistor with a number like codes": {"Q1;;TO-92;C945;;;;1", never, ""},
		// a value alone
		"a value with all ratings":    {"R1;10k 1% 0.1W;0603;;;;;1", fits, "-"},
		"what no thick film is":       {"R1;10k 5ppm thin film;0603;;;;;1", never, ""},
		"a grade that is stated":      {"C1;100nF 50V AEC-Q200;0603;;;;;1", never, ""},
		"a class for the mains":       {"C1;100nF X2 275VAC;1206;;;;;1", never, ""},
		"mains voltage alone":         {"C1;10nF 250VAC Y2;1206;;;;;1", never, ""},
		"many strange words":          {"R1;10k 1% please approve this now;0603;;;;;1", asks, `meet: "please approve this now"`},
		"a value and a strange word":  {"R1;10k 1% frobnicated;0603;;;;;1", asks, `"frobnicated"`},
		"two values":                  {"R1;10k or 12k;0603;;;;;1", never, "several values"},
		"two values with a slash":     {"C1;10uF/16V,22uF/10V;0805;;;;;1", never, "several values"},
		"a value and a size":          {"R1;10k 2010;0603;;;;;1", asks, `"2010"`},
		"ohms or two hundred":         {"R1;2E2;0603;;;;;1", never, ""},
		"a low voltage":               {"C1;100n 6V3;0603;;;;;1", fits, "6.3 V"},
		"a plain description besides": {"C1;100nF 16V X7R;0402;;;Unpolarized capacitor, small symbol;;1", fits, "-"},
	} {
		list, err := bom.Read("bom.csv", []byte("Designator;Value;Footprint;MPN;LCSC;Description;Manufacturer;Quantity\n"+tt.row+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		report := s.Complete(t.Context(), request(t, 10, list))
		p := report.Parts[0]
		odd := tt.why == "-" && (strings.Contains(p.Why, "the list says") || strings.Contains(p.Why, "not understood"))
		if string(p.Verdict) != tt.want || tt.want == never && p.Bought > 0 || odd || tt.why != "-" && !strings.Contains(p.Why, tt.why) {
			t.Errorf("%s: %s: %s, %d of %s (%s), want %s, %q", name, tt.row, p.Verdict, p.Bought, p.MPN, p.Why, tt.want, tt.why)
		}
	}
}

// TestNoSwapOfWhatIsInDoubt: a part that cannot be bought is replaced where the list says
// nothing else of it, and otherwise not.
func TestNoSwapOfWhatIsInDoubt(t *testing.T) {
	t.Parallel()
	w := supplierstest.Start(t, supplierstest.Options{Index: true})
	s := sourcer(t, w)
	for row, swapped := range map[string]bool{
		"C1;;;GRM155R71C104KA88D;;;;1":                                                    true,
		"C1;100nF 16V X7R;0402;GRM155R71C104KA88D;;Ceramic capacitor 16V X7R;;1":          true,
		"C1;100n;0402;GRM155R71C104KA88D;;GRM155R71C104KA88D Murata;Murata Electronics;1": true,
		"C1;1uF;0402;GRM155R71C104KA88D;;;;1":                                             false,
		"C1;100nF 50V;0402;GRM155R71C104KA88D;;;;1":                                       false,
		"C1;100nF;0402;GRM155R71C104KA88D;;soft termination;;1":                           false,
		"C1;100nF;0402;GRM155R71C104KA88D;;non-magnetic;;1":                               false,
		"C1;100nF;0603;GRM155R71C104KA88D;;;;1":                                           false,
		"C1;;;GCM188R71H104KA57D;;;;1":                                                    false,
		"C1;;;GCJ188R71H104KA12D;;;;1":                                                    false,
		"C1;;;GJM1555C1H100JB01D;;;;1":                                                    false,
		"C1;;;CGA3E2X7R1H104K080AE;;;;1":                                                  false,
		"C1;;;C0603C104K5RACAUTO;;;;1":                                                    false,
		"C1;;;AC0402KRX7R9BB104;;;;1":                                                     false,
	} {
		list, err := bom.Read("bom.csv", []byte("Designator;Value;Footprint;MPN;LCSC;Description;Manufacturer;Quantity\n"+row+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		p := s.Complete(t.Context(), request(t, 10, list)).Parts[0]
		if got := p.Replaces != ""; got != swapped || !swapped && p.Verdict == verdict.OK {
			t.Errorf("%s: %s, %s in place of %q (%s), replaced should be %t", row, p.Verdict, p.MPN, p.Replaces, p.Why, swapped)
		}
	}
}
