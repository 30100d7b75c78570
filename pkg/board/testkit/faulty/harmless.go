package faulty

import "boardorder/pkg/board/geom"

// A Harmless board has something that looks like a fault and is none.
type Harmless struct {
	Name  string
	Forms []Form // nil is all
	Draw  func(s *Sketch)
}

// Harmlesses are all of them.
func Harmlesses() []Harmless {
	return []Harmless{
		{Name: "nothing", Draw: func(*Sketch) {}},
		{Name: "tracks of one net side by side", Draw: func(s *Sketch) {
			ends(s, "X", "X")
			s.track(Track{Layer: 1, Net: "X", Width: 300 * um, Stroke: line(spotOffset(-5*mm, 0, 0), spotOffset(5*mm, 0, 0))},
				Track{Layer: 1, Net: "X", Width: 300 * um, Stroke: line(spotOffset(-5*mm, 350*um, 0), spotOffset(5*mm, 350*um, 0))})
		}},
		{Name: "pads of one net on each other", Draw: func(s *Sketch) {
			for _, x := range []int64{-500 * um, 0, 500 * um} {
				s.pad(pad("X", RoundRect, spotOffset(x, 0, 30), 800*um, 800*um, 30))
			}
		}},
		{Name: "fiducial", Draw: func(s *Sketch) {
			p := pad("", Circle, spot, 1*mm, 1*mm, 0)
			p.Ref, p.Mask, p.NoPaste = "FID1", 500*um, true
			s.pad(p)
		}},
		{Name: "open vias in a row", Draw: func(s *Sketch) {
			for i := range int64(3) {
				s.Vias = append(s.Vias, Via{At: spotOffset(i*mm, 0, 20), Size: 600 * um, Drill: 300 * um, Net: "X", Open: true})
			}
			s.track(Track{Layer: 1, Net: "X", Width: 300 * um, Stroke: line(spot, spotOffset(2*mm, 0, 20))})
		}},
		{Name: "stacked vias", Draw: func(s *Sketch) {
			s.Vias = append(s.Vias, Via{At: spot, Size: 600 * um, Drill: 300 * um, Net: "X", From: 1, To: 2},
				Via{At: spot, Size: 600 * um, Drill: 300 * um, Net: "X", From: 2, To: 3})
		}},
		{Name: "blind vias above each other", Draw: func(s *Sketch) {
			s.Vias = append(s.Vias, Via{At: spot, Size: 600 * um, Drill: 300 * um, Net: "X", From: 1, To: 2},
				Via{At: spotOffset(350*um, 0, 0), Size: 600 * um, Drill: 300 * um, Net: "Y", From: 3, To: 4})
		}},
		{Name: "track under a blind via", Draw: func(s *Sketch) {
			s.Vias = append(s.Vias, Via{At: spot, Size: 600 * um, Drill: 300 * um, Net: "X", From: 1, To: 2})
			s.track(bar(3, "Y", 300*um, 0, 0))
		}},
		{Name: "legend over a tented via", Draw: func(s *Sketch) {
			s.Vias = append(s.Vias, Via{At: spot, Size: 600 * um, Drill: 300 * um, Net: "X"})
			s.Silk = append(s.Silk, Silk{Width: 200 * um, A: spotOffset(-2*mm, 400*um, 0), B: spotOffset(2*mm, 400*um, 0)})
		}},
		{Name: "pin within an area of its net", Draw: func(s *Sketch) {
			p := pad("X", Circle, spot, 1600*um, 1600*um, 0)
			p.Drill = 800 * um
			s.pad(p)
			for _, layer := range []int{1, 4} {
				s.Zones = append(s.Zones, Zone{Layer: layer, Net: "X", Outer: box(24*mm, 12*mm, 32*mm, 18*mm)})
			}
		}},
		{Name: "outline with an arc in chords", Draw: func(s *Sketch) {
			pts := []geom.Point{pt(0, 0), pt(36, 0)}
			for a := -85.0; a <= 0; a += 5 {
				pts = append(pts, pt(36, 4).Add(rotate(geom.Pt(4*mm, 0), a)))
			}
			s.Outline[0] = polygon(append(pts, pt(40, 30), pt(0, 30))...)
		}},
		{Name: "cutout with round corners", Draw: func(s *Sketch) {
			s.Outline = append(s.Outline, roundCorners(box(25*mm, 12*mm, 31*mm, 17*mm), map[int]int64{0: 600 * um, 1: 600 * um, 2: 600 * um, 3: 600 * um}))
		}},
	}
}

// Board draws it on a sound board.
func (h *Harmless) Board() *Sketch {
	s := Base()
	h.Draw(s)
	s.connect()
	return s
}
