package kicad

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// TestPadLayers: the names and wildcards of a pad's layers, on a board of four copper layers.
func TestPadLayers(t *testing.T) {
	t.Parallel()
	for layers, want := range map[string]string{
		`"F.Cu"`:                      "Top Layer",
		`"B.Cu"`:                      "B.Cu",
		`"*.Cu"`:                      "Top Layer In1.Cu In2.Cu B.Cu",
		`*.Cu *.Mask`:                 "Top Layer In1.Cu In2.Cu B.Cu F.Mask B.Mask",
		`"F&B.Cu"`:                    "Top Layer B.Cu",
		`"F.Cu" "F.Paste" "F.Mask"`:   "Top Layer F.Paste F.Mask",
		`"B.Cu" "B.Paste" "B.Mask"`:   "B.Cu B.Paste B.Mask",
		`"F.Paste"`:                   "F.Paste",
		`"*.Paste"`:                   "F.Paste B.Paste",
		`"F.Cu" "F.Adhes" "In9.Cu"`:   "Top Layer",
		`"*.SilkS"`:                   "F.Silkscreen B.SilkS",
		`"In1.Cu"`:                    "In1.Cu",
		`"*.Nothing"`:                 "",
		`"*In.Cu"`:                    "In1.Cu In2.Cu",
		`"F&B.Mask"`:                  "F.Mask B.Mask",
		`"F.Cu" "B.Mask" "Edge.Cuts"`: "Top Layer B.Mask Edge.Cuts",
	} {
		b := readText(t, v9(`(footprint "x" (layer "F.Cu") (at 5 5) (pad "1" smd rect (at 0 0) (size 1 1) (layers `+layers+`)))`))
		var got []string
		for _, l := range b.Layers {
			if len(l.Features) > 0 {
				got = append(got, l.Name)
			}
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("layers %s: pad on %q, want %q", layers, s, want)
		}
	}
}

// TestPadForms: the copper of shapes at the bounds of their ratios, in square millimetres.
func TestPadForms(t *testing.T) {
	t.Parallel()
	const round = 4 - math.Pi // what a circle lacks of the square round it, by its radius squared
	for pad, want := range map[string]float64{
		`roundrect (size 4 2) (roundrect_rratio 0)`:   8,
		`roundrect (size 4 2) (roundrect_rratio 0.1)`: 8 - round*.04,
		`roundrect (size 4 2) (roundrect_rratio 0.5)`: 8 - round,
		`roundrect (size 4 2) (roundrect_rratio 0.9)`: 8 - round, // no more than half
		`roundrect (size 4 2) (roundrect_rratio -1)`:  8,
		`oval (size 2 2)`:                       math.Pi,
		`oval (size 2 4)`:                       4 + math.Pi,
		`rect (size 2)`:                         4,
		`trapezoid (size 4 2) (rect_delta 0 0)`: 8,
		`trapezoid (size 4 2) (rect_delta 0 1)`: 8,
		`roundrect (size 2 2) (roundrect_rratio 0) (chamfer_ratio 0.5) (chamfer top_left)`:                                         3.5,
		`roundrect (size 2 2) (roundrect_rratio 0) (chamfer_ratio 0.5) (chamfer top_left top_right bottom_left bottom_right)`:      2,
		`roundrect (size 2 2) (roundrect_rratio 0) (chamfer_ratio 0.9) (chamfer top_left)`:                                         3.5, // no more than half
		`roundrect (size 2 2) (roundrect_rratio 0) (chamfer_ratio -0.5) (chamfer top_left)`:                                        4,
		`roundrect (size 2 2) (roundrect_rratio 0.25) (chamfer_ratio 0.25) (chamfer top_left)`:                                     4 - .125 - 3*round*.25/4,
		`roundrect (size 2 2) (roundrect_rratio 0.25) (chamfer_ratio 0) (chamfer top_left)`:                                        4 - round*.25,
		`custom (size 1 1) (options (anchor circle)) (primitives)`:                                                                 math.Pi / 4,
		`custom (size 1 1) (options (anchor rect)) (primitives)`:                                                                   1,
		`custom (size 1 1) (primitives)`:                                                                                           math.Pi / 4,
		`custom (size 1 1) (options (anchor rect)) (primitives (gr_circle (center 0 0) (end 2 0) (width 0) (fill yes)))`:           4 * math.Pi,
		`custom (size 1 1) (options (anchor rect)) (primitives (gr_line (start 0 0) (end 4 0) (width 1)))`:                         4.5 + math.Pi/8,
		`custom (size 1 1) (options (anchor rect)) (primitives (gr_rect (start 0 0) (end 4 2) (width 0) (fill yes)))`:              8.75,
		`custom (size 1 1) (options (anchor rect)) (primitives (gr_poly (pts (xy 0 0) (xy 4 0) (xy 4 2) (xy 0 2)) (width 0)))`:     8.75,
		`custom (size 1 1) (options (anchor rect)) (primitives (gr_bbox (start 0 0) (end 4 2)) (gr_vector (start 0 0) (end 4 2)))`: 1,
	} {
		for _, turn := range []string{"0", "90"} {
			b := readText(t, v9(`(footprint "x" (layer "F.Cu") (at 5 5) (pad "1" smd `+pad+` (at 0 0 `+turn+`) (layers "F.Cu")))`))
			if got := area(b.Copper()[0]); math.Abs(got-want) > .025*want {
				t.Errorf("%s, turned by %s: %.3f mm², want %.3f", pad, turn, got, want)
			}
		}
	}
}

// TestChamferOnBack: pads of a flipped footprint are stored as they lie on the board, seen
// from the front, so the corner that is named is the one that is cut on either side.
func TestChamferOnBack(t *testing.T) {
	t.Parallel()
	for name, cut := range map[string]geom.Point{"top_left": {X: -1, Y: 1}, "top_right": {X: 1, Y: 1}, "bottom_left": {X: -1, Y: -1}, "bottom_right": {X: 1, Y: -1}} {
		for _, l := range []string{"F.Cu", "B.Cu"} {
			b := readText(t, v9(`(footprint "x" (layer "`+l+`") (at 0 0) (pad "1" smd roundrect (at 0 0) (size 2 2)
				(roundrect_rratio 0) (chamfer_ratio 0.3) (chamfer `+name+`) (layers "`+l+`")))`))
			cu := b.Find(pcb.RoleCopper, map[string]pcb.Side{"F.Cu": pcb.Top, "B.Cu": pcb.Bottom}[l])[0]
			for _, at := range []geom.Point{{X: -1, Y: 1}, {X: 1, Y: 1}, {X: -1, Y: -1}, {X: 1, Y: -1}} {
				if got := isCovered(cu, geom.Pt(at.X*950_000, at.Y*950_000)); got != (at != cut) {
					t.Errorf("chamfer %s on %s: copper at corner %v = %v, want %v", name, l, at, got, at != cut)
				}
			}
		}
	}
}

// TestTentSpellings: the openings over a via on the front and the back, as each version says
// it of the board and of the via.
func TestTentSpellings(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ setup, via, want string }{
		"nothing said":              {"", "", "0 0"},
		"9: the board's front":      {`(tenting front)`, "", "0 1"},
		"9: both":                   {`(tenting front back)`, "", "0 0"},
		"9: none":                   {`(tenting none)`, "", "1 1"},
		"10: the board's back":      {`(tenting (front no) (back yes))`, "", "1 0"},
		"9: this via's front":       {"", `(tenting front)`, "0 1"},
		"9: this via's none":        {"", `(tenting none)`, "1 1"},
		"10: this via's back":       {"", `(tenting (front no) (back yes))`, "1 0"},
		"10: as the board":          {`(tenting none)`, `(tenting (front none) (back none))`, "1 1"},
		"10: half as the board":     {`(tenting none)`, `(tenting (front yes) (back none))`, "0 1"},
		"5: plotted open":           {`(pcbplotparams (viasonmask true))`, "", "1 1"},
		"9: plotted open":           {`(pcbplotparams (viasonmask yes))`, "", "1 1"},
		"5: plotted tented":         {`(pcbplotparams (viasonmask false))`, "", "0 0"},
		"the via before the board":  {`(tenting none)`, `(tenting front back)`, "0 0"},
		"the via before the plot's": {`(pcbplotparams (viasonmask true))`, `(tenting front back)`, "0 0"},
	} {
		b := readText(t, v9(`(setup `+c.setup+`) (via (at 5 5) (size 0.8) (drill 0.4) (layers "F.Cu" "B.Cu") `+c.via+` (net 0))`))
		got := fmt.Sprint(len(layer(t, b, pcb.RoleMask, pcb.Top).Features), len(layer(t, b, pcb.RoleMask, pcb.Bottom).Features))
		if got != c.want {
			t.Errorf("%s: setup %q, via %q: openings front and back %s, want %s", name, c.setup, c.via, got, c.want)
		}
	}
}

// TestNetSpellings: an item's net by number, by number and name, and by name alone.
func TestNetSpellings(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ table, net, want string }{
		"by number":              {`(net 0 "") (net 3 "GND")`, `(net 3)`, "GND"},
		"number and name":        {`(net 0 "") (net 3 "GND")`, `(net 3 "GND")`, "GND"},
		"without a table":        {"", `(net 3 "GND")`, "GND"},
		"by name":                {"", `(net "GND")`, "GND"},
		"a name of digits":       {"", `(net "12")`, "12"},
		"a number of no net":     {`(net 0 "")`, `(net 9)`, ""},
		"net nought":             {`(net 0 "")`, `(net 0)`, ""},
		"none":                   {`(net 0 "")`, "", ""},
		"a name with a slash":    {`(net 1 "/a{slash}b/OUT")`, `(net 1)`, "/a{slash}b/OUT"},
		"a name without quotes":  {`(net 1 /clk)`, `(net 1)`, "/clk"},
		"a name with its quotes": {`(net 1 "a\"b")`, `(net 1)`, `a"b`},
	} {
		b := readText(t, v9(c.table+`(via (at 5 5) (size 0.8) (drill 0.4) (layers "F.Cu" "B.Cu") `+c.net+`)`))
		if got := b.Nets[b.Holes[0].Net].Name; got != c.want {
			t.Errorf("%s: %s %s: net %q, want %q", name, c.table, c.net, got, c.want)
		}
	}
}

// TestSymbolAttributes: what a schematic says of a part that is on the board.
func TestSymbolAttributes(t *testing.T) {
	t.Parallel()
	type part struct{ dnp, noBOM, noPlace bool }
	for text, want := range map[string]part{
		``:                               {},
		`(in_bom yes) (on_board yes)`:    {},
		`(in_bom no)`:                    {noBOM: true},
		`(dnp yes)`:                      {dnp: true},
		`(dnp no)`:                       {},
		`(in_pos_files no)`:              {noPlace: true},
		`(in_bom no) (dnp yes)`:          {dnp: true, noBOM: true},
		`(on_board no) (exclude_from_x)`: {},
	} {
		b := readText(t, v9(`(footprint "x" (layer "F.Cu") (at 5 5) (property "Reference" "R1" (at 0 0) (layer "F.Fab")))`),
			File{"dir/a.kicad_sch", []byte(`(kicad_sch (uuid "u") (symbol ` + text + ` (uuid "s") (property "Reference" "R1")))`)})
		c := b.Components[0]
		if got := (part{c.DNP, c.NoBOM, c.NoPlace}); got != want || len(b.Components) != 1 {
			t.Errorf("symbol %q: %d parts, got %+v, want 1, %+v", text, len(b.Components), got, want)
		}
	}
}
