package artwork

import (
	"slices"

	"boardorder/pkg/board/pcb"
)

// Drawn is a sheet that another reader filled, and the numbers by which the board
// knows its nets and pins.
type Drawn struct {
	Sheet    *Sheet
	Net, Pin func(int32) int32
}

// Take adds what others drew, one behind the other, as if it had been drawn here.
// Their layers are not to be used any more.
func (s *Sheet) Take(others []Drawn) {
	features, arcs, regions := 0, 0, 0
	for _, o := range others {
		l := o.Sheet.Layer
		features, arcs, regions = features+len(l.Features), arcs+len(l.Arcs), regions+len(l.Regions)
	}
	s.Layer.Features = slices.Grow(s.Layer.Features, features)
	s.Layer.Arcs = slices.Grow(s.Layer.Arcs, arcs)
	s.Layer.Regions = slices.Grow(s.Layer.Regions, regions)
	for _, o := range others {
		o.Sheet.drawn.Settle()
		o.Sheet.corners.Settle()
		if len(o.Sheet.Layer.Features) > 0 {
			s.take(o)
		}
		s.Layer.Texts = append(s.Layer.Texts, o.Sheet.Layer.Texts...)
	}
}

func (s *Sheet) take(o Drawn) {
	to, from := s.Layer, o.Sheet.Layer
	apertures := make([]int32, len(from.Apertures))
	for i := range apertures {
		apertures[i] = s.aperture(Shape{o.Sheet.keys[i], func() pcb.Aperture { return from.Apertures[i] }})
	}
	transforms := make([]int32, len(from.Transforms))
	for i, t := range from.Transforms {
		transforms[i] = s.transform(t)
	}
	arcs, regions := int32(len(to.Arcs)), int32(len(to.Regions))
	to.Arcs, to.Regions = append(to.Arcs, from.Arcs...), append(to.Regions, from.Regions...)
	for i := range from.Features {
		f := from.Features[i]
		f.Net, f.Pin, f.Transform = o.Net(f.Net), o.Pin(f.Pin), transforms[f.Transform]
		switch f.Kind {
		case pcb.RegionFeature:
			f.Shape += regions
		case pcb.ArcFeature:
			f.Shape, f.Arc = apertures[f.Shape], f.Arc+arcs
		default:
			f.Shape = apertures[f.Shape]
		}
		to.Features = append(to.Features, f)
	}
}
