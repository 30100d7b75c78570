package faulty

import (
	"math"

	"boardorder/pkg/board/geom"
)

// Lengths.
const (
	um = int64(1000)
	mm = int64(1_000_000)
)

// A Sketch is a board as somebody draws it.
type Sketch struct {
	Layers    int        // of copper
	Outline   [][]Stroke // closed chains: the board, then cutouts
	Thickness int64
	Tracks    []Track
	Pads      []Pad
	Vias      []Via
	Zones     []Zone
	Silk      []Silk
	Texts     []Text
	Openings  []Opening
	Scores    []Stroke // V-scores

	Rules      map[string]int64 // of the KiCad project, by its own names
	Class      int64            // clearance of the KiCad project's net class of the nets X…; 0 has none
	Custom     string           // KiCad custom rules
	NoNets     bool             // Gerber: neither net attributes nor a netlist
	NoOutline  bool             // nothing draws the outline
	Negative   map[int]bool     // Gerber: copper layers given as what is taken away
	Drop       map[string]bool
	Extra      map[string]string                   // Gerber: further files
	EmptyLayer map[string]bool                     // Gerber: files that draw nothing
	Cut        string                              // file that ends in the middle
	Plain      bool                                // Gerber: apertures and drills state no function
	NoNames    bool                                // Gerber: no net attributes, only the netlist
	Placed     map[int]func(geom.Point) geom.Point // Gerber: copper layers that lie elsewhere; straight tracks and flashes only
	NoLands    map[int]bool                        // Gerber: copper layers without pads of plated holes
}

// A Stroke is a straight line, or an arc about C, from where the last one ended.
type Stroke struct {
	A, B geom.Point
	C    geom.Point
	Turn int // 1 counter-clockwise, -1 clockwise, 0 straight
}

// Track is a line or arc of copper.
type Track struct {
	Layer int
	Net   string
	Width int64
	Stroke
}

// Shape is the form of a pad.
type Shape int

// Shapes of pads.
const (
	Circle Shape = iota
	Rect
	Oval
	RoundRect // corner radius a quarter of the shorter side
	Custom    // Points, about the pad's place
)

// Pad belongs to a part.
type Pad struct {
	Ref, Number, Net string
	At               geom.Point
	Shape            Shape
	X, Y             int64
	Turn             float64 // degrees counter-clockwise
	Points           []geom.Point
	Bottom           bool
	Drill, Slot      int64 // Drill: diameter, 0 is SMD; Slot: length over all along the pad's X, 0 is round
	Bare             bool  // hole without plating
	Shift            geom.Point
	Mask             int64 // opening beyond the pad
	NoMask, NoPaste  bool
	NoCopper         bool
	PasteOnly        bool // printed by the stencil, with neither copper nor opening
	Castellated      bool
	OuterOnly        bool // Gerber: of a plated hole, no pads on inner layers
}

// Via joins copper layers From to To.
type Via struct {
	At          geom.Point
	Size, Drill int64
	Net         string
	From, To    int  // 0, 0 is all
	OuterOnly   bool // no pads on inner layers without a track of the net
	Open        bool // bare, not tented
	Filled      bool
	Inner       int64 // Gerber: diameter on inner layers, where it differs
	LandOn      int   // Gerber: the only layer with a pad; 0 is all
}

// Zone is a filled area; Holes are kept free of its copper.
type Zone struct {
	Layer int
	Net   string
	Outer []geom.Point
	Holes [][]geom.Point
}

// Silk is a line of the silkscreen.
type Silk struct {
	Bottom bool
	Width  int64
	A, B   geom.Point
}

// Text is a word of the silkscreen made of the letters E, F, H, I, L, T.
type Text struct {
	Bottom bool
	At     geom.Point // middle
	Word   string
	Height int64
	Width  int64
	Mirror bool // reads backwards from its side
}

// Opening is an area free of solder mask.
type Opening struct {
	Bottom bool
	Points []geom.Point
}

func pt(x, y float64) geom.Point {
	return geom.Pt(int64(math.Round(x*float64(mm))), int64(math.Round(y*float64(mm))))
}

// nm rounds to whole nanometres.
func nm(v float64) int64 { return int64(math.Round(v)) }

func sincos(deg float64) (s, c float64) { return math.Sincos(deg * math.Pi / 180) }

// rotate is p turned about the origin.
func rotate(p geom.Point, deg float64) geom.Point {
	s, c := sincos(deg)
	x, y := float64(p.X), float64(p.Y)
	return geom.Pt(nm(x*c-y*s), nm(x*s+y*c))
}

func rotateAbout(c, p geom.Point, deg float64) geom.Point { return c.Add(rotate(p.Sub(c), deg)) }

func line(a, b geom.Point) Stroke { return Stroke{A: a, B: b} }

// arc runs counter-clockwise about c from the angle a to b, in degrees.
func arc(c geom.Point, r int64, a, b float64) Stroke {
	return Stroke{A: c.Add(rotate(geom.Pt(r, 0), a)), B: c.Add(rotate(geom.Pt(r, 0), b)), C: c, Turn: 1}
}

// middle is the point halfway along an arc.
func (s Stroke) middle() geom.Point {
	a := math.Atan2(float64(s.A.Y-s.C.Y), float64(s.A.X-s.C.X))
	b := math.Atan2(float64(s.B.Y-s.C.Y), float64(s.B.X-s.C.X))
	if s.Turn > 0 && b <= a {
		b += 2 * math.Pi
	}
	if s.Turn < 0 && b >= a {
		b -= 2 * math.Pi
	}
	r := math.Hypot(float64(s.A.X-s.C.X), float64(s.A.Y-s.C.Y))
	sin, cos := math.Sincos((a + b) / 2)
	return geom.Pt(s.C.X+nm(r*cos), s.C.Y+nm(r*sin))
}

// polygon is the closed chain of straight strokes through pts.
func polygon(pts ...geom.Point) []Stroke {
	var out []Stroke
	for i, p := range pts {
		out = append(out, line(p, pts[(i+1)%len(pts)]))
	}
	return out
}

func box(x0, y0, x1, y1 int64) []geom.Point {
	return []geom.Point{geom.Pt(x0, y0), geom.Pt(x1, y0), geom.Pt(x1, y1), geom.Pt(x0, y1)}
}

// circle is a chain of two half circles.
func circle(c geom.Point, r int64) []Stroke {
	return []Stroke{arc(c, r, 0, 180), arc(c, r, 180, 360)}
}

// roundCorners rounds a chain of straight strokes: the corner at index i becomes
// an arc of radius r; the chain's corners are right angles.
func roundCorners(pts []geom.Point, radius map[int]int64) []Stroke {
	n := len(pts)
	var out []Stroke
	var at geom.Point
	step := func(from, to geom.Point, d int64) geom.Point {
		l := from.Dist(to)
		return geom.Pt(from.X+nm(float64(to.X-from.X)/l*float64(d)), from.Y+nm(float64(to.Y-from.Y)/l*float64(d)))
	}
	for k := range n + 1 {
		i := k % n
		p, before, after := pts[i], pts[(i+n-1)%n], pts[(i+1)%n]
		in, leave := p, p
		r := radius[i]
		if r > 0 {
			in, leave = step(p, before, r), step(p, after, r)
		}
		if k > 0 && at != in {
			out = append(out, line(at, in))
		}
		if r > 0 && k > 0 {
			turn := 1
			if p.Sub(before).Cross(after.Sub(p)) < 0 {
				turn = -1
			}
			out = append(out, Stroke{A: in, B: leave, C: in.Add(leave).Sub(p), Turn: turn})
		}
		at = leave
	}
	return out
}
