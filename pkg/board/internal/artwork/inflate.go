package artwork

import (
	"boardorder/pkg/board"
	"boardorder/pkg/board/geom"
)

// Inflate gives primitives grown by d on every side with round corners, or, for
// a negative d, shrunk: an area is then what is left after a pen has run along
// its border, which is exact for one area and erases from its neighbours too
// where several meet.
func Inflate(prims []board.Primitive, d int64) []board.Primitive {
	if d == 0 {
		return prims
	}
	var out []board.Primitive
	for _, p := range prims {
		if p.Kind != board.AreaPrimitive {
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
func border(path geom.Path, d int64) []board.Primitive {
	const tolerance = 1000 // nanometres: far below what a board shows
	clear := d < 0
	if clear {
		d = -d
	}
	pts := path.Flatten(tolerance)
	out := make([]board.Primitive, 0, len(pts))
	for i, a := range pts {
		b := pts[(i+1)%len(pts)]
		if a != b {
			out = append(out, board.Primitive{Kind: board.StrokePrimitive, Clear: clear, A: a, B: b, Radius: d})
		}
	}
	return out
}
