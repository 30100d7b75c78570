package artwork

import (
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// Inflate gives primitives grown by d on every side with round corners, or, for
// a negative d, shrunk: an area is then what is left after a pen has run along
// its border, which is exact for one area and erases from its neighbours too
// where several meet.
func Inflate(prims []pcb.Primitive, d int64) []pcb.Primitive {
	if d == 0 {
		return prims
	}
	var out []pcb.Primitive
	for _, p := range prims {
		if p.Kind != pcb.AreaPrimitive {
			if p.Radius+d > 0 {
				p.Radius += d
				out = append(out, p)
			}
			continue
		}
		out = append(out, p)
		out = append(out, border(p.Area, d)...)
	}
	return out
}

// border is a pen of width 2|d| run along the path; arcs as short chords.
func border(path geom.Path, d int64) []pcb.Primitive {
	const tolerance = 1000 // nanometres: far below what a board shows
	clear := d < 0
	if clear {
		d = -d
	}
	pts := path.Flatten(tolerance)
	out := make([]pcb.Primitive, 0, len(pts))
	for i, a := range pts {
		b := pts[(i+1)%len(pts)]
		if a != b {
			out = append(out, pcb.Primitive{Kind: pcb.StrokePrimitive, Clear: clear, A: a, B: b, Radius: d})
		}
	}
	return out
}
