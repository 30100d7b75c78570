package toolrule

import (
	"testing"

	"boardorder/pkg/board/dfm/internal/kit"
	"boardorder/pkg/board/pcb"
)

func TestCustomRulesUnknown(t *testing.T) {
	t.Parallel()
	r := pcb.Rules{Custom: []string{
		`(rule "HV" (constraint clearance (min 1mm)) (condition "A.NetClass == 'HV'"))`,
		`(rule "len" (constraint length (max 10mm)))`,
		`(rule ok (constraint hole_to_hole (min 0.3mm)))`,
	}}
	if got := Custom(&r); len(got) != 2 || r.HoleToHole != 300*kit.Micron {
		t.Errorf("unknown %q, hole to hole %d nm; want two rules, and %d nm", got, r.HoleToHole, 300*kit.Micron)
	}
}

func TestMatches(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		pattern, name string
		want          bool
	}{
		{"GND", "GND", true}, {"GND", "GND2", false}, {"/HV*", "/HV1", true}, {"/HV*", "/LV1", false}, {"*_P", "USB_P", true},
		{"*_P", "USB_N", false}, {"D?", "D1", true}, {"D?", "D12", false}, {"*a*b*", "xxaxxbxx", true}, {"*", "", true}, {"?", "", false},
	} {
		if got := matches(tt.pattern, tt.name); got != tt.want {
			t.Errorf("matches(%q, %q) = %v, want %v", tt.pattern, tt.name, got, tt.want)
		}
	}
}
