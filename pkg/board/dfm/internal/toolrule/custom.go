package toolrule

import (
	"fmt"
	"strconv"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/sexpr"
	"boardorder/pkg/board/pcb"
)

// Custom puts those custom rules of a KiCad project that hold everywhere in
// the place of the board's own, and names the others: they could not be judged.
func Custom(r *pcb.Rules) []string {
	var unknown []string
	for _, text := range r.Custom {
		in := sexpr.NewReader([]byte("(rules " + text + ")"))
		in.Open()
		n, ok := in.Next()
		if !ok || !applyCustom(r, n) {
			unknown = append(unknown, fmt.Sprintf("The custom rule %q of the design could not be judged.", n.Part(1).Text()))
		}
	}
	return unknown
}

// applyCustom takes over a rule without condition whose constraints are least
// values of a kind that the board has too.
func applyCustom(r *pcb.Rules, n sexpr.Node) bool {
	if n.Find("condition").Exists() || n.Find("layer").Exists() {
		return false
	}
	to := map[string]*int64{
		"clearance": &r.Clearance, "track_width": &r.TrackWidth, "via_diameter": &r.ViaDiameter, "hole_size": &r.ViaDrill,
		"annular_width": &r.AnnularRing, "hole_clearance": &r.HoleClearance, "hole_to_hole": &r.HoleToHole,
		"edge_clearance": &r.EdgeClearance,
	}
	all := true
	for c := range n.Lists("constraint") {
		field := to[c.Part(1).Text()]
		v, ok := customLength(c.Value("min").Text())
		if field == nil || !ok {
			all = false
			continue
		}
		*field = v
		if field == &r.Clearance { // a custom rule goes before the classes
			classes := make([]pcb.NetClass, len(r.Classes))
			copy(classes, r.Classes)
			for i := range classes {
				classes[i].Clearance = 0
			}
			r.Classes = classes
		}
	}
	return all
}

// customLength reads a length of a custom rule: 0.2mm, 8mil, 0.01in.
func customLength(text string) (int64, bool) {
	unit := geom.Millimetre
	for name, nm := range map[string]int64{"mm": geom.Millimetre, "mil": geom.Mil, "in": geom.Inch, "um": geom.Micrometre} {
		if t, ok := strings.CutSuffix(text, name); ok {
			text, unit = t, nm
			break
		}
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || v < 0 || v > 1e6 {
		return 0, false
	}
	return int64(v*float64(unit) + 0.5), true
}
