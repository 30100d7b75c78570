package gerber

import (
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

func (r *reader) beginRegion() {
	if r.inRegion {
		r.find(pcb.Note, "nested_region", "", r.line, "G36 inside a region")
		r.closeContour()
	}
	r.inRegion = true
}

func (r *reader) endRegion() {
	if !r.inRegion {
		r.find(pcb.Note, "stray_region_end", "", r.line, "G37 without G36")
		return
	}
	r.closeContour()
	r.inRegion = false
}

// contourEdge adds an edge to the contour under way.
func (r *reader) contourEdge(e geom.Edge) {
	if len(r.contour.Points) == 0 {
		r.contour.Points = r.carve()
		r.contour.Points = append(r.contour.Points, e.A)
	}
	if !r.corners.Add(1) {
		return
	}
	if n := len(r.contour.Points); n == cap(r.contour.Points) { // append would copy long ones more often
		r.contour.Points = append(make([]geom.Point, 0, 2*n), r.contour.Points...)
	}
	r.contour.Add(e)
}

// carve gives an empty slice at the end of a large one, so that the many small
// contours of a layer do not cost an allocation each.
func (r *reader) carve() []geom.Point {
	if cap(r.arena)-len(r.arena) < 32 {
		r.arena = make([]geom.Point, 0, 4096)
	}
	return r.arena[len(r.arena):]
}

// closeContour ends the contour under way and makes it a feature.
func (r *reader) closeContour() {
	c := r.contour
	r.contour = geom.Path{}
	if len(c.Points) < 2 {
		return
	}
	if cap(c.Points) == cap(r.arena[len(r.arena):]) { // still within the arena
		r.arena = r.arena[:len(r.arena)+len(c.Points)]
	}
	c.Points = c.Points[:len(c.Points):len(c.Points)]
	c.Closed = true
	first, last := c.Points[0], c.Points[len(c.Points)-1]
	if d := first.Dist(last); d > 0 {
		f := r.find(pcb.Note, "open_region", "", r.line, "a region's contour was not closed by the file (first by %.4f mm)", d/1e6)
		if f.At == nil {
			f.At, f.Size = &last, int64(d)
		}
	}
	if len(c.Points) < 3 && len(c.Bends) == 0 {
		r.find(pcb.Note, "empty_region", "", r.line, "a region encloses nothing")
		return
	}
	r.overlap(c)
	f := pcb.Feature{Kind: pcb.RegionFeature, A: first, B: first, Clear: r.clear, Line: int32(r.line),
		Shape: int32(len(r.layer.Regions)), Function: r.dict.function}
	r.dict.attach(&f, r.dict.apertureSet())
	if !r.drawn.Add(1) {
		return
	}
	r.layer.Regions = append(r.layer.Regions, geom.Polygon{Outer: c})
	r.out = append(r.out, f)
}

// disputed is how wide a place that a contour runs round twice has to be for the board
// to come out differently.
const disputed = 10 * geom.Micrometre

// overlap finds contours that run round a place twice in the same direction, which
// the format does not allow: some programs fill such a place, others leave a hole.
func (r *reader) overlap(c geom.Path) {
	const samples, closely = 64, 512
	if n := c.Turns(); n == 1 || n == -1 || !r.corners.Add(samples) {
		return
	}
	if at, ok := c.Overlap(samples, 0); ok {
		if !r.corners.Add(closely) {
			return
		}
		if _, wide := c.Overlap(closely, disputed); !wide {
			f := r.find(pcb.Note, "overlapping_contour", "narrow", r.line,
				"a region's contour overlaps itself near X %.3f Y %.3f mm, in a place too narrow to be made: nothing depends on how it is filled", float64(at.X)/1e6, float64(at.Y)/1e6)
			if f.At == nil {
				f.At = &at
			}
			return
		}
		f := r.find(pcb.Problem, "overlapping_contour", "", r.line,
			"a region's contour overlaps itself near X %.3f Y %.3f mm: some programs fill that place, others leave it free; draw what is left free as a contour of its own", float64(at.X)/1e6, float64(at.Y)/1e6)
		if f.At == nil {
			f.At = &at
		}
	}
}
