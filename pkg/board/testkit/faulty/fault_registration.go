package faulty

import (
	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/geom"
)

// newViaField is a sound board of two layers with 30 vias in no regular order.
func newViaField() *Sketch {
	s := Base()
	*s = Sketch{Layers: 2, Thickness: s.Thickness, Outline: s.Outline, NoNets: true,
		Negative: s.Negative, Drop: s.Drop, Extra: s.Extra, EmptyLayer: s.EmptyLayer,
		Placed: map[int]func(geom.Point) geom.Point{}, NoLands: map[int]bool{}}
	for i := range int64(30) {
		at := geom.Pt(3*mm+i%6*6*mm+i*i*17%2900*um, 3*mm+i/6*5*mm+i*i*23%1900*um)
		s.Vias = append(s.Vias, Via{At: at, Size: 700 * um, Drill: 300 * um})
	}
	for i := 1; i < len(s.Vias); i += 2 {
		s.track(Track{Layer: 2, Width: 250 * um, Stroke: line(s.Vias[i-1].At, s.Vias[i].At)})
	}
	return s
}

func registrations() []Fault {
	board := func(variant string, also []dfm.Name, spoil func(s *Sketch)) Fault {
		return Fault{Check: dfm.Registration, Variant: variant, Forms: []Form{Gerber}, Places: 60, Also: also, Draw: func(s *Sketch, v int64) geom.Box {
			*s = *newViaField()
			if v < 0 {
				spoil(s)
			}
			return geom.EmptyBox()
		}}
	}
	moved := func(x, y int64) func(geom.Point) geom.Point {
		return func(p geom.Point) geom.Point { return p.Add(geom.Pt(x, y)) }
	}
	return []Fault{
		board("top mirrored", []dfm.Name{dfm.ViaRing, dfm.CopperToHole}, func(s *Sketch) {
			s.Placed[1] = func(p geom.Point) geom.Point { return geom.Pt(40*mm-p.X, p.Y) }
		}),
		board("top shifted", nil, func(s *Sketch) { s.Placed[1] = moved(1300*um, 700*um) }),
		board("top without lands", nil, func(s *Sketch) { s.NoLands[1] = true }),
		board("drills shifted by 0.12 mm against all lands", []dfm.Name{dfm.ViaRing}, func(s *Sketch) {
			s.Placed[1], s.Placed[2] = moved(120*um, 0), moved(120*um, 0)
		}),
		Fault{Check: dfm.Registration, Variant: "by how much", Limit: 40 * um, Above: true, Vague: true, Forms: []Form{Gerber}, Places: 60, Draw: func(s *Sketch, v int64) geom.Box {
			*s = *newViaField()
			s.Placed[1] = moved(0, v)
			return geom.EmptyBox()
		}},
		{Check: dfm.LandMissing, Variant: "one pin on the top", Forms: []Form{Gerber}, Draw: func(s *Sketch, v int64) geom.Box {
			s.Vias = append(s.Vias, Via{At: spot, Size: 700 * um, Drill: 300 * um, Net: "X", From: 0, LandOn: map[bool]int{true: s.Layers}[v < 0]})
			return boxAround(1*mm, spot)
		}},
	}
}
