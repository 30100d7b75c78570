package kicad

import (
	"math"
	"strings"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// words are the texts of the silkscreen, in the order of the file.
func words(t *testing.T, b *pcb.Board) string {
	t.Helper()
	var out []string
	for _, x := range layer(t, b, pcb.RoleSilk, pcb.Top).Texts {
		out = append(out, x.Text)
	}
	return strings.Join(out, "|")
}

// TestVariables: what stands in the place of a variable in a text of the board and of a part.
func TestVariables(t *testing.T) {
	t.Parallel()
	const head = `(title_block (title "Lamp") (date "2026-11-02") (rev "C") (company "Ann & Co") (comment 1 "first") (comment 9 "last"))
		(property "TEAM" "Blue") (property "BOTH" "${TEAM} ${REVISION}") (property "ROUND" "${ROUND}")`
	for text, want := range map[string]string{
		"plain":           "plain",
		"${TITLE}":        "Lamp",
		"r ${REVISION}!":  "r C!",
		"${ISSUE_DATE}":   "2026-11-02",
		"${COMPANY}":      "Ann & Co",
		"${COMMENT1}":     "first",
		"${COMMENT9}":     "last",
		"a${COMMENT2}b":   "ab",
		"${TEAM}${TEAM}":  "BlueBlue",
		"${BOTH}":         "Blue C",
		"${ROUND}":        "${ROUND}",
		"${TITLE":         "${TITLE",
		"$TITLE} {TITLE}": "$TITLE} {TITLE}",
		"%R %V":           "%R %V",
	} {
		b := readText(t, v9(head+`(gr_text "`+text+`" (at 5 5) (layer "F.SilkS"))`))
		if got := words(t, b); got != want {
			t.Errorf("text %q of a board of 9 is drawn as %q, want %q", text, got, want)
		}
	}
	const fields = `(property "Reference" "R7" (at 0 0) (layer "F.Fab")) (property "Value" "4k7" (at 0 0) (layer "F.Fab")) (property "MPN" "RC1" (at 0 0) (layer "F.Fab")) (property "Bin" "X" (at 0 0) (layer "F.Fab"))`
	for text, want := range map[string]string{
		"${REFERENCE}": "R7", "${reference}": "R7", "${VALUE}": "4k7", "${MPN}": "RC1", "${Bin}": "X", "${TEAM}": "Blue", "${NONE}.": ".", "%R": "%R",
	} {
		b := readText(t, v9(head+`(footprint "x" (layer "F.Cu") (at 5 5) `+fields+`(fp_text user "`+text+`" (at 0 0) (layer "F.SilkS")))`))
		if got := words(t, b); got != want {
			t.Errorf("text %q of a part of 9 is drawn as %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{"%R": "R7", "%V": "4k7", "%R=%V": "R7=4k7", "100%": "100%"} {
		b := readText(t, v5(`(module x (layer Top) (at 5 5) (fp_text reference R7 (at 0 0) (layer Bottom)) (fp_text value 4k7 (at 0 0) (layer Bottom)) (fp_text user "`+text+`" (at 0 0) (layer F.SilkS)))`))
		if got := words(t, b); got != want {
			t.Errorf("text %q of a part of 5 is drawn as %q, want %q", text, got, want)
		}
	}
}

// TestPlottedTexts: which texts of a part and of the board the settings of the last plot let through.
func TestPlottedTexts(t *testing.T) {
	t.Parallel()
	const texts = `(footprint "x" (layer "F.Cu") (at 5 5) (property "Reference" "R7" (at 0 0) (layer "F.SilkS")) (property "Value" "4k7" (at 0 0) (layer "F.SilkS"))
		(property "Field" "placed" (at 0 0) (layer "F.SilkS")) (property "Unplaced" "nowhere") (fp_text user "user" (at 0 0) (layer "F.SilkS")) (fp_text user "hidden" (at 0 0) (layer "F.SilkS") hide)
		(fp_text_box "box" (start 0 0) (end 9 9) (layer "F.SilkS"))) (gr_text "board" (at 5 5) (layer "F.SilkS")) (gr_text "off" (at 5 5) (layer "Eco2.User"))`
	for plot, want := range map[string]string{
		``:                        "R7|4k7|placed|user|box|board",
		`(plotreference no)`:      "4k7|placed|user|box|board",
		`(plotreference false)`:   "4k7|placed|user|box|board",
		`(plotreference true)`:    "R7|4k7|placed|user|box|board",
		`(plotvalue no)`:          "R7|placed|user|box|board",
		`(plotfptext no)`:         "R7|4k7|placed|board",
		`(plotinvisibletext yes)`: "R7|4k7|placed|user|hidden|box|board",
	} {
		if got := words(t, readText(t, v9(`(setup (pcbplotparams `+plot+`))`+texts))); got != want {
			t.Errorf("plotted with %q: %q, want %q", plot, got, want)
		}
	}
}

// TestBoxesOfTexts: where in a box its text begins, and whether the box is drawn. A box is
// 10 by 6 mm from 10, 20 on; places are in millimetres, Y upwards.
func TestBoxesOfTexts(t *testing.T) {
	t.Parallel()
	for words, want := range map[string]struct {
		x, y  int64
		edges int
	}{
		``:                                 {15, -23, 4},
		`(effects (justify left))`:         {10, -23, 4},
		`(effects (justify right))`:        {20, -23, 4},
		`(effects (justify left top))`:     {10, -20, 4},
		`(effects (justify right bottom))`: {20, -26, 4},
		`(border yes)`:                     {15, -23, 4},
		`(border no)`:                      {15, -23, 0},
	} {
		for box, text := range map[string]string{
			"corners": `(start 10 20) (end 20 26)`, "corners, the other way": `(start 20 26) (end 10 20)`,
		} {
			l := layer(t, readText(t, v9(`(gr_text_box " " `+text+` (layer "F.SilkS") (stroke (width 0.1)) `+words+`)`)), pcb.RoleSilk, pcb.Top)
			if len(l.Texts) != 1 || l.Texts[0].At != geom.Pt(want.x*mm, want.y*mm) || len(l.Features) != want.edges {
				t.Errorf("a box by %s with %q: texts %+v, %d edges; want one at %d, %d and %d edges", box, words, l.Texts, len(l.Features), want.x, want.y, want.edges)
			}
		}
	}
	b := readText(t, v9(`(table (layer "F.SilkS") (cells (table_cell "a" (start 10 20) (end 20 26) (layer "F.SilkS") (effects (justify left top))) (table_cell "b" (start 20 20) (end 30 26) (layer "F.SilkS"))))`))
	l := layer(t, b, pcb.RoleSilk, pcb.Top)
	if words(t, b) != "a|b" || l.Texts[0].At != geom.Pt(10*mm, -20*mm) || l.Texts[1].At != geom.Pt(25*mm, -23*mm) || !hasFinding(b, "element_not_read") {
		t.Errorf("a table: texts %+v, findings %+v; want a at 10, -20, b at 25, -23, and its border left out", l.Texts, b.Findings)
	}
}

// TestPensOfTexts: how thick letters 2 mm wide are drawn: an eighth of their width unless
// stated, a fifth in bold, never more than a quarter.
func TestPensOfTexts(t *testing.T) {
	t.Parallel()
	for font, want := range map[string]int64{
		`(size 2 2) (thickness 0.3)`: 300_000, `(size 2 2)`: 250_000, `(size 2 2) bold`: 400_000, `(size 2 2) (bold yes)`: 400_000, `(size 2 2) (bold no)`: 250_000,
		`(size 2 2) (thickness 0)`: 250_000, `(size 2 2) (thickness 0.9)`: 500_000, `(size 1 2) (thickness 0.9)`: 250_000, `(size 2 1) (thickness 0.9)`: 250_000,
		``: 125_000, `(size 0 0)`: 125_000, `(size 2 2) (thickness 0.3) bold`: 300_000,
	} {
		l := layer(t, readText(t, v9(`(gr_text "I" (at 5 5) (layer "F.SilkS") (effects (font `+font+`)))`)), pcb.RoleSilk, pcb.Top)
		if len(l.Features) == 0 || l.Width(&l.Features[0]) != want {
			t.Errorf("font %s: strokes %+v of %+v, want %d nm wide", font, l.Features, l.Apertures, want)
		}
	}
	for text, want := range map[string]string{"~{RESET}": "RESET", "x^{2}": "x2", "H_{2}O": "H2O", "{a}": "{a}", "~{a_{b}}c": "abc", "~a": "~a", "a}": "a}"} {
		if got := plainText(text); got != want {
			t.Errorf("plainText(%q) = %q, want %q", text, got, want)
		}
	}
	for deg, want := range map[float64]float64{0: 0, 90: 90, 91: -89, 180: 0, -90: 90, -89: -89, 270: 90, 450: 90, -180: 0} {
		if got := upright(deg); got != want {
			t.Errorf("upright(%g) = %g, want %g", deg, got, want)
		}
	}
}

// TestLettersLeftFree: a text that is knocked out is a box without its letters, and one of an
// outline font is drawn as the areas that the file stores.
func TestLettersLeftFree(t *testing.T) {
	t.Parallel()
	l := layer(t, readText(t, v9(`(gr_text "I" (at 5 5) (layer "F.SilkS" knockout) (effects (font (size 2 2) (thickness 0.2))))`)), pcb.RoleSilk, pcb.Top)
	if isCovered(l, geom.Pt(5*mm, -5*mm)) || !isCovered(l, geom.Pt(5*mm+300_000, -5*mm)) || isCovered(l, geom.Pt(8*mm, -5*mm)) {
		t.Errorf("an I that is knocked out: its stroke covered %v, beside it %v, far from it %v; want only beside it",
			isCovered(l, geom.Pt(5*mm, -5*mm)), isCovered(l, geom.Pt(5*mm+300_000, -5*mm)), isCovered(l, geom.Pt(8*mm, -5*mm)))
	}
	l = layer(t, readText(t, v9(`(gr_text "I" (at 5 5) (layer "F.SilkS") (render_cache "I" 0 (polygon (pts (xy 4 4) (xy 6 4) (xy 6 7) (xy 4 7)))))`)), pcb.RoleSilk, pcb.Top)
	if got := area(l); len(l.Features) != 1 || math.Abs(got-6) > .01 {
		t.Errorf("an I of an outline font: %d areas of %.2f mm², want one of 6", len(l.Features), got)
	}
}

// TestTracksOnMask: copper that a track or a line draws, and the openings over it, wider by
// the margin that it states or that the board does. Widths are in nanometres.
func TestTracksOnMask(t *testing.T) {
	t.Parallel()
	const board = `(setup (pad_to_mask_clearance 0.05)) (net 1 "A")`
	for text, want := range map[string]struct {
		copper, mask int64
		function     pcb.Function
		net          string
	}{
		`(segment (start 0 0) (end 9 0) (width 0.2) (layer "F.Cu") (net 1))`:                                             {200_000, 0, pcb.FuncConductor, "A"},
		`(segment (start 0 0) (end 9 0) (width 0.2) (layers "F.Cu" "F.Mask") (net 1))`:                                   {200_000, 300_000, pcb.FuncConductor, "A"},
		`(segment (start 0 0) (end 9 0) (width 0.2) (layers "F.Cu" "F.Mask") (solder_mask_margin 0.2) (net 1))`:          {200_000, 600_000, pcb.FuncConductor, "A"},
		`(segment (start 0 0) (end 9 0) (width 0.2) (layers "F.Cu" "F.Mask") (solder_mask_margin 0) (net 1))`:            {200_000, 200_000, pcb.FuncConductor, "A"},
		`(segment (start 0 0) (end 9 0) (width 0.2) (layers "F.Cu" "F.Mask") (solder_mask_margin -1) (net 1))`:           {200_000, -1, pcb.FuncConductor, "A"},
		`(arc (start 1 1) (end 9 1) (width 0.2) (layers "F.Cu" "F.Mask") (net 1))`:                                       {200_000, 300_000, pcb.FuncConductor, "A"},
		`(gr_line (start 0 0) (end 9 0) (stroke (width 0.2)) (layer "F.Cu"))`:                                            {200_000, 0, pcb.FuncNonConductor, ""},
		`(gr_line (start 0 0) (end 9 0) (stroke (width 0.2)) (layer "F.Cu") (net 1))`:                                    {200_000, 0, pcb.FuncConductor, "A"},
		`(gr_line (start 0 0) (end 9 0) (stroke (width 0.2)) (layers "F.Cu" "F.Mask") (net 1))`:                          {200_000, 300_000, pcb.FuncConductor, "A"},
		`(gr_line (start 0 0) (end 9 0) (stroke (width 0.2)) (layers "F.Cu" "F.Mask") (solder_mask_margin 0.1) (net 1))`: {200_000, 400_000, pcb.FuncConductor, "A"},
		`(gr_line (start 0 0) (end 9 0) (stroke (width 0.2)) (layer "F.Mask") (solder_mask_margin 0.1))`:                 {0, 200_000, 0, ""},
	} {
		b := readText(t, v9(board+text))
		width := func(l *pcb.Layer) int64 {
			if len(l.Features) == 0 {
				return 0
			}
			if w := l.Width(&l.Features[0]); w > 0 {
				return w
			}
			return -1 // drawn with no width at all
		}
		cu, mask := b.Copper()[0], layer(t, b, pcb.RoleMask, pcb.Top)
		if width(cu) != want.copper || width(mask) != want.mask {
			t.Errorf("%s: copper %d wide, opening %d; want %d, %d (0 is none, -1 is no width)", text, width(cu), width(mask), want.copper, want.mask)
		}
		if len(cu.Features) > 0 && cu.Features[0].Kind != pcb.LineFeature {
			t.Errorf("%s: draws %+v, want a straight line", text, cu.Features[0])
		}
		if len(cu.Features) > 0 && (cu.Features[0].Function != want.function || b.Nets[cu.Features[0].Net].Name != want.net) {
			t.Errorf("%s: copper of function %d, net %q; want %d, %q", text, cu.Features[0].Function, b.Nets[cu.Features[0].Net].Name, want.function, want.net)
		}
		if got := b.Facts.MinTrack.Value; strings.HasPrefix(text, "(gr") != (got == 0) {
			t.Errorf("%s: narrowest track %d, want that of tracks alone", text, got)
		}
	}
}

// TestZonesByVersion: what of a zone is copper on the top and on In1.Cu, in square millimetres,
// and what is said of one without its filling.
func TestZonesByVersion(t *testing.T) {
	t.Parallel()
	const square, small = `(pts (xy 0 0) (xy 4 0) (xy 4 4) (xy 0 4))`, `(pts (xy 0 0) (xy 2 0) (xy 2 2) (xy 0 2))`
	for name, c := range map[string]struct {
		text       string
		top, inner float64
		finding    string
		unfilled   int
	}{
		"a fill":                         {`(layer "F.Cu") (filled_polygon ` + square + `)`, 16, 0, "", 0},
		"two fills":                      {`(layer "F.Cu") (filled_polygon ` + small + `) (filled_polygon (pts (xy 3 3) (xy 4 3) (xy 4 4) (xy 3 4)))`, 5, 0, "", 0},
		"of two layers":                  {`(layers "F.Cu" "In1.Cu") (filled_polygon (layer "F.Cu") ` + square + `) (filled_polygon (layer "In1.Cu") ` + small + `)`, 16, 4, "", 0},
		"both layers alike":              {`(layers "F.Cu" "In1.Cu") (filled_polygon ` + small + `)`, 4, 4, "", 0},
		"on a layer that is off":         {`(layers "F.Cu" "In9.Cu") (filled_polygon (layer "In9.Cu") ` + small + `)`, 0, 0, "layer_switched_off", 0},
		"not filled":                     {`(layer "F.Cu") (polygon ` + square + `)`, 0, 0, "zone_not_filled", 1},
		"filled, and nothing came of it": {`(layer "F.Cu") (fill yes) (polygon ` + square + `)`, 0, 0, "zone_not_filled", 1}, // no zone of the board has its fill
		"a fill of two points":           {`(layer "F.Cu") (filled_polygon (pts (xy 0 0) (xy 4 0)))`, 0, 0, "", 0},
		"with a rounded corner":          {`(layer "F.Cu") (filled_polygon (pts (xy 0 0) (arc (start 4 0) (mid 2.828427 2.828427) (end 0 4))))`, 4 * math.Pi, 0, "", 0},
		"keep-out":                       {`(layer "F.Cu") (keepout (tracks not_allowed)) (filled_polygon ` + square + `)`, 0, 0, "", 0},
		"segments":                       {`(layer "F.Cu") (min_thickness 1) (fill (mode segment)) (fill_segments (pts (xy 0 0) (xy 4 0)))`, 4 + math.Pi/4, 0, "", 0},
		"segments left over":             {`(layer "F.Cu") (min_thickness 1) (filled_polygon ` + small + `) (fill_segments (pts (xy 0 0) (xy 4 0)))`, 4, 0, "", 0},
	} {
		b := readText(t, v9(frame+`(net 1 "A") (zone (net 1) `+c.text+`)`))
		if top, inner := area(b.Copper()[0]), area(b.Copper()[1]); math.Abs(top-c.top) > .02*c.top || math.Abs(inner-c.inner) > .02*c.inner {
			t.Errorf("%s: %.2f mm² on top, %.2f within; want %.2f, %.2f", name, top, inner, c.top, c.inner)
		}
		if n := len(b.Copper()[0].Features); c.top == 0 && n > 0 {
			t.Errorf("%s: %d features on top, want none", name, n)
		}
		for _, code := range []string{"zone_not_filled", "layer_switched_off", "zone_empty"} {
			if got := hasFinding(b, code); got != (code == c.finding) {
				t.Errorf("%s: finding %s %v, want %q alone; findings %+v", name, code, got, c.finding, b.Findings)
			}
		}
		if len(b.Unfilled) != c.unfilled {
			t.Errorf("%s: nets without their copper %v, want %d", name, b.Unfilled, c.unfilled)
		}
	}
	b := readText(t, v9(frame+`(net 1 "A") (zone (net 1) (layer "F.Cu") (filled_polygon `+square+`)) (zone (net 1) (layer "In1.Cu") (fill yes) (polygon `+square+`))`))
	if !hasFinding(b, "zone_empty") || hasFinding(b, "zone_not_filled") {
		t.Errorf("a zone of which nothing is left beside one with its fill: findings %+v, want zone_empty", b.Findings)
	}
}

// TestSilkscreenOverOpenings: the silkscreen is left out over openings where the plot says so.
func TestSilkscreenOverOpenings(t *testing.T) {
	t.Parallel()
	const drawn = `(gr_poly (pts (xy 0 20) (xy 1 20) (xy 1 21)) (stroke (width 0)) (fill yes) (layer "F.SilkS")) (gr_arc (start 8 20) (mid 8.5 19.5) (end 9 20) (stroke (width 0.2)) (layer "F.SilkS"))
		(gr_line (start 0 0) (end 10 0) (stroke (width 1)) (layer "F.SilkS")) (gr_line (start 0 3) (end 10 3) (stroke (width 1)) (layer "B.SilkS"))
		(footprint "x" (layer "F.Cu") (at 5 0) (pad "1" smd rect (at 0 0 45) (size 2 2) (layers "F.Mask"))) (gr_poly (pts (xy 0 -1) (xy 1 -1) (xy 1 1) (xy 0 1)) (stroke (width 0)) (fill yes) (layer "F.Mask"))
		(gr_circle (center 8 3) (end 8.5 3) (stroke (width 0)) (fill yes) (layer "B.Mask"))
		(gr_arc (start 8 0) (mid 8.5 -0.5) (end 9 0) (stroke (width 0.2)) (layer "F.Mask"))`
	for plot, free := range map[string]bool{`(subtractmaskfromsilk yes)`: true, `(subtractmaskfromsilk true)`: true, `(subtractmaskfromsilk no)`: false, ``: false} {
		b := readText(t, v9(`(setup (pcbplotparams `+plot+`))`+drawn))
		l := layer(t, b, pcb.RoleSilk, pcb.Top)
		for place, at := range map[string]geom.Point{"over a pad": {X: 5 * mm}, "at a pad's turned corner": {X: 6_300_000}, "over an area": {X: 600_000}, "over an arc": {X: 8_500_000, Y: 480_000}} {
			if got := isCovered(l, at); got == free {
				t.Errorf("plotted with %q: silkscreen %s %v, want %v", plot, place, got, !free)
			}
		}
		if got := isCovered(layer(t, b, pcb.RoleSilk, pcb.Bottom), geom.Pt(8*mm, -3*mm)); got == free {
			t.Errorf("plotted with %q: silkscreen over an opening at the bottom %v, want %v", plot, got, !free)
		}
		if !isCovered(l, geom.Pt(3*mm, 0)) || !isCovered(layer(t, b, pcb.RoleSilk, pcb.Bottom), geom.Pt(5*mm, -3*mm)) {
			t.Errorf("plotted with %q: the silkscreen beside openings, or on the other side, is missing", plot)
		}
	}
}
