package faulty

import (
	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/geom"
)

// length makes a fault of a check that measures one.
func length(n dfm.Name, variant string, draw func(s *Sketch, v int64) geom.Box) Fault {
	return Fault{Check: n, Variant: variant, Limit: usual[n], Draw: draw}
}

func (s *Sketch) track(t ...Track) { s.Tracks = append(s.Tracks, t...) }
func (s *Sketch) pad(p ...Pad)     { s.Pads = append(s.Pads, p...) }

func widths() []Fault {
	one := func(variant string, t func(v int64) Track, layer string) Fault {
		f := length(dfm.TrackWidth, variant, func(s *Sketch, v int64) geom.Box {
			k := t(v)
			s.track(k)
			return boxAround(v+6*mm, k.A, k.B)
		})
		f.Layer = layer
		return f
	}
	return []Fault{
		one("line", func(v int64) Track { return bar(1, "X", v, 0, 0) }, "copper 1"),
		one("turned", func(v int64) Track { return bar(1, "X", v, 0, 37) }, "copper 1"),
		one("inner", func(v int64) Track { return bar(3, "X", v, 0, 0) }, "copper 3"),
		one("bottom", func(v int64) Track { return bar(4, "X", v, 0, 0) }, "copper 4"),
		one("arc", func(v int64) Track { return Track{Layer: 1, Net: "X", Width: v, Stroke: arc(spot, 3*mm, 20, 200)} }, "copper 1"),
	}
}

func spacings() []Fault {
	tracks := func(variant string, deg float64, layer int) Fault {
		return length(dfm.TrackClearance, variant, func(s *Sketch, v int64) geom.Box {
			s.track(bar(layer, "X", 300*um, 0, deg), bar(layer, "Y", 300*um, 300*um+v, deg))
			return boxAround(1*mm, spotOffset(-3*mm, 0, deg), spotOffset(3*mm, 0, deg))
		}).times(4)
	}
	return append([]Fault{
		tracks("parallel", 0, 1), tracks("turned", 30, 1), tracks("inner", 0, 3),
		length(dfm.TrackClearance, "end to side", func(s *Sketch, v int64) geom.Box {
			s.track(bar(1, "X", 300*um, 0, 25), Track{Layer: 1, Net: "Y", Width: 200 * um, Stroke: line(spotOffset(0, 250*um+v, 25), spotOffset(0, 4*mm, 25))})
			return boxAround(300*um, spotOffset(0, 200*um, 25))
		}),
		length(dfm.TrackClearance, "arcs", func(s *Sketch, v int64) geom.Box {
			s.track(Track{Layer: 1, Net: "X", Width: 300 * um, Stroke: arc(spot, 3*mm, 0, 90)},
				Track{Layer: 1, Net: "Y", Width: 300 * um, Stroke: arc(spot, 3300*um+v, 0, 90)})
			return boxAround(500*um, spot, spotOffset(3300*um, 3300*um, 0))
		}).times(4),
		length(dfm.TrackClearance, "arc to line", func(s *Sketch, v int64) geom.Box {
			s.track(Track{Layer: 1, Net: "X", Width: 300 * um, Stroke: arc(spot, 3*mm, 0, 180)}, bar(1, "Y", 300*um, 3300*um+v, 0))
			return boxAround(500*um, spotOffset(0, 3150*um, 0))
		}),
		length(dfm.TrackClearance, "area's corner to track", func(s *Sketch, v int64) geom.Box {
			s.Zones = append(s.Zones, Zone{Layer: 1, Net: "X", Outer: []geom.Point{spotOffset(0, 150*um+v, 0), spotOffset(2*mm, 3*mm, 0), spotOffset(-2*mm, 3*mm, 0)}})
			s.track(bar(1, "Y", 300*um, 0, 0))
			return boxAround(300*um, spotOffset(0, 200*um, 0))
		}),
		length(dfm.TrackClearance, "track in a hole of an area", func(s *Sketch, v int64) geom.Box {
			s.Zones = append(s.Zones, Zone{Layer: 1, Net: "X", Outer: box(22*mm, 10*mm, 34*mm, 20*mm),
				Holes: [][]geom.Point{box(24*mm, 14*mm, 32*mm, 16*mm)}})
			s.track(Track{Layer: 1, Net: "Y", Width: 300 * um, Stroke: line(geom.Pt(25*mm, 14*mm+150*um+v), geom.Pt(31*mm, 14*mm+150*um+v))})
			return boxAround(300*um, pt(25, 14), pt(31, 14))
		}),
	}, padSpacings()...)
}

func padSpacings() []Fault {
	// top is how far a shape of half sizes x, y turned by deg reaches up.
	top := func(x, y int64, deg float64) int64 {
		sin, cos := sincos(deg)
		return nm(float64(x)*sin + float64(y)*cos)
	}
	custom := []geom.Point{geom.Pt(-700*um, -400*um), geom.Pt(700*um, -400*um), geom.Pt(200*um, 600*um), geom.Pt(-500*um, 300*um)}
	near := func(variant string, p Pad, reach int64) Fault {
		return length(dfm.PadClearance, variant, func(s *Sketch, v int64) geom.Box {
			s.pad(p)
			s.track(bar(1, "Y", 300*um, reach+150*um+v, 0))
			return boxAround(1*mm, spot.Add(geom.Pt(0, reach)))
		})
	}
	rect := func(deg float64) Pad { return pad("X", Rect, spot, 1500*um, 800*um, deg) }
	return []Fault{
		near("circle to track", pad("X", Circle, spot, 1000*um, 1000*um, 0), 500*um),
		near("rectangle to track", rect(0), 400*um),
		near("turned rectangle to track", rect(30), top(750*um, 400*um, 30)),
		near("turned oval to track", pad("X", Oval, spot, 1500*um, 800*um, 30), top(350*um, 0, 30)+400*um),
		near("turned rounded rectangle to track", pad("X", RoundRect, spot, 1500*um, 800*um, 30), top(550*um, 200*um, 30)+200*um),
		near("custom to track", Pad{Ref: "TPX", Number: "1", Net: "X", At: spot, Shape: Custom, X: 400 * um, Y: 400 * um, Points: custom, Mask: 50 * um}, 600*um),
		length(dfm.PadClearance, "pad to pad", func(s *Sketch, v int64) geom.Box {
			p, q := pad("X", Rect, spot, 800*um, 800*um, 0), pad("Y", Rect, spotOffset(800*um+v, 0, 0), 800*um, 800*um, 0)
			p.NoMask, q.NoMask = false, false
			p.Mask, q.Mask = 0, 0
			s.pad(p, q)
			return boxAround(1*mm, spotOffset(400*um, 0, 0))
		}).setOther(dfm.MaskExpansion, 0),
		length(dfm.PadClearance, "turned pads, corner to side", func(s *Sketch, v int64) geom.Box {
			reach := top(750*um, 400*um, 30)
			s.pad(rect(30), pad("Y", Rect, spot.Add(geom.Pt(nm(float64(750*um)*0.8660254)-200*um, reach+500*um+v)), 2000*um, 1000*um, 0))
			return boxAround(1*mm, spot.Add(geom.Pt(0, reach)))
		}).setOther(dfm.MaskBridge, 0),
		length(dfm.PadClearance, "via to track", func(s *Sketch, v int64) geom.Box {
			s.Vias = append(s.Vias, Via{At: spot, Size: 600 * um, Drill: 300 * um, Net: "X"})
			s.track(bar(3, "Y", 300*um, 450*um+v, 0))
			return boxAround(1*mm, spotOffset(0, 300*um, 0))
		}),
		length(dfm.PadClearance, "buried via to track", func(s *Sketch, v int64) geom.Box {
			s.Vias = append(s.Vias, Via{At: spot, Size: 600 * um, Drill: 300 * um, Net: "X", From: 2, To: 3})
			s.track(bar(3, "Y", 300*um, 450*um+v, 0), bar(1, "Z", 300*um, 0, 0))
			return boxAround(1*mm, spotOffset(0, 300*um, 0))
		}),
		length(dfm.PadClearance, "pad in a hole of an area", func(s *Sketch, v int64) geom.Box {
			s.Zones = append(s.Zones, Zone{Layer: 1, Net: "X", Outer: box(22*mm, 10*mm, 34*mm, 20*mm), Holes: [][]geom.Point{octagon(spot, 500*um+v)}})
			s.pad(pad("Y", Circle, spot, 1000*um, 1000*um, 0))
			return boxAround(1*mm, spot)
		}).times(8),
	}
}

// setOther sets the limit of another check.
func (f Fault) setOther(n dfm.Name, v int64) Fault {
	others := map[dfm.Name]int64{n: v}
	for k, o := range f.Others {
		others[k] = o
	}
	f.Others = others
	return f
}

// times sets how many places there may be at most.
func (f Fault) times(n int) Fault { f.Places = n; return f }

func (f Fault) setLayer(layer string) Fault { f.Layer = layer; return f }

func (f Fault) setForms(forms ...Form) Fault { f.Forms = forms; return f }

func (f Fault) mild() Fault { f.Mild = true; return f }

func (f Fault) setAlso(n ...dfm.Name) Fault { f.Also = n; return f }

func (f Fault) soft() Fault { f.Soft = true; return f }

func (f Fault) vague() Fault { f.Vague = true; return f }

func (f Fault) setAbove() Fault { f.Above = true; return f }

func (f Fault) step(v int64) Fault { f.Step = v; return f }

func (f Fault) loose(v int64) Fault { f.Loose = v; return f }

func edges() []Fault {
	cut := func(variant string, chain func() []Stroke, t func(v int64) Track, where geom.Point) Fault {
		return length(dfm.CopperToEdge, variant, func(s *Sketch, v int64) geom.Box {
			if chain != nil {
				s.Outline = append(s.Outline, chain())
			}
			s.track(t(v))
			return boxAround(3*mm, where)
		}).times(2)
	}
	score := func(variant string, deg float64, layer int) Fault {
		return length(dfm.CopperToVScore, variant, func(s *Sketch, v int64) geom.Box {
			s.Scores = append(s.Scores, line(geom.Pt(24*mm, 0), geom.Pt(24*mm, 30*mm)))
			a, b := geom.Pt(24*mm+150*um+v, 4*mm), geom.Pt(26*mm+v, 4*mm+nm(2000*float64(um)*deg))
			s.track(Track{Layer: layer, Net: "X", Width: 300 * um, Stroke: line(a, b)})
			return boxAround(3*mm, a)
		})
	}
	return []Fault{
		score("end of a track", 0, 1), score("slanted, inner layer", 0.6, 3),
		cut("straight", nil, func(v int64) Track {
			return Track{Layer: 1, Net: "X", Width: 300 * um, Stroke: line(geom.Pt(24*mm, 150*um+v), geom.Pt(28*mm, 150*um+v))}
		}, pt(26, 0)),
		cut("inner layer", nil, func(v int64) Track {
			return Track{Layer: 3, Net: "X", Width: 300 * um, Stroke: line(geom.Pt(40*mm-150*um-v, 14*mm), geom.Pt(40*mm-150*um-v, 16*mm))}
		}, pt(40, 15)),
		cut("round cutout", func() []Stroke { return circle(spot, 2*mm) }, func(v int64) Track { return bar(1, "X", 300*um, 2150*um+v, 0) }, spotOffset(0, 2*mm, 0)),
		cut("in a round cutout's arc", func() []Stroke { return circle(spot, 2*mm) }, func(v int64) Track {
			return Track{Layer: 1, Net: "X", Width: 300 * um, Stroke: arc(spot, 2150*um+v, 10, 80)}
		}, spotOffset(1400*um, 1400*um, 0)),
		length(dfm.CopperToEdge, "area's corner", func(s *Sketch, v int64) geom.Box {
			s.Zones = append(s.Zones, Zone{Layer: 4, Net: "X", Outer: []geom.Point{geom.Pt(26*mm, v), pt(28, 3), pt(24, 3)}})
			return boxAround(500*um, pt(26, 0))
		}).soft(),
		length(dfm.CopperToEdge, "turned pad", func(s *Sketch, v int64) geom.Box {
			sin, cos := sincos(30)
			s.pad(pad("X", Rect, geom.Pt(26*mm, v+nm(float64(750*um)*sin+float64(400*um)*cos)), 1500*um, 800*um, 30))
			return boxAround(1500*um, pt(26, 0))
		}).soft(),
	}
}
