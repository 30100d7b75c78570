package designrules

import (
	"context"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/kit"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/dfm/rules/conductor"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/pcb"
)

// designRules are all rules that judge by the design's own.
func designRules(ctx context.Context, in *measure.Input) rule.Result {
	r := judgeStated(ctx, in)
	r.Add(conductor.Clearance.Run(ctx, in))
	return r
}

func TestToolRules(t *testing.T) {
	t.Parallel()
	class := func(name string, clearance int64, nets ...string) pcb.NetClass {
		return pcb.NetClass{Name: name, Clearance: clearance, Nets: nets}
	}
	tests := map[string]struct {
		rules pcb.Rules
		gap   int64
		count int
	}{
		"no rules":                             {pcb.Rules{}, 10 * kit.Micron, 0},
		"just kept":                            {pcb.Rules{Clearance: 200 * kit.Micron}, 200 * kit.Micron, 0},
		"just broken":                          {pcb.Rules{Clearance: 200 * kit.Micron}, 197 * kit.Micron, 1},
		"usual class":                          {pcb.Rules{Classes: []pcb.NetClass{class("Default", 200*kit.Micron)}}, 150 * kit.Micron, 1},
		"own class is stricter":                {pcb.Rules{Classes: []pcb.NetClass{class("Default", 100*kit.Micron), class("HV", 500*kit.Micron, "/HV*")}}, 300 * kit.Micron, 1},
		"own class is looser, the other's not": {pcb.Rules{Classes: []pcb.NetClass{class("Default", 200*kit.Micron), class("fine", 100*kit.Micron, "/HV1")}}, 150 * kit.Micron, 1},
		"both classes are looser":              {pcb.Rules{Classes: []pcb.NetClass{class("Default", 200*kit.Micron), class("fine", 100*kit.Micron, "/HV1", "SD?")}}, 150 * kit.Micron, 0},
		"narrow tracks":                        {pcb.Rules{TrackWidth: 250 * kit.Micron}, 1 * kit.Milli, 2},
		"custom rule for all":                  {pcb.Rules{Custom: []string{`(rule all (constraint clearance (min 0.4mm)))`}, Clearance: 100 * kit.Micron}, 300 * kit.Micron, 1},
		"custom rule goes before classes":      {pcb.Rules{Custom: []string{`(rule all (constraint clearance (min 0.1mm)))`}, Classes: []pcb.NetClass{class("Default", 200*kit.Micron)}}, 150 * kit.Micron, 0},
		"custom rule in mils":                  {pcb.Rules{Custom: []string{`(rule all (constraint track_width (min 10mil)))`}}, 1 * kit.Milli, 2},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := kit.New()
			k.Pair(tt.gap, "/HV1", "SDA")
			k.Rules = tt.rules
			r := k.Judge(designRules, nil)
			f := kit.Want(t, &r, dfm.DesignRule, dfm.Warning, tt.count)
			if tt.count > 0 && (len(f.Places) == 0 || f.Places[0].Layer != "top") {
				t.Errorf("places %+v, want the first on the top", f.Places)
			}
			if len(r.Unchecked) > 0 {
				t.Errorf("unchecked: %q, want nothing", r.Unchecked)
			}
		})
	}
}

func TestToolRulesOfHoles(t *testing.T) {
	t.Parallel()
	k := kit.New()
	k.Rules = pcb.Rules{ViaDrill: 300 * kit.Micron, ViaDiameter: 600 * kit.Micron, HoleToHole: 500 * kit.Micron}
	for i, d := range []int64{200, 300, 400} {
		x := int64(5+5*i) * kit.Milli
		k.Top.Flash(geom.Pt(x, 5*kit.Milli), artwork.Circle((d+290)*kit.Micron), 0, false, artwork.Meta{Function: pcb.FuncViaPad})
		k.Hole(x, 5*kit.Milli, d*kit.Micron, pcb.Plated).Function = pcb.FuncViaDrill
	}
	k.Hole(15*kit.Milli+800*kit.Micron, 5*kit.Milli, 400*kit.Micron, pcb.NonPlated)
	r := k.Judge(designRules, nil)
	kit.Want(t, &r, dfm.DesignRule, dfm.Warning, 4) // a small drill, two small vias, holes too close
}

func TestPadsOwnClearance(t *testing.T) {
	t.Parallel()
	k := kit.New()
	k.Rules.Classes = []pcb.NetClass{{Name: "Default", Clearance: 200 * kit.Micron}}
	for i := range int64(2) {
		pin := k.Pin("U1", string(rune('1'+i)))
		k.Top.Flash(geom.Pt(10*kit.Milli+i*600*kit.Micron, 10*kit.Milli), artwork.Rect(500*kit.Micron, 500*kit.Micron), 0, false,
			artwork.Meta{Function: pcb.FuncSMDPad, Net: k.Net(string(rune('A' + i))), Pin: pin})
	}
	r := k.Judge(designRules, nil)
	kit.Want(t, &r, dfm.DesignRule, dfm.Warning, 1)
	k.Rules.PadClearance = map[int32]int64{k.Pin("U1", "1"): 100 * kit.Micron}
	r = k.Judge(designRules, nil)
	kit.Want(t, &r, dfm.DesignRule, dfm.Warning, 0)
}
