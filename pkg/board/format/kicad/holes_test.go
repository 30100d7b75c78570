package kicad

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// part is a footprint R1 at 5, 5 with what is given in it.
func part(items string) string {
	return `(footprint "x" (layer "F.Cu") (at 5 5) (property "Reference" "R1" (at 0 0) (layer "F.Fab")) ` + items + `)`
}

// TestPadFunctions: what a pad is for by its kind, and by its property before that.
func TestPadFunctions(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]pcb.Function{
		`smd`: pcb.FuncSMDPad, `thru_hole`: pcb.FuncComponentPad, `np_thru_hole`: pcb.FuncWasherPad, `connect`: pcb.FuncConnectorPad,
		`smd|(property pad_prop_bga)`: pcb.FuncBGAPad, `smd|(property pad_prop_fiducial_glob)`: pcb.FuncFiducial, `smd|(property pad_prop_fiducial_loc)`: pcb.FuncFiducialLocal,
		`smd|(property pad_prop_testpoint)`: pcb.FuncTestPad, `thru_hole|(property pad_prop_castellated)`: pcb.FuncCastellatedPad, `smd|(property pad_prop_heatsink)`: pcb.FuncHeatsinkPad,
		`thru_hole|(property pad_prop_mechanical)`: pcb.FuncComponentPad, `smd|(property pad_prop_something_new)`: pcb.FuncSMDPad, `connect|(property pad_prop_heatsink)`: pcb.FuncHeatsinkPad,
	} {
		kind, property, _ := strings.Cut(text, "|")
		b := readText(t, v9(part(`(pad "1" `+kind+` rect (at 0 0) (size 2 2) (drill 1) (layers "F.Cu" "B.Cu") `+property+`)`)))
		if got := b.Copper()[0].Features[0].Function; got != want {
			t.Errorf("a pad %s has function %d, want %d", text, got, want)
		}
		if got, want := b.Facts.Castellations.Value, want == pcb.FuncCastellatedPad; got != want {
			t.Errorf("a pad %s: castellations %v, want %v", text, got, want)
		}
	}
}

// TestHolesOfPads: the hole of each kind of pad, and whether copper is left round it. A
// cutter's way is in millimetres from the pad's place, Y upwards.
func TestHolesOfPads(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		diameter int64
		way      [2]float64 // from the middle of a slot to its end
		plating  pcb.Plating
		function pcb.Function
		copper   int
		net      string
	}{
		`thru_hole circle (at 0 0) (size 2 2) (drill 1)`:              {1_000_000, [2]float64{}, pcb.Plated, pcb.FuncComponentDrill, 1, "A"},
		`thru_hole circle (at 0 0) (size 1 1) (drill 1)`:              {1_000_000, [2]float64{}, pcb.Plated, pcb.FuncComponentDrill, 1, "A"},
		`np_thru_hole circle (at 0 0) (size 1 1) (drill 1)`:           {1_000_000, [2]float64{}, pcb.NonPlated, pcb.FuncMechanicalDrill, 0, ""},
		`np_thru_hole circle (at 0 0) (size 1.1 1.1) (drill 1)`:       {1_000_000, [2]float64{}, pcb.NonPlated, pcb.FuncMechanicalDrill, 1, ""},
		`np_thru_hole rect (at 0 0) (size 1 1) (drill 1)`:             {1_000_000, [2]float64{}, pcb.NonPlated, pcb.FuncMechanicalDrill, 1, ""},
		`np_thru_hole oval (at 0 0) (size 1 3) (drill oval 1 3)`:      {1_000_000, [2]float64{0, 1}, pcb.NonPlated, pcb.FuncSlot, 0, ""},
		`np_thru_hole oval (at 0 0) (size 1 3) (drill oval 1 2)`:      {1_000_000, [2]float64{0, .5}, pcb.NonPlated, pcb.FuncSlot, 1, ""},
		`thru_hole oval (at 0 0) (size 4 2) (drill oval 3 1)`:         {1_000_000, [2]float64{1, 0}, pcb.Plated, pcb.FuncSlot, 1, "A"},
		`thru_hole oval (at 0 0 90) (size 4 2) (drill oval 3 1)`:      {1_000_000, [2]float64{0, 1}, pcb.Plated, pcb.FuncSlot, 1, "A"},
		`thru_hole oval (at 0 0 30) (size 4 2) (drill oval 3 1)`:      {1_000_000, [2]float64{math.Sqrt(3) / 2, .5}, pcb.Plated, pcb.FuncSlot, 1, "A"},
		`thru_hole oval (at 0 0) (size 2 2) (drill oval 1 1)`:         {1_000_000, [2]float64{}, pcb.Plated, pcb.FuncComponentDrill, 1, "A"},
		`thru_hole oval (at 0 0) (size 2 2) (drill oval 1)`:           {1_000_000, [2]float64{}, pcb.Plated, pcb.FuncComponentDrill, 1, "A"},
		`thru_hole circle (at 0 0) (size 2 2) (drill 1 3)`:            {1_000_000, [2]float64{}, pcb.Plated, pcb.FuncComponentDrill, 1, "A"},
		`thru_hole circle (at 0 0) (size 2 2) (drill (offset 0.5 0))`: {0, [2]float64{}, 0, 0, 1, "A"},
		`connect rect (at 0 0) (size 2 2)`:                            {0, [2]float64{}, 0, 0, 1, "A"},
		`np_thru_hole circle (at 0 0) (size 0 0) (drill 1)`:           {1_000_000, [2]float64{}, pcb.NonPlated, pcb.FuncMechanicalDrill, 0, ""},
	} {
		b := readText(t, v9(`(net 1 "A")`+part(`(pad "1" `+text+` (layers "*.Cu") (net 1 "A"))`)))
		copper := b.Copper()[0].Features
		if len(copper) != want.copper || want.copper > 0 && b.Nets[copper[0].Net].Name != want.net {
			t.Errorf("%s: copper %+v, want %d pads of net %q", text, copper, want.copper, want.net)
		}
		if len(b.Holes) == 0 || want.diameter == 0 {
			if len(b.Holes) > 0 || want.diameter > 0 {
				t.Errorf("%s: holes %+v, want %d nm wide or none", text, b.Holes, want.diameter)
			}
			continue
		}
		h := b.Holes[0]
		half := geom.Pt(int64(want.way[0]*mm), int64(want.way[1]*mm))
		if at := geom.Pt(5*mm, -5*mm); h.A.Dist(at.Sub(half)) > 2 || h.B.Dist(at.Add(half)) > 2 || h.Diameter != want.diameter {
			t.Errorf("%s: hole of %d nm from %v to %v, want %d, %v to %v", text, h.Diameter, h.A, h.B, want.diameter, at.Sub(half), at.Add(half))
		}
		if h.Plating != want.plating || h.Function != want.function || b.Nets[h.Net].Name != want.net {
			t.Errorf("%s: hole %+v of net %q, want plating %v, function %d, net %q", text, h, b.Nets[h.Net].Name, want.plating, want.function, want.net)
		}
	}
}

// TestUnusedLayers: a pad or via that goes without copper where nothing joins it keeps it
// on the layers where a track of its net ends, and, if so stated, on the outermost and
// where a zone touches it. A digit is the pads on each copper layer; the track is on In1.Cu.
func TestUnusedLayers(t *testing.T) {
	t.Parallel()
	const joined, other = `(segment (start 5 5) (end 9 9) (width 0.2) (layer "In1.Cu") (net 1))`, `(segment (start 5 5) (end 9 9) (width 0.2) (layer "In1.Cu") (net 2))`
	for name, c := range map[string]struct{ words, track, want string }{
		"nothing stated":             {"", "", "1111"},
		"removed":                    {"(remove_unused_layers)", "", "0000"},
		"removed, said with yes":     {"(remove_unused_layers yes)", "", "0000"},
		"not removed":                {"(remove_unused_layers no)", "", "1111"},
		"but at the ends":            {"(remove_unused_layers) (keep_end_layers)", "", "1001"},
		"not at the ends":            {"(remove_unused_layers yes) (keep_end_layers no)", "", "0000"},
		"the ends alone say nothing": {"(keep_end_layers yes)", "", "1111"},
		"where a track ends":         {"(remove_unused_layers)", joined, "0100"},
		"at the ends and a track":    {"(remove_unused_layers) (keep_end_layers)", joined, "1101"},
		"another net's track":        {"(remove_unused_layers)", other, "0000"},
		"a track that ends here":     {"(remove_unused_layers)", `(segment (start 9 9) (end 5 5) (width 0.2) (layer "In1.Cu") (net 1))`, "0100"},
		"a track to its rim":         {"(remove_unused_layers)", `(segment (start 6 5) (end 9 9) (width 0.2) (layer "In1.Cu") (net 1))`, "0100"},
		"a track beside it":          {"(remove_unused_layers)", `(segment (start 6.001 5) (end 9 9) (width 0.2) (layer "In1.Cu") (net 1))`, "0000"},
		"a track that passes over":   {"(remove_unused_layers)", `(segment (start 2 5) (end 9 5) (width 0.2) (layer "In1.Cu") (net 1))`, "0000"},
		"where a zone touches it":    {`(remove_unused_layers) (zone_layer_connections "In2.Cu")`, "", "0010"},
		"on two layers with zones":   {`(remove_unused_layers) (keep_end_layers) (zone_layer_connections "In1.Cu" "In2.Cu")`, "", "1111"},
	} {
		for kind, text := range map[string]string{
			"via": `(via (at 5 5) (size 2) (drill 1) (layers "F.Cu" "B.Cu") (net 1) ` + c.words + `)`,
			"pad": part(`(pad "1" thru_hole circle (at 0 0) (size 2 2) (drill 1) (layers "*.Cu") (net 1 "A") ` + c.words + `)`),
		} {
			b := readText(t, v9(`(net 1 "A") (net 2 "B")`+text+c.track))
			got := ""
			for _, l := range b.Copper() {
				n := 0
				for i := range l.Features {
					if l.Features[i].Kind == pcb.FlashFeature {
						n++
					}
				}
				got += fmt.Sprint(n)
			}
			if got != c.want || len(b.Holes) != 1 {
				t.Errorf("%s: %s with %q: pads on %s, %d holes; want %s and one", name, kind, c.words+c.track, got, len(b.Holes), c.want)
			}
		}
	}
	b := readText(t, v9(part(`(pad "1" smd rect (at 0 0) (size 2 2) (layers "F.Cu") (remove_unused_layers))`)))
	if n := len(b.Copper()[0].Features); n != 1 {
		t.Errorf("a surface mounted pad that is said to be removed: %d, want it drawn", n)
	}
}

// TestMaskMargins: the opening of a pad 2 mm wide, by what the pad, its footprint and the
// board say; up to KiCad 7 a margin of 0 means that the next one holds.
func TestMaskMargins(t *testing.T) {
	t.Parallel()
	const board, footprint, pad = `(setup (pad_to_mask_clearance 0.1))`, `(solder_mask_margin 0.2)`, `(solder_mask_margin 0.3)`
	for name, c := range map[string]struct {
		version               func(string) string
		board, footprint, pad string
		want                  int64 // nm
	}{
		"nothing":               {v9, "", "", "", 2_000_000},
		"the board":             {v9, board, "", "", 2_200_000},
		"the footprint":         {v9, board, footprint, "", 2_400_000},
		"the pad":               {v9, board, footprint, pad, 2_600_000},
		"the pad, narrower":     {v9, board, "", `(solder_mask_margin -0.05)`, 1_900_000},
		"the pad, 0 in 9":       {v9, board, footprint, `(solder_mask_margin 0)`, 2_000_000},
		"the footprint, 0 in 9": {v9, board, `(solder_mask_margin 0)`, "", 2_000_000},
		"the pad in 5":          {v5, board, footprint, pad, 2_600_000},
		"the pad, 0 in 5":       {v5, board, footprint, `(solder_mask_margin 0)`, 2_400_000},
		"the footprint, 0 in 5": {v5, board, `(solder_mask_margin 0)`, "", 2_200_000},
		"nothing left of a pad": {v9, "", "", `(solder_mask_margin -1)`, 0},
	} {
		b := readText(t, c.version(c.board+part(c.footprint+`(pad "1" smd circle (at 0 0) (size 2 2) (layers "F.Mask") `+c.pad+`)`)))
		l := layer(t, b, pcb.RoleMask, pcb.Top)
		got := int64(0)
		if len(l.Features) > 0 {
			got = l.Bounds().Width()
		}
		if got != c.want {
			t.Errorf("%s: board %q, footprint %q, pad %q: opening %d nm wide, want %d", name, c.board, c.footprint, c.pad, got, c.want)
		}
	}
}

// TestPinsOfPads: pads of one number are one pin; which side a pin is on, and how far copper
// keeps away from it.
func TestPinsOfPads(t *testing.T) {
	t.Parallel()
	const smd, below, through = `smd rect (at 0 0) (size 1 1) (layers "F.Cu")`, `smd rect (at 1 2) (size 1 1) (layers "B.Cu")`, `thru_hole circle (at 0 0) (size 2 2) (drill 1) (layers "*.Cu")`
	for name, c := range map[string]struct {
		items string
		want  string // number, side and clearance in micrometres of each pin
	}{
		"on top":                           {`(pad "1" ` + smd + `)`, "1 top 0"},
		"on the bottom":                    {`(pad "A2" ` + below + `)`, "A2 bottom 0"},
		"through":                          {`(pad "1" ` + through + `)`, "1 – 0"},
		"on both, without a hole":          {`(pad "1" smd rect (at 0 0) (size 1 1) (layers "F.Cu" "B.Cu"))`, "1 top 0"},
		"two":                              {`(pad "1" ` + smd + `) (pad "2" ` + below + `)`, "1 top 0, 2 bottom 0"},
		"two of one number":                {`(pad "1" ` + smd + `) (pad "1" ` + below + `)`, "1 top 0"},
		"without a number":                 {`(pad "" ` + smd + `)`, ""},
		"a clearance":                      {`(pad "1" ` + smd + ` (clearance 0.3))`, "1 top 300"},
		"a clearance of the footprint":     {`(clearance 0.2) (pad "1" ` + smd + `)`, "1 top 200"},
		"the pad's before the footprint's": {`(clearance 0.2) (pad "1" ` + smd + ` (clearance 0.3))`, "1 top 300"},
		"a clearance below nothing":        {`(pad "1" ` + smd + ` (clearance -0.3))`, "1 top 0"},
	} {
		b := readText(t, v9(part(c.items)))
		var got []string
		for i, p := range b.Pins {
			if i == 0 { // no pin
				continue
			}
			side := map[pcb.Side]string{pcb.Top: "top", pcb.Bottom: "bottom", pcb.NoSide: "–"}[p.Side]
			got = append(got, fmt.Sprint(p.Number, " ", side, " ", b.Rules.PadClearance[int32(i)]/1000))
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s: %s: pins %q, want %q", name, c.items, s, c.want)
		}
	}
	b := readText(t, v9(`(footprint "x" (layer "F.Cu") (at 5 5) (pad "1" `+smd+` (clearance 0.3)))`))
	if len(b.Pins) != 1 || len(b.Rules.PadClearance) != 0 {
		t.Errorf("a pad of a part without a reference: pins %+v, clearances %v; want none", b.Pins[1:], b.Rules.PadClearance)
	}
}

// TestProcessesOfVias: what is stated of vias by most of them, or by those that are filled.
func TestProcessesOfVias(t *testing.T) {
	t.Parallel()
	via := func(words string) string {
		return `(via (at 5 5) (size 0.8) (drill 0.4) (layers "F.Cu" "B.Cu") ` + words + `)`
	}
	const tented, open = `(tenting front back)`, `(tenting none)`
	for name, c := range map[string]struct {
		text, want string
		chosen     bool
	}{
		"none":                       {"", "", false},
		"tented as KiCad begins":     {via(""), "tented", false},
		"open":                       {via(open), "untented", true},
		"half of them open":          {via(open) + via(tented), "untented", true},
		"one side of one open":       {via(`(tenting front)`) + via(tented), "tented", true},
		"filled":                     {via("") + via("") + via(`(filling yes)`), "epoxy_filled_capped", true},
		"capped":                     {via(`(capping yes)`), "epoxy_filled_capped", true},
		"plugged":                    {via(`(plugging (front yes) (back no))`), "plugged", true},
		"plugged on no side":         {via(`(plugging (front no) (back no))`), "tented", false},
		"plugged and filled":         {via(`(plugging front)`) + via(`(filling yes)`), "epoxy_filled_capped", true},
		"filled by the board":        {`(setup (filling yes))` + via(""), "epoxy_filled_capped", true},
		"all but this by the board":  {`(setup (filling yes))` + via(`(filling no)`), "tented", false},
		"plugged by the board":       {`(setup (plugging front))` + via(""), "plugged", true},
		"a setting without any vias": {`(setup (filling yes))`, "", false},
	} {
		f := readText(t, v9(c.text)).Facts.ViaProcess
		if f.Value != c.want || f.Known && !f.Default != c.chosen {
			t.Errorf("%s: %s: vias are %q, chosen %v; want %q, %v", name, c.text, f.Value, f.Known && !f.Default, c.want, c.chosen)
		}
	}
}
