package faulty

import (
	"fmt"
	"math"

	"boardorder/pkg/board/geom"
)

// Series is a sound board of about n objects on four layers, always equally
// dense: cells of 2 by 2 mm with a part, tracks, a via through a plane, silkscreen.
func Series(n int) *Sketch {
	const perCell = 21 // features on all layers, and holes, as read
	side := max(1, int64(math.Round(math.Sqrt(float64(n)/perCell))))
	pitch := 2 * mm
	edge := side*pitch + 4*mm
	s := &Sketch{Layers: 4, Thickness: 1600 * um, Outline: [][]Stroke{polygon(box(0, 0, edge, edge)...)}}
	plane := Zone{Layer: 2, Net: "GND", Outer: box(1*mm, 1*mm, edge-1*mm, edge-1*mm)}
	for row := range side {
		for column := range side {
			c := geom.Pt(3*mm+column*pitch, 3*mm+row*pitch)
			s.cell(c, row*side+column)
			plane.Holes = append(plane.Holes, octagon(c.Add(geom.Pt(500*um, 500*um)), 450*um))
		}
	}
	s.Zones = append(s.Zones, plane)
	return s
}

// cell draws one cell about c.
func (s *Sketch) cell(c geom.Point, k int64) {
	at := func(x, y int64) geom.Point { return c.Add(geom.Pt(x*um, y*um)) }
	net, other := fmt.Sprintf("N%d", k), fmt.Sprintf("M%d", k)
	ref := fmt.Sprintf("R%d", k)
	s.pad(
		Pad{Ref: ref, Number: "1", Net: net, At: at(-500, -500), Shape: Rect, X: 400 * um, Y: 500 * um, Mask: 50 * um},
		Pad{Ref: ref, Number: "2", Net: other, At: at(300, -500), Shape: Oval, X: 500 * um, Y: 400 * um, Mask: 50 * um, Turn: 30},
	)
	via := at(500, 500)
	s.Vias = append(s.Vias, Via{At: via, Size: 500 * um, Drill: 250 * um, Net: net})
	s.track(
		Track{Layer: 1, Net: net, Width: 150 * um, Stroke: line(at(-500, -500), at(-500, 200))},
		Track{Layer: 1, Net: net, Width: 150 * um, Stroke: line(at(-500, 200), at(-200, 500))},
		Track{Layer: 1, Net: net, Width: 150 * um, Stroke: line(at(-200, 500), via)},
		Track{Layer: 3, Net: net, Width: 150 * um, Stroke: line(via, at(500, -500))},
		Track{Layer: 3, Net: net, Width: 150 * um, Stroke: line(at(500, -500), at(-500, -500))},
		Track{Layer: 4, Net: net, Width: 150 * um, Stroke: line(via, at(-500, 500))},
		Track{Layer: 4, Net: net, Width: 150 * um, Stroke: line(at(-500, 500), at(-500, -500))},
	)
	s.Silk = append(s.Silk, Silk{Width: 120 * um, A: at(-850, -850), B: at(700, -850)}, Silk{Width: 120 * um, A: at(-850, -850), B: at(-850, 300)})
}
