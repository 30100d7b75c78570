package easyeda

import (
	"slices"

	"boardorder/pkg/board/foil"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/preset"
)

// A layerTable is what a document of EasyEDA Pro says of its layers.
type layerTable struct {
	layers    map[int]layer
	planes    []string
	sheets    []sheetOf // from the top
	stiffener [2]int
}

// A sheetOf is one layer of the build.
type sheetOf struct {
	number      int
	kind        pcb.StackupKind
	material    string
	thickness   int64
	epsilonR    float64
	lossTangent float64
}

// proKinds are what kinds of layers mean; others are for people, or of parts.
var proKinds = map[string]layer{
	"TOP": {role: pcb.RoleCopper, side: pcb.Top}, "BOTTOM": {role: pcb.RoleCopper, side: pcb.Bottom},
	"SIGNAL": {role: pcb.RoleCopper, side: pcb.Inner}, "PLANE": {role: pcb.RoleCopper, side: pcb.Inner},
	"TOP_SILK": {role: pcb.RoleSilk, side: pcb.Top}, "BOT_SILK": {role: pcb.RoleSilk, side: pcb.Bottom},
	"TOP_SOLDER_MASK": {role: pcb.RoleMask, side: pcb.Top}, "BOT_SOLDER_MASK": {role: pcb.RoleMask, side: pcb.Bottom},
	"TOP_PASTE_MASK": {role: pcb.RolePaste, side: pcb.Top}, "BOT_PASTE_MASK": {role: pcb.RolePaste, side: pcb.Bottom},
	"TOP_ASSEMBLY": {role: pcb.RoleAssembly, side: pcb.Top}, "BOT_ASSEMBLY": {role: pcb.RoleAssembly, side: pcb.Bottom},
	"OUTLINE": {role: pcb.RoleOutline}, "DOCUMENT": {role: pcb.RoleFabDrawing}, "MECHANICAL": {role: pcb.RoleMechanical},
	"DRILL_DRAWING": {role: pcb.RoleDrillDrawing}, "CUSTOM": {role: pcb.RoleMechanical},
	"TOP_STIFFENER": {role: pcb.RoleOther, side: pcb.Top}, "BOTTOM_STIFFENER": {role: pcb.RoleOther, side: pcb.Bottom},
}

// used is the bit of a layer's state that says that the board has it.
const used = 1

// newLayerTable reads the layers. The inner ones lie as they are listed.
func newLayerTable(rows []row) layerTable {
	t := layerTable{layers: map[int]layer{}}
	inner := 0
	for i := range rows {
		r := &rows[i]
		if r.kind() != "LAYER" {
			continue
		}
		n, kind, state := r.int(1), r.text(2), int(r.numberOr(4, used))
		l, ok := proKinds[kind]
		l.name, l.ignored = r.text(3), !ok
		switch {
		case r.bad:
			r.bad = false
			continue
		case kind == "SUBSTRATE":
			continue
		case l.side == pcb.Inner && state&used == 0:
			continue
		case l.side == pcb.Inner:
			if _, twice := t.layers[n]; twice {
				continue
			}
			inner++
			l.order = inner + 1
			if kind == "PLANE" {
				t.planes = append(t.planes, l.name)
			}
		case kind == "TOP":
			l.order = 1
		case kind == "TOP_STIFFENER":
			t.stiffener[0] = n
		case kind == "BOTTOM_STIFFENER":
			t.stiffener[1] = n
		}
		t.layers[n] = l
	}
	for n, l := range t.layers {
		if l.role == pcb.RoleCopper && l.side == pcb.Bottom {
			l.order = inner + 2
			t.layers[n] = l
		}
	}
	t.readBuild(rows)
	return t
}

// readBuild reads what the board is built of.
func (t *layerTable) readBuild(rows []row) {
	substrate := map[int]bool{}
	for i := range rows {
		if r := &rows[i]; r.kind() == "LAYER" && r.text(2) == "SUBSTRATE" {
			substrate[int(r.numberOr(1, 0))] = true
		}
	}
	for i := range rows {
		r := &rows[i]
		if r.kind() != "LAYER_PHYS" {
			continue
		}
		s := sheetOf{number: r.int(1), material: r.text(2), thickness: mil.length(r.numberOr(3, 0)), epsilonR: r.numberOr(4, 0), lossTangent: r.numberOr(5, 0)}
		if r.bad {
			r.bad = false
			continue
		}
		switch l, ok := t.layers[s.number]; {
		case ok && l.role == pcb.RoleCopper:
			s.kind = pcb.StackCopper
		case ok && l.role == pcb.RoleMask:
			s.kind = pcb.StackMask
		case substrate[s.number], !ok:
			s.kind = pcb.StackDielectric
		default:
			continue
		}
		t.sheets = append(t.sheets, s)
	}
}

// state hands the build to the board, if it is one of all its copper layers. That which
// EasyEDA begins with is nobody's choice.
func (t *layerTable) state(b *pcb.Board, src pcb.Source) {
	var copper, between []int64
	total := int64(0)
	for _, s := range t.sheets {
		total += s.thickness
		switch s.kind {
		case pcb.StackCopper:
			copper = append(copper, s.thickness)
		case pcb.StackDielectric:
			between = append(between, s.thickness)
		}
	}
	if n := len(b.Copper()); len(copper) != n || len(between) != n-1 || slices.Contains(between, 0) {
		return
	}
	factory := preset.StackOf("EasyEDA Pro")
	same := factory.DielectricsOf(between)
	stated := func(v int64) pcb.Fact[int64] {
		if same {
			return pcb.Preset(v, src, "EasyEDA Pro's standard build")
		}
		return pcb.State(v, src, 0.8, "EasyEDA Pro's layer manager")
	}
	for _, s := range t.sheets {
		l := pcb.StackupLayer{Name: t.layers[s.number].name, Kind: s.kind, Order: t.layers[s.number].order, Thickness: stated(s.thickness), EpsilonR: s.epsilonR, LossTan: s.lossTangent}
		if s.kind == pcb.StackDielectric {
			l.Name, l.Material = "dielectric", s.material
		}
		b.Stackup = append(b.Stackup, l)
	}
	b.Facts.Thickness = stated(total)
	foil.State(&b.Facts, copper, func(oz float64) pcb.Fact[float64] {
		if factory.CopperOf(copper) {
			return pcb.Preset(oz, src, "EasyEDA Pro's standard copper thickness")
		}
		return pcb.State(oz, src, 0.8, "EasyEDA Pro's layer manager")
	})
}
