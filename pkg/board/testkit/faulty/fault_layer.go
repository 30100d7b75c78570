package faulty

import (
	"fmt"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/geom"
)

func layers() []Fault {
	file := func(n dfm.Name, variant string, draw func(s *Sketch)) Fault {
		return Fault{Check: n, Variant: variant, Forms: []Form{Gerber}, Draw: func(s *Sketch, v int64) geom.Box {
			if v < 0 {
				draw(s)
			}
			return geom.EmptyBox()
		}}
	}
	return []Fault{
		file(dfm.LayerMissing, "inner copper", func(s *Sketch) { s.Drop["demo-In1_Cu.gbr"] = true }).setAlso(dfm.Open),
		file(dfm.LayerMissing, "mask", func(s *Sketch) { s.Drop["demo-B_Mask.gbr"] = true }),
		file(dfm.LayerExtra, "copper twice", func(s *Sketch) {
			w := s.sheet(true)
			w.copper(1)
			w.stroke(300*um, "Conductor", line(pt(24, 20), pt(30, 20)))
			s.Extra["demo-F_Cu-2.gbr"] = w.file("Copper,L1,Top", "Positive")
		}),
		file(dfm.LayerExtra, "mask twice", func(s *Sketch) {
			w := s.sheet(false)
			w.mask(false)
			w.stroke(300*um, "Material", line(pt(24, 20), pt(30, 20)))
			s.Extra["demo-F_Mask-2.gbr"] = w.file("Soldermask,Top", "Negative")
		}),
		file(dfm.LayerOrder, "names against attributes", func(s *Sketch) {
			for n, name := range map[int]string{2: "L3_GND", 3: "L2_GND"} {
				s.Drop[fmt.Sprintf("demo-In%d_Cu.gbr", n-1)] = true
				w := s.sheet(true)
				w.copper(n)
				s.Extra["demo-"+name+".gbr"] = w.file(fmt.Sprintf("Copper,L%d,Inr", n), "Positive")
			}
		}),
		file(dfm.LayerEmpty, "inner copper", func(s *Sketch) { s.EmptyLayer["demo-In2_Cu.gbr"] = true }),
		file(dfm.NegativePlane, "plane", func(s *Sketch) { s.Negative[2] = true }).mild(),
		{Check: dfm.HoleWithoutCopper, Variant: "plated, no copper", Mild: true, Draw: func(s *Sketch, v int64) geom.Box {
			p := pad("X", Circle, spot, 1400*um, 1400*um, 0)
			p.Drill, p.NoCopper = 800*um, v < 0
			s.pad(p)
			return boxAround(1*mm, spot)
		}},
		{Check: dfm.FilesUnreadable, Variant: "cut off", Draw: func(s *Sketch, v int64) geom.Box {
			if v < 0 {
				s.Cut = "demo.kicad_pcb"
			}
			return geom.EmptyBox()
		}, Forms: []Form{KiCad}},
		file(dfm.FilesUnreadable, "cut beside the path", func(s *Sketch) {
			s.Extra["demo-NPTH.drl"] = "M48\n; #@! TF.FileFunction,NonPlated,1,4,NPTH\nFMAT,2\nMETRIC\nT1C1.000\n%\nG90\nT1\n" +
				"G00X22.0Y20.0\nM15\nG42\nG01X26.0Y20.0\nG40\nM16\nT0\nM30\n"
		}).setAlso(dfm.Open),
		file(dfm.FilesUnreadable, "contour that overlaps itself", func(s *Sketch) {
			w := s.sheet(false)
			w.region([]geom.Point{pt(22, 10), pt(32, 10), pt(32, 20), pt(27, 20), pt(27, 17), pt(25, 17), pt(25, 13), pt(29, 13), pt(29, 17), pt(27, 17), pt(27, 20), pt(22, 20)})
			s.Extra["demo-F_Paste.gbr"] = w.file("Paste,Top", "Positive")
		}),
		file(dfm.FilesUnreadable, "aperture undefined", func(s *Sketch) {
			w := s.sheet(false)
			w.f("D77*\nX1000000Y1000000D03*\n")
			s.Extra["demo-B_Silkscreen.gbr"] = w.file("Legend,Bot", "Positive")
		}),
	}
}

func sizes() []Fault {
	return []Fault{
		length(dfm.BoardLength, "", func(s *Sketch, v int64) geom.Box {
			s.Outline[0] = polygon(box(0, 0, v, 30*mm)...)
			return geom.EmptyBox()
		}).setAbove(),
		length(dfm.BoardWidth, "", func(s *Sketch, v int64) geom.Box {
			s.Outline[0] = polygon(box(0, 0, v, 420*mm)...)
			return geom.EmptyBox()
		}).setAbove(),
		length(dfm.BoardThickness, "", func(s *Sketch, v int64) geom.Box {
			s.Thickness = v
			return geom.EmptyBox()
		}).setAbove(),
		Fault{Check: dfm.LayerCount, Limit: 4, Draw: func(s *Sketch, v int64) geom.Box {
			s.Layers = max(4, int(v))
			if v > 4 { // copper on every new layer
				s.track(bar(5, "X", 300*um, 0, 0), bar(6, "Y", 300*um, 0, 0))
			}
			return geom.EmptyBox()
		}, Options: nil}.setAbove().step(2),
		Fault{Check: dfm.CopperWeight, Limit: 2000, Draw: func(*Sketch, int64) geom.Box { return geom.EmptyBox() },
			Options: func(o *dfm.Options, v int64) { o.CopperOz = float64(v) / 1000 }}.setAbove().step(500),
	}
}
