package parts_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"boardorder/deploy/simulator/parts"
)

// kinds are what the catalogue's categories are, by a word in them; the first that
// stands in a category counts.
var kinds = []struct{ word, kind string }{
	{"Resistor", "passives"}, {"Capacitor", "passives"}, {"Inductor", "passives"}, {"Ferrite", "passives"}, {"Passive", "passives"}, {"Filters", "passives"},
	{"Connector", "connectors"}, {"Terminal", "connectors"},
	{"Diode", "discretes"}, {"Transistor", "discretes"}, {"LEDs", "discretes"}, {"Discrete", "discretes"},
	{"Integrated", "ICs"}, {"Microcontroller", "ICs"}, {"Interface", "ICs"}, {"Analog", "ICs"}, {"Amplifier", "ICs"}, {"Logic", "ICs"}, {"FPGA", "ICs"}, {"CPLD", "ICs"},
	{"Voltage", "ICs"}, {"Memory", "ICs"}, {"Power", "ICs"}, {"Sensor", "ICs"}, {"Comparator", "ICs"}, {"Data Acquisition", "ICs"}, {"Audio", "ICs"}, {"Drivers", "ICs"}, {"RF", "ICs"},
	{"Crystal", "timing"}, {"Oscillator", "timing"},
	{"Switch", "others"}, {"Relay", "others"}, {"Electromechanical", "others"}, {"Hardware", "others"}, {"Protection", "others"},
}

var (
	number     = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9 ._,:/+&#()*=°-]{2,39}$`)
	lifecycles = []string{"active", "nrnd", "eol", "obsolete"}
)

// wrong says what about a part cannot be, "" for one that may well be sold.
func wrong(p *parts.Part) string {
	switch {
	case !number.MatchString(p.MPN) || len(p.MPN) < 5 && !strings.ContainsAny(p.MPN, "0123456789"):
		return "its number"
	case len(p.Manufacturer) < 2 || p.Manufacturer != strings.TrimSpace(p.Manufacturer):
		return "its manufacturer"
	case p.Package == "" || p.Description == "":
		return "its package or description"
	case p.Pins < 0 || p.Pins > 2000 || p.Passive && p.Pins != 2:
		return "its pins"
	case p.Price < 100 || p.Price > 500_000_000: // a hundredth of a cent to 500 dollars
		return "its price"
	case !slices.Contains(lifecycles, p.Lifecycle):
		return "its lifecycle"
	case p.LeadWeeks() < 1 || p.LeadWeeks() > 52 || p.Reel() < 100:
		return "its lead time or reel"
	}
	return ""
}

// The catalogue is large enough to price real boards from, and not of one kind: only
// parts that may well be sold are counted, each number once.
func TestCatalogueHasPartsOfEveryKind(t *testing.T) {
	t.Parallel()
	c, err := parts.Load()
	if err != nil {
		t.Fatal(err)
	}
	count, makers, numbers := map[string]int{}, map[string]map[string]bool{}, map[string]bool{}
	for i := range c.Parts {
		p := &c.Parts[i]
		if what := wrong(p); what != "" {
			t.Errorf("%s cannot be: %+v", what, *p)
			continue
		}
		if k := strings.ToUpper(p.MPN + " of " + p.Manufacturer); numbers[k] {
			t.Errorf("%s is there twice", p.MPN)
		} else {
			numbers[k] = true
		}
		kind := ""
		for _, w := range kinds {
			if kind == "" && strings.Contains(p.Category, w.word) {
				kind = w.kind
			}
		}
		if kind == "" {
			t.Errorf("%s is of no kind: %q", p.MPN, p.Category)
		}
		if count[kind]++; makers[kind] == nil {
			makers[kind] = map[string]bool{}
		}
		makers[kind][p.Manufacturer] = true
	}
	all := 0
	for _, n := range count {
		all += n
	}
	for kind, least := range map[string]struct{ parts, makers int }{
		"passives": {4000, 10}, "ICs": {500, 30}, "connectors": {100, 15}, "discretes": {150, 15}, "timing": {40, 8},
	} {
		if count[kind] < least.parts || len(makers[kind]) < least.makers {
			t.Errorf("%d %s of %d makers; want %d of %d", count[kind], kind, len(makers[kind]), least.parts, least.makers)
		}
	}
	if all < 5000 {
		t.Errorf("%d parts, want 5000: %v", all, count)
	}
	t.Log(all, "parts:", slices.Sorted(maps.Keys(count)), count)
}
