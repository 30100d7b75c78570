package faulty

import (
	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/geom"
)

// bore is a hole without plating and without copper.
func bore(at geom.Point, d, slot int64, deg float64) Pad {
	p := Pad{Ref: "H9", At: at, Shape: Circle, X: d, Y: d, Drill: d, Bare: true, Mask: 50 * um, Turn: deg}
	if slot > 0 {
		p.Shape, p.X, p.Slot = Oval, slot, slot
	}
	return p
}

func holes() []Fault {
	barrel := func(variant string, p Pad, t func(v int64) Track) Fault {
		return length(dfm.CopperToHole, variant, func(s *Sketch, v int64) geom.Box {
			s.pad(p)
			s.track(t(v))
			return boxAround(2*mm, spot)
		})
	}
	vias := func(variant string, deg float64, d int64) Fault {
		return length(dfm.HoleToHole, variant, func(s *Sketch, v int64) geom.Box {
			for _, x := range []int64{0, d + v} {
				s.Vias = append(s.Vias, Via{At: spotOffset(x, 0, deg), Size: d + 300*um, Drill: d, Net: "X"})
			}
			return boxAround(1*mm, spot)
		})
	}
	// class is a fault of holes of one class, with a limit of their own, on an inner layer.
	class := func(n dfm.Name, limit int64, hole func(s *Sketch), radius int64) Fault {
		return Fault{Check: n, Variant: "inner layer", Limit: limit, Layer: "copper 3", Draw: func(s *Sketch, v int64) geom.Box {
			hole(s)
			s.track(bar(3, "Y", 300*um, radius+150*um+v, 0))
			return boxAround(2*mm, spot)
		}}
	}
	return []Fault{
		barrel("round", bore(spot, 2*mm, 0, 0), func(v int64) Track { return bar(1, "X", 300*um, 1150*um+v, 0) }),
		barrel("inner layer", bore(spot, 2*mm, 0, 0), func(v int64) Track { return bar(3, "X", 300*um, 1150*um+v, 0) }),
		barrel("turned slot", bore(spot, 1*mm, 3*mm, 30), func(v int64) Track { return bar(1, "X", 300*um, 650*um+v, 30) }),
		barrel("slot's end", bore(spot, 1*mm, 3*mm, 30), func(v int64) Track {
			return Track{Layer: 1, Net: "X", Width: 300 * um, Stroke: line(spotOffset(1650*um+v, -1*mm, 30), spotOffset(1650*um+v, 1*mm, 30))}
		}),
		length(dfm.CopperToHole, "via without pad on the layer", func(s *Sketch, v int64) geom.Box {
			s.Vias = append(s.Vias, Via{At: spot, Size: 600 * um, Drill: 300 * um, Net: "X", OuterOnly: true})
			s.track(bar(1, "X", 300*um, 0, 0), bar(3, "Y", 300*um, 300*um+v, 0))
			return boxAround(1*mm, spot)
		}),
		class(dfm.CopperToVia, 220*um, func(s *Sketch) {
			s.Vias = append(s.Vias, Via{At: spot, Size: 600 * um, Drill: 300 * um, Net: "X", OuterOnly: true})
		}, 150*um),
		class(dfm.CopperToPTH, 280*um, func(s *Sketch) {
			p := pad("X", Circle, spot, 1800*um, 1800*um, 0)
			p.Drill, p.OuterOnly = 1*mm, true
			s.pad(p)
		}, 500*um).setForms(Gerber),
		class(dfm.CopperToNPTH, 250*um, func(s *Sketch) { s.pad(bore(spot, 2*mm, 0, 0)) }, 1*mm),
		vias("vias", 0, 300*um), vias("turned vias", 33, 300*um),
		length(dfm.ComponentHoleToHole, "pins", func(s *Sketch, v int64) geom.Box {
			p, q := pad("X", Circle, spot, 1050*um, 1050*um, 0), pad("Y", Circle, spotOffset(800*um+v, 0, 20), 1050*um, 1050*um, 0)
			p.Drill, q.Drill = 800*um, 800*um
			s.pad(p, q)
			return boxAround(1*mm, spot)
		}).setOther(dfm.MaskBridge, 0),
		length(dfm.HoleToHole, "slot to hole", func(s *Sketch, v int64) geom.Box {
			s.pad(bore(spot, 1*mm, 3*mm, 30), bore(spotOffset(0, 1*mm+v, 30), 1*mm, 0, 0))
			return boxAround(2*mm, spot)
		}).setOther(dfm.MaskBridge, 0).soft(),
		length(dfm.HoleToEdge, "straight", func(s *Sketch, v int64) geom.Box {
			s.pad(bore(geom.Pt(26*mm, 1*mm+v), 2*mm, 0, 0))
			return boxAround(2*mm, pt(26, 0))
		}),
		length(dfm.HoleToEdge, "round cutout", func(s *Sketch, v int64) geom.Box {
			s.Outline = append(s.Outline, circle(spot, 2*mm))
			s.pad(bore(spotOffset(3*mm+v, 0, 0), 2*mm, 0, 0))
			return boxAround(2*mm, spotOffset(2*mm, 0, 0))
		}),
		length(dfm.HoleToEdge, "slot", func(s *Sketch, v int64) geom.Box {
			s.pad(bore(geom.Pt(40*mm-500*um-v, 15*mm), 1*mm, 3*mm, 90))
			return boxAround(2*mm, pt(40, 15))
		}),
	}
}

func rings() []Fault {
	pin := func(variant string, p func(v int64) Pad) Fault {
		return length(dfm.AnnularRing, variant, func(s *Sketch, v int64) geom.Box {
			q := p(v)
			q.Drill = max(q.Drill, 800*um)
			s.pad(q)
			return boxAround(2*mm, spot)
		}).times(4)
	}
	return []Fault{
		length(dfm.ViaRing, "via", func(s *Sketch, v int64) geom.Box {
			s.Vias = append(s.Vias, Via{At: spot, Size: 300*um + 2*v, Drill: 300 * um, Net: "X"})
			return boxAround(1*mm, spot)
		}).times(4),
		length(dfm.ViaRing, "blind via", func(s *Sketch, v int64) geom.Box {
			s.Vias = append(s.Vias, Via{At: spot, Size: 300*um + 2*v, Drill: 300 * um, Net: "X", From: 1, To: 2})
			return boxAround(1*mm, spot)
		}).times(2),
		length(dfm.ViaRing, "inner layers", func(s *Sketch, v int64) geom.Box {
			s.Vias = append(s.Vias, Via{At: spot, Size: 700 * um, Drill: 300 * um, Net: "X", Inner: 300*um + 2*v})
			return boxAround(1*mm, spot)
		}).times(2).setForms(Gerber),
		pin("turned rectangle", func(v int64) Pad { return pad("X", Rect, spot, 1800*um, 800*um+2*v, 30) }),
		pin("turned oval", func(v int64) Pad { return pad("X", Oval, spot, 800*um+2*v, 1800*um, 30) }),
		pin("rounded rectangle", func(v int64) Pad { return pad("X", RoundRect, spot, 800*um+2*v, 1800*um, 45) }),
		pin("off centre", func(v int64) Pad {
			p := pad("X", Circle, spot, 1600*um, 1600*um, 0)
			p.Shift = geom.Pt(400*um-v, 0)
			return p
		}),
		pin("turned, off centre", func(v int64) Pad {
			p := pad("X", Rect, spot, 1600*um, 2000*um, 30)
			p.Shift = geom.Pt(400*um-v, 0)
			return p
		}),
		pin("slot", func(v int64) Pad {
			p := pad("X", Oval, spot, 1600*um+2*v, 800*um+2*v, 30)
			p.Slot = 1600 * um
			return p
		}),
		length(dfm.NPTHRing, "round", func(s *Sketch, v int64) geom.Box {
			p := bore(spot, 2*mm, 0, 0)
			p.X, p.Y = 2*mm+2*v, 2*mm+2*v
			s.pad(p)
			return boxAround(3*mm, spot)
		}).times(4),
	}
}

func drilling() []Fault {
	return []Fault{
		length(dfm.DrillSize, "via", func(s *Sketch, v int64) geom.Box {
			s.Vias = append(s.Vias, Via{At: spot, Size: 600 * um, Drill: v, Net: "X"})
			return boxAround(1*mm, spot)
		}),
		length(dfm.DrillSize, "blind via", func(s *Sketch, v int64) geom.Box {
			s.Vias = append(s.Vias, Via{At: spot, Size: 600 * um, Drill: v, Net: "X", From: 1, To: 2})
			return boxAround(1*mm, spot)
		}),
		length(dfm.NPTHDrillSize, "", func(s *Sketch, v int64) geom.Box {
			s.pad(bore(spot, v, 0, 0))
			return boxAround(1*mm, spot)
		}),
		length(dfm.DrillMaximum, "hole", func(s *Sketch, v int64) geom.Box {
			s.pad(bore(spot, v, 0, 0))
			return boxAround(4*mm, spot)
		}).setAbove().mild(),
		length(dfm.NPTHSlotWidth, "", func(s *Sketch, v int64) geom.Box {
			s.pad(bore(spot, v, 3*mm, 30))
			return boxAround(2*mm, spot)
		}),
		length(dfm.SlotWidth, "plated", func(s *Sketch, v int64) geom.Box {
			p := pad("X", Oval, spot, 3*mm, 1500*um, 0)
			p.Drill, p.Slot = v, 2*mm
			s.pad(p)
			return boxAround(2*mm, spot)
		}),
		length(dfm.AspectRatio, "via", func(s *Sketch, v int64) geom.Box {
			s.Vias = append(s.Vias, Via{At: spot, Size: 600 * um, Drill: 1600 * um * 1000 / v, Net: "X"})
			return boxAround(1*mm, spot)
		}).setOther(dfm.DrillSize, 100*um).setAbove().step(100).loose(5),
		length(dfm.AspectRatio, "thick board", func(s *Sketch, v int64) geom.Box {
			s.Thickness = 2 * mm
			s.Vias = append(s.Vias, Via{At: spot, Size: 600 * um, Drill: 2 * mm * 1000 / v, Net: "X"})
			return boxAround(1*mm, spot)
		}).setOther(dfm.DrillSize, 100*um).setAbove().step(100).loose(5),
	}
}
