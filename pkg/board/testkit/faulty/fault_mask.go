package faulty

import (
	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/geom"
)

func masks() []Fault {
	opening := func(variant string, p Pad) Fault {
		return length(dfm.MaskExpansion, variant, func(s *Sketch, v int64) geom.Box {
			p := p
			p.Mask = v
			s.pad(p)
			return boxAround(2*mm, spot)
		}).times(4).setLayer("mask top").mild()
	}
	bottom := pad("X", Rect, spot, 1500*um, 800*um, 0)
	bottom.Bottom = true
	return []Fault{
		opening("circle", pad("X", Circle, spot, 1*mm, 1*mm, 0)),
		opening("rectangle", pad("X", Rect, spot, 1500*um, 800*um, 0)),
		opening("turned rectangle", pad("X", Rect, spot, 1500*um, 800*um, 30)),
		opening("turned oval", pad("X", Oval, spot, 1500*um, 800*um, 30)),
		opening("turned rounded rectangle", pad("X", RoundRect, spot, 1500*um, 800*um, 30)),
		opening("bottom", bottom).setLayer("mask bottom"),
		length(dfm.MaskBridge, "rectangles", func(s *Sketch, v int64) geom.Box {
			s.pad(pad("X", Rect, spot, 800*um, 800*um, 0), pad("Y", Rect, spotOffset(900*um+v, 0, 0), 800*um, 800*um, 0))
			return boxAround(1500*um, spot)
		}).setLayer("mask top"),
		length(dfm.MaskBridge, "turned", func(s *Sketch, v int64) geom.Box {
			s.pad(pad("X", Rect, spot, 800*um, 800*um, 30), pad("Y", Rect, spotOffset(900*um+v, 0, 30), 800*um, 800*um, 30))
			return boxAround(1500*um, spot)
		}).setLayer("mask top"),
		length(dfm.MaskBridge, "circles", func(s *Sketch, v int64) geom.Box {
			s.pad(pad("X", Circle, spot, 800*um, 800*um, 0), pad("Y", Circle, spotOffset(900*um+v, 0, 20), 800*um, 800*um, 0))
			return boxAround(1500*um, spot)
		}).setLayer("mask top"),
		length(dfm.MaskBridge, "pads of one net", func(s *Sketch, v int64) geom.Box {
			s.pad(pad("X", Rect, spot, 800*um, 800*um, 0), pad("X", Rect, spotOffset(900*um+v, 0, 0), 800*um, 800*um, 0))
			s.track(Track{Layer: 1, Net: "X", Width: 200 * um, Stroke: line(spot, spotOffset(900*um+v, 0, 0))})
			return boxAround(1500*um, spot)
		}).setLayer("mask top").mild(),
		length(dfm.MaskToCopper, "track beside a turned pad", func(s *Sketch, v int64) geom.Box {
			s.pad(pad("X", Rect, spot, 1500*um, 800*um, 30))
			s.Pads[len(s.Pads)-1].Mask = 100 * um
			s.track(bar(1, "Y", 200*um, 400*um+100*um+100*um+v, 30))
			return boxAround(2*mm, spot)
		}).mild(),
		{Check: dfm.MaskMissing, Mild: true, Draw: func(s *Sketch, v int64) geom.Box {
			p := pad("X", Rect, spot, 1500*um, 800*um, 30)
			p.NoMask = v < 0
			s.pad(p)
			return boxAround(1*mm, spot)
		}},
		{Check: dfm.PasteRelease, Variant: "pin of a fine array", Step: 5 * um, Mild: true, Draw: func(s *Sketch, v int64) geom.Box {
			p := pad("X", Circle, spot, 264*um+v, 264*um+v, 0)
			p.Mask = 100 * um
			s.pad(p)
			return boxAround(1*mm, spot)
		}},
		{Check: dfm.PasteOnMask, Mild: true, Draw: func(s *Sketch, v int64) geom.Box {
			p := pad("X", Rect, spot, 1500*um, 800*um, 30)
			p.PasteOnly, p.NoMask, p.NoCopper = v < 0, v < 0, v < 0
			s.pad(p)
			return boxAround(1*mm, spot)
		}},
		{Check: dfm.ExposedCopper, Variant: "track", Step: 5 * um, Mild: true, Draw: func(s *Sketch, v int64) geom.Box {
			s.track(bar(1, "X", 300*um, 0, 0))
			s.Openings = append(s.Openings, Opening{Points: []geom.Point{spotOffset(-1*mm, 150*um+v, 0), spotOffset(1*mm, 150*um+v, 0), spotOffset(1*mm, 1500*um, 0), spotOffset(-1*mm, 1500*um, 0)}})
			return boxAround(1500*um, spot)
		}},
		{Check: dfm.ViaInPad, Variant: "in the middle", Mild: true, Draw: func(s *Sketch, v int64) geom.Box {
			s.pad(pad("X", Rect, spot, 1200*um, 1200*um, 30))
			at := spot
			if v > 0 {
				at = spotOffset(2*mm, 0, 0)
				s.track(Track{Layer: 1, Net: "X", Width: 300 * um, Stroke: line(spot, at)})
			}
			s.Vias = append(s.Vias, Via{At: at, Size: 600 * um, Drill: 300 * um, Net: "X"})
			return boxAround(1*mm, spot)
		}},
		{Check: dfm.ViaInPad, Variant: "exactly in the middle, nothing stated", Forms: []Form{Gerber}, Mild: true, Draw: func(s *Sketch, v int64) geom.Box {
			s.Plain = true
			p := pad("X", Circle, spot, 600*um, 600*um, 0)
			p.NoPaste = v > 0
			s.pad(p)
			s.Vias = append(s.Vias, Via{At: spot, Size: 600 * um, Drill: 300 * um, Net: "X"})
			return boxAround(1*mm, spot)
		}},
		{Check: dfm.ViaInPad, Variant: "filled", Forms: []Form{KiCad}, Mild: true, Draw: func(s *Sketch, v int64) geom.Box {
			s.pad(pad("X", Rect, spot, 1200*um, 1200*um, 0))
			s.Vias = append(s.Vias, Via{At: spot, Size: 600 * um, Drill: 300 * um, Net: "X", Filled: v > 0})
			return boxAround(1*mm, spot)
		}},
	}
}

func legends() []Fault {
	ink := func(variant string, p Pad, top int64) Fault {
		return length(dfm.SilkToMask, variant, func(s *Sketch, v int64) geom.Box {
			p := p
			p.Mask = 0
			s.pad(p)
			s.Silk = append(s.Silk, Silk{Width: 200 * um, A: spotOffset(-2*mm, top+100*um+v, 0), B: spotOffset(2*mm, top+100*um+v, 0)})
			return boxAround(2*mm, spot)
		}).setOther(dfm.MaskExpansion, 0).setLayer("silk top").mild()
	}
	sin, cos := sincos(30)
	return []Fault{
		length(dfm.SilkWidth, "line", func(s *Sketch, v int64) geom.Box {
			s.Silk = append(s.Silk, Silk{Width: v, A: spotOffset(-2*mm, 0, 20), B: spotOffset(2*mm, 0, 20)})
			return boxAround(3*mm, spot)
		}).setLayer("silk top").mild(),
		length(dfm.SilkWidth, "bottom", func(s *Sketch, v int64) geom.Box {
			s.Silk = append(s.Silk, Silk{Bottom: true, Width: v, A: spotOffset(-2*mm, 0, 20), B: spotOffset(2*mm, 0, 20)})
			return boxAround(3*mm, spot)
		}).setLayer("silk bottom").mild(),
		length(dfm.SilkHeight, "word", func(s *Sketch, v int64) geom.Box {
			s.Texts = append(s.Texts, Text{At: spot, Word: "HELL", Height: v, Width: 120 * um})
			return boxAround(3*mm, spot)
		}).setLayer("silk top").setForms(KiCad).step(20 * um).loose(2 * um).mild(),
		ink("rectangle", pad("X", Rect, spot, 1500*um, 800*um, 0), 400*um),
		ink("turned rectangle", pad("X", Rect, spot, 1500*um, 800*um, 30), nm(float64(750*um)*sin+float64(400*um)*cos)),
		ink("circle", pad("X", Circle, spot, 1*mm, 1*mm, 0), 500*um),
		{Check: dfm.SilkOverCopper, Variant: "pad", Step: 5 * um, Mild: true, Layer: "silk top", Others: map[dfm.Name]int64{dfm.MaskExpansion: 0, dfm.SilkToMask: 0},
			Draw: func(s *Sketch, v int64) geom.Box {
				p := pad("X", Rect, spot, 1500*um, 800*um, 0)
				p.Mask = 0
				s.pad(p)
				s.Silk = append(s.Silk, Silk{Width: 200 * um, A: spotOffset(-2*mm, 500*um+v, 0), B: spotOffset(2*mm, 500*um+v, 0)})
				return boxAround(2*mm, spot)
			}},
		{Check: dfm.TextMirrored, Variant: "top", Forms: []Form{KiCad}, Mild: true, Draw: func(s *Sketch, v int64) geom.Box {
			s.Texts = append(s.Texts, Text{At: spot, Word: "FEEL", Height: 1500 * um, Width: 200 * um, Mirror: v < 0})
			return boxAround(4*mm, spot)
		}},
		{Check: dfm.TextMirrored, Variant: "bottom", Forms: []Form{KiCad}, Mild: true, Draw: func(s *Sketch, v int64) geom.Box {
			s.Texts = append(s.Texts, Text{At: spot, Word: "FEEL", Height: 1500 * um, Width: 200 * um, Bottom: true, Mirror: v < 0})
			return boxAround(4*mm, spot)
		}},
	}
}
