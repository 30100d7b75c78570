package faulty

import (
	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/geom"
)

func outlines() []Fault {
	return []Fault{
		length(dfm.OutlineRadius, "notch in a corner", func(s *Sketch, v int64) geom.Box {
			s.Outline[0] = roundCorners([]geom.Point{pt(0, 0), pt(40, 0), pt(40, 24), pt(34, 24), pt(34, 30), pt(0, 30)}, map[int]int64{3: v})
			return boxAround(1*mm, pt(34, 24))
		}).mild(),
		length(dfm.OutlineRadius, "cutout", func(s *Sketch, v int64) geom.Box {
			s.Outline = append(s.Outline, roundCorners(box(26*mm, 12*mm, 31*mm, 17*mm), map[int]int64{0: v, 1: 1 * mm, 2: 1 * mm, 3: 1 * mm}))
			return boxAround(1*mm, pt(26, 12))
		}).mild(),
		length(dfm.SlotTooNarrow, "notch", func(s *Sketch, v int64) geom.Box {
			s.Outline[0] = roundCorners([]geom.Point{pt(0, 0), pt(40, 0), pt(40, 30), geom.Pt(28*mm+v/2, 30*mm), geom.Pt(28*mm+v/2, 24*mm),
				geom.Pt(28*mm-v/2, 24*mm), geom.Pt(28*mm-v/2, 30*mm), pt(0, 30)}, map[int]int64{4: v / 2, 5: v / 2})
			return geom.Box{Min: pt(26, 23), Max: pt(30, 31)}
		}).setOther(dfm.OutlineRadius, 400*um),
		length(dfm.SlotTooNarrow, "cutout", func(s *Sketch, v int64) geom.Box {
			s.Outline = append(s.Outline, roundCorners(box(25*mm, 15*mm-v/2, 31*mm, 15*mm+v/2), map[int]int64{0: v / 2, 1: v / 2, 2: v / 2, 3: v / 2}))
			return boxAround(2*mm, pt(25, 15), pt(31, 15))
		}).setOther(dfm.OutlineRadius, 400*um),
		length(dfm.BoardNeck, "tongue", func(s *Sketch, v int64) geom.Box {
			s.Outline[0] = roundCorners([]geom.Point{pt(0, 0), pt(40, 0), pt(40, 30), geom.Pt(28*mm+v/2, 30*mm), geom.Pt(28*mm+v/2, 36*mm),
				geom.Pt(28*mm-v/2, 36*mm), geom.Pt(28*mm-v/2, 30*mm), pt(0, 30)}, map[int]int64{3: 600 * um, 6: 600 * um})
			return geom.Box{Min: pt(26, 29), Max: pt(30, 37)}
		}),
		length(dfm.BoardNeck, "beside a cutout", func(s *Sketch, v int64) geom.Box {
			s.Outline = append(s.Outline, roundCorners(box(30*mm, 10*mm, 40*mm-v, 18*mm), map[int]int64{0: 1 * mm, 1: 1 * mm, 2: 1 * mm, 3: 1 * mm}))
			return geom.Box{Min: pt(37, 9), Max: pt(41, 19)}
		}),
		{Check: dfm.OutlineMissing, Draw: func(s *Sketch, v int64) geom.Box {
			s.NoOutline = v < 0
			return geom.EmptyBox()
		}},
		{Check: dfm.OutlineOpen, Draw: func(s *Sketch, v int64) geom.Box {
			if v < 0 {
				s.Outline[0] = append(s.Outline[0][:1:1], s.Outline[0][2:]...)
			}
			return geom.EmptyBox()
		}},
		{Check: dfm.CopperOutside, Variant: "beyond the edge", Mild: true, Draw: func(s *Sketch, v int64) geom.Box {
			if v < 0 {
				s.track(Track{Layer: 4, Net: "X", Width: 300 * um, Stroke: line(pt(43, 10), pt(43, 14))})
			}
			return boxAround(1*mm, pt(43, 10), pt(43, 14))
		}},
		{Check: dfm.BoardPieces, Soft: true, Places: 2, Draw: func(s *Sketch, v int64) geom.Box {
			if v < 0 {
				s.Outline = append(s.Outline, roundCorners([]geom.Point{pt(44, 0), pt(60, 0), pt(60, 30), pt(44, 30)}, nil))
				s.pad(pad("X", Oval, pt(52, 15), 1200*um, 1200*um, 0))
			}
			return geom.Box{Min: pt(-1, -1), Max: pt(61, 31)}
		}},
		length(dfm.CastellationSize, "", func(s *Sketch, v int64) geom.Box {
			where := drawCastellation(true)(s, -1)
			for i := range s.Pads[len(s.Pads)-2:] {
				s.Pads[len(s.Pads)-1-i].Drill = 700*um + int64(1-i)*(v-700*um)
			}
			return where
		}),
		{Check: dfm.Castellation, Variant: "stated", Mild: true, Places: 2, Draw: drawCastellation(true)},
		{Check: dfm.Castellation, Variant: "by where it is", Mild: true, Places: 2, Draw: drawCastellation(false)},
	}
}

// drawCastellation puts two pins on the edge, or well within the board.
func drawCastellation(stated bool) func(s *Sketch, v int64) geom.Box {
	return func(s *Sketch, v int64) geom.Box {
		x := 40 * mm
		if v > 0 {
			x = 36 * mm
		}
		for i, net := range []string{"X", "Y"} {
			p := pad(net, Oval, geom.Pt(x, 12*mm+int64(i)*3*mm), 2400*um, 1200*um, 0)
			p.Drill, p.Castellated = 700*um, stated && v < 0
			s.pad(p)
		}
		return boxAround(2*mm, pt(40, 12), pt(40, 15))
	}
}

func areas() []Fault {
	return []Fault{
		length(dfm.CopperSliver, "tongue", func(s *Sketch, v int64) geom.Box {
			s.Zones = append(s.Zones, Zone{Layer: 1, Net: "X", Outer: []geom.Point{pt(24, 12), pt(30, 12), geom.Pt(30*mm, 15*mm-v/2), geom.Pt(32*mm, 15*mm-v/2),
				geom.Pt(32*mm, 15*mm+v/2), geom.Pt(30*mm, 15*mm+v/2), pt(30, 18), pt(24, 18)}})
			return geom.Box{Min: pt(29, 14), Max: pt(33, 16)}
		}).setOther(dfm.TrackWidth, 0).loose(2 * um),
		{Check: dfm.AcidTrap, Variant: "tracks", Mild: true, Draw: func(s *Sketch, v int64) geom.Box {
			deg := 30.0
			if v > 0 {
				deg = 135
			}
			s.track(Track{Layer: 1, Net: "X", Width: 200 * um, Stroke: line(spot, spotOffset(4*mm, 0, 0))}, Track{Layer: 1, Net: "X", Width: 200 * um, Stroke: line(spot, spotOffset(4*mm, 0, deg))})
			s.Vias = append(s.Vias, Via{At: spotOffset(4*mm, 0, 0), Size: 700 * um, Drill: 350 * um, Net: "X"})
			return boxAround(2*mm, spot)
		}},
	}
}
