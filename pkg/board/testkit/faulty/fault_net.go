package faulty

import (
	"fmt"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/geom"
)

// liftLimits lets copper come as near as it likes.
func liftLimits() map[dfm.Name]int64 {
	return map[dfm.Name]int64{dfm.TrackClearance: 0, dfm.PadClearance: 0, dfm.CopperToHole: 0, dfm.CopperSliver: 0, dfm.AnnularRing: 0}
}

// ends are pads of two nets, or of one, at both sides of the spot.
func ends(s *Sketch, x, y string) {
	p, q := pad(x, Rect, spotOffset(-5*mm, 0, 0), 1*mm, 1*mm, 0), pad(y, Rect, spotOffset(5*mm, 0, 0), 1*mm, 1*mm, 0)
	p.Ref, q.Ref = "R7", "R8"
	s.pad(p, q)
}

// headOn are two tracks whose ends lie gap apart at the spot.
func headOn(s *Sketch, layer int, x, y string, gap int64) {
	s.track(Track{Layer: layer, Net: x, Width: 300 * um, Stroke: line(spotOffset(-5*mm, 0, 0), spotOffset(-150*um, 0, 0))},
		Track{Layer: layer, Net: y, Width: 300 * um, Stroke: line(spotOffset(150*um+gap, 0, 0), spotOffset(5*mm, 0, 0))})
}

func nets() []Fault {
	short := func(variant string, draw func(s *Sketch, v int64)) Fault {
		return Fault{Check: dfm.Short, Variant: variant, Others: liftLimits(), Draw: func(s *Sketch, v int64) geom.Box {
			draw(s, v)
			return boxAround(6*mm, spot)
		}}
	}
	meet := func(s *Sketch, v int64) { ends(s, "X", "Y"); headOn(s, 1, "X", "Y", v) }
	plane := func(s *Sketch, v int64) {
		ends(s, "X", "Y")
		s.track(Track{Layer: 1, Net: "X", Width: 300 * um, Stroke: line(spotOffset(-5*mm, 0, 0), spot)}, Track{Layer: 1, Net: "Y", Width: 300 * um, Stroke: line(spotOffset(5*mm, 0, 0), spotOffset(4*mm, 2*mm, 0))})
		s.Vias = append(s.Vias, Via{At: spot, Size: 600 * um, Drill: 300 * um, Net: "X"}, Via{At: spotOffset(4*mm, 2*mm, 0), Size: 600 * um, Drill: 300 * um, Net: "Y"})
		s.Zones = append(s.Zones, Zone{Layer: 2, Net: "Y", Outer: box(21*mm, 10*mm, 35*mm, 20*mm), Holes: [][]geom.Point{octagon(spot, 300*um+v)}})
	}
	return append(opens(), bulkShorts(),
		short("tracks", meet),
		short("tracks, by the netlist alone", func(s *Sketch, v int64) { s.NoNames = true; meet(s, v) }).setForms(Gerber),
		short("via and inner track", func(s *Sketch, v int64) {
			ends(s, "X", "Y")
			s.track(Track{Layer: 1, Net: "X", Width: 300 * um, Stroke: line(spotOffset(-5*mm, 0, 0), spot)}, Track{Layer: 1, Net: "Y", Width: 300 * um, Stroke: line(spotOffset(5*mm, 0, 0), spotOffset(5*mm, 3*mm, 0))},
				Track{Layer: 3, Net: "Y", Width: 300 * um, Stroke: line(spotOffset(5*mm, 3*mm, 0), spotOffset(450*um+v, 3*mm, 0))},
				Track{Layer: 3, Net: "Y", Width: 300 * um, Stroke: line(spotOffset(450*um+v, 3*mm, 0), spotOffset(450*um+v, -2*mm, 0))})
			s.Vias = append(s.Vias, Via{At: spot, Size: 600 * um, Drill: 300 * um, Net: "X"}, Via{At: spotOffset(5*mm, 3*mm, 0), Size: 600 * um, Drill: 300 * um, Net: "Y"})
		}),
		short("via and plane", plane),
		short("hole and plane", func(s *Sketch, v int64) { // no pad on the plane's layer: the wall touches
			plane(s, v)
			s.Vias[len(s.Vias)-2].OuterOnly = true
			s.Zones[len(s.Zones)-1].Holes[0] = octagon(spot, 150*um+v)
		}).step(30*um), // nearer than some micrometres a plated wall touches
	)
}

// bulkShorts are so many pairs of joined nets that the nets and the copper do not seem
// to be of one board.
func bulkShorts() Fault {
	const pairs, apart = 8, 700 * um
	return Fault{Check: dfm.NetsContradict, Variant: "eight pairs of tracks", Forms: []Form{Gerber}, Soft: true, Others: liftLimits(), Draw: func(s *Sketch, v int64) geom.Box {
		for i := range int64(pairs) {
			x, y, dy := fmt.Sprint("X", i), fmt.Sprint("Y", i), (2*i-pairs+1)*apart/2
			p, q := pad(x, Rect, spotOffset(-5*mm, dy, 0), 400*um, 400*um, 0), pad(y, Rect, spotOffset(5*mm, dy, 0), 400*um, 400*um, 0)
			p.Ref, q.Ref = fmt.Sprint("R7", i), fmt.Sprint("R8", i)
			s.pad(p, q)
			s.track(Track{Layer: 1, Net: x, Width: 300 * um, Stroke: line(spotOffset(-5*mm, dy, 0), spotOffset(-150*um, dy, 0))},
				Track{Layer: 1, Net: y, Width: 300 * um, Stroke: line(spotOffset(150*um+v, dy, 0), spotOffset(5*mm, dy, 0))})
		}
		return boxAround(7*mm, spot)
	}}.times(pairs)
}

// designRules are faults by the design's own rules, which are stricter than the
// fabricator's limits.
func designRules() []Fault {
	two := func(s *Sketch, v int64) geom.Box {
		s.track(bar(1, "X", 300*um, 0, 0), bar(1, "Y", 300*um, 300*um+v, 0))
		return boxAround(4*mm, spot)
	}
	via := func(at geom.Point, size, drill int64) Via { return Via{At: at, Size: size, Drill: drill, Net: "X"} }
	of := func(variant string, limit int64, draw func(s *Sketch, v int64) geom.Box) Fault {
		return Fault{Check: dfm.DesignRule, Variant: variant, Forms: []Form{KiCad}, Limit: limit, Draw: draw}.times(8)
	}
	stated := func(name string, limit int64, draw func(s *Sketch, v int64) geom.Box) Fault {
		return of(name, limit, func(s *Sketch, v int64) geom.Box {
			s.Rules = map[string]int64{name: limit}
			return draw(s, v)
		})
	}
	return []Fault{
		stated("min_clearance", 300*um, two),
		of("clearance of a net class", 300*um, func(s *Sketch, v int64) geom.Box {
			s.Class = 300 * um
			return two(s, v)
		}).vague(),
		of("custom rule", 300*um, func(s *Sketch, v int64) geom.Box {
			s.Custom = `(rule "far" (constraint clearance (min 0.3mm)))`
			return two(s, v)
		}),
		stated("min_track_width", 200*um, func(s *Sketch, v int64) geom.Box {
			s.track(bar(1, "X", v, 0, 20))
			return boxAround(7*mm, spot)
		}),
		stated("min_via_annular_width", 150*um, func(s *Sketch, v int64) geom.Box {
			s.Vias = append(s.Vias, via(spot, 300*um+2*v, 300*um))
			return boxAround(1*mm, spot)
		}),
		stated("min_through_hole_diameter", 300*um, func(s *Sketch, v int64) geom.Box {
			s.Vias = append(s.Vias, via(spot, 700*um, v))
			return boxAround(1*mm, spot)
		}),
		stated("min_hole_to_hole", 400*um, func(s *Sketch, v int64) geom.Box {
			s.Vias = append(s.Vias, via(spot, 600*um, 300*um), via(spotOffset(300*um+v, 0, 20), 600*um, 300*um))
			return boxAround(1*mm, spot)
		}),
		stated("min_hole_clearance", 300*um, func(s *Sketch, v int64) geom.Box {
			s.pad(bore(spot, 2*mm, 0, 0))
			s.track(bar(1, "X", 300*um, 1150*um+v, 0))
			return boxAround(4*mm, spot)
		}),
		stated("min_copper_edge_clearance", 500*um, func(s *Sketch, v int64) geom.Box {
			s.track(Track{Layer: 1, Net: "X", Width: 300 * um, Stroke: line(geom.Pt(24*mm, 150*um+v), geom.Pt(28*mm, 150*um+v))})
			return boxAround(3*mm, pt(26, 0))
		}),
	}
}

// opens are nets in two pieces: as a netlist tells, or as the design does.
func opens() []Fault {
	var out []Fault
	for _, n := range []struct {
		check dfm.Name
		form  Form
	}{{dfm.Open, Gerber}, {dfm.Unrouted, KiCad}} {
		add := func(variant string, draw func(s *Sketch, v int64)) {
			out = append(out, Fault{Check: n.check, Variant: variant, Forms: []Form{n.form}, Others: liftLimits(), Draw: func(s *Sketch, v int64) geom.Box {
				draw(s, v)
				return boxAround(6*mm, spot)
			}})
		}
		add("cut track", func(s *Sketch, v int64) { ends(s, "X", "X"); headOn(s, 1, "X", "X", -v) })
		add("via that ends too early", func(s *Sketch, v int64) {
			ends(s, "X", "X")
			s.track(Track{Layer: 1, Net: "X", Width: 300 * um, Stroke: line(spotOffset(-5*mm, 0, 0), spotOffset(-2*mm, 0, 0))}, Track{Layer: 1, Net: "X", Width: 300 * um, Stroke: line(spotOffset(5*mm, 0, 0), spotOffset(2*mm, 0, 0))},
				Track{Layer: 3, Net: "X", Width: 300 * um, Stroke: line(spotOffset(-2*mm, 0, 0), spotOffset(2*mm, 0, 0))})
			from := Via{At: spotOffset(-2*mm, 0, 0), Size: 600 * um, Drill: 300 * um, Net: "X"}
			if v < 0 {
				from.From, from.To = 1, 2
			}
			s.Vias = append(s.Vias, from, Via{At: spotOffset(2*mm, 0, 0), Size: 600 * um, Drill: 300 * um, Net: "X"})
		})
		add("split plane", func(s *Sketch, v int64) {
			ends(s, "X", "X")
			for _, x := range []int64{-1, 1} {
				s.track(Track{Layer: 1, Net: "X", Width: 300 * um, Stroke: line(spotOffset(x*5*mm, 0, 0), spotOffset(x*3*mm, 0, 0))})
				s.Vias = append(s.Vias, Via{At: spotOffset(x*3*mm, 0, 0), Size: 600 * um, Drill: 300 * um, Net: "X"})
			}
			s.Zones = append(s.Zones, Zone{Layer: 2, Net: "X", Outer: box(23*mm, 12*mm, 28*mm, 18*mm)},
				Zone{Layer: 2, Net: "X", Outer: box(28*mm-v, 12*mm, 33*mm, 18*mm)})
		})
	}
	return out
}
