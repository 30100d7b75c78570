// Package kicadrules writes a fabricator's limits as custom rules of KiCad (a .kicad_dru file),
// so that a design can be held against them before it is sent.
package kicadrules

import (
	"fmt"
	"strconv"
	"strings"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/geom"
)

// A rule says which of KiCad's constraints a limit is, and of what.
type rule struct {
	check      dfm.Name
	constraint string
	condition  string // in KiCad's language; "" is everything
	layered    bool   // outer and inner layers may differ
	layer      string // that it is about; "" is all
	later      bool   // KiCad knows it from version 7 on: one before takes none of a file that holds it
}

// rules are those of KiCad's constraints that limits have, the general ones first: KiCad takes
// the last one that fits.
var rules = []rule{
	{check: dfm.TrackWidth, constraint: "track_width", layered: true},
	{check: dfm.TrackClearance, constraint: "clearance", layered: true},
	{check: dfm.PadClearance, constraint: "clearance", condition: "A.Type == 'Pad' || B.Type == 'Pad'", layered: true},
	{check: dfm.CopperToEdge, constraint: "edge_clearance"},
	{check: dfm.CopperToHole, constraint: "hole_clearance"},
	{check: dfm.CopperToVia, constraint: "hole_clearance", condition: "A.Type == 'Via' || B.Type == 'Via'"},
	{check: dfm.CopperToPTH, constraint: "hole_clearance", condition: "A.Pad_Type == 'Through-hole' || B.Pad_Type == 'Through-hole'"},
	{check: dfm.CopperToNPTH, constraint: "hole_clearance", condition: "A.Pad_Type == 'NPTH, mechanical' || B.Pad_Type == 'NPTH, mechanical'"},
	{check: dfm.HoleToHole, constraint: "hole_to_hole"},
	{check: dfm.AnnularRing, constraint: "annular_width", condition: "A.Type == 'Pad'"},
	{check: dfm.ViaRing, constraint: "annular_width", condition: "A.Type == 'Via'"},
	{check: dfm.DrillSize, constraint: "hole_size"},
	{check: dfm.SilkHeight, constraint: "text_height", layer: "?.Silkscreen", later: true},
	{check: dfm.SilkWidth, constraint: "text_thickness", layer: "?.Silkscreen", later: true},
	{check: dfm.SilkToMask, constraint: "silk_clearance"},
}

// Write gives limits as the text of a .kicad_dru file: what cannot be built at all, or where that
// is not stated what is recommended. about says in a comment whose limits they are.
func Write(l dfm.Limits, about string) string {
	var out strings.Builder
	out.WriteString("(version 1)\n")
	for line := range strings.Lines(about) {
		fmt.Fprintf(&out, "# %s\n", strings.TrimSpace(line))
	}
	for _, r := range rules {
		outer, inner := minimumOf(l.LimitOf(r.check, false)), minimumOf(l.LimitOf(r.check, true))
		if !r.layered || outer == inner {
			r.write(&out, "", r.layer, outer)
			continue
		}
		r.write(&out, ", outer layers", "outer", outer)
		r.write(&out, ", inner layers", "inner", inner)
	}
	return out.String()
}

func minimumOf(l dfm.Limit) int64 {
	if l.Min > 0 {
		return l.Min
	}
	return l.Recommended
}

func (r rule) write(out *strings.Builder, where, layer string, least int64) {
	if least <= 0 {
		return
	}
	var text strings.Builder
	fmt.Fprintf(&text, "(rule %q\n", r.check.Words()+where)
	switch layer {
	case "":
	case "outer", "inner":
		fmt.Fprintf(&text, "\t(layer %s)\n", layer)
	default:
		fmt.Fprintf(&text, "\t(layer %q)\n", layer)
	}
	if r.condition != "" {
		fmt.Fprintf(&text, "\t(condition %q)\n", r.condition)
	}
	fmt.Fprintf(&text, "\t(constraint %s (min %smm)))\n", r.constraint, strconv.FormatFloat(geom.Millimetres(least), 'f', -1, 64))
	if !r.later {
		out.WriteString("\n" + text.String())
		return
	}
	out.WriteString("\n# KiCad 7 and later know this rule too: take the # away to use it.\n")
	for line := range strings.Lines(text.String()) {
		out.WriteString("#" + line)
	}
}
