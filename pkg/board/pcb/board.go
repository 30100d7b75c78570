package pcb

import (
	"strings"

	"boardorder/pkg/board/geom"
)

// Board is one printed circuit board, or one panel.
type Board struct {
	Name       string
	Layers     []*Layer // copper in order first, then as they came
	Stackup    []StackupLayer
	Outline    Outline
	Holes      []Hole
	Routes     []geom.Path // by Hole.Path
	Nets       []Net       // index 0 is no net
	Pins       []Pin       // index 0 is no pin
	Components []Component
	Facts      Facts
	Findings   []Finding
	Remarks    []Remark // words of the title block or the description
	Rules      Rules
	Unfilled   []int32 // nets of zones that the tool stored without their copper

	nets       index[string]
	components index[string]
	pins       index[pinKey]
}

type pinKey struct{ component, pin string }

// Remark is what a design says of itself in words, beside what it draws.
type Remark struct {
	Text   string
	Source Source
}

// NewBoard is an empty board whose tables have their empty first entries.
func NewBoard(name string) *Board {
	return &Board{Name: name, Nets: []Net{{}}, Pins: []Pin{{Component: -1}}}
}

// Outline is the shape of the board: centre lines of what the files drew.
type Outline struct {
	// Areas are the pieces of board, each with its cutouts. One for a single
	// board; several when the files hold separate pieces.
	Areas  []geom.Polygon
	Open   []geom.Path // chains that do not close
	Closed bool        // every chain of the outline closed, by itself or within tolerance
	Source Source
}

// Bounds is the box of all areas, and of the open chains too when the outline is
// not closed.
func (o Outline) Bounds() geom.Box {
	b := geom.EmptyBox()
	for _, a := range o.Areas {
		b = b.Union(a.Bounds())
	}
	if !o.Closed {
		for _, p := range o.Open {
			b = b.Union(p.Bounds())
		}
	}
	return b
}

// StackupKind is what a layer of the stackup is.
type StackupKind uint8

// Kinds of stackup layers.
const (
	StackOther StackupKind = iota
	StackCopper
	StackCore
	StackPrepreg
	StackDielectric // core or prepreg, not said which
	StackMask
	StackPaste
	StackSilk
)

// StackupLayer is one layer of the board's build, from top to bottom.
type StackupLayer struct {
	Name      string
	Kind      StackupKind
	Order     int // copper layer 1..N
	Thickness Fact[int64]
	Material  string
	Colour    string
	EpsilonR  float64 // 0 unknown
	LossTan   float64 // 0 unknown
}

// Rules are limits that a design-tool project states for itself; 0 is unstated.
type Rules struct {
	Clearance, TrackWidth, ViaDiameter, ViaDrill, MicroViaDiameter, MicroViaDrill int64
	HoleClearance, HoleToHole, AnnularRing, EdgeClearance                         int64
	MaskExpansion, MaskMinWidth, SilkClearance                                    int64
	Custom                                                                        []string        // custom rules, as text
	PadClearance                                                                  map[int32]int64 // by pin, where a pad has a clearance of its own
	Classes                                                                       []NetClass
}

// NetClass are the sizes that a design-tool project sets for some of its nets; 0
// is unstated. The class Default holds for nets that no other names.
type NetClass struct {
	Name                                         string
	Clearance, TrackWidth, ViaDiameter, ViaDrill int64
	Nets                                         []string // names, or patterns with * as the tool writes them
}

// Net is an electrical node.
type Net struct{ Name string }

// Pin is one pin of a component.
type Pin struct {
	Component int32 // index into Board.Components; -1 for pin 0
	Number    string
	Name      string // function, where given
	Net       int32
	At        geom.Point
	Side      Side
	HasAt     bool
}

// Mount is how a component is fitted.
type Mount uint8

// Mounts of components.
const (
	MountUnknown Mount = iota
	SurfaceMount
	ThroughHole
	MountOther // fiducials, mechanical
)

// Component is a part on the board.
type Component struct {
	Ref          string
	Value        string
	Footprint    string
	MPN          string
	Manufacturer string
	Description  string
	Fields       map[string]string // everything else the file states
	At           geom.Point
	HasAt        bool
	Rotation     float64 // degrees counter-clockwise, as the file states it
	Side         Side
	Mount        Mount
	DNP          bool // do not populate
	NoBOM        bool // left out of the bill of materials
	NoPlace      bool // left out of the placement file
	Line         int32
}

// Net gives the index of the net called name, adding it when new; "" is 0.
func (b *Board) Net(name string) int32 {
	if name == "" {
		return 0
	}
	if len(b.Nets) == 0 {
		b.Nets = []Net{{}}
	}
	b.nets.catchUp(len(b.Nets), func(i int) string { return b.Nets[i].Name })
	return b.nets.find(name, func() { b.Nets = append(b.Nets, Net{name}) })
}

// Component gives the index of the component ref, adding it when new. Where
// several share a reference it is the first.
func (b *Board) Component(ref string) int32 {
	b.components.catchUp(len(b.Components), func(i int) string { return b.Components[i].Ref })
	return b.components.find(ref, func() { b.Components = append(b.Components, Component{Ref: ref}) })
}

// Placeholder reports whether a reference stands for a part that was not numbered:
// REF**, R?. Many parts of one board may be called so.
func Placeholder(ref string) bool {
	return strings.HasSuffix(ref, "**") || strings.HasSuffix(ref, "?")
}

// Pin gives the index of a component's pin, adding both when new; an empty
// reference is 0.
func (b *Board) Pin(ref, number string) int32 {
	if ref == "" {
		return 0
	}
	if len(b.Pins) == 0 {
		b.Pins = []Pin{{Component: -1}}
	}
	b.pins.catchUp(len(b.Pins), func(i int) pinKey {
		if c := b.Pins[i].Component; c >= 0 && int(c) < len(b.Components) {
			return pinKey{b.Components[c].Ref, b.Pins[i].Number}
		}
		return pinKey{}
	})
	return b.pins.find(pinKey{ref, number}, func() {
		b.Pins = append(b.Pins, Pin{Component: b.Component(ref), Number: number})
	})
}

// Copper gives the copper layers in order.
func (b *Board) Copper() []*Layer {
	var out []*Layer
	for _, l := range b.Layers {
		if l.Role == RoleCopper {
			out = append(out, l)
		}
	}
	return out
}

// Find gives the layers of a role and side, in file order; NoSide matches all.
func (b *Board) Find(r Role, s Side) []*Layer {
	var out []*Layer
	for _, l := range b.Layers {
		if l.Role == r && (s == NoSide || l.Side == s) {
			out = append(out, l)
		}
	}
	return out
}
