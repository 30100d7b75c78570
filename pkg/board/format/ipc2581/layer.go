package ipc2581

import (
	"strings"

	"boardorder/pkg/board"
	"boardorder/pkg/board/internal/markup"
)

// A layer as the file's table of layers states it.
type layer struct {
	name     string
	function string
	role     board.Role
	side     board.Side
	order    int
	from, to string // span of a drill layer
	negative bool
	specs    []string
	line     int
}

var roles = map[string]board.Role{
	"CONDUCTOR": board.RoleCopper, "CONDFILM": board.RoleCopper, "CONDFOIL": board.RoleCopper, "PLANE": board.RoleCopper,
	"SIGNAL": board.RoleCopper, "MIXED": board.RoleCopper, "POWER_GROUND": board.RoleCopper,
	"SOLDERMASK": board.RoleMask, "SOLDERPASTE": board.RolePaste, "PASTEMASK": board.RolePaste,
	"SILKSCREEN": board.RoleSilk, "LEGEND": board.RoleSilk,
	"DRILL": board.RoleDrill, "ROUT": board.RoleDrill, "ROUTE": board.RoleDrill,
	"BOARD_OUTLINE": board.RoleOutline, "BOARDFAB": board.RoleFabDrawing, "ASSEMBLY": board.RoleAssembly,
	"COURTYARD": board.RoleCourtyard, "GLUE": board.RoleGlue, "HOLEFILL": board.RoleViaFill, "V_CUT": board.RoleVCut,
	"SCORE": board.RoleVCut, "DOCUMENT": board.RoleMechanical, "GRAPHIC": board.RoleMechanical, "CARBON": board.RoleCarbon,
	"PEELABLE": board.RolePeelable,
}

// processes are what layers of a function are for that a plain board is made without.
var processes = map[string]board.Process{
	"STIFFENER": board.Stiffening, "HOLEFILL": board.ViaFilling, "RESISTIVE": board.EmbeddedParts, "CAPACITIVE": board.EmbeddedParts,
	"COMPONENT_EMBEDDED": board.EmbeddedParts, "COMPONENT_FORMED": board.EmbeddedParts,
}

func (r *reader) layer(e markup.Element) {
	l := &layer{
		name: e.Attr("name"), function: strings.ToUpper(e.Attr("layerFunction")), line: e.Line(),
		negative: e.Attr("polarity") == "NEGATIVE",
	}
	role, ok := roles[l.function]
	if !ok {
		role = board.RoleOther
	}
	l.role = role
	switch strings.ToUpper(e.Attr("side")) {
	case "TOP":
		l.side = board.Top
	case "BOTTOM":
		l.side = board.Bottom
	case "INTERNAL":
		l.side = board.Inner
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
		if l.role == board.RoleCopper {
			listed = append(listed, l)
		}
	}
	seen := map[*layer]bool{}
	for _, s := range r.stackup.layers {
		if l := r.byName[s.name]; l != nil && l.role == board.RoleCopper && !seen[l] {
			seen[l] = true
			stacked = append(stacked, l)
		}
	}
	if len(stacked) != len(listed) {
		stacked = listed
	}
	for i, l := range stacked {
		l.order, l.side = i+1, board.Inner
		switch {
		case i == 0:
			l.side = board.Top
		case i == len(stacked)-1:
			l.side = board.Bottom
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
