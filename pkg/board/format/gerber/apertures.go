package gerber

import (
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// apertureDefinition reads AD, such as D10C,0.5X0.25.
func (r *reader) apertureDefinition(body string, line int) {
	body = strings.TrimSpace(body)
	if body == "" { // left by tools for a layer that draws nothing
		r.find(pcb.Note, "empty_definition", "", line, "an aperture definition is empty")
		return
	}
	code, rest, ok := splitCode(body)
	if !ok {
		r.find(pcb.Problem, "bad_aperture", "", line, "aperture definition %q cannot be read", clip([]byte(body)))
		return
	}
	name, list, _ := strings.Cut(rest, ",")
	name = strings.TrimSpace(name)
	par, numbers := parameters(list)
	if !numbers {
		r.doubt("bad_aperture", "number", code, line, "aperture D%d has a size that is no number: %q", clip([]byte(list)))
	}
	a, ok := r.shape(name, par, code, line)
	if !ok {
		a = pcb.Circle(0)
	}
	a.Code, a.Line, a.Function = code, int32(line), r.dict.function
	a.Attrs = r.dict.apertureSet()
	if code < 10 {
		r.find(pcb.Warning, "bad_aperture_code", "", line, "aperture code D%02d is reserved for operations", code)
	}
	if old, again := r.codes[code]; again {
		uses, missing := r.missing[code]
		switch {
		case uses > 0:
			r.find(pcb.Problem, "aperture_undefined", "late", line, "aperture D%d is defined after its first use; what was drawn with it before has no width", code)
		case !missing && r.layer.Apertures[old].Line > 0 && r.aperture == old:
			r.find(pcb.Note, "aperture_redefined", "", line, "aperture D%d is defined again while in use", code)
		}
		delete(r.missing, code)
	}
	i := r.define(code, a)
	if r.aperture >= 0 && r.layer.Apertures[r.aperture].Code == code {
		r.aperture = i
	}
}

// splitCode splits "D10C,0.5" into its code and the rest.
func splitCode(s string) (int, string, bool) {
	if s == "" || s[0] != 'D' && s[0] != 'd' {
		return 0, "", false
	}
	d := digits(s[1:])
	if d == "" || len(d) > 9 {
		return 0, "", false
	}
	code := 0
	for _, c := range d {
		code = code*10 + int(c-'0')
	}
	return code, s[1+len(d):], true
}

// shape makes the standard aperture or macro called name.
func (r *reader) shape(name string, par []float64, code, line int) (pcb.Aperture, bool) {
	get := func(i int) int64 {
		if i < len(par) && !r.isFar(par[i]) {
			return max(0, r.length(par[i]))
		}
		return 0
	}
	if m, ok := r.macros[name]; ok {
		return r.instantiate(m, par, code, line), true
	}
	need := map[string]int{"C": 1, "R": 2, "O": 2, "P": 2}[name]
	switch {
	case len(par) == 1 && (name == "R" || name == "O"):
		r.find(pcb.Warning, "square_aperture", name, line, "aperture D%d has one size only; taken as long as wide", code)
	case len(par) < need:
		r.doubt("bad_aperture", name, code, line, "aperture D%d lacks a size")
	}
	for _, v := range par {
		if r.isFar(v) && name != "P" {
			r.doubt("bad_aperture", "far", code, line, "aperture D%d has a size of %g in line %d, beyond %d m, which no board has: nothing is drawn with it", v, line, geom.MaxCoord/(1000*geom.Millimetre))
		}
		if v < 0 && name != "P" {
			r.doubt("bad_aperture", "negative", code, line, "aperture D%d has a negative size")
		}
	}
	switch name {
	case "C":
		return pcb.Circle(get(0)).PunchHole(get(1), get(2)), true
	case "R":
		return pcb.Rect(get(0), r.second(get(1), get(0), par)).PunchHole(get(2), get(3)), true
	case "O":
		return pcb.Obround(get(0), r.second(get(1), get(0), par)).PunchHole(get(2), get(3)), true
	case "P":
		return r.polygon(get(0), par, code, line).PunchHole(get(3), get(4)), true
	case "T", "": // T was a predefined thermal that nobody defined well
	}
	r.doubt("unknown_aperture", name, code, line, "aperture D%d uses the shape %q, which is defined nowhere", clip([]byte(name)))
	return pcb.Aperture{}, false
}

// second is the Y size of a rectangle or obround; where it is not given, X.
func (r *reader) second(y, x int64, par []float64) int64 {
	if len(par) < 2 {
		return x
	}
	return y
}

func (r *reader) polygon(d int64, par []float64, code, line int) pcb.Aperture {
	n, deg := 0, 0.0
	if len(par) > 1 {
		n = int(par[1])
	}
	if len(par) > 2 {
		deg = par[2]
	}
	if n < 3 || n > 1000 {
		r.doubt("bad_aperture", "P", code, line, "polygon aperture D%d has %d corners", n)
		return pcb.Circle(d)
	}
	if !r.corners.Add(n) {
		return pcb.Circle(d)
	}
	return pcb.RegularPolygon(d, n, deg)
}

// setTransform interns the current mirroring, rotation and scale.
func (r *reader) setTransform() {
	t := geom.Transform{Rotation: r.dict.rotation, Scale: r.dict.scale}
	switch r.dict.mirror {
	case "X":
		t.Mirror = true
	case "Y":
		t.Mirror = true
		t.Rotation += 180
	case "XY":
		t.Rotation += 180
	}
	if t.Scale == 1 {
		t.Scale = 0
	}
	r.placing = t
	r.transform = r.intern(t)
}

// intern gives the index of a transform in the layer's table.
func (r *reader) intern(t geom.Transform) int32 {
	if i, ok := r.dict.transforms[t]; ok {
		return i
	}
	i := int32(len(r.layer.Transforms))
	r.layer.Transforms = append(r.layer.Transforms, t)
	r.dict.transforms[t] = i
	return i
}
