package faulty

import "boardorder/pkg/board/geom"

// letters as strokes on a grid six wide and ten high: pairs of ends.
var letters = map[rune][][4]int64{
	'E': {{0, 0, 0, 10}, {0, 10, 6, 10}, {0, 5, 4, 5}, {0, 0, 6, 0}},
	'F': {{0, 0, 0, 10}, {0, 10, 6, 10}, {0, 5, 4, 5}},
	'H': {{0, 0, 0, 10}, {6, 0, 6, 10}, {0, 5, 6, 5}},
	'I': {{3, 0, 3, 10}},
	'L': {{0, 10, 0, 0}, {0, 0, 6, 0}},
	'T': {{0, 10, 6, 10}, {3, 10, 3, 0}},
}

// strokes draws the word letter by letter.
func (t *Text) strokes() []Stroke {
	const advance = 9
	width := int64(len(t.Word)*advance - 3)
	place := func(x, y int64) geom.Point {
		dx, dy := (2*x-width)*t.Height/20, (y-5)*t.Height/10
		if t.Bottom != t.Mirror {
			dx = -dx
		}
		return t.At.Add(geom.Pt(dx, dy))
	}
	var out []Stroke
	for i, c := range t.Word {
		for _, k := range letters[c] {
			o := int64(i) * advance
			out = append(out, line(place(o+k[0], k[1]), place(o+k[2], k[3])))
		}
	}
	return out
}
