package ipc2581

import (
	"strings"

	"boardorder/pkg/board/internal/markup"
	"boardorder/pkg/board/pcb"
)

// A layer as the file's table of layers states it.
type layer struct {
	name     string
	function string
	role     pcb.Role
	side     pcb.Side
	order    int
	from, to string // span of a drill layer
	negative bool
	specs    []string
	line     int
}

var roles = map[string]pcb.Role{
	"CONDUCTOR": pcb.RoleCopper, "CONDFILM": pcb.RoleCopper, "CONDFOIL": pcb.RoleCopper, "PLANE": pcb.RoleCopper,
	"SIGNAL": pcb.RoleCopper, "MIXED": pcb.RoleCopper, "POWER_GROUND": pcb.RoleCopper,
	"SOLDERMASK": pcb.RoleMask, "SOLDERPASTE": pcb.RolePaste, "PASTEMASK": pcb.RolePaste,
	"SILKSCREEN": pcb.RoleSilk, "LEGEND": pcb.RoleSilk,
	"DRILL": pcb.RoleDrill, "ROUT": pcb.RoleDrill, "ROUTE": pcb.RoleDrill,
	"BOARD_OUTLINE": pcb.RoleOutline, "BOARDFAB": pcb.RoleFabDrawing, "ASSEMBLY": pcb.RoleAssembly,
	"COURTYARD": pcb.RoleCourtyard, "GLUE": pcb.RoleGlue, "HOLEFILL": pcb.RoleViaFill, "V_CUT": pcb.RoleVCut,
	"SCORE": pcb.RoleVCut, "DOCUMENT": pcb.RoleMechanical, "GRAPHIC": pcb.RoleMechanical, "CARBON": pcb.RoleCarbon,
	"PEELABLE": pcb.RolePeelable,
}

// processes are what layers of a function are for that a plain board is made without.
var processes = map[string]pcb.Process{
	"STIFFENER": pcb.Stiffening, "HOLEFILL": pcb.ViaFilling, "RESISTIVE": pcb.EmbeddedParts, "CAPACITIVE": pcb.EmbeddedParts,
	"COMPONENT_EMBEDDED": pcb.EmbeddedParts, "COMPONENT_FORMED": pcb.EmbeddedParts,
}

func (r *reader) layer(e markup.Element) {
	l := &layer{
		name: e.Attr("name"), function: strings.ToUpper(e.Attr("layerFunction")), line: e.Line(),
		negative: e.Attr("polarity") == "NEGATIVE",
	}
	role, ok := roles[l.function]
	if !ok {
		role = pcb.RoleOther
	}
	l.role = role
	switch strings.ToUpper(e.Attr("side")) {
	case "TOP":
		l.side = pcb.Top
	case "BOTTOM":
		l.side = pcb.Bottom
	case "INTERNAL":
		l.side = pcb.Inner
	}
	for c := range r.in.Children() {
		switch c.Name() {
		case "Span":
			l.from, l.to = c.Attr("fromLayer"), c.Attr("toLayer")
		case "SpecRef":
			l.specs = append(l.specs, c.Attr("id"))
		}
	}
	if _, twice := r.byName[l.name]; twice {
		return
	}
	r.layers = append(r.layers, l)
	r.byName[l.name] = l
}

// copper gives the conductor layers from top to bottom: as the stackup orders
// them where it names them all, else as they are listed.
func (r *reader) copper() []*layer {
	var listed, stacked []*layer
	for _, l := range r.layers {
		if l.role == pcb.RoleCopper {
			listed = append(listed, l)
		}
	}
	seen := map[*layer]bool{}
	for _, s := range r.stackup.layers {
		if l := r.byName[s.name]; l != nil && l.role == pcb.RoleCopper && !seen[l] {
			seen[l] = true
			stacked = append(stacked, l)
		}
	}
	if len(stacked) != len(listed) {
		stacked = listed
	}
	for i, l := range stacked {
		l.order, l.side = i+1, pcb.Inner
		switch {
		case i == 0:
			l.side = pcb.Top
		case i == len(stacked)-1:
			l.side = pcb.Bottom
		}
	}
	return stacked
}

// span is the copper layers that a drill layer goes through; 0, 0 for all.
func (r *reader) span(l *layer) (from, to int16) {
	a, b := r.byName[l.from], r.byName[l.to]
	if a == nil || b == nil || a.order == 0 || b.order == 0 {
		return 0, 0
	}
	lo, hi := min(a.order, b.order), max(a.order, b.order)
	if lo == 1 && hi == len(r.copper()) {
		return 0, 0
	}
	return int16(lo), int16(hi)
}
