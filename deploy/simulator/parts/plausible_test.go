package parts_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"boardorder/deploy/simulator/parts"
	"boardorder/pkg/passive"
)

// numberings are what well-known series are, by how their numbers begin; maker is part of
// the name of who makes them, where only one does.
var numberings = []struct {
	begins      *regexp.Regexp
	kind, maker string
}{
	{regexp.MustCompile(`^(ABM|ABS|ASDMB|ASEMB|AOCJ|RX-8|KC\d{4}P|ASE-|ECS-|CSTN|CM200|X1E|FA-\d|TSX-|Q13|SG-\d)`), "timing", ""},
	{regexp.MustCompile(`^(NX\d{4}[A-Z]{2}-|SIT\d|DSC\d{4}|K?CX?\d{4}[A-Z]{2}\d|X\d{5}\d*M|X37M|5ZAA|1651-L|JF\d|7[A-Z]-?\d|8Y-|XXD|CM7V|SX3M|O\d{4}|TZ\d{4})`), "timing", ""},
	{regexp.MustCompile(`^(ABL|ASF|ASV|CSTC|AWSC|XRC|S3D|LFXT|HCM49|FC-135|FOX|9B-|ABLS|830|NT2016|TG2520|XTAL|KDS|DST|1N226|DSX|K3A)`), "timing", ""},
	{regexp.MustCompile(`^(GRM|GCM|GQM|GJM|CL(03|05|10|21|31|32)[A-Z]|CC0\d{3}|TCC0|T491|T520|TAJ)`), "passives", ""},
	{regexp.MustCompile(`^(RC0\d{3}|ERJ|ERA-|CRCW|RMCF|RK73|CFR-|MFR-)`), "passives", ""},
	{regexp.MustCompile(`^(BLM|MPZ|GZ\d{4}|LQ[GHMPW]\d|MLZ|VLS|DFE|SDFL|SDCL|NRS\d|SWPA|WPN)`), "passives", ""},
	{regexp.MustCompile(`^(W25[QX]\d|MX25|24[LC]+\d|AT(24|93|25)|IS25|M24C|M25P|GD25)`), "ICs", ""},
	{regexp.MustCompile(`^(MAX\d{3}|LM\d{3}|SN74|TPS\d|STM32|STM8|ATMEGA|ATTINY|PIC\d|LTC\d|ADS\d|INA\d|MCP\d{4}|USB[23]\d{3}[A-Z]|LAN\d{4})`), "ICs", ""},
	{regexp.MustCompile(`^(XC62\d\d|XCL2)`), "ICs", "Torex"},
	{regexp.MustCompile(`^(XC[67][AKSV])`), "ICs", "Xilinx"},
	{regexp.MustCompile(`^(LTST-|19-21|17-21|APT\d|NCD0\d|KT-0\d|XL-\d)`), "discretes", ""},
	{regexp.MustCompile(`^(SMAJ|SMBJ|SMCJ|P6SMB|1N4\d|BAT54|BAV\d)`), "discretes", ""},
	{regexp.MustCompile(`^TL\d{4}A[FP]`), "others", "E-Switch"},
}

// kindOf is what a part is by its category; "" for none.
func kindOf(p *parts.Part) string {
	for _, k := range kinds {
		if strings.Contains(p.Category, k.word) {
			return k.kind
		}
	}
	return ""
}

// numberFault says why a part's number does not go with its category or maker.
func numberFault(p *parts.Part) string {
	known := ""
	for _, s := range numberings {
		if !s.begins.MatchString(strings.ToUpper(p.MPN)) {
			continue
		}
		if !strings.Contains(p.Manufacturer, s.maker) {
			return "is made by " + s.maker
		}
		if known == "" {
			known = s.kind
		}
	}
	switch kind := kindOf(p); {
	case kind == "timing" && known != "timing":
		return "is numbered like no crystal or oscillator"
	case known != "" && known != kind && !strings.Contains(p.Category, "Protection"):
		return "is numbered like " + known
	}
	return ""
}

var (
	// fixed are the legs of cases whose names do not count them.
	fixed = map[string]int{
		"SOT-23": 3, "SOT-323": 3, "SOT-89": 3, "SOT-143": 4, "SOT-223": 4, "SOT-353": 5, "SOT-553": 5, "SOT-753": 5, "SOT-363": 6, "SOT-563": 6, "SOT-666": 6, "SOT-26": 6,
		"SOT-9X3": 3, "SC-88": 6, "SM8": 8, "SMA": 2, "SMB": 2, "SMC": 2, "TO-92": 3, "TO-252": 3, "TO-252-2": 3, "TO-263-2": 3, "PowerDI5": 3, "LFPAK56": 4,
	}
	diode   = regexp.MustCompile(`^(SOD|DO)-\d+[A-Z]*$`)
	counted = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9.-]*?)-?(\d+)(-EP)?$`) // SOIC-8, SMD3225-4, TSOT-23-6
	array   = regexp.MustCompile(`^\d{4}x(\d)$`)
	can     = regexp.MustCompile(`^(SMD-([\d.]+x|D)[\d.]+|TH-[DP]?[\d.]+|Radial-P[\d.]+|Coin-D[\d.]+|Axial|1008|\d{4}-\d{2})$`)
)

// nameless is what tells no more of a case than where it is soldered and its pins; of
// a kind it may have as many, and not fewer.
var (
	nameless = regexp.MustCompile(`^SMD-\d+$`)
	fewest   = map[string]int{"timing": 99, "ICs": 6, "discretes": 4}
)

// packageFault says why a part's package does not go with its pins or its kind.
func packageFault(p *parts.Part) string {
	if p.Pins == 0 { // not known, or counted differently by whoever draws it
		return ""
	}
	kind := kindOf(p)
	if kind == "connectors" || kind == "others" || strings.Contains(p.Category, "Filter") || strings.Contains(p.Category, "Electromechanical") {
		return "" // their cases are named as their makers like
	}
	if n := legs(p.Package); n > 0 && n != p.Pins {
		return "does not have as many pins as its package"
	}
	if nameless.MatchString(p.Package) && p.Pins < fewest[kind] && !strings.Contains(p.Category, "Optocoupler") {
		return "has no package"
	}
	if kind == "passives" && p.Pins == 2 && !strings.Contains(p.Category, " and ") && passive.Size(p.Package) != p.Package && !can.MatchString(p.Package) {
		return "has no size"
	}
	return ""
}

// legs are those that the name of a case tells; 0 for a name that tells none.
func legs(name string) int {
	if n := fixed[name]; n > 0 {
		return n
	}
	if diode.MatchString(name) || passive.Size(name) == name {
		return 2
	}
	if m := array.FindStringSubmatch(name); m != nil {
		n, _ := strconv.Atoi(m[1])
		return 2 * n
	}
	m := counted.FindStringSubmatch(name)
	if m == nil || can.MatchString(name) || strings.HasPrefix(name, "LED-") {
		return 0
	}
	n, _ := strconv.Atoi(m[2])
	if n > 1200 { // CL-2025: a size
		return 0
	}
	return n
}

// TestCatalogueIsPlausible: every part's number, category, package and pins go together.
func TestCatalogueIsPlausible(t *testing.T) {
	t.Parallel()
	c, err := parts.Load()
	if err != nil {
		t.Fatal(err)
	}
	makers := map[string]string{}
	for i := range c.Parts {
		p := &c.Parts[i]
		for _, what := range []string{numberFault(p), packageFault(p)} {
			if what != "" {
				t.Errorf("%s of %s %s: %s, %s, %d pins", p.MPN, p.Manufacturer, what, p.Category, p.Package, p.Pins)
			}
		}
		plain := strings.ToLower(strings.Map(func(r rune) rune {
			if r == ' ' || r == '.' || r == '-' {
				return -1
			}
			return r
		}, p.Manufacturer))
		if other := makers[plain]; other != "" && other != p.Manufacturer {
			t.Errorf("%s is written %q and %q", p.MPN, p.Manufacturer, other)
		}
		makers[plain] = p.Manufacturer
	}
}

// TestImplausiblePartsAreSeen: rows as people have got them wrong.
func TestImplausiblePartsAreSeen(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		mpn, maker, category, pack string
		pins                       int
		wrong                      bool
	}{
		{"W25Q64JVZEIQ", "Winbond Electronics", "Integrated Circuits", "WSON-68", 8, true},
		{"W25Q64JVZEIQ", "Winbond Electronics", "Crystals and Oscillators", "WSON-8", 8, true},
		{"W25Q64JVZEIQ", "Winbond Electronics", "Integrated Circuits", "WSON-8", 8, false},
		{"MAX3222EEUP+", "Maxim Integrated", "Integrated Circuits", "SMD-2", 2, true},
		{"BLM15PX121SN1D", "Murata Electronics", "Crystals and Oscillators", "0402", 2, true},
		{"BLM15PX121SN1D", "Murata Electronics", "Ferrite Beads", "0402", 2, false},
		{"DSC6001JE1A-010.0000", "Microchip Technology", "Connectors", "SMD2520-4", 4, true},
		{"DSC6001JE1A-010.0000", "Microchip Technology", "Crystals and Oscillators", "SMD2520-4", 4, false},
		{"XC6206P332MR", "Xilinx", "Integrated Circuits", "SOT-23", 3, true},
		{"XCL206B123CR-G", "Torex", "Integrated Circuits", "CL-2025", 8, false},
		{"CFR-25JB-52-10K", "YAGEO", "Resistors", "SMD-2", 2, true},
		{"CFR-25JB-52-10K", "YAGEO", "Resistors", "Axial", 2, false},
		{"CFR-25JB-52-10K", "YAGEO", "Resistors", "DIP-2", 2, true},
		{"YC124-JR-0710KL", "YAGEO", "Resistor Networks", "0402x4", 2, true},
		{"YC124-JR-0710KL", "YAGEO", "Resistor Networks", "0402x4", 8, false},
		{"BAT54W", "Nexperia", "Diodes", "SOT-323", 2, true},
		{"ABM8G-24.000MHZ-4Y-T3", "Abracon", "Crystals and Oscillators", "SMD3225-4", 2, true},
	} {
		p := &parts.Part{MPN: c.mpn, Manufacturer: c.maker, Category: c.category, Package: c.pack, Pins: c.pins}
		if got := numberFault(p) + packageFault(p); (got != "") != c.wrong {
			t.Errorf("faults of %+v: %q, want some: %t", c, got, c.wrong)
		}
	}
}
