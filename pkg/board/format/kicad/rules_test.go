package kicad

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// TestViaSpans: each spelling of a via's kind, the copper layers that its pad is on, and the
// drill that holds where it states none. From and To are 0 for a hole through the board.
func TestViaSpans(t *testing.T) {
	t.Parallel()
	const class = `(net 1 "A") (net_class Default "" (via_dia 0.8) (via_drill 0.35) (uvia_drill 0.11) (add_net "A"))`
	for name, c := range map[string]struct {
		head, via string
		from, to  int16
		drill     int64
		layers    string // a digit for each copper layer: pads on it
	}{
		"through":               {"", `via (layers "F.Cu" "B.Cu") (drill 0.3)`, 0, 0, 300_000, "1111"},
		"blind":                 {"", `via blind (layers "F.Cu" "In1.Cu") (drill 0.3)`, 1, 2, 300_000, "1100"},
		"blind from below":      {"", `via blind (layers "B.Cu" "In2.Cu") (drill 0.3)`, 3, 4, 300_000, "0011"},
		"buried, said as blind": {"", `via blind (layers "In1.Cu" "In2.Cu") (drill 0.3)`, 2, 3, 300_000, "0110"},
		"buried":                {"", `via buried (layers "In1.Cu" "In2.Cu") (drill 0.3)`, 2, 3, 300_000, "0110"},
		"micro":                 {"", `via micro (layers "F.Cu" "In1.Cu") (drill 0.1)`, 1, 2, 100_000, "1100"},
		"no drill":              {"", `via (layers "F.Cu" "B.Cu")`, 0, 0, 400_000, "1111"},
		"micro of no drill":     {"", `via micro (layers "F.Cu" "In1.Cu")`, 1, 2, 127_000, "1100"},
		"drill of the board":    {`(setup (via_drill 0.5))`, `via (layers "F.Cu" "B.Cu")`, 0, 0, 500_000, "1111"},
		"drill of the class":    {class, `via (layers "F.Cu" "B.Cu")`, 0, 0, 350_000, "1111"},
		"micro of the class":    {class, `via micro (layers "F.Cu" "In1.Cu")`, 1, 2, 110_000, "1100"},
		"a padstack's inner":    {"", `via (layers "F.Cu" "B.Cu") (drill 0.3) (padstack (mode front_inner_back) (layer "Inner" (size 0)))`, 0, 0, 300_000, "1001"},
	} {
		text := c.head + "(" + c.via + ` (at 5 5) (size 0.8) (net 0))`
		b := readText(t, v9(text))
		if len(b.Holes) != 1 {
			t.Errorf("%s: %s: holes = %d, want 1", name, text, len(b.Holes))
			continue
		}
		layers := ""
		for _, l := range b.Copper() {
			layers += fmt.Sprint(len(l.Features))
		}
		h := b.Holes[0]
		if h.From != c.from || h.To != c.to || h.Diameter != c.drill || layers != c.layers || h.Plating != pcb.Plated {
			t.Errorf("%s: %s: from %d to %d, drill %d, pads on %s, plating %v; want %d to %d, %d, %s, plated",
				name, text, h.From, h.To, h.Diameter, layers, h.Plating, c.from, c.to, c.drill, c.layers)
		}
		if got, want := b.Facts.BlindVias.Value, c.from > 0; got != want {
			t.Errorf("%s: %s: blind vias %v, want %v", name, text, got, want)
		}
	}
}

// TestPartAttributes: what a part is and whether it is fitted, as each version writes it.
func TestPartAttributes(t *testing.T) {
	t.Parallel()
	const smd, through = `(pad "1" smd rect (at 0 0) (size 1 1) (layers "F.Cu"))`, `(pad "1" thru_hole circle (at 0 0) (size 1 1) (drill 0.5) (layers "*.Cu"))`
	type part struct {
		ref, value         string
		mount              pcb.Mount
		noBOM, noPlace, np bool
	}
	for name, c := range map[string]struct {
		board func(string) string
		body  string
		want  part
	}{
		"5: no attribute is through hole": {v5, smd, part{mount: pcb.ThroughHole}},
		"5: surface mount":                {v5, `(attr smd)` + smd, part{mount: pcb.SurfaceMount}},
		"5: virtual":                      {v5, `(attr virtual)` + smd, part{mount: pcb.MountOther, noBOM: true, noPlace: true}},
		"5: texts": {v5, `(attr smd) (fp_text reference R7 (at 0 0) (layer F.SilkS)) (fp_text value "10 k" (at 0 0) (layer F.Fab))`,
			part{ref: "R7", value: "10 k", mount: pcb.SurfaceMount}},
		"9: by its smd pads":          {v9, smd, part{mount: pcb.SurfaceMount}},
		"9: by its through-hole pads": {v9, smd + through, part{mount: pcb.ThroughHole}},
		"9: without pads":             {v9, ``, part{mount: pcb.MountOther}},
		"9: stated against its pads":  {v9, `(attr through_hole)` + smd, part{mount: pcb.ThroughHole}},
		"9: not on the parts list":    {v9, `(attr smd exclude_from_bom)`, part{mount: pcb.SurfaceMount, noBOM: true}},
		"9: not placed":               {v9, `(attr smd exclude_from_pos_files)`, part{mount: pcb.SurfaceMount, noPlace: true}},
		"9: not fitted":               {v9, `(attr smd dnp)`, part{mount: pcb.SurfaceMount, np: true}},
		"9: all at once":              {v9, `(attr through_hole exclude_from_pos_files exclude_from_bom dnp)`, part{mount: pcb.ThroughHole, noBOM: true, noPlace: true, np: true}},
		"9: only editing attributes":  {v9, `(attr board_only allow_missing_courtyard allow_soldermask_bridges)`, part{mount: pcb.MountOther}},
		"9: properties": {v9, `(attr smd) (property "Reference" "C3" (at 0 0) (layer "F.SilkS")) (property "Value" "1u" (at 0 0) (layer "F.Fab"))`,
			part{ref: "C3", value: "1u", mount: pcb.SurfaceMount}},
	} {
		b := readText(t, c.board(`(footprint "x" (layer "F.Cu") (at 5 5) `+c.body+`)`))
		p := b.Components[0]
		if got := (part{p.Ref, p.Value, p.Mount, p.NoBOM, p.NoPlace, p.DNP}); got != c.want {
			t.Errorf("%s: %s: got %+v, want %+v", name, c.body, got, c.want)
		}
	}
}

// TestFootprintTurns: a footprint's angle turns its pads against the clock, Y pointing down
// in the file; footprints on the back are stored as they lie, so nothing is mirrored again.
func TestFootprintTurns(t *testing.T) {
	t.Parallel()
	for angle, want := range map[string]geom.Point{
		"": {X: 11 * mm, Y: -22 * mm}, "0": {X: 11 * mm, Y: -22 * mm}, "90": {X: 12 * mm, Y: -19 * mm}, "180": {X: 9 * mm, Y: -18 * mm},
		"270": {X: 8 * mm, Y: -21 * mm}, "-90": {X: 8 * mm, Y: -21 * mm}, "45": {X: 12_121_320, Y: -20_707_107},
	} {
		for layer, side := range map[string]pcb.Side{"F.Cu": pcb.Top, "B.Cu": pcb.Bottom} {
			b := readText(t, v9(`(footprint "x" (layer "`+layer+`") (at 10 20 `+angle+`) (property "Reference" "U1" (at 0 0) (layer "F.Fab"))
				(pad "1" smd rect (at 1 2) (size 1 1) (layers "`+layer+`")))`))
			p := b.Pins[len(b.Pins)-1]
			if p.At.Dist(want) > 2 || p.Side != side || b.Components[0].Side != side {
				t.Errorf("angle %q on %s: pad at %v on side %v, part on %v; want %v, %v", angle, layer, p.At, p.Side, b.Components[0].Side, want, side)
			}
		}
	}
}

// TestDrawnItems: what each kind of item covers, pen and filling in every spelling. A box is
// left, bottom, right, top in millimetres, Y upwards.
func TestDrawnItems(t *testing.T) {
	t.Parallel()
	for text, c := range map[string]struct {
		box [4]float64
		in  bool // something lies at 1, -1
	}{
		`gr_line (start 0 0) (end 2 2) (stroke (width 0.2) (type solid))`:                                                {[4]float64{-.1, -2.1, 2.1, .1}, true},
		`gr_line (start 0 0) (end 2 0) (width 0.4)`:                                                                      {[4]float64{-.2, -.2, 2.2, .2}, false},
		`gr_line (start 0 0) (end 2 0) (width 0)`:                                                                        {[4]float64{-.05, -.05, 2.05, .05}, false},
		`gr_rect (start 0 0) (end 2 3) (stroke (width 0.2)) (fill none)`:                                                 {[4]float64{-.1, -3.1, 2.1, .1}, false},
		`gr_rect (start 0 0) (end 2 3) (stroke (width 0.2)) (fill no)`:                                                   {[4]float64{-.1, -3.1, 2.1, .1}, false},
		`gr_rect (start 2 3) (end 0 0) (stroke (width 0.2)) (fill solid)`:                                                {[4]float64{-.1, -3.1, 2.1, .1}, true},
		`gr_rect (start 0 0) (end 2 3) (stroke (width 0)) (fill yes)`:                                                    {[4]float64{0, -3, 2, 0}, true},
		`gr_circle (center 1 1) (end 3 1) (stroke (width 0.2)) (fill none)`:                                              {[4]float64{-1.1, -3.1, 3.1, 1.1}, false},
		`gr_circle (center 1 1) (end 3 1) (stroke (width 0.2)) (fill yes)`:                                               {[4]float64{-1.1, -3.1, 3.1, 1.1}, true},
		`gr_poly (pts (xy 0 0) (xy 4 0) (xy 0 4)) (width 0.1)`:                                                           {[4]float64{-.05, -4.05, 4.05, .05}, true},
		`gr_poly (pts (xy 0 0) (xy 4 0) (xy 0 4)) (stroke (width 0.1)) (fill none)`:                                      {[4]float64{-.05, -4.05, 4.05, .05}, false},
		`gr_arc (start 0 0) (mid 1 -1) (end 2 0) (stroke (width 0.2))`:                                                   {[4]float64{-.1, -.1, 2.1, 1.1}, false},
		`gr_arc (start 0 0) (mid 1 1) (end 2 0) (stroke (width 0.2))`:                                                    {[4]float64{-.1, -1.1, 2.1, .1}, true},
		`gr_arc (start 1 0) (end 2 0) (angle 180) (width 0.2)`:                                                           {[4]float64{-.1, -1.1, 2.1, .1}, true},
		`gr_arc (start 1 0) (end 2 0) (angle -180) (width 0.2)`:                                                          {[4]float64{-.1, -.1, 2.1, 1.1}, false},
		`gr_curve (pts (xy 0 0) (xy 0 4) (xy 2 4) (xy 2 0)) (stroke (width 0.2))`:                                        {[4]float64{-.1, -3.1, 2.1, .1}, false},
		`bezier (pts (xy 0 0) (xy 0 4) (xy 2 4) (xy 2 0)) (stroke (width 0.2))`:                                          {[4]float64{-.1, -3.1, 2.1, .1}, false},
		`dimension (type aligned) (pts (xy 0 0) (xy 4 0)) (height -2) (style (thickness 0.2))`:                           {[4]float64{-.1, -.1, 4.1, 2.1}, false},
		`dimension (type aligned) (pts (xy 0 0) (xy 4 0)) (height 2) (style (thickness 0.2))`:                            {[4]float64{-.1, -2.1, 4.1, .1}, false},
		`dimension (type orthogonal) (orientation 0) (pts (xy 0 0) (xy 4 1)) (height 3) (style (thickness 0.2))`:         {[4]float64{-.1, -3.1, 4.1, .1}, false},
		`dimension (type orthogonal) (orientation 1) (pts (xy 0 0) (xy 1 4)) (height 3) (style (thickness 0.2))`:         {[4]float64{-.1, -4.1, 3.1, .1}, false},
		`dimension (type leader) (pts (xy 0 0) (xy 2 2)) (style (thickness 0.2))`:                                        {[4]float64{-.1, -2.1, 2.1, .1}, true},
		`dimension 4 (width 0.2) (feature1 (pts (xy 0 0) (xy 0 2))) (crossbar (pts (xy 0 2) (xy 4 2)))`:                  {[4]float64{-.1, -2.1, 4.1, .1}, false},
		`target plus (at 1 1) (size 2) (width 0.2)`:                                                                      {[4]float64{-.1, -2.1, 2.1, .1}, true},
		`zone (net 0) (filled_polygon (pts (xy 0 0) (xy 4 0) (xy 0 4)))`:                                                 {[4]float64{0, -4, 4, 0}, true},
		`zone (net 0) (keepout (tracks not_allowed)) (polygon (pts (xy 0 0) (xy 4 0) (xy 0 4)))`:                         {},
		`zone (net 0) (min_thickness 0.2) (filled_areas_thickness no) (filled_polygon (pts (xy 0 0) (xy 4 0) (xy 4 4)))`: {[4]float64{0, -4, 4, 0}, true},
		`zone (net 0) (min_thickness 0.2) (filled_areas_thickness yes) (filled_polygon (pts (xy 0 0) (xy 4 0) (xy 4 4)))`: {
			[4]float64{-.1, -4.1, 4.1, .1}, true},
	} {
		b := readText(t, v9("("+text+` (layer "F.SilkS"))`))
		l := layer(t, b, pcb.RoleSilk, pcb.Top)
		if c.box == [4]float64{} {
			if n := len(l.Features); n != 0 {
				t.Errorf("%s: draws %d features, want none", text, n)
			}
			continue
		}
		box := l.Bounds()
		got := [4]float64{geom.Millimetres(box.Min.X), geom.Millimetres(box.Min.Y), geom.Millimetres(box.Max.X), geom.Millimetres(box.Max.Y)}
		for i := range got {
			if math.Abs(got[i]-c.box[i]) > .002 {
				t.Errorf("%s: box %.3f, want %.3f", text, got, c.box)
				break
			}
		}
		if in := isCovered(l, geom.Pt(1*mm, -1*mm)); in != c.in && !strings.HasPrefix(text, "zone") {
			t.Errorf("%s: something at 1, -1 is %v, want %v", text, in, c.in)
		}
	}
}

// TestTextPlaces: on which side of its point a text stands, as it is justified and mirrored.
func TestTextPlaces(t *testing.T) {
	t.Parallel()
	for effects, want := range map[string]struct{ x, y int }{ // 1: right of or above its point, 0: about it
		``:                              {0, 0},
		`(justify left)`:                {1, 0},
		`(justify right)`:               {-1, 0},
		`(justify left mirror)`:         {-1, 0},
		`(justify right mirror)`:        {1, 0},
		`(justify mirror)`:              {0, 0},
		`(justify top)`:                 {0, -1},
		`(justify bottom)`:              {0, 1},
		`(justify left bottom)`:         {1, 1},
		`(justify right top)`:           {-1, -1},
		`(justify right bottom mirror)`: {1, 1},
	} {
		b := readText(t, v9(`(gr_text "HHHH" (at 10 10) (layer "F.SilkS") (effects (font (size 2 1) (thickness 0.1)) `+effects+`))`))
		l := layer(t, b, pcb.RoleSilk, pcb.Top)
		box, got := l.Bounds(), want
		side := func(low, high, at int64) int {
			switch {
			case low > at-400_000:
				return 1
			case high < at+400_000:
				return -1
			}
			return 0
		}
		got.x, got.y = side(box.Min.X, box.Max.X, 10*mm), side(box.Min.Y, box.Max.Y, -10*mm)
		text := l.Texts[0]
		if mirror := strings.Contains(effects, "mirror"); got != want || text.Height != 2*mm || text.Mirrored != mirror {
			t.Errorf("effects %q: side %+v, height %d, mirrored %v; want %+v, 2 mm, %v (box %v)", effects, got, text.Height, text.Mirrored, want, mirror, box)
		}
	}
	for _, hidden := range []string{`(effects (font (size 1 1)) hide)`, `(effects (font (size 1 1)) (hide yes))`, `(hide yes)`} {
		b := readText(t, v9(`(footprint "x" (layer "F.Cu") (at 0 0) (property "Reference" "R1" (at 0 0) (layer "F.SilkS") `+hidden+`))`))
		if n := len(layer(t, b, pcb.RoleSilk, pcb.Top).Features); n != 0 {
			t.Errorf("%s: draws %d features, want none", hidden, n)
		}
	}
}

// TestStackFacts: what the stackup states of the board, and that KiCad's own words for
// nothing state nothing.
func TestStackFacts(t *testing.T) {
	t.Parallel()
	type facts struct {
		finish, mask, silk                               string
		castellated, edges, fingers, bevelled, impedance bool
	}
	for text, want := range map[string]facts{
		`(copper_finish "ENIG")`:                                   {finish: "ENIG"},
		`(copper_finish "None")`:                                   {},
		`(copper_finish "")`:                                       {},
		`(castellated_pads yes)`:                                   {castellated: true},
		`(castellated_pads no)`:                                    {},
		`(edge_plating yes)`:                                       {edges: true},
		`(edge_plating no)`:                                        {},
		`(edge_connector yes)`:                                     {fingers: true},
		`(edge_connector bevelled)`:                                {fingers: true, bevelled: true},
		`(edge_connector no)`:                                      {},
		`(dielectric_constraints yes)`:                             {impedance: true},
		`(dielectric_constraints no)`:                              {},
		`(layer "F.Mask" (type "Top Solder Mask") (color "Blue"))`: {mask: "Blue"},
		`(layer "F.Mask" (type "Top Solder Mask"))`:                {},
		`(layer "F.Mask" (type "Top Solder Mask") (color "Not specified"))`:     {},
		`(layer "F.SilkS" (type "Top Silk Screen") (color "White"))`:            {silk: "White"},
		`(layer "B.SilkS" (type "Bottom Silk Screen") (color "Not specified"))`: {},
	} {
		f := readText(t, v9(`(setup (stackup `+text+`))`)).Facts
		got := facts{f.Finish.Value, f.MaskColour.Value, f.SilkscreenColour.Value, f.Castellations.Value, f.EdgePlating.Value,
			f.GoldFingers.Value, f.Bevel.Value, f.Impedance.Value}
		if got != want {
			t.Errorf("%s: got %+v, want %+v", text, got, want)
		}
	}
}

// TestFormats: the release that each format's number stands for.
func TestFormats(t *testing.T) {
	t.Parallel()
	for head, want := range map[string]string{
		`(version 3) (host pcbnew "(2013-07-07)-stable")`:                   "KiCad 3",
		`(version 4) (host pcbnew 4.0.7)`:                                   "KiCad 4",
		`(version 20171130) (host pcbnew 5.1.9)`:                            "KiCad 5",
		`(version 20211014) (generator pcbnew)`:                             "KiCad 6",
		`(version 20221018) (generator pcbnew)`:                             "KiCad 7",
		`(version 20240108) (generator "pcbnew") (generator_version "8.0")`: "KiCad 8",
		`(version 20241229) (generator "pcbnew") (generator_version "9.0")`: "KiCad 9",
	} {
		b := readText(t, "(kicad_pcb "+head+layers9+frame+")")
		if got := b.Facts.Tool.Value; !strings.HasPrefix(got, want+" (pcbnew") {
			t.Errorf("%s: tool %q, want %s (pcbnew …", head, got, want)
		}
		if hasFinding(b, "newer_format") {
			t.Errorf("%s: finding newer_format, want none", head)
		}
	}
	if b := readText(t, "(kicad_pcb (version 20990101)"+layers9+frame+")"); !hasFinding(b, "newer_format") {
		t.Errorf("version 20990101: findings %+v, want newer_format", b.Findings)
	}
}

// TestRefusals: what is wrong with a file is said of that file, in words that name it.
func TestRefusals(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, code, words string }{
		"empty":                   {"", "unreadable_file", "does not begin with (kicad_pcb"},
		"a schematic":             {"(kicad_sch (version 1))", "unreadable_file", "does not begin with (kicad_pcb"},
		"bytes":                   {"\x00\xff\x00", "unreadable_file", "does not begin with (kicad_pcb"},
		"cut off":                 {"(kicad_pcb (version 20241229) " + layers9 + frame, "file_damaged", "what stands before was read"},
		"no outline":              {v9(""), "outline_missing", "Edge.Cuts"},
		"an open outline":         {v9(`(gr_line (start 0 0) (end 50 0) (layer "Edge.Cuts") (width 0.1))`), "outline_open", "do not close"},
		"an unknown element":      {v9(frame + `(hologram 1)`), "element_not_read", `"hologram"`},
		"no number":               {v9(frame + `(segment (start a b) (end 1 1) (width 0.2) (layer "F.Cu"))`), "element_not_read", "number in start"},
		"a coordinate far away":   {v9(frame + `(segment (start 5000 0) (end 1 1) (width 0.2) (layer "F.Cu"))`), "element_not_read", "coordinate beyond 4 m"},
		"a layer that is off":     {v9(frame + `(gr_line (start 0 0) (end 1 1) (width 0.2) (layer "Eco1.User"))`), "layer_switched_off", `"Eco1.User"`},
		"a hole of no diameter":   {v9(frame + `(via (at 1 1) (size 1) (drill -1) (layers "F.Cu" "B.Cu"))`), "element_not_read", "hole without a diameter"},
		"a zone without its fill": {v9(frame + `(net 1 "A") (zone (net 1) (layer "F.Cu") (polygon (pts (xy 0 0) (xy 1 0) (xy 1 1))))`), "zone_not_filled", "fill all zones"},
	} {
		b := readText(t, c.text)
		ok := false
		for _, f := range b.Findings {
			ok = ok || f.Code == c.code && strings.Contains(f.Message, c.words) && f.File == "dir/a.kicad_pcb"
		}
		if !ok {
			t.Errorf("%s: %.80q: findings %+v, want %s with %q", name, c.text, b.Findings, c.code, c.words)
		}
	}
}

// TestProjectRules: the least measures that projects of both ages state, in nanometres.
func TestProjectRules(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file, text string
		get        func(*pcb.Rules) int64
		want       int64
	}{
		"track":             {"kicad_pro", `{"board":{"design_settings":{"rules":{"min_track_width":0.15}}}}`, func(r *pcb.Rules) int64 { return r.TrackWidth }, 150_000},
		"clearance":         {"kicad_pro", `{"board":{"design_settings":{"rules":{"min_clearance":0.12}}}}`, func(r *pcb.Rules) int64 { return r.Clearance }, 120_000},
		"hole":              {"kicad_pro", `{"board":{"design_settings":{"rules":{"min_through_hole_diameter":0.3}}}}`, func(r *pcb.Rules) int64 { return r.ViaDrill }, 300_000},
		"annular ring":      {"kicad_pro", `{"board":{"design_settings":{"rules":{"min_via_annular_width":0.1}}}}`, func(r *pcb.Rules) int64 { return r.AnnularRing }, 100_000},
		"annular ring of 6": {"kicad_pro", `{"board":{"design_settings":{"rules":{"min_via_annulus":0.05}}}}`, func(r *pcb.Rules) int64 { return r.AnnularRing }, 50_000},
		"edge":              {"kicad_pro", `{"board":{"design_settings":{"rules":{"min_copper_edge_clearance":0.5}}}}`, func(r *pcb.Rules) int64 { return r.EdgeClearance }, 500_000},
		"edge of early 6":   {"kicad_pro", `{"board":{"design_settings":{"rules":{"copper_edge_clearance":0.01}}}}`, func(r *pcb.Rules) int64 { return r.EdgeClearance }, 10_000},
		"below nothing":     {"kicad_pro", `{"board":{"design_settings":{"rules":{"min_track_width":-1}}}}`, func(r *pcb.Rules) int64 { return r.TrackWidth }, 0},
		"a metre":           {"kicad_pro", `{"board":{"design_settings":{"rules":{"min_track_width":1000}}}}`, func(r *pcb.Rules) int64 { return r.TrackWidth }, 0},
		"track of 5":        {"pro", "[pcbnew]\r\nMinTrackWidth=0.2\r\n", func(r *pcb.Rules) int64 { return r.TrackWidth }, 200_000},
		"hole to hole of 5": {"pro", "MinHoleToHole=0.25\n", func(r *pcb.Rules) int64 { return r.HoleToHole }, 250_000},
		"micro drill of 5":  {"pro", "MinMicroViaDrill=0.1", func(r *pcb.Rules) int64 { return r.MicroViaDrill }, 100_000},
		"no number, of 5":   {"pro", "MinTrackWidth=wide\n", func(r *pcb.Rules) int64 { return r.TrackWidth }, 0},
		"another key, of 5": {"pro", "TrackWidth1=0.2\n", func(r *pcb.Rules) int64 { return r.TrackWidth }, 0},
	} {
		b := readText(t, v9(frame), File{"dir/a." + c.file, []byte(c.text)})
		if got := c.get(&b.Rules); got != c.want {
			t.Errorf("%s: %s %q: got %d nm, want %d", name, c.file, c.text, got, c.want)
		}
	}
	b := readText(t, v9(frame), File{"dir/a.kicad_pro", []byte("{\n\"board\": ]")})
	if f := b.Findings[len(b.Findings)-1]; f.Code != "unreadable_file" || f.Line != 2 || f.File != "dir/a.kicad_pro" {
		t.Errorf("a project that is no JSON: finding %+v, want unreadable_file on line 2 of dir/a.kicad_pro", f)
	}
}
