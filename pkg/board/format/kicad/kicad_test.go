package kicad

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

const mm = 1_000_000

// layers9 and layers5 are tables of layers as the versions write them.
const (
	layers9 = `(layers (0 "F.Cu" signal "Top Layer") (4 "In1.Cu" power) (6 "In2.Cu" signal) (2 "B.Cu" signal)
		(13 "F.Paste" user) (15 "B.Paste" user) (5 "F.SilkS" user "F.Silkscreen") (7 "B.SilkS" user) (1 "F.Mask" user) (3 "B.Mask" user)
		(17 "Dwgs.User" user) (25 "Edge.Cuts" user) (35 "F.Fab" user) (39 "User.1" user "V-Cuts"))`
	layers5 = `(layers (0 Top signal) (1 GND power hide) (31 Bottom signal) (34 B.Paste user) (35 F.Paste user)
		(36 B.SilkS user) (37 F.SilkS user) (38 B.Mask user) (39 F.Mask user) (44 Edge.Cuts user))`
	frame = `(gr_line (start 0 0) (end 100 0) (layer Edge.Cuts) (width 0.1)) (gr_line (start 100 0) (end 100 50) (layer Edge.Cuts) (width 0.1))
		(gr_line (start 100 50) (end 0 50) (layer Edge.Cuts) (width 0.1)) (gr_line (start 0 50) (end 0 0) (layer Edge.Cuts) (width 0.1))`
)

func v9(body string) string {
	return "(kicad_pcb (version 20241229) (generator pcbnew) " + layers9 + "\n" + body + ")"
}
func v5(body string) string {
	return "(kicad_pcb (version 20171130) (host pcbnew 5.1.9) " + layers5 + "\n" + body + ")"
}

func readText(t *testing.T, text string, more ...File) *pcb.Board {
	t.Helper()
	boards, _ := Read(t.Context(), append([]File{{"dir/a.kicad_pcb", []byte(text)}}, more...))
	if len(boards) != 1 {
		t.Fatalf("boards = %d, want 1", len(boards))
	}
	return boards[0]
}

func layer(t *testing.T, b *pcb.Board, role pcb.Role, side pcb.Side) *pcb.Layer {
	t.Helper()
	l := b.Find(role, side)
	if len(l) != 1 {
		t.Fatalf("layers %v %v = %d, want 1", role, side, len(l))
	}
	return l[0]
}

func hasFinding(b *pcb.Board, code string) bool {
	for _, f := range b.Findings {
		if f.Code == code {
			return true
		}
	}
	return false
}

func TestLayerTable(t *testing.T) {
	t.Parallel()
	b := readText(t, v9(frame))
	var names []string
	for _, l := range b.Copper() {
		names = append(names, l.Name)
	}
	if got, want := strings.Join(names, ","), "Top Layer,In1.Cu,In2.Cu,B.Cu"; got != want {
		t.Errorf("copper layers of version 9 = %s, want %s", got, want)
	}
	b = readText(t, v5(frame+`(segment (start 1 1) (end 2 2) (width 0.2) (layer GND) (net 0))`))
	c := b.Copper()
	if len(c) != 3 || c[1].Name != "GND" || c[1].Order != 2 || c[1].Side != pcb.Inner || len(c[1].Features) != 1 {
		t.Errorf("copper layers with a renamed one = %+v; want 3, the second GND, order 2, inside, with one feature", c)
	}
	if b.Facts.CopperLayers.Value != 3 {
		t.Errorf("copper layers = %d, want 3", b.Facts.CopperLayers.Value)
	}
}

// isCovered tells whether something of the layer lies at p.
func isCovered(l *pcb.Layer, p geom.Point) bool {
	in := false
	for i := range l.Features {
		f := &l.Features[i]
		hit := false
		switch f.Kind {
		case pcb.RegionFeature:
			hit = l.Regions[f.Shape].Contains(p)
		case pcb.FlashFeature:
			place := l.Place(f)
			for k := range l.Apertures[f.Shape].Primitives {
				q := l.Apertures[f.Shape].Primitives[k].Place(place)
				if q.Path().Winding(p) != 0 {
					hit = !q.Clear
				}
			}
		default:
			_, d := l.Edge(f).Nearest(p)
			hit = d <= float64(l.Width(f))/2
		}
		if hit {
			in = !f.Clear
		}
	}
	return in
}

// area of what the layer covers, in mm², by counting a grid of points.
func area(l *pcb.Layer) float64 {
	box, n := l.Bounds(), 0
	const steps = 100
	for i := range steps {
		for j := range steps {
			p := geom.Pt(box.Min.X+box.Width()*(2*int64(i)+1)/(2*steps), box.Min.Y+box.Height()*(2*int64(j)+1)/(2*steps))
			if isCovered(l, p) {
				n++
			}
		}
	}
	return float64(n) / steps / steps * geom.Millimetres(box.Width()) * geom.Millimetres(box.Height())
}

func TestPadShapes(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		pad           string
		copper, mask  float64 // mm²
		width, height float64 // mm of the copper's box
	}{
		"circle":    {`circle (at 0 0) (size 2 2)`, math.Pi, math.Pi * 1.21, 2, 2},
		"rect":      {`rect (at 0 0) (size 3 1)`, 3, 3.8336, 3, 1},
		"turned":    {`rect (at 0 0 90) (size 3 1)`, 3, 3.8336, 1, 3},
		"oval":      {`oval (at 0 0) (size 3 1)`, 2 + math.Pi/4, 2*1.2 + math.Pi*.36, 3, 1},
		"roundrect": {`roundrect (at 0 0) (size 3 2) (roundrect_rratio 0.25)`, 6 - (4-math.Pi)*.25, 3.2*2.2 - (4-math.Pi)*.36, 3, 2},
		"trapezoid": {`trapezoid (at 0 0) (size 3 2) (rect_delta 1 0)`, 6, 7.06, 3, 3},
		"chamfer":   {`roundrect (at 0 0) (size 2 2) (roundrect_rratio 0) (chamfer_ratio 0.25) (chamfer top_left bottom_right)`, 4 - .25, 4.53, 2, 2},
		"custom": {`custom (at 0 0) (size 1 1) (options (clearance outline) (anchor rect))
			(primitives (gr_poly (pts (xy 0 0) (xy 2 0) (xy 2 2) (xy 0 2)) (width 0) (fill yes)))`, 4 + .75, 5.69, 2.5, 2.5},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := readText(t, v9(`(setup (pad_to_mask_clearance 0.1)) (footprint "x" (layer "F.Cu") (at 10 10)
				(pad "1" smd `+tt.pad+` (layers "F.Cu" "F.Mask" "F.Paste")))`))
			cu := b.Copper()[0]
			if got := area(cu); math.Abs(got-tt.copper) > 0.02*tt.copper {
				t.Errorf("copper = %.3f mm², want %.3f", got, tt.copper)
			}
			if got := area(layer(t, b, pcb.RoleMask, pcb.Top)); math.Abs(got-tt.mask) > 0.02*tt.mask {
				t.Errorf("mask opening = %.3f mm², want %.3f", got, tt.mask)
			}
			box := cu.Bounds()
			if w, h := geom.Millimetres(box.Width()), geom.Millimetres(box.Height()); math.Abs(w-tt.width) > 1e-3 || math.Abs(h-tt.height) > 1e-3 {
				t.Errorf("extent = %.3f × %.3f mm, want %.3f × %.3f", w, h, tt.width, tt.height)
			}
		})
	}
}

// TestChamferCorner: the corners that are cut are those that KiCad names, Y
// pointing down in the file.
func TestChamferCorner(t *testing.T) {
	t.Parallel()
	b := readText(t, v9(`(footprint "x" (layer "F.Cu") (at 0 0) (pad "1" smd roundrect (at 0 0) (size 2 2)
		(roundrect_rratio 0) (chamfer_ratio 0.3) (chamfer top_left) (layers "F.Cu")))`))
	cu := b.Copper()[0]
	for corner, in := range map[geom.Point]bool{{X: -1, Y: 1}: false, {X: 1, Y: 1}: true, {X: -1, Y: -1}: true, {X: 1, Y: -1}: true} {
		if got := isCovered(cu, geom.Pt(corner.X*950_000, corner.Y*950_000)); got != in {
			t.Errorf("copper at corner %v = %v, want %v", corner, got, in)
		}
	}
}

func TestPaste(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		setup, footprint, pad string
		want                  float64
	}{
		"as copper":       {"", "", "", 8},
		"board margin":    {"(pad_to_paste_clearance -0.1)", "", "", 3.8 * 1.8},
		"board ratio":     {"(pad_to_paste_clearance_ratio -0.1)", "", "", 3.2 * 1.6},
		"footprint first": {"(pad_to_paste_clearance -0.1)", "(solder_paste_margin -0.2)", "", 3.6 * 1.6},
		"pad first":       {"(pad_to_paste_clearance -0.1)", "(solder_paste_margin -0.2)", "(solder_paste_margin -0.3)", 3.4 * 1.4},
		"pad back to 0":   {"(pad_to_paste_clearance -0.1)", "", "(solder_paste_margin 0)", 8},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := readText(t, v9(`(setup `+tt.setup+`) (footprint "x" (layer "F.Cu") (at 0 0) `+tt.footprint+`
				(pad "1" smd rect (at 0 0) (size 4 2) (layers "F.Cu" "F.Paste") `+tt.pad+`))`))
			if got := area(layer(t, b, pcb.RolePaste, pcb.Top)); math.Abs(got-tt.want) > 0.05 {
				t.Errorf("paste = %.3f mm², want %.3f", got, tt.want)
			}
		})
	}
}

func TestHoles(t *testing.T) {
	t.Parallel()
	b := readText(t, v9(`(net 1 "GND") (footprint "x" (layer "B.Cu") (at 10 20 90) (property "Reference" "J1" (at 0 0) (layer "B.SilkS"))
		(pad "1" thru_hole oval (at 1 2 90) (size 2 3) (drill oval 1 2 (offset 0.5 0)) (layers "*.Cu" "*.Mask") (net 1 "GND"))
		(pad "" np_thru_hole circle (at 0 0) (size 3 3) (drill 3) (layers "*.Cu" "*.Mask")))
		(via blind (at 1 1) (size 0.6) (drill 0.3) (layers "F.Cu" "In1.Cu") (net 1))`))
	if len(b.Holes) != 3 {
		t.Fatalf("holes = %d, want 3", len(b.Holes))
	}
	// (1, 2) turned by 90° on a board whose Y points down lies at (10+2, 20-1).
	slot := b.Holes[0]
	if slot.Kind != pcb.SlotHole || slot.Diameter != 1*mm || slot.A.Mid(slot.B) != geom.Pt(12*mm, -19*mm) ||
		slot.Plating != pcb.Plated || slot.A.Y != slot.B.Y || math.Abs(slot.A.Dist(slot.B)-1*mm) > 1 {
		t.Errorf("slot = %+v; want it plated, 1 mm wide and long, level, about 12, -19 mm", slot)
	}
	if got := b.Nets[slot.Net].Name; got != "GND" {
		t.Errorf("net of the slot = %q, want GND", got)
	}
	if p := b.Pins[slot.Pin]; p.Number != "1" || b.Components[p.Component].Ref != "J1" {
		t.Errorf("pin of the slot = %+v, want J1-1", p)
	}
	// The shape's offset is turned with the pad: (0.5, 0) by 90° is up.
	cu := b.Copper()[0]
	if got := cu.FeatureBounds(&cu.Features[0]).Centre(); got != geom.Pt(12*mm, -18_500_000) {
		t.Errorf("middle of the pad's copper = %v, want 12, -18.5 mm", got)
	}
	if b.Holes[1].Plating != pcb.NonPlated {
		t.Errorf("second hole = %+v, want unplated", b.Holes[1])
	}
	if v := b.Holes[2]; v.From != 1 || v.To != 2 || v.Function != pcb.FuncViaDrill {
		t.Errorf("blind via = %+v, want it from 1 to 2, drilled as a via", v)
	}
	if n := len(b.Copper()[2].Features); n != 1 {
		t.Errorf("third layer has %d features, want the pad only", n)
	}
	if !b.Facts.BlindVias.Value {
		t.Error("blind vias are not stated")
	}
}

// TestOffsetsOfPadstacks: a padstack states the offset of a layer's shape by itself, that of
// the drill is for the others; without one the shape lies on the hole.
func TestOffsetsOfPadstacks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, stack string
		top, bottom geom.Point
	}{
		{"none", "", geom.Pt(10*mm, -19_500_000), geom.Pt(10*mm, -19_500_000)},
		{"of its own", `(padstack (mode custom) (layer "B.Cu" (shape oval) (size 1 2) (offset 0 0.5)))`, geom.Pt(10*mm, -19_500_000), geom.Pt(10*mm, -20_500_000)},
		{"no offset stated", `(padstack (mode custom) (layer "B.Cu" (shape oval) (size 1 2)))`, geom.Pt(10*mm, -19_500_000), geom.Pt(10*mm, -20*mm)},
	} {
		b := readText(t, v9(`(footprint "x" (layer "F.Cu") (at 10 20) (pad "1" thru_hole oval (at 0 0) (size 1 2) (drill 0.5 (offset 0 -0.5)) (layers "*.Cu") `+c.stack+`))`))
		copper := b.Copper()
		top, bottom := copper[0], copper[len(copper)-1]
		if x, y := top.FeatureBounds(&top.Features[0]).Centre(), bottom.FeatureBounds(&bottom.Features[0]).Centre(); x != c.top || y != c.bottom {
			t.Errorf("%s: top %v, want %v; bottom %v, want %v", c.name, x, c.top, y, c.bottom)
		}
	}
}

func TestNetsByName(t *testing.T) {
	t.Parallel()
	b := readText(t, strings.Replace(v9(`(segment (start 0 0) (end 1 1) (width 0.2) (layer "F.Cu") (net "/A{slash}B"))
		(segment (start 0 0) (end 1 1) (width 0.2) (layer "F.Cu") (net "GND"))`), "20241229", "20250801", 1))
	if len(b.Nets) != 3 || b.Nets[2].Name != "GND" || b.Copper()[0].Features[1].Net != 2 {
		t.Errorf("nets = %+v, want GND as the second, of the second track", b.Nets)
	}
}

func TestArcs(t *testing.T) {
	t.Parallel()
	for name, item := range map[string]string{
		// The quarter from (10, 0) round (0, 0) through the lower right, which is
		// down on a sheet whose Y points down.
		"by angle": `(gr_arc (start 0 0) (end 10 0) (angle 90) (layer F.SilkS) (width 0.2))`,
		"by mid":   `(gr_arc (start 10 0) (mid 7.071068 7.071068) (end 0 10) (stroke (width 0.2) (type solid)) (layer F.SilkS))`,
		"backward": `(gr_arc (start 0 0) (end 0 10) (angle -90) (layer F.SilkS) (width 0.2))`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := layer(t, readText(t, v5(item)), pcb.RoleSilk, pcb.Top)
			e := l.Edge(&l.Features[0])
			if got := e.Mid(); got.Dist(geom.Pt(7_071_068, -7_071_068)) > 2000 || math.Abs(e.Len()-5*math.Pi*mm) > 2000 {
				t.Errorf("middle %v, length %.0f nm; want 7071068, -7071068, length %.0f", got, e.Len(), 5*math.Pi*mm)
			}
		})
	}
}

// TestTrackArcs: tracks turn as KiCad has it, also where the middle lies elsewhere on the
// circle: a quarter from (6.95, 29.75) round (8.45, 29.75).
func TestTrackArcs(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		mid, end string
		quarters float64
	}{
		"halfway":                   {"7.38934 28.68934", "8.45 28.25", 1},
		"a little off":              {"7.7 28.451", "8.45 28.25", 1},
		"opposite the end":          {"8.45 31.25", "8.45 28.25", 1},
		"opposite the end, turned":  {"8.45 28.25", "8.45 31.25", 3},
		"three quarters, halfway":   {"9.51066 30.81066", "8.45 28.25", 3},
		"half a turn":               {"8.45 28.25", "9.95 29.75", 2},
		"half a turn the other way": {"8.45 31.25", "9.95 29.75", 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := fmt.Sprintf(`(arc (start 6.95 29.75) (mid %s) (end %s) (width 0.2) (layer "F.Cu") (net "A"))`, tt.mid, tt.end)
			l := layer(t, readText(t, v9(text)), pcb.RoleCopper, pcb.Top)
			e := l.Edge(&l.Features[0])
			if want := tt.quarters * math.Pi / 2 * 1.5 * mm; math.Abs(e.Len()-want) > 5000 {
				t.Errorf("length %.0f, want %.0f", e.Len(), want)
			}
		})
	}
}

func TestZoneFill(t *testing.T) {
	t.Parallel()
	zone := `(zone (net 0) (layer %L) (hatch edge 0.5) (min_thickness 0.2) %T (fill yes)
		(polygon (pts (xy 0 0) (xy 11 0) (xy 11 11) (xy 0 11)))
		(filled_polygon %F (pts (xy 0 0) (xy 10 0) (xy 10 10) (xy 0 10))))`
	make := func(l, thick, fill string) string {
		return strings.NewReplacer("%L", l, "%T", thick, "%F", fill).Replace(zone)
	}
	for name, tt := range map[string]struct {
		text string
		want float64
	}{
		"up to 5 a pen runs round": {v5(make("Top", "", "")), 10.2*10.2 - (4-math.Pi)*.01},
		"from 6 as stored":         {v9(make(`"F.Cu"`, "(filled_areas_thickness no)", `(layer "F.Cu")`)), 100},
		"6 still runs the pen":     {strings.Replace(v9(make(`"F.Cu"`, "", `(layer "F.Cu")`)), "20241229", "20211014", 1), 10.2*10.2 - (4-math.Pi)*.01},
		"from 7 as stored":         {strings.Replace(v9(make(`"F.Cu"`, "", `(layer "F.Cu")`)), "20241229", "20221018", 1), 100},
		"from 6 with the pen":      {v9(make(`"F.Cu"`, "(filled_areas_thickness yes)", `(layer "F.Cu")`)), 10.2*10.2 - (4-math.Pi)*.01},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := area(readText(t, tt.text).Copper()[0]); math.Abs(got-tt.want) > 0.3 {
				t.Errorf("copper = %.2f mm², want %.2f", got, tt.want)
			}
		})
	}
	strokes := ` (fill_segments (pts (xy 0 20) (xy 10 20))))`
	for fill, want := range map[string]float64{"(fill yes)": 1, "(fill yes (mode segment))": 2} {
		text := strings.Replace(make("Top", "", ""), "(fill yes)", fill, 1)
		b := readText(t, v5(strings.TrimSuffix(text, ")")+strokes))
		lines := 0.
		for _, f := range b.Copper()[0].Features {
			if f.A.Y == -20*mm || f.B.Y == -20*mm {
				lines++
			}
		}
		if lines != want-1 {
			t.Errorf("%s: %v strokes of an older fill, want %v", fill, lines, want-1)
		}
	}
	if b := readText(t, v9(`(zone (net 0) (layer "F.Cu") (fill (thermal_gap 0.5)) (polygon (pts (xy 0 0) (xy 1 0) (xy 1 1))))`)); !hasFinding(b, "zone_not_filled") {
		t.Error("a zone without stored fill gives no finding")
	}
	if b := readText(t, v9(`(zone (layer "F.Cu") (keepout (tracks not_allowed)) (polygon (pts (xy 0 0) (xy 1 0) (xy 1 1))))`)); hasFinding(b, "zone_not_filled") {
		t.Error("a keep-out without fill gives a finding")
	}
}

func TestTenting(t *testing.T) {
	t.Parallel()
	const via = `(via (at 1 1) (size 0.6) (drill 0.3) (layers %A %B) (net 0) %O)`
	make := func(a, b, own string) string { return strings.NewReplacer("%A", a, "%B", b, "%O", own).Replace(via) }
	for name, tt := range map[string]struct {
		text        string
		top, bottom int // openings
		process     string
		stated      bool
	}{
		"5, default":   {v5(make("Top", "Bottom", "")), 0, 0, "tented", false},
		"5, on mask":   {v5(`(setup (pcbplotparams (viasonmask true)))` + make("Top", "Bottom", "")), 1, 1, "untented", true},
		"9, default":   {v9(make("F.Cu", "B.Cu", "")), 0, 0, "tented", false},
		"9, none":      {v9(`(setup (tenting none))` + make("F.Cu", "B.Cu", "")), 1, 1, "untented", true},
		"9, via":       {v9(`(setup (tenting front back))` + make("F.Cu", "B.Cu", "(tenting none)")), 1, 1, "untented", true},
		"10, one side": {v9(`(setup (tenting (front yes) (back no)))` + make("F.Cu", "B.Cu", "")), 0, 1, "untented", true},
		"10, filled":   {v9(make("F.Cu", "B.Cu", "(filling yes) (capping yes)")), 0, 0, "epoxy_filled_capped", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := readText(t, tt.text)
			top, bottom := len(layer(t, b, pcb.RoleMask, pcb.Top).Features), len(layer(t, b, pcb.RoleMask, pcb.Bottom).Features)
			if top != tt.top || bottom != tt.bottom {
				t.Errorf("openings = %d top, %d bottom, want %d, %d", top, bottom, tt.top, tt.bottom)
			}
			if f := b.Facts.ViaProcess; f.Value != tt.process || f.IsStated() != tt.stated {
				t.Errorf("via process = %q stated %v, want %q %v", f.Value, f.IsStated(), tt.process, tt.stated)
			}
		})
	}
}

func TestStackup(t *testing.T) {
	t.Parallel()
	const untouched = `(general (thickness 1.6)) ` + layers9 + `(setup (stackup
		(layer "F.SilkS" (type "Top Silk Screen")) (layer "F.Mask" (type "Top Solder Mask") (thickness 0.01))
		(layer "F.Cu" (type "copper") (thickness 0.035))
		(layer "dielectric 1" (type "core") (thickness 1.51) (material "FR4") (epsilon_r 4.5) (loss_tangent 0.02))
		(layer "B.Cu" (type "copper") (thickness 0.035)) (copper_finish "None") (dielectric_constraints no)))`
	read := func(text string) *pcb.Facts { return &readText(t, "(kicad_pcb (version 20211014) "+text+")").Facts }

	f := read(untouched)
	if !f.OuterCopper.Known || f.OuterCopper.IsStated() || f.Thickness.IsStated() || f.Finish.Known || f.MaskColour.Known || f.Impedance.Known {
		t.Errorf("an untouched stackup: %+v, want the copper known, and nothing stated", f)
	}
	f = read(strings.NewReplacer(`"None"`, `"ENIG"`, "constraints no", "constraints yes", `Solder Mask")`, `Solder Mask") (color "Blue")`,
		`Silk Screen")`, `Silk Screen") (color "White")`).Replace(untouched))
	if f.Finish.Value != "ENIG" || !f.Impedance.Value || f.MaskColour.Value != "Blue" || f.SilkscreenColour.Value != "White" || !f.Thickness.IsStated() || f.OuterCopper.IsStated() {
		t.Errorf("an edited stackup: %+v; want ENIG, impedance, blue mask, white silkscreen and thickness stated, copper not", f)
	}
	added := strings.NewReplacer("thickness 1.6)", "thickness 4.69)", `(layer "B.Cu" (type`, `(layer "In1.Cu" (type "copper") (thickness 0.035))
		(layer "dielectric 2" (type "prepreg") (thickness 1.51) (material "FR4")) (layer "In2.Cu" (type "copper") (thickness 0.035))
		(layer "dielectric 3" (type "core") (thickness 1.51) (material "FR4")) (layer "B.Cu" (type`).Replace(untouched)
	if f = read(added); f.Thickness.Value != 4_690_000 || f.Thickness.IsStated() {
		t.Errorf("layers were added to an untouched stackup: thickness %+v, want 4690000 nm, not stated", f.Thickness)
	}
	coloured := strings.Replace(added, `Solder Mask")`, `Solder Mask") (color "#808080D4")`, 1)
	if f = read(coloured); f.MaskColour.Value == "" || f.Thickness.IsStated() {
		t.Errorf("layers were added, and a colour chosen: mask %+v, thickness %+v; want a colour, and the thickness not stated", f.MaskColour, f.Thickness)
	}
	for um, want := range map[string]float64{"0.0432": 1, "0.047": 1.5, "0.0525": 1.5} {
		if f = read(strings.ReplaceAll(untouched, "0.035", um)); f.OuterCopper.Value != want || !f.OuterCopper.IsStated() {
			t.Errorf("outer copper of %s mm = %+v, want %v oz", um, f.OuterCopper, want)
		}
	}
	if f = read(strings.Replace(added, "4.69", "4.6", 1)); !f.Thickness.IsStated() {
		t.Errorf("a thickness that somebody wrote: %+v, want it stated", f.Thickness)
	}
	f = read(strings.ReplaceAll(untouched, "0.035", "0.07"))
	if f.OuterCopper.Value != 2 || !f.OuterCopper.IsStated() || f.OuterCopper.Source.Line == 0 {
		t.Errorf("outer copper = %+v, want 2 oz with its line", f.OuterCopper)
	}
	f = read(strings.Replace(untouched, "(thickness 1.6)", "(thickness 0.8)", 1))
	if f.Thickness.Value != 800_000 || !f.Thickness.IsStated() {
		t.Errorf("thickness = %+v, want 0.8 mm stated", f.Thickness)
	}
}

func TestOutline(t *testing.T) {
	t.Parallel()
	b := readText(t, v9(frame+`(gr_rect (start 0 0) (end 300 200) (layer "Dwgs.User") (width 0.1))
		(footprint "cutout" (layer "F.Cu") (at 50 25 90) (fp_circle (center 5 0) (end 8 0) (layer "Edge.Cuts") (width 0.1)))`))
	o := b.Outline
	if !o.Closed || len(o.Areas) != 1 || len(o.Areas[0].Holes) != 1 {
		t.Fatalf("outline = %+v, want it closed with one cutout", o)
	}
	if got := o.Areas[0].Holes[0].Bounds().Centre(); got != geom.Pt(50*mm, -20*mm) {
		t.Errorf("cutout of the turned footprint at %v, want 50, -20 mm", got)
	}
	if b.Facts.Width.Value != 100*mm || b.Facts.Height.Value != 50*mm {
		t.Errorf("size %d × %d nm, want 100 × 50 mm", b.Facts.Width.Value, b.Facts.Height.Value)
	}
	if b := readText(t, v9("")); !hasFinding(b, "outline_missing") {
		t.Error("a board without outline gives no finding")
	}
}

// TestLineBesideTheOutline: a line that closes nothing and lies clear of a board that holds
// everything is left out of its size and warned of; one at or within the board stops.
func TestLineBesideTheOutline(t *testing.T) {
	t.Parallel()
	const line = `(gr_line (start %S) (end %E) (layer "Edge.Cuts") (width 0.1))`
	pad := func(x string) string {
		return `(footprint "p" (layer "F.Cu") (at ` + x + ` 25) (pad "1" smd rect (at 0 0) (size 1 1) (layers "F.Cu")))`
	}
	for name, tt := range map[string]struct {
		start, end, pad string
		beside          bool
	}{
		"beside the board":               {"-10 20", "-10 90", "50", true},
		"below the board":                {"20 60", "50 60", "50", true},
		"a little beside it":             {"-0.6 20", "-0.6 40", "50", false},
		"from the edge out":              {"0 20", "-10 20", "50", false},
		"within it":                      {"20 20", "40 20", "50", false},
		"across it":                      {"-10 20", "110 20", "50", false},
		"beside a board with pads there": {"-10 20", "-10 90", "-5", false},
		"beside a board of no content":   {"-10 20", "-10 90", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := frame + strings.NewReplacer("%S", tt.start, "%E", tt.end).Replace(line)
			if tt.pad != "" {
				text += pad(tt.pad)
			}
			b := readText(t, v9(text))
			if hasFinding(b, "outline_beside") != tt.beside || hasFinding(b, "outline_open") == tt.beside || b.Outline.Closed != tt.beside {
				t.Errorf("closed %v, want %v and the finding for it: %+v", b.Outline.Closed, tt.beside, b.Findings)
			}
			if size := b.Facts.Width.Value == 100*mm && b.Facts.Height.Value == 50*mm; tt.beside && !size {
				t.Errorf("size %d × %d nm, want 100 × 50 mm", b.Facts.Width.Value, b.Facts.Height.Value)
			}
		})
	}
}

func TestComponents(t *testing.T) {
	t.Parallel()
	b := readText(t, v9(`(footprint "Resistor_SMD:R_0402" (layer "B.Cu") (at 10 20 270) (descr "chip")
		(property "Reference" "R1" (at 0 1) (layer "B.SilkS")) (property "Value" "10k" (at 0 2) (layer "B.Fab"))
		(property "MPN" "RC0402") (property "Manufacturer" "Yageo") (property "LCSC" "C25744")
		(attr smd exclude_from_pos_files dnp) (pad "1" smd rect (at 0 0) (size 1 1) (layers "B.Cu")))
		(footprint "Fiducial" (layer "F.Cu") (at 1 1) (attr exclude_from_bom) (pad "1" smd circle (at 0 0) (size 1 1) (layers "F.Cu")))`))
	if len(b.Components) != 2 {
		t.Fatalf("%d components, want 2: %+v", len(b.Components), b.Components)
	}
	c := b.Components[0]
	if c.Ref != "R1" || c.Value != "10k" || c.MPN != "RC0402" || c.Manufacturer != "Yageo" || c.Fields["LCSC"] != "C25744" ||
		c.At != geom.Pt(10*mm, -20*mm) || c.Rotation != 270 || c.Side != pcb.Bottom || !c.DNP || !c.NoPlace || c.NoBOM ||
		c.Mount != pcb.SurfaceMount || c.Line == 0 {
		t.Errorf("R1 = %+v; want 10k, RC0402 of Yageo, C25744, at 10, -20 mm, turned by 270, on the bottom, not fitted", c)
	}
	if c := b.Components[1]; !c.NoBOM || c.Side != pcb.Top || c.Mount != pcb.SurfaceMount {
		t.Errorf("fiducial = %+v; want it off the parts list, on top, surface mounted", c)
	}
}

func TestTextStaysUpright(t *testing.T) {
	t.Parallel()
	text := func(angle, more string) geom.Box {
		b := readText(t, v9(`(footprint "x" (layer "F.Cu") (at 0 0 180) (fp_text user "ABCDEF" (at 0 0 `+angle+more+`) (layer "F.SilkS")
			(effects (font (size 1 1) (thickness 0.15)) (justify left)))) `))
		return layer(t, b, pcb.RoleSilk, pcb.Top).Bounds()
	}
	if got := text("180", ""); got.Min.X < -mm {
		t.Errorf("text at 180° is not turned upright: %v, want it right of -1 mm", got)
	}
	if got := text("180", " unlocked"); got.Max.X < mm && got.Min.X > -mm {
		t.Errorf("unlocked text is %v, want it beyond 1 mm on one side", got)
	}
}

func TestProjectFiles(t *testing.T) {
	t.Parallel()
	pcb := v9(frame + `(footprint "R" (layer "F.Cu") (at 1 1) (property "Reference" "R1" (at 0 0) (layer "F.SilkS")))`)
	b := readText(t, pcb,
		File{"dir/a.kicad_pro", []byte(`{"board": {"design_settings": {"rules": {"min_clearance": 0.15, "min_copper_edge_clearance": 0.5}}},
			"net_settings": {"classes": [{"name": "Default", "track_width": 0.25}, {"name": "HV", "clearance": 1.5}],
			"netclass_patterns": [{"netclass": "HV", "pattern": "/HV*"}]}}`)},
		File{"dir/a.kicad_dru", []byte("(version 1)\n# keep away\n(rule \"hv\" (constraint clearance (min 2mm)))")},
		File{"dir/a.kicad_sch", []byte(`(kicad_sch (version 20231120) (uuid "root")
			(symbol (lib_id "R") (in_bom yes) (on_board yes) (dnp yes) (uuid "s1") (property "Reference" "R?") (property "MPN" "X1")
				(instances (project "a" (path "/root" (reference "R1") (unit 1)))))
			(sheet (uuid "sh") (property "Sheetname" "sub") (property "Sheetfile" "sub/b.kicad_sch")))`)},
		File{"dir/sub/b.kicad_sch", []byte(`(kicad_sch (version 20231120) (uuid "b")
			(symbol (lib_id "C") (in_bom yes) (on_board yes) (uuid "s2") (property "Reference" "C9") (property "Value" "1u")
				(instances (project "a" (path "/root/sh" (reference "C1") (unit 1))))))`)},
		File{"other/c.kicad_pro", []byte(`{"board": {"design_settings": {"rules": {"min_clearance": 9}}}}`)},
	)
	r := b.Rules
	if r.Clearance != 150_000 || r.EdgeClearance != 500_000 || len(r.Classes) != 2 || r.Classes[1].Nets[0] != "/HV*" {
		t.Errorf("rules = %+v; want 0.15 mm between copper, 0.5 mm to the edge, two classes, /HV* of the second", r)
	}
	if len(r.Custom) != 1 || !strings.Contains(r.Custom[0], "2mm") {
		t.Errorf("custom rules = %q, want one, of 2mm", r.Custom)
	}
	if c := b.Components[0]; c.MPN != "X1" || !c.DNP {
		t.Errorf("R1 = %+v, want X1, not fitted", c)
	}
	if len(b.Components) != 2 || b.Components[1].Ref != "C1" || b.Components[1].Value != "1u" || b.Components[1].HasAt {
		t.Errorf("components = %+v, want a second, C1 of 1u without a place", b.Components)
	}
	if !hasFinding(b, "part_not_on_board") {
		t.Error("a part that is only in the schematic gives no finding")
	}
}

func TestLegacySchematic(t *testing.T) {
	t.Parallel()
	pcb := v5(`(module R (layer Top) (at 1 1) (fp_text reference R1 (at 0 0) (layer F.SilkS)))`)
	b := readText(t, pcb, File{"dir/a.sch", []byte(`EESchema Schematic File Version 4
$Comp
L Device:R R1
U 1 1 5C000000
F 0 "R1" H 0 0 50  0000 C CNN
F 1 "4k7" H 0 0 50  0000 C CNN
F 4 "RC-0603 \"x\"" H 0 0 50  0001 C CNN "MPN"
$EndComp
`)})
	if c := b.Components[0]; c.MPN != `RC-0603 "x"` || c.Value != "4k7" {
		t.Errorf("R1 = %+v, want RC-0603 \"x\" of 4k7", c)
	}
}

func TestTruncated(t *testing.T) {
	t.Parallel()
	whole := v9(frame + "\n(footprint \"x\" (layer \"F.Cu\") (at 1 1)\n(pad \"1\" smd rect (at 0 0) (size 1 1) (layers \"F.Cu\"))")
	b := readText(t, whole[:len(whole)-1])
	if len(b.Components) != 1 || len(b.Copper()[0].Features) != 1 {
		t.Errorf("what stands before the cut was not read: %d components, %d copper layers; want one with a pad in copper", len(b.Components), len(b.Copper()))
	}
	var found *pcb.Finding
	for i := range b.Findings {
		if b.Findings[i].Code == "file_damaged" {
			found = &b.Findings[i]
		}
	}
	if found == nil || found.Line == 0 || found.File != "dir/a.kicad_pcb" || found.Level != pcb.Problem {
		t.Errorf("finding of the cut = %+v, want a problem of dir/a.kicad_pcb with its line", found)
	}
}

func TestUnknownElementsAreSaid(t *testing.T) {
	t.Parallel()
	if b := readText(t, v9(`(hologram 1)(hologram 2)`)); !hasFinding(b, "element_not_read") {
		t.Errorf("findings of an unknown element = %+v, want element_not_read", b.Findings)
	}
	if b := readText(t, "<?xml version=\"1.0\"?>"); !hasFinding(b, "unreadable_file") {
		t.Errorf("findings of XML = %+v, want unreadable_file", b.Findings)
	}
}

func FuzzRead(f *testing.F) {
	seeds, _ := filepath.Glob(filepath.Join("testdata", "*.kicad_pcb"))
	for _, name := range seeds {
		if data, err := os.ReadFile(name); err == nil {
			f.Add(data, []byte("(kicad_sch (uuid \"a\"))"))
		}
	}
	f.Add([]byte(v9(`(net 0 "") (net 1 "A")`+body(2, func(i int) string { return fmt.Sprintf("(net %d)", i) }))), []byte(""))
	f.Add([]byte(v9(frame)), []byte("EESchema Schematic\n$Comp\nF 0 \"R1\"\n$EndComp"))
	f.Add([]byte(v9(`(footprint "x" (layer "B.Cu") (at 1 2 30) (pad "1" thru_hole custom (at 0 0 45) (size 1 1) (drill oval 1 2 (offset 1 1))
		(options (anchor rect)) (primitives (gr_arc (start 0 0) (mid 1 1) (end 2 0) (width 0.1)) (gr_circle (center 0 0) (end 1 1) (width 0)))
		(layers "*.Cu" "*.Mask" "F.Paste") (solder_paste_margin -1) (remove_unused_layers yes)))`)), []byte(""))
	f.Add([]byte(v5(`(zone (layer Top) (min_thickness 0.2) (filled_polygon (pts (xy 0 0) (xy 1 0) (xy 1 1))))
		(gr_text "a${REV}b" (at 1 2 45) (layer F.SilkS knockout) (effects (font (size 1 1) (thickness 0.2) italic) (justify right mirror)))
		(dimension 10 (width 0.1) (layer Edge.Cuts) (feature1 (pts (xy 0 0) (xy 1 1))))`)), []byte(""))
	f.Fuzz(func(t *testing.T, pcb, sch []byte) {
		boards, _ := Read(t.Context(), []File{{"a.kicad_pcb", pcb}, {"a.kicad_sch", sch}, {"a.sch", sch}, {"a.kicad_pro", sch}, {"a.kicad_dru", sch}})
		boards = append(boards, readBoard(t.Context(), File{"a.kicad_pcb", pcb}, 1)) // in as many parts as it has elements
		for _, b := range boards {
			for _, l := range b.Layers {
				l.Bounds()
			}
			for i := range b.Holes {
				b.HoleBounds(&b.Holes[i])
			}
		}
	})
}
