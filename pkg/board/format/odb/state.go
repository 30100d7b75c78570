package odb

import (
	"math"
	"slices"
	"strings"

	"boardorder/pkg/board/foil"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/preset"
)

// describe takes what a layer's attributes say about its material.
func (l *layer) describe(data []byte, unit float64) {
	v := attributes(data)
	unit = unitOf(v["UNITS"], unit)
	get := func(key string) float64 { return number([]byte(v[key])) }
	l.thickness = nm(get(".LAYER_DIELECTRIC") * unit)
	if w := get(".COPPER_WEIGHT"); w > 0 {
		l.copper = ounces(w, unit)
		if l.role == pcb.RoleCopper {
			l.thickness = nm(l.copper * 34_800)
		}
	}
	l.epsilonR, l.lossTan = get(".DIELECTRIC_CONSTANT"), get(".LOSS_TANGENT")
	if m := v[".MATERIAL"]; m != "" && l.material == "" {
		l.material = m
	}
}

// ounces reads a copper weight. The standard means ounces; tools write
// micrometres in metric files (35.56) and mils in others (1.4). Nobody orders 1.2 to
// 1.45 oz, so these are the mils that tools begin with: 1.2, 1.35, 1.4.
func ounces(w, unit float64) float64 {
	switch {
	case unit == nmPerMM && w > 8:
		w = w / 34.8
	case unit == nmPerInch && w > 1.15 && w < 1.45:
		return preset.Ounce
	case unit == nmPerInch && (math.Abs(w-0.7) < 0.015 || math.Abs(w-2.8) < 0.06):
		w = w / 1.37
	}
	return math.Round(w*4) / 4
}

// state fills the facts that attributes and the head of the job give.
func (j *job) state(s *step) {
	f := &s.b.Facts
	src := pcb.Source{File: j.t.root + "misc/info"}
	tool := j.info["SAVE_APP"]
	if tool == "" {
		tool = j.info["ODB_SOURCE"]
	}
	if tool != "" {
		f.Tool = pcb.State(tool, src, 0.95, "head of the ODB++ job")
	}
	if d := j.info["SAVE_DATE"]; d != "" {
		f.Date = pcb.State(d, src, 0.8, "head of the ODB++ job")
	}
	j.stateStackup(s)
	j.stateThickness(s)
	j.stateFlex(s)
	for _, key := range []string{".GOLD_PLATING"} {
		if strings.EqualFold(s.attrs[key], "yes") {
			f.GoldFingers = pcb.State(true, pcb.Source{File: j.t.root + s.dir + "/attrlist"}, 0.8, "attribute "+strings.ToLower(key))
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
			at := pcb.Source{File: j.t.root + in.file}
			s.b.Facts.Thickness = pcb.State(t, at, 0.85, "attribute .board_thickness")
			if j.altiumStandard() || j.ounceEverywhere() && preset.StackOf("Altium").Adds(t, len(s.b.Copper())) {
				s.b.Facts.Thickness = pcb.Preset(t, at, "attribute .board_thickness of Altium's standard layer stack")
			}
			return
		}
	}
}

// ounceEverywhere tells whether no copper layer states anything but the ounce that tools
// write by themselves.
func (j *job) ounceEverywhere() bool {
	return !slices.ContainsFunc(j.layers, func(l *layer) bool {
		return l.role == pcb.RoleCopper && l.copper != 0 && l.copper != preset.Ounce
	})
}

// altiumStandard tells whether the build is what every new board of Altium has: an ounce
// everywhere, and its own sheet between all layers.
func (j *job) altiumStandard() bool {
	var sheets []int64
	for _, l := range j.layers {
		if l.kind == "DIELECTRIC" {
			sheets = append(sheets, l.thickness)
		}
	}
	return j.ounceEverywhere() && preset.StackOf("Altium").DielectricsOf(sheets)
}

// stateStackup lists the layers that make up the board, and their copper. What a tool
// wrote by itself is kept as such: neither an order nor a job file may state it.
func (j *job) stateStackup(s *step) {
	f := &s.b.Facts
	var weights []float64
	ounce, standard := j.ounceEverywhere(), j.altiumStandard()
	src := pcb.Source{File: j.t.root + s.dir + "/layers"}
	for _, l := range j.layers {
		x := pcb.StackupLayer{Name: l.name, Order: l.order, Material: l.material, EpsilonR: l.epsilonR, LossTan: l.lossTan}
		switch {
		case l.role == pcb.RoleCopper:
			x.Kind = pcb.StackCopper
		case l.kind == "DIELECTRIC":
			x.Kind = pcb.StackDielectric
		case l.role == pcb.RoleMask:
			x.Kind = pcb.StackMask
		default:
			continue
		}
		if l.thickness > 0 {
			x.Thickness = pcb.State(l.thickness, src, 0.85, "layer attributes")
			if standard || ounce && x.Kind == pcb.StackCopper {
				x.Thickness = pcb.Preset(l.thickness, src, "layer attributes, untouched")
			}
		}
		s.b.Stackup = append(s.b.Stackup, x)
		if l.role == pcb.RoleCopper {
			weights = append(weights, l.copper)
		}
	}
	foil.Weigh(f, weights, func(oz float64) pcb.Fact[float64] {
		if ounce {
			return pcb.Preset(oz, src, "attribute .copper_weight: 1 oz on every layer")
		}
		return pcb.State(oz, src, 0.85, "attribute .copper_weight")
	})
}

// stateFlex tells a flexible board, all of whose copper is, from a rigid one with flexible
// parts.
func (j *job) stateFlex(s *step) {
	copper, flexible := 0, 0
	for _, l := range j.layers {
		if l.role == pcb.RoleCopper {
			copper++
			if strings.Contains(l.addKind, "FLEX") {
				flexible++
			}
		}
	}
	src := pcb.Source{File: j.t.root + "matrix/matrix"}
	switch {
	case flexible == 0:
	case flexible == copper:
		s.b.Facts.Flex = pcb.State(true, src, 0.95, "ODB++ matrix")
	default:
		s.b.Facts.Needs(pcb.State(pcb.RigidFlex, src, 0.95, "ODB++ matrix"))
	}
}
