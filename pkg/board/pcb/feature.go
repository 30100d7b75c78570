package pcb

import "boardorder/pkg/board/geom"

// FeatureKind is what was drawn.
type FeatureKind uint8

// Kinds of features.
const (
	LineFeature   FeatureKind = iota // aperture moved straight from A to B
	ArcFeature                       // aperture moved along an arc from A to B; A equals B is a full circle
	FlashFeature                     // aperture put down at A
	RegionFeature                    // filled area
)

func (k FeatureKind) String() string { return [...]string{"line", "arc", "flash", "region"}[k&3] }

// Feature is one drawn thing on a layer. Its size matters: boards have up to
// millions of them.
type Feature struct {
	A, B geom.Point // ends of a line or arc; A is the place of a flash

	Kind     FeatureKind
	Clear    bool     // erases what was drawn before
	Function Function // what it is for, where stated
	_        uint8

	Shape     int32 // index into Layer.Apertures, or into Layer.Regions for a region
	Arc       int32 // index into Layer.Arcs, for arcs
	Transform int32 // index into Layer.Transforms: mirror, rotation and scale of the aperture
	Net       int32 // index into Board.Nets; 0 is none
	Pin       int32 // index into Board.Pins; 0 is none
	Attrs     int32 // index into Layer.AttributeSets; 0 is none
	Line      int32 // where in the file; 0 when the format has no lines
}

// Function is what a feature is for, as Gerber X2's .AperFunction or a design
// tool states it.
type Function uint8

// Functions of features.
const (
	FuncUnknown      Function = iota
	FuncConductor             // track or pour that belongs to a net
	FuncPour                  // filled zone of a net
	FuncNonConductor          // copper with no electrical meaning: text, logos
	FuncViaPad
	FuncComponentPad // for a through-hole pin
	FuncSMDPad       // copper-defined
	FuncSMDPadMask   // mask-defined
	FuncBGAPad       // copper-defined
	FuncBGAPadMask   // mask-defined
	FuncConnectorPad // edge connector
	FuncHeatsinkPad
	FuncCastellatedPad
	FuncTestPad
	FuncWasherPad
	FuncFiducial       // global or panel
	FuncFiducialLocal  // local
	FuncThermalRelief  // gap of a plane
	FuncAntipad        // clearance in a plane
	FuncBalancing      // copper thieving
	FuncBorder         // panel border
	FuncProfile        // board outline
	FuncMaterial       // image of mask, silk, …
	FuncDrawing        // for people
	FuncOther          // stated, none of these
	FuncViaDrill       // drill files
	FuncComponentDrill // drill files
	FuncMechanicalDrill
	FuncBackDrill
	FuncSlot
	FuncCutOut
	FuncEtched // copper that makes a part: an antenna, a coil
)

// Pad tells whether the function is one of a pad that something is soldered,
// pressed or probed to (vias not included).
func (f Function) Pad() bool {
	switch f {
	case FuncComponentPad, FuncSMDPad, FuncSMDPadMask, FuncBGAPad, FuncBGAPadMask, FuncConnectorPad,
		FuncHeatsinkPad, FuncCastellatedPad, FuncTestPad, FuncWasherPad, FuncFiducial, FuncFiducialLocal:
		return true
	}
	return false
}

// Edge is the centre line of a line or arc feature.
func (l *Layer) Edge(f *Feature) geom.Edge {
	if f.Kind == ArcFeature {
		a := l.Arcs[f.Arc]
		return geom.ArcEdge(f.A, f.B, a.Centre, a.Clockwise)
	}
	return geom.Line(f.A, f.B)
}

// Place is the transform that puts a flash's aperture on the board.
func (l *Layer) Place(f *Feature) geom.Transform {
	t := l.Transforms[f.Transform]
	t.Offset = t.Offset.Add(f.A)
	return t
}

// Aperture is the shape that a feature was drawn with; nil for regions.
func (l *Layer) Aperture(f *Feature) *Aperture {
	if f.Kind == RegionFeature {
		return nil
	}
	return &l.Apertures[f.Shape]
}

// Width is the width of a line or arc drawn with a round aperture, scaled; for
// other apertures the smaller of its sides. 0 for regions.
func (l *Layer) Width(f *Feature) int64 {
	if f.Kind == RegionFeature {
		return 0
	}
	a := &l.Apertures[f.Shape]
	w := a.X
	if a.Kind != CircleShape && a.Y > 0 {
		w = min(a.X, a.Y)
	}
	return l.Transforms[f.Transform].Length(w)
}

// hairline is the widest pen that nothing is built with: where tools have to state a width
// for lines of none they write nothing, or a thousandth of a millimetre or two.
const hairline = 5 * geom.Micrometre

// Hairline tells whether a line or an arc is drawn with a round pen of no width, as tools
// draw edges that they plot along with other layers.
func (l *Layer) Hairline(f *Feature) bool {
	return (f.Kind == LineFeature || f.Kind == ArcFeature) && l.Apertures[f.Shape].Kind == CircleShape && l.Width(f) <= hairline
}

// FeatureBounds is the box that the feature covers, aperture included.
func (l *Layer) FeatureBounds(f *Feature) geom.Box {
	switch f.Kind {
	case RegionFeature:
		return l.Regions[f.Shape].Bounds()
	case FlashFeature:
		return l.Apertures[f.Shape].BoundsAt(l.Place(f))
	}
	a := &l.Apertures[f.Shape]
	e := l.Edge(f).Bounds()
	if a.Kind == CircleShape {
		return e.Grow(l.Transforms[f.Transform].Length(a.X) / 2)
	}
	s := a.BoundsAt(l.Transforms[f.Transform])
	if s.Empty() {
		return e
	}
	return geom.Box{Min: e.Min.Add(s.Min), Max: e.Max.Add(s.Max)}
}

// BoundsWork is how many pieces FeatureBounds looks at: one, or those of an aperture that
// is turned, mirrored or scaled.
func (l *Layer) BoundsWork(f *Feature) int {
	if t := l.Transforms[f.Transform]; f.Kind == RegionFeature || t.Rotation == 0 && !t.Mirror && (t.Scale == 0 || t.Scale == 1) {
		return 1
	}
	return 1 + len(l.Apertures[f.Shape].Primitives)
}

// BoundsWithin is [Layer.Bounds], empty where the meter does not allow to look at all
// features: a turned aperture of many pieces costs as many looks at each flash.
func (l *Layer) BoundsWithin(m Meter) geom.Box {
	b := geom.EmptyBox()
	for i := range l.Features {
		f := &l.Features[i]
		if !m.Spend(Lookups, l.BoundsWork(f)) {
			return geom.EmptyBox()
		}
		if !f.Clear {
			b = b.Union(l.FeatureBounds(f))
		}
	}
	return b
}

// Bounds is the box that all dark features cover, apertures included.
func (l *Layer) Bounds() geom.Box { return l.BoundsWithin(Meter{}) }
