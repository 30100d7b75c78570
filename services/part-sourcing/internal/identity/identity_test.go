package identity_test

import (
	"fmt"
	"strings"
	"testing"

	"boardorder/services/part-sourcing/internal/bom"
	"boardorder/services/part-sourcing/internal/identity"
	"boardorder/services/part-sourcing/internal/part"
)

// TestSeveralValues: a line that states two values of its part is asked about, wherever
// they stand; a value that is said twice, and what else a value has, is none.
func TestSeveralValues(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		ref, value, description string
		several                 bool
	}{
		{"C1", "100nF/1uF", "", true}, {"C1", "100nF&1uF", "", true}, {"C1", "1u, 100n", "", true}, {"C1", "10nF-100nF", "", true}, {"L1", "10uH/22uH", "", true}, {"C1", "100nF\n1uF", "", true},
		{"R1", "10k, 12k", "", true}, {"R1", "10k or 12k", "", true}, {"R1", "4k7/10k", "", true}, {"R1", "10k+12k", "", true}, {"R1", "100/220", "", true}, {"R1", "10k (12k)", "", true}, {"R1", "0R/10k", "", true},
		{"C1", "100nF", "330nF", true}, {"C1", "100nF", "ceramic capacitor 330nF 16V", true}, {"R1", "10k", "resistor 12k 1%", true}, {"R1", "", "10k, 12k", true}, {"R1", "10k", "12kΩ", true},
		{"C1", "100nF/0.1uF", "", false}, {"R1", "10k 10k", "", false}, {"C1", "0.1uF", "100nF X7R", false}, {"C1", "100nF/50V", "", false}, {"C1", "10uF/16V/X5R", "", false}, {"R1", "10k/1%", "", false},
		{"R1", "1k", "RES 1K OHM 5% 1/10W 0603", false}, {"C1", "4,7uF", "", false}, {"C1", "100nF", "for the 3V3 rail, 5000H", false}, {"U1", "74/75", "", false}, {"R1", "1k5", "1.5k 100ppm", false}, {"R1", "100/1%", "", false},
		{"FB1", "BLM41PG600SN1L", "Ferrite Bead, 60Ω @ 100MHz, 0.009Ω, 6A", false}, {"FB1", "60R", "0.009Ω", false}, {"R1", "RC0603FR-0710KL", "12k", false},
		{"Q1", "AO3400A/SI2302", "", false}, {"C1", "330uF/16V", "Aluminum Electrolytic Capacitors", false},
	} {
		id := identity.Identify(&bom.Line{Refs: []string{tt.ref}, Value: tt.value, Description: tt.description, Footprint: "0603"}, identity.Rail{})
		if several := id.Certainty == identity.None && id.Why == identity.WhySeveral; several != tt.several || several && len(id.Queries) > 0 {
			t.Errorf("%s %q, %q: %s %s, several should be %t", tt.ref, tt.value, tt.description, id.Certainty, id.Why, tt.several)
		}
	}
}

func TestOf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		line bom.Line
		want string
	}{
		{bom.Line{Refs: []string{"U1"}, MPN: "LM358DR", FabCode: "C7950", Codes: part.Codes{{Scheme: part.DigiKey, Number: "296-1-ND"}}}, "exact fab:C7950 mpn:LM358DR digikey:2961ND"},
		{bom.Line{Refs: []string{"U1"}, MPN: "A1", Alternates: []bom.Part{{MPN: "B1"}}}, "exact mpn:A1 mpn:B1"},
		{bom.Line{Refs: []string{"R1"}, Value: "4k7", Footprint: "R_0603_1608Metric"}, "passive mpn:0603WAF4701T5E mpn:RC0603FR074K7L mpn:ERJ3EKF4701V mpn:CRCW06034K70FKEA"},
		{bom.Line{Refs: []string{"R1"}, Value: "RC0603FR-074K7L"}, "exact mpn:RC0603FR074K7L"},
		{bom.Line{Refs: []string{"FB1"}, Value: "BLM41PG600SN1L", Description: "Ferrite Bead, 1806, 60Ω"}, "guessed mpn:BLM41PG600SN1L"},
		{bom.Line{Refs: []string{"U1"}, Value: "BAV99,215"}, "guessed mpn:BAV99215"},
		{bom.Line{Refs: []string{"J1"}, MPN: "22232021", Manufacturer: "MOLEX"}, "exact mpn:22232021 mpn:0022232021"},
		{bom.Line{Refs: []string{"J1"}, MPN: "22-23-2021", Manufacturer: "MOLEX"}, "exact mpn:22232021 mpn:0022232021"},
		{bom.Line{Refs: []string{"J1"}, MPN: "0022232021", Manufacturer: "Molex, LLC"}, "exact mpn:0022232021 mpn:22232021"},
		{bom.Line{Refs: []string{"J1"}, MPN: "53261-0471"}, "exact mpn:532610471 mpn:0532610471"},
		{bom.Line{Refs: []string{"J1"}, MPN: "53261-0471", Manufacturer: "TE"}, "exact mpn:532610471"},
		{bom.Line{Refs: []string{"J1"}, MPN: "612345678", Manufacturer: ""}, "exact mpn:612345678"},
		{bom.Line{Refs: []string{"J1"}, Value: "47346-0001"}, "guessed mpn:473460001 mpn:0473460001"},
		{bom.Line{Refs: []string{"Q1"}, Value: "AO3400A / IRLML6344TRPBF"}, "guessed mpn:AO3400A mpn:IRLML6344TRPBF"},
		{bom.Line{Refs: []string{"Q1"}, Value: "AO3400A/SI2302"}, "guessed mpn:AO3400ASI2302 mpn:AO3400A mpn:SI2302"},
		{bom.Line{Refs: []string{"D1"}, Value: "BAT54S/SOT23"}, "guessed mpn:BAT54SSOT23 mpn:BAT54S"},
		{bom.Line{Refs: []string{"U1"}, Value: "LM358DR/SOIC8"}, "guessed mpn:LM358DRSOIC8 mpn:LM358DR"},
		{bom.Line{Refs: []string{"U1"}, Value: "LM358DR (SOIC-8)"}, "guessed mpn:LM358DR"},
		{bom.Line{Refs: []string{"U1"}, Value: "NE555DR or LM358DR"}, "guessed mpn:NE555DR mpn:LM358DR"},
		{bom.Line{Refs: []string{"U1"}, Value: "BAT54S/REEL"}, "guessed mpn:BAT54SREEL"},
		{bom.Line{Refs: []string{"J1"}, MPN: "22232021", Manufacturer: "TE"}, "exact mpn:22232021"},
		{bom.Line{Refs: []string{"J1"}, MPN: "61300211121"}, "exact mpn:61300211121"},
		{bom.Line{Refs: []string{"R1"}, Value: "4k7"}, "none passive_no_size"},
		{bom.Line{Refs: []string{"C1"}, Value: "100u", Footprint: "0402"}, "none no_usual_part"},
		{bom.Line{Refs: []string{"L1"}, Value: "4.7uH", Footprint: "0805"}, "none no_usual_part"},
		{bom.Line{Refs: []string{"C1"}, Value: "330uF", Description: "Aluminum Electrolytic Capacitors"}, "none not_told_by_value"},
		{bom.Line{Refs: []string{"J1"}, Value: "Conn_01x03"}, "none value_names_none"},
		{bom.Line{Refs: []string{"J1"}}, "none nothing_named"},
	} {
		id := identity.Identify(&tt.line, identity.Rail{})
		got := []string{string(id.Certainty)}
		for _, q := range id.Queries {
			got = append(got, q.Key())
		}
		if id.Why != "" {
			got = append(got, id.Why)
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%+v: %s, want %s", tt.line, s, tt.want)
		}
	}
	id := identity.Identify(&bom.Line{Refs: []string{"R1"}, Value: "4k7", Footprint: "0603"}, identity.Rail{})
	if fmt.Sprint(id.Assumed) != "[1 % at least 100 mW]" {
		t.Errorf("assumed %q, want 1 %% and at least 100 mW", id.Assumed)
	}
}
