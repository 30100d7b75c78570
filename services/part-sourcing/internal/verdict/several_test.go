package verdict_test

import (
	"fmt"
	"strings"
	"testing"

	"boardorder/services/part-sourcing/internal/bom"
	"boardorder/services/part-sourcing/internal/part"
	"boardorder/services/part-sourcing/internal/verdict"
)

// TestSeveralNumbers: of several parts that one cell names the first is bought where it can
// be; another is to be looked at, unless it is known to be as good. What the list says of a
// regulator's voltage is held against its number.
func TestSeveralNumbers(t *testing.T) {
	t.Parallel()
	const sot = "SOT-223"
	joined := func(value, footprint string, numbers ...string) bom.Line {
		l := bom.Line{Value: value, Footprint: footprint, MPN: strings.Join(numbers, "/"), Joined: numbers}
		for _, n := range numbers {
			l.Alternates = append(l.Alternates, bom.Part{MPN: n})
		}
		return l
	}
	cheap := func(o part.Offer) part.Offer {
		return changeOffer(o, func(o *part.Offer) { o.Breaks = []part.Break{{Quantity: 1, Price: 1000}} })
	}
	five, three := offer("AMS1117-5.0", "AMS", sot, 9), offer("AMS1117-3.3", "AMS", sot, 9)
	gone := changeOffer(five, func(o *part.Offer) { o.Stock = 0 })
	soic, dip := offer("NE555DR", "TI", "SOIC-8", 9), offer("NE555P", "TI", "DIP-8", 9)
	resistor := func(n string, stock int64) part.Offer { return offer(n, "YAGEO", "0603", stock) }
	for _, tt := range []struct {
		name    string
		line    bom.Line
		facts   verdict.Facts
		verdict verdict.Verdict
		mpn     string
		why     string
	}{
		{"the first, though the second costs less", joined("", sot, "AMS1117-5.0", "AMS1117-3.3"), verdict.Facts{Offers: []part.Offer{cheap(three), five}}, verdict.OK, "AMS1117-5.0", "names several parts"},
		{"the second, since the first is gone", joined("", sot, "AMS1117-5.0", "AMS1117-3.3"), verdict.Facts{Offers: []part.Offer{gone, three}}, verdict.Check, "AMS1117-3.3", "AMS1117-5.0 cannot be bought for it, and AMS1117-3.3 was taken"},
		{"the first may still be found", joined("", sot, "AMS1117-5.0", "AMS1117-3.3"), verdict.Facts{Offers: []part.Offer{three}, Pending: []string{"distributor_a"}}, verdict.Checking, "", ""},
		{"the value says the other voltage", joined("AMS1117-5.0", sot, "AMS1117-3.3", "AMS1117-5.0"), verdict.Facts{Offers: []part.Offer{five, three}}, verdict.Check, "AMS1117-3.3", "the part is of 3.3 V by its number, the list says 5 V"},
		{"the value says 5V", joined("5V LDO", sot, "AMS1117-5.0", "AMS1117-3.3"), verdict.Facts{Offers: []part.Offer{gone, three}}, verdict.Check, "AMS1117-3.3", "the list says 5 V"},
		{"the value agrees", joined("LDO 3V3, 12V in", sot, "AMS1117-3.3", "AMS1117-5.0"), verdict.Facts{Offers: []part.Offer{five, three}}, verdict.OK, "AMS1117-3.3", ""},
		{"a code tells which", bom.Line{MPN: "AMS1117-5.0", Joined: []string{"AMS1117-5.0", "AMS1117-3.3"}, Alternates: []bom.Part{{MPN: "AMS1117-3.3"}}, FabCode: "C6186", Footprint: sot}, codeFacts("C6186", three, five), verdict.OK, "AMS1117-3.3", "AMS1117-3.3 was taken"},
		{"the footprint tells which", joined("", "DIP-8_W7.62mm", "NE555DR", "NE555P"), verdict.Facts{Offers: []part.Offer{soic, dip}}, verdict.Check, "NE555P", "NE555DR cannot be bought for it"},
		{"what fits may still be found", joined("", "0805", "RC0603FR-0710KL", "RC0805FR-0710KL"), verdict.Facts{Offers: []part.Offer{resistor("RC0603FR-0710KL", 9)}, Pending: []string{"distributor_b"}}, verdict.Checking, "", ""},
		{"nothing fits", joined("", "0805", "RC0603FR-0710KL", "RC0805FR-0710KL"), verdict.Facts{Offers: []part.Offer{resistor("RC0603FR-0710KL", 9)}}, verdict.Check, "RC0603FR-0710KL", "another package than the footprint is for"},
		{"the whole is a number", joined("", sot, "AMS1117-5.0", "AMS1117-3.3"), verdict.Facts{Offers: []part.Offer{cheap(three), offer("AMS1117-5.0/AMS1117-3.3", "AMS", sot, 9)}}, verdict.OK, "AMS1117-5.0/AMS1117-3.3", ""},
		{"the second is no worse", joined("10k", "0603", "RC0603FR-0710KL", "ERJ-3EKF1002V"), verdict.Facts{Offers: []part.Offer{resistor("RC0603FR-0710KL", 0), resistor("ERJ-3EKF1002V", 9)}}, verdict.OK, "ERJ-3EKF1002V", "ERJ-3EKF1002V was taken"},
		{"the second is worse", joined("10k", "0603", "RC0603FR-0710KL", "RC0603JR-0710KL"), verdict.Facts{Offers: []part.Offer{resistor("RC0603FR-0710KL", 0), resistor("RC0603JR-0710KL", 9)}}, verdict.Check, "RC0603JR-0710KL", "which of them is meant?"},
		{"the second is of another value", joined("", "0603", "CC0603KRX7R9BB104", "CC0603KRX7R8BB105"), verdict.Facts{Offers: []part.Offer{resistor("CC0603KRX7R8BB105", 9)}}, verdict.Check, "CC0603KRX7R8BB105", "which of them is meant?"},
		{"the first is not of the value", joined("4k7", "0603", "RC0603FR-0710KL", "RC0603FR-074K7L"), verdict.Facts{Offers: []part.Offer{resistor("RC0603FR-0710KL", 9), resistor("RC0603FR-074K7L", 9)}}, verdict.Check, "RC0603FR-0710KL", "the list says 4.7 kΩ"},
		{"a column's part of another voltage", bom.Line{MPN: "AMS1117-5.0", Footprint: sot, Alternates: []bom.Part{{MPN: "AMS1117-3.3"}}}, verdict.Facts{Offers: []part.Offer{three}}, verdict.Check, "AMS1117-3.3", "is not of its value"},
		{"a column's part of another value", bom.Line{MPN: "RC0603FR-0710KL", Footprint: "0603", Alternates: []bom.Part{{MPN: "RC0603FR-074K7L"}}}, verdict.Facts{Offers: []part.Offer{resistor("RC0603FR-074K7L", 9)}}, verdict.Check, "RC0603FR-074K7L", "is not of its value"},
		{"a column's part of the value", bom.Line{MPN: "RC0603FR-0710KL", Footprint: "0603", Alternates: []bom.Part{{MPN: "RC0603JR-0710KL"}}}, verdict.Facts{Offers: []part.Offer{resistor("RC0603JR-0710KL", 9)}}, verdict.OK, "RC0603JR-0710KL", ""},
		{"one number against the value", bom.Line{Value: "3.3V", MPN: "AMS1117-5.0", Footprint: sot}, verdict.Facts{Offers: []part.Offer{five}}, verdict.Check, "AMS1117-5.0", "the list says 3.3 V"},
		{"one number, and its value", bom.Line{Value: "AMS1117-5.0", MPN: "AMS1117-5.0", Footprint: sot}, verdict.Facts{Offers: []part.Offer{five}}, verdict.OK, "AMS1117-5.0", ""},
		{"two numbers for a value", bom.Line{Value: "BAT54S/BAT54C", Footprint: "SOT-23"}, verdict.Facts{Offers: []part.Offer{cheap(offer("BAT54C", "NXP", "SOT-23", 9)), offer("BAT54S", "NXP", "SOT-23", 9)}}, verdict.Check, "BAT54S", "names several parts in one place, and BAT54S was taken; which of them is meant?"},
		{"two numbers in words for a value", bom.Line{Value: "NE555DR or LM358DR", Footprint: "SOIC-8"}, verdict.Facts{Offers: []part.Offer{offer("LM358DR", "TI", "SOIC-8", 9)}}, verdict.Check, "LM358DR", "NE555DR cannot be bought for it, and LM358DR was taken; which of them is meant?"},
		{"a number and its package for a value", bom.Line{Value: "BAT54S/SOT23", Footprint: "SOT-23"}, verdict.Facts{Offers: []part.Offer{offer("BAT54S", "NXP", "SOT-23", 9)}}, verdict.Check, "BAT54S", "the value was taken for a part number"},
	} {
		l := line(tt.line, 5)
		l.Stated = tt.line.Value
		p := verdict.Judge(l, tt.facts)
		if p.Verdict != tt.verdict || p.MPN != tt.mpn || !strings.Contains(p.Why, tt.why) {
			t.Errorf("%s: %s; want %s %s %s", tt.name, fmt.Sprint(p.Verdict, " ", p.MPN, " ", p.Why), tt.verdict, tt.mpn, tt.why)
		}
	}
}
