package places

import (
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// PadSizes maps places to the smaller side of the pad that is flashed there.
type PadSizes map[geom.Point]int64

// PadSizesOf gathers the pads of the outer copper layers: flashes, and the short
// wide strokes and small areas that some tools draw for oblong and odd pads.
func PadSizesOf(copper []*pcb.Layer) PadSizes {
	out := PadSizes{}
	for _, l := range copper {
		if l.Side != pcb.Top && l.Side != pcb.Bottom {
			continue
		}
		for i := range l.Features {
			if at, size := PadOf(l, &l.Features[i]); size > 0 {
				k := Round(at)
				out[k] = max(out[k], size)
			}
		}
	}
	return out
}

// PadOf is the middle of what may be a pad and its smaller side; 0 for a feature
// that is none.
func PadOf(l *pcb.Layer, f *pcb.Feature) (geom.Point, int64) {
	const longest = 10 * geom.Millimetre
	switch {
	case f.Clear || f.Kind == pcb.ArcFeature:
	case f.Kind == pcb.FlashFeature:
		if b := l.Apertures[f.Shape].Box; !b.Empty() {
			return f.A, min(b.Width(), b.Height())
		}
	case f.Kind == pcb.LineFeature:
		if w := l.Width(f); w >= geom.Millimetre/2 && f.A.Dist(f.B) <= 3*float64(w) {
			return f.A.Mid(f.B), w
		}
	case f.Kind == pcb.RegionFeature:
		if b := l.Regions[f.Shape].Bounds(); b.Width() < longest && b.Height() < longest {
			return b.Centre(), min(b.Width(), b.Height())
		}
	}
	return geom.Point{}, 0
}

// SizeAt is the size of the pad at p, 0 for none.
func (s PadSizes) SizeAt(p geom.Point) int64 {
	g := Round(p)
	var most int64
	for dx := int64(-1); dx <= 1; dx++ {
		for dy := int64(-1); dy <= 1; dy++ {
			most = max(most, s[geom.Pt(g.X+dx, g.Y+dy)])
		}
	}
	return most
}

// Lands are the flashes of a copper side, by cells of a grid, and how wide they are.
type Lands map[geom.Point][]land

type land struct {
	at   geom.Point
	wide int64
}

// LandsOf gives what copper layers of a side flash.
func LandsOf(copper []*pcb.Layer, s pcb.Side) Lands {
	const most = 8 // of a cell: more say nothing new
	out := Lands{}
	for _, l := range copper {
		if l.Side != s {
			continue
		}
		for i := range l.Features {
			if f := &l.Features[i]; f.Kind == pcb.FlashFeature && !f.Clear {
				if c := Cell(f.A); len(out[c]) < most {
					box := l.Apertures[f.Shape].Box // a land is as narrow however it is turned
					out[c] = append(out[c], land{f.A, l.Transforms[f.Transform].Length(min(box.Width(), box.Height()))})
				}
			}
		}
	}
	return out
}

// WidthAt is how wide the widest land at a place is, within play; 0 for none.
func (l Lands) WidthAt(p geom.Point) int64 {
	c, wide := Cell(p), int64(0)
	for dx := int64(-1); dx <= 1; dx++ {
		for dy := int64(-1); dy <= 1; dy++ {
			for _, d := range l[geom.Pt(c.X+dx, c.Y+dy)] {
				if d.at.Dist(p) <= play {
					wide = max(wide, d.wide)
				}
			}
		}
	}
	return wide
}

// Extent is the box of the places where a layer draws, widths left out.
func Extent(l *pcb.Layer) geom.Box {
	b := geom.EmptyBox()
	for i := range l.Features {
		f := &l.Features[i]
		if f.Clear {
			continue
		}
		if f.Kind == pcb.RegionFeature {
			b = b.Union(l.Regions[f.Shape].Bounds())
			continue
		}
		b = b.Add(f.A)
		if f.Kind != pcb.FlashFeature {
			b = b.Add(f.B)
		}
	}
	return b
}

// Flashes gives places of a copper layer where something is flashed.
func Flashes(l *pcb.Layer) []geom.Point {
	const most = 20_000
	var out []geom.Point
	for i := range l.Features {
		f := &l.Features[i]
		if f.Kind == pcb.FlashFeature && !f.Clear {
			out = append(out, f.A)
			if len(out) == most {
				break
			}
		}
	}
	return out
}
