package kicad

import (
	"testing"

	"boardorder/pkg/board/pcb"

	"github.com/google/go-cmp/cmp"
)

// TestProcesses: what KiCad 10 keeps of pads and vias, and what a stack is made of, that a
// plain board is made without.
func TestProcesses(t *testing.T) {
	t.Parallel()
	via := func(more string) string {
		return `(via (at 5 5) (size 0.8) (drill 0.4) (layers "F.Cu" "B.Cu") ` + more + `(net 0))`
	}
	pad := func(more string) string {
		return `(footprint "X" (layer "F.Cu") (at 5 5) (pad "1" thru_hole circle (at 0 0) (size 2 2) (drill 1) ` + more + `(layers "*.Cu" "*.Mask")))`
	}
	stack := func(materials ...string) string {
		s := `(setup (stackup (layer "F.Cu" (type "copper") (thickness 0.035))`
		for _, m := range materials {
			s += `(layer "dielectric" (type "core") (thickness 0.2) (material "` + m + `"))`
		}
		return s + `(layer "B.Cu" (type "copper") (thickness 0.035))))`
	}
	for name, tt := range map[string]struct {
		body     string
		want     []pcb.Process
		flex     bool
		material string
	}{
		"a via":                        {via(""), nil, false, ""},
		"a back-drilled via":           {via(`(backdrill (size 0.6) (layers "B.Cu" "In1.Cu")) `), []pcb.Process{pcb.BackDrilling}, false, ""},
		"back drilling of no size":     {via(`(backdrill (size 0) (layers "B.Cu" "In1.Cu")) `), nil, false, ""},
		"from the other side":          {via(`(tertiary_drill (size 0.6) (layers "F.Cu" "In1.Cu")) `), []pcb.Process{pcb.BackDrilling}, false, ""},
		"a counterbored pad":           {pad(`(front_post_machining counterbore (size 3) (depth 0.3)) `), []pcb.Process{pcb.DepthRouting}, false, ""},
		"a countersunk pad":            {pad(`(back_post_machining countersink (size 3) (angle 90)) `), []pcb.Process{pcb.DepthRouting}, false, ""},
		"a pad that is not machined":   {pad(`(back_post_machining none) `), nil, false, ""},
		"a press-fit pad":              {pad(`(property pad_prop_pressfit) `), []pcb.Process{pcb.PressFitting}, false, ""},
		"a heatsink pad":               {pad(`(property pad_prop_heatsink) `), nil, false, ""},
		"polyimide":                    {stack("Polyimide"), nil, true, "Polyimide"},
		"a sheet of Kapton among FR-4": {stack("FR4", "FR4", "Kapton"), []pcb.Process{pcb.RigidFlex}, false, ""},
		"FR-4":                         {stack("FR4", "FR4"), nil, false, ""},
	} {
		f := readText(t, v9(tt.body+frame)).Facts
		var got []pcb.Process
		for _, p := range f.Processes {
			got = append(got, p.Value)
			if p.Source.File != "dir/a.kicad_pcb" || p.Source.Line == 0 {
				t.Errorf("%s: its place is %+v, want dir/a.kicad_pcb and a line", name, p.Source)
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || f.Flex.Value != tt.flex || f.Material.Value != tt.material {
			t.Errorf("%s: flexible %v, material %q; want %v, %q; processes (-want +got):\n%s", name, f.Flex.Value, f.Material.Value, tt.flex, tt.material, diff)
		}
	}
}

// TestSetups: what the board's setup says of all vias holds for those that say nothing else;
// masks of two colours and sheets of two laminates are stated whole.
func TestSetups(t *testing.T) {
	t.Parallel()
	via := func(more string) string {
		return `(via (at 5 5) (size 0.8) (drill 0.4) (layers "F.Cu" "B.Cu") ` + more + `(net 0))`
	}
	const filled, plugged = `(setup (capping yes) (filling yes))`, `(setup (plugging front back))`
	for name, c := range map[string]struct{ body, vias, mask, material, bevel string }{
		"filled by the setup":       {body: filled + via(""), vias: "epoxy_filled_capped"},
		"filled but for this one":   {body: filled + via(`(capping no) (filling no) `), vias: "tented"},
		"filled, as in the setup":   {body: filled + via(`(capping none) (filling none) `), vias: "epoxy_filled_capped"},
		"plugged by the setup":      {body: plugged + via(""), vias: "plugged"},
		"plugged but for this one":  {body: plugged + via(`(plugging (front no) (back no)) `), vias: "tented"},
		"neither":                   {body: `(setup (capping no) (filling no) (plugging (front no) (back no)))` + via(""), vias: "tented"},
		"a via that is plugged":     {body: via(`(plugging (front yes) (back none)) `), vias: "plugged"},
		"masks of two colours":      {body: `(setup (stackup (layer "F.Mask" (type "Top Solder Mask") (color "Black")) (layer "B.Mask" (type "Bottom Solder Mask") (color "White"))))`, mask: "Black top, White bottom"},
		"one mask's colour":         {body: `(setup (stackup (layer "F.Mask" (type "Top Solder Mask") (color "Black")) (layer "B.Mask" (type "Bottom Solder Mask"))))`, mask: "Black"},
		"sheets of two laminates":   {body: `(setup (stackup (layer "dielectric 1" (type "core") (material "RO4350B")) (layer "dielectric 2" (type "prepreg") (material "FR4"))))`, material: "RO4350B + FR4"},
		"a bevelled edge connector": {body: `(setup (stackup (edge_connector bevelled)))`, bevel: "true"},
		"an edge connector":         {body: `(setup (stackup (edge_connector yes)))`},
	} {
		f := readText(t, v9(c.body+frame)).Facts
		bevel := ""
		if f.Bevel.Value {
			bevel = "true"
		}
		if f.ViaProcess.Value != c.vias || f.MaskColour.Value != c.mask || f.Material.Value != c.material || bevel != c.bevel {
			t.Errorf("%s: vias %q, mask %q, material %q, bevel %q; want %q, %q, %q, %q", name, f.ViaProcess.Value, f.MaskColour.Value, f.Material.Value, bevel, c.vias, c.mask, c.material, c.bevel)
		}
	}
}
