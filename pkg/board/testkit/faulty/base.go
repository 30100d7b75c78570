package faulty

import "boardorder/pkg/board/geom"

// Base is a sound board of 40 by 30 mm with four copper layers: parts, tracks,
// vias and a plane on its left half, room for a fault on its right.
func Base() *Sketch {
	s := &Sketch{
		Layers: 4, Thickness: 1600 * um, Outline: [][]Stroke{polygon(box(0, 0, 40*mm, 30*mm)...)},
		Negative: map[int]bool{}, Drop: map[string]bool{}, Extra: map[string]string{}, EmptyLayer: map[string]bool{},
	}
	// R1 between A and GND, U1 turned, J1 with pins through the board.
	s.Pads = append(s.Pads,
		Pad{Ref: "R1", Number: "1", Net: "A", At: pt(6, 22), Shape: RoundRect, X: 900 * um, Y: 1000 * um, Mask: 50 * um},
		Pad{Ref: "R1", Number: "2", Net: "GND", At: pt(8, 22), Shape: RoundRect, X: 900 * um, Y: 1000 * um, Mask: 50 * um},
		Pad{Ref: "U1", Number: "1", Net: "A", At: pt(12, 20), Shape: Rect, X: 1500 * um, Y: 600 * um, Turn: 30, Mask: 50 * um},
		Pad{Ref: "U1", Number: "2", Net: "B", At: pt(13, 17), Shape: Oval, X: 1500 * um, Y: 600 * um, Turn: 30, Mask: 50 * um},
		Pad{Ref: "J1", Number: "1", Net: "B", At: pt(5, 6), Shape: Rect, X: 1700 * um, Y: 1700 * um, Drill: 1000 * um, Mask: 50 * um},
		Pad{Ref: "J1", Number: "2", Net: "GND", At: pt(5, 8.54), Shape: Circle, X: 1700 * um, Y: 1700 * um, Drill: 1000 * um, Mask: 50 * um},
		Pad{Ref: "H1", Number: "", At: pt(3, 27), Shape: Circle, X: 2200 * um, Y: 2200 * um, Drill: 2200 * um, Bare: true, Mask: 50 * um},
	)
	s.Vias = append(s.Vias,
		Via{At: pt(8, 20), Size: 700 * um, Drill: 350 * um, Net: "GND"},
		Via{At: pt(10, 14), Size: 700 * um, Drill: 350 * um, Net: "B"},
	)
	s.Tracks = append(s.Tracks,
		Track{Layer: 1, Net: "GND", Width: 300 * um, Stroke: line(pt(8, 22), pt(8, 20))},
		Track{Layer: 1, Net: "A", Width: 250 * um, Stroke: line(pt(6, 22), pt(6, 24.5))},
		Track{Layer: 1, Net: "A", Width: 250 * um, Stroke: line(pt(6, 24.5), pt(10, 24.5))},
		Track{Layer: 1, Net: "A", Width: 250 * um, Stroke: Stroke{A: pt(10, 24.5), B: pt(12, 22.5), C: pt(10, 22.5), Turn: -1}},
		Track{Layer: 1, Net: "A", Width: 250 * um, Stroke: line(pt(12, 22.5), pt(12, 20))},
		Track{Layer: 1, Net: "B", Width: 250 * um, Stroke: line(pt(13, 17), pt(10, 14))},
		Track{Layer: 3, Net: "B", Width: 250 * um, Stroke: line(pt(10, 14), pt(5, 14))},
		Track{Layer: 3, Net: "B", Width: 250 * um, Stroke: line(pt(5, 14), pt(3, 12))},
		Track{Layer: 3, Net: "B", Width: 250 * um, Stroke: line(pt(3, 12), pt(3, 8))},
		Track{Layer: 3, Net: "B", Width: 250 * um, Stroke: line(pt(3, 8), pt(5, 6))},
		Track{Layer: 4, Net: "B", Width: 400 * um, Stroke: line(pt(10, 14), pt(10, 8))},
		Track{Layer: 4, Net: "B", Width: 400 * um, Stroke: line(pt(10, 8), pt(8, 6))},
		Track{Layer: 4, Net: "B", Width: 400 * um, Stroke: line(pt(8, 6), pt(5, 6))},
	)
	s.Zones = append(s.Zones, Zone{Layer: 2, Net: "GND", Outer: box(1*mm, 1*mm, 17*mm, 29*mm), Holes: [][]geom.Point{
		octagon(pt(5, 6), 1700*um), octagon(pt(10, 14), 750*um), octagon(pt(3, 27), 1500*um),
	}})
	s.Silk = append(s.Silk,
		Silk{Width: 150 * um, A: pt(4.5, 20.8), B: pt(4.5, 23.2)}, Silk{Width: 150 * um, A: pt(3.5, 4), B: pt(7, 4)},
		Silk{Bottom: true, Width: 150 * um, A: pt(3, 2.5), B: pt(9, 2.5)},
	)
	s.Texts = append(s.Texts, Text{At: pt(14, 26), Word: "FEEL", Height: 1200 * um, Width: 180 * um})
	return s
}

// octagon has its flat sides r from the middle.
func octagon(c geom.Point, r int64) []geom.Point {
	k := nm(float64(r) * 0.41421356237)
	return []geom.Point{
		geom.Pt(c.X+r, c.Y-k), geom.Pt(c.X+r, c.Y+k), geom.Pt(c.X+k, c.Y+r), geom.Pt(c.X-k, c.Y+r),
		geom.Pt(c.X-r, c.Y+k), geom.Pt(c.X-r, c.Y-k), geom.Pt(c.X-k, c.Y-r), geom.Pt(c.X+k, c.Y-r),
	}
}
