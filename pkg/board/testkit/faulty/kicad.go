package faulty

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/upload"
)

// A pcb is a .kicad_pcb being written.
type pcb struct {
	s    *Sketch
	text strings.Builder
	nets []string
}

// KiCad writes the sketch as a project of KiCad 6: the board, and its rules
// where it has any.
func (s *Sketch) KiCad() []upload.File {
	w := &pcb{s: s, nets: []string{""}}
	w.f("(kicad_pcb (version 20211014) (generator pcbnew)\n (general (thickness %s))\n (paper \"A4\")\n (layers\n", mmText(s.Thickness))
	for n := 1; n <= s.Layers; n++ {
		id := n - 1
		if n == s.Layers {
			id = 31
		}
		w.f("  (%d %q signal)\n", id, w.layer(n))
	}
	w.f(`  (34 "B.Paste" user) (35 "F.Paste" user) (36 "B.SilkS" user "B.Silkscreen") (37 "F.SilkS" user "F.Silkscreen")
  (38 "B.Mask" user) (39 "F.Mask" user) (44 "Edge.Cuts" user) (49 "F.Fab" user) (50 "User.1" user "V-Cuts"))
 (setup (pad_to_mask_clearance 0))` + "\n")
	w.table()
	for i := range s.Pads {
		w.pad(&s.Pads[i])
	}
	for _, k := range s.Scores {
		w.f(" (gr_line (start %s) (end %s) (layer \"User.1\") (width 0.1))\n", pointText(k.A), pointText(k.B))
	}
	w.drawings()
	w.copper()
	w.f(")\n")
	files := map[string]string{"demo.kicad_pcb": w.text.String()}
	if s.Custom != "" {
		files["demo.kicad_dru"] = "(version 1)\n" + s.Custom + "\n"
	}
	if len(s.Rules) > 0 || s.Class > 0 {
		files["demo.kicad_pro"] = s.project()
	}
	return s.pack(files)
}

// project writes the rules as KiCad 6 keeps them.
func (s *Sketch) project() string {
	var rules []string
	for _, name := range slices.Sorted(maps.Keys(s.Rules)) {
		rules = append(rules, fmt.Sprintf("%q: %s", name, mmText(s.Rules[name])))
	}
	classes := `{"name": "Default", "clearance": 0.1}`
	if s.Class > 0 {
		classes += fmt.Sprintf(`, {"name": "wide", "clearance": %s, "nets": ["X"]}`, mmText(s.Class))
	}
	return fmt.Sprintf(`{"board": {"design_settings": {"rules": {%s}}}, "meta": {"filename": "demo.kicad_pro", "version": 1},
 "net_settings": {"classes": [%s]}}`, strings.Join(rules, ", "), classes)
}

func (w *pcb) f(format string, a ...any) { fmt.Fprintf(&w.text, format, a...) }

func (w *pcb) layer(n int) string {
	switch n {
	case 1:
		return "F.Cu"
	case w.s.Layers:
		return "B.Cu"
	}
	return fmt.Sprintf("In%d.Cu", n-1)
}

// pointText writes a point, Y down.
func pointText(p geom.Point) string { return mmText(p.X) + " " + mmText(-p.Y) }

// table numbers the nets.
func (w *pcb) table() {
	add := func(n string) {
		if !slices.Contains(w.nets, n) {
			w.nets = append(w.nets, n)
		}
	}
	for _, p := range w.s.Pads {
		add(p.Net)
	}
	for _, t := range w.s.Tracks {
		add(t.Net)
	}
	for _, v := range w.s.Vias {
		add(v.Net)
	}
	for _, z := range w.s.Zones {
		add(z.Net)
	}
	for i, n := range w.nets {
		w.f(" (net %d %q)\n", i, n)
	}
}

func (w *pcb) net(name string) int { return slices.Index(w.nets, name) }

// pad writes a footprint of its own for every pad: where a part's others are
// does not matter to a board.
func (w *pcb) pad(p *Pad) {
	kind, drill := "smd", ""
	layers := []string{"F.Cu", "F.Paste", "F.Mask"}
	if p.Bottom {
		layers = []string{"B.Cu", "B.Paste", "B.Mask"}
	}
	if p.Drill > 0 {
		kind, layers = "thru_hole", []string{"*.Cu", "*.Mask"}
		if p.Bare {
			kind = "np_thru_hole"
		}
		drill = " (drill " + mmText(p.Drill)
		if p.Slot > p.Drill {
			drill = " (drill oval " + mmText(p.Slot) + " " + mmText(p.Drill)
		}
		if p.Shift != (geom.Point{}) {
			drill += " (offset " + pointText(p.Shift) + ")"
		}
		drill += ")"
	}
	layers = slices.DeleteFunc(layers, func(l string) bool {
		if p.PasteOnly {
			return !strings.HasSuffix(l, "Paste")
		}
		return (p.NoMask || p.NoPaste) && strings.HasSuffix(l, "Paste") || p.NoMask && strings.HasSuffix(l, "Mask") || p.NoCopper && strings.HasSuffix(l, "Cu")
	})
	shape, more := p.kicadShape()
	w.f(" (footprint \"demo:%s_%s\" (layer %q) (at %s)\n", p.Ref, p.Number, map[bool]string{false: "F.Cu", true: "B.Cu"}[p.Bottom], pointText(p.At))
	w.f("  (fp_text reference %q (at 0 0) (layer \"F.Fab\") (effects (font (size 1 1) (thickness 0.15))))\n", p.Ref)
	w.f("  (pad %q %s %s (at 0 0 %g) (size %s %s)%s (layers \"%s\")%s", p.Number, kind, shape, p.Turn, mmText(p.X), mmText(p.Y), drill, strings.Join(layers, `" "`), more)
	if p.Castellated {
		w.f(" (property pad_prop_castellated)")
	}
	if p.Net != "" {
		w.f(" (net %d %q)", w.net(p.Net), p.Net)
	}
	if p.Mask != 0 {
		w.f(" (solder_mask_margin %s)", mmText(p.Mask))
	}
	w.f("))\n")
}

func (p *Pad) kicadShape() (shape, more string) {
	switch p.Shape {
	case Circle:
		return "circle", ""
	case Rect:
		return "rect", ""
	case Oval:
		return "oval", ""
	case RoundRect:
		return "roundrect", " (roundrect_rratio 0.25)"
	}
	return "custom", " (options (clearance outline) (anchor circle)) (primitives (gr_poly (pts" + xys(p.Points) + ") (width 0) (fill yes)))"
}

func xys(pts []geom.Point) string {
	var w strings.Builder
	for _, q := range pts {
		w.WriteString(" (xy " + pointText(q) + ")")
	}
	return w.String()
}

// drawings are what is neither part nor copper.
func (w *pcb) drawings() {
	s := w.s
	if !s.NoOutline {
		for _, chain := range s.Outline {
			for _, k := range chain {
				w.stroke("gr", k, `(layer "Edge.Cuts") (width 0.1)`)
			}
		}
	}
	side := map[bool]string{false: "F", true: "B"}
	for _, k := range s.Silk {
		w.stroke("gr", line(k.A, k.B), fmt.Sprintf(`(layer "%s.SilkS") (width %s)`, side[k.Bottom], mmText(k.Width)))
	}
	for _, t := range s.Texts {
		mirror := ""
		if t.Bottom != t.Mirror {
			mirror = " (justify mirror)"
		}
		w.f(" (gr_text %q (at %s) (layer \"%s.SilkS\") (effects (font (size %s %s) (thickness %s))%s))\n",
			t.Word, pointText(t.At), side[t.Bottom], mmText(t.Height), mmText(t.Height), mmText(t.Width), mirror)
	}
	for _, o := range s.Openings {
		w.f(" (gr_poly (pts%s) (layer \"%s.Mask\") (width 0) (fill solid))\n", xys(o.Points), side[o.Bottom])
	}
}

// stroke writes a line or arc as (<kind>_line …) or (<kind>_arc …).
func (w *pcb) stroke(kind string, k Stroke, rest string) {
	if k.Turn == 0 {
		w.f(" (%s_line (start %s) (end %s) %s)\n", kind, pointText(k.A), pointText(k.B), rest)
		return
	}
	w.f(" (%s_arc (start %s) (mid %s) (end %s) %s)\n", kind, pointText(k.A), pointText(k.middle()), pointText(k.B), rest)
}

func (w *pcb) copper() {
	s := w.s
	for _, t := range s.Tracks {
		rest := fmt.Sprintf("(width %s) (layer %q) (net %d)", mmText(t.Width), w.layer(t.Layer), w.net(t.Net))
		if t.Turn == 0 {
			w.f(" (segment (start %s) (end %s) %s)\n", pointText(t.A), pointText(t.B), rest)
		} else {
			w.f(" (arc (start %s) (mid %s) (end %s) %s)\n", pointText(t.A), pointText(t.middle()), pointText(t.B), rest)
		}
	}
	for _, v := range s.Vias {
		w.writeVia(v)
	}
	for _, z := range s.Zones {
		w.f(" (zone (net %d) (net_name %q) (layer %q) (hatch edge 0.5) (connect_pads (clearance 0.2)) (min_thickness 0.1) (filled_areas_thickness no)\n",
			w.net(z.Net), z.Net, w.layer(z.Layer))
		w.f("  (fill yes (thermal_gap 0.5) (thermal_bridge_width 0.5)) (polygon (pts%s)) (filled_polygon (layer %q) (pts%s)))\n",
			xys(z.Outer), w.layer(z.Layer), xys(z.keyholePath()))
	}
}

func (w *pcb) writeVia(v Via) {
	kind, from, to := "", 1, w.s.Layers
	if v.From != 0 {
		kind, from, to = " blind", v.From, v.To
	}
	w.f(" (via%s (at %s) (size %s) (drill %s) (layers %q %q)", kind, pointText(v.At), mmText(v.Size), mmText(v.Drill), w.layer(from), w.layer(to))
	if v.OuterOnly {
		w.f(" (remove_unused_layers) (keep_end_layers)")
	}
	if v.Filled {
		w.f(" (filling yes) (capping yes)")
	}
	if v.Open {
		w.f(" (tenting none)")
	}
	w.f(" (net %d))\n", w.net(v.Net))
}

// keyholePath is the filling in the one loop that KiCad stores: to each hole runs a
// slit without width from the upper edge, the third of the outer corners to the
// fourth.
func (z *Zone) keyholePath() []geom.Point {
	if len(z.Holes) == 0 {
		return z.Outer
	}
	type hole struct {
		pts []geom.Point // clockwise from the highest
		top geom.Point
	}
	var holes []hole
	for _, h := range z.Holes {
		k := 0
		for i, p := range h {
			if p.Y > h[k].Y || p.Y == h[k].Y && p.X > h[k].X {
				k = i
			}
		}
		var pts []geom.Point
		for i := range len(h) + 1 {
			pts = append(pts, h[((k-i)%len(h)+len(h))%len(h)])
		}
		holes = append(holes, hole{pts, geom.Pt(h[k].X, z.Outer[2].Y)})
	}
	slices.SortFunc(holes, func(a, b hole) int { return cmp.Compare(b.top.X, a.top.X) })
	out := slices.Clone(z.Outer[:3])
	for _, h := range holes {
		out = append(out, h.top)
		out = append(out, h.pts...)
		out = append(out, h.top)
	}
	return append(out, z.Outer[3:]...)
}
