package dfm

import (
	"maps"
	"slices"
	"strings"
)

// Version of the rules. Reports of another one are out of date.
const Version = "19"

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
	PasteRelease      Name = "paste_release"       // opening of the stencil that holds on to its paste
	PasteOnMask       Name = "paste_on_mask"       // opening of the stencil where there is no pad
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

// A check is what is declared of one, beside its name.
type check struct {
	words   string // names it for people
	maximum bool   // too large is what breaks its limit
	// margin: Min keeps a distance from the point where something is destroyed: a drill
	// that wanders cuts a ring, a cutter tears copper. Fabricators trim or accept what lies
	// a little below, so that only what is below half of Min, or has no margin left at all,
	// must be fixed; the rest is a warning.
	margin      bool
	least, most float64 // figures that can be true, in millimetres; 0.02 and 2 unless they are said
	practice    Figure  // what fabricators commonly give, if the primary one publishes nothing
}

// checks are all that there are.
var checks = map[Name]check{
	TrackWidth:          {words: "track widths"},
	TrackClearance:      {words: "spacing of tracks"},
	PadClearance:        {words: "spacing of pads"},
	CopperToEdge:        {words: "copper near the board's edge", margin: true},
	CopperToHole:        {words: "copper near holes", margin: true},
	CopperToVia:         {words: "copper near vias", margin: true},
	CopperToPTH:         {words: "copper near holes for leads", margin: true},
	CopperToNPTH:        {words: "copper near non-plated holes", margin: true},
	CopperToVScore:      {words: "copper near V-scores", margin: true},
	HoleToHole:          {words: "spacing of holes", margin: true},
	ComponentHoleToHole: {words: "spacing of holes for leads", margin: true},
	HoleToEdge:          {words: "holes near the board's edge", margin: true},
	AnnularRing:         {words: "annular rings", margin: true},
	ViaRing:             {words: "rings of vias", margin: true},
	NPTHRing:            {words: "rings of non-plated holes", margin: true},
	DrillSize:           {words: "sizes of drills"},
	NPTHDrillSize:       {words: "sizes of non-plated holes"},
	DrillMaximum:        {words: "largest drill", maximum: true, least: 3, most: 20},
	SlotWidth:           {words: "widths of slots"},
	NPTHSlotWidth:       {words: "widths of non-plated slots", least: 0.3, most: 5},
	CastellationSize:    {words: "sizes of castellated holes"},
	AspectRatio:         {words: "depth of drills by their width", maximum: true, least: 1, most: 50, practice: Figure{Min: 12, Recommended: 8}},
	MaskExpansion:       {words: "size of mask openings"},
	MaskToCopper:        {words: "mask openings near other copper"},
	MaskBridge:          {words: "solder mask between pads"},
	SilkWidth:           {words: "line widths of the silkscreen"},
	SilkHeight:          {words: "height of the silkscreen's text", least: 0.3, most: 3},
	SilkToMask:          {words: "silkscreen near bare copper"},
	OutlineRadius:       {words: "inner corners of the outline"},
	SlotTooNarrow:       {words: "narrow slots of the outline", least: 0.3, most: 5},
	BoardNeck:           {words: "narrow tongues of board"},
	CopperSliver:        {words: "slivers of copper", practice: Figure{Min: 0.05, Recommended: 0.1}},
	BoardWidth:          {words: "width of the board", maximum: true},
	BoardLength:         {words: "length of the board", maximum: true},
	BoardThickness:      {words: "thickness of the board", maximum: true},
	Short:               {words: "shorts"},
	Open:                {words: "open nets"},
	Unrouted:            {words: "unrouted connections"},
	NetsContradict:      {words: "nets and copper as a whole"},
	DesignRule:          {words: "the design's own rules"},
	OutlineMissing:      {words: "presence of an outline"},
	OutlineOpen:         {words: "closed outline"},
	BoardPieces:         {words: "pieces of the board"},
	CopperOutside:       {words: "copper outside of the board"},
	LayerMissing:        {words: "missing layers"},
	LayerExtra:          {words: "extra layers"},
	LayerOrder:          {words: "order of the copper layers"},
	LayerEmpty:          {words: "empty layers"},
	LandMissing:         {words: "lands of plated holes"},
	Registration:        {words: "registration of holes and copper"},
	HoleWithoutCopper:   {words: "stray holes"},
	MaskMissing:         {words: "missing mask openings"},
	ExposedCopper:       {words: "exposed copper"},
	PasteRelease:        {words: "sizes of paste openings"},
	PasteOnMask:         {words: "paste openings beside pads"},
	SilkOverCopper:      {words: "silkscreen on bare copper"},
	NegativePlane:       {words: "negative planes"},
	AcidTrap:            {words: "acid traps"},
	Castellation:        {words: "castellated holes"},
	ViaInPad:            {words: "vias in pads"},
	TextMirrored:        {words: "mirrored text"},
	FilesUnreadable:     {words: "files that could not be read"},
	TooComplex:          {words: "size of what the files expand to"},
	ToolSizeMissing:     {words: "sizes of tools"},
	CopperWeight:        {words: "weight of the copper"},
	LayerCount:          {words: "number of layers"},
}

// practiceSource is where the figures of [check] are from that no fabricator's are.
var practiceSource = Source{
	Title: "Figures that fabricators commonly give where the primary one gives none: Nanotech, printed circuit board capabilities",
	URL:   "https://nanotech.by/pcb-capabilities/?lang=en", Checked: "2026-11-21",
}

// Names are all checks, sorted.
func Names() []Name { return slices.Sorted(maps.Keys(checks)) }

// Words names the check for people: "track widths".
func (n Name) Words() string {
	if w := checks[n].words; w != "" {
		return w
	}
	return strings.ReplaceAll(string(n), "_", " ")
}

// Maximum reports whether too large is what breaks the limit of a check.
func (n Name) Maximum() bool { return checks[n].maximum }

// bounds are those of figures that can be true, in millimetres.
func (n Name) bounds() (least, most float64) {
	c := checks[n]
	if c.most == 0 {
		return 0.02, 2
	}
	return c.least, c.most
}
