package identity_test

import (
	"fmt"
	"strings"
	"testing"

	"boardorder/services/part-sourcing/internal/bom"
	"boardorder/services/part-sourcing/internal/identity"
)

func TestOf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		line bom.Line
		want string
	}{
		{bom.Line{Refs: []string{"U1"}, MPN: "LM358DR", FabCode: "C7950", DistributorA: "296-1-ND"}, "exact fab:C7950 mpn:LM358DR distributor_a:2961ND"},
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
		t.Errorf("assumed %q", id.Assumed)
	}
}
