package gerber

import (
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// execute carries out a whole word command.
func (r *reader) execute(c *command) {
	if c.has&^newLine != 0 {
		r.file.Commands++
	}
	defer func() { r.far = false }()
	if c.has&hasD != 0 && c.d >= 10 {
		r.selectAperture(c.d)
		if c.has&(hasX|hasY) == 0 {
			return
		}
	}
	coords := c.has&(hasX|hasY|hasI|hasJ) != 0
	switch {
	case c.has&hasD != 0 && c.d >= 1 && c.d <= 3:
		r.op = c.d
		if !coords && c.d != 3 {
			return // D01 or D02 alone: for the coordinates that follow
		}
	case c.gFlash && c.has&hasD == 0:
		r.op = 3
	case c.has&hasD != 0 && c.d < 10:
		r.file.Unknown++
		r.find(pcb.Warning, "unknown_command", "D", r.line, "unknown operation D%02d", c.d)
		return
	case !coords:
		return
	case r.op == 0:
		r.op = 2
		r.find(pcb.Warning, "missing_operation", "", r.line, "coordinates without D01, D02 or D03; read as moves")
	}
	r.operate(c)
}

// operate draws, moves or flashes to the command's coordinates.
func (r *reader) operate(c *command) {
	to := r.target(c)
	if (to.X > geom.MaxCoord || to.X < -geom.MaxCoord) || (to.Y > geom.MaxCoord || to.Y < -geom.MaxCoord) {
		to.X, _ = geom.Clamp(to.X)
		to.Y, _ = geom.Clamp(to.Y)
		r.far = true
		r.find(pcb.Problem, "coordinate_range", "", r.line, "the coordinates in line %d lead beyond %d m, farther away than any board is long: what is drawn to there or from there was left out; export the file again", r.line, geom.MaxCoord/(1000*geom.Millimetre))
	}
	from, fromFar := r.cur, r.curFar
	r.cur, r.curFar = to, r.far
	if r.op != 2 && r.far || r.op == 1 && fromFar {
		return
	}
	switch r.op {
	case 1:
		e := geom.Line(from, to)
		if r.interp != geom.Straight {
			e = r.arc(from, to, c)
		}
		if r.inRegion {
			r.contourEdge(e)
			return
		}
		r.draw(e)
	case 2:
		if r.inRegion {
			r.closeContour()
		}
	case 3:
		if r.inRegion {
			r.find(pcb.Warning, "flash_in_region", "", r.line, "a flash inside a region is not allowed and was left out")
			return
		}
		r.flash(to)
	}
}

// target is where the command goes, after the deprecated transformations.
func (r *reader) target(c *command) geom.Point {
	l := &r.legacy
	if r.file.Format.Incremental {
		l.raw = l.raw.Add(geom.Pt(c.x, c.y))
	} else {
		if c.has&hasX != 0 {
			l.raw.X = c.x
		}
		if c.has&hasY != 0 {
			l.raw.Y = c.y
		}
	}
	if !l.active {
		return l.raw
	}
	return l.apply(l.raw)
}

// selectAperture makes D-code d current.
func (r *reader) selectAperture(d int) {
	i, ok := r.codes[d]
	if !ok {
		i = r.defineMissing(d)
	}
	r.aperture = i
}

// defineMissing stands in for a D-code that has no definition: the aperture given
// from outside, or one without size, so that at least the centre lines remain.
func (r *reader) defineMissing(d int) int32 {
	a, ok := r.opt.Apertures[d]
	if !ok {
		a = pcb.Circle(0)
		r.missing[d] = 0
	}
	a.Code, a.Line = d, int32(r.line)
	return r.define(d, a)
}

// define adds an aperture to the table under its code.
func (r *reader) define(d int, a pcb.Aperture) int32 {
	i := int32(len(r.layer.Apertures))
	r.layer.Apertures = append(r.layer.Apertures, a)
	r.codes[d] = i
	return i
}

// current gives the aperture to draw with, reporting when there is none.
func (r *reader) current() int32 {
	if r.aperture < 0 {
		r.find(pcb.Problem, "no_aperture", "", r.line, "something is drawn before an aperture is chosen")
		r.aperture = r.defineMissing(0)
		delete(r.missing, 0)
	}
	return r.aperture
}

// draw strokes the current aperture along e.
func (r *reader) draw(e geom.Edge) {
	i := r.current()
	if r.layer.Apertures[i].Kind == pcb.BlockShape {
		r.find(pcb.Problem, "block_stroke", "", r.line, "a line is drawn with an aperture block, which the format does not allow; it is left out")
		return
	}
	f := r.feature(i)
	f.Kind, f.A, f.B = pcb.LineFeature, e.A, e.B
	if e.Turn != geom.Straight {
		f.Kind, f.Arc = pcb.ArcFeature, int32(len(r.layer.Arcs))
		r.layer.Arcs = append(r.layer.Arcs, pcb.ArcGeometry{Centre: e.Centre, Clockwise: e.Turn == geom.Clockwise})
	}
	r.emit(f)
}

// flash puts the current aperture, or aperture block, down at p.
func (r *reader) flash(p geom.Point) {
	i := r.current()
	if a := &r.layer.Apertures[i]; a.Kind == pcb.BlockShape {
		r.flashBlock(r.blocks[a.Code], p)
		return
	}
	f := r.feature(i)
	f.Kind, f.A, f.B = pcb.FlashFeature, p, p
	if !r.spendTurned(&f) {
		return
	}
	r.emit(f)
}

// feature is a feature with the current state and aperture i.
func (r *reader) feature(i int32) pcb.Feature {
	a := &r.layer.Apertures[i]
	if len(r.missing) > 0 {
		if _, ok := r.missing[a.Code]; ok {
			r.missing[a.Code]++
		}
	}
	f := pcb.Feature{Shape: i, Function: a.Function, Clear: r.clear, Transform: r.transform, Line: int32(r.line)}
	r.dict.attach(&f, a.Attrs)
	return f
}

// emit appends a feature while the budget lasts.
func (r *reader) emit(f pcb.Feature) {
	if r.drawn.Add(1) {
		r.out = append(r.out, f)
	}
}

// copies reports whether the budget has room for n copies of features that have
// so many corners in all.
func (r *reader) copies(n, features, corners int) bool {
	return r.meter.SpendTimes(pcb.Drawn, n, features) && r.meter.SpendTimes(pcb.Corners, n, corners)
}

// spendTurned counts what a flash costs whose aperture is turned: its bounds are those of
// all its pieces.
func (r *reader) spendTurned(f *pcb.Feature) bool {
	if f.Transform == 0 || f.Kind != pcb.FlashFeature {
		return true
	}
	const few, asked = 8, 16 // pieces that cost nothing to speak of, and how often bounds are asked for
	n := len(r.layer.Apertures[f.Shape].Primitives)
	return n <= few || r.meter.Spend(pcb.Lookups, asked*n)
}
