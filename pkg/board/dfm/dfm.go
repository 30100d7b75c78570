// Package dfm is the language of design checks: their names, a fabricator's limits,
// findings and the report. [boardorder/pkg/board/dfm/check] measures copper, holes,
// mask, legend and outline on the exact geometry of the model, compares nets with the
// netlist, and judges what it finds by a fabricator's limits.
//
// # Architecture
//
//	pcb.Board ──► shape              exact placed shapes: distance, containment, index
//	                copper             copper of each layer: polarity resolved, islands, nodes through holes
//	                   │
//	                internal/measure   the prepared input that all rules share
//	                internal/rule      what a rule is, and how a length is held against its limit
//	                   │
//	                rules/…            one file for each check, in the folder of its kind
//	                   │
//	                check              the table of rules; Run ──► Report
//	                limits             the published limits of all fabricators
//
// Every rule looks at the whole board once, on its own goroutine, and says each
// fault once with how often it occurs. What another finding contradicts (two files for
// one layer, nets at odds with copper, an outline that nobody knows) is a warning: check
// weighs what each fault rests on. Lengths are nanometres. Everything is
// pure: a board and limits in, a report out.
package dfm

import (
	"slices"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// Version of the rules. Reports of another one are out of date.
const Version = "17"

// Name is a check as reports call it; snake_case, stable.
type Name string

// Checks that measure a length. Each has a limit of the fabricator's; the
// smallest value found on the board is in [Report.Measures].
const (
	TrackWidth          Name = "track_width"            // of a conductor, at its narrowest
	TrackClearance      Name = "track_clearance"        // copper to copper of another net, no pad involved
	PadClearance        Name = "pad_clearance"          // copper to a pad of another net
	CopperToEdge        Name = "copper_to_edge"         // copper to routed outline or cutout
	CopperToHole        Name = "copper_to_hole"         // copper to the wall of a hole it does not belong to; of classes without a limit of their own
	CopperToVia         Name = "copper_to_via"          // the same, of vias
	CopperToPTH         Name = "copper_to_pth"          // the same, of plated holes that hold leads
	CopperToNPTH        Name = "copper_to_npth"         // the same, of non-plated holes
	CopperToVScore      Name = "copper_to_v_score"      // copper to a line along which the board is scored
	HoleToHole          Name = "hole_to_hole"           // wall to wall; of vias where holes of pads have a limit of their own
	ComponentHoleToHole Name = "component_hole_to_hole" // wall to wall of two plated holes that hold leads
	HoleToEdge          Name = "hole_to_edge"           // wall to outline
	AnnularRing         Name = "annular_ring"           // plated hole that holds a lead: narrowest copper around it
	ViaRing             Name = "via_ring"               // via, and plated hole that may well be one: the same
	NPTHRing            Name = "npth_ring"              // non-plated hole with a pad: the same
	DrillSize           Name = "drill_size"             // smallest plated hole
	NPTHDrillSize       Name = "npth_drill_size"        // smallest hole known to be non-plated
	DrillMaximum        Name = "drill_maximum"          // largest drilled hole
	SlotWidth           Name = "slot_width"             // narrowest slot that is or may be plated
	NPTHSlotWidth       Name = "npth_slot_width"        // narrowest slot known to be non-plated
	CastellationSize    Name = "castellation_size"      // smallest plated hole on the edge
	AspectRatio         Name = "aspect_ratio"           // thickness by drill, in thousandths
	MaskExpansion       Name = "mask_expansion"         // mask opening beyond its pad; negative covers copper
	MaskToCopper        Name = "mask_to_copper"         // mask opening to copper of another net that it should cover
	MaskBridge          Name = "mask_bridge"            // mask left between two openings of different nets
	SilkWidth           Name = "silk_width"             // stroke of the legend
	SilkHeight          Name = "silk_height"            // capitals of the legend
	SilkToMask          Name = "silk_to_mask"           // legend to bare copper
	OutlineRadius       Name = "outline_radius"         // inner corner that a cutter cannot follow
	SlotTooNarrow       Name = "slot_too_narrow"        // slot of the outline narrower than the cutter
	BoardNeck           Name = "board_neck"             // tongue of board that breaks off
	CopperSliver        Name = "copper_sliver"          // tongue of copper that comes loose
	BoardWidth          Name = "board_width"            // shorter side
	BoardLength         Name = "board_length"           // longer side
	BoardThickness      Name = "board_thickness"
)

// Checks that find faults of another kind.
const (
	Short             Name = "short"               // two nets joined
	Open              Name = "open"                // one net in pieces
	Unrouted          Name = "unrouted"            // a design tool's connection without copper
	NetsContradict    Name = "nets_contradict"     // nets and copper at odds as a whole
	DesignRule        Name = "design_rule"         // the design tool's own rule broken
	OutlineMissing    Name = "outline_missing"     // copper without outline
	OutlineOpen       Name = "outline_open"        // outline that does not close
	BoardPieces       Name = "board_pieces"        // an outline in several pieces
	CopperOutside     Name = "copper_outside"      // copper beyond the outline
	LayerMissing      Name = "layer_missing"       // a layer that the others tell of
	LayerExtra        Name = "layer_extra"         // a layer that nothing tells of
	LayerOrder        Name = "layer_order"         // copper layers whose order the files state in two ways
	LayerEmpty        Name = "layer_empty"         // a layer with nothing on it
	LandMissing       Name = "land_missing"        // a plated hole without copper on an outer layer
	Registration      Name = "registration"        // lands of a layer beside their holes, or none there
	HoleWithoutCopper Name = "hole_without_copper" // a hole that meets nothing it should
	MaskMissing       Name = "mask_missing"        // a pad without opening
	ExposedCopper     Name = "exposed_copper"      // opening over copper that is no pad
	SilkOverCopper    Name = "silk_over_copper"    // legend on bare copper
	NegativePlane     Name = "negative_plane"      // plane drawn by what is taken away
	AcidTrap          Name = "acid_trap"           // acute inner angle of copper
	Castellation      Name = "castellation"        // plated holes on the edge
	ViaInPad          Name = "via_in_pad"          // open via under something soldered
	TextMirrored      Name = "text_mirrored"       // text that reads backwards
	FilesUnreadable   Name = "files_unreadable"    // what the readers could not read
	TooComplex        Name = "too_complex"         // more work than any board needs: the budget is used up
	ToolSizeMissing   Name = "tool_size_missing"   // a drill file that does not say how wide a tool is
	CopperWeight      Name = "copper_weight"
	LayerCount        Name = "layer_count"
)

// Level is how bad a finding is.
type Level uint8

// Levels, from mild to bad.
const (
	Note Level = iota
	Warning
	MustFix
)

func (l Level) String() string { return [...]string{"note", "warning", "must_fix"}[min(l, MustFix)] }

// Place is where on the board a fault is.
type Place struct {
	Layer    string     // name of the layer; "" when about no single one
	At, To   geom.Point // ends of what was measured; the same for a point
	Value    int64      // measured; nanometres or thousandths; 0 for faults that are no length
	Objects  [2]string  // what is there: "pad U1-3", "track of GND", "via"
	Nets     [2]string
	Distance bool  // At to To is the measured length
	Rounding int64 // by how much the steps of the file's coordinates may have changed Value
}

// Finding is one kind of fault, said once.
type Finding struct {
	Check  Name
	Level  Level
	What   string  // in words, with numbers, for the customer
	Limit  int64   // that Value was held against; 0 when none
	Value  int64   // of the worst place
	Count  int     // places in all
	Places []Place // worst first, at most [MaxPlaces]
	// Answers are what the customer can say to settle it.
	Answers []answers.Answer
}

// MaxPlaces is how many places a finding keeps.
const MaxPlaces = 50

// Measure is the smallest (largest for a maximum) value of a length check on the
// board, whether it breaks a limit or not.
type Measure struct {
	Check Name
	Inner bool   // of inner copper layers
	Mild  bool   // the fabricator builds the board all the same: it draws areas back from the edge, cuts the legend off
	Doubt string // why the value may not be the board's, in words; no verdict rests on such a value
	Place Place  // with its value
}

// Limit is a fabricator's: below Min it cannot be built, below Recommended it
// may cost yield. For aspect_ratio, drill_maximum and board sizes above. 0 is no limit.
type Limit struct{ Min, Recommended int64 }

// Limits are those of one fabricator for one build of a board.
type Limits struct {
	Outer, Inner map[Name]Limit // Inner: where inner layers differ; else Outer holds
}

// LimitOf gives the limit of a check.
func (l Limits) LimitOf(n Name, inner bool) Limit {
	if v, ok := l.Inner[n]; ok && inner {
		return v
	}
	return l.Outer[n]
}

// Options of a check.
type Options struct {
	Limits    Limits
	Thickness int64          // of the board; 0 takes the files' own, else 1.6 mm
	CopperOz  float64        // outer; 0 takes 1
	Reach     map[Name]int64 // how far to look beyond the limit for [Report.Measures]; default twice the limit
	Budget    pcb.Limits     // where the context has none yet
	Only      []Name         // run no other rules than those that judge one of these; nil runs all

	// Progress, when set, is told how many of the rules have ended. It is called
	// from several goroutines at once.
	Progress func(done, of int)
}

// Report is what was found.
type Report struct {
	Findings  []Finding // worst first
	Measures  []Measure
	Assumed   []string // in words
	Unchecked []string // what could not be judged, in words
	Faults    []error  // rules that broke down: for the program's operator, never for customers
}

// Asks reports whether a check was asked for.
func (o Options) Asks(n Name) bool { return o.Only == nil || slices.Contains(o.Only, n) }
