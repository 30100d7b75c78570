package faulty

import (
	"slices"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/upload"
)

// Form is how a sketch is written.
type Form string

// Forms of an upload.
const (
	Gerber Form = "gerber"
	KiCad  Form = "kicad"
)

// Files writes a sketch in a form.
func (f Form) Files(s *Sketch) []upload.File {
	if f == KiCad {
		return s.KiCad()
	}
	return s.Gerber()
}

// A Fault is one way in which a board can be wrong, by how much can be chosen.
type Fault struct {
	Check   dfm.Name
	Variant string
	Forms   []Form // nil is all
	Limit   int64  // that the value is held against; 0 for faults without a length
	Above   bool   // too large is the fault
	Step    int64  // how far inside and outside of the limit; 0 is 2 µm
	Mild    bool   // a note will do
	Soft    bool   // never more than a warning, however far outside
	Vague   bool   // limits that differ from place to place: the finding states none
	Layer   string // "copper 1", "mask top", …; "" any
	Places  int    // how often it occurs; 0 is once
	Loose   int64  // how far a measured value may stray; 0 is 1.1 µm

	// Also are findings that follow from the fault.
	Also []dfm.Name

	// Others changes limits of other checks, so that the one fault is not two.
	Others map[dfm.Name]int64
	// Draw puts the fault on a sketch, the measured value being v; it gives where.
	// Faults without a length are drawn for v < 0 and nearly drawn for v > 0.
	Draw func(s *Sketch, v int64) geom.Box
	// Options changes how the board is checked; nil changes nothing.
	Options func(o *dfm.Options, v int64)
}

// AllowsForm tells whether the fault can be drawn in a form.
func (f *Fault) AllowsForm(form Form) bool { return f.Forms == nil || slices.Contains(f.Forms, form) }

// Value is the measure of the fault just outside of its limit, or just inside.
func (f *Fault) Value(outside bool) int64 {
	step := f.Step
	if step == 0 {
		step = 2 * um
	}
	if outside != f.Above {
		step = -step
	}
	return f.Limit + step
}

// Half is a value below half of a lower limit.
func (f *Fault) Half() int64 { return f.Limit/2 - 2*max(f.Step, 2*um) }

// Board draws the fault on a sound board.
func (f *Fault) Board(outside bool) (*Sketch, geom.Box) { return f.SketchAt(f.Value(outside)) }

// SketchAt draws it with a value of its own.
func (f *Fault) SketchAt(v int64) (*Sketch, geom.Box) {
	s := Base()
	where := f.Draw(s, v)
	s.connect()
	return s, where
}

// Limits are those that faults are measured by: Min of every check, no
// recommendations.
func (f *Fault) Limits() dfm.Limits {
	l := dfm.Limits{Outer: map[dfm.Name]dfm.Limit{}, Inner: map[dfm.Name]dfm.Limit{}}
	for n, v := range usual {
		l.Outer[n] = dfm.Limit{Min: v}
	}
	for n, v := range f.Others {
		l.Outer[n] = dfm.Limit{Min: v}
	}
	if f.Limit > 0 {
		l.Outer[f.Check] = dfm.Limit{Min: f.Limit}
	}
	return l
}

var usual = map[dfm.Name]int64{
	dfm.TrackWidth: 127 * um, dfm.TrackClearance: 127 * um, dfm.PadClearance: 127 * um, dfm.CopperToEdge: 300 * um,
	dfm.CopperToHole: 200 * um, dfm.CopperToVScore: 400 * um, dfm.HoleToHole: 250 * um, dfm.HoleToEdge: 300 * um, dfm.AnnularRing: 100 * um,
	dfm.ViaRing: 75 * um, dfm.NPTHRing: 150 * um, dfm.DrillSize: 200 * um, dfm.NPTHDrillSize: 400 * um, dfm.DrillMaximum: 6300 * um, dfm.SlotWidth: 500 * um, dfm.NPTHSlotWidth: 800 * um, dfm.ComponentHoleToHole: 450 * um, dfm.CastellationSize: 600 * um, dfm.MaskToCopper: 60 * um,
	dfm.AspectRatio: 10_000, dfm.MaskExpansion: 20 * um, dfm.MaskBridge: 100 * um, dfm.SilkWidth: 100 * um,
	dfm.SilkHeight: 800 * um, dfm.SilkToMask: 100 * um, dfm.OutlineRadius: 500 * um, dfm.SlotTooNarrow: 1000 * um,
	dfm.BoardNeck: 1500 * um, dfm.CopperSliver: 80 * um, dfm.BoardWidth: 400 * mm, dfm.BoardLength: 500 * mm,
	dfm.BoardThickness: 2400 * um, dfm.LayerCount: 8, dfm.CopperWeight: 2000,
}

// Faults are all that can be drawn, at least one for every check.
func Faults() []Fault {
	return slices.Concat(widths(), spacings(), edges(), holes(), rings(), drilling(), registrations(), masks(), legends(), outlines(), areas(), layers(), nets(), designRules(), sizes())
}

// boxAround is the box of some points and a margin.
func boxAround(margin int64, pts ...geom.Point) geom.Box { return geom.BoxOf(pts...).Grow(margin) }

// spot is the middle of the room that faults are drawn in.
var spot = pt(28, 15)

// spotOffset is a point by its distance from the spot, turned about it.
func spotOffset(x, y int64, deg float64) geom.Point { return spot.Add(rotate(geom.Pt(x, y), deg)) }

// bar is a track through the spot's room, turned about the spot; y is its
// middle.
func bar(layer int, net string, width, y int64, deg float64) Track {
	return Track{Layer: layer, Net: net, Width: width, Stroke: line(spotOffset(-3*mm, y, deg), spotOffset(3*mm, y, deg))}
}

// pad is a lone pad of a part of its own.
func pad(net string, shape Shape, at geom.Point, x, y int64, deg float64) Pad {
	return Pad{Ref: "TP" + net, Number: "1", Net: net, At: at, Shape: shape, X: x, Y: y, Turn: deg, Mask: 50 * um}
}
