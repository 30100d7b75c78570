package pcb

// Source is where something was read.
type Source struct {
	File string `json:"file,omitempty"` // path within the upload
	Line int    `json:"line,omitempty"` // 1 is the first; 0 when the format has none
}

// Fact is something a board's files state, or that follows from them. The zero
// Fact is unknown.
type Fact[T any] struct {
	Value T
	Known bool
	// Default marks a design tool's untouched preset (1 oz on every layer,
	// 1.6 mm): kept for show, but nobody chose it, so it counts as unstated.
	Default    bool
	Source     Source
	Confidence float64 // 0 to 1
	How        string  // in words: "job file", "counted copper files", …
}

// IsStated tells whether somebody chose the value: known and not a preset.
func (f Fact[T]) IsStated() bool { return f.Known && !f.Default }

// State makes a fact.
func State[T any](v T, src Source, confidence float64, how string) Fact[T] {
	return Fact[T]{Value: v, Known: true, Source: src, Confidence: confidence, How: how}
}

// Preset makes a fact that is only a tool's untouched default.
func Preset[T any](v T, src Source, how string) Fact[T] {
	f := State(v, src, 0.1, how)
	f.Default = true
	return f
}

// Offer takes g in f's place when g is the better known of the two, and tells
// whether it did. A stated fact always beats a preset.
func (f *Fact[T]) Offer(g Fact[T]) bool {
	if !g.Known || f.IsStated() && g.Default {
		return false
	}
	if !f.Known || f.Default && !g.Default || g.Confidence > f.Confidence {
		*f = g
		return true
	}
	return false
}

// Facts is what quoting needs to know about a board. Lengths are nanometres.
type Facts struct {
	CopperLayers     Fact[int]
	Width, Height    Fact[int64] // of the outline's centre line
	Thickness        Fact[int64]
	OuterCopper      Fact[float64] // ounces per square foot
	InnerCopper      Fact[float64]
	MixedOuter       Fact[string] // weights that differ, in words: "1 oz on 2 layers, 0.5 oz on 4 layers"; of the copper's own source
	MixedInner       Fact[string]
	Finish           Fact[string] // as stated, such as "ENIG"
	MaskColour       Fact[string]
	SilkscreenColour Fact[string]
	Material         Fact[string]
	Dielectrics      Fact[string] // thickness of what lies between copper layers, from the top: "0.1, 1.24, 0.1 mm"
	ViaProcess       Fact[string] // tented, plugged, …
	Impedance        Fact[bool]   // impedance control asked for
	EdgePlating      Fact[bool]
	Castellations    Fact[bool]
	CastellatedSides Fact[int] // of the board that half holes lie on
	GoldFingers      Fact[bool]
	Bevel            Fact[bool] // the edge of the gold fingers is bevelled
	BlindVias        Fact[bool] // blind, buried or micro vias
	Panel            Fact[bool] // the files hold a panel
	BoardsInPanel    Fact[int]
	Flex             Fact[bool]
	CopperUnknown    Fact[bool]      // no copper is recognised, or not all that there seems to be
	EmptyInner       Fact[int]       // inner copper layers that carry nothing
	PanelWanted      Fact[bool]      // the fabricator is asked to make a panel of the board
	Unsettled        []Unsettled     // options that the files name and leave open
	Processes        []Fact[Process] // what a plain board is made without, each once: see [Facts.Needs]
	MinDrill         Fact[int64]     // diameter
	MinTrack         Fact[int64]
	MinGap           Fact[int64]
	MinRing          Fact[int64]
	PlatedHoles      Fact[int]
	NonPlatedHoles   Fact[int]
	UnknownHoles     Fact[int] // plating not stated
	Slots            Fact[int]
	Tool             Fact[string] // what wrote the files
	Revision         Fact[string]
	Date             Fact[string]
}

// An Unsettled is an option for which the files state several values, or one that nobody
// can read: only the customer can settle it.
type Unsettled struct {
	Option     string      // name of the fact, as in quote requests: thickness_mm
	Statements []Statement // in the order of the files
}

// A Statement is one value as a file states it.
type Statement struct {
	Words  string
	Source Source
}
