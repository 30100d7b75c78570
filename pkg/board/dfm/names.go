package dfm

import (
	"maps"
	"slices"
	"strings"
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
	CopperToHole        Name = "copper_to_hole"         // copper to the barrel of a hole it does not belong to; of classes without a limit of their own
	CopperToVia         Name = "copper_to_via"          // the same, of vias
	CopperToPTH         Name = "copper_to_pth"          // the same, of plated holes that hold leads
	CopperToNPTH        Name = "copper_to_npth"         // the same, of non-plated holes
	CopperToVScore      Name = "copper_to_v_score"      // copper to a line along which the board is scored
	HoleToHole          Name = "hole_to_hole"           // barrel to barrel; of vias where holes of pads have a limit of their own
	ComponentHoleToHole Name = "component_hole_to_hole" // barrel to barrel of two plated holes that hold leads
	HoleToEdge          Name = "hole_to_edge"           // barrel to outline
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
	SilkWidth           Name = "silk_width"             // stroke of the silkscreen
	SilkHeight          Name = "silk_height"            // capitals of the silkscreen
	SilkToMask          Name = "silk_to_mask"           // silkscreen to bare copper
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
	SilkOverCopper    Name = "silk_over_copper"    // silkscreen on bare copper
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

// Names are all checks, sorted.
func Names() []Name { return slices.Sorted(maps.Keys(Words)) }

// Words names checks for people.
var Words = map[Name]string{
	TrackWidth: "track widths", TrackClearance: "spacing of tracks", PadClearance: "spacing of pads",
	CopperToEdge: "copper near the board's edge", CopperToHole: "copper near holes", CopperToVia: "copper near vias", CopperToPTH: "copper near holes for leads",
	CopperToNPTH: "copper near non-plated holes", CopperToVScore: "copper near V-scores", HoleToHole: "spacing of holes",
	HoleToEdge: "holes near the board's edge", AnnularRing: "annular rings", NPTHRing: "rings of non-plated holes",
	DrillSize: "sizes of drills", DrillMaximum: "largest drill", SlotWidth: "widths of slots", AspectRatio: "depth of drills by their width",
	MaskExpansion: "size of mask openings", MaskBridge: "solder mask between pads", SilkWidth: "line widths of the silkscreen",
	SilkHeight: "height of the silkscreen's text", SilkToMask: "silkscreen near bare copper", OutlineRadius: "inner corners of the outline",
	SlotTooNarrow: "narrow slots of the outline", BoardNeck: "narrow tongues of board", CopperSliver: "slivers of copper",
	BoardWidth: "width of the board", BoardLength: "length of the board", BoardThickness: "thickness of the board",
	Short: "shorts", Open: "open nets", Unrouted: "unrouted connections", NetsContradict: "nets and copper as a whole", DesignRule: "the design's own rules",
	OutlineMissing: "presence of an outline", OutlineOpen: "closed outline", BoardPieces: "pieces of the board", CopperOutside: "copper outside of the board",
	LayerMissing: "missing layers", LayerExtra: "extra layers", LayerOrder: "order of the copper layers", LayerEmpty: "empty layers", HoleWithoutCopper: "stray holes", LandMissing: "lands of plated holes", Registration: "registration of holes and copper",
	MaskMissing: "missing mask openings", ExposedCopper: "exposed copper", SilkOverCopper: "silkscreen on bare copper",
	NegativePlane: "negative planes", AcidTrap: "acid traps", Castellation: "castellated holes", ViaInPad: "vias in pads",
	TextMirrored: "mirrored text", FilesUnreadable: "files that could not be read", CopperWeight: "weight of the copper",
	LayerCount: "number of layers", TooComplex: "size of what the files expand to", ComponentHoleToHole: "spacing of holes for leads", ViaRing: "rings of vias",
	NPTHDrillSize: "sizes of non-plated holes", NPTHSlotWidth: "widths of non-plated slots",
	ToolSizeMissing: "sizes of tools", CastellationSize: "sizes of castellated holes", MaskToCopper: "mask openings near other copper",
}

// Words names the check for people: "track widths".
func (n Name) Words() string {
	if w, ok := Words[n]; ok {
		return w
	}
	return strings.ReplaceAll(string(n), "_", " ")
}

// Maximum reports whether too large is what breaks the limit of a check.
func (n Name) Maximum() bool {
	return slices.Contains([]Name{AspectRatio, DrillMaximum, BoardWidth, BoardLength, BoardThickness}, n)
}

// margins are checks whose Min keeps a distance from the point where something is
// destroyed: a drill that wanders cuts a ring, a cutter tears copper. Fabricators
// trim or accept what lies a little below, so that only what is below half of Min,
// or has no margin left at all, must be fixed; the rest is a warning.
var margins = map[Name]bool{
	CopperToEdge: true, CopperToVScore: true, CopperToHole: true, CopperToVia: true, CopperToPTH: true, CopperToNPTH: true, HoleToHole: true, ComponentHoleToHole: true, HoleToEdge: true,
	AnnularRing: true, ViaRing: true, NPTHRing: true,
}

// bounds are those of figures that can be true, in millimetres.
func bounds(n Name) (low, high float64) {
	switch n {
	case AspectRatio:
		return 1, 50
	case DrillMaximum:
		return 3, 20
	case SilkHeight:
		return 0.3, 3
	case NPTHSlotWidth, SlotTooNarrow:
		return 0.3, 5
	}
	return 0.02, 2
}
