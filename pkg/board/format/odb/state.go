package odb

import (
	"math"
	"slices"
	"strings"

	"boardorder/pkg/board"
	"boardorder/pkg/board/foil"
)

// describe takes what a layer's attributes say about its material.
func (l *layer) describe(data []byte, unit float64) {
	v := attributes(data)
	unit = unitOf(v["UNITS"], unit)
	get := func(key string) float64 { return number([]byte(v[key])) }
	l.thickness = nm(get(".LAYER_DIELECTRIC") * unit)
	if w := get(".COPPER_WEIGHT"); w > 0 {
		l.copper = ounces(w, unit)
		if l.role == board.RoleCopper {
			l.thickness = nm(l.copper * 34_800)
		}
	}
	l.epsilonR, l.lossTan = get(".DIELECTRIC_CONSTANT"), get(".LOSS_TANGENT")
	if m := v[".MATERIAL"]; m != "" && l.material == "" {
		l.material = m
	}
}

// ounces reads a copper weight. The standard means ounces; tools write
// micrometres in metric files (35.56) and mils in others (1.4).
func ounces(w, unit float64) float64 {
	switch {
	case unit == nmPerMM && w > 8:
		w = w / 34.8
	case unit == nmPerInch && (math.Abs(w-1.4) < 0.03 || math.Abs(w-0.7) < 0.015 || math.Abs(w-2.8) < 0.06):
		w = w / 1.37
	}
	return math.Round(w*4) / 4
}

// state fills the facts that attributes and the head of the job give.
func (j *job) state(s *step) {
	f := &s.b.Facts
	src := board.Source{File: j.t.root + "misc/info"}
	tool := j.info["SAVE_APP"]
	if tool == "" {
		tool = j.info["ODB_SOURCE"]
	}
	if tool != "" {
		f.Tool = board.State(tool, src, 0.95, "head of the ODB++ job")
	}
	if d := j.info["SAVE_DATE"]; d != "" {
		f.Date = board.State(d, src, 0.8, "head of the ODB++ job")
	}
	j.stateThickness(s)
	j.stateStackup(s)
	j.stateFlex(s)
	for _, key := range []string{".GOLD_PLATING"} {
		if strings.EqualFold(s.attrs[key], "yes") {
			f.GoldFingers = board.State(true, board.Source{File: j.t.root + s.dir + "/attrlist"}, 0.8, "attribute "+strings.ToLower(key))
		}
	}
}

func (j *job) stateThickness(s *step) {
	for _, in := range []struct {
		attrs map[string]string
		file  string
	}{{s.attrs, s.dir + "/attrlist"}, {j.info, "misc/attrlist"}} {
		unit := unitOf(in.attrs["UNITS"], j.unit)
		if t := nm(number([]byte(in.attrs[".BOARD_THICKNESS"])) * unit); t > 50_000 && t < 20_000_000 {
			s.b.Facts.Thickness = board.State(t, board.Source{File: j.t.root + in.file}, 0.85, "attribute .board_thickness")
			return
		}
	}
}

// stateStackup lists the layers that make up the board, and their copper.
func (j *job) stateStackup(s *step) {
	f := &s.b.Facts
	var weights []float64
	src := board.Source{File: j.t.root + s.dir + "/layers"}
	for _, l := range j.layers {
		x := board.StackupLayer{Name: l.name, Order: l.order, Material: l.material, EpsilonR: l.epsilonR, LossTan: l.lossTan}
		switch {
		case l.role == board.RoleCopper:
			x.Kind = board.StackCopper
		case l.kind == "DIELECTRIC":
			x.Kind = board.StackDielectric
		case l.role == board.RoleMask:
			x.Kind = board.StackMask
		default:
			continue
		}
		if l.thickness > 0 {
			x.Thickness = board.State(l.thickness, src, 0.85, "layer attributes")
		}
		s.b.Stackup = append(s.b.Stackup, x)
		if l.role == board.RoleCopper {
			weights = append(weights, l.copper)
		}
	}
	same := !slices.ContainsFunc(weights, func(oz float64) bool { return oz != 0 && oz != 1 })
	foil.Weigh(f, weights, func(oz float64) board.Fact[float64] {
		if same {
			return board.Preset(oz, src, "attribute .copper_weight: 1 oz on every layer")
		}
		return board.State(oz, src, 0.85, "attribute .copper_weight")
	})
}

// stateFlex tells a flexible board, all of whose copper is, from a rigid one with flexible
// parts.
func (j *job) stateFlex(s *step) {
	copper, flexible := 0, 0
	for _, l := range j.layers {
		if l.role == board.RoleCopper {
			copper++
			if strings.Contains(l.addKind, "FLEX") {
				flexible++
			}
		}
	}
	src := board.Source{File: j.t.root + "matrix/matrix"}
	switch {
	case flexible == 0:
	case flexible == copper:
		s.b.Facts.Flex = board.State(true, src, 0.95, "ODB++ matrix")
	default:
		s.b.Facts.Needs(board.State(board.RigidFlex, src, 0.95, "ODB++ matrix"))
	}
}
