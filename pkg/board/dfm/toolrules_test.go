package dfm

import (
	"context"
	"testing"

	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
)

// pair draws two tracks of two nets on the top, gap apart.
func (k *kit) pair(gap int64, x, y string) {
	const width = 200 * micron
	k.top.Line(geom.Pt(5*milli, 10*milli), geom.Pt(20*milli, 10*milli), width, artwork.Meta{Net: k.Net(x), Function: board.FuncConductor})
	k.top.Line(geom.Pt(5*milli, 10*milli+width+gap), geom.Pt(20*milli, 10*milli+width+gap), width, artwork.Meta{Net: k.Net(y), Function: board.FuncConductor})
}

// designRules are all rules that judge by the design's own.
func designRules(ctx context.Context, in *input) result {
	r := toolRules(ctx, in)
	r.add(spacings(ctx, in))
	return r
}

func TestToolRules(t *testing.T) {
	t.Parallel()
	class := func(name string, clearance int64, nets ...string) board.NetClass {
		return board.NetClass{Name: name, Clearance: clearance, Nets: nets}
	}
	tests := map[string]struct {
		rules board.Rules
		gap   int64
		count int
	}{
		"no rules":                             {board.Rules{}, 10 * micron, 0},
		"just kept":                            {board.Rules{Clearance: 200 * micron}, 200 * micron, 0},
		"just broken":                          {board.Rules{Clearance: 200 * micron}, 197 * micron, 1},
		"usual class":                          {board.Rules{Classes: []board.NetClass{class("Default", 200*micron)}}, 150 * micron, 1},
		"own class is stricter":                {board.Rules{Classes: []board.NetClass{class("Default", 100*micron), class("HV", 500*micron, "/HV*")}}, 300 * micron, 1},
		"own class is looser, the other's not": {board.Rules{Classes: []board.NetClass{class("Default", 200*micron), class("fine", 100*micron, "/HV1")}}, 150 * micron, 1},
		"both classes are looser":              {board.Rules{Classes: []board.NetClass{class("Default", 200*micron), class("fine", 100*micron, "/HV1", "SD?")}}, 150 * micron, 0},
		"narrow tracks":                        {board.Rules{TrackWidth: 250 * micron}, 1 * milli, 2},
		"custom rule for all":                  {board.Rules{Custom: []string{`(rule all (constraint clearance (min 0.4mm)))`}, Clearance: 100 * micron}, 300 * micron, 1},
		"custom rule goes before classes":      {board.Rules{Custom: []string{`(rule all (constraint clearance (min 0.1mm)))`}, Classes: []board.NetClass{class("Default", 200*micron)}}, 150 * micron, 0},
		"custom rule in mils":                  {board.Rules{Custom: []string{`(rule all (constraint track_width (min 10mil)))`}}, 1 * milli, 2},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKit()
			k.pair(tt.gap, "/HV1", "SDA")
			k.Rules = tt.rules
			r := k.judge(designRules, nil)
			f := r.want(t, DesignRule, Warning, tt.count)
			if tt.count > 0 && (len(f.Places) == 0 || f.Places[0].Layer != "top") {
				t.Errorf("places %+v", f.Places)
			}
			if len(r.unchecked) > 0 {
				t.Errorf("unchecked: %q", r.unchecked)
			}
		})
	}
}

func TestToolRulesOfHoles(t *testing.T) {
	t.Parallel()
	k := newKit()
	k.Rules = board.Rules{ViaDrill: 300 * micron, ViaDiameter: 600 * micron, HoleToHole: 500 * micron}
	for i, d := range []int64{200, 300, 400} {
		x := int64(5+5*i) * milli
		k.top.Flash(geom.Pt(x, 5*milli), artwork.Circle((d+290)*micron), 0, false, artwork.Meta{Function: board.FuncViaPad})
		k.hole(x, 5*milli, d*micron, board.Plated).Function = board.FuncViaDrill
	}
	k.hole(15*milli+800*micron, 5*milli, 400*micron, board.NonPlated)
	r := k.judge(designRules, nil)
	r.want(t, DesignRule, Warning, 4) // a small drill, two small vias, holes too close
}

func TestPadsOwnClearance(t *testing.T) {
	t.Parallel()
	k := newKit()
	k.Rules.Classes = []board.NetClass{{Name: "Default", Clearance: 200 * micron}}
	for i := range int64(2) {
		pin := k.Pin("U1", string(rune('1'+i)))
		k.top.Flash(geom.Pt(10*milli+i*600*micron, 10*milli), artwork.Rect(500*micron, 500*micron), 0, false,
			artwork.Meta{Function: board.FuncSMDPad, Net: k.Net(string(rune('A' + i))), Pin: pin})
	}
	r := k.judge(designRules, nil)
	r.want(t, DesignRule, Warning, 1)
	k.Rules.PadClearance = map[int32]int64{k.Pin("U1", "1"): 100 * micron}
	r = k.judge(designRules, nil)
	r.want(t, DesignRule, Warning, 0)
}

func TestCustomRulesUnknown(t *testing.T) {
	t.Parallel()
	r := board.Rules{Custom: []string{
		`(rule "HV" (constraint clearance (min 1mm)) (condition "A.NetClass == 'HV'"))`,
		`(rule "len" (constraint length (max 10mm)))`,
		`(rule ok (constraint hole_to_hole (min 0.3mm)))`,
	}}
	if got := customRules(&r); len(got) != 2 || r.HoleToHole != 300*micron {
		t.Errorf("unknown %q, hole to hole %d", got, r.HoleToHole)
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
			t.Errorf("%q %q: %v", tt.pattern, tt.name, got)
		}
	}
}
