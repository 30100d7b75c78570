package odb

import (
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/pcb"
)

// readLayer reads what a step has of a layer: features, components, tools and
// attributes.
func (j *job) readLayer(s *step, l *layer) {
	dir := s.dir + "/layers/" + l.dir
	if f, ok := j.open(dir + "/attrlist"); ok {
		l.describe(f.Data, j.unit)
	}
	if l.kind == "COMPONENT" {
		if f, ok := j.open(dir + "/components"); ok {
			j.readComponents(s, l, f)
		}
		return
	}
	f, ok := j.open(dir + "/features")
	switch {
	case ok:
	case l.role == pcb.RoleCopper || l.role == pcb.RoleMask || l.kind == "DRILL":
		if len(s.repeats) == 0 {
			j.finding(pcb.Problem, "layer_missing", j.t.root+dir+"/features", 0,
				"the matrix names the layer %q, but the step %q does not hold it", l.name, s.name)
		}
		if l.role == pcb.RoleCopper {
			j.sheet(s, l, j.t.root+dir+"/features")
		}
		return
	default:
		return
	}
	sheet := j.sheet(s, l, f.Name)
	r := &featureFile{j: j, name: f.Name, unit: j.unit}
	var tools []tool
	if l.role == pcb.RoleDrill {
		tools = j.readTools(dir)
	}
	r.take = func(x *feature) {
		s.starts[l.dir] = append(s.starts[l.dir], int32(len(sheet.Layer.Features)))
		if j.meter.HasEnded() {
			return
		}
		j.draw(s, l, sheet, r, x)
		if l.role == pcb.RoleDrill {
			before := len(s.b.Holes)
			j.drill(s, l, r, x, tools)
			hole := int32(-1)
			if len(s.b.Holes) > before {
				hole = int32(before)
			}
			s.holeOf[l.dir] = append(s.holeOf[l.dir], hole)
		}
	}
	r.read(f.Data)
	s.starts[l.dir] = append(s.starts[l.dir], int32(len(sheet.Layer.Features)))
	if l.role == pcb.RoleMechanical && strings.Contains(l.dir, "outline") && len(s.edges) == 0 && !s.profile {
		for i := range sheet.Layer.Features {
			if x := &sheet.Layer.Features[i]; x.Kind == pcb.LineFeature || x.Kind == pcb.ArcFeature {
				s.edges = append(s.edges, sheet.Layer.Edge(x))
			}
		}
	}
}

// draw puts a record of a features file on the layer.
func (j *job) draw(s *step, l *layer, sheet *artwork.Sheet, r *featureFile, x *feature) {
	m := artwork.Meta{Clear: x.clear, Line: x.line, Function: pcb.FuncMaterial}
	if l.role == pcb.RoleCopper {
		m.Function = copperFunction(r, x)
	}
	switch x.kind {
	case 'P':
		if u := x.symbol; u != nil && u.ok && !u.empty {
			sheet.FlashScaled(x.a, u.shape, x.turn, m)
		}
	case 'L', 'A':
		e := geom.Line(x.a, x.b)
		if x.kind == 'A' {
			e = geom.ArcEdge(x.a, x.b, x.c, x.cw)
		}
		if u := x.symbol; u != nil && u.ok && !u.empty {
			sheet.Stroke(e, u.shape, m)
			if l.role == pcb.RoleCopper && !x.clear && u.round > 0 && (s.minLine == 0 || u.round < s.minLine) {
				s.minLine = u.round
			}
		}
	case 'S':
		for _, p := range x.areas {
			sheet.Region(p, m)
		}
	case 'T':
		lines, pen := x.labelLines()
		for _, p := range lines {
			sheet.Path(p, pen, m)
		}
	}
}

// copperFunction tells what a record on copper is for by its attributes; the
// nets say more later.
func copperFunction(r *featureFile, x *feature) pcb.Function {
	usage, _ := r.attribute(x, ".pad_usage")
	switch {
	case usage == "1":
		return pcb.FuncViaPad
	case usage == "2":
		return pcb.FuncFiducial
	case usage == "3":
		return pcb.FuncFiducialLocal
	case x.kind == 'T':
		return pcb.FuncNonConductor
	case x.kind == 'S':
		return pcb.FuncPour
	case x.kind == 'P':
		if _, smd := r.attribute(x, ".smd"); smd {
			return pcb.FuncSMDPad
		}
		return pcb.FuncOther
	}
	return pcb.FuncConductor
}
